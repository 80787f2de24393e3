"""What a rulebook is: rows of fans, an arithmetic, shapes and circumstances. The registry is `quepu.rulebooks`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from quepu.compiled import Ask, asker, source
from quepu.errors import OverlayError, Text, UnknownName
from quepu.planes import Condition, Planes, reads

ALL, EACH = 0, -1
"""How many groups make a fan: ALL the whole hand (never asked about a part), EACH one for every bit of the plane
that the condition returns, or a number n: the condition holds on n groups alone."""

Value = Any
"""What a row is worth: an int, or the book's own named tuple (灵雀: 副 and 翻)."""


class Example(NamedTuple):
    """A hand that shows a fan (or, as a near miss, does not), with what was said beside it."""

    hand: str
    seat: str = "E"
    round: str = "E"
    self_draw: bool = False
    circumstances: tuple[str, ...] = ()
    flowers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fan:
    """One 番种: one row of a rulebook, in the book's order and words.

    `sentence` is the book's own text, word for word. `drops` names the fans that are not counted beside this one
    (不计); "*" stands for all others, "*类" for all of a category, and a later "+name" takes one back. `conflicts`
    names fans of which only one may be chosen (互斥). `most` is how often it may count.
    """

    name: str
    value: Value
    category: str
    sentence: str
    when: Condition
    english: str
    of: int = ALL
    drops: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    most: int = 1
    joins: bool = False  # relates groups to each other (国标's 套算一次)
    on: Condition | None = None  # the places it covers, where a dropped EACH row loses only those
    aliases: tuple[str, ...] = ()
    example: Example | None = None
    near_miss: Example | None = None
    rulings: tuple[str, ...] = ()  # ids of the rulings that decide how it is read
    extra: Mapping[str, Any] = field(default_factory=dict)  # what only this family's arithmetic reads

    @property
    def reads(self) -> frozenset[str]:
        """The planes its condition looks at."""
        return reads(self.when)


def words(text: str | Iterable[str]) -> tuple[str, ...]:
    """A row's list of names, written with spaces between."""
    return tuple(text.split()) if isinstance(text, str) else tuple(text)


Hits = tuple[tuple[int, int], ...]
"""What holds in a reading: (index of the row, times it holds or the plane of its places), nonzero only."""


class Counted(NamedTuple):
    """A fan that counts: which row, how often, what it adds here, and a remark where the book needs one."""

    row: int
    times: int
    value: Mapping[str, int]
    note: Text | None = None


class Dropped(NamedTuple):
    """A fan that held but does not count, and why (the row that keeps it out, or None, and the sentence)."""

    row: int
    by: int | None
    why: Text


class Tally(NamedTuple):
    """What one reading is worth under the book's arithmetic.

    `points` count towards the minimum; `bonus` comes on top (fans that the book keeps out of the minimum).
    `parts` are the sums the book speaks of (fu and fan, or fan). `steps` tell the arithmetic in words.
    """

    points: int
    parts: Mapping[str, int]
    counted: tuple[Counted, ...]
    dropped: tuple[Dropped, ...]
    how: Text
    steps: tuple[Text, ...] = ()
    bonus: int = 0


class Arithmetic(Protocol):
    """How a book combines what holds into points.

    One whose tallies are remembered by less than an explanation tells may have a method `told` beside `combine`, of
    the same arguments: the same tally, with notes and reasons that name this reading's own groups.
    """

    reads: tuple[str, ...]
    """Planes it looks at beside the hits; the tally is memoised on hits and these."""

    def combine(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The best legal counting of one reading."""
        ...


class Pays(NamedTuple):
    """What a row is worth: it counts as often as it holds, `most` times at most, each time for `value`.

    Or, if `more` is given, it counts once: `value` for the first time it holds and `more` for each further one.
    """

    value: int
    most: int = 255
    more: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A house option that the book itself names: `choices` (the first is the default) and what each changes."""

    key: str
    text: Text
    choices: tuple[Any, ...]
    apply: Callable[[Rulebook, Any], Rulebook]


@dataclass(frozen=True, slots=True)
class Ruling:
    """How an ambiguous or misprinted place is read: the sentence it rests on and the tests that hold it."""

    id: str
    question: Text
    answer: Text
    sentence: str
    tests: tuple[str, ...] = ()
    open: bool = False


_MEMO_MOST = 1 << 16
_MOST_VALUE = 1000  # so that no sum, product or square of them leaves 32 bits


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A rulebook: rows, arithmetic, shapes of a win, names of circumstances. House rules make a new one (`having`).

    Two books are the same if they are one object; what they say is compared by `fingerprint`.
    """

    id: str
    title: Text
    fans: tuple[Fan, ...]
    arithmetic: Arithmetic
    shapes: tuple[str, ...]
    minimum: int
    unit: Text
    circumstances: Mapping[str, int]  # the book's own names → Luck bits
    flower_value: int = 0  # points a flower adds beside the minimum
    aliases: tuple[str, ...] = ()
    family: str = ""
    edition: str = ""
    seed: str = ""
    options: tuple[Option, ...] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)  # what the arithmetic and the table of this family read
    rulings: tuple[Ruling, ...] = ()
    play: str = ""  # module that holds the table rules of this family, imported when a table is opened
    base: str = ""  # the book that a house rule was made from
    near: Mapping[str, str] = field(default_factory=dict)  # other names accepted for circumstances
    classes: Mapping[str, str] = field(default_factory=dict)  # categories in English, where they have a name

    # ---- looking up

    @cached_property
    def index(self) -> dict[str, int]:
        """Row number by name (aliases too)."""
        found = {fan.name: i for i, fan in enumerate(self.fans)}
        for i, fan in enumerate(self.fans):
            for alias in fan.aliases:
                found.setdefault(alias, i)
        return found

    def fan(self, name: str) -> Fan:
        """The row of this name or alias.

        Raises:
            UnknownName: there is none.
        """
        at = self.index.get(name)
        if at is None:
            raise UnknownName(f"{self.title.zh}没有“{name}”这个番种。", f"{self.title.en} has no fan called {name!r}.")
        return self.fans[at]

    def choice(self, option: Option) -> Any:
        """What one of its options is set to: the first choice unless a house rule took another."""
        return self.chosen.get(option.key, option.choices[0])

    def class_name(self, category: str, lang: str = "zh") -> str:
        """A category of fans as it is said in `lang`; its own name where it has no other."""
        return category if lang == "zh" else self.classes.get(category, category)

    @cached_property
    def reads(self) -> frozenset[str]:
        """Every plane that some row or the arithmetic looks at; what nobody reads need not be worked out."""
        return frozenset().union(*(fan.reads for fan in self.fans), self.arithmetic.reads)

    @cached_property
    def drops(self) -> tuple[int, ...]:
        """For each row, the rows it keeps out (不计), as a mask over row numbers."""
        masks = []
        for i, fan in enumerate(self.fans):
            mask = 0
            for word in fan.drops:
                name, sign = (word[1:], -1) if word[0] == "+" else (word, 1)
                if name.startswith("*"):
                    rows = [j for j, f in enumerate(self.fans) if j != i and name[1:] in ("", f.category)]
                else:
                    rows = [self.index[name]] if name in self.index else []
                for j in rows:
                    mask = mask | 1 << j if sign > 0 else mask & ~(1 << j)
            masks.append(mask)
        return tuple(masks)

    @cached_property
    def conflicts(self) -> tuple[int, ...]:
        """For each row, the rows it may not be counted with (互斥), as a mask over row numbers; symmetric."""
        masks = [0] * len(self.fans)
        for i, fan in enumerate(self.fans):
            for name in fan.conflicts:
                if name in self.index:
                    j = self.index[name]
                    masks[i] |= 1 << j
                    masks[j] |= 1 << i
        return tuple(masks)

    # ---- asking

    @cached_property
    def _ask(self) -> Ask:
        return asker(tuple((i, fan.when) for i, fan in enumerate(self.fans)))

    def detect(self, h: Planes) -> Hits:
        """What holds in one reading, before anything is taken out; in no particular order."""
        return tuple(self._ask(h))

    @cached_property
    def _own_memory(self) -> bool:
        """Whether the arithmetic remembers tallies itself (`remembers`), by less than the whole of what holds."""
        return bool(getattr(self.arithmetic, "remembers", False))

    @cached_property
    def _facts(self) -> Callable[[Planes], Any]:
        return attrgetter(*self.arithmetic.reads) if self.arithmetic.reads else (lambda h: None)

    @cached_property
    def _tallies(self) -> dict[Any, Tally]:
        return {}

    @cached_property
    def notes(self) -> dict[Any, Any]:
        """Room for what the arithmetic remembers about this book."""
        return {}

    def tally(self, h: Planes) -> Tally:
        """What one reading is worth; memoised on what the arithmetic can see."""
        hits = self.detect(h)
        if self._own_memory:
            return self.arithmetic.combine(self, hits, h)
        key = (hits, self._facts(h))
        found = self._tallies.get(key)
        if found is None:
            if len(self._tallies) >= _MEMO_MOST:
                self._tallies.clear()
            found = self._tallies[key] = self.arithmetic.combine(self, hits, h)
        return found

    def told(self, h: Planes) -> Tally:
        """The tally of one reading with all that only an explanation needs."""
        told: Callable[[Rulebook, Hits, Planes], Tally] | None = getattr(self.arithmetic, "told", None)
        return self.tally(h) if told is None else told(self, self.detect(h), h)

    # ---- house rules

    def having(
        self,
        *,
        id: str | None = None,
        title: Text | None = None,
        values: Mapping[str, Value] | None = None,
        minimum: int | None = None,
        without: Iterable[str] = (),
        aliases: Mapping[str, str] | None = None,
        fans: Mapping[str, Mapping[str, Any]] | None = None,
        add: Iterable[Fan] = (),
        settings: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        flower_value: int | None = None,
    ) -> Rulebook:
        """A new rulebook made from this one.

        `values` gives rows another value, `without` switches rows off, `aliases` renames for display (old → new, the
        old name stays an alias), `fans` replaces any fields of rows, `add` appends rows, `options` chooses among the
        options the book names, `settings` changes what its arithmetic and table read.

        Raises:
            UnknownName: a row or option that the book has not.
            OverlayError: a value of the wrong kind.
        """
        book = self
        for key, choice in (options or {}).items():
            option = next((o for o in self.options if o.key == key), None)
            if option is None:
                raise UnknownName(f"{self.title.zh}没有选项“{key}”。", f"{self.title.en} has no option {key!r}.")
            if choice not in option.choices:
                listed = ", ".join(map(str, option.choices))
                raise OverlayError(f"选项“{key}”只能取：{listed}。", f"option {key!r} must be one of: {listed}.")
            book = option.apply(book, choice)
            book = replace(book, chosen={**book.chosen, key: choice})
        rows = list(book.fans)

        def at(name: str) -> int:
            book.fan(name)
            return next(i for i, row in enumerate(rows) if row.name == book.fan(name).name)

        for name, value in (values or {}).items():
            i = at(name)
            rows[i] = replace(rows[i], value=like(rows[i].value, value, name))
        for name, changes in (fans or {}).items():
            i = at(name)
            rows[i] = replace(rows[i], **changes)
        off = {book.fan(name).name for name in without}
        renamed = {book.fan(old).name: new for old, new in (aliases or {}).items()}
        rows = [row for row in rows if row.name not in off]
        if renamed:
            rows = [_renamed(row, renamed) for row in rows]
        rows += list(add)
        return replace(
            book,
            id=id or self.id,
            title=title or book.title,
            fans=tuple(rows),
            minimum=book.minimum if minimum is None else minimum,
            settings={**book.settings, **(settings or {})},
            flower_value=book.flower_value if flower_value is None else flower_value,
            base=self.base or self.id,
        )

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hex digits that change whenever anything that can change a score changes."""
        rows = [
            (f.name, f.value, f.of, f.drops, f.conflicts, f.most, f.joins, f.sentence, sorted(f.extra.items()))
            for f in self.fans
        ]
        text = repr((self.base or self.id, rows, self.minimum, self.shapes, sorted(self.chosen.items()),
                     sorted(self.settings.items()), self.flower_value, *_strange(self.fans)))  # fmt: skip
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def _strange(rows: Iterable[Fan]) -> tuple[str, ...]:
    """What conditions written outside this package say; the sentence of their row may not have changed with them.

    One that cannot be written out is as good as new in every run.
    """
    given = [c for row in rows for c in (row.when, row.on) if c and not str(c.__module__).startswith("quepu.")]
    if not given:
        return ()
    text, called = source(tuple(enumerate(given)))
    return text, *map(repr, called.values())


def _renamed(row: Fan, names: Mapping[str, str]) -> Fan:
    def swap(listed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in listed)

    row = replace(row, drops=swap(row.drops), conflicts=swap(row.conflicts))
    if row.name in names:
        new = names[row.name]
        row = replace(row, name=new, aliases=(*(alias for alias in row.aliases if alias != new), row.name))
    return row


def like(old: Value, new: Any, name: str) -> Value:
    """`new` in the shape of `old`: an int for an int, as many numbers for a tuple; from 0 to a thousand.

    Raises:
        OverlayError: it does not fit.
    """
    given = new.values() if isinstance(new, Mapping) else new if isinstance(new, (list, tuple)) else (new,)
    if any(isinstance(x, int) and not 0 <= x <= _MOST_VALUE for x in given):
        raise OverlayError(
            f"“{name}”的值应在 0 到 {_MOST_VALUE} 之间。",
            f"the value of {name!r} must lie between 0 and {_MOST_VALUE}.",
        )
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in given)
    if isinstance(old, tuple):
        fields: tuple[str, ...] = getattr(old, "_fields", ())
        if whole and isinstance(new, Mapping) and set(new) <= set(fields):
            return old._replace(**new)  # type: ignore[attr-defined]  # it has _fields, so it is a named tuple
        if whole and isinstance(new, (list, tuple)) and len(new) == len(old):
            return type(old)(*new)
        shape = ", ".join(fields)
        raise OverlayError(f"“{name}”的值应写作 [{shape}] 各一个整数。", f"{name!r} needs integers for [{shape}].")
    if not whole or not isinstance(new, int):
        raise OverlayError(f"“{name}”的值应是一个整数。", f"the value of {name!r} must be an integer.")
    return new
