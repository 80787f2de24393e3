"""Without numba: expressions worked out on arrays by a tape of numpy's calls, each into a register.

Conditions run on symbols (`quepu.rules.symbols`) give whole expressions; from them follow the steps of the tape
(`quepu.fast.arrays.expression_steps`). Registers are used again when nothing needs them any more, so that those of a
part of the readings stay in the processor's cache. `quepu.fast.compiled.conditions` makes a compiled loop of the same
expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from quepu.fast.arrays.expression_steps import DTYPES, SIZES, TapeSteps, Value
from quepu.fast.compiled.conditions import Build, expressions
from quepu.rules.symbols import Symbol

Array = Any
_Call = tuple[Any, list[Any]]
_PART, _STEP = 24_576, 512
"""Readings worked out together, and what divides their number, so that the same registers serve for other readings."""
_REPAID = 1 << 15
"""Readings that repay making a tape, which takes some 0.02 to 0.05 s."""


class _Calls(NamedTuple):
    """The calls for so many readings."""

    calls: list[_Call]
    on_planes: list[tuple[list[Any], int, int]]  # arguments, where a plane is to be put among them, its number
    results: list[Any]  # registers; None: a constant; a number: a plane


class Taped:
    """Some expressions, from planes of arrays to arrays."""

    def __init__(self, made: Sequence[Symbol]) -> None:
        made_of = TapeSteps(made)
        self.results = made_of.results
        self._steps, self._planes = made_of.steps, made_of.planes
        self._sizes: list[int] = []
        self._registers = self._assigned()
        self._ready: dict[int, _Calls] = {}

    def __call__(self, h: Any, n: int) -> list[Any]:
        """The results for n readings: arrays of any type of integers, or the number that holds for all."""
        planes = {
            number: np.asarray(getattr(h, name), np.int64).view(DTYPES[kind])
            for number, (name, kind) in self._planes.items()
        }
        found: list[Any] = [x.low if x.number < 0 else np.empty(n, DTYPES[x.type]) for x in self.results]
        if not n:
            return found
        size = min(n, -(-n // -(-n // _PART) // _STEP) * _STEP)
        ready = self._ready.pop(size, None) or self._calls(size)  # another thread makes registers of its own
        calls, on_planes, results = ready
        for start in range(0, n, size):
            low = min(start, n - size)  # the last part does some once more
            here = {number: x[low : low + size] if x.ndim else x for number, x in planes.items()}
            for arguments, at, plane in on_planes:
                arguments[at] = here[plane]
            for call, arguments in calls:
                call(*arguments)
            for whole, register in zip(found, results, strict=True):
                if register is not None:
                    whole[low : low + size] = here[register] if isinstance(register, int) else register
        self._ready = {size: ready}
        return found

    # ---- registers

    def _assigned(self) -> dict[int, int]:
        """Give each value a register that is free then."""
        holder: dict[int, int] = {}  # whose bytes a value is, where not its own
        last: dict[int, int] = {}  # the step that takes it last
        for at, step in enumerate(self._steps):
            for x in step.of:
                last[holder.get(x.number, x.number)] = at
            if step.call is None:
                holder[step.made.number] = holder.get(step.of[0].number, step.of[0].number)
        for x in self.results:
            last[holder.get(x.number, x.number)] = len(self._steps)
        registers: dict[int, int] = {}
        free: dict[int, list[int]] = {}
        for at, step in enumerate(self._steps):
            made, size = step.made, SIZES[step.made.type]
            if step.call is None:
                registers[made.number] = registers[holder[made.number]]
                continue
            for x in step.of:
                number = holder.get(x.number, x.number)
                if last[number] == at and number in registers:  # numpy may write where it reads, in the same type
                    last[number] = -1
                    free.setdefault(self._sizes[registers[number]], []).append(registers[number])
            if not free.get(size):
                free[size] = [len(self._sizes)]
                self._sizes.append(size)
            registers[made.number] = free[size].pop()
        return registers

    def _calls(self, n: int) -> _Calls:
        """The calls for n readings, with registers of their own."""
        room = [np.empty(n * size, np.uint8) for size in self._sizes]
        values: dict[int, Any] = {number: number for number in self._planes}

        def array(x: Value) -> Any:
            if x.number < 0:
                return np.array(x.low, DTYPES[x.type])
            if x.number not in values:
                values[x.number] = room[self._registers[x.number]].view(DTYPES[x.type])
            return values[x.number]

        found = _Calls([], [], [None if x.number < 0 else array(x) for x in self.results])
        for call, of, made in self._steps:
            if call is None:
                continue
            arguments = [array(made), array(of[0]), "unsafe"] if call is np.copyto else [*map(array, (*of, made))]
            for at, x in enumerate(arguments):
                if isinstance(x, int):
                    found.on_planes.append((arguments, at, x))
            found.calls.append((call, arguments))
        return found


class Tape:
    """The tape for what `build` returns, made when readings enough are asked about to repay it."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._readings = 0
        self._made: Taped | None = None
        self._cannot = False

    def after(self, n: int) -> Taped | None:
        """The tape, now that n more readings are asked about; None as long as it is not made, or if it cannot be."""
        self._readings += n
        if self._made is None and not self._cannot and self._readings >= _REPAID:
            self._made = taped(self._build)
            self._cannot = self._made is None
        return self._made


def taped(build: Build) -> Taped | None:
    """The tape for what `build` returns; None if something in it cannot be expressed in symbols."""
    made = expressions(build)
    return None if made is None else Taped(made)
