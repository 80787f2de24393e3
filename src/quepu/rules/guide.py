"""The guide of a rulebook besides its fans: rules of play, tables, worked examples, as sections of parts.

A family writes them in a TOML file beside its rows and names a module with one function, from the book (an edition or a
house rule) to its sections:

    def sections(book: Rulebook) -> tuple[Section, ...]:
        return read(Path(__file__).with_name("rules.toml"), book, {"summary": summary})

    [[section]]
    key = "win"
    title = { zh = "和牌", en = "Winning" }

    [[section.part]]
    zh = "和牌点数不小于 {minimum} 点，即可和牌。"
    en = "A hand of at least {minimum} points wins."
    sentence = "和牌点数（见第二章）不小于 10 点…，即可和牌。"

`{name}` is filled in from the book (`facts`), so a house rule reads right; `{option.name}` is a choice in words. A
part without `zh` is the book's own sentence. `when = "key=value"` shows it only where the book says so (`!=` where it
does not), `has=NAME` where it has this fan, `edition = "29"` only in that edition; `make = "summary"` stands for the
parts returned by the family's function of this name.
"""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from quepu.errors import Text, UnknownName, join_list
from quepu.folding import fold
from quepu.rules.circumstances import english_name
from quepu.rules.faults import RECEIVERS
from quepu.rules.measured_figures import figures
from quepu.rules.play_rules import play_rules
from quepu.rules.row import Example
from quepu.rules.rulebook import Rulebook
from quepu.rules.rulings import write_plain
from quepu.tiles import FLOWERS


class Paragraph(NamedTuple):
    """A rule in words. `sentence` is the seed's, "" if it is silent; `ruling` the id of its ruling."""

    text: Text
    sentence: str = ""
    ruling: str = ""


class Grid(NamedTuple):
    """A table: a head for each column, rows of cells; `numbers` are the right-aligned columns."""

    title: Text
    heads: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    numbers: tuple[int, ...] = ()
    note: Text | None = None


class Shown(NamedTuple):
    """A hand of the book, to be scored now, with the book's caption and its printed result."""

    label: Text
    example: Example
    sentence: str = ""
    ruling: str = ""
    english: str = ""  # the printed result, if it is only a list of fans and a total

    @property
    def printed(self) -> Text:
        """The words printed beside the hand."""
        return Text(self.sentence, self.english or self.sentence)


Part = Paragraph | Grid | Shown
Maker = Callable[[Rulebook, str], Iterable[Part]]
"""Maps the book and the words after the maker's name to parts."""


class Section(NamedTuple):
    """A heading with its parts; `key` names it in commands and URLs."""

    key: str
    title: Text
    parts: tuple[Part, ...]


def guide(book: Rulebook) -> tuple[Section, ...]:
    """Return the sections of a book; () for one whose family writes none."""
    if not book.guide:
        return ()
    made: tuple[Section, ...] = importlib.import_module(book.guide).sections(book)
    return made


def find_section(book: Rulebook, name: str) -> Section:
    """Find the section with this key or title, or the only one whose key or title contains the word.

    Raises:
        UnknownName: there is none, or more than one.
    """
    every = guide(book)
    wanted = fold(name)
    exact = [one for one in every if wanted in map(fold, (one.key, *one.title))]
    near = exact or [one for one in every if any(wanted in fold(t) for t in (one.key, *one.title))]
    match near:
        case [only]:
            return only
    listed = near or every
    keys = join_list(Text(f"{one.title.zh}（{one.key}）", one.key) for one in listed)
    raise UnknownName(
        f"{book.title.zh}的规则里没有“{name}”这一节，{'可选' if near else '现有'}：{keys.zh}。",
        f"the rules of {book.title.en} have no section {name!r}; there are: {keys.en}.",
    )


def facts(book: Rulebook) -> dict[str, Any]:
    """Return the facts for texts: a book's figures, settings, options, rules of table and match, penalties."""
    found: dict[str, Any] = {
        "minimum": book.minimum,
        "unit": book.unit,
        "flower_value": book.flower_value,
        "fans": len(book.fans),
        "has": frozenset(book.index),
        "edition": book.edition,
        "measured": bool(figures(book)),
    }
    found |= {option.key: book.choice(option) for option in book.options}
    found |= {f"option.{option.key}": option.in_words(book.choice(option)) for option in book.options}
    found |= book.settings
    found["cap"] = book.cap
    if book.play:
        rules = play_rules(book)
        found |= {f"table.{key}": value for key, value in vars(rules.table).items()}
        found |= {f"match.{key}": value for key, value in vars(rules.match).items()}
        found |= {f"fault.{fault.key}": fault.points for fault in rules.faults}
    return found


@lru_cache(32)
def _parse(path: Path) -> dict[str, Any]:
    """Parse a family's own file, cached: a draft's differences need it many times."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read(path: Path, book: Rulebook, makers: Mapping[str, Maker] | None = None) -> tuple[Section, ...]:
    """Read the sections of a family's file for one book, filled in; empty ones are left out.

    Raises:
        KeyError: the file names an unknown fact or maker: a mistake in the family's own file.
    """
    values = facts(book)
    made = []
    for entry in _parse(path)["section"]:
        if not _holds(entry, values):
            continue
        parts: list[Part] = []
        for part in entry["part"]:
            if not _holds(part, values):
                continue
            if "make" in part:
                name, _, rest = part["make"].partition(" ")
                parts += (makers or {})[name](book, rest)
            elif "rows" in part:
                parts.append(_grid(part, values))
            else:
                parts.append(_paragraph(part, values))
        if parts:
            made.append(Section(entry["key"], Text(**entry["title"]), tuple(parts)))
    return tuple(made)


def _holds(entry: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    if "edition" in entry and entry["edition"] != values["edition"]:
        return False
    for condition in entry.get("when", "").split():
        key, sign, value = re.split(r"(!?=)", condition, maxsplit=1)
        fact = values[key]
        if (value in fact if isinstance(fact, frozenset) else _write_fact(fact) == value) != (sign == "="):
            return False
    return True


def _write_fact(value: Any) -> str:
    """Return a fact as conditions write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fill(text: str, values: Mapping[str, Any], lang: str) -> str:
    def one(found: re.Match[str]) -> str:
        value, unit = values[found[1]], found[2] or ""
        return value.say(lang) + unit if isinstance(value, Text) else f"{value}{unit[:-1] if value == 1 else unit}"

    return re.sub(r"\{([^{}]+)\}( points\b)?", one, text)


def _paragraph(part: Mapping[str, Any], values: Mapping[str, Any]) -> Paragraph:
    sentence = write_plain(part.get("sentence", ""))
    zh = _fill(part["zh"], values, "zh") if "zh" in part else sentence
    return Paragraph(Text(zh, _fill(part["en"], values, "en")), sentence, part.get("ruling", ""))


def _grid(part: Mapping[str, Any], values: Mapping[str, Any]) -> Grid:
    def text(cell: Any) -> Text:
        """Return one string for both languages, or a pair of them."""
        zh, en = cell if isinstance(cell, list) else (cell, cell)
        return Text(_fill(str(zh), values, "zh"), _fill(str(en), values, "en"))

    rows = tuple(tuple(map(text, row)) for row in part["rows"])
    heads = tuple(map(text, part["heads"]))
    note = Text(**part["note"]) if "note" in part else None
    return Grid(Text(**part["title"]), heads, rows, tuple(part.get("numbers", ())), note)


def examples(
    path: Path, chosen: Callable[[Mapping[str, Any]], bool], book: Rulebook, seat: str = "E"
) -> tuple[Part, ...]:
    """Return the hands of a family's examples.toml that this book (or its base) has and `chosen` accepts.

    Each is named by its number, else by its place or its fan, with the printed result; lost tiles are marked as such.
    `seat` is the winner's default seat.
    """
    found: list[tuple[int, Part]] = []
    data = _parse(path)
    for entry in data["example"]:
        given = entry.get(book.id) or entry.get(book.base, {})
        if not chosen({**entry, **given}) or not (given or "said" in entry):
            continue
        name, number = entry.get("at") or entry.get("fan", ""), given.get("number", 0)
        label = Text(f"例 {number}", f"example {number}") if number else Text(name, _english(name, data))
        printed = given.get("printed", {})
        figures = printed if printed and "fans" not in printed else given | printed
        sentence, counted = entry.get("said", ""), _counting(figures, book)
        words, english = sentence or counted.zh, sentence or counted.en
        ruling = given.get("ruling", "") or entry.get("ruling", "")
        if "hand" not in entry:
            lost = Text(f"{label.zh}：{words}（牌已不全）", f"{label.en}: {english} (the tiles are lost)")
            found.append((number, Paragraph(lost, ruling=ruling)))
            continue
        example = Example(
            entry["hand"], entry.get("seat", seat), entry.get("round", "E"), entry.get("self_draw", False),
            tuple(entry.get("circumstances", ())), _flowers(entry.get("flowers", ())),
        )  # fmt: skip
        found.append((number, Shown(label, example, words, ruling, english)))
    return tuple(part for _, part in sorted(found, key=lambda one: one[0]))


def _flowers(given: int | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return flowers by name; if only their number matters, the first ones."""
    return tuple(FLOWERS[:given] if isinstance(given, int) else given)


def faults(book: Rulebook, _words: str = "") -> Iterable[Part]:
    """Return the faults of the book (or the default ones, if it is silent) as one table."""
    rules = play_rules(book) if book.play else None
    found = () if rules is None else rules.faults
    if rules is None or not found:
        return
    barred = Text("停和陪打", "dead hand: no win and no claims for the rest of the hand")
    if rules.table.barred_claims:
        barred = Text("停和，仍可吃碰杠", "dead hand: no win in the rest of the hand")
    rows = []
    for fault in found:
        zh = [fault.text.zh, *(f"可弥补：{'；'.join(one.zh for one in fault.remedies)}" for _ in fault.remedies[:1])]
        en = [fault.text.en, *(f"made good: {'; '.join(one.en for one in fault.remedies)}" for _ in fault.remedies[:1])]
        then = barred if fault.barred else Text("", "")
        where = RECEIVERS[fault.to] if fault.points or fault.again else Text("", "")
        rows.append((fault.name, Text("。".join(zh), ". ".join(en)), fault.price, where, then))
    heads = (Text("罚例", "fault"), Text("情形", "case"), Text("罚分", "points"), Text("交给", "to"), Text("另", "and"))
    yield Grid(Text("罚例", "Penalties"), heads, tuple(rows), (2,))


def _english(place: str, data: Mapping[str, Any]) -> str:
    """Return the place of an example in English: a file's `places` have the words before a colon."""
    head, colon, rest = place.partition(":")
    found = data.get("places", {}).get(head, head)
    return f"{found}{colon} {rest}" if rest else str(found)


def _counting(counting: Mapping[str, Any], book: Rulebook) -> Text:
    """Return the book's printed counting of an example: "计 七对、番牌 中，共 10 副 4 翻 40 点。", or only figures."""
    units = (("fu", "副"), ("fan", "翻" if "fu" in counting else "番"), ("points", "点"))
    there = [(counting[key], key, unit) for key, unit in units if key in counting]
    total = " ".join(f"{n} {unit}" for n, _, unit in there)
    en = ", ".join(f"{n} {key}" for n, key, _ in there)
    if "fans" not in counting:
        return Text(f"书上作 {total}。", f"the text prints {en}.") if there else Text("", "")
    fans = (re.sub(r"^[^×*]+", lambda name: english_name(name[0], book), fan) for fan in counting["fans"].split("、"))
    return Text(f"计 {counting['fans']}，共 {total}。", f"counts {', '.join(fans)}: {en}.")
