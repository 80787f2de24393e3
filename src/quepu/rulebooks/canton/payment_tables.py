"""Payments of each other player for a win."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from quepu.errors import OverlayError, Text
from quepu.rulebooks.canton.circumstance_bits import EIGHT_FLOWERS, OUTER_DISCARDS, SEVEN_FLOWERS, THREE_KONGS
from quepu.rules.play_rules import SEATS, Ending, Payment, SeatWin
from quepu.rules.rulebook import Rulebook
from quepu.tiles import WINDS_CHINESE, WINDS_ENGLISH

DEALER = 0
_AS_SELF_DRAW = SEVEN_FLOWERS | EIGHT_FLOWERS | OUTER_DISCARDS

DOUBLING = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""辣辣上: 0-10 fan, in halves of the unit of 1 fan."""
HALF_DOUBLING = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128)
"""半辣上: doubling up to 4 fan, then half a step a fan; in halves of the unit of 1 fan."""


HALF_SPICY = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
"""半辣上 past 10, up to 13 fan; in halves of the unit of 1 fan."""
FULL_SPICY = tuple(1 << fan for fan in range(14))
"""辣辣上 past 10, up to 13 fan; in halves of the unit of 1 fan."""
_FIVE_SEVEN_TEN = (1, 4, 8, 16, 32, 64, 64, 128, 128, 128, 256)
"""5, 7, 10: half a unit for no fan, then doubling to 5; in halves of a unit."""
_THRESHOLDS = re.compile(r"\d{1,2}(-\d{1,2})+")
_STEPS_MOST = 20


def _doubles_at(thresholds: Sequence[int]) -> Callable[[int], int]:
    """Return units that double with each fan up to the first threshold, then at each further one."""
    first = thresholds[0]
    return lambda fan: 1 << (min(fan, first) + sum(fan >= step for step in thresholds[1:]))


def _find_step(fan: int, *steps: tuple[int, int]) -> int:
    return next(units for most, units in reversed(steps) if fan >= most)


TABLES: dict[str, Callable[[int], int]] = {
    "linear": lambda fan: fan,
    "doubling": lambda fan: DOUBLING[min(fan, 10)],
    "half_doubling": lambda fan: HALF_DOUBLING[min(fan, 10)],
    "tiers_4_7_10": lambda fan: _find_step(fan, (0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (7, 32), (10, 64)),
    "half_spicy": lambda fan: HALF_SPICY[min(fan, 13)],
    "full_spicy": lambda fan: FULL_SPICY[min(fan, 13)],
    "tiers_5_7_10": lambda fan: _FIVE_SEVEN_TEN[min(fan, 10)],
    "base_3_4_7_10": lambda fan: _find_step(fan, (0, 0), (3, 1), (4, 2), (7, 4), (10, 8)),
}
"""Units by fan. In `linear`, the seed's own ("多算一番 … 多赔一番"), a fan is a unit."""

SHARES = {
    "alone": (1, 1, 0),
    "double": (1, 2, 0),
    "for_three": (1, 3, 0),
    "half": (2, 2, 1),
    "full": (2, 4, 0),
}
"""How many times the units each player pays: all three for a self-draw; the discarder, and the other two, otherwise.

`half` is 半铳, `full` 全铳 (the discarder pays what all would).
"""


_MOST_FAN = 200
_MOST_SHARE = 100
_MOST_UNITS = 100_000
Steps = Sequence[int] | str
"""A table of units: the name of one of the book's, or units for 0 fan, 1 fan and so on, the last for all above."""


def unit_table(table: Steps) -> Callable[[int], int]:
    """Return the units for each number of fan.

    Raises:
        OverlayError: it is none of the book's tables and no list of units.
    """
    if isinstance(table, str):
        if table in TABLES:
            return TABLES[table]
        steps_at = [int(step) for step in table.split("-")] if _THRESHOLDS.fullmatch(table) else []
        if steps_at and steps_at == sorted(set(steps_at)) and steps_at[0] >= 1 and steps_at[-1] <= _STEPS_MOST:
            return _doubles_at(steps_at)
    elif _numbers(table, _MOST_UNITS) and 1 <= len(table) <= _MOST_FAN:
        steps = tuple(table)
        return lambda fan: steps[min(max(fan, 0), len(steps) - 1)]
    listed = ", ".join(TABLES)
    raise OverlayError(
        f"payment 应是书上的一张表（{listed}），或几个门槛如 4-6-8，或各番的单位数 [0 番, 1 番, …]，末一个管以上各番。",
        f"payment must be a table of the book ({listed}), thresholds such as 4-6-8, or units [for 0 fan, 1 fan, …], the "
        "last for all above.",
    )


def share_of(discard: Steps) -> tuple[int, int, int]:
    """Return how many times each pays: all for a self-draw; the discarder, and the other two, otherwise.

    Raises:
        OverlayError: it is none of the book's choices and not three numbers.
    """
    if isinstance(discard, str):
        if discard in SHARES:
            return SHARES[discard]
    elif _numbers(discard, _MOST_SHARE) and len(discard) == 3:
        drawn, by_discarder, by_others = discard
        return drawn, by_discarder, by_others
    listed = ", ".join(SHARES)
    raise OverlayError(
        f"discard 应是书上的一种（{listed}），或三个数 [自摸各家, 出冲者, 另两家] 各付几份。",
        f"discard must be a choice of the book ({listed}), or three numbers of shares: [each for a self-draw, the "
        "discarder, each of the other two].",
    )


_STAKE = re.compile(r"([1-9]\d{0,3})(?:/([1-9]\d{0,3}))?")


def stake_of(stake: object) -> Fraction | None:
    """Return the money that a point is worth; None: not agreed.

    Raises:
        OverlayError: it is neither empty nor a whole number or fraction.
    """
    if stake == "":
        return None
    found = _STAKE.fullmatch(stake) if isinstance(stake, str) else None
    if found is None:
        raise OverlayError(
            "stake 应是一点值多少钱，如 1/4、1/2、2，空的为不说。",
            "stake must be the money that a point is worth, such as 1/4, 1/2 or 2; empty for none.",
        )
    return Fraction(int(found[1]), int(found[2] or 1))


def _numbers(given: object, most: int) -> bool:
    return isinstance(given, (list, tuple)) and all(type(n) is int and 0 <= n <= most for n in given)


def units(book: Rulebook, fan: int) -> int:
    """Return what this many fan cost one payer, by the book's table, cap and base."""
    cap = book.settings["cap"]
    if cap:
        fan = min(fan, int(cap))
    return unit_table(book.settings["payment"])(fan) * int(book.settings["base"])


def dealer_fan(book: Rulebook) -> int:
    """Return the extra fan for the dealer's payments: 庄家, if the book has it."""
    return int(book.fans[book.index["庄家"]].value) if "庄家" in book.index else 0


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """Return who pays whom: all three for a self-draw, else the discarder; with the dealer for one fan more.

    The winner's own fan for being dealer is in `SeatWin.points`. Several winners are paid in turn order, or the highest
    first. 花糊, 八仙过海 and 流局十番 are paid as self-draws; of 三连杠自摸 whoever fed an exposed kong of the three pays
    for all (明杠出冲包自摸). A drawn hand pays nothing.
    """
    wins = ending.winners
    if book.settings.get("winners_order") == "fan":
        wins = tuple(sorted(wins, key=lambda win: -win.points))  # a stable sort: equal fan stay in turn order
    return tuple(payment for win in wins for payment in _flows(ending, win, book))


def _flows(ending: Ending, win: SeatWin, book: Rulebook) -> Iterator[Payment]:
    """Yield the payments to one winner."""
    drawn, by_discarder, by_others = share_of(book.settings["discard"])
    self_draw = _as_self_draw(ending, win)
    way = book.settings.get("bao_discard") or "discarder"
    others_tile = not self_draw and win.liable not in (None, ending.discarder)
    both = others_tile and way == "both"
    payer_of_all = None if others_tile and way != "guarantor" else win.liable
    if self_draw and win.luck & THREE_KONGS and ending.kong_feeder not in (None, win.seat):
        payer_of_all = ending.kong_feeder
    for seat in range(SEATS):
        if seat in ending.seats:  # winners of the same tile do not pay each other
            continue
        share = drawn if self_draw else by_discarder if seat == ending.discarder else by_others
        if both and seat == win.liable:
            share = by_discarder
        more = dealer_fan(book) if seat == DEALER else 0
        owed = units(book, win.points + more) * share
        if owed > 0:
            payer = seat if payer_of_all is None else payer_of_all
            yield Payment(payer, win.seat, owed, _why(ending, win, book, Owed(seat, more, payer, share)))


def _as_self_draw(ending: Ending, win: SeatWin) -> bool:
    return ending.self_draw or bool(win.luck & _AS_SELF_DRAW) or ending.discarder is None


class Owed(NamedTuple):
    """A debt of one seat: the further fan it pays for, who pays it, and how many shares."""

    seat: int
    more: int
    payer: int
    share: int


_TABLE_WORDS = {
    "doubling": Text("辣辣上", "doubling"),
    "half_doubling": Text("半辣上", "half doubling"),
    "tiers_4_7_10": Text("4、7、10 番分级", "in steps at 4, 7, 10"),
    "half_spicy": Text("半辣上", "half-spicy"),
    "full_spicy": Text("辣辣上", "full"),
    "tiers_5_7_10": Text("5、7、10 番分级", "in steps at 5, 7, 10"),
    "base_3_4_7_10": Text("3、4、7、10 番分级", "in steps at 3, 4, 7, 10"),
}


def _why(ending: Ending, win: SeatWin, book: Rulebook, owed: Owed) -> Text:
    """Say why a seat pays this much, with every number needed to check it by hand."""
    seat, more, payer, share = owed
    if _as_self_draw(ending, win):
        zh, en = "自摸", "self-draw"
    elif seat == ending.discarder:
        zh, en = ("被抢", "robbed") if ending.robbed else ("出冲", "discarded it")
    else:
        zh, en = "陪付", "pays along"
    fan = win.points + more
    zh, en = f"{zh}：{fan} 番", f"{en}: {fan} fan"
    if more:
        zh, en = f"{zh}（庄家多赔 {more} 番）", f"{en} ({more} more for the dealer)"
    cap, base, table = int(book.settings["cap"]), int(book.settings["base"]), book.settings["payment"]
    if cap and fan > cap:
        zh, en = f"{zh}，{cap} 番封顶", f"{en}, capped at {cap}"
        fan = cap
    once = unit_table(table)(fan)
    if isinstance(table, str) and table in _TABLE_WORDS:
        words = _TABLE_WORDS[table]
        zh, en = f"{zh}，{words.zh} {once}", f"{en}, {words.en}: {once}"
    factors = [str(once), *([str(base)] if base != 1 else []), *([str(share)] if share != 1 else [])]
    if len(factors) > 1:
        what, what_en = (f"底 {base}", f"base {base}") if base != 1 else ("", "")
        part, part_en = (f"{share} 份", f"{share} shares") if share != 1 else ("", "")
        zh += f"，{'、'.join(word for word in (what, part) if word)}：{'×'.join(factors)}"
        en += f", {', '.join(word for word in (what_en, part_en) if word)}: {'×'.join(factors)}"
    if payer != seat:
        fed = payer != win.liable
        zh = f"{zh}，{'明杠出冲包自摸，' if fed else ''}包{WINDS_CHINESE[seat]}家的一份"
        en = f"{en}, {'having fed the kong, ' if fed else 'liable for the hand, '}pays {WINDS_ENGLISH[seat]}'s share"
    return Text(zh, en)
