"""灵雀's arithmetic: Σ副 × 翻, where 翻 is the dearest single fan and up to two jumps (复合跳翻, 门清跳翻)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from quepu.errors import Text
from quepu.hand import Luck
from quepu.planes import Condition, Planes
from quepu.rulebook import EACH, Counted, Dropped, Fan, Hits, Rulebook, Tally
from quepu.rulebooks.lingque.row import FuFan
from quepu.rulebooks.lingque.steps import steps

_CLOSED = int(Luck.CLOSED)


class Line(NamedTuple):
    """A row that holds: its number, how often it may count, its value, and whether it is a pung that merges (番牌)."""

    row: int
    times: int
    value: FuFan
    pung: bool = False


class Worth(NamedTuple):
    """A legal counting: points = fu × fan; f0 and f1 are the dearest single 翻 of the two dearest classes."""

    points: int
    fu: int
    fan: int
    f0: int
    f1: int


class FuTimesFan:
    """The best legal counting of what holds in one reading.

    不计 (drops) are compulsory while the stronger fan counts; among 互斥 (conflicts) every choice is tried and the
    dearest taken, the first in the book's order among equals. Source: 二甲 and 二乙 of either edition.
    """

    reads: tuple[str, ...] = ("luck",)
    decides: tuple[Condition, ...] = (lambda h: h.luck & _CLOSED,)  # beside how often each row holds

    def combine(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The tally of one reading; remembered by what may count, so that equal places of tiles meet again."""
        fans = book.fans
        lines = tuple(sorted([line(fans[row], row, n) for row, n in hits]))  # in the book's order
        closed = bool(h.luck & _CLOSED)
        key = (lines, closed)
        found: Tally | None = book.notes.get(key)
        if found is None:
            found = book.notes[key] = best(book, lines, closed)
        return found


def line(fan: Fan, row: int, n: int) -> Line:
    """What a row is worth if it counts; `n` is what its condition returned (for 番牌 2 says pung, 1 says pair)."""
    pair: FuFan | None = fan.extra.get("pair")
    if pair is not None:
        return Line(row, 1, fan.value, True) if n == 2 else Line(row, 1, pair)
    times = n.bit_count() if fan.of == EACH else n
    return Line(row, min(times, fan.most), fan.value)


def best(book: Rulebook, lines: tuple[Line, ...], closed: bool) -> Tally:
    """The dearest legal counting of these lines."""
    top = Worth(-1, 0, 0, 0, 0)
    taken: tuple[Line, ...] = ()
    for chosen in choices(book, lines):
        counted = tuple(x for x in lines if chosen >> x.row & 1)
        worth = weigh(book, counted, closed)
        if worth.points > top.points:
            top, taken = worth, counted
    return Tally(
        top.points,
        {"fu": top.fu, "fan": top.fan},
        tuple(Counted(x.row, x.times, x.value._asdict()) for x in taken),
        _left_out(book, lines, taken),
        Text(f"{top.fu} 副 {top.fan} 翻 {top.points} 点", f"{top.fu} fu × {top.fan} fan = {top.points} points"),
        steps(book, taken, top, closed),
    )


# ---- which fans count


def choices(book: Rulebook, lines: tuple[Line, ...]) -> list[int]:
    """Every legal set of rows to count, as masks over row numbers: larger choices first, then the book's order."""
    drops, conflicts = book.drops, book.conflicts
    rows = [x.row for x in lines]
    held = sum(1 << row for row in rows)
    contested = [row for row in rows if conflicts[row] & held]
    if not contested:
        return [settled(drops, rows, held)]
    free = held & ~sum(1 << row for row in contested)
    found: dict[int, None] = {}
    for size in range(len(contested), -1, -1):
        for some in combinations(contested, size):
            mask = sum(1 << row for row in some)
            if any(conflicts[row] & mask for row in some):
                continue
            counted = settled(drops, rows, free | mask)
            # a fan may stay out only because of one that counts
            dropped = _dropped_by(drops, rows, counted)
            if all(mask >> row & 1 or conflicts[row] & counted or dropped >> row & 1 for row in contested):
                found[counted] = None
    return list(found)


def settled(drops: tuple[int, ...], rows: list[int], held: int) -> int:
    """What is left when every fan that counts has kept out what it drops; a fan that is out keeps nothing out."""
    counted = held
    for _ in rows:
        left = held & ~_dropped_by(drops, rows, counted)
        if left == counted:
            break
        counted = left
    return counted


def _dropped_by(drops: tuple[int, ...], rows: list[int], counted: int) -> int:
    out = 0
    for row in rows:
        if counted >> row & 1:
            out |= drops[row]
    return out


def _left_out(book: Rulebook, lines: tuple[Line, ...], taken: tuple[Line, ...]) -> tuple[Dropped, ...]:
    counted = {x.row for x in taken}
    out = []
    for x in lines:
        if x.row in counted:
            continue
        by = next((y.row for y in taken if book.drops[y.row] >> x.row & 1), None)
        if by is not None:
            out.append(Dropped(x.row, by, _dropped(book.fans[by], book.fans[x.row])))
        else:
            by = next((y.row for y in taken if book.conflicts[y.row] >> x.row & 1), None)
            out.append(Dropped(x.row, by, _chosen(book.fans[by]) if by is not None else Text("不计", "not counted")))
    return tuple(out)


def _dropped(by: Fan, fan: Fan) -> Text:
    if fan.name in by.extra.get("implied", ()):
        return Text(
            f"{by.name}必然满足{fan.name}，按“充分条件”的通则不计",
            f"{by.english} always holds it: left out by the general sentence about implied fans",
        )
    return Text(f"{by.name}不计{fan.name}", f"the book leaves it out beside {by.english}")


def _chosen(by: Fan) -> Text:
    return Text(f"与{by.name}互斥，择其一计", f"excludes {by.english}: only one of them counts")


# ---- what they are worth


def weigh(book: Rulebook, counted: tuple[Line, ...], closed: bool) -> Worth:
    """Σ副 × (f0 + [f1² > 2 f0] + [closed]); 番牌 are one fan of as many 翻 as they have pungs (二乙)."""
    fu = 0
    classes: dict[str, int] = {}
    merged = 0
    for row, times, (one, single), pung in counted:
        fu += one * times
        merged += pung
        category = book.fans[row].category
        classes[category] = max(classes.get(category, 0), single, merged * pung)
    f0, f1 = two_dearest(classes)
    fan = f0 + (f1 * f1 > 2 * f0) + closed
    return Worth(fu * fan, fu, fan, f0, f1)


def two_dearest(classes: Mapping[str, int]) -> tuple[int, int]:
    """The dearest single 翻 of the dearest class and of the next: equal where two classes tie."""
    f0 = f1 = 0
    for fan in classes.values():
        if fan > f0:
            f0, f1 = fan, f0
        elif fan > f1:
            f1 = fan
    return f0, f1
