"""Points by figures: fan by fan those of the book's own arithmetic, on arrays and by the loops."""

from __future__ import annotations

import inspect
from itertools import combinations, product
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from quepu.batch import Engine, from_hands
from quepu.fast.universe.classes import one
from quepu.fast.weighing import residue as accreted
from quepu.fast.weighing import residue_kernel as accreting_loop
from quepu.fast.weighing import residue_search as countings
from quepu.fast.weighing import residue_totals as totals
from quepu.fast.weighing.independent_rows import hash_of, parts_of, reordered
from quepu.fast.weighing.product import Multiplied, _largest
from quepu.fast.weighing.residue import Accreted
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

MULTIPLYING = [b for b in map(book, book_ids()) if Multiplied.of(b)]
ACCRETING = [b for b in map(book, book_ids()) if Accreted.of(b)]
WITH_OPTIONS = [
    pytest.param(rules.having(options={option.key: choice}), id=f"{rules.id} {option.key}={choice}")
    for rules in ACCRETING
    for option in rules.options
    for choice in option.choices
]


def the_same(rules: Rulebook, engine: Engine, n: int, seed: int) -> None:
    hands = list(wins(rules, n, seed))
    points = engine.score(from_hands(hands), fans=False).points  # first: what is remembered of it has no fans
    many = engine.score(from_hands(hands))
    assert (many.classes == -1).all()  # not by signatures
    assert np.array_equal(points, many.points)
    for i, hand in enumerate(hands):
        score = score_hand(hand, rules)
        counted = [0] * len(rules.fans)
        for line in score.tally.counted:
            counted[line.row] += line.times
        assert (int(many.points[i]), many.counts[i].tolist()) == (score.points, counted), hand


def test_books_of_both_kinds_are_tested() -> None:
    assert MULTIPLYING
    assert ACCRETING


@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in MULTIPLYING])
def test_products_on_arrays(rules: Rulebook) -> None:
    the_same(rules, Engine(rules), 3000, 71)


@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in ACCRETING])
def test_residues_on_arrays(rules: Rulebook) -> None:
    engine = Engine(rules)
    the_same(rules, engine, 300, 71)
    the_same(rules, engine, 200, 72)  # some signatures were met, others not


@pytest.mark.parametrize("rules", WITH_OPTIONS)
def test_residues_on_arrays_with_options(rules: Rulebook) -> None:
    the_same(rules, Engine(rules), 200, 77)


def test_parts_add_up_to_what_all_rows_add_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(totals, "_FOLDER", tmp_path)  # nothing is shipped
    for rules in ACCRETING:
        part, found = Accreted.of(rules), Engine(rules)._read(from_hands(list(wins(rules, 1000, 78))))
        assert part
        words = part.words(found.h, len(found.of))
        parts = parts_of(words, part.search)
        assert np.bincount(parts.of).max() > 1  # some readings have several
        assert np.array_equal(part.sums_of_words(words), countings.best_countings(words, part.search).totals)


def test_parts_in_another_order_have_the_same_totals() -> None:
    for rules in ACCRETING:
        part, found = Accreted.of(rules), Engine(rules)._read(from_hands(list(wins(rules, 1500, 79))))
        assert part
        parts = parts_of(part.words(found.h, len(found.of)), part.search)
        some = np.unique(parts.marks, return_index=True)[1]
        words, may, serving = parts.words[:, some], parts.may[some], parts.serving[some]
        in_order, serving_then, marks = reordered(words, may, serving, part.search)
        totals_of = np.array(countings.best_totals(words, part.search, serving))
        assert np.array_equal(totals_of, countings.best_totals(in_order, part.search, serving_then))
        _, first, alike = np.unique(marks, return_index=True, return_inverse=True)
        assert len(first) < 0.9 * len(some)
        assert np.array_equal(totals_of, totals_of[:, first[alike]])


def test_a_hash_takes_its_start_and_every_word_for_itself() -> None:
    words = np.array([[48, 0, 0, 0], [0, 48, 0, 5]])
    start = np.array([0, 0, 48, 5])
    assert len(np.unique(hash_of(words, start))) == 4
    assert len(np.unique(hash_of(words[:1], np.array([0, 48, 0, 48])))) == 3


def test_readings_with_too_many_rows_of_one_priority_are_tallied_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ACCRETING[0]
    monkeypatch.setattr(countings, "MOST_ORDERED", 1)
    monkeypatch.setattr(accreted, "_FEW", 0)
    hands = list(wins(rules, 50, 74))
    many = Engine(rules).score(from_hands(hands))
    assert (many.classes >= 0).all()
    assert many.points.tolist() == [score_hand(hand, rules).points for hand in hands]


@pytest.mark.slow
@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in ACCRETING])
def test_residues_on_arrays_of_many_hands(rules: Rulebook) -> None:
    engine = Engine(rules)
    for seed in range(10):
        the_same(rules, engine, 10_000, 75 + seed)


@pytest.fixture
def compiled(compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in (*MULTIPLYING, *ACCRETING)])
def test_by_the_loops(rules: Rulebook) -> None:
    engine = Engine(rules)
    engine.fuse()
    for seed in range(10):
        the_same(rules, engine, 10_000, 72 + seed)


def uncompiled(module: ModuleType, loop: str) -> SimpleNamespace:
    """The loops as Python runs them."""
    assert inspect.isfunction(getattr(module, loop))
    return SimpleNamespace(functions=module)


@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in (*MULTIPLYING, *ACCRETING)])
def test_the_loops_as_python_runs_them(rules: Rulebook, monkeypatch: pytest.MonkeyPatch) -> None:
    tallied = Multiplied.of(rules) or Accreted.of(rules)
    assert tallied is not None
    module = inspect.getmodule(type(tallied))
    monkeypatch.setattr(module, "loops", uncompiled)

    def line(h: object, n: int) -> list[np.ndarray]:
        rows = [tallied.line(one(h, i)) for i in range(n)]
        return [np.array(column, np.int64) for column in zip(*rows, strict=True)]

    tallied.fused = line  # type: ignore[assignment]  # on one reading after another
    engine = Engine(rules)
    engine.tallied = tallied
    with np.errstate(over="ignore"):  # a hash wraps
        the_same(rules, engine, 400, 73)


def test_totals_are_saved_for_the_next_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(accreted, "loops", uncompiled)
    monkeypatch.setattr(totals, "_SAVED_FROM", 1)
    monkeypatch.setattr(totals, "_FOLDER", tmp_path)  # nothing is shipped
    first, then, spoiled = (Accreted.of(ACCRETING[0]) for _ in range(3))
    assert first
    assert then
    assert spoiled
    found = Engine(ACCRETING[0])._read(from_hands(list(wins(ACCRETING[0], 80, 76))))
    words = first.words(found.h, len(found.of))
    with np.errstate(over="ignore"):
        points = first.of_words(words, first.tables, fans=False)
        (file,) = tmp_path.glob("totals-*.npy")
        assert np.count_nonzero(np.load(file)[:, 0]) > 10
        monkeypatch.setattr(accreting_loop, "lowest", None)  # nothing is searched for again
        again = then.of_words(words, then.tables, fans=False)
        assert points
        assert again
        assert np.array_equal(points.points, again.points)
        file.write_bytes(file.read_bytes()[:1000])
        assert not spoiled.totals_found.table.any()


def test_largest_sets_without_a_conflict() -> None:
    rows = [0, 1, 2, 4, 6, 7]
    edges = {(0, 2), (2, 4), (6, 7)}
    conflicts = tuple(sum(1 << b for a, b in (*edges, *((b, a) for a, b in edges)) if a == i) for i in range(8))

    def fits(some: tuple[int, ...]) -> bool:
        return not any(conflicts[a] >> b & 1 for a, b in product(some, some))

    every = [set(some) for n in range(len(rows) + 1) for some in combinations(rows, n) if fits(some)]
    largest = {frozenset(some) for some in every if not any(some < other for other in every)}
    assert set(_largest(rows, conflicts)) == largest
