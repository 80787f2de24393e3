"""Bots that know which hands may win: the nearest payable hand, and points weighed against distance.

They ask the lab's table of every standard hand (numpy; some ten seconds to build once for each book, then kept).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from quepu.bots.simple import after_claim
from quepu.hand import Hand, Meld, MeldKind
from quepu.lab.payable import FAR, Look, Payable, rates
from quepu.rulebook import Rulebook
from quepu.table import Action, View
from quepu.tiles import EAST, KINDS

_ASKED: dict[str, Payable] = {}


def payable(book: Rulebook) -> Payable:
    """The table of this book, one for each fingerprint in a process."""
    if book.fingerprint not in _ASKED:
        _ASKED[book.fingerprint] = Payable(book)
    return _ASKED[book.fingerprint]


class StepsBot:
    """Least exact distance to a hand that may win; among equals the discard that leaves most ways."""

    extra = 0
    pace = 1.0
    plain_worth = True
    """Whether every payable hand counts alike."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed).random
        self._ask: Payable

    def begin(self, book: Rulebook, seat: int) -> None:
        """The table of the book, built if it is new."""
        self._ask = payable(book)

    # ---- looking

    def look(self, view: View, concealed: Sequence[int], melds: tuple[Meld, ...]) -> Look:
        """The distance and the values of discards for these tiles at this moment."""
        unseen = np.maximum(4 - np.array(view.seen()), 0)
        turns = max(1.0, view.board.left / 4)
        hand = Hand(tuple(sorted(concealed)), melds, None, EAST + view.seat, EAST + view.board.round)
        return self._ask.look(
            hand, unseen, self.extra, rates(turns, max(8, int(unseen.sum())), self.pace), 3, self.plain_worth
        )

    def better(self, new: Look, value: float, old: Look, old_value: float) -> bool:
        """Whether a claim's outlook beats passing."""
        return new.missing < old.missing

    # ---- acting

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Win; else the dearest discard, claim or kong."""
        if len(options) == 1 or options[0].do == "win":
            return options[0]
        if options[-1].do == "pass":
            return self._claim(view, options)
        flower = next((option for option in options if option.do == "flower"), None)
        if flower is not None:
            return flower
        tiles = [kind for kind in view.tiles if kind < KINDS]
        look = self.look(view, tiles, view.melds)
        kong = self._kong(view, options, look, tiles)
        return kong or self._discard(options, look, view)

    def _discard(self, options: Sequence[Action], look: Look, view: View) -> Action:
        allowed = [option for option in options if option.do == "discard" and not option.ready and option.tile < KINDS]
        if look.missing >= FAR or not look.values.any():
            return self._nothing_left(allowed, view)
        return max(allowed, key=lambda option: (look.values[option.tile], option.drawn))

    def _nothing_left(self, allowed: list[Action], view: View) -> Action:
        """No hand that may win can be reached: keep out of the way with what others have shown most of."""
        seen = view.board.visible()
        return max(allowed, key=lambda option: (seen[option.tile], option.drawn))

    def _claim(self, view: View, options: Sequence[Action]) -> Action:
        now = self.look(view, view.hand, view.melds)
        found, best, worth = options[-1], now, now.total
        for option in options[:-1]:
            rest = after_claim(view.hand, option)
            if rest is None:
                continue
            meld = Meld(MeldKind.CHOW, option.low) if option.do == "chow" else Meld(
                MeldKind.PUNG if option.do == "pung" else MeldKind.KONG, option.tile
            )  # fmt: skip
            after = self.look(view, rest, (*view.melds, meld))
            value = after.total if option.do == "kong" else float(max(after.values[kind] for kind in rest))
            if self.better(after, value, best, worth):
                found, best, worth = option, after, value
        return found

    def _kong(self, view: View, options: Sequence[Action], look: Look, tiles: list[int]) -> Action | None:
        for option in options:
            if option.do == "concealed":
                rest = [kind for kind in tiles if kind != option.tile]
                after = self.look(view, rest, (*view.melds, Meld(MeldKind.CONCEALED_KONG, option.tile)))
            elif option.do == "added":
                rest = list(tiles)
                rest.remove(option.tile)
                after = self.look(view, rest, view.melds)
            else:
                continue
            best = float(max(look.values[kind] for kind in tiles))
            if after.missing <= look.missing and after.total >= 0.9 * best and after.missing < FAR:
                return option
        return None


class GainBot(StepsBot):
    """Points of every payable hand near by, weighed by the chance to get there; claims where that is worth more."""

    extra = 1
    pace = 0.2
    plain_worth = False

    def better(self, new: Look, value: float, old: Look, old_value: float) -> bool:
        """Whether a claim's outlook beats passing."""
        return value > old_value
