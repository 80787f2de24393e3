"""The compiled loops say what the rows themselves say (needs numba, the extra `fast`)."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quepu.batch import Engine, Wins, from_hands, score_many
from quepu.errors import HandError
from quepu.fast import scores as module
from quepu.fast.arrays.readings import Gathered, Readings
from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.compiled.conditions import fused
from quepu.fast.compiled.readings import Walker, chosen
from quepu.fast.engine import choose
from quepu.fast.universe.classes import U64, Classes
from quepu.fast.universe.standard_hands import STATES, Universe
from quepu.fast.weighing.additive import Straight
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.planes import count
from quepu.rulebooks import book
from quepu.rules.arithmetic import Additive
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from quepu.tiles import BIT, KINDS
from tests.fast.arrays.test_readings import EVERY, SHAPES, hands, lucky, near
from tests.fast.arrays.test_readings import same as same_readings
from tests.test_books import BOOKS

pytest.importorskip("numba")


@pytest.fixture(autouse=True)
def _cache_folder(compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))


def same(rules: Rulebook, n: int, seed: int) -> None:
    hands = from_hands(list(wins(rules, n, seed)))
    plain, quick = Engine(rules), Engine(rules)
    quick.fuse()
    a, b = plain.score(hands), quick.score(hands)
    assert quick.part.fused is not None
    assert quick.walker is not None
    for one, other in ((a.valid, b.valid), (a.points, b.points), (a.bonus, b.bonus), (a.counts, b.counts)):
        assert np.array_equal(one, other)
    for name, plane in a.planes().items():
        assert np.array_equal(plane, b.planes()[name]), name


@pytest.mark.long
@pytest.mark.parametrize("name", ["lingque-26", "guobiao-mcr"])  # a book with signatures and one that adds up
def test_the_same_scores(name: str) -> None:
    same(book(name), 1500, 41)


def test_every_operation_is_what_python_does() -> None:
    """Whole expressions, a plane alone, a number alone, and numbers below zero."""

    def build(h: Any) -> list[Any]:
        a, b = h.t1, h.t2
        return [
            a & b, a | b, a ^ b, a << 3, a >> 3, a + b, a - b, a * b, a == b, a != b, a < b, a <= b, a > b, a >= b, ~a,
            count(a), (a & b) * 3 - (count(b) << 1), a, 7, -9,
        ]  # fmt: skip

    values = [-(1 << 40) - 3, -1, 0, 1, 2, 1 << 62]
    pairs = [(x, y) for x in values for y in values]
    h = SimpleNamespace(t1=np.array([x for x, _ in pairs]), t2=np.array([y for _, y in pairs]))
    loop = fused(build)
    assert loop is not None
    word = 1 << 64

    for row, (x, y) in enumerate(pairs):
        meant = [
            x & y, x | y, x ^ y, x << 3, x >> 3, x + y, x - y, x * y, x == y, x != y, x < y, x <= y, x > y, x >= y, ~x,
            count(x % word), (x & y) * 3 - (count(y % word) << 1), x, 7, -9,
        ]  # fmt: skip
        found = [int(column[row]) for column in loop(h, len(pairs))]
        assert found == [(int(z) + (word >> 1)) % word - (word >> 1) for z in meant], (x, y)


def test_each_function_of_a_text_is_compiled_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what was compiled for one book would have another's loop compiled at a moment when nobody waits for it."""
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    text = "import numba\n\n\n" + "\n\n".join(
        f"@numba.njit(cache=True)\ndef {name}(x):\n    return x + 1\n" for name in ("one", "one_more")
    )
    here, other = CachedCode("test", text), CachedCode("test", text)
    assert not here.compiled("one")
    assert here.functions.one_more(1) == 2
    for code in (here, other):
        assert [code.compiled(name) for name in ("one", "one_more")] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_the_same_scores_in_every_book(rules: Rulebook) -> None:
    for seed in range(4):
        same(rules, 50_000, 42 + seed)


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_every_standard_hand_there_is(rules: Rulebook) -> None:
    universe = Universe(STATES["closed-draw"])
    classes = Classes(rules)
    loop = fused(classes.line)
    line = Straight(rules, rules.arithmetic) if isinstance(rules.arithmetic, Additive) else None
    sums = fused(line.line) if line else None
    assert loop is not None
    seen = 0
    for kind, index in universe.pairs():
        for at in range(0, len(index), 1 << 16):
            some = index[at : at + (1 << 16)]
            h = universe.block(kind, some)
            n = len(some)
            seen += n
            plain = np.broadcast_to(classes.hash(h, classes.columns), (n,))
            assert np.array_equal(loop(h, n)[0].view(U64), plain)
            if line and sums:
                line.fused = None
                slow = line.sums(h, n, fans=False)
                line.fused = sums
                quick = line.sums(h, n, fans=False)
                assert np.array_equal(slow.points, quick.points)
                assert np.array_equal(slow.bonus, quick.bonus)
    assert seen == 11_580_567


@pytest.mark.slow
def test_every_standard_hand_there_is_from_its_tiles() -> None:
    """Read, scored and its best reading taken, from counts of tiles and a winning tile at random."""
    rules = book("guobiao-mcr")
    universe = Universe(STATES["closed-draw"])
    plain, quick = Engine(rules), Engine(rules)
    quick.fuse()
    places = np.array([BIT[kind].bit_length() - 1 for kind in range(KINDS)])
    rng = np.random.default_rng(5)
    seen = 0
    for kind, index in universe.pairs():
        for at in range(0, len(index), 1 << 16):
            h = universe.block(kind, index[at : at + (1 << 16)])
            counts = sum(((plane[:, None] >> places & 1).astype(np.uint8) for plane in (h.t1, h.t2, h.t3, h.t4)), 0)
            winning = ((counts > 0) * rng.integers(1, 256, counts.shape, np.uint8)).argmax(axis=1)
            luck = rng.choice(np.array([0, int(Luck.SELF_DRAW)]), len(counts))
            wins = Wins(counts, None, winning, luck=luck)
            seen += wins.n
            a, b = plain.score(wins, fans=False), quick.score(wins.part(0, wins.n), fans=False)
            assert a.valid.all()
            for one, other in ((a.valid, b.valid), (a.points, b.points), (a.bonus, b.bonus)):
                assert np.array_equal(one, other)
            for name, plane in a.planes().items():
                assert np.array_equal(plane, b.planes()[name]), name
    assert seen == 11_580_567


def walked(hands: Wins, shapes: tuple[str, ...], reads: frozenset[str]) -> Readings:
    return Walker(shapes, reads).read(hands)


@pytest.mark.parametrize(
    "reads",
    [EVERY, pytest.param(frozenset({"c1", "p", "pc", "t1"}), marks=pytest.mark.long)],
    ids=["all", "few"],
)
def test_the_same_readings(reads: frozenset[str]) -> None:
    shapes = (*SHAPES, "any_pairs")
    same_readings(hands(400, shapes), shapes, reads, walked)


@pytest.mark.long
def test_the_same_readings_of_shapes_read_on_arrays() -> None:
    shapes = book("canton").shapes
    same_readings(lucky(hands(300, shapes, 2) + near(300, 3), 4), shapes, EVERY, walked)


def test_more_readings_than_room_was_made_for() -> None:
    tiles = (9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 14)
    same_readings([Hand(tiles, (), 12)] * 200, ("standard",), EVERY, walked)


@pytest.mark.parametrize("name", ["guobiao-mcr", pytest.param("lingque-26", marks=pytest.mark.long)])
def test_tiles_that_are_no_hand_have_no_reading(name: str) -> None:
    lost = Hand((0, 0, 3, 3, 9, 12, 18, 21, 24, 27, 28, 29, 30), (), 31)
    five = Hand((0, 0, 0, 3, 3, 3, 9, 9, 9, 33), (Meld(MeldKind.KONG, 33),), 33)
    same_readings([lost, lost._replace(winning=None)], SHAPES, EVERY, walked)
    found = Hand((0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8), (), 0)
    quick = Engine(book(name))
    quick.fuse()
    for engine in (Engine(book(name)), quick):
        settled = engine.score(from_hands([lost, five, found, lost]))
        assert settled.valid.tolist() == [False, False, True, False]
        assert settled.points[2] == score_hand(found, book(name)).points
        assert not settled.counts[[0, 1, 3]].any()
    assert len(quick.score(from_hands([])).points) == 0
    assert not quick.score(from_hands([lost])).valid.any()


def test_more_fours_than_a_hand_has_room_for() -> None:
    every = Wins(np.full((2, KINDS), 4, np.uint8), None, np.zeros(2, np.int64))
    assert not len(walked(every, book("canton").shapes, EVERY).of)


def test_the_best_is_chosen_alike() -> None:
    rng = np.random.default_rng(3)
    n, m = 200, 700
    of, rank = rng.integers(0, n, m), rng.permutation(m)
    points, bonus = (rng.integers(0, 4, m).astype(np.int32) for _ in range(2))
    found = Readings(of, rank, Gathered(None, None, {}))
    assert np.array_equal(choose(n, found, points, bonus), chosen(n, found, points, bonus))


def test_numbers_beyond_a_byte_and_constants() -> None:
    loop = fused(lambda h: [h.c1 * 3 + 7, count(h.p) << 2, (h.c1 == 4) * 100, -1, ~h.p & 0xFF])
    assert loop is not None
    h = dataclasses.make_dataclass("H", ["c1", "p"])(np.array([4, 1 << 40]), np.array([0b1011, 0]))
    assert [x.tolist() for x in loop(h, 2)] == [[19, 3 * (1 << 40) + 7], [12, 0], [100, 0], [-1, -1], [0xF4, 0xFF]]


def test_what_branches_is_run_as_it_is() -> None:
    assert fused(lambda h: [1 if h.c1 else 0]) is None
    rules = book("lingque-26").having(add=[Fan("怪", 1, "", "", lambda h: bool(np.any(h.c1)), "Odd")])
    engine = Engine(rules)
    engine.fuse()
    assert engine.part.fused is None


def test_score_many_takes_it_where_it_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = book("lingque-26").having(minimum=3)  # an engine of its own
    hands = list(wins(rules, 400, 43))
    plain = score_many(hands, rules, fast=False)
    assert module.engine_of(rules).part.fused is None
    quick = score_many(hands, rules, fast=True)
    assert module.engine_of(rules).part.fused is not None
    assert np.array_equal(plain.points, quick.points)
    assert np.array_equal(plain.fans, quick.fans)
    other = book("lingque-26").having(minimum=4)
    monkeypatch.setattr(module, "_LOAD_FROM", 100)
    with monkeypatch.context() as context:
        context.delitem(module.sys.modules, "numba")  # as in a process that would have to import it
        score_many(hands, other)
        assert module.engine_of(other).part.fused is None
    shared = score_many(hands, other, jobs=2, chunk=50)
    assert module.engine_of(other).part.fused is not None  # compiled before: no need to say so
    assert np.array_equal(plain.points, shared.points)


def test_without_numba_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "installed", lambda: False)
    with pytest.raises(HandError, match="quepu\\[fast\\]"):
        score_many([], "lingque-26", fast=True)


def test_where_nothing_can_be_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("QUEPU_CACHE", str(blocked / "below"))
    loop = fused(lambda h: [h.p + 1])
    assert loop is not None
    h = dataclasses.make_dataclass("H", ["p"])(np.array([1, 2]))
    assert loop(h, 2)[0].tolist() == [2, 3]
