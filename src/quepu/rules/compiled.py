"""Compile a book's conditions to one straight-line function, for one hand at a time.

Conditions never branch, so running one on symbols instead of numbers gives its whole expression. The function generated
from the expressions of all rows computes shared parts once, stops at the first conjunct that fails, and skips every row
that must be zero because a plane it reads is empty. Such guards are derived: a row is put under a plane only if its
expression folds to zero when that plane is zero. A condition that cannot be run on symbols is called as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from quepu.hands.planes import Condition, Planes
from quepu.rules.symbols import Symbol, Symbols, conjuncts, nodes, zero_without

Detector = Callable[[Planes], list[tuple[int, int]]]

# Planes that are empty most often come first: the earlier one guards.
_GUARDS = (
    "c4", "o4", "c3", "o3", "o2", "flowers", "kc", "k", "t4", "c2", "xp", "o1", "pc", "t3", "p", "c1", "luck",
)  # fmt: skip


_OFTEN = 100  # readings evaluated row by row before compiling
_LEAST_SIZE = 12  # the least size of a row that is worth skipping
_CHEAP = 8  # the largest size of a truth that is worth checking before several rows
_FORMS = {"count": "{}.bit_count()", "~": "(~{})"}
"""How operations are written that do not stand between two operands."""


class _Row:
    """A row to be generated: the truths that must hold, and its number if it is not a truth itself."""

    def __init__(self, number: int, symbol: Symbol) -> None:
        self.number = number
        self.value: Symbol | None = None if symbol.truth else symbol
        self.parts = conjuncts(symbol) if symbol.truth else []
        if symbol.op == "*" and symbol.args[0].truth:  # truth × number: the number is computed only if the truth holds
            self.parts, self.value = conjuncts(symbol.args[0]), symbol.args[1]
        planes = {x.leaf: x for x in nodes([symbol]) if x.op == "plane"}
        self.guard = next((g for g in _GUARDS if g in planes and zero_without(symbol, planes[g])), "")

    @property
    def all(self) -> list[Symbol]:
        """Return all its parts."""
        return self.parts if self.value is None else [*self.parts, self.value]

    @property
    def sizes(self) -> int:
        """The size of its computation."""
        return sum(x.size for x in self.all)

    def empty_without(self, part: Symbol) -> bool:
        """Return whether it cannot hold if this part is zero."""
        return any(zero_without(x, part) for x in self.all)

    @property
    def sure(self) -> list[Symbol]:
        """Return parts that are always computed when the row is evaluated."""
        return self.all[:1]


class _Writer:
    """Generates the body: expressions as text, shared ones under a name."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._named = 0

    def name(self) -> str:
        self._named += 1
        return f"v{self._named}"

    def text(self, x: Symbol, names: dict[Symbol, str], uses: Counter[Symbol]) -> str:
        """Return an expression; one that is reused is named where it is first computed."""
        if x in names:
            return names[x]
        if x.op == "const":
            return str(x.leaf) if x.leaf >= 0 else f"({x.leaf})"
        if x.op == "plane":
            return str(x.leaf)
        form = _FORMS.get(x.op, f"({{}} {x.op} {{}})")
        made = form.format(*(self.text(a, names, uses) for a in x.args))
        if uses[x] > 1:
            names[x] = self.name()
            return f"({names[x]} := {made})"
        return made

    def rows(
        self, rows: list[_Row], indent: str, names: dict[Symbol, str], checked: frozenset[Symbol] = frozenset()
    ) -> None:
        """Generate rows one after another; parts that several certainly need are computed first.

        If such a shared part being empty makes several rows zero, these are guarded by it.
        """
        names = dict(names)
        left = rows
        while True:
            under: dict[Symbol, list[_Row]] = {}
            for x in self._find_shared(left, names):
                if x.op == "&" and not x.truth and x not in checked:
                    under[x] = [row for row in left if row.sizes > _LEAST_SIZE and row.empty_without(x)]
            part = max(under, key=lambda x: (sum(row.sizes for row in under[x]), x.size), default=None)
            if part is None or len(under[part]) < 2:
                break
            if part not in names:
                self.assign(part, indent, names)
            self.lines.append(f"{indent}if {names[part]}:")
            self.rows(under[part], indent + "    ", names, checked | {part})
            left = [row for row in left if row not in under[part]]
        for x in self._find_shared(left, names):
            if x not in names:
                self.assign(x, indent, names)
        for row in left:
            self.row(row, indent, dict(names))

    def _find_shared(self, rows: list[_Row], names: dict[Symbol, str]) -> list[Symbol]:
        """Return the parts that at least two of these rows always compute, with their replacements."""
        sure = [row.sure for row in rows]
        number = Counter(x for some in sure for x in nodes(some))
        every = nodes([x for some in sure for x in some])
        parents = Counter(a for x in every for a in x.args if isinstance(a, Symbol))
        tops = {x for some in sure for x in some}
        return [
            x
            for x, n in number.items()
            if n > 1 and x.op not in ("const", "plane") and (x in names or x in tops or parents[x] > 1)
        ]

    def assign(self, x: Symbol, indent: str, names: dict[Symbol, str]) -> None:
        made = self.text(x, names, Counter())
        names[x] = self.name()
        self.lines.append(f"{indent}{names[x]} = {made}")

    def row(self, row: _Row, indent: str, names: dict[Symbol, str]) -> None:
        uses: Counter[Symbol] = Counter()
        seen: set[Symbol] = set()

        def visit(x: Symbol) -> None:
            if x in names:
                return
            uses[x] += 1
            if x not in seen:
                seen.add(x)
                for a in x.args:
                    if isinstance(a, Symbol):
                        visit(a)

        for part in row.parts:
            visit(part)
        if row.value is not None:
            visit(row.value)
        tests = [self.text(part, names, uses) for part in row.parts]
        if not row.all:
            self.lines.append(f"{indent}add(({row.number}, 1))")
        elif row.value is None:
            self.lines.append(f"{indent}if {' and '.join(tests)}: add(({row.number}, 1))")
        else:
            tests.append(f"(n := {self.text(row.value, names, uses)})")
            self.lines.append(f"{indent}if {' and '.join(tests)}: add(({row.number}, n + 0))")


def source(conditions: Sequence[tuple[int, Condition]]) -> tuple[str, dict[str, Condition]]:
    """Return the text of the function, and the conditions that it calls directly, by name."""
    symbols = Symbols()
    rows: list[_Row] = []
    called: dict[str, Condition] = {}
    writer = _Writer()
    for number, when in conditions:
        try:
            found = when(symbols.planes)
        except (TypeError, AttributeError, ValueError, IndexError, KeyError):
            called[f"ask{number}"] = when
            continue
        symbol = found if isinstance(found, Symbol) else symbols.const(found)
        if symbol.op != "const" or symbol.leaf:
            rows.append(_Row(number, symbol))
    used = {x.leaf for row in rows for x in nodes(row.all) if x.op == "plane"}
    fields = ", ".join(name if name in used else "_" for name in Planes._fields)
    writer.lines = ["def ask(h):", f"    ({fields}) = h", "    found = []", "    add = found.append"]
    _write_groups(writer, rows)
    for name in called:
        writer.lines.append(f"    if n := {name}(h): add(({name[3:]}, int(n)))")
    writer.lines.append("    return found")
    return "\n".join(writer.lines), called


def _says_not_empty(x: Symbol, plane: str) -> bool:
    """Return whether a truth says that this plane is not empty: p != 0."""
    if x.op != "!=":
        return False
    a, b = x.args
    return bool(a.op == "plane" and a.leaf == plane and b.op == "const" and b.leaf == 0)


def _write_groups(writer: _Writer, rows: list[_Row]) -> None:
    """Generate rows under the plane that guards them, then rows under a truth that several share, then the rest."""
    left = rows
    for plane in _GUARDS:
        under = [row for row in left if row.guard == plane]
        if len(under) > 1:
            writer.lines.append(f"    if {plane}:")
            for row in under:  # already checked by the guard
                row.parts = [x for x in row.parts if not _says_not_empty(x, plane)]
            writer.rows(under, "        ", {})
            left = [row for row in left if row not in under]
    shares: dict[Symbol, list[_Row]] = {}
    for row in left:
        for part in row.parts:
            shares.setdefault(part, []).append(row)
    for part, sharing in sorted(shares.items(), key=lambda item: (-len(item[1]), item[0].size)):
        group = [row for row in sharing if row in left]
        if len(group) > 1 and part.size <= _CHEAP:
            writer.lines.append(f"    if {writer.text(part, {}, Counter())}:")
            for row in group:
                row.parts = [x for x in row.parts if x is not part]
            writer.rows(group, "        ", {})
            left = [row for row in left if row not in group]
    writer.rows(left, "    ", {})


def compile_rows(conditions: Sequence[tuple[int, Condition]]) -> Detector:
    """Compile to a function from planes (ints) to hits: (row number, the condition's value), zeros left out."""
    text, called = source(conditions)
    space: dict[str, Any] = dict(called)
    exec(compile(text, "<conditions>", "exec"), space)  # noqa: S102 - the text is written above, from the rows only
    detect: Detector = space["ask"]
    return detect


_compiled = lru_cache(64)(compile_rows)


def lazy_detector(conditions: tuple[tuple[int, Condition], ...]) -> Detector:
    """Return the same, compiled only if used often: generating takes as long as a few hundred evaluations."""
    detect: Detector | None = None
    plain = 0

    def find_hits(h: Planes) -> list[tuple[int, int]]:
        nonlocal detect, plain
        if detect is not None:
            return detect(h)
        plain += 1
        if plain > _OFTEN:
            detect = _compiled(conditions)
        return [(i, int(n)) for i, when in conditions if (n := when(h))]

    return find_hits
