"""The rulebook: rows of fans, an arithmetic, shapes and circumstances. The registry is `quepu.rulebooks`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypedDict, Unpack

from quepu.errors import Text, UnknownName, near_names
from quepu.folding import fold
from quepu.hands.planes import Planes
from quepu.rules.arithmetic import Adopting, Arithmetic, Counted, Explains, Hits, PartSummed, Prints, Tally
from quepu.rules.compiled import Detector, lazy_detector
from quepu.rules.digest import score_digest, text_digest
from quepu.rules.edits import add_rows, change_row, like, natural, rename_rows, revalue_row, with_option
from quepu.rules.parts import Correction, Option, Origin, Ruling, was
from quepu.rules.row import Fan, Value, book_html
from quepu.tiles import PLAIN, TileSet

__all__ = ["Correction", "Option", "Origin", "Rulebook", "Ruling", "like", "was"]

_MEMO_MOST = 1 << 16


class Changes(TypedDict, total=False):
    """The changes that `Rulebook.having` can make."""

    id: str | None
    title: Text | None
    values: Mapping[str, Value] | None
    minimum: int | None
    without: Iterable[str]
    aliases: Mapping[str, str] | None
    fans: Mapping[str, Mapping[str, Any]] | None
    add: Iterable[Fan]
    settings: Mapping[str, Any] | None
    options: Mapping[str, Any] | None
    flower_value: int | None
    order: Iterable[str]
    classes: Mapping[str, str] | None
    reasons: Mapping[tuple[str, str], Text] | None


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A rulebook: rows, arithmetic, shapes of a win, names of circumstances. House rules make a new one (`having`).

        >>> import quepu
        >>> book = quepu.book("guobiao")
        >>> book.id, book.minimum, len(book.fans)
        ('guobiao', 8, 81)

    Two books are equal if they have the same id, score alike (`fingerprint`) and have the same texts
    (`text_fingerprint`).
    """

    id: str
    title: Text
    fans: tuple[Fan, ...]
    arithmetic: Arithmetic
    shapes: tuple[str, ...]
    minimum: int
    unit: Text
    circumstances: Mapping[str, int]  # the book's own names → Luck bits
    tiles: TileSet = PLAIN  # the tiles of hands; whether there are flowers besides is up to the table
    flower_value: int = 0  # points a flower adds outside the minimum
    aliases: tuple[str, ...] = ()
    family: str = ""
    edition: str = ""
    seed: str = ""
    options: tuple[Option, ...] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)  # settings that this family's arithmetic and table use
    rulings: Sequence[Ruling] = ()
    play: str = ""  # module that holds the table rules of this family, imported when a table is opened
    guide: str = ""  # module that holds the rules in words, imported when they are looked up (`quepu.rules.guide`)
    columns: Mapping[str, Text] = field(default_factory=dict)  # columns of its table of fans, by name in `Fan.extra`
    base: str = ""  # the book that a house rule was made from
    near: Mapping[str, str] = field(default_factory=dict)  # other names accepted for circumstances
    classes: Mapping[str, str] = field(default_factory=dict)  # categories in English, where they have a name
    reasons: Mapping[tuple[str, str], Text] = field(default_factory=dict)  # a house's, for what one fan leaves another
    corrections: tuple[Correction, ...] = ()  # what changed its scores since it was first played, oldest first
    origin: Origin | None = field(default=None, repr=False)  # how it was made of another

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Rulebook):
            return NotImplemented
        return (
            self.id == other.id
            and self.fingerprint == other.fingerprint
            and self.text_fingerprint == other.text_fingerprint
        )

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Rulebook({self.id!r}, {len(self.fans)} fans)"

    def __str__(self) -> str:
        return str(self.title)

    def __deepcopy__(self, memo: object) -> Rulebook:
        return self  # immutable but for its caches

    def __copy__(self) -> Rulebook:
        return self

    def _repr_html_(self) -> str:
        return book_html(self)

    # ---- looking up

    @cached_property
    def index(self) -> dict[str, int]:
        """Map names and aliases to row numbers."""
        found = {fan.name: i for i, fan in enumerate(self.fans)}
        for i, fan in enumerate(self.fans):
            for alias in fan.aliases:
                found.setdefault(alias, i)
        return found

    @cached_property
    def _spellings(self) -> dict[str, tuple[int, ...]]:
        """Map folded names, aliases and English labels (former ones too) to row numbers; own names come first."""
        found: dict[str, list[int]] = {}
        for i, fan in enumerate(self.fans):
            for name in {fold(name) for name in (fan.name, fan.english, *fan.former, *fan.aliases)}:
                found.setdefault(name, []).append(i)
        own = {fold(fan.name): (i,) for i, fan in reversed([*enumerate(self.fans)])}
        return {name: own.get(name, tuple(rows)) for name, rows in found.items()}

    def fan(self, name: str) -> Fan:
        """Return the row of this name, alias or English label, in either script and any case.

        Raises:
            UnknownName: the name is unknown (the sentence suggests similar ones), or belongs to several rows.
        """
        exact = self.index.get(name) if isinstance(name, str) else None
        if exact is not None and self.fans[exact].name == name:
            return self.fans[exact]  # before folding: a house may have two names that fold alike
        rows = self._spellings.get(fold(name), ()) if isinstance(name, str) else ()
        if len(rows) > 1:
            zh, en = (
                "、".join(self.fans[i].name for i in rows),
                " or ".join(self.fans[i].english_and_name for i in rows),
            )
            raise UnknownName(f"“{name}”可以指{zh}，请写明。", f"{name!r} can mean {en}: use one of these names.")
        if not rows:
            near = near_names(str(name), {n: self.fans[r[0]].name for n, r in self._spellings.items()})
            english = " / ".join(self.fans[self.index[one]].english_and_name for one in near)
            raise UnknownName(
                f"{self.title.zh}没有“{name}”这个番种。" + (f"是不是{'、'.join(near)}？" if near else ""),
                f"{self.title.en} has no fan called {name!r}." + (f" Did you mean {english}?" if near else ""),
            )
        (row,) = rows
        return self.fans[row]

    def choice(self, option: Option) -> Any:
        """Return the current choice of one of its options: the first one unless a house rule took another."""
        return self.chosen.get(option.key, option.choices[0])

    def class_name(self, category: str, lang: str = "zh") -> str:
        """Return the name of a category in `lang`; its own name if it has no other."""
        return category if lang == "zh" else self.classes.get(category, category)

    @cached_property
    def reads(self) -> frozenset[str]:
        """Every plane that some row or the arithmetic reads; others need not be computed."""
        return frozenset().union(*(fan.reads for fan in self.fans), self.arithmetic.reads)

    @property
    def round_wind(self) -> bool:
        """Whether anything in the book depends on the round wind; if not, it is not asked for."""
        return "round" in self.reads

    @property
    def cap(self) -> int:
        """The most points that are paid for a win; 0: no cap."""
        return int(self.settings.get("most") or self.settings.get("cap") or 0)

    @property
    def counts_flowers(self) -> bool:
        """Whether flowers have a value in the book, each or in a fan."""
        return bool(self.flower_value) or "flowers" in self.reads

    def printed_value(self, fan: Fan) -> str | None:
        """Return a row's value as the book prints it, if that says more than a number: 15-2(12-2)."""
        if not isinstance(self.arithmetic, Prints):
            return None
        text = self.arithmetic.print_value(fan)
        return None if text == str(fan.value) else text

    @cached_property
    def drops(self) -> tuple[int, ...]:
        """For each row, the rows it drops (不计), as a mask over row numbers."""
        masks = []
        for i, fan in enumerate(self.fans):
            mask = 0
            for word in fan.drops:
                name = word.removeprefix("+")
                if name.startswith("*"):
                    rows = [j for j, f in enumerate(self.fans) if j != i and name[1:] in ("", f.category)]
                else:
                    rows = [self.index[name]] if name in self.index else []
                for j in rows:
                    mask = mask | 1 << j if name == word else mask & ~(1 << j)
            masks.append(mask)
        return tuple(masks)

    @cached_property
    def conflicts(self) -> tuple[int, ...]:
        """For each row, the rows that cannot count with it (互斥), as a symmetric mask over row numbers."""
        masks = [0] * len(self.fans)
        for i, fan in enumerate(self.fans):
            for name in fan.conflicts:
                if name in self.index:
                    j = self.index[name]
                    masks[i] |= 1 << j
                    masks[j] |= 1 << i
        return tuple(masks)

    # ---- scoring

    @cached_property
    def _detector(self) -> Detector:
        return lazy_detector(tuple((i, fan.when) for i, fan in enumerate(self.fans)))

    def detect(self, h: Planes) -> Hits:
        """Return the rows that hold in one reading, before any are dropped; in no particular order."""
        return tuple(self._detector(h))

    @cached_property
    def _tallies(self) -> dict[Hashable, Tally]:
        return {}

    @cached_property
    def notes(self) -> dict[Any, Any]:
        """Cache for the arithmetic of this book."""
        return {}

    def tally(self, h: Planes) -> Tally:
        """Return the tally of one reading, cached by its situation."""
        return self.tally_hits(self.detect(h), h)

    def tally_hits(self, hits: Hits, h: Planes) -> Tally:
        """Return the tally of one reading with these hits."""
        situation = self.arithmetic.situation(self, hits, h)
        found = self._tallies.get(situation)
        if found is None:
            if len(self._tallies) >= _MEMO_MOST:
                self._tallies.clear()
            found = self._tallies[situation] = self.arithmetic.combine(self, situation)
        return found

    def adds(self, counted: Counted) -> dict[str, int]:
        """Return the contribution of a counted fan to the sums of the book, all its times together."""
        return {part: n if part in self._once else n * counted.times for part, n in counted.value.items()}

    @cached_property
    def _once(self) -> tuple[str, ...]:
        return self.arithmetic.not_summed if isinstance(self.arithmetic, PartSummed) else ()

    def explain_tally(self, h: Planes) -> Tally:
        """Return the tally of one reading with everything that only an explanation needs."""
        if not isinstance(self.arithmetic, Explains):
            return self.tally(h)
        return self.arithmetic.explain_tally(self, tuple(sorted(self.detect(h))), h)

    # ---- revisions

    @property
    def revision(self) -> int:
        """The number of this revision: the corrections of its scores, plus one; the first is 1."""
        return len(self.corrections) + 1

    def at(self, revision: int) -> Rulebook:
        """Return this book as it was at an earlier revision; `lingque-29` at 1 is `lingque-29@1`.

        Raises:
            UnknownName: the revision does not exist.
        """
        if not 1 <= revision <= self.revision:
            raise UnknownName(
                f"{self.title.zh}没有修订 {revision}，现有 1 到 {self.revision}。",
                f"{self.title.en} has no revision {revision}; there are 1 to {self.revision}.",
            )
        if revision == self.revision:
            return self
        if revision not in self._earlier:
            book = self
            for correction in reversed(self.corrections[revision - 1 :]):
                book = correction.before(book)
            self._earlier[revision] = replace(
                book,
                id=f"{self.id}@{revision}",
                title=Text(f"{self.title.zh}（修订 {revision}）", f"{self.title.en}, revision {revision}"),
                base=self.base or self.id,
                aliases=(),
                corrections=self.corrections[: revision - 1],
                origin=Origin(self, {"revision": revision}),
            )
        return self._earlier[revision]

    @cached_property
    def _earlier(self) -> dict[int, Rulebook]:
        """The earlier revisions requested so far: each caches its own tallies."""
        return {}

    # ---- house rules

    def having(self, **changes: Unpack[Changes]) -> Rulebook:
        """Return a new rulebook made from this one.

        `values` gives rows another value, `without` switches rows off, `aliases` renames for display (old → new, the
        old name stays an alias), `fans` replaces any fields of rows, `add` appends rows, `options` chooses among the
        options the book names, `settings` changes what its arithmetic and table read, `order` names rows in a new order
        (those it does not name stay behind), `classes` gives categories English names, `reasons` adds words.

        Raises:
            UnknownName: a row or option that the book does not have. OverlayError: a value of the wrong kind, a minimum
                or points of a flower that are not a natural number, a new fan whose name is taken, or a condition that
                could differ between one hand and many.
        """
        if unknown := changes.keys() - Changes.__annotations__:
            raise TypeError(f"having() got an unexpected keyword argument {min(unknown)!r}")
        given: dict[str, Any] = dict.fromkeys(Changes.__annotations__) | dict(changes)
        for name in ("without", "add", "order"):
            given[name] = tuple(given[name] or ())
        for name in ("minimum", "flower_value"):
            given[name] = None if given[name] is None else natural(given[name], name)
        without, add, order = given["without"], given["add"], given["order"]
        book = self
        for key, choice in (given["options"] or {}).items():
            book = with_option(book, key, choice)
        rows = list(book.fans)

        def at(name: str) -> int:
            book.fan(name)
            return next(i for i, row in enumerate(rows) if row.name == book.fan(name).name)

        for name, value in (given["values"] or {}).items():
            i = at(name)
            rows[i] = revalue_row(rows[i], value, name)
        for name, cells in (given["fans"] or {}).items():
            i = at(name)
            rows[i] = change_row(rows[i], cells, book.arithmetic)
        off = {book.fan(name).name for name in without}
        names = {book.fan(old).name: new for old, new in (given["aliases"] or {}).items()}
        rows = [row for row in rows if row.name not in off]
        if names:
            rows = rename_rows(rows, names)
        rows = add_rows(rows, add, book.arithmetic)
        if order:
            rows.sort(key=lambda row: order.index(row.name) if row.name in order else len(order))
        adopted = book.arithmetic.new_fans if add and isinstance(book.arithmetic, Adopting) else {}
        return replace(
            book,
            id=given["id"] or self.id,
            title=given["title"] or book.title,
            fans=tuple(rows),
            minimum=book.minimum if given["minimum"] is None else given["minimum"],
            settings={**adopted, **book.settings, **(given["settings"] or {})},
            flower_value=book.flower_value if given["flower_value"] is None else given["flower_value"],
            classes={**book.classes, **(given["classes"] or {})},
            reasons={**book.reasons, **(given["reasons"] or {})},
            base=self.base or self.id,
            origin=Origin(self, {name: change for name, change in given.items() if change not in (None, ())}),
        )

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hex digits that change whenever scores can change.

        That is a condition, a value, a relation, an option, a setting, the arithmetic. Sentences, English names,
        examples, aliases and rulings are not part of it, so that a misprint can be corrected while games are in play.
        """
        return score_digest(self)

    @cached_property
    def text_fingerprint(self) -> str:
        """Twelve hex digits that change with any word of the book: titles, sentences, names, examples, rulings."""
        return text_digest(self)
