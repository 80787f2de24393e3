"""Waits of a hand: every tile with its score, or why it cannot win; and the waits after each discard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quepu.errors import HandError, Text, many
from quepu.hands.hand import Hand, Luck
from quepu.rules.circumstances import contradiction
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score, list_names, score_hand
from quepu.shapes.distance import look, readiness_text
from quepu.shapes.readings import wait_planes
from quepu.tiles import CHINESE, NAMES, SIMPLIFIED, TILES, Tile, kinds_of


@dataclass(frozen=True, slots=True)
class Wait:
    """One tile that completes the hand's shape.

        >>> import quepu
        >>> wait = quepu.waits("123m456p789sCCEE", "guobiao").waits[0]
        >>> wait.tile, wait.left, wait.by_self_draw.points
        (Tile('E'), 2, 22)

    `left` copies are neither in the own hand nor seen on the table. `by_discard` and `by_self_draw` are the scores,
    None if the circumstances of the hand allow no such win; `reason` says why it cannot win, or wins only one way
    (None: it wins both).
    """

    tile: Tile
    left: int
    by_discard: Score | None
    by_self_draw: Score | None
    reason: Text | None

    def __str__(self) -> str:
        """Return the tile, how many are left, and its points on a discard and by self-draw."""
        totals = "/".join("–" if score is None else str(score.total) for score in (self.by_discard, self.by_self_draw))
        return f"{self.tile}×{self.left} {totals}" + (f" {self.reason}" if self.reason else "")

    def __repr__(self) -> str:
        return f"Wait({self})"

    def _repr_html_(self) -> str:
        from quepu.scoring.notebook import waits_html

        return waits_html((self,))

    @property
    def scores(self) -> tuple[Score, ...]:
        """Return the available scores, on a discard first."""
        return tuple(score for score in (self.by_discard, self.by_self_draw) if score is not None)

    @property
    def can_win(self) -> bool:
        """Whether it wins at least one way and a copy is left."""
        return self.left > 0 and any(score.can_win for score in self.scores)

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Plain data."""

        def side(score: Score | None) -> dict[str, Any]:
            if score is None:
                why = self.reason if not self.scores and self.reason else _NOT_SO
                return {"points": 0, "total": 0, "can_win": False, "how": why.say(lang), **list_names((), lang)}
            return {
                "points": score.points,
                "total": score.total,
                **score.paid_to_json(),
                "can_win": score.can_win,
                "how": score.tally.how.say(lang),
                **list_names(score.fans, lang),
            }

        return {
            "tile": NAMES[self.tile],
            "name": CHINESE[self.tile],
            "left": self.left,
            "can_win": self.can_win,
            "discard": side(self.by_discard),
            "self_draw": side(self.by_self_draw),
            "reason": self.reason.say(lang) if self.reason else None,
        }


@dataclass(frozen=True, slots=True)
class Outlook:
    """The outlook of a hand of thirteen tiles: `missing` tiles (1 = ready), its waits, or the tiles that help.

        >>> import quepu
        >>> outlook = quepu.waits("123m456p789sCCEF", "guobiao")
        >>> outlook.missing, outlook.waits
        (2, ())

    A hand that only a fifth copy of a kind would complete (虚听) is not ready; `dead` are such kinds.
    """

    hand: Hand
    missing: int
    waits: tuple[Wait, ...]
    useful: tuple[tuple[Tile, int], ...]  # (kind, copies left), for a hand that is not ready
    dead: tuple[Tile, ...] = ()

    def headline(self) -> Text:
        """Describe the hand in one line: ready on how many kinds and tiles, or how many steps from ready."""
        kinds, tiles = len(self.waits or self.useful), self.tiles_left
        counted = f"{many(kinds, 'kind')}, {many(tiles, 'tile')}"
        if self.waits:
            return Text(f"听 {kinds} 种 {tiles} 张", f"waits on {counted}")
        state = readiness_text(self.missing)
        return Text(f"{state.zh}，进张 {kinds} 种 {tiles} 张", f"{state.en}; useful: {counted}")

    def __str__(self) -> str:
        if self.waits:
            return "\n".join([str(self.headline()), *(f"  {wait}" for wait in self.waits)])
        return f"{self.headline()}\n  {' '.join(f'{tile}×{left}' for tile, left in self.useful)}"

    def __repr__(self) -> str:
        return f"Outlook({str(self.hand)!r}: {self.headline()}: {' '.join(str(wait.tile) for wait in self.waits)})"

    def _repr_html_(self) -> str:
        from quepu.scoring.notebook import outlook_html

        return outlook_html(self)

    @property
    def tiles_left(self) -> int:
        """Copies left of everything that wins, or of useful tiles if the hand is not ready."""
        if self.waits:
            return sum(wait.left for wait in self.waits if wait.can_win)
        return sum(left for _, left in self.useful)

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Plain data."""
        return {
            "ready": bool(self.waits),
            "missing": self.missing,
            "waits": [wait.to_json(lang) for wait in self.waits],
            "useful": [{"tile": NAMES[k], "name": CHINESE[k], "left": n} for k, n in self.useful],
            "tiles_left": self.tiles_left,
            "dead": [NAMES[kind] for kind in self.dead],
        }


@dataclass(frozen=True, slots=True)
class Choice:
    """A discard out of fourteen tiles and where it leads.

    Examples:
        >>> import quepu
        >>> choice = quepu.discards("123m456p789sCCEEF", "guobiao")[0]
        >>> choice.discard, choice.outlook.missing
        (Tile('F'), 1)
    """

    discard: Tile
    outlook: Outlook

    def __str__(self) -> str:
        return f"{self.discard} → {self.outlook}"

    def __repr__(self) -> str:
        return f"Choice({self.discard} → {self.outlook.headline()})"

    def _repr_html_(self) -> str:
        from quepu.scoring.notebook import choice_html

        return choice_html(self)

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Plain data."""
        return {"discard": NAMES[self.discard], "name": CHINESE[self.discard], **self.outlook.to_json(lang)}


def mark_winning(hand: Hand) -> Hand:
    """Return the hand with its last tile as the winning one if it has fourteen tiles and none marked."""
    if hand.winning is None and len(hand.concealed) % 3 == 2:
        return hand._replace(concealed=hand.concealed[:-1], winning=hand.concealed[-1])
    return hand


def count_left(hand: Hand, seen: Sequence[int]) -> list[int]:
    """Return the copies of each kind that are neither in the hand, its winning tile aside, nor seen.

    Raises:
        HandError: there would be more than four of a kind.
    """
    held = hand._replace(winning=None).counts()
    left = [4 - n for n in held]
    for kind in seen:
        left[kind] -= 1
    for kind, n in enumerate(left):
        if n < 0:
            raise HandError(
                f"手牌与已见牌合计有 {4 - n} 张{SIMPLIFIED[kind]}。",
                f"hand and seen tiles together hold {4 - n} copies of {NAMES[kind]}.",
            )
    return left


_NOT_SO = Text("所给情形下不会这样和", "not in the circumstances given")


def _reason(left: int, by_discard: Score | None, by_self_draw: Score | None) -> Text | None:
    if left == 0:
        return Text("四张都已见到，和不到了", "all four copies are visible")
    lacking = by_discard.minimum - by_discard.points if by_discard else 0
    drawn = by_self_draw.minimum - by_self_draw.points if by_self_draw else 0
    if lacking <= 0 and drawn <= 0:
        return None
    if by_discard is None:
        return Text(f"不够起和：自摸差 {drawn}", f"below the minimum: {drawn} short by self-draw")
    if by_self_draw is None:
        return Text(f"不够起和：点和差 {lacking}", f"below the minimum: {lacking} short on a discard")
    if lacking > 0 and drawn > 0:
        return Text(
            f"不够起和：点和差 {lacking}，自摸差 {drawn}",
            f"below the minimum: {lacking} short on a discard, {drawn} by self-draw",
        )
    if lacking > 0:
        return Text(f"只能自摸：点和差 {lacking}", f"only by self-draw: {lacking} short on a discard")
    return Text(f"只能点和：自摸差 {drawn}", f"only on a discard: {drawn} short by self-draw")


def wait_of(hand: Hand, book: Rulebook, tile: int, left: int) -> Wait:
    """Score a tile for each way to win that the circumstances of the hand allow."""
    sides: list[Score | None] = []
    why: Text | None = None
    for drawn in (0, int(Luck.SELF_DRAW)):
        won = hand._replace(winning=tile, luck=int(hand.luck) & ~Luck.SELF_DRAW | drawn)
        refused = contradiction(won, book) if hand.luck & ~Luck.SELF_DRAW else None
        if hand.luck & Luck.SELF_DRAW and not drawn:
            sides.append(None)
        elif refused:
            sides.append(None)
            why = why or refused
        else:
            sides.append(score_hand(won, book))
    by_discard, by_self_draw = sides
    if by_discard is None and by_self_draw is None:
        return Wait(TILES[tile], left, None, None, why)
    return Wait(TILES[tile], left, by_discard, by_self_draw, _reason(left, by_discard, by_self_draw))


def outlook(hand: Hand, book: Rulebook, seen: tuple[int, ...] = ()) -> Outlook:
    """Describe thirteen tiles under a book: waits, or distance and useful tiles.

    The circumstances of the hand are taken to hold for the win; with self-draw among them only such wins are scored.

    Raises:
        HandError: the hand has a winning tile, or more than four copies of a kind are in view.
    """
    if hand.winning is not None:
        raise HandError(
            "听牌看 13 张；14 张看打哪张，请用 quepu.discards。",
            "waits needs 13 tiles; to choose a discard from 14, use quepu.discards.",
        )
    return _outlook(hand, book, count_left(hand, seen))


def _outlook(hand: Hand, book: Rulebook, left: list[int]) -> Outlook:
    """The same, with the copies of each kind that are left."""
    now, plane = look(hand, book.shapes)
    dead: tuple[Tile, ...] = ()
    if now <= 1 or hand.luck or 0 in left:  # a hand of any distance may lack only a tile that it holds four times
        ready = _describe_ready(hand, book, left)
        if ready.waits:
            return ready
        dead = ready.dead
    return Outlook(hand, now, (), tuple([(TILES[kind], left[kind]) for kind in kinds_of(plane)]), dead)


def waiting(hand: Hand, book: Rulebook, seen: tuple[int, ...] = ()) -> Outlook | None:
    """Return the outlook of a ready hand; None for any other, for which `outlook` must look farther.

    Raises:
        HandError: more than four copies of a kind are in view.
    """
    ready = _describe_ready(hand, book, count_left(hand, seen))
    return ready if ready.waits else None


def _describe_ready(hand: Hand, book: Rulebook, left: list[int]) -> Outlook:
    """The outlook of a hand that waits; without waits, one that only knows the dead ones."""
    live, _, dead = wait_planes(hand, book.shapes)
    waits = tuple(wait_of(hand, book, tile, left[tile]) for tile in kinds_of(live))
    return Outlook(hand, 1, waits, (), tuple(TILES[kind] for kind in kinds_of(dead)))


def after_discards(hand: Hand) -> dict[Tile, Hand]:
    """Return the hands that each discard out of fourteen concealed tiles leaves, by tile."""
    tiles = tuple(sorted(hand.concealed))
    first = {kind: at for at, kind in reversed(list(enumerate(tiles)))}
    return {TILES[kind]: Hand(tiles[:at] + tiles[at + 1 :], *hand[1:]) for kind, at in reversed(first.items())}


def choices(hand: Hand, book: Rulebook, seen: tuple[int, ...] = ()) -> list[Choice]:
    """List each discard out of fourteen tiles with its waits, best first: nearest, then most useful tiles.

    The fourteenth tile is `hand.winning`.

    Raises:
        HandError: the hand has thirteen tiles only, or more than four copies of a kind are in view.
    """
    if hand.winning is None:
        raise HandError(
            "看打哪张需要 14 张牌；13 张看听牌，请用 quepu.waits。",
            "choosing a discard needs 14 tiles; for the waits of 13, use quepu.waits.",
        )
    whole = hand._replace(concealed=(*hand.concealed, hand.winning), winning=None)
    left = count_left(whole, seen)  # after a discard as before it
    made = [Choice(tile, _outlook(after, book, left)) for tile, after in after_discards(whole).items()]
    return sorted(made, key=lambda c: (c.outlook.missing, -c.outlook.tiles_left, -_best_total(c.outlook), c.discard))


def _best_total(look: Outlook) -> int:
    return sum(wait.left * wait.scores[0].total for wait in look.waits if wait.can_win)
