"""How a row of 广东 is written."""

from __future__ import annotations

from typing import Any

from quepu.planes import Condition
from quepu.rulebook import ALL, Example, Fan, words
from quepu.rulebooks.canton.luck import CIRCUMSTANCES, SELF_DRAW

SHAPE, WAIT, MANNER, FLOWER, APART = "牌型", "叫糊", "食糊方式", "花牌", "牌外"
"""Classes of patterns. FLOWER and the dealer's fan never help to reach the minimum; APART wins outside the tiles."""

ENGLISH_CLASS = {
    SHAPE: "hand shape", WAIT: "wait", MANNER: "winning manner", FLOWER: "flowers", APART: "outside the hand",
}  # fmt: skip


def ex(hand: str, circumstances: str = "", *, seat: str = "S", round: str = "E", flowers: str = "") -> Example:
    """A hand of a row; circumstances and flowers are names with spaces between. Those that are drawn say so."""
    named = words(circumstances)
    drawn = any(CIRCUMSTANCES[name] & SELF_DRAW for name in named)
    return Example(hand, seat, round, drawn, named, words(flowers))


def fan(
    name: str,
    value: int,
    category: str,
    sentence: str,
    when: Condition,
    english: str,
    *,
    of: int = ALL,
    stated: str = "",
    implied: str = "",
    most: int = 1,
    alias: str = "",
    beside: bool = False,
    frees: str = "",
    each_more: int = 0,
    plain: bool = False,
    example: str | Example,
    near: str | Example,
    rulings: str = "",
) -> Fan:
    """One row.

    `stated` are the patterns the seed says are not added, `implied` those that its general sentence keeps out because
    they must accompany this one (they stay where they are worth more, R2). `beside` keeps a pattern out of the
    minimum; `frees` are counted again when this row itself is not added; `each_more` is what a second time adds;
    `plain` holds only where no other pattern of tiles does.
    """
    extra: dict[str, Any] = {}
    if implied:
        extra["implied"] = words(implied)
    if beside:
        extra["beside"] = True
    if frees:
        extra["frees"] = words(frees)
    if each_more:
        extra["each_more"] = each_more
    if plain:
        extra["plain"] = True
    return Fan(
        name,
        value,
        category,
        sentence,
        when,
        english,
        of=of,
        drops=words(stated) + words(implied),
        most=most,
        aliases=words(alias),
        example=ex(example) if isinstance(example, str) else example,
        near_miss=ex(near) if isinstance(near, str) else near,
        rulings=words(rulings),
        extra=extra,
    )
