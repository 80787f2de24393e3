"""The compiled loops that sort a universe into classes against the same conditions asked on arrays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from quepu.batch.classes import Classes, Signatures
from quepu.enumeration import compiled_classes
from quepu.enumeration.census import classify_by_pair
from quepu.enumeration.compiled_classes import classified, universe_loop
from quepu.enumeration.pairs_and_fours import tabulated
from quepu.enumeration.universe import STATES, Universe
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.shapes import SHAPES
from quepu.tiles import EAST

pytest.importorskip("numba")


class FewPairs(Universe):
    """A universe of every hundredth meld set, with three kinds of pair."""

    def pairs(self) -> Iterator[tuple[int, np.ndarray]]:
        for kind, index in super().pairs():
            if kind in (3, 17, 30):
                yield kind, index[kind % 7 :: 100]


def numbers(classes: Signatures, universe: Universe) -> np.ndarray:
    return np.concatenate([found for _, _, found in classify_by_pair(classes, universe)])


@pytest.mark.parametrize(
    ("name", "state"),
    [("lingque-29", "closed-draw"), ("guobiao-mcr", "kongs"), ("yuque-54", "pungs-hidden"), ("canton", "open-discard")],
)
def test_the_loop_finds_the_classes_that_arrays_do(monkeypatch: pytest.MonkeyPatch, name: str, state: str) -> None:
    universe = FewPairs(STATES[state])
    compiled, plain = Classes(book(name)), Classes(book(name))
    assert universe_loop(compiled, universe) is not None
    first = numbers(compiled, universe)
    with monkeypatch.context() as here:
        here.setattr(compiled_classes, "installed", lambda: False)
        assert universe_loop(plain, universe) is None
        second = numbers(plain, universe)
    assert len(compiled) == len(plain) == len(set(zip(first.tolist(), second.tolist(), strict=True))) > 30
    hashes = compiled.index.hashes[first]
    assert (hashes == plain.index.hashes[second]).all()
    assert (compiled.index.find(hashes) == first).all()
    points = compiled.points[first] == plain.points[second]
    assert points.all()


def test_more_new_classes_than_there_is_room_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    universe = FewPairs(STATES["open-draw"])
    whole, few = Classes(book("canton")), Classes(book("canton"))
    expected = numbers(whole, universe)
    monkeypatch.setattr(compiled_classes, "_ROOM", 7)
    assert (numbers(few, universe) == expected).all()
    assert few.examples == whole.examples


@pytest.mark.parametrize(("name", "shape"), [("guobiao-mcr", "any_pairs"), ("canton", "pairs")])
def test_tabulated_shapes_with_planes_alike_for_all(name: str, shape: str) -> None:
    if shape not in book(name).shapes:
        shape = next(one for one in book(name).shapes if SHAPES[one].made_of or SHAPES[one].fours)
    plain, compiled = Classes(book(name)), Classes(book(name))
    seen = 0
    for chunk in islice(tabulated(SHAPES[shape], range(9, 21)), 3):
        h = chunk.planes(EAST, EAST, 1)
        n = len(chunk.weight)
        assert (classified(compiled, h, n) == plain.classify(h, n)).all()
        seen += n
    assert seen > 500
    assert compiled.examples == plain.examples
    assert all(isinstance(one, Planes) for one in compiled.examples)


def test_conditions_that_are_new_stand_beside_the_loops() -> None:
    root = book("canton")
    universe = FewPairs(STATES["closed-draw"])
    whole, parts = Classes(root), Classes(root)
    parts.first = len(parts.columns) - 30
    assert (numbers(whole, universe) == numbers(parts, universe)).all()
    for chunk in islice(tabulated(SHAPES["pairs"], range(9, 20)), 1):
        h = chunk.planes(EAST, EAST, 1)
        assert (classified(whole, h, len(chunk.weight)) == classified(parts, h, len(chunk.weight))).all()
