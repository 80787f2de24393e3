"""[fans."…"] with a formula, [drops], [conflicts] and [sentences] in a file of house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NoReturn, Protocol, TypeVar

from quepu.rules.formula import FormulaError, parse_formula
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook, like

FANS_MOST: Final = 30
OWN_CLASS: Final = "自定"
"""The class of a fan that names none."""
LONGEST_NAME: Final = 60
A_NAME: Final = (f"一行，1 到 {LONGEST_NAME} 个字", f"one line of 1 to {LONGEST_NAME} characters")
_LONGEST_SENTENCE: Final = 400
_A_SENTENCE: Final = (f"一行，1 到 {_LONGEST_SENTENCE} 个字", f"one line of 1 to {_LONGEST_SENTENCE} characters")
_TIMES_MOST: Final = 9
_RELATIONS: Final = ("drops", "conflicts")
_T = TypeVar("_T")


class Refuses(Protocol):
    """A file that refuses what it says with the line of it."""

    def wrong(self, zh: str, en: str, *keys: str) -> NoReturn:
        """Refuse what stands at these keys."""
        ...

    def apply(self, action: Callable[[], _T], *keys: str) -> _T:
        """Return what the action gives; its errors get the line of these keys."""
        ...


def added(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """The book with the new fans, each a row like any other behind those of the book."""
    rows: list[Fan] = []
    for name, given in data.get("fans", {}).items():
        _check(file, name, given)
        if name in made.index or name in made.circumstances:
            file.wrong(f"已经有叫“{name}”的番种。", f"a fan called {name!r} already exists.", "fans", name)
        try:
            when = parse_formula(given["when"], made)
        except FormulaError as error:
            at = (error.at or 0) + 1
            file.wrong(
                f"“{name}”的公式第 {at} 个字符：{error.text.zh}",
                f"formula of {name!r}, character {at}: {error.text.en}",
                "fans", name, "when",
            )  # fmt: skip
        value = file.apply(partial(like, made.fans[0].value, given["value"], name), "fans", name, "value")
        sentence = given.get("sentence") or given["when"]
        english = given.get("english") or name
        rows.append(Fan(name, value, given.get("class", OWN_CLASS), sentence, when, english, most=given.get("most", 1)))
    if not rows:
        return made
    # scores may hang on the class of a fan (in 灵雀 those of one class are multiplied as one): the fingerprint has it
    classes = tuple((row.name, row.category) for row in rows if row.category != OWN_CLASS)
    return made.having(add=rows, settings={"classes of new fans": classes} if classes else None)


def should_be(zh: str) -> str:
    """Write what something should be, in Chinese: apart from 应是 where it begins with a digit or a letter."""
    return f"应是 {zh}" if zh[0].isascii() else f"应是{zh}"


def _check(file: Refuses, name: str, given: object) -> None:
    """Refuse a new fan that is not a table of the right things."""
    if not _text(name, LONGEST_NAME):
        file.wrong(f"番种的名称应是{A_NAME[0]}。", f"the name of a fan must be {A_NAME[1]}.", "fans", name)
    if not isinstance(given, dict):
        file.wrong(f"“{name}”应是一张表：when、value……", f"{name!r} must be a table: when, value …", "fans", name)
    listed = " ".join(_FAN)
    for key in given:
        if key not in _FAN:
            file.wrong(
                f"番种“{name}”没有“{key}”，可用：{listed}。",
                f"a fan has no {key!r}; there are: {listed}.",
                "fans",
                name,
                key,
            )
        fits, zh, en = _FAN[key]
        if not fits(given[key]):
            file.wrong(
                f"番种“{name}”的 {key} {should_be(zh)}。", f"{key} of the fan {name!r} must be {en}.", "fans", name, key
            )
    for key in ("when", "value"):
        if key not in given:
            file.wrong(f"番种“{name}”缺少 {key}。", f"the fan {name!r} has no {key}.", "fans", name)


def related(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """The book with the 不计 and 互斥 that the house names, in place of the rows' own."""
    changes: dict[str, dict[str, tuple[str, ...]]] = {}
    for field in _RELATIONS:
        tables: list[tuple[tuple[str, ...], str, Any]] = [
            (("fans", name, field), name, given[field])
            for name, given in data.get("fans", {}).items()
            if field in given
        ]
        tables += [((field, name), name, given) for name, given in data.get(field, {}).items()]
        for keys, name, given in tables:
            row = file.apply(partial(made.fan, name), *keys).name
            if not _names(given):
                file.wrong(
                    f"“{name}”的 {field} 应是番种名称的列表。", f"{field} of {name!r} must be names of fans.", *keys
                )
            listed = tuple(file.apply(partial(_named, made, word, field), *keys) for word in given)
            mine = changes.setdefault(row, {})
            mine[field] = listed
            if field == "drops":
                mine["implied"] = ()
                continue
            for other in made.fans:  # a row that names this one does so no more, unless it is named here
                theirs = changes.get(other.name, {}).get(field, other.conflicts)
                if row in theirs and other.name not in listed:
                    changes.setdefault(other.name, {})[field] = tuple(x for x in theirs if x != row)
    return made.having(fans=changes) if changes else made


def reworded(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """The book with the house's sentences in place of the rows' own; no score hangs on them."""
    changes: dict[str, dict[str, str]] = {}
    for name, sentence in data.get("sentences", {}).items():
        row = file.apply(partial(made.fan, name), "sentences", name).name
        if not _text(sentence, _LONGEST_SENTENCE):
            file.wrong(
                f"“{name}”的话应是一行，最多 {_LONGEST_SENTENCE} 字。",
                f"the sentence of {name!r} must be one line of {_LONGEST_SENTENCE} characters at most.",
                "sentences", name,
            )  # fmt: skip
        changes[row] = {"sentence": sentence}
    return made.having(fans=changes) if changes else made


def _named(book: Rulebook, word: str, field: str) -> str:
    """A name among the relations as the rows write it: a fan, or of 不计 also * (all), *class, and + before a name."""
    if field == "drops" and (word == "*" or word.removeprefix("*") in {fan.category for fan in book.fans}):
        return word
    plus = field == "drops" and word.startswith("+")
    return "+" * plus + book.fan(word[1:] if plus else word).name


def _text(value: object, most: int) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= most and value.isprintable()


def _names(value: object) -> bool:
    return isinstance(value, list) and all(_text(entry, LONGEST_NAME) for entry in value)


_FAN: Final[dict[str, tuple[Callable[[Any], bool], str, str]]] = {
    "when": (lambda value: isinstance(value, str), "一个公式", "a formula"),
    "value": (lambda value: isinstance(value, (int, dict, list)), "番值", "a value"),
    "english": (lambda value: _text(value, LONGEST_NAME), *A_NAME),
    "class": (lambda value: _text(value, LONGEST_NAME), *A_NAME),
    "sentence": (lambda value: _text(value, _LONGEST_SENTENCE), *_A_SENTENCE),
    "most": (
        lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _TIMES_MOST,
        f"1 到 {_TIMES_MOST}",
        f"1 to {_TIMES_MOST}",
    ),
    "drops": (_names, "番种名称的列表", "a list of names of fans"),
    "conflicts": (_names, "番种名称的列表", "a list of names of fans"),
}
"""What a new fan is written with: when it holds (`quepu.rules.formula`), what it is worth, its relations and words."""
