"""Bots that aim at hands that may win: the nearest payable hand, and points weighed against distance.

They use the table of every standard hand (numpy; some ten seconds to build once for each book, then cached).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quepu.bots.simple import after_claim, is_plain_discard
from quepu.efficiency.payable import FAR, Look, Payable, rates
from quepu.efficiency.preferences import Preferences
from quepu.enumeration.hand_index import Array
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, View
from quepu.tiles import EAST, KINDS

_TABLES: dict[str, Payable] = {}
_MOST_TABLES = 4


def payable(book: Rulebook) -> Payable:
    """The table of this book, one for each fingerprint in a process; only the books used last are cached."""
    found = _TABLES.pop(book.fingerprint, None) or Payable(book)
    while len(_TABLES) >= _MOST_TABLES:
        del _TABLES[next(iter(_TABLES))]
    _TABLES[book.fingerprint] = found
    return found


Weight = tuple[float, ...]
"""Value of an outlook to a level, compared place by place."""


class Sight(NamedTuple):
    """View of a seat on its turn, with the copies of each kind that it does not see."""

    view: View
    unseen: Array  # int64 [34]

    @classmethod
    def of(cls, view: View) -> Sight:
        """The sight of this view."""
        return cls(view, np.array(view.unseen()))


class StepsBot:
    """Bot for the nearest hand that may win; among equally near discards, the one that leaves most useful tiles."""

    extra = 0
    pace = 1.0
    called = 1.0
    opened = 0.0
    preferences: Preferences | None = None

    def __init__(self, seed: int = 0) -> None:
        self._payable: Payable

    def begin(self, book: Rulebook, seat: int) -> None:
        """The table of the book, built if it is new."""
        self._payable = payable(book)

    # ---- looking

    def look(self, sight: Sight, concealed: Sequence[int], melds: tuple[Meld, ...]) -> Look:
        """The distance and the values of discards for these tiles at this moment."""
        view, unseen = sight
        hand = Hand(tuple(sorted(concealed)), melds, None, EAST + view.seat, EAST + view.board.round)
        rate = self.rate(sight)
        look = self._look(hand, unseen, self.extra, rate)
        if look.missing == 0 and not self.extra:  # complete, but it may not win now: one tile must go
            look = self._look(hand, unseen, 1, rate)
        return look

    def _look(self, hand: Hand, unseen: Array, extra: int, rate: Array) -> Look:
        how = self.called, self.opened, self.preferences
        return self._payable.look(hand, unseen, extra, rate, called=how[0], opened=how[1], preferences=how[2])

    def rate(self, sight: Sight) -> Array:
        """The weight of so many missing tiles at this moment."""
        return rates(max(1.0, sight.view.board.left / 4), max(8, int(sight.unseen.sum())), self.pace)

    def weights_of(self, look: Look, sight: Sight, kinds: Sequence[int]) -> list[Weight]:
        """Weight of each of these discards for this level."""
        copies = look.copies(sight.unseen)
        return [
            (float(look.missing == 0 or look.useful[kind] > 0), float(copies[kind]), float(look.values[kind]))
            for kind in kinds
        ]

    def gained(self, look: Look, weights: Sequence[Weight], now: Look, sight: Sight) -> Weight | None:
        """Rate a hand after a claim, None if passing is better. No weights: a kong, nothing is discarded."""
        near = bool(look.missing) and (not weights or max(weights)[0] > 0)
        missing = look.missing + (not near)
        return (-missing, *max(weights, default=())) if missing < now.missing else None

    def kong_gain(self, after: Look, concealed: bool) -> float:
        """Factor of a hand's value with a kong against its look, which may count the kong as a pung."""
        return 1.0

    # ---- acting

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Win; else the highest-valued discard, claim or kong."""
        if len(options) == 1 or options[0].do is ActionKind.WIN:
            return options[0]
        sight = Sight.of(view)
        if options[-1].do is ActionKind.PASS:
            return self._claim(sight, options)
        flower = next((option for option in options if option.do is ActionKind.FLOWER), None)
        if flower is not None:
            return flower
        tiles = [kind for kind in view.tiles if kind < KINDS]
        look = self.look(sight, tiles, view.melds)
        kong = self._kong(sight, options, look, tiles)
        return kong or self._discard(sight, options, look)

    def _discard(self, sight: Sight, options: Sequence[Action], look: Look) -> Action:
        allowed = [option for option in options if is_plain_discard(option)]
        if look.missing >= FAR or not look.by_discard.any():
            return self._nothing_left(sight, allowed)
        weights = self.weights_of(look, sight, [option.tile_kind for option in allowed])
        return max(zip(weights, allowed, strict=True), key=lambda pair: (pair[0], pair[1].drawn))[1]

    def _nothing_left(self, sight: Sight, allowed: list[Action]) -> Action:
        """The discard others have shown most of, where no hand that may win can be reached."""
        seen = sight.view.board.visible()
        return max(allowed, key=lambda option: (seen[option.tile_kind], option.drawn))

    def _claim(self, sight: Sight, options: Sequence[Action]) -> Action:
        view = sight.view
        now: Look | None = None
        found, best = options[-1], None
        for option in options[:-1]:
            rest = after_claim(view.hand, option)
            if rest is None:
                continue
            if now is None:
                now = self.look(sight, view.hand, view.melds)
            after = self.look(sight, rest, (*view.melds, option.meld))
            weights = [] if option.do is ActionKind.KONG else self.weights_of(after, sight, sorted(set(rest)))
            value = self.gained(after, weights, now, sight)
            if value is not None and (best is None or value > best):
                found, best = option, value
        return found

    def _kong(self, sight: Sight, options: Sequence[Action], look: Look, tiles: list[int]) -> Action | None:
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


class GainBot(StepsBot):
    """Bot that weighs the points of every payable hand near by with the chance to get there, claims included."""

    extra = 1
    pace = 0.2

    def weights_of(self, look: Look, sight: Sight, kinds: Sequence[int]) -> list[Weight]:
        """Weight of each of these discards for this level."""
        return [(float(look.values[kind]),) for kind in kinds]

    def held(self, look: Look, sight: Sight) -> Weight:
        """Weight of a hand that discards nothing now."""
        return (look.total,)

    def gained(self, look: Look, weights: Sequence[Weight], now: Look, sight: Sight) -> Weight | None:
        """Return how good a hand is after a claim, None if passing is better."""
        value = max(weights, default=self.held(look, sight))
        return value if value > self.held(now, sight) else None
