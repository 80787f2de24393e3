"""What a hand waits for: every tile with what it would score, or why it cannot win; and what each discard waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quepu.distance import hand_missing, useful
from quepu.errors import HandError, Text
from quepu.hand import Hand, Luck
from quepu.readings import ready
from quepu.rulebook import Rulebook
from quepu.scoring import Score, score_hand
from quepu.tiles import CHINESE, KINDS, NAMES

# Of the circumstances given with a hand only these say something about the hand itself and not about one win.
_LASTING = Luck.READY_AT_DEAL | Luck.READY_AT_FIRST


@dataclass(frozen=True, slots=True)
class Wait:
    """One tile that completes the hand's shape.

    `left` copies are not in the own hand nor otherwise seen. `by_discard` and `by_self_draw` are the scores; `reason`
    says why it cannot win, or wins only one way (None: it wins both ways).
    """

    tile: int
    left: int
    by_discard: Score
    by_self_draw: Score
    reason: Text | None

    @property
    def can_win(self) -> bool:
        """Whether it wins at least one way and a copy is left."""
        return self.left > 0 and (self.by_discard.can_win or self.by_self_draw.can_win)

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Plain data."""

        def side(score: Score) -> dict[str, Any]:
            return {
                "points": score.points,
                "total": score.total,
                "can_win": score.can_win,
                "how": score.tally.how.say(lang),
                "fans": [str(fan) for fan in score.fans],
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
    """Where a hand of thirteen tiles stands: `missing` tiles (1 = ready), its waits, or the tiles that help."""

    hand: Hand
    missing: int
    waits: tuple[Wait, ...]
    useful: tuple[tuple[int, int], ...]  # (kind, copies left), for a hand that is not ready

    @property
    def tiles_left(self) -> int:
        """Copies left of everything that wins, or that helps when the hand is not ready."""
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
        }


@dataclass(frozen=True, slots=True)
class Choice:
    """A discard out of fourteen tiles and where it leads."""

    discard: int
    outlook: Outlook

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Plain data."""
        return {"discard": NAMES[self.discard], "name": CHINESE[self.discard], **self.outlook.to_json(lang)}


def marked(hand: Hand) -> Hand:
    """Fourteen tiles of which none stands apart with the last of them as the fourteenth; any other hand as it is."""
    if hand.winning is None and len(hand.concealed) % 3 == 2:
        return hand._replace(concealed=hand.concealed[:-1], winning=hand.concealed[-1])
    return hand


def _left(hand: Hand, seen: tuple[int, ...]) -> list[int]:
    held = hand._replace(winning=None).counts()
    left = [4 - n for n in held]
    for kind in seen:
        left[kind] -= 1
    for kind, n in enumerate(left):
        if n < 0:
            raise HandError(
                f"手牌与已见牌合计有 {4 - n} 张{CHINESE[kind]}。",
                f"hand and seen tiles together hold {4 - n} copies of {NAMES[kind]}.",
            )
    return left


def _reason(left: int, by_discard: Score, by_self_draw: Score) -> Text | None:
    if left == 0:
        return Text("四张都已见到，和不到了", "all four copies are already seen")
    lacking = by_discard.minimum - by_discard.points
    drawn = by_self_draw.minimum - by_self_draw.points
    if lacking <= 0 and drawn <= 0:
        return None
    if lacking > 0 and drawn > 0:
        return Text(
            f"不够起和：点和差 {lacking}，自摸差 {drawn}",
            f"below the minimum: {lacking} short by discard, {drawn} by self-draw",
        )
    if lacking > 0:
        return Text(f"只能自摸：点和差 {lacking}", f"only by self-draw: {lacking} short by discard")
    return Text(f"只能点和：自摸差 {drawn}", f"only by discard: {drawn} short by self-draw")


def outlook(hand: Hand, book: Rulebook, seen: tuple[int, ...] = ()) -> Outlook:
    """Where thirteen tiles stand under a book. `seen` are kinds visible elsewhere on the table, with repetition.

    Raises:
        HandError: the hand has a winning tile, or more than four copies of a kind are in view.
    """
    if hand.winning is not None:
        raise HandError("求听只看 13 张，请去掉 + 后的和牌张。", "waits need 13 tiles: leave out the tile after +.")
    left = _left(hand, seen)
    luck = int(hand.luck) & int(_LASTING)
    found = []
    for tile in ready(hand, book.shapes):
        by_discard = score_hand(hand._replace(winning=tile, luck=luck), book)
        by_self_draw = score_hand(hand._replace(winning=tile, luck=luck | Luck.SELF_DRAW), book)
        found.append(Wait(tile, left[tile], by_discard, by_self_draw, _reason(left[tile], by_discard, by_self_draw)))
    if found:
        return Outlook(hand, 1, tuple(found), ())
    helping = tuple((kind, left[kind]) for kind in useful(hand, book.shapes))
    return Outlook(hand, hand_missing(hand, book.shapes), (), helping)


def choices(hand: Hand, book: Rulebook, seen: tuple[int, ...] = ()) -> list[Choice]:
    """What each discard out of fourteen tiles would wait for, best first: nearest, then most tiles that help.

    The fourteenth tile is `hand.winning`.

    Raises:
        HandError: the hand has thirteen tiles only, or more than four copies of a kind are in view.
    """
    if hand.winning is None:
        raise HandError("看打哪张需要 14 张牌。", "choosing a discard needs 14 tiles.")
    tiles = sorted((*hand.concealed, hand.winning))
    made = []
    for kind in range(KINDS):
        if kind in tiles:
            rest = list(tiles)
            rest.remove(kind)
            after = hand._replace(concealed=tuple(rest), winning=None)
            made.append(Choice(kind, outlook(after, book, (*seen, kind))))
    return sorted(made, key=lambda c: (c.outlook.missing, -c.outlook.tiles_left, -_worth(c.outlook), c.discard))


def _worth(look: Outlook) -> int:
    return sum(wait.left * wait.by_discard.total for wait in look.waits if wait.can_win)
