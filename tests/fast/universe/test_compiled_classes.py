"""The compiled loops that sort a universe into classes against the same conditions asked on arrays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from quepu.fast.universe import classed, collected, compiled_classes
from quepu.fast.universe.census import classify_by_pair
from quepu.fast.universe.classed import conditions_of
from quepu.fast.universe.classes import Classes, Signatures, signature_parts
from quepu.fast.universe.collected import pairs_loop
from quepu.fast.universe.compiled_classes import classify_compiled, universe_loop
from quepu.fast.universe.special import is_standard, tabulate
from quepu.fast.universe.standard_hands import STATES, Universe, find_shared
from quepu.hands.planes import Planes, count
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


@pytest.mark.parametrize("compiling", [True, False])
@pytest.mark.parametrize("name", ["guobiao-mcr", pytest.param("canton", marks=pytest.mark.slow)])
def test_a_class_of_hands_won_on_their_pair_waits_alike(
    monkeypatch: pytest.MonkeyPatch, name: str, compiling: bool
) -> None:
    """The winning tile is another with every pair, and what else would have won is not the same for equal melds."""
    universe, classes = FewPairs(STATES["single-closed"]), Signatures(signature_parts(book(name)))
    if not compiling:
        monkeypatch.setattr(compiled_classes, "installed", lambda: False)
    for kind, index, found in list(classify_by_pair(classes, universe)):
        hands, examples = universe.block(kind, index), Planes(*classes.planes[found].T)
        for fan in book(name).fans:
            held, meant = (np.broadcast_to(count(fan.when(h)) > 0, index.shape) for h in (hands, examples))
            assert (held == meant).all(), fan.name


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("lingque-29", "closed-draw"),
        pytest.param("canton", "open-discard", marks=pytest.mark.long),
        pytest.param("guobiao-mcr", "single-open", marks=pytest.mark.long),
        pytest.param("guobiao-mcr", "kongs", marks=pytest.mark.slow),
        pytest.param("yuque-54", "pungs-hidden", marks=pytest.mark.slow),
        pytest.param("canton", "single-closed", marks=pytest.mark.slow),
    ],
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
    for chunk in islice(tabulate(SHAPES[shape], range(9, 21)), 3):
        h = chunk.planes(EAST, EAST, 1)
        n = len(chunk.weight)
        assert (classify_compiled(compiled, h, n) == plain.classify(h, n)).all()
        seen += n
    assert seen > 500
    assert compiled.examples == plain.examples
    assert all(isinstance(one, Planes) for one in compiled.examples)


def test_pairs_are_summed_as_they_are_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    name, shape = "guobiao-mcr", "any_pairs"
    monkeypatch.setattr(collected, "_ROOM", 5)
    monkeypatch.setattr(collected, "_MOST_STANDARD", 3)
    plain, compiled, kinds, luck = Classes(book(name)), Classes(book(name)), range(9, 20), 1
    loop = pairs_loop(compiled, SHAPES[shape], EAST, EAST, luck)
    assert loop is not None
    found = loop.count(compiled, SHAPES[shape], EAST, EAST, luck, kinds)
    expected = np.zeros((2, len(compiled), 5, 2), np.int64)
    standard = [np.zeros((4, 0), np.int64)]
    for chunk in tabulate(SHAPES[shape], kinds):
        h = chunk.planes(EAST, EAST, luck)
        numbers = plain.classify(h, len(chunk.weight))
        pungs = np.broadcast_to(count(h.p), numbers.shape)
        both = is_standard(chunk.keys)
        for sums, some in zip(expected, (both | ~both, ~both), strict=True):
            np.add.at(sums, (numbers[some], pungs[some], 0), 1)
            np.add.at(sums, (numbers[some], pungs[some], 1), chunk.weight[some])
        standard.append(chunk.keys[:, both])
    assert set(compiled.examples) == set(plain.examples)
    same = [compiled.examples.index(one) for one in plain.examples]
    for sums, mine in zip(expected, (found.sums, found.alone), strict=True):
        assert (mine[: 5 * len(same)].reshape(-1, 5, 2)[same] == sums).all()
    keys = np.concatenate(standard, axis=1)
    assert set(zip(*keys.tolist(), strict=True)) == set(zip(*found.keys.tolist(), strict=True))
    assert keys.shape == found.keys.shape
    assert keys.size


class SharedMelds(Universe):
    """A universe of some meld sets of hands that are read in several ways."""

    def pairs(self) -> Iterator[tuple[int, np.ndarray]]:
        some = np.zeros(len(self.pungs), np.bool_)
        some[find_shared().melds[:2000]] = True
        for kind, index in super().pairs():
            yield kind, index[some[index]]


@pytest.mark.long
def test_standard_hands_are_summed_as_on_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    universe = SharedMelds(STATES["closed-discard"])
    found = []
    for there in (True, False):
        monkeypatch.setattr(collected, "installed", lambda there=there: there)
        classing = classed._Classing(conditions_of(book("guobiao-mcr")), universe.state)
        classing.signatures = Signatures(signature_parts(book("guobiao-mcr")))  # their loops are compiled above
        found.append(classing.standard(universe, None))
    first, second = found
    assert (first.readings == second.readings).all()
    assert (first.single == second.single).all()
    assert first.single.sum() < first.readings.sum()


def test_conditions_that_are_new_stand_beside_the_loops() -> None:
    root = book("canton")
    universe = FewPairs(STATES["closed-draw"])
    whole, parts = Classes(root), Classes(root)
    parts.first = len(parts.columns) - 30
    assert (numbers(whole, universe) == numbers(parts, universe)).all()
    for chunk in islice(tabulate(SHAPES["pairs"], range(9, 20)), 1):
        h = chunk.planes(EAST, EAST, 1)
        assert (classify_compiled(whole, h, len(chunk.weight)) == classify_compiled(parts, h, len(chunk.weight))).all()
