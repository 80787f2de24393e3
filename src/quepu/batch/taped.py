"""Without numba: expressions worked out on arrays, common parts once and each in the narrowest type that holds it.

Conditions run on symbols (`quepu.rules.symbols`) give whole expressions; from them follow the steps of a tape, each one
call of numpy into a register. The planes may be any number; from the constants follows what values a step can have:
truths and counts take a byte, and what can only be one number takes no step. Registers are used again when nothing
needs them any more, so that those of a part of the readings stay in the processor's cache. `quepu.batch.fused` makes a
compiled loop of the same expressions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from quepu.batch.fused import Build, expressions
from quepu.rules.symbols import Symbol, nodes

Array = Any
_Type = np.dtype[Any]
_Call = tuple[Any, tuple[Any, ...]]
_TRUTH, _BYTE, _SHORT, _INT, _WORD = (np.dtype(x) for x in ("?", "u1", "i2", "i4", "i8"))
_TYPES = ((_TRUTH, 0, 1), (_BYTE, 0, 255), (_SHORT, -(1 << 15), (1 << 15) - 1), (_INT, -(1 << 31), (1 << 31) - 1))
_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_LOGIC: dict[str, Any] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip
_BINARY: dict[str, Any] = {
    "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor, "<<": np.left_shift, ">>": np.right_shift,
    "+": np.add, "-": np.subtract, "*": np.multiply, **_LOGIC,
}  # fmt: skip
_EITHER_WAY = frozenset({"&", "|", "^", "+", "*", "==", "!="})
_OF_TRUTHS = _EITHER_WAY - {"+"}
_OFTEN = 3
"""Uses that repay making a word that holds a small number a narrow one."""
_PART, _STEP = 24_576, 512
"""Readings worked out together, and what divides their number, so that the same registers serve for other readings."""
_REPAID = 1 << 15
"""Readings after which a tape is made: that takes as long as it saves in some 100,000."""


class _Value(NamedTuple):
    """The result of a step, or a constant (then `low` and `high` are that)."""

    number: int  # -1: a constant
    type: _Type
    low: int
    high: int

    @property
    def constant(self) -> int | None:
        return self.low if self.number < 0 else None


class _Step(NamedTuple):
    """A call of numpy, the values it takes, the one it makes; None: the same bytes are taken for another type."""

    call: Any
    of: tuple[_Value, ...]
    made: _Value


class _Calls(NamedTuple):
    """The calls for so many readings."""

    calls: list[_Call]
    on_planes: list[tuple[int, _Call]]  # which of them take planes, and their numbers where those are to be put
    results: list[Any]  # registers; None: a constant; a number: a plane


class Taped:
    """Some expressions, from planes of arrays to arrays."""

    def __init__(self, made: Sequence[Symbol]) -> None:
        self._values = 0
        self._steps: list[_Step] = []
        self._met: dict[Any, _Value] = {}
        self._planes: dict[int, str] = {}
        every = nodes(made)
        uses = Counter(part for x in every for part in x.args if isinstance(part, Symbol))
        of: dict[Symbol, _Value] = {}
        for x in every:
            value = self._of(x, [of[part] for part in x.args if isinstance(part, Symbol)])
            if value.type == _WORD and value.constant is None and uses[x] >= _OFTEN:
                value = self._as(value, max(_BYTE, _narrowest(value.low, value.high), key=_size))
            of[x] = value
        self.results = [of[x] for x in made]
        self._sizes: list[int] = []
        self._registers = self._assigned()
        self._ready: dict[int, _Calls] = {}

    def __call__(self, h: Any, n: int) -> list[Any]:
        """The results for n readings: arrays of any type of integers, or the number that holds for all."""
        planes = {number: np.asarray(getattr(h, name), np.int64) for number, name in self._planes.items()}
        found: list[Any] = [x.low if x.number < 0 else np.empty(n, x.type) for x in self.results]
        if not n:
            return found
        size = min(n, -(-n // -(-n // _PART) // _STEP) * _STEP)
        ready = self._ready.pop(size, None) or self._calls(size)  # another thread makes registers of its own
        calls, on_planes, results = ready
        for start in range(0, n, size):
            low = min(start, n - size)  # the last part does some once more
            here = {number: x[low : low + size] if x.ndim else x for number, x in planes.items()}
            for at, (call, arguments) in on_planes:
                calls[at] = call, tuple(here[x] if isinstance(x, int) else x for x in arguments)
            for call, arguments in calls:
                call(*arguments)
            for whole, register in zip(found, results, strict=True):
                if register is not None:
                    whole[low : low + size] = here[register] if isinstance(register, int) else register
        self._ready = {size: ready}
        return found

    # ---- the steps

    def _of(self, x: Symbol, parts: list[_Value]) -> _Value:
        if x.op == "const":
            return _constant(x.args[0])
        if x.op == "plane":
            plane = self._new(_WORD, _LOW, _HIGH)
            self._planes[plane.number] = x.args[0]
            return plane
        if x.op == "count":
            return self._step(np.bitwise_count, _BYTE, (0, 64), self._as(parts[0], _WORD))
        if x.op == "~":
            return self._step(np.invert, _WORD, (_LOW, _HIGH), self._as(parts[0], _WORD))
        return self._binary(x.op, *parts)

    def _new(self, kind: _Type, low: int, high: int) -> _Value:
        self._values += 1
        return _Value(self._values - 1, kind, low, high)

    def _step(self, call: Any, kind: _Type, limits: tuple[int, int], *of: _Value) -> _Value:
        """The value of a call; the same for the same one."""
        what = (call, kind.char, *((x.number, x.low) for x in of))
        if what not in self._met:
            self._met[what] = self._new(kind, *limits)
            self._steps.append(_Step(call, of, self._met[what]))
        return self._met[what]

    def _as(self, x: _Value, kind: _Type) -> _Value:
        """The same value in another type."""
        if x.number < 0:
            return x._replace(type=kind)
        if x.type == kind:
            return x
        return self._step(None if _size(kind) == _size(x.type) else np.copyto, kind, (x.low, x.high), x)

    def _binary(self, op: str, a: _Value, b: _Value) -> _Value:
        low, high = _limits(op, a, b)
        if low == high:
            return _constant(low)
        if op in _EITHER_WAY and (a.number < 0 or 0 <= b.number < a.number):
            a, b = b, a  # a constant comes last
        if (b.constant == 0 and op in ("+", "-", "|", "^", "<<", ">>")) or (b.constant == 1 and op == "*"):
            return a
        unknown = [x.type for x in (a, b) if x.number >= 0]
        if op in _OF_TRUTHS and unknown and all(kind == _TRUTH for kind in unknown):
            truth = self._truth(op, a, b)
            if truth is not None:
                return truth
        if (
            op == "&" and b.constant is not None and a.low >= 0 and b.low >= 0
        ):  # bits that the other has not are nothing
            b = _constant(b.low & (1 << 8 * _size(a.type)) - 1)
        kinds = [_BYTE, *unknown, *(_narrowest(x.low, x.high) for x in (a, b) if x.number < 0)]
        if op not in _LOGIC:
            kinds.append(_narrowest(low, high))
        kind = max(kinds, key=_size)
        made = (_TRUTH, (0, 1)) if op in _LOGIC else (kind, (low, high))
        return self._step(_BINARY[op], *made, self._as(a, kind), self._as(b, kind))

    def _truth(self, op: str, a: _Value, b: _Value) -> _Value | None:
        """The same of two truths, or of one and a constant; None where it is no truth."""
        if b.constant is None:
            call = {"&": np.bitwise_and, "*": np.bitwise_and, "|": np.bitwise_or}.get(op, np.bitwise_xor)
            both = self._step(call, _TRUTH, (0, 1), a, b)
            return self._step(np.logical_not, _TRUTH, (0, 1), both) if op == "==" else both
        if b.constant not in (0, 1) or op not in ("==", "!=", "^"):
            return None
        return self._step(np.logical_not, _TRUTH, (0, 1), a) if (op == "==") != (b.constant == 1) else a

    # ---- registers

    def _assigned(self) -> dict[int, int]:
        """Leave out the steps that nothing needs, and give each value of the others a register that is free then."""
        needed = {x.number for x in self.results}
        steps = []
        for step in reversed(self._steps):
            if step.made.number in needed:
                steps.append(step)
                needed |= {x.number for x in step.of}
        self._steps = steps[::-1]
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
            made, size = step.made, _size(step.made.type)
            if step.call is None:
                registers[made.number] = registers[holder[made.number]]
                continue
            over = {holder.get(x.number, x.number) for x in step.of} & registers.keys()
            for number in [x for x in over if last[x] == at]:  # numpy may write where it reads, in the same type
                free.setdefault(self._sizes[registers[number]], []).append(registers[number])
            if not free.get(size):
                free[size] = [len(self._sizes)]
                self._sizes.append(size)
            registers[made.number] = free[size].pop()
        return registers

    def _calls(self, n: int) -> _Calls:
        """The calls for n readings, with registers of their own."""
        room = [np.empty(n * size, np.uint8) for size in self._sizes]

        def array(x: _Value) -> Any:
            if x.number < 0:
                return np.array(x.low, x.type)
            return x.number if x.number in self._planes else room[self._registers[x.number]].view(x.type)

        found = _Calls([], [], [None if x.number < 0 else array(x) for x in self.results])
        for call, of, made in self._steps:
            if call is None:
                continue
            arguments = (array(made), array(of[0]), "unsafe") if call is np.copyto else (*map(array, (*of, made)),)
            if any(isinstance(x, int) for x in arguments):
                found.on_planes.append((len(found.calls), (call, arguments)))
            found.calls.append((call, arguments))
        return found


class Tape:
    """The tape for what `build` returns, made when readings enough were asked about to repay it."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._readings = 0
        self._made: Taped | None = None
        self._cannot = False

    def after(self, n: int) -> Taped | None:
        """The tape, now that n more readings are asked about; None as long as it is not made, or if it cannot be."""
        if self._made is None and not self._cannot and self._readings >= _REPAID:
            self._made = taped(self._build)
            self._cannot = self._made is None
        self._readings += n
        return self._made


def taped(build: Build) -> Taped | None:
    """The tape for what `build` returns; None if something in it cannot be expressed in symbols."""
    made = expressions(build)
    return None if made is None else Taped(made)


def _size(kind: _Type) -> int:
    return kind.itemsize


def _constant(x: int) -> _Value:
    """A number, as the signed word of its bits."""
    x = (x - _LOW) % (1 << 64) + _LOW
    return _Value(-1, _WORD, x, x)


def _narrowest(low: int, high: int) -> _Type:
    return next((kind for kind, least, most in _TYPES if least <= low and high <= most), _WORD)


def _limits(op: str, a: _Value, b: _Value) -> tuple[int, int]:
    """Between which numbers an operation's value lies."""
    low, high = _LOW, _HIGH
    if op in ("==", "!="):
        same, apart = a.low == a.high == b.low == b.high, a.high < b.low or b.high < a.low
        return (int(same), int(not apart)) if op == "==" else (int(apart), int(not same))
    if op in (">", ">="):
        return _limits("<" if op == ">" else "<=", b, a)
    if op == "<":
        return int(a.high < b.low), int(a.low < b.high)
    if op == "<=":
        return int(a.high <= b.low), int(a.low <= b.high)
    if op == "+":
        low, high = a.low + b.low, a.high + b.high
    elif op == "-":
        low, high = a.low - b.high, a.high - b.low
    elif op == "*":
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        low, high = min(corners), max(corners)
    elif op == "&" and (a.low >= 0 or b.low >= 0):
        low, high = 0, min(x.high for x in (a, b) if x.low >= 0)
    elif op in "|^" and a.low >= 0 and b.low >= 0:
        low, high = 0, (1 << max(a.high, b.high).bit_length()) - 1
    elif op == "<<" and a.low >= 0 and b.low >= 0 and b.high < 64:
        low, high = a.low << b.low, a.high << b.high
    elif op == ">>" and b.low >= 0 and b.high < 64:
        low, high = min(a.low >> b.low, a.low >> b.high), max(a.high >> b.low, a.high >> b.high)
    return (low, high) if low >= _LOW and high <= _HIGH else (_LOW, _HIGH)
