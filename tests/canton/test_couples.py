"""Couples of sets, each set used once: the bit formulas against an exhaustive matching."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import pytest

from quepu.hands.planes import STANDARD, Planes, count, two_suits
from quepu.hands.win import CHOW, PUNG, Group
from quepu.rulebooks.canton import conditions
from quepu.scoring.occurrences import planes_of

CHOW_STARTS = [kind for kind in range(27) if kind % 9 < 7]
EMPTY = Planes(*(0,) * 27)._replace(form=STANDARD)
Related = Callable[[Group, Group], bool]


def most_couples(groups: tuple[Group, ...], related: Related) -> int:
    """The largest number of couples, no group in two of them."""
    if len(groups) < 2:
        return 0
    first, *rest = groups
    best = most_couples(tuple(rest), related)
    for i, other in enumerate(rest):
        if related(first, other):
            best = max(best, 1 + most_couples(tuple(rest[:i] + rest[i + 1 :]), related))
    return best


def old_and_young(a: Group, b: Group) -> bool:
    low, high = sorted((a.tile, b.tile))
    if a.kind != b.kind or low // 9 != high // 9 or low >= 27 or low % 9:
        return False
    return high - low == (6 if a.kind == CHOW else 8)


def same_numbers(kind: int) -> Related:
    return lambda a, b: a.kind == b.kind == kind and a.tile % 9 == b.tile % 9 and a.tile // 9 != b.tile // 9


def six_in_line(a: Group, b: Group) -> bool:
    return a.kind == b.kind == CHOW and a.tile // 9 == b.tile // 9 and abs(a.tile - b.tile) == 3


def neighbours(a: Group, b: Group) -> bool:
    return a.tile // 9 == b.tile // 9 and abs(a.tile - b.tile) == 1


def identical(a: Group, b: Group) -> bool:
    return a.tile == b.tile


@cache
def chow_sets() -> tuple[tuple[Group, ...], ...]:
    """Every four chows that four copies of each tile allow."""
    found = []
    for starts in combinations_with_replacement(CHOW_STARTS, 4):
        tiles = [t + i for t in starts for i in range(3)]
        if all(tiles.count(t) <= 4 for t in set(tiles)):
            found.append(tuple(Group(CHOW, t) for t in starts))
    return tuple(found)


def pung_sets() -> Iterator[tuple[Group, ...]]:
    from itertools import combinations

    for n in (2, 3, 4):
        for kinds in combinations((*range(0, 27, 2), 1, 26), n):
            if len(set(kinds)) == n:
                yield tuple(Group(PUNG, t) for t in kinds)


def planes(groups: tuple[Group, ...]) -> Planes:
    return planes_of(groups, EMPTY)


@pytest.mark.parametrize(
    ("bits", "related"),
    [
        (conditions.old_and_young, old_and_young),
        (conditions.chows_alike, same_numbers(CHOW)),
        (conditions.six_in_line, six_in_line),
    ],
)
def test_couples_equal_the_exhaustive_matching(bits: Callable[[Planes], Any], related: Related) -> None:
    for groups in chow_sets()[::3]:
        assert bits(planes(groups)) == most_couples(groups, related), groups


def test_couples_of_pungs_equal_the_exhaustive_matching() -> None:
    for groups in pung_sets():
        h = planes(groups)
        assert count(two_suits(h.p)) == most_couples(groups, same_numbers(PUNG)), groups
        assert conditions.old_and_young(h) == most_couples(groups, old_and_young), groups


def splits_into(groups: tuple[Group, ...], one: Related, two: Related) -> bool:
    """Whether four groups are a couple of the one kind and a couple of the other."""
    for i in range(1, 4):
        pair, rest = (groups[0], groups[i]), [g for j, g in enumerate(groups) if j not in (0, i)]
        if (one(*pair) and two(*rest)) or (two(*pair) and one(*rest)):
            return True
    return False


def test_single_dragon_and_snakes_equal_the_plain_definition() -> None:
    for groups in chow_sets()[::2]:
        h = planes(groups)
        assert bool(conditions.twin_and_step(h)) == splits_into(groups, identical, neighbours), groups
        assert bool(conditions.two_steps(h)) == splits_into(groups, neighbours, neighbours), groups


@pytest.mark.slow
def test_couples_on_every_set_of_chows() -> None:
    for groups in chow_sets():
        h = planes(groups)
        assert conditions.old_and_young(h) == most_couples(groups, old_and_young)
        assert conditions.chows_alike(h) == most_couples(groups, same_numbers(CHOW))
        assert conditions.six_in_line(h) == most_couples(groups, six_in_line)
        assert bool(conditions.twin_and_step(h)) == splits_into(groups, identical, neighbours)
        assert bool(conditions.two_steps(h)) == splits_into(groups, neighbours, neighbours)
