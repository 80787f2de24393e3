"""Checks and words that the parts of a file of house rules share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, Protocol, TypeVar

from quepu.errors import Text

LONGEST_NAME: Final = 60
A_NAME: Final = (f"一行，1 到 {LONGEST_NAME} 个字", f"one line of 1 to {LONGEST_NAME} characters")
_LONGEST_TITLE: Final = 80
_MOST_POINTS: Final = 10**6
A_NATURAL: Final = (f"从 0 到 {_MOST_POINTS} 的整数", f"an integer from 0 to {_MOST_POINTS}")
_T = TypeVar("_T")


class Refuses(Protocol):
    """A file of house rules whose errors name the line."""

    def wrong(self, zh: str, en: str, *keys: str) -> NoReturn:
        """Refuse what stands at these keys."""

    def apply(self, action: Callable[[], _T], *keys: str) -> _T:
        """Return the result of the action; its errors get the line of these keys."""


def should_be(zh: str) -> str:
    """Write what something should be, in Chinese: apart from 应是 where it begins with a digit or a letter."""
    return f"应是 {zh}" if zh[0].isascii() else f"应是{zh}"


def natural(value: object) -> bool:
    """Whether a value is a whole number from 0 to a million."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_POINTS


def line_of(value: object, most: int) -> bool:
    """Whether a value is one line of so many characters at most."""
    return isinstance(value, str) and 0 < len(value.strip()) <= most and value.isprintable()


def names(value: object) -> bool:
    """Whether a value is a list of names of fans."""
    return isinstance(value, list) and all(line_of(entry, LONGEST_NAME) for entry in value)


def is_name(value: object) -> bool:
    """Whether a value is one line that is not blank, of any length."""
    return isinstance(value, str) and value.strip() != "" and value.isprintable()


def is_title(value: object) -> bool:
    """Whether a value is a text, or one in Chinese and English."""
    if isinstance(value, dict):
        return {*value} <= {"zh", "en"} and bool(value) and all(is_name(entry) for entry in value.values())
    return is_name(value)


def text_of(title: str | Mapping[str, Any]) -> Text:
    """Return a title in both languages; a missing language is taken from the other."""
    if isinstance(title, str):
        return Text(title[:_LONGEST_TITLE], title[:_LONGEST_TITLE])
    zh = title.get("zh") or title["en"]
    return Text(zh[:_LONGEST_TITLE], (title.get("en") or zh)[:_LONGEST_TITLE])
