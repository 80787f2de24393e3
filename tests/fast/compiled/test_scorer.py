"""The loop from tiles to points scores as the books' rows do: run as Python line by line, and compiled."""

from __future__ import annotations

import operator
import sys
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quepu.batch import from_hands, score_many
from quepu.fast import engine as engine_module
from quepu.fast.arrays.hand_arrays import Wins
from quepu.fast.compiled import scorer as chained
from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.compiled.conditions import HEAD
from quepu.fast.compiled.kernels import loops
from quepu.fast.engine import Engine
from quepu.fast.weighing import product as multiplied
from quepu.fast.weighing import residue as accreted
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.rulebooks import book
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.tiles import KINDS
from tests.books import long_but
from tests.fast.arrays.test_readings import near
from tests.test_books import ALL_BOOKS, BOOKS


def levels(counts: Any, row: int) -> list[int]:
    """What the machine instruction gives: the planes of the tiles held at least once … four times."""
    return [sum(1 << kind // 9 * 16 + kind % 9 for kind in range(KINDS) if counts[row, kind] >= n) for n in range(1, 5)]


OPERATORS = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "~": operator.invert, "count": lambda x: x.bit_count(),
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def straight(steps: str, results: str, *planes: Any) -> list[int]:
    """What the instructions of an expression give, of arrays with an index behind each; 64 bits with a sign."""
    found = [int(array[index]) for array, index in zip(planes[::2], planes[1::2], strict=True)]
    for step in steps.split(";"):
        op, *of = step.split()
        value = int(of[0]) if op == "const" else int(OPERATORS[op](*(found[int(at)] for at in of)))
        found.append((value + (1 << 63)) % (1 << 64) - (1 << 63))
    return [found[int(at)] for at in results.split()]


def interpreted(code: CachedCode) -> ModuleType:
    """The text of some loops, run by Python."""
    found = ModuleType(code.module)
    found.__dict__.update(
        numba=SimpleNamespace(njit=lambda **_: lambda function: function, int64=int),
        count=lambda x: int(x).bit_count(),
        levels=levels,
        straight=straight,
    )
    exec(code._text.replace(HEAD, "").replace(chained._LEVELS, ""), found.__dict__)
    sys.modules[code.module] = found
    return found


@pytest.fixture
def line_by_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(CachedCode, "_load", interpreted)
    monkeypatch.setattr(engine_module, "_LEFT_AT_ONCE", 8)
    monkeypatch.setattr(chained, "reading_code", cache(chained.reading_code.__wrapped__))  # of this test alone
    for module in (multiplied, accreted):
        monkeypatch.setattr(module, "loops", cache(loops.__wrapped__))


def the_same(engine: Engine, hands: Wins) -> None:
    plain = Engine(engine.book).score(hands, fans=False)
    for _ in range(2):  # the second time no figure is new
        for one, other in zip(engine.points(hands), (plain.valid, plain.points, plain.bonus), strict=True):
            assert np.array_equal(one, other)


def with_chain(rules: Rulebook) -> Engine:
    engine = Engine(rules)
    engine.chain = chained.Chain.of(rules, engine.part)
    assert engine.chain is not None
    return engine


@pytest.mark.usefixtures("line_by_line")
@pytest.mark.filterwarnings("ignore:overflow")  # a hash wraps
@pytest.mark.parametrize("rules", long_but(ALL_BOOKS, "lingque-29", "guobiao-mcr"))
def test_every_book_as_its_rows_say(rules: Rulebook) -> None:
    engine = with_chain(rules)
    the_same(engine, from_hands(list(wins(rules, 150, 81))))
    lost = Hand((0, 0, 3, 3, 9, 12, 18, 21, 24, 27, 28, 29, 30), (), 31)
    unnamed = Hand((0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8), (), None)
    outside = lost._replace(luck=int(Luck.EIGHT_FLOWERS))
    five = Hand((0, 0, 0, 3, 3, 3, 9, 9, 9, 33), (Meld(MeldKind.KONG, 33),), 33)
    long = Hand((9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 14), (), 12)
    the_same(engine, from_hands([lost, lost._replace(winning=None), unnamed, outside, five, long, *near(25, 3)]))


@pytest.mark.long
@pytest.mark.usefixtures("line_by_line")
def test_more_readings_than_a_block_has_room_for() -> None:
    long = Hand((9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 14), (), 12)
    the_same(with_chain(book("guobiao-mcr")), from_hands([long] * 140))


def test_rows_that_branch_have_no_chain() -> None:
    rules = book("lingque-26").having(add=[Fan("怪", 1, "", "", lambda h: bool(np.any(h.c1)), "Odd")])
    assert chained.Chain.of(rules, Engine(rules).part) is None


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_compiled_in_every_book(rules: Rulebook, compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))
    engine = Engine(rules)
    engine.fuse_points()
    assert engine.chain is not None
    for seed in range(4):
        the_same(engine, from_hands(list(wins(rules, 25_000, 840 + seed))))


@pytest.mark.long
def test_compiled_it_is_what_score_many_takes(compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))
    rules = book("guobiao-mcr").having(minimum=3)  # an engine of its own
    hands = from_hands(list(wins(rules, 1500, 82)))
    columns = {
        "melds": hands.meld_array, "winning": hands.winning, "seat": hands.seat_kind, "round": hands.round_kind,
        "luck": hands.given_luck, "flowers": hands.flowers,
    }  # fmt: skip
    counts = hands.counts.copy()
    plain = score_many(counts, rules, fans=False, reading=False, fast=False, **columns)
    quick = score_many(counts, rules, fans=False, reading=False, fast=True, **columns)
    assert quick == plain
    assert quick.errors == {}
    counts[3] = 5
    columns["winning"] = np.where(np.arange(len(counts)) == 7, (counts[7] == 0).argmax(), hands.winning)
    spoiled = score_many(counts, rules, fans=False, reading=False, fast=True, **columns)
    assert sorted(spoiled.errors) == [3, 7]
    assert np.array_equal(np.flatnonzero(spoiled.points != plain.points), [3, 7])
