"""Value each choice of a seat at one moment: the shared valuation of hints, advice on discards, and reviews.

The values are those by which the level 高手 (`gain`) plays: all payable hands nearby, weighted by their points and by
the chance to draw the missing tiles. A win is never weighed against playing on: taking it is the best choice. Only
tiles that the seat can see are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from quepu.bots.chances import BENT, count_most_melds, load_measured
from quepu.bots.danger import risks
from quepu.bots.payable_bot import GainBot, payable
from quepu.bots.simple import after_claim
from quepu.fast.nearest.payable import FAR, Look, rates
from quepu.fast.nearest.receipts import receipt
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, View
from quepu.tiles import EAST, KINDS

if TYPE_CHECKING:
    from quepu.fast.universe.hand_index import Array


_BESIDE_A_WIN = 0.5
"""Other choices are worth at most this share of a win."""


class RatedAction(NamedTuple):
    """A possible action with its value.

        >>> from quepu.hands.notation import parse
        >>> import quepu
        >>> best = rate_hand(parse("123m456p789sCCEE+S"), quepu.book("guobiao")).choices[0]
        >>> best.action.tile, best.missing, best.left, round(best.reach)
        (28, 1, 4, 52)

    `share` is its value as a part of the best one's (0 to 1). `missing` counts the tiles still needed for a hand that
    can win (1: ready; None: two more than for the best choice, or no such hand is left), `useful` are the kinds that
    bring it nearer, `left` their unseen copies, `reach` is the average value of the hands in reach. `then` is the
    discard that goes with a claim (None: none). A win has `points`. `chance` is how often such hands won in measured
    play, computed from `ways`, the number of ways to draw the missing tiles. `expected` is the average gain of the
    choice in points: that chance times the value of the hands, reduced for lesser choices by their share. `danger` is
    the chance that another seat wins on the discard.
    """

    action: Action
    share: float
    missing: int | None
    useful: tuple[int, ...]
    left: int
    reach: float
    then: int | None = None
    points: int | None = None
    chance: float = 0.0
    ways: float = 0.0
    expected: float = 0.0
    danger: float = 0.0


class Prospect(NamedTuple):
    """The prospect of a discard: tiles missing for hands that can win, the ways to draw them, the hands' value."""

    missing: int
    ways: float
    reach: float


class Rated(NamedTuple):
    """The choices of a moment, best first. `lost`: no hand that can win is in reach, so all are equal."""

    choices: tuple[RatedAction, ...]
    lost: bool


class Eye:
    """The view of one seat for valuation: everything it sees at one moment, and the payable hands in its reach.

    `unseen` has the copies of each of the 34 kinds that may still come, `left` tiles are in the wall, and another seat
    shows `melds_shown` melds at most.
    """

    def __init__(
        self, book: Rulebook, unseen: Sequence[int], seat: int, round_wind: int, left: int, melds_shown: int = 0
    ) -> None:
        import numpy as np

        self.book = book
        self.seat, self.round = seat, round_wind
        self.payable = payable(book)
        self.unseen: Array = np.array(unseen)
        self.turns = left / 4 + 0.5
        self.melds_shown = melds_shown
        self.rate: Array = rates(max(1.0, left / 4), max(8, int(self.unseen.sum())), GainBot.pace)

    @classmethod
    def of(cls, view: View, held: Sequence[int] = (), aim: str = "") -> Eye:
        """Return the view of a seat at a table; no copy of a kind in `held` can come, and only hands with `aim` count.

        Raises:
            UnknownName: the book has no fan of this name.
        """
        board = view.board
        most = count_most_melds(board, view.seat)
        unseen = [0 if kind in held else n for kind, n in enumerate(view.unseen())]
        found = cls(view.book, unseen, EAST + view.seat, EAST + board.round, board.left, most)
        if aim:
            from quepu.fast.nearest.aimed import aimed

            found.payable = aimed(view.book, view.book.fan(aim).name)
        return found

    def look(self, concealed: Sequence[int], melds: tuple[Meld, ...], extra: int = GainBot.extra) -> Look:
        """Return the distance and the values of discards for these tiles; only of the nearest hands without `extra`."""
        hand = Hand(tuple(sorted(concealed)), melds, None, self.seat, self.round)
        look = self.payable.look(hand, self.unseen, extra, self.rate)
        if look.missing == 0:  # complete, but it cannot win now: discard a tile
            look = self.payable.look(hand, self.unseen, 1, self.rate)
        return look

    def prospect(self, look: Look, discard: int) -> Prospect | None:
        """Return the prospect after a discard (KINDS: none); None if every hand nearby is gone."""
        ways, gains = look.by_discard[:, 0, discard], look.by_discard[:, 1, discard]
        farther = next((n for n, way in enumerate(ways) if way > 0), None)
        if farther is None:
            return None
        missing = look.missing + farther
        near = self.rate[missing : missing + len(ways) - farther]
        levels = self.rate[look.missing : look.missing + len(ways)]
        all_ways = float(levels @ ways)
        reach = float(levels @ gains) / all_ways if all_ways else 0.0
        return Prospect(missing, float(near / near[0] @ ways[farther:]), reach)

    def chance(self, found: Prospect) -> float:
        """Return how often such hands won in measured play."""
        seen = int(self.unseen.sum()), self.turns, self.melds_shown
        return load_measured(self.book).chance(found.missing, found.ways, *seen)

    def choice(self, action: Action, look: Look, discard: int, then: int | None = None) -> tuple[float, RatedAction]:
        """Return the value of a discard (KINDS: no discard), and its rated action."""
        value = look.total if discard == KINDS else float(look.values[discard])
        if look.missing >= FAR or value <= 0:
            return 0.0, RatedAction(action, 0.0, None, (), 0, 0.0, then)
        mask = look.helps if discard == KINDS else useful_after(look, discard)
        useful = tuple(kind for kind in range(KINDS) if mask >> kind & 1)
        left = int(sum(self.unseen[kind] for kind in useful))
        found = self.prospect(look, discard)
        if found is None:
            return value, RatedAction(action, 0.0, None, useful, left, 0.0, then)
        return value, RatedAction(
            action, 0.0, found.missing, useful, left, found.reach, then, chance=self.chance(found), ways=found.ways
        )


def useful_after(look: Look, discard: int) -> int:
    """Return the mask of the useful tiles after a discard; to draw the same tile again brings no hand nearer.

    The look lists those of special shapes for the hand with its discard.
    """
    return int(look.useful[discard]) & ~(1 << discard)


def rate_options(view: View, options: Sequence[Action], eye: Eye | None = None) -> Rated | None:
    """Rate the options of a seat, best first; None if values do not decide (a flower, or being ready from the deal).

        >>> import quepu
        >>> from quepu.table import make_wall
        >>> table = quepu.Table(quepu.book("guobiao"), make_wall(7))
        >>> found = rate_options(table.view(0), table.options(0))
        >>> found and (found.choices[0].action.tile, found.choices[0].share)
        (29, 1.0)

    `eye`: another than the seat's own, with assumptions.
    """
    claim = options[-1].do is ActionKind.PASS
    if claim and all(option.do in (ActionKind.READY, ActionKind.PASS) for option in options):
        return None  # declaring the dealt hand ready is decided by the book, not by values
    if view.has_flower:
        return None
    eye = eye or Eye.of(view)
    valued = _claims(eye, view, options) if claim else _turn(eye, view, options)
    found = _in_order(valued)
    risk = risks(view, eye.unseen.tolist(), [_find_discard(choice) for choice in found.choices])
    choices = [choice._replace(danger=risk.get(_find_discard(choice), 0.0)) for choice in found.choices]
    win = next((option for option in options if option.do is ActionKind.WIN), None)
    if win is None:
        return found._replace(choices=tuple(choices))
    taken = _win(win, view.book, self_draw=not claim)
    return Rated((taken, *(choice._replace(share=choice.share * _BESIDE_A_WIN) for choice in choices)), lost=False)


def eye_of(hand: Hand, book: Rulebook, seen: Sequence[int] = (), left: int | None = None, melds_shown: int = 0) -> Eye:
    """Return the view of a seat with this hand; see `rated_hand`."""
    unseen = [4 - n for n in hand.counts()]
    for kind in seen:
        unseen[kind] = max(0, unseen[kind] - 1)
    wall = max(0, sum(unseen) - 39) if left is None else left
    return Eye(book, unseen, hand.seat, hand.round, wall, melds_shown)


def rate_hand(
    hand: Hand, book: Rulebook, seen: Sequence[int] = (), left: int | None = None, melds_shown: int = 0
) -> Rated:
    """Rate the discards out of fourteen tiles, best first, by the same values; `hand.winning` counts as one of them.

    `seen` are visible kinds, with repetition. `left` tiles are in the wall (None: the unseen ones less thirteen for
    each other seat), and another seat shows `melds_shown` melds at most.
    """
    tiles = [*hand.concealed, *([] if hand.winning is None else [hand.winning])]
    eye = eye_of(hand, book, seen, left, melds_shown)
    look = eye.look(tiles, hand.melds)
    return _in_order([eye.choice(Action(ActionKind.DISCARD, kind), look, kind) for kind in sorted(set(tiles))])


def after(view: View, choice: RatedAction) -> tuple[list[int], tuple[Meld, ...]] | None:
    """Return the concealed tiles and melds after a choice and its discard, or before a kong's replacement.

    None after a win.
    """
    action = choice.action
    tiles = [kind for kind in view.tiles if kind < KINDS]
    if action.do is ActionKind.PASS:
        return tiles, view.melds
    if action.do is ActionKind.DISCARD:
        tiles.remove(action.tile_kind)
        return tiles, view.melds
    if action.do is ActionKind.CONCEALED:
        return _without(tiles, action.tile_kind, 4), (*view.melds, Meld(MeldKind.CONCEALED_KONG, action.tile_kind))
    if action.do is ActionKind.ADDED:
        kong, pung = (Meld(kind, action.tile_kind) for kind in (MeldKind.KONG, MeldKind.PUNG))
        return _without(tiles, action.tile_kind, 1), tuple(kong if meld == pung else meld for meld in view.melds)
    rest = after_claim(view.hand, action)
    if rest is None:
        return None
    if choice.then is not None:
        rest.remove(choice.then)
    return rest, (*view.melds, action.meld)


def _without(tiles: list[int], kind: int, copies: int) -> list[int]:
    """Return the tiles less some copies of a kind."""
    for _ in range(copies):
        tiles.remove(kind)
    return tiles


def _in_order(valued: list[tuple[float, RatedAction]]) -> Rated:
    """Return choices with their shares and expected points, best first."""
    best = max((value for value, _ in valued), default=0.0)
    choices = sorted(
        (choice._replace(share=value / best if best else 0.0) for value, choice in valued),
        key=lambda choice: (-choice.share, choice.action.do is not ActionKind.DISCARD, choice.action.tile or 0),
    )
    most = choices[0].chance * choices[0].reach if choices else 0.0
    return Rated(tuple(choice._replace(expected=most * choice.share**BENT) for choice in choices), best <= 0)


def _win(win: Action, book: Rulebook, self_draw: bool) -> RatedAction:
    """Rate a win that can be taken now."""
    points = win.score.total if win.score is not None else 0
    expected = receipt(book, points, self_draw) if points else 0.0
    return RatedAction(win, 1.0, 0, (), 0, 0.0, points=points, chance=1.0, expected=expected)


def _find_discard(choice: RatedAction) -> int:
    """Return the tile that a choice discards at once; KINDS: none."""
    if choice.action.do is ActionKind.DISCARD:
        return choice.action.tile_kind
    return KINDS if choice.then is None else choice.then


def _turn(eye: Eye, view: View, options: Sequence[Action]) -> list[tuple[float, RatedAction]]:
    """Value discards, each kind once, and kongs."""
    tiles = [kind for kind in view.tiles if kind < KINDS]
    look = eye.look(tiles, view.melds)
    found, seen = [], set()
    for option in options:
        tile = option.tile
        if option.do is ActionKind.DISCARD and tile is not None and tile < KINDS and tile not in seen:
            seen.add(tile)
            found.append(eye.choice(Action(ActionKind.DISCARD, tile), look, tile))
        elif option.do is ActionKind.CONCEALED:
            rest = [kind for kind in tiles if kind != option.tile]
            after = eye.look(rest, (*view.melds, Meld(MeldKind.CONCEALED_KONG, option.tile_kind)))
            found.append(eye.choice(option, after, KINDS))
        elif option.do is ActionKind.ADDED:
            rest = tiles.copy()
            rest.remove(option.tile_kind)
            found.append(eye.choice(option, eye.look(rest, view.melds), KINDS))
    return found


def _claims(eye: Eye, view: View, options: Sequence[Action]) -> list[tuple[float, RatedAction]]:
    """Value passing, and every claim with its best discard."""
    found = [eye.choice(Action(ActionKind.PASS), eye.look(view.hand, view.melds), KINDS)]
    for option in options:
        rest = after_claim(view.hand, option)
        if rest is None:
            continue
        after = eye.look(rest, (*view.melds, option.meld))
        if option.do is ActionKind.KONG:
            found.append(eye.choice(option, after, KINDS))
        else:
            out = max(sorted(set(rest)), key=lambda kind: float(after.values[kind]))  # used at once
            found.append(eye.choice(option, after, out, out))
    return found
