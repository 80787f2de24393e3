"""The tree of a formula, and the same formula written in Chinese or in English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from quepu.rules.formula_words import words
from quepu.tiles import BIT, KIND, NAMES, SIMPLIFIED

_ATOM: Final = 8
LEVELS: Final[Mapping[str, int]] = {
    "or": 1, "and": 2, "not": 3, **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), 4), "+": 5, "-": 5, "*": 6,
    **dict.fromkeys(("&", "|", "without"), 7),
}  # fmt: skip
"""How tightly the signs of a formula bind; what is not listed is a word, a number or a set in itself."""
_CHINESE: Final = {"or": "或", "and": "且", "not": "非 ", "without": "除"}
_ENGLISH: Final = {"not": "not "}
_FIRST_HONOUR: Final = 27
_SUIT: Final = 9


class Node(NamedTuple):
    """A part of a formula: a sign, "word", "fan", "luck", "number", "ranks", "tiles", "name" or "held"; its parts.

    "held" stands for the tiles of a set that the hand has, which the words of a formula leave unsaid.
    """

    kind: str
    value: str = ""
    parts: tuple[Node, ...] = ()


def write_formula(tree: Node, lang: str) -> str:
    """Return a formula in the words of a language. Fans and circumstances keep their names."""
    return _in_words(tree, lang)


def _in_words(node: Node, lang: str, least: int = 0) -> str:
    """Return a part in words, in brackets if it binds less than `least`."""
    level = LEVELS.get(node.kind, _ATOM)
    if node.kind == "held":
        (tiles,) = node.parts
        return _in_words(tiles, lang, least)
    if node.kind == "not":
        (condition,) = node.parts
        text = (_CHINESE if lang == "zh" else _ENGLISH)["not"] + _in_words(condition, lang, 4)
    elif level < _ATOM:
        sign = (_CHINESE if lang == "zh" else _ENGLISH).get(node.kind, node.kind)
        text = f"{_in_words(node.parts[0], lang, level)} {sign} {_in_words(node.parts[1], lang, level + 1)}"
    elif node.kind == "word":
        word = words()[node.value]
        text = word.zh if lang == "zh" else word.en
        if node.parts:
            text += f"({', '.join(_in_words(part, lang) for part in node.parts)})"
    elif node.kind == "tiles":
        text = _tiles(int(node.value), lang)
    elif node.kind == "fan" and (re.search(r"\W", node.value) or node.value in words()):
        text = f'"{node.value}"'
    else:
        text = node.value
    return f"({text})" if level < least else text


def _tiles(plane: int, lang: str) -> str:
    """Return ranks of one suit, or an honour, by name: 19m, E."""
    kinds = [KIND[bit] for bit in BIT if plane & bit]
    first, *_ = kinds
    if first >= _FIRST_HONOUR:
        return (SIMPLIFIED if lang == "zh" else NAMES)[first]
    return "".join(str(kind % _SUIT + 1) for kind in kinds) + "mps"[first // _SUIT]
