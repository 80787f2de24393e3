"""House rules in a small TOML file: a base book and the changes to it.

base = "lingque-29"
title = "本社规则"
minimum = 8
without = ["全不靠"]

[values]
"三连刻" = { fu = 20 }
"番牌 中" = { fu = 6, pair_fu = 3 }

[aliases]
"对对和" = "碰碰和"

[table]
flowers = true
concealed_kongs_hidden = true

[penalties]
"错和" = 20
"提前摸牌" = { points = 0, again = [10, 20], to = "nobody" }
"诈和" = { points = 40, to = "others", barred = true, text = "没有听牌而报和" }

[fans."三色刻龙"]
when = "有(三色相连(刻子, 3))"
value = { fu = 20, fan = 3 }
english = "mixed pung dragon"
class = "部分关联"
drops = ["喜相逢"]

[conflicts]
"三连刻" = ["三色刻龙"]

[sentences]
"三连刻" = "和牌中有同色三副序数连续的刻子。计 20 副 3 翻。"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from quepu.errors import Error, OverlayError, Text, why
from quepu.rulebooks.registry import book, book_ids
from quepu.rules.edits import revalue_row
from quepu.rules.house_fans import (
    FANS_MOST,
    add_fans,
    arrange_classes,
    leaving,
    place_fans,
    relate_fans,
    revise_fans,
    reword_fans,
)
from quepu.rules.house_mistakes import refuse_left_out, refuse_mistakes
from quepu.rules.house_play import with_faults, with_play
from quepu.rules.house_rulings import with_rulings
from quepu.rules.house_words import A_NAME, A_NATURAL, LONGEST_NAME, is_name, is_title, natural, should_be, text_of
from quepu.rules.rulebook import Rulebook

_MOST_BYTES: Final = 1 << 16
MOST_ENTRIES: Final = 200
"""Names that one file may change: values, other names, options and fans left out, together."""
_DEEPEST: Final = 4
_LONGEST_ID: Final = 60
_LONGEST_TITLE: Final = 80
_MOST_POINTS: Final = 10**6
_TIMES_MOST: Final = 10
_TWICE: Final = re.compile("overwrite|twice|redefine|Duplicate|mutate")
"""In what `tomllib` says of a key or a table that is there already."""
UNNAMED_ID: Final = "house"
UNNAMED: Final = Text("自定规则", "house rules")
"""The id and the title of house rules that give themselves none."""
_T = TypeVar("_T")


def load(path: str | Path, *, recorded: bool = False) -> Rulebook:
    """The rulebook that a file makes; `recorded`: one by which games were played, as `read` says.

    Raises:
        OverlayError: the file cannot be read, or says something that cannot be applied; with the line.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        reason = why(error)
        raise OverlayError(
            f"读不了规则文件 {path}：{reason.zh}。", f"cannot read the rules file {path}: {reason.en}."
        ) from None
    if len(data) > _MOST_BYTES:
        raise OverlayError(f"{path} 太大，不像规则文件。", f"{path} is too large for a rules file.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OverlayError(f"{path} 不是 UTF-8 文本。", f"{path} is not UTF-8 text.") from None
    return read(text, name=path.name, id=re.sub(r"[^\w-]+", "-", path.stem)[:_LONGEST_ID], recorded=recorded)


def read(text: str, name: str = "TOML", id: str = UNNAMED_ID, *, recorded: bool = False) -> Rulebook:
    """The rulebook that the text of such a file makes. `name` is what errors call it, `id` the new book's default id.

    `recorded`: games were played by it, so what only a new file must not say (`refuse_mistakes`) is let pass.

    Raises:
        OverlayError: it says something that cannot be applied; with the line.
    """
    deep = _too_deep(text)
    if deep:
        raise OverlayError(f"{name} 第 {deep} 行：套得太深。", f"{name}, line {deep}: nested too deep.")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        lines = text.splitlines()
        at = int(line[1]) if line else len(lines)
        detail = f" ({error})"
        if not isinstance(error, tomllib.TOMLDecodeError):  # a monstrous number or list: on the longest line
            at, detail = max(range(len(lines)), key=lambda i: len(lines[i])) + 1, ""
        wrong = Text("不是正确的 TOML", f"not valid TOML{detail}")
        if _TWICE.search(str(error)):
            wrong = Text("同一个名称写了两次", "the same name is written twice")
        raise OverlayError(f"{name} 第 {at} 行：{wrong.zh}。", f"{name}, line {at}: {wrong.en}.") from None
    return _File(text, name, data).rulebook(id, recorded)


@lru_cache(maxsize=64)
def _house(text: str) -> Rulebook:
    return read(text, recorded=True)


def draft(house: str) -> Rulebook:
    """The rulebook that house rules make which somebody is writing.

    Raises:
        OverlayError: they cannot be applied, or say something by mistake.
    """
    read(house)
    return _house(house)


def book_of(rules: str, house: str) -> Rulebook:
    """The rulebook asked about: by name, or made by house rules, which may be those of a game long played.

    Raises:
        UnknownName: no such book.
        OverlayError: the house rules cannot be applied.
    """
    return _house(house) if house.strip() else book(rules)


class _File:
    """One file while it is being applied."""

    def __init__(self, text: str, name: str, data: dict[str, Any]) -> None:
        self.text, self.name, self.data = text, name, data

    def wrong(self, zh: str, en: str, *keys: str) -> NoReturn:
        line = _line(self.text, keys)
        raise OverlayError(f"{self.name} 第 {line} 行：{zh}", f"{self.name}, line {line}: {en}")

    def rulebook(self, id: str, recorded: bool) -> Rulebook:
        for key in self.data:
            if key not in _KEYS:
                listed = " ".join(_KEYS)
                self.wrong(f"不认识“{key}”，可用：{listed}。", f"unknown key {key!r}; there are: {listed}.", key)
        if "base" not in self.data:
            self.wrong("缺少 base（以哪一本规则为底）。", "base is missing (which rulebook this starts from).")
        for key, value in self.data.items():
            fits, zh, en = _KEYS[key]
            if not fits(value):
                self.wrong(f"“{key}”{should_be(zh)}。", f"{key!r} must be {en}.", key)
        if self.data.get("id") in book_ids():
            self.wrong(f"已经有编号是“{self.data['id']}”的规则。", f"there is a rulebook {self.data['id']!r}.", "id")
        if sum(len(self.data.get(key, ())) for key in _LISTS) > MOST_ENTRIES:
            self.wrong(
                f"改动太多，最多 {MOST_ENTRIES} 条。", f"too many changes: at most {MOST_ENTRIES} of them.", "base"
            )
        if self.data["base"].endswith(".toml"):
            self.wrong(
                f"base 要是 quepu 自带的一本规则，不能是文件“{self.data['base']}”。",
                f"base must be a rulebook that comes with quepu, not the file {self.data['base']!r}.",
                "base",
            )
        base = self.apply(lambda: book(self.data["base"]), "base")
        made = base
        former = {option.former: option.key for option in base.options if option.former}
        for option, choice in self.data.get("options", {}).items():
            if option in former and not recorded:
                now = former[option]
                self.wrong(f"选项“{option}”现在叫“{now}”。", f"option {option!r} is now called {now!r}.", option)
            made = self.apply(partial(made.having, options={option: choice}), "options", option)
        full = made
        made = self.without(made.having(values=self.values(made), aliases=self.map_names(made)))
        made = arrange_classes(self, self.data, with_play(self, self.data, made))
        made = add_fans(self, self.data, revise_fans(self, self.data, made))
        refuse_left_out(self, self.data, full)
        made = leaving(self, self.data, reword_fans(self, self.data, relate_fans(self, self.data, made)))
        made = place_fans(self, self.data, made)
        made = with_rulings(self, self.data, with_faults(self, self.data, made))
        if not recorded:
            refuse_mistakes(self, self.data, full, made)
        title = self.data.get("title")
        called = UNNAMED if id == UNNAMED_ID else Text(id, id)  # what came without a file has no name of its own
        return made.having(
            id=self.data.get("id", f"{id}-house" if id in book_ids() else id),
            title=text_of(title)
            if title
            else Text(f"{base.title.zh}（{called.zh}）", f"{base.title.en} ({called.en})"),
            minimum=self.data.get("minimum"),
            flower_value=self.data.get("flower_value"),
        )

    def values(self, made: Rulebook) -> dict[str, Any]:
        """The values of rows, each looked at by itself, so that an error has its line."""
        values = self.data.get("values", {})
        for name, value in values.items():
            row = self.apply(partial(made.fan, name), "values", name)
            self.apply(partial(revalue_row, row, value, name), "values", name)
        return dict(values)

    def map_names(self, made: Rulebook) -> dict[str, str]:
        """The new name of each row that gets one, one entry after the other: a new name may be renamed again."""
        rows: dict[str, str] = {}  # names given here, and the row of each
        for old, new in self.data.get("aliases", {}).items():
            row = rows[old] if old in rows else self.apply(partial(made.fan, old), "aliases", old).name
            if new in made.index or new in rows:
                self.wrong(f"已经有叫“{new}”的番种。", f"a fan called {new!r} already exists.", "aliases", old)
            rows[new] = row
        return {row: new for new, row in rows.items()}

    def without(self, made: Rulebook) -> Rulebook:
        """The book without the rows switched off."""
        names = self.data.get("without", [])
        return made.having(without={self.apply(partial(made.fan, name), "without", name).name for name in names})

    def apply(self, action: Callable[[], _T], *keys: str) -> _T:
        """Return the result of the action; its errors get the line of these keys."""
        try:
            return action()
        except Error as error:
            self.wrong(error.text.zh, error.text.en, *keys)


def _id(value: object) -> bool:
    """An id stands in names of files: no folders, no dots."""
    return isinstance(value, str) and re.fullmatch(rf"[\w-]{{1,{_LONGEST_ID}}}", value) is not None


def _renames(value: object) -> bool:
    return isinstance(value, dict) and all(is_name(new) and len(new) <= LONGEST_NAME for new in value.values())


def _is_name_list(value: object) -> bool:
    return isinstance(value, list) and all(map(is_name, value))


def _classes(value: object) -> bool:
    return isinstance(value, list) and all(
        is_name(one) or (isinstance(one, dict) and "name" in one and {*one} <= {"name", "was", "en"} and _renames(one))
        for one in value
    )


def _table(value: object) -> bool:
    return isinstance(value, dict)


def _tables(value: object) -> bool:
    return isinstance(value, list) and all(map(_table, value))


_KEYS: Final[dict[str, tuple[Callable[[object], bool], str, str]]] = {
    "base": (is_name, "规则的名称", "the name of a rulebook"),
    "id": (_id, f"{_LONGEST_ID} 个以内的字、数字和连字符", f"letters, digits and hyphens, {_LONGEST_ID} at most"),
    "title": (is_title, "一段文字，或 { zh = …, en = … }", "text, or { zh = …, en = … }"),
    "minimum": (natural, *A_NATURAL),
    "flower_value": (natural, *A_NATURAL),
    "without": (_is_name_list, "番种名称的列表", "a list of names of fans"),
    "values": (_table, "一张表：番种 = 值", "a table of fan = value"),
    "aliases": (
        _renames,
        f"一张表：旧名 = 新名，新名是{A_NAME[0]}",
        f"a table of old name = new name; a new name is {A_NAME[1]}",
    ),
    "classes": (
        _classes,
        "列表，各类依次：名称，或 { name = 名称, was = 旧名, en = 英文名 }",
        "a list of all classes in order: a name, or { name = …, was = its old name, en = its English name }",
    ),
    "changes": (
        _table,
        "一张表：书上的番种 = { 要改的 = … }",
        "a table of the book's fans = { field = … }",
    ),
    "residues": (
        _table,
        "一张表：已计的番种 = { 后计的番种 = 剩下的组数 }",
        "a table of fan counted = { fan after it = groups left }",
    ),
    "match": (_table, "一张表：对局的规矩 = 取值", "a table of rules of a match = choice"),
    "options": (_table, "一张表：选项 = 取值", "a table of option = choice"),
    "table": (
        _table,
        "一张表：牌桌的规矩 = true 或 false",
        "a table of switch = true or false",
    ),
    "penalties": (_table, "一张表：罚例 = 分数", "a table of fault = points"),
    "fans": (
        lambda value: isinstance(value, dict) and len(value) <= FANS_MOST,
        f"一张表：新番种 = {{ when = 公式, value = 值 }}，最多 {FANS_MOST} 个",
        f"a table of new fan = {{ when = formula, value = value }}, {FANS_MOST} at most",
    ),
    "drops": (
        _table,
        "一张表：番种 = 不计的番种",
        "a table of fan = fans not counted with it",
    ),
    "conflicts": (
        _table,
        "一张表：番种 = 互斥的番种",
        "a table of fan = fans it excludes",
    ),
    "rulings": (
        _tables,
        "裁定的列表，写作 [[rulings]]",
        "a list of rulings, written as [[rulings]]",
    ),
    "sentences": (
        _table,
        "一张表：番种 = 书上的话",
        "a table of fan = the book's sentence",
    ),
}

_LISTS: Final = (
    "options", "values", "aliases", "without", "penalties", "fans", "changes", "residues", "drops", "conflicts", "sentences",
)  # fmt: skip
_TOKEN = re.compile(
    r'"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?' r"|'''[\s\S]*?(?:'''|$)|'[^'\n]*'?|#[^\n]*|[^\s\w]|[\s\w]+"
)


def _too_deep(text: str) -> int:
    """The line on which tables stand in tables deeper than any rules file needs; 0: nowhere.

    The parser takes a time that grows with the square of the depth, so it is not asked.
    """
    dots = depth = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word == ".":
            dots += 1
        elif word in "[{":
            depth += 1
        elif word in "]}":
            depth = max(0, depth - 1)
        elif word in "=," or "\n" in word:
            dots = 0
        if dots > _DEEPEST or depth > _DEEPEST:
            return text.count("\n", 0, token.start()) + 1
    return 0


def _line(text: str, keys: tuple[str, ...]) -> int:
    """The line (1-based) where the last of these keys stands; the first line if it is nowhere to be seen."""
    lines = text.splitlines()
    at = 0
    for key in keys:
        word = re.compile(rf"(?<![\w]){re.escape(key)}(?![\w])")
        found = next((i for i in range(at, len(lines)) if word.search(lines[i].split("#")[0])), None)
        if found is None:
            break
        at = found
    return at + 1
