"""套算一次 as a forest, highest first, against the literal principles searched exhaustively."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

import pytest

from quepu.hands.planes import STANDARD, Planes
from quepu.hands.win import CHOW, PUNG, Group
from quepu.rulebooks import book
from quepu.rulebooks.guobiao.arithmetic import Edge, forest
from quepu.scoring.occurrences import Parts, occurrences, planes_of

BOOK = book("guobiao")
JOINS = [(i, fan) for i, fan in enumerate(BOOK.fans) if fan.joins]
CHOWS = [Group(CHOW, k) for k in range(27) if k % 9 < 7]
PUNGS = [Group(PUNG, k) for k in range(27)]
EMPTY = Planes(*(0,) * 18, STANDARD, *(0,) * 9)


def edges_of(groups: tuple[Group, ...]) -> tuple[Edge, ...]:
    parts = Parts(groups, planes_of(groups, EMPTY))
    return tuple(Edge(fan.value, i, mask) for i, fan in JOINS for mask in occurrences(fan, parts))


@lru_cache(None)
def highest_legal(edges: tuple[Edge, ...]) -> int:
    """The principles word for word, every order tried.

    A combination is made of sets none of which is combined yet, or of exactly one that is and others that are not
    (套算一次, 不拆移); and no set enters the same fan twice (不得相同).
    """

    def most(combined: int, used: frozenset[tuple[int, int]]) -> int:
        best = 0
        for edge in edges:
            before = edge.sets & combined
            if before.bit_count() > 1 or any(row == edge.row and sets & edge.sets for row, sets in used):
                continue
            best = max(best, edge.value + most(combined | edge.sets, used | {(edge.row, edge.sets)}))
        return best

    return most(0, frozenset())


def all_sets() -> Iterator[tuple[Group, ...]]:
    """Every choice of two to four chows, and of two to four pungs, with at most four tiles of a kind."""
    for n in (2, 3, 4):
        for some in combinations_with_replacement(CHOWS, n):
            tiles = [t for group in some for t in group.tiles]
            if all(tiles.count(t) <= 4 for t in set(tiles)):
                yield some
        for some in combinations_with_replacement(PUNGS, n):
            if len(set(some)) == n:
                yield some


def check(groups: tuple[Group, ...], classes: dict[object, object]) -> bool:
    """Whether these sets have any relation; fails if the forest is not the highest legal choice.

    `classes` gathers what the choice comes to by the hits: the arithmetic remembers it by them alone.
    """
    h = planes_of(groups, EMPTY)
    hits = tuple((i, int(n)) for i, fan in JOINS if (n := fan.when(h)))
    edges = edges_of(groups)
    if not edges:
        assert not hits
        return False
    chosen, refused = forest(list(edges))
    assert len(chosen) + len(refused) == len(edges)
    assert sum(edge.value for edge in chosen) == highest_legal(edges), groups
    for i, one in enumerate(chosen):
        for other in chosen[:i]:
            assert one.row != other.row or not one.sets & other.sets, groups  # 不得相同
    outcome = sorted(edge.row for edge in chosen)
    assert classes.setdefault(hits, outcome) == outcome, groups
    return True


def test_a_sample_of_sets() -> None:
    rng = random.Random(3)
    classes: dict[object, object] = {}
    assert sum(check(some, classes) for some in all_sets() if rng.random() < 0.03) > 300


@pytest.mark.slow
def test_every_set_of_sets() -> None:
    related = total = 0
    classes: dict[object, object] = {}
    for some in all_sets():
        total += 1
        related += check(some, classes)
    assert (total, related) == (33_454, 19_843)
    assert len(classes) < 110
