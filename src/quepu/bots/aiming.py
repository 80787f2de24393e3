"""Bots that aim at hands that can win: at the nearest, or weighing points against distance.

They look hands up in tables (`payable_bot`, numpy), or score nearby ones on demand: `OnDemandBot`, in plain Python
without tables, for devices, with the same moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from quepu.bots.simple import after_claim, is_plain_discard, without_flower
from quepu.fast.nearest.on_demand import NearLook, PayableOnDemand, payable_on_demand
from quepu.fast.nearest.receipts import FAR, GAIN_PACE, STEPS_PACE, rates_at
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, View
from quepu.tiles import EAST, KINDS

Weight = tuple[float, ...]
"""The value of an outlook to a level, compared element by element."""


class SeatSight(Protocol):
    """The view of a seat on its turn, with the copies of each kind that it does not see."""

    @property
    def view(self) -> View:
        """The view."""

    @property
    def unseen(self) -> Any:
        """The unseen copies of each of 34 kinds."""


class HandLook(Protocol):
    """Hands within reach; see `quepu.fast.nearest.payable.Look`."""

    @property
    def missing(self) -> int:
        """The least missing tiles to a payable hand."""

    @property
    def values(self) -> Any:
        """The value left after each of 34 discards."""

    @property
    def total(self) -> float:
        """The value without a discard."""

    @property
    def useful(self) -> Any:
        """Masks of the useful tiles after each of 34 discards."""

    @property
    def reachable(self) -> bool:
        """Whether any of these hands can still be drawn."""

    def copies(self, unseen: Any) -> Any:
        """Count the unseen copies of these tiles after each of 34 discards."""


S = TypeVar("S", bound=SeatSight)
L = TypeVar("L", bound=HandLook)


class NearestBot(Generic[S, L]):
    """Bot for the nearest hand that can win; among equally near discards, the one that leaves most useful tiles."""

    extra = 0
    """Hands up to this much farther than the nearest are weighed, too."""

    # ---- evaluation

    def sight(self, view: View) -> S:
        """Return the tiles that this seat sees."""
        raise NotImplementedError

    def look(self, sight: S, concealed: Sequence[int], melds: tuple[Meld, ...]) -> L:
        """Return the distance and the values of discards for these tiles at this moment."""
        view = sight.view
        hand = Hand(tuple(sorted(concealed)), melds, None, EAST + view.seat, EAST + view.board.round)
        look = self.look_at(hand, sight, self.extra)
        if look.missing == 0 and not self.extra:  # complete, but it cannot win now: one tile must go
            look = self.look_at(hand, sight, 1)
        return look

    def look_at(self, hand: Hand, sight: S, extra: int) -> L:
        """Return the same for a hand, including hands that are `extra` tiles farther than the nearest."""
        raise NotImplementedError

    def weights_of(self, look: L, sight: S, kinds: Sequence[int]) -> list[Weight]:
        """Return the weight of each of these discards for this level."""
        copies = look.copies(sight.unseen)
        return [
            (float(look.missing == 0 or look.useful[kind] > 0), float(copies[kind]), float(look.values[kind]))
            for kind in kinds
        ]

    def rate_claim(self, look: L, weights: Sequence[Weight], now: L, sight: S) -> Weight | None:
        """Rate a hand after a claim, None if passing is better. Without weights: a kong, which has no discard."""
        near = bool(look.missing) and (not weights or max(weights)[0] > 0)
        missing = look.missing + (not near)
        return (-missing, *max(weights, default=())) if missing < now.missing else None

    def kong_gain(self, after: L, concealed: bool) -> float:
        """Return the factor of a hand's value with a kong, relative to its look, which may count the kong as a pung."""
        return 1.0

    # ---- action

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Win if possible; else take the highest-valued discard, claim or kong."""
        if len(options) == 1 or options[0].do is ActionKind.WIN:
            return options[0]
        if view.has_flower:
            return without_flower(options)
        sight = self.sight(view)
        if options[-1].do is ActionKind.PASS:
            return self._claim(sight, options)
        tiles = [kind for kind in view.tiles if kind < KINDS]
        look = self.look(sight, tiles, view.melds)
        kong = self._kong(sight, options, look, tiles)
        return kong or self._discard(sight, options, look)

    def _discard(self, sight: S, options: Sequence[Action], look: L) -> Action:
        allowed = [option for option in options if is_plain_discard(option)]
        if look.missing >= FAR or not look.reachable:
            return self._nothing_left(sight, allowed)
        weights = self.weights_of(look, sight, [option.tile_kind for option in allowed])
        return max(zip(weights, allowed, strict=True), key=lambda pair: (pair[0], pair[1].drawn))[1]

    def _nothing_left(self, sight: S, allowed: list[Action]) -> Action:
        """Return the discard that others have shown most of, if no winning hand is within reach."""
        seen = sight.view.board.visible()
        return max(allowed, key=lambda option: (seen[option.tile_kind], option.drawn))

    def _claim(self, sight: S, options: Sequence[Action]) -> Action:
        view = sight.view
        now: L | None = None
        found, best = options[-1], None
        for option in options[:-1]:
            rest = after_claim(view.hand, option)
            if rest is None:
                continue
            if now is None:
                now = self.look(sight, view.hand, view.melds)
            after = self.look(sight, rest, (*view.melds, option.meld))
            weights = [] if option.do is ActionKind.KONG else self.weights_of(after, sight, sorted(set(rest)))
            value = self.rate_claim(after, weights, now, sight)
            if value is not None and (best is None or value > best):
                found, best = option, value
        return found

    def _kong(self, sight: S, options: Sequence[Action], look: L, tiles: list[int]) -> Action | None:
        melds = sight.view.melds
        for option in options:
            if option.do is ActionKind.CONCEALED:
                rest = [kind for kind in tiles if kind != option.tile]
                after = self.look(sight, rest, (*melds, Meld(MeldKind.CONCEALED_KONG, option.tile_kind)))
            elif option.do is ActionKind.ADDED:
                rest = list(tiles)
                rest.remove(option.tile_kind)
                after = self.look(sight, rest, melds)
            else:
                continue
            best = float(max(look.values[kind] for kind in tiles))
            weight = after.total * self.kong_gain(after, option.do is ActionKind.CONCEALED)
            if after.missing <= look.missing and weight >= 0.9 * best and after.missing < FAR:
                return option
        return None


class WeighingBot(NearestBot[S, L]):
    """Bot that weighs the points of every payable hand nearby by the chance to get there, claims included."""

    extra = 1

    def weights_of(self, look: L, sight: S, kinds: Sequence[int]) -> list[Weight]:
        """Return the weight of each of these discards for this level."""
        return [(float(look.values[kind]),) for kind in kinds]

    def rate_hand(self, look: L, sight: S) -> Weight:
        """Return the weight of a hand that discards nothing now."""
        return (look.total,)

    def rate_claim(self, look: L, weights: Sequence[Weight], now: L, sight: S) -> Weight | None:
        """Return how good a hand is after a claim, None if passing is better."""
        value = max(weights, default=self.rate_hand(look, sight))
        return value if value > self.rate_hand(now, sight) else None


class PlainSight(NamedTuple):
    """A view and its unseen tiles: `payable_bot.Sight` in plain numbers."""

    view: View
    unseen: list[int]


class OnDemandBot(NearestBot[PlainSight, NearLook]):
    """Bot that finds the payable hands nearby and scores them when it acts."""

    pace: float

    def __init__(self, seed: int = 0) -> None:
        self._payable: PayableOnDemand

    def begin(self, book: Rulebook, seat: int) -> None:
        """Take the book; there is nothing to build."""
        self._payable = payable_on_demand(book)

    def sight(self, view: View) -> PlainSight:
        """Return the view with its unseen tiles."""
        return PlainSight(view, view.unseen())

    def look_at(self, hand: Hand, sight: PlainSight, extra: int) -> NearLook:
        """Return the distance and the values of discards of a hand at this moment."""
        view, unseen = sight
        return self._payable.look(hand, unseen, extra, rates_at(view.board.left, sum(unseen), self.pace))


class StepsOnDemand(OnDemandBot):
    """Bot for the nearest hand that can win."""

    pace = STEPS_PACE


class GainOnDemand(WeighingBot[PlainSight, NearLook], OnDemandBot):
    """Bot that weighs the points of every payable hand nearby by the chance to get there."""

    pace = GAIN_PACE
