"""The search for the best counting against trying everything, on random tables that no book has."""

from __future__ import annotations

import random
from itertools import groupby, permutations, product
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.rulebooks.yuque.accretion import Available, ResidueFan, ResidueTables, add_up, count
from quepu.rulebooks.yuque.point_fractions import half_even
from quepu.rules.arithmetic import AS_WRITTEN, HIGHEST, LOWEST

GROUPS = 4


def random_tables(rng: random.Random) -> tuple[Any, list[Available], int]:
    """Tables of a few fans on four groups, where each fan may lie, and which groups are pungs."""
    n = rng.randint(1, 4)
    groups = [rng.randint(1, 3) for _ in range(n)]
    values = [rng.randint(1, 9) for _ in range(n)]
    off, cut = [rng.choice([0, 0, 1, 2]) for _ in range(n)], [rng.choice([0, 0, 1, 3]) for _ in range(n)]
    points = [
        tuple(
            tuple(half_even(max(0, value - less) * kept, h) - minus for kept in range(h + 1))
            for less in (0, with_fanke)
        )
        for value, h, minus, with_fanke in zip(values, groups, off, cut, strict=True)
    ]
    apart = [0] * n
    for i in range(n):
        for j in range(i):
            if rng.random() < 0.25:
                apart[i] |= 1 << j
                apart[j] |= 1 << i
    tables = SimpleNamespace(
        fanke=n,
        fanke_value=rng.choice([0, 1, 2, 5]),
        values=values,
        groups=groups,
        priority=[rng.randint(0, 1) for _ in range(n)],
        serves=[rng.random() < 0.5 for _ in range(n)],
        points=points,
        remaining=[[rng.randint(0, h) if rng.random() < 0.6 else h for h in groups] for _ in range(n)],
        apart=apart,
        order=rng.choice([LOWEST, LOWEST, HIGHEST, AS_WRITTEN]),
    )
    masks = [tuple({rng.randrange(1, 1 << GROUPS) for _ in range(rng.randint(1, 2))}) for _ in range(n)]
    return tables, list(enumerate(masks)), rng.randrange(1 << GROUPS)


def kept(tables: Any, row: int, mask: int, before: list[tuple[int, int]]) -> int:
    """How many of its groups a fan keeps after these."""
    left = [tables.remaining[other][row] for other, theirs in before if theirs & mask]
    return min([tables.groups[row], *left])


def in_order(tables: Any, order: list[tuple[int, int]], before: list[tuple[int, int]], cut: bool) -> int:
    return sum(
        tables.points[row][cut][kept(tables, row, mask, [*before, *order[:i]])] for i, (row, mask) in enumerate(order)
    )


def in_levels(tables: Any, chosen: list[tuple[int, int]], cut: bool) -> int:
    """Level by level, every order tried: what adds least; most, or in the order of the rows, if a house says so."""
    total, before = 0, list[tuple[int, int]]()
    for _, level in groupby(
        sorted(chosen, key=lambda one: tables.priority[one[0]]), lambda one: tables.priority[one[0]]
    ):
        these = list(level)
        orders = [these] if tables.order == AS_WRITTEN else map(list, permutations(these))
        taken = max if tables.order == HIGHEST else min
        total += taken(in_order(tables, order, before, cut) for order in orders)
        before += these
    return total


def everything(tables: Any, available: list[Available], pungs: int) -> list[tuple[Any, ...]]:
    """Every legal counting as its total and what tells equal ones apart, but for fans that add nothing."""
    found = []
    for masks in product(*[(0, *masks) for _, masks in available]):
        chosen = [(row, mask) for row, mask in enumerate(masks) if mask]
        rows = sum(1 << row for row, _ in chosen)
        if any(tables.apart[row] & rows for row, _ in chosen):
            continue
        served = sum({1 << i for row, mask in chosen if tables.serves[row] for i in range(GROUPS) if mask >> i & 1})
        found.append((in_levels(tables, chosen, False), False, len(chosen)))
        if tables.fanke is not None and served & pungs:
            more = tables.fanke_value * (served & pungs).bit_count()
            found.append((in_levels(tables, chosen, True) + more, True, len(chosen)))
    return found


def consistent(tables: Any, lines: tuple[ResidueFan, ...], cut: bool) -> bool:
    """Whether each line keeps what the earlier ones leave, names the fan that leaves it, and adds its points."""
    for i, line in enumerate(lines):
        before = [(one.row, one.mask) for one in lines[:i]]
        assert line.remaining == kept(tables, line.row, line.mask, before)
        assert line.added == tables.points[line.row][cut][line.remaining]
        if line.by is None:
            assert line.remaining == tables.groups[line.row]
        else:
            assert any(one.row == line.by and one.mask & line.mask for one in lines[:i])
            assert tables.remaining[line.by][line.row] == line.remaining
    assert [tables.priority[line.row] for line in lines] == sorted(tables.priority[line.row] for line in lines)
    return True


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_the_search_finds_what_trying_everything_does(seed: int, with_fanke: bool) -> None:
    tables, available, pungs = random_tables(random.Random(seed))
    if not with_fanke:
        tables.fanke = None
    best = count(cast("ResidueTables", tables), available, pungs)
    tried = everything(tables, available, pungs)
    total = max(one[0] for one in tried)
    assert best.total == total
    assert bool(best.fanke) == any(one[:2] == (total, True) for one in tried)
    served = sum({1 << i for x in best.lines if tables.serves[x.row] for i in range(GROUPS) if x.mask >> i & 1})
    assert best.fanke in (0, served & pungs)
    assert consistent(tables, best.lines, bool(best.fanke))
    assert best.total == sum(line.added for line in best.lines) + tables.fanke_value * best.fanke.bit_count()


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_fans_are_added_in_the_lowest_order_level_by_level(seed: int, cut: bool) -> None:
    tables, available, _ = random_tables(random.Random(seed))
    chosen = [(row, masks[0]) for row, masks in available]
    lines = add_up(cast("ResidueTables", tables), chosen, cut)
    assert sorted((line.row, line.mask) for line in lines) == chosen
    assert consistent(tables, lines, cut)
    assert sum(line.added for line in lines) == in_levels(tables, chosen, cut)
