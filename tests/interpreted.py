"""Loops for numba as Python runs them: compiling takes longer than all other quick tests."""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quepu.fast.compiled.code_cache import HEAD, MachineCode
from quepu.tiles import KINDS

OPERATORS = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "~": operator.invert, "count": lambda x: x.bit_count(),
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
FUNCTIONS: list[Callable[..., int]] = []
"""What stands in for code: an address is a place here."""


def levels(counts: Any, row: int) -> list[int]:
    """What the machine instruction gives: the planes of the tiles held at least once … four times."""
    return [sum(1 << kind // 9 * 16 + kind % 9 for kind in range(KINDS) if counts[row, kind] >= n) for n in range(1, 5)]


def straight(steps: str, results: str, *planes: Any) -> list[int]:
    """What the instructions of an expression give, of arrays with an index behind each; 64 bits with a sign."""
    found = [int(array[index]) for array, index in zip(planes[::2], planes[1::2], strict=True)]
    for step in steps.split(";"):
        op, *of = step.split()
        value = int(of[0]) if op == "const" else int(OPERATORS[op](*(found[int(at)] for at in of)))
        found.append((value + (1 << 63)) % (1 << 64) - (1 << 63))
    return [found[int(at)] for at in results.split()]


def array_at(kind: type[Any]) -> Callable[[int, tuple[int, ...]], Any]:
    """What the machine instruction gives: the array at an address."""

    @lru_cache(100_000)
    def array(address: int, shape: tuple[int, ...]) -> Any:
        size = math.prod(map(int, shape))
        if not size:
            return np.zeros(shape, kind)
        there = (np.ctypeslib.as_ctypes_type(kind) * size).from_address(int(address))
        return np.ctypeslib.as_array(there).reshape(shape)

    return array


def put_word(address: int, index: int, number: int) -> None:
    """What the machine instruction does: a word is written so many words behind an address."""
    ctypes.c_int64.from_address(int(address + 8 * index)).value = int(number)


def word(given: Any) -> int:
    """A word as a function is passed it by `ctypes`."""
    if isinstance(given, ctypes.c_void_p):
        return given.value or 0
    if isinstance(given, bytes):
        return ctypes.cast(ctypes.c_char_p(given), ctypes.c_void_p).value or 0
    return given if isinstance(given, int) else 0 if given is None else ctypes.addressof(given)


def interpreted(code: MachineCode) -> None:
    """Run the text of some loops by Python."""
    kinds = {"int64s": np.int64, "int32s": np.int32, "int16s": np.int16, "int8s": np.int8, "truths": np.bool_}
    kinds |= {"uint32s": np.uint32, "uint16s": np.uint16, "uint8s": np.uint8, "float64s": np.float64}
    found: dict[str, Any] = {
        **{name: array_at(kind) for name, kind in kinds.items()},
        "numba": SimpleNamespace(njit=lambda **_: lambda function: function, int64=int),
        "count": lambda x: int(x).bit_count(),
        "call": lambda address, *words: FUNCTIONS[int(address)](*map(int, words)),
        "word_at": lambda address, index: ctypes.c_int64.from_address(int(address + 8 * index)).value,
        "put_word": put_word,
        "byte_at": lambda address, index: ctypes.c_uint8.from_address(int(address + index)).value,
        "levels": levels,
        "straight": straight,
    }
    exec(code.text.replace(HEAD, ""), found)
    for name in code._signatures:
        code._addresses[name] = len(FUNCTIONS)
        FUNCTIONS.append(found[name])


def interpret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Python run all loops that are compiled to machine code."""
    monkeypatch.setattr(MachineCode, "_compile", interpreted)
    monkeypatch.setattr(
        MachineCode, "function", lambda code, name: lambda *given: FUNCTIONS[code.address(name)](*map(word, given))
    )
