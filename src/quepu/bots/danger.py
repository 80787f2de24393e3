"""The risk of a discard and the cost of another seat's win, from the open tiles and the book's settlement.

How often a discard was won by another seat, measured over 94,000 looks of `gain` bots at a seat in three books:
it grows with that seat's melds and discards, is lower for ends and honours, nearly zero for tiles that the seat
discarded itself, and zero for tiles it let pass since its last discard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log
from typing import NamedTuple
from weakref import WeakKeyDictionary

from quepu.fast.nearest.payable import Payable
from quepu.fast.nearest.receipts import DRAWN_SHARE
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.table import View
from quepu.tiles import KINDS

_SUITED = (-1.0, -0.22, 0.0, 0.47, 0.47)
"""By the copies of the tile that the discarder does not see, its own counting as seen."""
_HONOUR = (-0.5, -2.0, -1.2, -1.2, -1.2)


class Costs(NamedTuple):
    """The cost of another seat's ordinary win: after discarding the winning tile, and on average otherwise."""

    given: float
    otherwise: float


_COSTS: WeakKeyDictionary[Payable, Costs] = WeakKeyDictionary()  # unused tables are released


def costs(table: Payable) -> Costs:
    """Return costs by the book's settlement of its ordinary hand: the average value of exposed hands that can win."""
    found = _COSTS.get(table)
    if found is None:
        found = _COSTS[table] = _costs(table)
    return found


def _costs(table: Payable) -> Costs:
    book = table.book
    if not book.play:
        return Costs(0.0, 0.0)
    settle = play_rules(book).settle
    points = table.ordinary_points

    def estimate_loss(self_draw: bool, discarder: int | None) -> float:
        paid = settle(Ending((SeatWin(1, points),), self_draw=self_draw, discarder=discarder), book)
        return float(sum(payment.points * ((payment.payer == 2) - (payment.payee == 2)) for payment in paid))

    given, watched, drawn = estimate_loss(False, 2), estimate_loss(False, 3), estimate_loss(True, None)
    return Costs(given, DRAWN_SHARE * drawn + (1 - DRAWN_SHARE) * (given + 2 * watched) / 3)


def risks(view: View, unseen: Sequence[int], kinds: Iterable[int]) -> dict[int, float]:
    """Return, for each of these kinds, the chance that another seat wins on it if this seat discards it now."""
    board = view.board
    safe = {kind: 1.0 for kind in kinds if kind < KINDS}
    for i in (1, 2, 3):
        other = (view.seat + i) & 3
        river = board.rivers[other]
        thrown = len(river)
        seat = -11.5 + 0.39 * len(board.melds[other]) + 3.9 * log(thrown + 1) - 0.193 * thrown
        since = [board.rivers[(other + j) & 3] for j in range(1, 4 - i)]  # who threw after that seat, up to this one
        passed = {later[-1] for later in since if later}
        for kind in safe:
            if kind in passed:
                continue
            rank = kind % 9
            odds = seat + (_HONOUR if kind >= 27 else _SUITED)[unseen[kind]] - (2.4 if kind in river else 0.0)
            if kind < 27 and rank in (0, 8):
                odds -= 0.64
            elif kind < 27 and rank in (1, 7):
                odds -= 0.42
            safe[kind] *= 1 - 1 / (1 + exp(-odds))
    return {kind: 1 - share for kind, share in safe.items()}
