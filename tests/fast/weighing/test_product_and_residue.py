"""Points by figures: fan by fan those of the book's own arithmetic, on arrays and by the kernels."""

from __future__ import annotations

import inspect
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from quepu.batch import Engine, Wins, from_hands
from quepu.fast.arrays.readings import one, read
from quepu.fast.plan import Backend, choose_backend, compile_book
from quepu.fast.weighing import residue_kernel
from quepu.fast.weighing.occurrences import MELDS
from quepu.fast.weighing.product import ProductWeighing, _largest
from quepu.fast.weighing.product_kernel import weigh_products
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.fast.weighing.residue_kernel import PUNGS_AT
from quepu.rulebooks import book, book_ids
from quepu.rulebooks.yuque.arithmetic import YuqueSituation
from quepu.rules.arithmetic import LOWEST
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

MULTIPLYING = [b for b in map(book, book_ids()) if ProductWeighing.of(b)]
ACCRETING = [b for b in map(book, book_ids()) if ResidueWeighing.of(b)]
BOTH = [pytest.param(b, id=b.id) for b in (*MULTIPLYING, *ACCRETING)]
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
    assert all(choose_backend(rules, 1, installed=False) is Backend.ARRAYS for rules in MULTIPLYING)
    assert all(choose_backend(rules, 1, installed=False) is Backend.PLAIN for rules in ACCRETING)


@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in MULTIPLYING])
def test_products_on_arrays(rules: Rulebook) -> None:
    the_same(rules, Engine(rules, Backend.ARRAYS), 3000, 71)


@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in ACCRETING])
def test_residues_hand_by_hand(rules: Rulebook) -> None:
    the_same(rules, Engine(rules, Backend.PLAIN), 300, 71)


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOTH)
def test_by_the_loops(rules: Rulebook, compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))
    assert compile_book(rules)
    for seed in range(10):
        the_same(rules, Engine(rules, Backend.COMPILED), 10_000, 72 + seed)


def uncompiled() -> SimpleNamespace:
    """The kernel as Python runs it."""
    return SimpleNamespace(functions=residue_kernel)


def by_kernel(rules: Rulebook, hands: Wins) -> tuple[list[int], list[list[int]]]:
    """The points and the counts of each reading, by the kernel run as Python runs it."""
    weighing = ProductWeighing.of(rules) or ResidueWeighing.of(rules)
    assert weighing is not None
    found = read(hands, rules.shapes, rules.reads)
    n = len(found.of)
    rows = [weighing.line(one(found.h, i)) for i in range(n)]
    line = np.array(list(zip(*rows, strict=True)), np.int64)
    points, again = np.empty(n, np.int32), np.empty(n, np.int32)
    none, counts = np.zeros((0, len(rules.fans)), np.uint8), np.zeros((n, len(rules.fans)), np.uint8)
    with np.errstate(over="ignore"):  # a hash wraps
        if isinstance(weighing, ProductWeighing):
            weigh_products(line[:-1], line[-1], weighing.figures_of_kernel, points, none)
            weigh_products(line[:-1], line[-1], weighing.figures_of_kernel, again, counts)
        else:
            residue_kernel.weigh_residues(line[:-1], line[-1], weighing.figures_of_kernel, points, none)
            made = weighing.count(line, weighing.tables)
            assert made is not None
            again, counts = made.points, made.counts
    assert np.array_equal(points, again)
    return points.tolist(), counts.tolist()


def both_ways(rules: Rulebook, hands: Wins) -> None:
    found = read(hands, rules.shapes, rules.reads)
    points, counts = by_kernel(rules, hands)
    for i in range(len(found.of)):
        tally = rules.tally(one(found.h, i))
        counted = [0] * len(rules.fans)
        for line in tally.counted:
            counted[line.row] += line.times
        assert (points[i], counts[i]) == (tally.points, counted)


@pytest.mark.parametrize("rules", BOTH)
def test_the_kernels_as_python_runs_them(rules: Rulebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{ResidueWeighing.__module__}.kernel_code", uncompiled)
    both_ways(rules, from_hands(list(wins(rules, 400, 73))))


@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in ACCRETING])
def test_every_two_fans_leave_one_another_the_same_groups(rules: Rulebook, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random hands hold few of all pairs: each is weighed alone, for every number of groups that they can share."""
    monkeypatch.setattr(f"{ResidueWeighing.__module__}.kernel_code", uncompiled)
    weighing = ResidueWeighing.of(rules)
    assert weighing is not None
    held: list[list[tuple[int, int, int, int]]] = []  # of two rows: the row, the word and bit that say so, its groups
    for rows in combinations(weighing.fields, 2):
        choices = [list(enumerate(weighing.masks[kind])) for _, _, _, _, kind in rows]
        by_shared = {(x & y).bit_count(): ((i, x), (j, y)) for (i, x), (j, y) in product(*choices)}
        held += [
            [(row, word, shift + at, groups) for (row, word, shift, _, _), (at, groups) in zip(rows, some, strict=True)]
            for some in by_shared.values()
        ]
    words = np.zeros((1 + max(field[1] for field in weighing.fields), len(held)), np.int64)
    for n, both in enumerate(held):
        for _, word, bit, _ in both:
            words[word, n] |= np.int64(1) << np.int64(bit)
    with np.errstate(over="ignore"):
        made = weighing.count(np.vstack([words, np.full(len(held), MELDS, np.int64)]), weighing.tables)
    assert made is not None
    for n, both in enumerate(held):
        places = tuple(sorted((row, (groups,)) for row, _, _, groups in both))
        tally = rules.arithmetic.combine(rules, YuqueSituation(places, (1 << MELDS) - 1 << PUNGS_AT, False))
        assert made.points[n] == tally.points, [rules.fans[row].name for row, *_ in both]


@pytest.mark.parametrize("rules", WITH_OPTIONS)
def test_residues_with_options(rules: Rulebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{ResidueWeighing.__module__}.kernel_code", uncompiled)
    hands = from_hands(list(wins(rules, 200, 77)))
    found = read(hands, rules.shapes, rules.reads)
    weighing = ResidueWeighing.of(rules)
    if rules.settings.get("order", LOWEST) != LOWEST:
        assert weighing is None  # the kernel looks for the order that adds least, so the plain arithmetic counts these
        return
    assert weighing is not None
    words = weighing.words(found.h, len(found.of))
    points = np.empty(len(found.of), np.int32)
    none = np.zeros((0, len(rules.fans)), np.uint8)
    with np.errstate(over="ignore"):
        residue_kernel.weigh_residues(words[:-1], words[-1], weighing.figures_of_kernel, points, none)
        made = weighing.count(words, weighing.tables)
    assert made is not None
    assert np.array_equal(points, made.points)
    for i in range(len(found.of)):
        assert points[i] == rules.tally(one(found.h, i)).points


def test_readings_with_too_many_rows_of_one_priority_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ACCRETING[0]
    monkeypatch.setattr(residue_kernel, "MOST_ORDERED", 1)
    monkeypatch.setattr(f"{ResidueWeighing.__module__}.kernel_code", uncompiled)
    hands = from_hands(list(wins(rules, 50, 74)))
    found = read(hands, rules.shapes, rules.reads)
    weighing = ResidueWeighing.of(rules)
    assert weighing is not None
    words = weighing.words(found.h, len(found.of))
    with np.errstate(over="ignore"):
        assert weighing.count(words, weighing.tables) is None


def test_totals_are_saved_for_the_next_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    rules = ACCRETING[0]
    found = read(from_hands(list(wins(rules, 80, 76))), rules.shapes, rules.reads)
    n = len(found.of)
    none = np.zeros((0, len(rules.fans)), np.uint8)
    first, then, spoiled = (ResidueWeighing.of(rules) for _ in range(3))
    assert first and then and spoiled
    words, points, again = first.words(found.h, n), np.empty(n, np.int32), np.empty(n, np.int32)
    with np.errstate(over="ignore"):
        residue_kernel.weigh_residues(words[:-1], words[-1], first.figures_of_kernel, points, none)
        first.save_totals(999)
        assert not list(tmp_path.glob("totals-*.npy"))  # too few hands
        first.save_totals(1000)
        (file,) = tmp_path.glob("totals-*.npy")
        assert np.count_nonzero(np.load(file)[:, 0]) > 10
        monkeypatch.setattr(residue_kernel, "order_rows", None)  # nothing is searched for again
        residue_kernel.weigh_residues(words[:-1], words[-1], then.figures_of_kernel, again, none)
    assert np.array_equal(points, again)
    with monkeypatch.context() as changed:
        changed.setattr(inspect, "getsource", lambda _: "another search")
        other = ResidueWeighing.of(rules)
        assert other is not None
        assert not other._totals.any()  # found by a kernel that has been changed since
    file.write_bytes(file.read_bytes()[:1000])
    assert not spoiled._totals.any()


def test_largest_sets_without_a_conflict() -> None:
    rows = [0, 1, 2, 4, 6, 7]
    edges = {(0, 2), (2, 4), (6, 7)}
    conflicts = tuple(sum(1 << b for a, b in (*edges, *((b, a) for a, b in edges)) if a == i) for i in range(8))

    def fits(some: tuple[int, ...]) -> bool:
        return not any(conflicts[a] >> b & 1 for a, b in product(some, some))

    every = [set(some) for n in range(len(rows) + 1) for some in combinations(rows, n) if fits(some)]
    largest = {frozenset(some) for some in every if not any(some < other for other in every)}
    assert set(_largest(rows, conflicts)) == largest
