"""Run conditions on symbols instead of numbers to obtain their whole expression, folded where its value is known.

Conditions never branch (`hands.planes`), so one run on symbols gives the complete expression. `rules.compiled` writes a
function of the expressions for one hand at a time, `quepu.fast.compiled.conditions` a loop for many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from quepu.hands.planes import Planes

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_BINARY: dict[str, Callable[[int, int], int]] = {
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}


def is_truth(x: object) -> bool:
    """Return whether this is an expression that is 0 or 1."""
    return isinstance(x, Symbol) and x.truth


class Branching(TypeError):
    """A condition that converts a value to a truth or a number."""


class Symbol:
    """An expression over planes. Equal expressions are one object."""

    __slots__ = ("args", "book", "op", "size", "truth")

    def __init__(self, book: Symbols, op: str, args: tuple[Any, ...]) -> None:
        self.book = book
        self.op = op  # "plane", "const", "count", "~", or a binary operator
        self.args = args
        self.size: int = 1 + sum([a.size for a in args if isinstance(a, Symbol)])
        self.truth: bool = op in COMPARISONS or (op in "&|" and all(a.truth for a in args))

    @property
    def leaf(self) -> Any:
        """Return the name of a plane, or the value of a constant."""
        (found,) = self.args
        return found

    def __and__(self, other: Any) -> Symbol:
        return self.book.make("&", self, other)

    def __rand__(self, other: Any) -> Symbol:
        return self.book.make("&", other, self)

    def __or__(self, other: Any) -> Symbol:
        return self.book.make("|", self, other)

    def __ror__(self, other: Any) -> Symbol:
        return self.book.make("|", other, self)

    def __xor__(self, other: Any) -> Symbol:
        return self.book.make("^", self, other)

    def __rxor__(self, other: Any) -> Symbol:
        return self.book.make("^", other, self)

    def __lshift__(self, other: Any) -> Symbol:
        return self.book.make("<<", self, other)

    def __rlshift__(self, other: Any) -> Symbol:
        return self.book.make("<<", other, self)

    def __rshift__(self, other: Any) -> Symbol:
        return self.book.make(">>", self, other)

    def __rrshift__(self, other: Any) -> Symbol:
        return self.book.make(">>", other, self)

    def __add__(self, other: Any) -> Symbol:
        return self.book.make("+", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return self.book.make("+", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return self.book.make("-", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return self.book.make("-", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return self.book.make("*", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return self.book.make("*", other, self)

    def __invert__(self) -> Symbol:
        return self.book.make("~", self)

    def __neg__(self) -> Symbol:
        return self.book.make("-", 0, self)

    def __eq__(self, other: object) -> Any:
        return self.book.make("==", self, other)

    def __ne__(self, other: object) -> Any:
        return self.book.make("!=", self, other)

    def __lt__(self, other: Any) -> Symbol:
        return self.book.make("<", self, other)

    def __le__(self, other: Any) -> Symbol:
        return self.book.make("<=", self, other)

    def __gt__(self, other: Any) -> Symbol:
        return self.book.make(">", self, other)

    def __ge__(self, other: Any) -> Symbol:
        return self.book.make(">=", self, other)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise Branching("a condition must not branch")

    def __int__(self) -> int:
        raise Branching("a condition must not ask for a number")

    __index__ = __int__

    def bit_count(self) -> Symbol:
        """Count the bits that are set, for `planes.count`."""
        return self.book.make("count", self)


class Symbols:
    """The expressions so far. `planes` are symbols that stand in for the `Planes` of a reading."""

    def __init__(self) -> None:
        self._interned: dict[tuple[Any, ...], Symbol] = {}
        self.planes = Planes(*map(self.plane, Planes._fields))

    def _intern(self, op: str, args: tuple[Any, ...]) -> Symbol:
        key = (op, *[id(a) if isinstance(a, Symbol) else a for a in args])
        found = self._interned.get(key)
        if found is None:
            found = self._interned[key] = Symbol(self, op, args)
        return found

    def plane(self, name: str) -> Symbol:
        """Return the plane of this name."""
        return self._intern("plane", (name,))

    def const(self, value: int) -> Symbol:
        """Return a number as an expression."""
        return self._intern("const", (int(value),))

    def make(self, op: str, *parts: Any) -> Symbol:
        """Return an operation on expressions or numbers, folded if possible."""
        args = tuple([x if isinstance(x, Symbol) else self.const(x) for x in parts])
        found = _fold(op, [_number(a) for a in args])
        return self._intern(op, args) if found is None else self.const(found)


def _number(x: Symbol) -> int | None:
    """Return the value of a constant, or None."""
    value: int | None = None
    if x.op == "const":
        (value,) = x.args
    return value


def _fold(op: str, values: Sequence[int | None]) -> int | None:
    """Return the value of an operation if enough is known of its operands."""
    if op in ("count", "~"):
        (only,) = values
        if only is None:
            return None
        return only.bit_count() if op == "count" else ~only
    a, b = values
    if a is not None and b is not None:
        return _BINARY[op](a, b)
    if op in ("&", "*") and 0 in (a, b):
        return 0
    return 0 if op in ("<<", ">>") and a == 0 else None


def zero_without(symbol: Symbol, empty: Symbol) -> bool:
    """Return whether an expression is zero whenever this part of it is, whatever the rest is."""
    values_of: dict[Symbol, int | None] = {empty: 0}

    def value(x: Symbol) -> int | None:
        if x not in values_of:
            known = x.op in ("plane", "const")
            values_of[x] = _number(x) if known else _fold(x.op, [value(a) for a in x.args])
        return values_of[x]

    return value(symbol) == 0


def conjuncts(symbol: Symbol) -> list[Symbol]:
    """Return the truths that must all hold, each once, smallest first; the expression itself if it is not a truth."""
    if symbol.op == "&" and symbol.truth:
        return sorted(dict.fromkeys(x for a in symbol.args for x in conjuncts(a)), key=lambda x: x.size)
    return [symbol]


def nodes(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Return every expression in these, each once, operands before their users."""
    seen: dict[Symbol, None] = {}

    def visit(x: Symbol) -> None:
        if x in seen:
            return
        for a in x.args:
            if isinstance(a, Symbol):
                visit(a)
        seen[x] = None

    for symbol in symbols:
        visit(symbol)
    return list(seen)
