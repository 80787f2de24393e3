"""How a row of 灵雀 is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from quepu.planes import Condition
from quepu.rulebook import ALL, Example, Fan, words

LUCK, SPECIAL, CALLS, SETS, HONOURS, TERMINALS, SUITS, RANKS, WHOLE, SAME, RELATED = (
    "偶然", "特殊", "鸣牌", "刻、杠", "字牌", "幺九", "花色", "序数", "全体关联", "部分一致", "部分关联",
)  # fmt: skip
"""The classes (类) of 番种, as the table at the end of v29 writes them."""

ENGLISH_CLASS = {
    "偶然": "luck", "特殊": "special", "鸣牌": "calls", "副露": "calls", "刻、杠": "pungs and kongs", "字牌": "honours",
    "幺九": "terminals", "花色": "suits", "序数": "ranks", "全体关联": "whole-hand relations",
    "部分一致": "equal chows", "部分关联": "partial relations",
}  # fmt: skip


class FuFan(NamedTuple):
    """What a row is worth: 副 and 翻."""

    fu: int
    fan: int


def fan(
    name: str,
    fu: int,
    fan: int,
    category: str,
    sentence: str,
    when: Condition,
    english: str,
    *,
    of: int = ALL,
    drops: str = "",
    implied: str = "",
    conflicts: str = "",
    most: int = 1,
    alias: str = "",
    pair: FuFan | None = None,
    example: str | Example,
    near: str | Example,
    rulings: str = "",
) -> Fan:
    """One row. `drops` are printed (不计…), `implied` follow from the general sentence about implied fans.

    `pair` makes it a 番牌: the value where the tile is only a pair; its pungs merge for the 翻.
    """
    extra: dict[str, Any] = {}
    if implied:
        extra["implied"] = words(implied)
    if pair is not None:
        extra["pair"] = pair
    return Fan(
        name,
        FuFan(fu, fan),
        category,
        sentence,
        when,
        english,
        of=of,
        drops=words(drops) + words(implied),
        conflicts=words(conflicts),
        most=most,
        aliases=words(alias),
        example=_example(example),
        near_miss=_example(near),
        rulings=words(rulings),
        extra=extra,
    )


def again(rows: Iterable[Fan]) -> Any:
    """A writer of rows that take condition, English name, groups and hands from the row of that name in `rows`.

    Two editions share what a 番种 is; its value, its sentence and its relations are each edition's own.
    """
    known = {row.name: row for row in rows}

    def row(
        name: str,
        fu: int,
        fan: int,
        sentence: str,
        *,
        category: str = "",
        when: Condition | None = None,
        drops: str = "",
        implied: str = "",
        conflicts: str = "",
        example: str | Example | None = None,
        near: str | Example | None = None,
        rulings: str | None = None,
    ) -> Fan:
        old = known[name]
        extra = {key: value for key, value in old.extra.items() if key != "implied"}
        if implied:
            extra["implied"] = words(implied)
        return replace(
            old,
            value=FuFan(fu, fan),
            category=category or old.category,
            sentence=sentence,
            when=when or old.when,
            drops=words(drops) + words(implied),
            conflicts=words(conflicts),
            example=old.example if example is None else _example(example),
            near_miss=old.near_miss if near is None else _example(near),
            rulings=old.rulings if rulings is None else words(rulings),
            extra=extra,
        )

    return row


def _example(hand: str | Example) -> Example:
    return hand if isinstance(hand, Example) else Example(hand)
