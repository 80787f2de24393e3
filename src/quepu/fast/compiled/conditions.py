"""With the extra `fast` (numba): all of a book's conditions in one compiled loop over arrays of planes.

No rule is written a second time. The conditions are run on symbols (`quepu.rules.symbols`), which gives their whole
expressions; those are rendered as straight-line code, common parts once, and compiled to machine code that takes some
ten nanoseconds a reading. Compiling takes seconds, so text and code are cached in the user's cache folder, under a name
derived from the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quepu.fast.compiled.code_cache import CachedCode
from quepu.hands.planes import Planes
from quepu.rules.symbols import Symbol, Symbols, nodes

Array = Any
Build = Callable[[Planes], Sequence[Any]]
"""From the planes of a reading (symbols) to the numbers wanted of it."""

_OWN = Path(__file__).with_name("machine_code.py").read_text(encoding="utf-8")
HEAD = f"import numba\n{_OWN.partition('from __future__ import annotations')[2]}\n\n"
_COMPARES = frozenset({"==", "!=", "<", "<=", ">", ">="})
_WORD = 1 << 64


def written(made: Sequence[Symbol], plane: Callable[[str], str] = str) -> tuple[list[str], list[str]]:
    """Expressions as straight-line code, common parts once: its lines, and the names of the results.

    plane: what stands there for a plane of this name.
    """
    names: dict[Symbol, str] = {}
    lines = []
    for x in nodes(made):
        if x.op == "const":
            names[x] = f"({_signed(x.args[0])})"
            continue
        names[x] = f"v{len(names)}"
        text = plane(x.args[0]) if x.op == "plane" else _expression(x, [names[a] for a in x.args])
        lines.append(f"{names[x]} = {text}")
    return lines, [names[x] for x in made]


def instructions(made: Sequence[Symbol], plane: Callable[[str], str] = str) -> tuple[str, list[str]]:
    """As `written`, as one line that numba compiles in half the time and Python alone does not run.

    plane: what stands there for a plane of this name, a number or an array and an index.
    """
    every = nodes(made)
    planes = [x for x in every if x.op == "plane"]
    number = {x: at for at, x in enumerate(planes)}
    steps = ["const 0"] if len(planes) == len(every) else []
    for x in every:
        if x.op != "plane":
            number[x] = len(number)
            of = [_signed(x.args[0])] if x.op == "const" else [number[part] for part in x.args]
            steps.append(" ".join(map(str, (x.op, *of))))
    names = [f"r{k}" for k in range(len(made))]
    wanted = " ".join(str(number[x]) for x in made)
    taken = "".join(f", {plane(x.args[0])}" for x in planes)
    return f'{"".join(f"{name}, " for name in names)}= straight("{";".join(steps)}", "{wanted}"{taken})', names


class Fused:
    """The loop: from planes of arrays to int64 arrays."""

    def __init__(self, made: Sequence[Symbol]) -> None:
        self._planes = [x.args[0] for x in nodes(made) if x.op == "plane"]
        line, found = instructions(made, "{}, i".format)
        self._results = [f"a{k}" for k in range(len(made))]
        lines = [f"for i in range(len({self._results[0]})):", f"    {line}"]
        lines += [f"    {result}[i] = {name}" for result, name in zip(self._results, found, strict=True)]
        head = f"@numba.njit(cache=True)\ndef run({', '.join([*self._planes, *self._results])}):\n"
        self._code = CachedCode("fused", HEAD + head + "".join(f"    {line}\n" for line in lines))

    @property
    def compiled(self) -> bool:
        """Whether it was compiled before, in this process or another."""
        return self._code.there

    def load(self) -> None:
        """Compile it now, or load it from the cache."""
        self(NO_HANDS, 0)

    def __call__(self, h: Any, n: int) -> list[Array]:
        """The loop's results for n readings (fields of h that are plain ints hold for all)."""
        found = [np.empty(n, np.int64) for _ in self._results]
        self._code.functions.run(*(_column(getattr(h, name), n) for name in self._planes), *found)
        return found


def _column(x: Any, n: int) -> Array:
    if isinstance(x, np.ndarray) and x.shape == (n,):
        if x.dtype == np.int64 and x.flags.carray:
            return x
    else:
        x = np.broadcast_to(x, (n,))
    return np.require(x, np.int64, ("C", "A", "W"))


class _NoHands:
    """Planes of no hands."""

    def __getattr__(self, name: str) -> Array:
        return np.zeros(0, np.int64)


NO_HANDS = _NoHands()


def fused(build: Build) -> Fused | None:
    """The loop for what `build` returns; None if something in it cannot be expressed in symbols."""
    made = expressions(build)
    return Fused(made) if made else None


def expressions(build: Build) -> list[Symbol] | None:
    """Symbols for what `build` returns; None if something in it cannot be expressed in them."""
    symbols = Symbols()
    try:
        return [x if isinstance(x, Symbol) else symbols.const(int(x)) for x in build(symbols.planes)]
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return None


def _expression(x: Symbol, parts: list[str]) -> str:
    if x.op == "count":
        return f"count({parts[0]})"
    if x.op == "~":
        return f"~{parts[0]}"
    text = f"{parts[0]} {x.op} {parts[1]}"
    return f"numba.int64({text})" if x.op in _COMPARES else text


def _signed(x: int) -> int:
    """The number as a signed 64-bit integer."""
    x %= _WORD
    return x - _WORD if x >= _WORD >> 1 else x
