"""With the extra `fast` (numba): all of a book's conditions in one compiled loop over arrays of planes.

Nothing is said a second time. The conditions are run on symbols (`quepu.compiled`), which gives their whole
expressions; those are written out as one straight line, parts that are alike once, and compiled to machine code that
takes some ten nanoseconds a reading. Compiling takes seconds, so text and code are kept in the user's cache folder,
under a name that follows from the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quepu.batch.kept import Kept
from quepu.compiled import Symbol, Symbols, nodes
from quepu.planes import Planes

Array = Any
Build = Callable[[Planes], Sequence[Any]]
"""From the planes of a reading (symbols) to the numbers wanted of it."""

_HEAD = """import numba
from numba.extending import intrinsic


@intrinsic
def count(_context, x):
    def code(_context, builder, _signature, arguments):
        ask = builder.module.declare_intrinsic("llvm.ctpop", [arguments[0].type])
        return builder.call(ask, arguments)

    return numba.int64(numba.int64), code


"""
_COMPARES = frozenset({"==", "!=", "<", "<=", ">", ">="})
_WORD = 1 << 64


class Loop:
    """A loop over readings that works out some numbers of each and writes them somewhere."""

    def __init__(self, made: Sequence[Symbol], head: Sequence[str], at: str, writes: Sequence[str]) -> None:
        """Write the loop.

        `head` are the arguments before the planes, the first as long as there are readings; `at` is a reading's place
        in the planes, `writes` where each number goes: both may use i, which counts.
        """
        every = nodes(made)
        self._planes = [x.args[0] for x in every if x.op == "plane"]
        lines = [f"for i in range(len({head[0]})):", f"    at = {at}"]
        names: dict[Symbol, str] = {}
        for x in every:
            if x.op == "const":
                names[x] = f"({_signed(x.args[0])})"
                continue
            names[x] = f"v{len(names)}"
            said = f"{x.args[0]}[at]" if x.op == "plane" else _said(x, [names[a] for a in x.args])
            lines.append(f"    {names[x]} = {said}")
        lines += [f"    {where} = {names[x]}" for where, x in zip(writes, made, strict=True)]
        text = f"@numba.njit(cache=True)\ndef run({', '.join([*head, *self._planes])}):\n"
        self._kept = Kept("fused", _HEAD + text + "".join(f"    {line}\n" for line in lines))

    @property
    def kept(self) -> bool:
        """Whether it was compiled before, in this process or another."""
        return self._kept.there

    def run(self, h: Any, n: int, *head: Array) -> None:
        """Go through the planes of n readings (fields that are plain ints hold for all)."""
        self._kept.functions.run(*head, *(_column(getattr(h, name), n) for name in self._planes))


def _column(x: Any, n: int) -> Array:
    if isinstance(x, np.ndarray) and x.shape == (n,):
        if x.dtype == np.int64 and x.flags.carray:
            return x
    else:
        x = np.broadcast_to(x, (n,))
    return np.require(x, np.int64, ("C", "A", "W"))


class Fused(Loop):
    """From planes of arrays to int64 arrays."""

    def __init__(self, made: Sequence[Symbol]) -> None:
        self._results = [f"r{k}" for k in range(len(made))]
        super().__init__(made, self._results, "i", [f"{result}[i]" for result in self._results])

    def load(self) -> None:
        """Compile it now, or take it from where it is kept."""
        self(_Nobody(), 0)

    def __call__(self, h: Any, n: int) -> list[Array]:
        """The numbers wanted of n readings."""
        found = [np.empty(n, np.int64) for _ in self._results]
        self.run(h, n, *found)
        return found


class Tabled(Loop):
    """From planes of arrays to columns of a table of bytes."""

    def __init__(self, made: Sequence[Symbol], columns: Sequence[int]) -> None:
        writes = [f"table[rows[i], {column}]" for column in columns]
        super().__init__(made, ("some", "rows", "table"), "some[i]", writes)

    def load(self) -> None:
        """Compile it now, or take it from where it is kept."""
        nobody = np.zeros(0, np.int64)
        self(_Nobody(), 0, nobody, nobody, np.zeros((0, 1), np.uint8))

    def __call__(self, h: Any, n: int, some: Array, rows: Array, table: Array) -> None:
        """Of n readings, write the numbers of some (int64) into these rows (int64) of a table (uint8, 2-d)."""
        self.run(h, n, some, rows, table)


class _Nobody:
    """No hands."""

    def __getattr__(self, name: str) -> Array:
        return np.zeros(0, np.int64)


def fused(build: Build) -> Fused | None:
    """The loop for what `build` says; None if something in it cannot be said of symbols."""
    made = _said_of_symbols(build)
    return None if made is None else Fused(made)


def tabled(build: Build, columns: Sequence[int]) -> Tabled | None:
    """The same for a table's columns, one for each number."""
    made = _said_of_symbols(build)
    return None if made is None else Tabled(made, columns)


def _said_of_symbols(build: Build) -> list[Symbol] | None:
    symbols = Symbols()
    try:
        return [x if isinstance(x, Symbol) else symbols.const(int(x)) for x in build(symbols.planes)]
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return None


def _said(x: Symbol, parts: list[str]) -> str:
    if x.op == "count":
        return f"count({parts[0]})"
    if x.op == "~":
        return f"~{parts[0]}"
    said = f"{parts[0]} {x.op} {parts[1]}"
    return f"numba.int64({said})" if x.op in _COMPARES else said


def _signed(x: int) -> int:
    """The number as 64 bits hold it."""
    x %= _WORD
    return x - _WORD if x >= _WORD >> 1 else x
