"""What a row of 玉雀's two tables says beside name, value and condition."""

from __future__ import annotations

from quepu.planes import Condition
from quepu.rulebook import ALL, Example, Fan, words

PUNGS, ACCIDENTS, PATTERNS, CLOSED_HAND = "刻子类", "偶然类", "牌型类", "门前清"


def fan(
    number: str,
    name: str,
    value: int,
    english: str,
    sentence: str,
    when: Condition,
    example: Example,
    near_miss: Example,
    *,
    category: str = PATTERNS,
    of: int = ALL,
    groups: int = 0,
    priority: int = 0,
    contains: str = "",
    excludes: str = "",
    remark: str = "",
    off: int = 0,
    cut: int = 0,
    serves: bool = False,
    aliases: str = "",
    rulings: str = "",
) -> Fan:
    """One 番种 of the book.

    `number`, `groups` and `priority` are the book's columns 序号, 涉及组数 and 优先级, `remark` its 备注. `contains`
    names the fans that hold wherever this one holds, `excludes` those the remark says it 排斥. `off` is what is taken
    off after the fan is counted (15-2), `cut` what its value loses when 番刻 are counted. `serves`: the pungs it is
    made of are 番刻.
    """
    return Fan(
        name,
        value,
        category,
        sentence + remark,
        when,
        english,
        of=of,
        drops=words(contains),
        conflicts=words(excludes),
        aliases=words(aliases),
        example=example,
        near_miss=near_miss,
        rulings=words(rulings),
        extra={
            "number": number,
            "groups": groups,
            "priority": priority,
            "off": off,
            "cut": cut,
            "serves": serves,
        },
    )


def hand(text: str, seat: str = "E", self_draw: bool = False, circumstances: str = "", round: str = "E") -> Example:
    """An example as one line."""
    return Example(text, seat, round, self_draw, words(circumstances))
