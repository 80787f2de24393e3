"""What a win costs each of the others. The seed gives no table; the default and the common ones are in `rulings.md`."""

from __future__ import annotations

from collections.abc import Callable

from quepu.errors import Text
from quepu.play_rules import SEATS, Ending, Payment
from quepu.rulebook import Rulebook
from quepu.rulebooks.canton.luck import EIGHT_FLOWERS, OUTER_DISCARDS, SEVEN_FLOWERS, THREE_KONGS

DEALER = 0
_AS_SELF_DRAW = SEVEN_FLOWERS | EIGHT_FLOWERS | OUTER_DISCARDS

DOUBLING = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""辣辣上: 0-10 fan, in halves of the unit of 1 fan."""
HALF_DOUBLING = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128)
"""半辣上: doubling up to 4 fan, then half a step a fan; in halves of the unit of 1 fan."""


def _stepped(fan: int, *steps: tuple[int, int]) -> int:
    return next(units for most, units in reversed(steps) if fan >= most)


TABLES: dict[str, Callable[[int], int]] = {
    "linear": lambda fan: fan,
    "doubling": lambda fan: DOUBLING[min(fan, 10)],
    "half_doubling": lambda fan: HALF_DOUBLING[min(fan, 10)],
    "tiers_4_7_10": lambda fan: _stepped(fan, (0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (7, 32), (10, 64)),
    "base_3_4_7_10": lambda fan: _stepped(fan, (0, 0), (3, 1), (4, 2), (7, 4), (10, 8)),
}
"""Units by fan. In `linear`, the seed's own ("多算一番 … 多赔一番"), a fan is a unit."""

SHARES = {
    "alone": (1, 1, 0),
    "double": (1, 2, 0),
    "for_three": (1, 3, 0),
    "half": (2, 2, 1),
    "full": (2, 4, 0),
}
"""How many times the units each pays: everyone when self-drawn; the discarder, and the other two, on a discard.

`half` is 半铳, `full` 全铳 (the discarder pays what all would).
"""


def units(book: Rulebook, fan: int) -> int:
    """What so many fan cost one payer once, by the book's table, cap and base."""
    cap = book.settings["cap"]
    if cap:
        fan = min(fan, int(cap))
    return TABLES[book.settings["payment"]](fan) * int(book.settings["base"])


def dealer_fan(book: Rulebook) -> int:
    """What the dealer pays and gets more: 庄家, where the book has it."""
    return int(book.fans[book.index["庄家"]].value) if "庄家" in book.index else 0


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """Who pays whom: self-drawn wins all three, others the discarder; the dealer pays for one fan more.

    The winner's own fan for being dealer is in `ending.points`. 花糊, 八仙过海 and 流局十番 are paid as self-draws;
    of 三连杠自摸 whoever fed an exposed kong of the three pays for all (明杠出冲包自摸). A drawn hand pays nothing.
    """
    winner = ending.winner
    if winner is None:
        return ()
    drawn, by_discarder, by_others = SHARES[book.settings["discard"]]
    self_draw = ending.self_draw or bool(ending.luck & _AS_SELF_DRAW) or ending.discarder is None
    feeder = ending.kong_feeder if self_draw and ending.luck & THREE_KONGS else None
    payments = []
    for seat in range(SEATS):
        if seat == winner:
            continue
        share = drawn if self_draw else by_discarder if seat == ending.discarder else by_others
        more = dealer_fan(book) if seat == DEALER else 0
        owed = units(book, ending.points + more) * share
        if owed > 0:
            payer = seat if feeder is None or feeder == winner else feeder
            payments.append(Payment(payer, winner, owed, _why(ending, self_draw, seat, more, payer)))
    return tuple(payments)


def _why(ending: Ending, self_draw: bool, seat: int, more: int, payer: int) -> Text:
    if self_draw:
        zh, en = "自摸", "self-draw"
    elif seat == ending.discarder:
        zh, en = ("被抢", "robbed") if ending.robbed else ("出冲", "discarded it")
    else:
        zh, en = "陪付", "pays along"
    zh, en = f"{zh}：{ending.points + more} 番", f"{en}: {ending.points + more} fan"
    if more:
        zh, en = f"{zh}（庄家多赔 {more} 番）", f"{en} ({more} more for the dealer)"
    if payer != seat:
        zh, en = f"{zh}，明杠出冲包自摸", f"{en}, paid by whoever fed the kong"
    return Text(zh, en)
