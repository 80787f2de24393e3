"""大师: the chance to win and what it pays, against what a discard may cost, all in points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from quepu.bots.chances import chance, shown, turns
from quepu.bots.danger import Costs, costs, risks
from quepu.bots.payable import GainBot, Sight, Worth
from quepu.hand import Hand, Luck, Meld
from quepu.lab.gains import receipt
from quepu.lab.joining import DRAWN_SHARE
from quepu.lab.payable import Look
from quepu.rulebook import Rulebook
from quepu.scoring import best_points
from quepu.suits import KEY
from quepu.table import Action
from quepu.table.ready import LASTING, waits_of
from quepu.tiles import BIT, EAST, KINDS

BENT = 0.6
"""Half the ways cost less than half the wins: others stop a hand as often as the wall does, about two times in five."""


class MasterBot(GainBot):
    """Weighs hands as `gain` does, but sees more of the table.

    A closed hand that will only pay if it stays closed counts less, for claims are how hands get on. A ready hand is
    scored tile by tile by the book itself, so that waits, kongs, concealed pungs and special shapes count for what they
    are. And what a hand is worth, in points, is set against the chance that a discard is won by another and what the
    book then takes for it.
    """

    opened = 0.5
    """Half of them: tells what hands were worth in the end better than none, or as well (`bench/opened.py`)."""

    def begin(self, book: Rulebook, seat: int) -> None:
        """The table of the book, and what a deal costs."""
        super().begin(book, seat)
        self._book = book
        self._costs: Costs = costs(self._ask)
        for double_wind in (False, True):
            self._ask.opened_table(self.opened, double_wind)  # now, not in the first thought of a hand

    # ---- what is looked at besides the table

    def look(self, sight: Sight, concealed: Sequence[int], melds: tuple[Meld, ...]) -> Look:
        """The table's answer, with ready hands scored one by one in place of the table's."""
        look = super().look(sight, concealed, melds)
        return look if look.missing > 2 else self._scored(look, sight, sorted(concealed), melds)

    def _scored(self, look: Look, sight: Sight, tiles: list[int], melds: tuple[Meld, ...]) -> Look:
        """Level 1 of what each discard leaves, from the waits it leaves."""
        made: dict[int, tuple[float, float]] = {}
        for kind in dict.fromkeys(tiles) if len(tiles) % 3 == 2 else [KINDS]:
            rest = tiles[:]
            if kind < KINDS:
                rest.remove(kind)
            made[kind] = self._waits(sight, rest, melds)
        worth = look.worth.copy()  # looks are kept and asked for again
        missing = look.missing
        if missing == 2 and any(ways for ways, _ in made.values()):  # ready after all, by what no table holds
            worth = np.concatenate([np.zeros((1, 2, KINDS + 1)), worth[:-1]])
            missing = 1
        if missing < 2:
            at = 1 - missing
            worth[at] = 0.0
            for kind, both in made.items():
                worth[at, :, kind] = both
            values = self.rate(sight)[missing : missing + len(worth)] @ worth[:, 1]
            look = replace(look, missing=missing, values=values[:KINDS], total=float(values[KINDS]), worth=worth)
        return look

    def _waits(self, sight: Sight, tiles: list[int], melds: tuple[Meld, ...]) -> tuple[float, float]:
        """The copies that win, one that must be drawn counting less; and those times what they pay."""
        view, unseen = sight
        found = waits_of(self._book.shapes)(sum([KEY[k] for k in tiles]), tiles, melds, LASTING)
        if not found:
            return 0.0, 0.0
        open_tiles = view.board.visible()
        ways = gains = 0.0
        for kind in range(KINDS):
            left = int(unseen[kind])
            if not found & BIT[kind] or not left:
                continue
            lies = Luck.FOURTH_TILE if open_tiles[kind] == 3 else Luck.FRESH_TILE if not open_tiles[kind] else Luck(0)
            hand = Hand(tuple(tiles), melds, kind, EAST + view.seat, EAST + view.board.round, int(lies))
            given, drawn = _pays(hand, self._book)
            if given or drawn:
                ways += left * (1.0 if given else DRAWN_SHARE)
                gains += left * ((1 - DRAWN_SHARE) * given + DRAWN_SHARE * drawn)
        return ways, gains

    # ---- weighing

    def worth(self, look: Look, sight: Sight, kinds: Sequence[int]) -> list[Worth]:
        """What each of these discards is worth to this level, in points."""
        best = max(kinds, key=look.values.__getitem__)
        most = float(look.values[best])
        if not most:
            return [(0.0,)] * len(kinds)
        scale = self._in_points(look, sight, best) / most
        risk = risks(sight.view, sight.unseen.tolist(), kinds)
        more = self._costs.given - self._costs.otherwise
        values = [(kind, most * (float(look.values[kind]) / most) ** BENT * scale) for kind in kinds]
        return [(value - risk[kind] * (more + value),) for kind, value in values]

    def gained(self, look: Look, worths: Sequence[Worth], now: Look, sight: Sight) -> Worth | None:
        """How good a hand is after a claim, None if passing is better: dangers of the discard are not weighed here."""
        after = float(look.values.max()) if worths else look.total
        return (after,) if after > now.total else None

    def _in_points(self, look: Look, sight: Sight, kind: int) -> float:
        """What is left after a discard: the chance to win, times what is paid then and the loss that is saved."""
        at = next((n for n in range(len(look.worth)) if look.worth[n, 0, kind] > 0), 0)
        missing = look.missing + at
        ratio = self.rate(sight)[missing : missing + len(look.worth) - at]
        ways, gains = map(float, ratio / ratio[0] @ look.worth[at:, :, kind])
        if not ways:
            return 0.0
        board = sight.view.board
        p = chance(missing, ways, int(sight.unseen.sum()), turns(board), shown(board, sight.view.seat))
        return p * (float(gains / ways) + self._costs.otherwise)

    def _nothing_left(self, sight: Sight, allowed: list[Action]) -> Action:
        """No hand that may win can be reached: the least danger."""
        risk = risks(sight.view, sight.unseen.tolist(), [option.tile for option in allowed])
        return min(allowed, key=lambda option: (risk[option.tile], not option.drawn))


@lru_cache(4096)
def _pays(hand: Hand, book: Rulebook) -> tuple[float, float]:
    """What a win pays by discard and by self-draw; 0 where it may not win."""
    made = []
    for luck in (0, int(Luck.SELF_DRAW)):
        points = best_points(hand._replace(luck=hand.luck | luck), book)
        payable = points is not None and points >= book.minimum
        made.append(max(receipt(book, points or 0, bool(luck)), 0.1) if payable else 0.0)
    return made[0], made[1]
