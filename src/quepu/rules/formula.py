"""Conditions written as formulas: 有(相连(刻子, 3)) 且 非 清一色, has(in_a_row(pungs, 3)) and not 清一色.

A formula is parsed into a condition of the same vocabulary that rows are written in; it is never run as Python. Its
length, depth and number of parts are bounded. Names of the book's fans are conditions, too.

    formula    := both {("或" | "or") both}
    both       := single {("且" | "and") single}
    single     := ("非" | "not" | "!") single | comparison
    comparison := sum [("=" | "!=" | "<" | "<=" | ">" | ">=") sum]
    sum        := tiles {("+" | "-") tiles}
    tiles      := part {("&" | "|" | "除" | "without") part}      sets of tiles: both, either, those without others
    part       := number | 258m | word | word "(" formula {"," formula} ")" | "fan name" | "(" formula ")"

序数 alone takes a list of ranks, 序数(2468). Where a name means tiles and a fan (中), its place decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from quepu.hands.planes import Planes
from quepu.rules.formula_parser import Parsed, Parser
from quepu.rules.formula_tokens import FormulaError
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

__all__ = ["LONGEST", "Formula", "FormulaError", "parse_formula"]

LONGEST: Final = 400
"""The most characters of a formula."""


class Formula:
    """A condition made of a formula, called with planes like any other; a pickle has its text and its fans' names."""

    def __init__(self, text: str, parsed: Parsed, places: bool) -> None:
        self.text, self.tree, self.size, self.places = text, parsed.tree, parsed.size, places
        self._run, self.fans, self._luck = parsed.run, parsed.fans, parsed.luck

    def __call__(self, h: Planes) -> Any:
        """Return how often it holds (0 or 1 for a truth)."""
        return self._run(h)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text, self.fans, self._luck, self.places)


def _again(text: str, fans: tuple[Fan, ...], luck: tuple[tuple[str, int], ...], places: bool = False) -> Formula:
    return _parse(text, _names(fans), dict(luck), places=places)


def parse_formula(text: str, book: Rulebook, *, places: bool = False) -> Formula:
    """The condition that a formula says, in which the book's fans and circumstances may be named.

    `places`: it says the tiles at which a fan holds, and not whether.

    Raises:
        FormulaError: it is invalid, or not a condition of a hand; with the position.
    """
    return _parse(text, _names(book.fans), book.circumstances, places=places)


def _names(fans: Iterable[Fan]) -> dict[str, tuple[Fan, ...]]:
    """Map names and aliases to fans; a name takes precedence over an alias, and an alias may be shared."""
    found: dict[str, tuple[Fan, ...]] = {}
    listed = tuple(fans)
    for fan in listed:
        for alias in fan.aliases:
            found[alias] = (*found.get(alias, ()), fan)
    return found | {fan.name: (fan,) for fan in listed}


def _parse(text: str, fans: Mapping[str, tuple[Fan, ...]], luck: Mapping[str, int], *, places: bool) -> Formula:
    _refuse_long(text)
    return Formula(text, Parser(text, fans, luck).formula(places), places)


def _refuse_long(text: str) -> None:
    if len(text) > LONGEST:
        raise FormulaError(
            f"公式太长，最多 {LONGEST} 个字符。", f"the formula is too long: at most {LONGEST} characters.", LONGEST
        )


def parse_numbers(text: str, names: Sequence[str]) -> Callable[[Mapping[str, int]], int]:
    """The number (a truth is 1 or 0) that a formula of named numbers says; these may be multiplied.

    Raises:
        FormulaError: it cannot be read; with the place.
    """
    _refuse_long(text)
    return Parser(text, {}, {}, names).number()
