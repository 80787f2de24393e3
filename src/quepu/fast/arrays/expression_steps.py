"""Expressions as the steps of a tape: each a call of numpy, common parts once, in the narrowest type that holds them.

From the constants follows what values a step can have: truths and counts take a byte, what can only be one number takes
no step. Of a word of which few bits are asked for (an honour, a piece of luck), only those are worked on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import and_, or_, xor
from typing import Any, NamedTuple

import numpy as np

from quepu.rules.symbols import Symbol, nodes

TRUTH, BYTE, SHORT, INT, WORD = range(5)
_BITS_OF = {BYTE: 5, SHORT: 6, INT: 7, WORD: 8}  # the same bytes without a sign, of which numpy counts the bits faster
DTYPES = tuple(np.dtype(x) for x in ("?", "u1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"))
SIZES = tuple(x.itemsize for x in DTYPES)
_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_LIMITS = ((0, 1), (0, 255), (-(1 << 15), (1 << 15) - 1), (-(1 << 31), (1 << 31) - 1), (_LOW, _HIGH))
_LOGIC: dict[str, Any] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip
_BINARY: dict[str, Any] = {
    "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor, "<<": np.left_shift, ">>": np.right_shift,
    "+": np.add, "-": np.subtract, "*": np.multiply, **_LOGIC,
}  # fmt: skip
_EITHER_WAY = frozenset({"&", "|", "^", "+", "*", "==", "!="})
_OF_TRUTHS = _EITHER_WAY - {"+"}
_BY_BIT = {"&": and_, "|": or_, "^": xor}
_NOTHING = frozenset({("+", 0), ("-", 0), ("|", 0), ("^", 0), ("<<", 0), (">>", 0), ("*", 1), ("&", -1)})
"""Operations with a number that leave the other operand as it is."""
_OFTEN = 3
"""Uses that repay making a word that holds a small number a narrow one."""
_LANE = 16


class Value(NamedTuple):
    """The result of a step, or a constant (then `low` and `high` are that)."""

    number: int  # -1: a constant
    type: int
    low: int
    high: int


class TapeStep(NamedTuple):
    """A call of numpy, the values it takes, the one it makes; None: the same bytes are taken for another type."""

    call: Any
    of: tuple[Value, ...]
    made: Value


class TapeSteps:
    """The steps to some expressions.

    Attributes:
        steps: those that are needed, in order.
        planes: the name and type of planes, by their values' numbers.
        results: the value of each expression.
    """

    def __init__(self, made: Sequence[Symbol]) -> None:
        self.steps: list[TapeStep] = []
        self.planes: dict[int, tuple[str, int]] = {}
        self._number = 0
        self._met: dict[Any, Value] = {}
        self._values: dict[Symbol, Value] = {}
        self._not: dict[int, Value] = {}  # of which truth a truth is the opposite
        self._lanes: dict[Symbol, tuple[Value, int]] = {}  # what is not 0 of a word, and from which bit on
        every = nodes(made)
        uses = Counter([part for x in every for part in x.args if isinstance(part, Symbol)])
        for x in every:
            value = self._of(x)
            if value.type == WORD and value.number >= 0 and uses[x] >= _OFTEN:
                value = self._as(value, max(BYTE, _narrowest(value.low, value.high)))
            self._values[x] = value
        self.results = [self._values[x] for x in made]
        needed = {x.number for x in self.results}
        steps = []
        for step in reversed(self.steps):
            if step.made.number in needed:
                steps.append(step)
                needed.update([x.number for x in step.of])
        self.steps = steps[::-1]

    def _of(self, x: Symbol) -> Value:
        op, args = x.op, x.args
        if op == "const":
            return _constant(args[0])
        if op == "plane":
            return self._plane(args[0], WORD)
        if op == "count":
            return self._count(self._lanes[args[0]][0] if args[0] in self._lanes else self._values[args[0]])
        if op == "~":
            return self._step(np.invert, WORD, (_LOW, _HIGH), self._as(self._values[args[0]], WORD))
        if op == "&":
            few = self._few_bits(*args) or self._few_bits(*args[::-1])
            if few is not None:
                value, at = few
                if not at:
                    return value
                self._lanes[x] = few
        elif op in ("==", "!="):
            pair = self._in_lane(*args) or self._in_lane(*args[::-1])
            if pair is not None:
                return self._binary(op, *pair)
        return self._binary(op, self._values[args[0]], self._values[args[1]])

    # ---- values

    def _new(self, kind: int, low: int, high: int) -> Value:
        self._number += 1
        return Value(self._number - 1, kind, low, high)

    def _plane(self, name: str, kind: int) -> Value:
        """A plane, which has no sign, as a word."""
        if (name, kind) not in self._met:
            self._met[name, kind] = self._new(kind, 0, _HIGH)
            self.planes[self._number - 1] = name, kind
        return self._met[name, kind]

    def _step(self, call: Any, kind: int, limits: tuple[int, int], *of: Value) -> Value:
        """The value of a call; the same for the same one."""
        what = (call, kind, *[x.number if x.number >= 0 else (x.low,) for x in of])
        made = self._met.get(what)
        if made is None:
            made = self._met[what] = self._new(kind, *limits)
            self.steps.append(TapeStep(call, of, made))
        return made

    def _as(self, x: Value, kind: int) -> Value:
        """The same value in another type."""
        if x.type == kind:
            return x
        if x.number < 0:
            return Value(-1, kind, x.low, x.high)
        return self._step(None if SIZES[kind] == SIZES[x.type] else np.copyto, kind, (x.low, x.high), x)

    def _count(self, x: Value) -> Value:
        """The number of bits that are set."""
        kind = WORD if x.low < 0 else _BITS_OF[max(x.type, BYTE)]
        of = self._plane(self.planes[x.number][0], kind) if x.number in self.planes else self._as(x, kind)
        return self._step(np.bitwise_count, BYTE, (0, 64), of)

    def _binary(self, op: str, a: Value, b: Value) -> Value:
        low, high = _limits(op, a, b)
        if low == high:
            return _constant(low)
        if op in _EITHER_WAY and (a.number < 0 or 0 <= b.number < a.number):
            a, b = b, a  # a constant comes last
        fixed = b.low if b.number < 0 else None
        if fixed is not None and (op, fixed) in _NOTHING:
            return a
        if op in _OF_TRUTHS and a.type == TRUTH and (fixed is not None or b.type == TRUTH):
            truth = self._truth(op, a, b)
            if truth is not None:
                return truth
        if op == "&" and fixed is not None and fixed >= 0 and a.low >= 0:
            fixed &= (1 << 8 * SIZES[a.type]) - 1  # bits that the other has not are nothing
            b = _constant(fixed)
            if a.type == INT and fixed <= _LIMITS[SHORT][1]:
                a = self._step(np.copyto, SHORT, _LIMITS[SHORT], a)
        kind = max(BYTE, _type_of(a), _type_of(b))
        if op in _LOGIC:
            return self._step(_BINARY[op], TRUTH, (0, 1), self._as(a, kind), self._as(b, kind))
        kind = max(kind, _narrowest(low, high))
        if op == "<<" and kind == BYTE and fixed is not None:  # numpy shifts bytes one by one
            op, b = "*", _constant(1 << fixed)
        return self._step(_BINARY[op], kind, (low, high), self._as(a, kind), self._as(b, kind))

    def _truth(self, op: str, a: Value, b: Value) -> Value | None:
        """The same of two truths, or of one and a constant; None where it is no truth."""
        if b.number >= 0:
            if op in ("&", "*"):
                for one, other in ((a, b), (b, a)):
                    if other.number in self._not:  # only one and not the other: one call
                        return self._step(np.less, TRUTH, (0, 1), self._not[other.number], one)
                return self._step(np.bitwise_and, TRUTH, (0, 1), a, b)
            both = self._step(np.bitwise_or if op == "|" else np.bitwise_xor, TRUTH, (0, 1), a, b)
            return self._opposite(both) if op == "==" else both
        if b.low not in (0, 1) or op not in ("==", "!=", "^"):
            return None
        return self._opposite(a) if (op == "==") != (b.low == 1) else a

    def _opposite(self, truth: Value) -> Value:
        made = self._step(np.logical_not, TRUTH, (0, 1), truth)
        self._not[made.number] = truth
        return made

    # ---- words of which few bits are asked for

    def _few_bits(self, x: Symbol, mask: Symbol) -> tuple[Value, int] | None:
        """The bits of a word that a mask leaves, from the lane on that holds the lowest, and where that begins."""
        if mask.op != "const" or self._values[x].type != WORD or self._values[x].number < 0:
            return None
        bits = mask.args[0]
        if not 0 < bits <= _HIGH:
            return None
        at = ((bits & -bits).bit_length() - 1) // _LANE * _LANE
        bits >>= at
        kind = max(BYTE, _narrowest(0, bits))
        return None if kind == WORD else (self._by_bit("&", self._bits(x, at, kind), _constant(bits), kind), at)

    def _bits(self, x: Symbol, at: int, kind: int) -> Value:
        """The bits of a word from one on, as many as this type has; what it has more of them means nothing."""
        value = self._values[x]
        if value.type == WORD and value.number >= 0:
            if x.op in _BY_BIT:
                one, other = x.args
                return self._by_bit(x.op, self._bits(one, at, kind), self._bits(other, at, kind), kind)
            if x.op == ">>" and x.args[1].op == "const" and 0 <= x.args[1].args[0] < 64 - at:
                return self._bits(x.args[0], at + x.args[1].args[0], kind)
        if at:
            value = self._binary(">>", value, _constant(at))
        if value.number < 0:
            low, high = _LIMITS[kind]
            value = _constant((value.low - low) % (high - low + 1) + low)
        elif SIZES[value.type] > SIZES[kind]:
            low, high = _LIMITS[kind]
            fits = low <= value.low and value.high <= high
            value = self._as(value, kind) if fits else self._step(np.copyto, kind, (low, high), value)
        return value

    def _by_bit(self, op: str, a: Value, b: Value, kind: int) -> Value:
        """As `_binary`, of values of which only the bits of a type mean something."""
        if a.number < 0:
            a, b = b, a
        if b.number < 0 and (a.number < 0 or (op == "&" and b.low == 0)):
            return _constant(_BY_BIT[op](a.low, b.low) if a.number < 0 else 0)
        if b.number < 0 and (b.low == 0 or (op == "&" and b.low == (255 if kind == BYTE else -1))):
            return a
        limits = (0, b.low) if op == "&" and b.number < 0 <= b.low else _LIMITS[kind]
        return self._step(_BINARY[op], kind, limits, *sorted((self._as(a, kind), self._as(b, kind)), key=_last))

    def _in_lane(self, x: Symbol, other: Symbol) -> tuple[Value, Value] | None:
        """Two words as the lanes outside of which neither has anything; None where they are not such."""
        if x not in self._lanes:
            return None
        value, at = self._lanes[x]
        if other in self._lanes and self._lanes[other][1] == at:
            return value, self._lanes[other][0]
        if other.op != "const" or other.args[0] & (1 << at) - 1 or not 0 <= other.args[0] <= _HIGH:
            return None
        return value, _constant(other.args[0] >> at)


def _last(x: Value) -> tuple[bool, int]:
    """An order in which a constant comes last."""
    return x.number < 0, x.number


def _constant(x: int) -> Value:
    """A number, as the signed word of its bits."""
    x = (x - _LOW) % (1 << 64) + _LOW
    return Value(-1, WORD, x, x)


def _type_of(x: Value) -> int:
    return x.type if x.number >= 0 else _narrowest(x.low, x.high)


def _narrowest(low: int, high: int) -> int:
    if low >= 0 and high < 1 << 8:
        return TRUTH if high <= 1 else BYTE
    for kind in (SHORT, INT):
        if _LIMITS[kind][0] <= low and high <= _LIMITS[kind][1]:
            return kind
    return WORD


def _limits(op: str, a: Value, b: Value) -> tuple[int, int]:
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
