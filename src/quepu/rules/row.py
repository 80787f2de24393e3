"""The row of any rulebook: a fan with its sentence, condition, relations, hands and value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypedDict, TypeVar, Unpack

from quepu.errors import Text, language
from quepu.hands.planes import Condition, reads

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook

MOST_OFTEN = 99
"""How often a condition may hold in one hand, and a fan count."""
ALL, EACH = 0, -1
"""How many groups make a fan: ALL the whole hand (never evaluated on a part), EACH one for every bit of the condition's
plane, or a number n: the condition holds on n groups alone.
"""

Value = Any
"""The value of a row: an int, or the book's own named tuple (灵雀: 副 and 翻)."""

Extra = TypeVar("Extra")
_PAIR = "pair_"


class Example(NamedTuple):
    """A hand that shows a fan (or, as a near miss, does not), with its circumstances."""

    hand: str
    seat: str = "E"
    round: str = "E"
    self_draw: bool = False
    circumstances: tuple[str, ...] = ()
    flowers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fan:
    """One 番种: one row of a rulebook, in the book's order and words.

        >>> import quepu
        >>> fan = quepu.book("guobiao").fan("Full Flush")
        >>> fan.name, fan.value
        ('清一色', 24)

    `sentence` is the book's own text, word for word. `drops` names the fans that are not counted beside this one
    (不计); "*" stands for all others, "*类" for all of a category, and a later "+name" takes one back. `conflicts`
    names fans of which only one may be chosen (互斥). `most` is how often it can count.
    """

    name: str
    value: Value
    category: str
    sentence: str
    when: Condition
    english: str
    definition: str = ""  # the meaning of the sentence, in English and our own words
    of: int = ALL
    drops: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()  # those of `drops` that only a general sentence of the book states
    conflicts: tuple[str, ...] = ()
    most: int = 1
    joins: bool = False  # relates groups to each other (国标's 套算一次)
    on: Condition | None = None  # the places it covers, if a dropped EACH row loses only those
    aliases: tuple[str, ...] = ()
    former: tuple[str, ...] = ()  # English labels of earlier releases: still accepted, never shown
    example: Example | None = None
    near_miss: Example | None = None
    rulings: tuple[str, ...] = ()  # ids of the rulings on its meaning
    extra: object = None  # columns only this family has: a frozen dataclass beside its rows

    @property
    def reads(self) -> frozenset[str]:
        """The planes its condition reads."""
        return reads(self.when)

    def in_words(self, lang: str) -> str:
        """Describe it: by the book's sentence, in English by the definition if there is one."""
        return self.sentence if lang == "zh" else self.definition or self.sentence

    def own(self, columns: type[Extra]) -> Extra:
        """Return the columns of its family; a row without any (added by a house rule) has the empty ones."""
        return self.extra if isinstance(self.extra, columns) else columns()

    def column(self, key: str) -> Any:
        """Return one column of its family by name (`Rulebook.columns`), or None if the row does not have it."""
        return getattr(self.extra, key, None)

    @property
    def other_values(self) -> dict[str, Value]:
        """Other values of the row, by column of its family: `pair` of 灵雀's 番牌."""
        kind, columns = type(self.value), getattr(self.extra, "__dataclass_fields__", ())
        cells = {key: getattr(self.extra, key) for key in columns if kind is not int}
        return {key: cell for key, cell in cells.items() if isinstance(cell, kind)}

    @property
    def parts(self) -> dict[str, int]:
        """Every number that a house can change: {"fu": 4, "fan": 1, "pair_fu": 2, "pair_fan": 1}."""
        others = self.other_values.items()
        return split_value(self.value) | {
            f"{key}_{part}": n for key, value in others for part, n in split_value(value).items()
        }

    def __hash__(self) -> int:
        return hash((self.name, self.category, self.of))

    def __str__(self) -> str:
        return f"{self.name} {self.english}：{self.sentence}"

    @property
    def english_and_name(self) -> str:
        """Both names, for a line in English; a fan of a draft may have only its name."""
        return self.name if self.english == self.name else f"{self.english} {self.name}"

    def __repr__(self) -> str:
        return f"Fan({self.name!r}, {self.english!r}, {value_text(self.parts, 'en')})"

    def _repr_html_(self) -> str:
        return fan_html(self)

    def __deepcopy__(self, memo: object) -> Fan:
        return self  # immutable


def words(text: str | Iterable[str]) -> tuple[str, ...]:
    """Split a row's list of names at spaces."""
    return tuple(text.split()) if isinstance(text, str) else tuple(text)


class Columns(TypedDict, total=False):
    """Columns of a row that may be left out; lists of names are written with spaces between."""

    definition: str
    of: int
    on: Condition | None
    drops: str
    implied: str
    conflicts: str
    most: int
    aliases: str
    former: tuple[str, ...]
    rulings: str
    joins: bool
    extra: object


def fan(
    name: str,
    value: Value,
    category: str,
    sentence: str,
    when: Condition,
    english: str,
    *,
    example: str | Example,
    near_miss: str | Example,
    **columns: Unpack[Columns],
) -> Fan:
    """Build one row of a book; lists of names are written with spaces between.

    `drops` are the fans excluded by the row's own sentence, `implied` those excluded by a general sentence of the book
    because they necessarily accompany this one. `example` is a hand that shows the fan, `near_miss` one that almost
    does: tiles alone, or a `hand` if the seat or anything else is unusual. `definition` describes the fan in English,
    without its value and relations. The other arguments: see `Fan`.
    """
    cells = _cells(columns) | {"example": _example(example), "near_miss": _example(near_miss)}
    return Fan(name, value, category, sentence, when, english, **cells)


def _cells(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return columns as `Fan` has them."""
    cells = dict(columns)
    for key in ("drops", "implied", "conflicts", "aliases", "rulings"):
        if key in cells:
            cells[key] = words(cells[key])
    if "implied" in cells:
        cells["drops"] = (*cells.get("drops", ()), *cells["implied"])
    return cells


def head(zh: str, en: str, *, kind: Literal["", "text", "name"] = "") -> dict[str, Any]:
    """Return the metadata of a column of a family: its name for people, and its kind.

    A text says something about the fan and a name is a further name of it; neither can change a score.
    """
    return {"head": Text(zh, en), "kind": kind}


def texts_in_columns(fan: Fan, kinds: Collection[str] = ("text", "name")) -> tuple[str, ...]:
    """Return the texts that a fan has in columns of its family: of `("name",)` its names in further languages."""
    fields = getattr(fan.extra, "__dataclass_fields__", {}).items()
    cells = (getattr(fan.extra, key) for key, one in fields if one.metadata.get("kind") in kinds)
    return tuple(cell for cell in cells if cell)


def hand(
    tiles: str,
    circumstances: str = "",
    *,
    seat: str = "E",
    round: str = "E",
    self_draw: bool = False,
    flowers: str = "",
) -> Example:
    """Build a hand of a row; circumstances and flowers are names with spaces between."""
    return Example(tiles, seat, round, self_draw, words(circumstances), words(flowers))


class OwnColumns(TypedDict, total=False):
    """Columns that a row of another edition may have of its own."""

    english: str
    definition: str
    category: str
    when: Condition
    drops: str
    implied: str
    conflicts: str
    example: str | Example
    near_miss: str | Example
    rulings: str


def again(rows: Iterable[Fan]) -> Callable[..., Fan]:
    """Return a builder of rows that take unstated fields from the row of that name in `rows`.

    Two editions share the meaning of a 番种; its value, its sentence and its relations belong to each edition.
    """
    by_name = {row.name: row for row in rows}

    def row(name: str, value: Value, sentence: str, **columns: Unpack[OwnColumns]) -> Fan:
        own: dict[str, Any] = {"drops": "", "implied": "", "conflicts": "", **columns}
        for key in own.keys() & {"example", "near_miss"}:
            own[key] = _example(own[key])
        return replace(by_name[name], value=value, sentence=sentence, **_cells(own))

    return row


def _example(shown: str | Example) -> Example:
    return shown if isinstance(shown, Example) else Example(shown)


def split_value(value: Value) -> dict[str, int]:
    """Return a row's value as a mapping from part to number: {"fu": 8, "fan": 2}, or {"fan": 6}."""
    if isinstance(value, Mapping):
        return dict(value)
    return dict(value._asdict()) if hasattr(value, "_asdict") else {"fan": value}


def part_unit(part: str, value: Collection[str], unit: Text | None = None) -> Text:
    """Return the unit of a part of a value: 副, 翻 beside 副, else 番, which a book (its `unit`) may call points."""
    if part == "fan" and "fu" not in value:
        return unit if unit is not None and unit.zh == "番" else Text("番", "fan")
    return _UNITS.get(part) or Text(part, part)


_UNITS: Final = {"fu": Text("副", "fu"), "fan": Text("翻", "fan"), "points": Text("点", "points")}


def amount(number: int | str, unit: Text) -> Text:
    """Write a number of a unit: 8 番, 1 point, 8 points."""
    return Text(f"{number} {unit.zh}", f"{number} {unit.en.removesuffix('s') if str(number) == '1' else unit.en}")


def value_text(value: Mapping[str, int], lang: str, printed: str | None = None, unit: Text | None = None) -> str:
    """Write a value: 8 副 2 翻, 6 番, or 4 副 1 翻（对 2 副 1 翻）.

    printed: replaces the number of a value with a single part. unit: the book's unit.
    """
    pair = {key.removeprefix(_PAIR): n for key, n in value.items() if key.startswith(_PAIR)}
    if pair:
        own = value_text({key: n for key, n in value.items() if not key.startswith(_PAIR)}, lang, unit=unit)
        as_pair = value_text(pair, lang, unit=unit)
        return f"{own} (pair {as_pair})" if lang == "en" else f"{own}（对 {as_pair}）"
    return " ".join(amount(printed or n, part_unit(key, value, unit)).say(lang) for key, n in value.items())


def book_html(book: Rulebook) -> str:
    """Draw a book for a notebook: the title and the table of fans."""
    from html import escape

    from quepu.hands.drawing import table_html

    lang = language()
    rows = [
        (
            escape(fan.name if lang == "zh" else f"{fan.name} {fan.english}"),
            escape(value_text(fan.parts, lang, book.printed_value(fan), book.unit)),
            escape(book.class_name(fan.category, lang)),
            escape(fan.in_words(lang)),
        )
        for fan in book.fans
    ]
    heads = [Text("番种", "fan"), Text("值", "value"), Text("类别", "category"), Text("原文", "what it is")]
    return f"<h4>{escape(book.title.say(lang))}</h4>{table_html([head.say(lang) for head in heads], rows)}"


def fan_html(fan: Fan) -> str:
    """Draw a fan for a notebook: name, value, sentence, and the hand that shows it beside the one that almost does."""
    from html import escape

    from quepu.hands.drawing import hand_html, table_html
    from quepu.hands.notation import parse

    lang = language()
    examples = ((Text("牌例", "example"), fan.example), (Text("差一点（不成立）", "near miss"), fan.near_miss))
    rows = [(head.say(lang), hand_html(parse(shown.hand))) for head, shown in examples if shown is not None]
    name = fan.name if lang == "zh" else f"{fan.name} {fan.english}"
    title = f"<b>{escape(name)}</b> {escape(value_text(fan.parts, lang))}"
    table = table_html((), rows) if rows else ""
    return f"<div><div>{title}</div><div>{escape(fan.in_words(lang))}</div>{table}</div>"
