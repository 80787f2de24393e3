"""All of a book's conditions in one compiled loop over arrays of planes; the plain twin is `quepu.rules.compiled`.

No rule is written a second time. The conditions are run on symbols (`quepu.rules.symbols`), which gives their whole
expressions; those are rendered as straight-line code, common parts once, and compiled to machine code that takes some
ten nanoseconds a reading. Compiling takes seconds, so text and code are cached in the user's cache folder, under a name
derived from the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled.code_cache import CachedCode
from quepu.hands.planes import Planes
from quepu.rules.symbols import Symbol, Symbols, nodes

Build = Callable[[Planes], Sequence[Any]]
"""From the planes of a reading (symbols) to the numbers wanted of it."""

_WORD = 1 << 64


def instructions(made: Sequence[Symbol], plane: Callable[[str], str] = str) -> tuple[str, list[str]]:
    """Write expressions as one line of `straight`, common parts once; return it, and the names of the results.

    Python alone does not run it. plane: how a plane of this name is written, as a number or as an array and an index.
    """
    every = nodes(made)
    planes = [x for x in every if x.op == "plane"]
    number = {x: at for at, x in enumerate(planes)}
    steps = ["const 0"] if len(planes) == len(every) else []
    for x in every:
        if x.op != "plane":
            number[x] = len(number)
            of = [_sign(x.args[0])] if x.op == "const" else [number[part] for part in x.args]
            steps.append(" ".join(map(str, (x.op, *of))))
    names = [f"r{k}" for k in range(len(made))]
    wanted = " ".join(str(number[x]) for x in made)
    taken = "".join(f", {plane(x.args[0])}" for x in planes)
    return f'{"".join(f"{name}, " for name in names)}= straight("{";".join(steps)}", "{wanted}"{taken})', names


class CompiledConditions:
    """The loop: from planes of arrays to int64 arrays."""

    def __init__(self, made: Sequence[Symbol]) -> None:
        self._planes = [x.args[0] for x in nodes(made) if x.op == "plane"]
        line, found = instructions(made, "{}, i".format)
        self._results = [f"a{k}" for k in range(len(made))]
        lines = [f"for i in range(len({self._results[0]})):", f"    {line}"]
        lines += [f"    {result}[i] = {name}" for result, name in zip(self._results, found, strict=True)]
        head = f"@numba.njit(cache=True)\ndef run({', '.join([*self._planes, *self._results])}):\n"
        self._code = CachedCode("conditions", head + "".join(f"    {line}\n" for line in lines))

    @property
    def compiled(self) -> bool:
        """Whether it was compiled before, in this process or another."""
        return self._code.there

    @property
    def loaded(self) -> bool:
        """Whether this process has it ready."""
        return self._code.loaded and bool(self._code.functions.run.signatures)

    def load(self) -> None:
        """Compile the loop, or load it from the cache."""
        none = np.zeros(0, np.int64)
        self._code.compile("run", *([none] * (len(self._planes) + len(self._results))))

    def __call__(self, h: Any, n: int) -> list[NDArray[np.int64]]:
        """Return the loop's results for n readings (fields of h that are plain ints hold for all)."""
        found = [np.empty(n, np.int64) for _ in self._results]
        self._code.functions.run(*(_column(getattr(h, name), n) for name in self._planes), *found)
        return found


def _column(x: Any, n: int) -> NDArray[np.int64]:
    if isinstance(x, np.ndarray) and x.shape == (n,):
        if x.dtype == np.int64 and x.flags.carray:
            return x
    else:
        x = np.broadcast_to(x, (n,))
    return np.require(x, np.int64, ("C", "A", "W"))


def expressions(build: Build) -> list[Symbol] | None:
    """Return the result of `build` as symbols; None if a part of it cannot be expressed in them."""
    symbols = Symbols()
    try:
        return [x if isinstance(x, Symbol) else symbols.const(int(x)) for x in build(symbols.planes)]
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return None


def _sign(x: int) -> int:
    """Return the number as a signed 64-bit integer."""
    x %= _WORD
    return x - _WORD if x >= _WORD >> 1 else x
