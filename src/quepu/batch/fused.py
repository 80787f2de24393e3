"""With the extra `fast` (numba): all of a book's conditions in one compiled loop over arrays of planes.

Nothing is said a second time. The conditions are run on symbols (`quepu.compiled`), which gives their whole
expressions; those are written out as one straight line, parts that are alike once, and compiled to machine code that
takes some ten nanoseconds a reading. Compiling takes seconds, so text and code are kept in the user's cache folder,
under a name that follows from the text.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import numpy as np

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


def installed() -> bool:
    """Whether numba is there."""
    return importlib.util.find_spec("numba") is not None


class Fused:
    """The loop: from planes of arrays to int64 arrays."""

    def __init__(self, text: str, planes: list[str], wanted: int) -> None:
        self._text = text
        self._planes = planes
        self._wanted = wanted
        self._run: Any = None

    @property
    def _file(self) -> Path:
        name = hashlib.sha256(self._text.encode()).hexdigest()[:16]
        return _folder() / f"fused_{name}.py"

    @property
    def kept(self) -> bool:
        """Whether it was compiled before, in this process or another."""
        return self._run is not None or any(self._file.parent.glob(f"__pycache__/{self._file.stem}.*.nbi"))

    def load(self) -> None:
        """Compile it now, or take it from where it is kept."""
        if self._run is None:
            self._run = self._load()
            nobody = np.zeros(0, np.int64)
            self._run(*[nobody] * (len(self._planes) + self._wanted))

    def __call__(self, h: Any, n: int) -> list[Array]:
        """The numbers wanted of n readings."""
        self.load()
        columns = [np.ascontiguousarray(np.broadcast_to(getattr(h, name), (n,)), np.int64) for name in self._planes]
        found = [np.empty(n, np.int64) for _ in range(self._wanted)]
        self._run(*columns, *found)
        return found

    def _load(self) -> Any:
        file = self._file
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists() or file.read_text(encoding="utf-8") != self._text:
                mine = file.with_suffix(f".{os.getpid()}.tmp")
                mine.write_text(self._text, encoding="utf-8")
                mine.replace(file)
        except OSError:  # nowhere to keep it: compiled for this process only
            space: dict[str, Any] = {}
            exec(compile(self._text.replace("cache=True", ""), "<fused>", "exec"), space)  # noqa: S102 - written below
            return space["run"]
        spec = importlib.util.spec_from_file_location(file.stem, file)
        if not isinstance(spec, ModuleSpec) or spec.loader is None:
            raise ImportError(str(file))
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module  # numba looks the function's module up by name
        spec.loader.exec_module(module)
        return module.run


def _folder() -> Path:
    if given := os.environ.get("QUEPU_CACHE"):
        return Path(given)
    from platformdirs import user_cache_path

    return Path(user_cache_path("quepu"))


def fused(build: Build) -> Fused | None:
    """The loop for what `build` says; None if something in it cannot be said of symbols."""
    symbols = Symbols()
    try:
        made = [x if isinstance(x, Symbol) else symbols.const(int(x)) for x in build(symbols.planes)]
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return None
    every = nodes(made)
    planes = [x.args[0] for x in every if x.op == "plane"]
    names: dict[Symbol, str] = {}
    lines = [f"        {name}_ = {name}[i]" for name in planes]
    for x in every:
        if x.op == "plane":
            names[x] = f"{x.args[0]}_"
        elif x.op == "const":
            names[x] = f"({_signed(x.args[0])})"
        else:
            names[x] = f"v{len(names)}"
            lines.append(f"        {names[x]} = {_said(x, [names[a] for a in x.args])}")
    results = [f"r{k}" for k in range(len(made))]
    lines += [f"        {result}[i] = {names[x]}" for result, x in zip(results, made, strict=True)]
    text = _HEAD + "@numba.njit(cache=True)\n" + f"def run({', '.join([*planes, *results])}):\n"
    text += f"    for i in range(len({results[0]})):\n" + "\n".join(lines) + "\n"
    return Fused(text, planes, len(made))


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
