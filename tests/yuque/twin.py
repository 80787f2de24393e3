"""A second, slow way to count a hand of 玉雀, written from the seed's text alone: try everything.

Every set of fans that hold, every set of groups each may lie on, with 番刻 and without, every order inside a priority.
Exact fractions, Python's own rounding (half to even). Shares with the product only the rows' conditions, the residues
and who may not stand beside whom.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, groupby, permutations, product

from quepu.hands.win import PUNG, Reading
from quepu.rulebooks.yuque.residues import residue
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.occurrences import Parts, occurrences


def value_of(book: Rulebook, reading: Reading) -> int:
    """The highest total over all choices."""
    parts = Parts(reading.groups, reading.h)
    pungs = sum(1 << i for i, group in enumerate(reading.groups) if group.kind == PUNG)
    held = [(fan, occurrences(fan, parts)) for fan in book.fans if fan.name != "番刻"]
    held = [(fan, masks) for fan, masks in held if masks]
    best = 0
    for n in range(len(held) + 1):
        for chosen in combinations(held, n):
            if any(apart(book, a, b) for (a, _), (b, _) in combinations(chosen, 2)):
                continue
            for masks in product(*(masks for _, masks in chosen)):
                placed = [(fan, mask) for (fan, _), mask in zip(chosen, masks, strict=True)]
                best = max(best, total(placed, False, pungs), total(placed, True, pungs))
    return best


def apart(book: Rulebook, a: Fan, b: Fan) -> bool:
    i, j = book.index[a.name], book.index[b.name]
    return bool((book.drops[i] | book.conflicts[i]) >> j & 1 or (book.drops[j] | book.conflicts[j]) >> i & 1)


def total(placed: list[tuple[Fan, int]], fanke: bool, pungs: int) -> int:
    placed = sorted(placed, key=lambda p: p[0].own(YuqueExtra).priority)
    sum_ = 0
    before: list[tuple[Fan, int]] = []
    for _, level in groupby(placed, key=lambda p: p[0].own(YuqueExtra).priority):
        these = list(level)
        sum_ += min(in_order(order, before, fanke) for order in permutations(these))
        before += these
    serving = 0
    for fan, mask in placed:
        if fan.own(YuqueExtra).serves:
            serving |= mask & pungs
    if fanke:
        if not serving:
            return 0
        sum_ += 2 * serving.bit_count()
    return sum_


def in_order(order: tuple[tuple[Fan, int], ...], before: list[tuple[Fan, int]], fanke: bool) -> int:
    sum_ = 0
    counted = list(before)
    for fan, mask in order:
        value, h = fan.value - (fan.own(YuqueExtra).cut if fanke else 0), fan.own(YuqueExtra).groups
        least = Fraction(1)
        if fan.own(YuqueExtra).priority > 0:
            for a, other in counted:
                if (a.own(YuqueExtra).priority > 0 or fan.name == "门前清") and mask & other:
                    d = residue(a.name, fan.name)
                    if d is not None:
                        least = min(least, Fraction(d, h))
        sum_ += round(least * value) - fan.own(YuqueExtra).off
        counted.append((fan, mask))
    return sum_
