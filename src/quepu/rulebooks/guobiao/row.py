"""How a row of 国标 is written down."""

from __future__ import annotations

from typing import Any

from quepu.planes import Condition
from quepu.rulebook import ALL, Example, Fan, words


def fan(
    name: str,
    value: int,
    sentence: str,
    when: Condition,
    english: str,
    *,
    of: int = ALL,
    on: Condition | None = None,
    drops: str = "",
    most: int = 1,
    aliases: str = "",
    example: Example | None = None,
    near_miss: Example | None = None,
    rulings: str = "",
    joins: bool = False,
    **extra: Any,
) -> Fan:
    """One 番种; its category is the heading it stands under in the seed, its worth."""
    return Fan(
        name, value, f"{value}番", sentence, when, english, of, words(drops), (), most, joins, on, words(aliases),
        example, near_miss, words(rulings), extra,
    )  # fmt: skip


def join(name: str, value: int, of: int, sentence: str, when: Condition, english: str, **rest: Any) -> Fan:
    """A 番种 that relates sets to each other: the only kind that falls under 套算一次."""
    return fan(name, value, sentence, when, english, of=of, joins=True, **rest)


def shown(hand: str, *circumstances: str, **said: Any) -> Example:
    """A hand that shows a row, with what was said beside it."""
    return Example(hand, circumstances=circumstances, **said)
