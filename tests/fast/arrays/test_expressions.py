"""What a tape works out on arrays is what the expressions say, whatever the planes hold."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quepu.batch import Engine, from_hands
from quepu.fast.arrays import expressions as module
from quepu.fast.arrays.expressions import Taped, taped
from quepu.fast.weighing.additive import Straight
from quepu.fast.weighing.product import Multiplied
from quepu.fast.weighing.residue import Accreted
from quepu.rulebooks import book
from quepu.rules.symbols import Symbol, Symbols
from quepu.scoring.samples import wins

PLANES = ("t1", "t2", "c1", "p")
OPERATIONS = ("&", "|", "^", "+", "-", "*", "==", "!=", "<", "<=", ">", ">=")


def expression(symbols: Symbols, rnd: random.Random, depth: int) -> Symbol:
    """Some expression of planes and numbers."""
    if not depth or rnd.random() < 0.1:
        name = rnd.choice(PLANES)
        plane: Symbol = getattr(symbols.planes, name)
        return plane if rnd.random() < 0.6 else symbols.const(rnd.choice([0, 1, 2, 5, 0x1FF, 300, 70_000, 1 << 40]))
    a = expression(symbols, rnd, depth - 1)
    how = rnd.random()
    if how < 0.15:
        return a.bit_count()
    if how < 0.2:
        return ~a
    if how < 0.35:
        masks = [1, 3, 0xFF, 0x1FF, 0xFFFF, (1 << 27) - 1, 0x7F << 48, 0x1FF << 16, 3 << 31, 0xFF << 56]
        return a & rnd.choice(masks)
    if how < 0.45:
        return symbols.make(rnd.choice(["<<", ">>"]), a, rnd.randrange(0, 20))
    if how < 0.55:
        return symbols.make(rnd.choice(["==", "!="]), a & 0x7F << 48, rnd.choice([0, 1 << 48, 5 << 48, 1, 1 << 62]))
    return symbols.make(rnd.choice(OPERATIONS), a, expression(symbols, rnd, depth - 1))


def value(x: Symbol, planes: dict[str, int]) -> int:
    """What it says of one reading, as a signed word."""
    if x.op == "plane":
        return planes[x.args[0]]
    if x.op == "const":
        return word(x.args[0])
    parts = [value(part, planes) for part in x.args]
    if x.op == "count":
        return abs(parts[0]).bit_count()  # as numpy counts; conditions count bits of planes
    if x.op == "~":
        return ~parts[0]
    a, b = parts
    by_operation = {
        "&": a & b, "|": a | b, "^": a ^ b, "+": a + b, "-": a - b, "*": a * b, "==": a == b, "!=": a != b, "<": a < b,
        "<=": a <= b, ">": a > b, ">=": a >= b,
    }  # fmt: skip
    return word(int(by_operation[x.op] if x.op in by_operation else a << b if x.op == "<<" else a >> b))


def word(x: int) -> int:
    return (x + (1 << 63)) % (1 << 64) - (1 << 63)


@pytest.mark.parametrize("seed", range(80))
def test_any_expressions(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PART", 16)
    monkeypatch.setattr(module, "_STEP", 4)
    rnd, symbols = random.Random(seed), Symbols()
    made = [expression(symbols, rnd, rnd.randrange(1, 7)) for _ in range(12)]
    n = rnd.choice([1, 5, 16, 37])
    few = [0, 1, (1 << 63) - 1, 0x1FF, 1 << 48]
    columns: dict[str, Any] = {
        name: np.array([rnd.choice([rnd.choice(few), rnd.getrandbits(56), 1 << rnd.randrange(56)]) for _ in range(n)])
        for name in PLANES
    }
    columns["t2"] = rnd.choice([3, columns["t2"]])  # a number may hold for all
    tape = Taped(made)
    for _ in range(2):  # registers are used again
        found = tape(SimpleNamespace(**columns), n)
        for x, whole in zip(made, found, strict=True):
            for i in range(n):
                planes = {name: int(c[i]) if isinstance(c, np.ndarray) else c for name, c in columns.items()}
                assert int(whole[i] if isinstance(whole, np.ndarray) else whole) == value(x, planes), (x.op, i)


def test_no_readings_and_no_expression() -> None:
    symbols = Symbols()
    assert Taped([symbols.planes.t1 & 1])(SimpleNamespace(t1=np.zeros(0, np.int64)), 0)[0].shape == (0,)
    assert taped(lambda h: [1 if h.t1 else 0]) is None  # it branches


@pytest.mark.parametrize("name", ["lingque-26", "guobiao-mcr", "canton", "yuque-54"])
def test_the_same_points(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tape from the first reading on, as with none."""
    hands = from_hands(list(wins(book(name), 3000, seed=28)))
    plain = Engine(book(name)).score(hands, fans=False)
    monkeypatch.setattr(module, "_REPAID", 0)
    engine = Engine(book(name))
    found = engine.score(hands, fans=False)
    part: Any = engine.part
    assert isinstance(part, Straight | Multiplied | Accreted)
    assert part._tape.after(0) is not None
    for one, other in ((plain.valid, found.valid), (plain.points, found.points), (plain.bonus, found.bonus)):
        assert np.array_equal(one, other)
    assert np.array_equal(plain.best, found.best)
