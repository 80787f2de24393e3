"""大师: the chance to win and what it pays, against what a discard may cost, all in points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from quepu.bots.chances import chance, shown, turns
from quepu.bots.danger import Costs, costs, risks
from quepu.bots.payable import GainBot, Sight, Worth
from quepu.hand import Hand, Luck, Meld
from quepu.lab.joining import DRAWN_SHARE
from quepu.lab.lanes import Array
from quepu.lab.payable import FAR, Look, receipt
from quepu.rulebook import Rulebook
from quepu.scoring import best_points
from quepu.suits import KEY
from quepu.table import Action
from quepu.table.ready import LASTING, waits_of
from quepu.tiles import BIT, EAST, KINDS


class MasterBot(GainBot):
    """What a discard, claim or kong leaves: the chance to win (`quepu.bots.chances`) times what the hand pays then,
    less what the discard may give away (`quepu.bots.danger`). A ready hand is scored tile by tile by the book itself,
    so that kongs, concealed pungs, waits and special shapes count for what they are.
    """  # noqa: D205

    exact = True
    careful = 1.0
    ways = 0.77

    def begin(self, book: Rulebook, seat: int) -> None:
        """The table of the book, and what a deal costs."""
        super().begin(book, seat)
        self._book = book
        self._costs: Costs = costs(self._ask)

    # ---- what is looked at besides the table

    def look(self, sight: Sight, concealed: Sequence[int], melds: tuple[Meld, ...]) -> Look:
        """The table's answer, with ready hands scored one by one in place of the table's."""
        look = super().look(sight, concealed, melds)
        if not self.exact or look.missing > 2:
            return look
        return self._scored(look, sight, sorted(concealed), melds)

    def _scored(self, look: Look, sight: Sight, tiles: list[int], melds: tuple[Meld, ...]) -> Look:
        """Level 1 of what each discard leaves, from the waits it leaves."""
        made: dict[int, tuple[float, float]] = {}
        for kind in dict.fromkeys(tiles) if len(tiles) % 3 == 2 else [KINDS]:
            rest = tiles[:]
            if kind < KINDS:
                rest.remove(kind)
            made[kind] = self._waits(sight, rest, melds)
        worth = look.worth
        missing = look.missing
        if missing == 2 and any(ways for ways, _ in made.values()):  # ready after all, by what no table holds
            worth = np.concatenate([np.zeros((1, 2, KINDS + 1)), worth[:-1]])
            missing = 1
        if missing < 2:
            at = 1 - missing
            worth = worth.copy()
            worth[at] = 0.0
            for kind, both in made.items():
                worth[at, :, kind] = both
        return Look(missing, look.values, look.total, look.useful, look.helps, worth)

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
        value = self.outlook(look, sight)
        if not self.careful:
            return [(float(value[kind]),) for kind in kinds]
        risk = risks(sight.view, sight.unseen.tolist())
        given = self._costs.given - self._costs.otherwise
        return [
            (float(value[kind] - self.careful * risk[kind] * (given + value[kind])), float(look.values[kind]))
            for kind in kinds
        ]

    def held(self, look: Look, sight: Sight) -> Worth:
        """What a hand is worth that discards nothing now."""
        return (float(self.outlook(look, sight)[KINDS]),)

    def outlook(self, look: Look, sight: Sight) -> Array:
        """For each discard, and last for none: the chance to win times the receipt and the loss that it saves."""
        value = np.zeros(KINDS + 1)
        if look.missing >= FAR:
            return value
        board = sight.view.board
        unseen, left = int(sight.unseen.sum()), turns(board)
        most = shown(board, sight.view.seat)
        rate = self.rate(sight)
        for n in (1, 0):  # what keeps the nearest hand, last
            missing = look.missing + n
            ratio = rate[missing : missing + 2 - n] / rate[missing]
            ways, gains = np.tensordot(ratio, look.worth[n:], 1)
            p = chance(missing, ways, unseen, left, most, self.ways)
            value = np.where(look.worth[n, 0] > 0, p * (gains / np.maximum(ways, 1e-12) + self._costs.otherwise), value)
        return value

    def _nothing_left(self, sight: Sight, allowed: list[Action]) -> Action:
        """No hand that may win can be reached: the least danger."""
        risk = risks(sight.view, sight.unseen.tolist())
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
