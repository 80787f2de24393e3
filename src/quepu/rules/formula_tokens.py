"""Tokens of a formula (numbers, tiles, names of words, fans and circumstances, signs) and operations on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from quepu.errors import Error, near_names
from quepu.folding import one_script
from quepu.hands.planes import Condition
from quepu.rules.formula_words import OPERATORS, words
from quepu.tiles import BIT

COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


JOINS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "without": lambda x, y: x ^ (x & y),
}


def select_kinds(kinds: Condition) -> Condition:
    """The tiles of these kinds that the hand has: a set of kinds alone is never empty."""
    return lambda h: h.t1 & kinds(h)


def always(value: int) -> Condition:
    """The condition that is this number in every hand."""
    return lambda h: value


def join_conditions(join: Callable[[Any, Any], Any], a: Condition, b: Condition) -> Condition:
    """Two conditions joined by an operation."""
    return lambda h: join(a(h), b(h))


_TILES: Final = re.compile(r"([1-9]{1,9})([mpsMPS万萬筒饼餅索条條])")
_NUMBER: Final = re.compile(r"[0-9]+")
_LATIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED: Final = re.compile(r'"([^"]*)"|“([^“”]*)”|「([^「」]*)」')
_WIDE: Final = (
    "（），、＋－＝＜＞≤≥≠！＆×＊", ("(", ")", ",", ",", "+", "-", "=", "<", ">", "<=", ">=", "!=", "!", "&", "*", "*"),
)  # fmt: skip
_SIGNS: Final = dict(zip(*_WIDE, strict=True)) | {"==": "=", "！=": "!=", "&&": "and", "||": "or"}
_SIGN: Final = re.compile(r"==|!=|！=|<=|>=|&&|\|\||[()（），、,+＋\-－*×＊=＝≠<＜>＞≤≥!！&＆|]")
_SUIT: Final = {letter: suit for suit, letters in enumerate(("mM万萬", "pP筒饼餅", "sS索条條")) for letter in letters}
HONOURS: Final = {letter: 27 + i for i, letters in enumerate(("东東E", "南S", "西W", "北N", "中C", "发發F", "白P"))
                  for letter in letters}  # fmt: skip
"""The kinds of winds and dragons by name."""


class FormulaError(Error):
    """A formula that cannot be read; `at` is the position."""


class Token(NamedTuple):
    """A token: "number" (its digits), "tiles", "word", "fan", "end" or the sign itself; its value; its position."""

    sign: str
    value: Any
    at: int


class Tokenizer:
    """A formula and the names that may occur in it."""

    def __init__(self, text: str, fans: Iterable[str], luck: Iterable[str]) -> None:
        self.text, self.fans, self.luck = text, frozenset(fans), frozenset(luck)
        self.folded = one_script(text)
        names = sorted({*words(), *OPERATORS, *self.fans, *self.luck, *HONOURS}, key=lambda name: (-len(name), name))
        self.names: dict[str, list[tuple[str, str]]] = {}  # by the first character: the name in one script, the name
        for name in names:
            if name:
                spelled = one_script(name)
                self.names.setdefault(spelled[0], []).append((spelled, name))
        self.quoted = {one_script(name): name for name in self.fans}

    def tokens(self) -> list[Token]:
        """Return the tokens of the whole text, followed by "end"."""
        found, at, text = [], 0, self.text
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            token, end = self._token(at)
            found.append(token)
            at = end
        return [*found, Token("end", "", len(text))]

    def _token(self, at: int) -> tuple[Token, int]:
        text = self.text
        if tiles := _TILES.match(text, at):
            suit = _SUIT[tiles[2]]
            plane = 0
            for digit in tiles[1]:
                plane |= BIT[9 * suit + int(digit) - 1]
            return Token("tiles", plane, at), tiles.end()
        if number := _NUMBER.match(text, at):
            return Token("number", number[0], at), number.end()
        if quoted := _QUOTED.match(text, at):
            name = next(group for group in quoted.groups() if group is not None)
            name = name if name in self.fans else self.quoted.get(one_script(name), name)
            if name not in self.fans:
                raise FormulaError(f"没有“{name[:20]}”这个番种。", f"there is no fan {name[:20]!r}.", at)
            return Token("fan", name, at), quoted.end()
        if sign := _SIGN.match(text, at):
            return Token(_SIGNS.get(sign[0], sign[0]), sign[0], at), sign.end()
        name = self._name(at)
        if name in OPERATORS:
            return Token(OPERATORS[name], name, at), at + len(name)
        if name in HONOURS and name not in self.fans and name not in self.luck:
            return Token("tiles", BIT[HONOURS[name]], at), at + len(name)
        return Token("word", name, at), at + len(name)

    def _name(self, at: int) -> str:
        """Return the longest name at this position; an English one ends with its letters."""
        text, folded = self.text, self.folded
        latin = _LATIN.match(text, at)
        found = ""
        for spelled, name in self.names.get(folded[at], ()):
            if len(name) < len(found):
                break
            if folded.startswith(spelled, at) and (latin is None or at + len(name) >= latin.end()):
                if text.startswith(name, at):
                    return name
                found = found or name
        if found:
            return found
        if latin is None:
            unknown = re.compile(r"[^\s()（），,、+\-<>=!&|\"“”]{0,12}").match(text, at)
            given = unknown[0] if unknown and unknown[0] else text[at]
        else:
            given = latin[0][:20]
            if given.lower() in words() or given.lower() in OPERATORS:
                raise FormulaError(f"“{given}”请写作小写。", f"write {given!r} in small letters.", at)
        near = near_names(given, {name: name for names in self.names.values() for _, name in names}, most=3)
        raise FormulaError(
            f"不认识“{given}”。" + (f"是不是{'、'.join(near)}？" if near else ""),
            f"unknown word {given!r}." + (f" Did you mean {' / '.join(near)}?" if near else ""),
            at,
        )
