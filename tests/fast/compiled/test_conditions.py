"""The compiled loops say what the rows themselves say (needs numba, the extra `fast`)."""

from __future__ import annotations

import ctypes
import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quepu.fast.compiled.code_cache import FLAGS, CachedCode, MachineCode
from quepu.fast.compiled.conditions import Build, CompiledConditions, expressions
from quepu.fast.universe.classes import U64, Classes
from quepu.fast.universe.compiled_classes import hash_of
from quepu.fast.universe.standard_hands import STATES, Universe
from quepu.fast.weighing.additive import AdditiveWeighing
from quepu.hands.planes import count
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import Symbols
from tests.test_books import BOOKS

pytest.importorskip("numba")


@pytest.fixture(autouse=True)
def _cache_folder(compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))


def compile_conditions(build: Build) -> CompiledConditions:
    made = expressions(build)
    assert made is not None
    return CompiledConditions(made)


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
    loop = compile_conditions(build)
    word = 1 << 64

    for row, (x, y) in enumerate(pairs):
        meant = [
            x & y, x | y, x ^ y, x << 3, x >> 3, x + y, x - y, x * y, x == y, x != y, x < y, x <= y, x > y, x >= y, ~x,
            count(x % word), (x & y) * 3 - (count(y % word) << 1), x, 7, -9,
        ]  # fmt: skip
        found = [int(column[row]) for column in loop(h, len(pairs))]
        assert found == [(int(z) + (word >> 1)) % word - (word >> 1) for z in meant], (x, y)


def test_each_function_of_a_text_is_compiled_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a compilation for one book could trigger that of another book's loop at an unexpected moment."""
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    text = "\n\n".join(f"@numba.njit(cache=True)\ndef {name}(x):\n    return x + 1\n" for name in ("one", "one_more"))
    here, other = CachedCode("test", text), CachedCode("test", text)
    assert not here.compiled("one")
    assert here.functions.one_more(1) == 2
    for code in (here, other):
        assert [code.compiled(name) for name in ("one", "one_more")] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_every_standard_hand_there_is(rules: Rulebook) -> None:
    universe = Universe(STATES["closed-draw"])
    classes = Classes(rules)
    loop = compile_conditions(lambda h: [hash_of(tuple(classes.columns), Symbols(), h)])
    weighing = AdditiveWeighing.of(rules)
    sums = compile_conditions(weighing.count_line) if weighing else None
    seen = 0
    for kind, index in universe.pairs():
        for at in range(0, len(index), 1 << 16):
            some = index[at : at + (1 << 16)]
            h = universe.block(kind, some)
            n = len(some)
            seen += n
            plain = np.broadcast_to(classes.hash(h, classes.columns), (n,))
            assert np.array_equal(loop(h, n)[0].view(U64), plain)
            if weighing and sums:
                slow, line = weighing.weigh(h, n, fans=True), sums(h, n)
                assert np.array_equal(slow.bonus, line[1])
                words = np.stack(line[2 + len(weighing.clans) :], axis=1).astype("<i8")
                counts = words.view(np.uint8)[:, : len(rules.fans)]
                others = {row for clan in weighing.clans for row in clan.rows} | {weighing.when_nothing}
                alone = [row for row in range(len(rules.fans)) if row not in others]
                assert np.array_equal(slow.counts[:, alone], counts[:, alone])
    assert seen == 11_580_567


def test_numbers_beyond_a_byte_and_constants() -> None:
    loop = compile_conditions(lambda h: [h.c1 * 3 + 7, count(h.p) << 2, (h.c1 == 4) * 100, -1, ~h.p & 0xFF])
    h = dataclasses.make_dataclass("H", ["c1", "p"])(np.array([4, 1 << 40]), np.array([0b1011, 0]))
    assert [x.tolist() for x in loop(h, 2)] == [[19, 3 * (1 << 40) + 7], [12, 0], [100, 0], [-1, -1], [0xF4, 0xFF]]


def test_what_branches_is_run_as_it_is() -> None:
    assert expressions(lambda h: [1 if h.c1 else 0]) is None


def test_where_nothing_can_be_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("QUEPU_CACHE", str(blocked / "below"))
    loop = compile_conditions(lambda h: [h.p + 1])
    h = dataclasses.make_dataclass("H", ["p"])(np.array([1, 2]))
    assert loop(h, 2)[0].tolist() == [2, 3]


def test_a_function_is_compiled_once_for_all_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a call names: a number, a byte of an array or a truth. The next process needs the file alone."""
    from numba.core import event

    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    text = f"""
def more(x, y):
    return x * 10 + y


def twice(x, y):
    return more(more(x, y), y)


def go(at, n):
    some = uint8s(at, (2,))
    return twice(more(n, 3), some[1]) + more(n > 4, 0)


more, twice = numba.njit({FLAGS})(more), numba.njit({FLAGS})(twice)
"""
    given, seen = np.array([7, 200], np.uint8), list[str]()

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            seen.append(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None: ...

    made = [MachineCode("test", text, {"go": "int64(int64, int64)"}) for _ in range(2)]
    with event.install_listener("numba:compile", Listener()):
        for code, there in zip(made, (False, True), strict=True):
            assert code.there is there
            found = code.function("go")(given.ctypes.data_as(ctypes.c_void_p), ctypes.c_void_p(5))
            assert found == ((5 * 10 + 3) * 10 + 200) * 10 + 200 + 10
    assert sorted(name for name in seen if name in ("more", "twice")) == ["more", "twice"]
