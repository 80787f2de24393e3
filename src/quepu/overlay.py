"""House rules in a small TOML file: a base book and what is different.

base = "lingque-29"
title = "本社规则"
minimum = 8
without = ["喜相逢"]

[values]
"三连刻" = { fu = 20 }

[aliases]
"碰碰和" = "对对和"

[options]
flowers = true
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from quepu.errors import Error, OverlayError, Text, why
from quepu.rulebook import Rulebook
from quepu.rulebooks import book, book_ids

_MOST_BYTES: Final = 1 << 20
_LONGEST_ID: Final = 60
_UNNAMED: Final = Text("本桌规则", "house rules")
_T = TypeVar("_T")


def load(path: str | Path) -> Rulebook:
    """The rulebook that a file makes.

    Raises:
        OverlayError: the file cannot be read, or says something that cannot be applied; with the line.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
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
    return read(text, name=path.name, id=re.sub(r"[^\w-]+", "-", path.stem)[:_LONGEST_ID])


def named(name: str) -> Rulebook:
    """A rulebook by id or alias, or by the path of a .toml file.

    Raises:
        UnknownName: there is no such book.
        OverlayError: the file cannot be read or applied.
    """
    return load(name) if name.endswith(".toml") else book(name)


def read(text: str, name: str = "TOML", id: str = "house") -> Rulebook:
    """The rulebook that the text of such a file makes. `name` is what errors call it, `id` the new book's default id.

    Raises:
        OverlayError: it says something that cannot be applied; with the line.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        lines = text.splitlines()
        at = int(line[1]) if line else len(lines)
        said = f" ({error})"
        if not isinstance(error, tomllib.TOMLDecodeError):  # a monstrous number or list: on the longest line
            at, said = max(range(len(lines)), key=lambda i: len(lines[i])) + 1, ""
        raise OverlayError(
            f"{name} 第 {at} 行：不是正确的 TOML。", f"{name}, line {at}: not valid TOML{said}."
        ) from None
    return _File(text, name, data).rulebook(id)


class _File:
    """One file while it is being applied."""

    def __init__(self, text: str, name: str, data: dict[str, Any]) -> None:
        self.text, self.name, self.data = text, name, data

    def wrong(self, zh: str, en: str, *keys: str) -> NoReturn:
        line = _line(self.text, keys)
        raise OverlayError(f"{self.name} 第 {line} 行：{zh}", f"{self.name}, line {line}: {en}")

    def rulebook(self, id: str) -> Rulebook:
        for key in self.data:
            if key not in _KEYS:
                listed = " ".join(_KEYS)
                self.wrong(f"不认识“{key}”，可用：{listed}。", f"unknown key {key!r}; there are: {listed}.", key)
        if "base" not in self.data:
            self.wrong("缺少 base（以哪一本规则为底）。", "base is missing (which rulebook this starts from).")
        for key, value in self.data.items():
            fits, zh, en = _KEYS[key]
            if not fits(value):
                self.wrong(f"“{key}”应是{zh}。", f"{key!r} must be {en}.", key)
        if self.data.get("id") in book_ids():
            self.wrong(f"已经有编号是“{self.data['id']}”的规则。", f"there is a rulebook {self.data['id']!r}.", "id")
        base = self.apply(lambda: book(self.data["base"]), "base")
        made = base
        for key in ("options", "values", "aliases", "without"):  # one at a time, so that an error has its line
            made = self.each(made, key)
        title = self.data.get("title")
        called = _UNNAMED if id == "house" else Text(id, id)  # what came without a file has no name of its own
        return made.having(
            id=self.data.get("id", f"{id}-house" if id in book_ids() else id),
            title=_title(title) if title else Text(f"{base.title.zh}（{called.zh}）", f"{base.title.en} ({called.en})"),
            minimum=self.data.get("minimum"),
            flower_value=self.data.get("flower_value"),
        )

    def each(self, made: Rulebook, key: str) -> Rulebook:
        entries = self.data.get(key, {})
        if isinstance(entries, list):
            off = {self.apply(partial(made.fan, name), key, name).name for name in entries}
            return made.having(without=off)
        fresh = made
        for name, value in entries.items():
            if key == "aliases" and value in fresh.index:
                self.wrong(f"已经有叫“{value}”的番种。", f"there is a fan called {value!r} already.", key, name)
            change: dict[str, Any] = {key: {name: value}}
            fresh = self.apply(partial(fresh.having, **change), key, name)
        return fresh

    def apply(self, action: Callable[[], _T], *keys: str) -> _T:
        """What the action gives; its errors are told with the line of these keys."""
        try:
            return action()
        except Error as error:
            self.wrong(error.text.zh, error.text.en, *keys)


def _title(title: str | Mapping[str, str]) -> Text:
    if isinstance(title, str):
        return Text(title, title)
    zh = title.get("zh") or title["en"]
    return Text(zh, title.get("en") or zh)


def _natural(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**6


def _name(value: object) -> bool:
    return isinstance(value, str) and value.strip() != "" and value.isprintable()


def _id(value: object) -> bool:
    """An id stands in names of files: no folders, no dots."""
    return isinstance(value, str) and re.fullmatch(rf"[\w-]{{1,{_LONGEST_ID}}}", value) is not None


def _names(value: object) -> bool:
    return isinstance(value, list) and all(_name(entry) for entry in value)


def _named(value: object) -> bool:
    return isinstance(value, dict) and all(_name(entry) for entry in value.values())


def _titled(value: object) -> bool:
    return _name(value) or (isinstance(value, dict) and {*value} <= {"zh", "en"} and bool(value) and _named(value))


_KEYS: Final[dict[str, tuple[Callable[[object], bool], str, str]]] = {
    "base": (_name, "规则的名称", "the name of a rulebook"),
    "id": (_id, f"{_LONGEST_ID} 个以内的字、数字和连字符", f"letters, digits and hyphens, {_LONGEST_ID} at most"),
    "title": (_titled, "一段文字，或 { zh = …, en = … }", "text, or { zh = …, en = … }"),
    "minimum": (_natural, "不小于 0 的整数", "an integer of 0 or more"),
    "flower_value": (_natural, "不小于 0 的整数", "an integer of 0 or more"),
    "without": (_names, "番种名称的列表", "a list of names of fans"),
    "values": (lambda value: isinstance(value, dict), "一张表：番种 = 值", "a table of fan = value"),
    "aliases": (_named, "一张表：旧名 = 新名", "a table of old name = new name"),
    "options": (lambda value: isinstance(value, dict), "一张表：选项 = 取值", "a table of option = choice"),
}


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
