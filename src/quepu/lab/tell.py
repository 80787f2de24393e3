"""What the tables of the lab have in common: their source line, fans as text, names in both languages."""

from __future__ import annotations

from quepu.errors import Text
from quepu.lab.census import Census
from quepu.lab.sheet import Column, shown
from quepu.lab.universe import MORE_STATES, STATES, State
from quepu.rulebook import Rulebook

SHAPE_WORDS = {
    "pairs": Text("七对", "seven pairs"),
    "any_pairs": Text("七对", "seven pairs"),
    "orphans": Text("十三幺", "thirteen orphans"),
    "loose": Text("全不靠", "all different tiles"),
    "knitted": Text("组合龙", "the knitted line"),
    "pyramid": Text("十三金字塔", "the pyramid"),
    "scattered": Text("十三不搭", "thirteen scattered tiles"),
    "two_quads": Text("二不杠", "two unkonged fours"),
    "three_quads": Text("三不杠", "three unkonged fours"),
    "outside": Text("不论手牌、只凭际遇的和", "wins by circumstance with any tiles"),
}
"""Shapes as a source line names those that it leaves out."""


def source(census: Census, *others: Census) -> Text:
    """Where the numbers come from: book, fingerprint, state, and how many hands (of the standard ones for several)."""
    if others:
        return _several(census, *others)
    whole = census.whole
    hands, sets = int(whole.hands.sum()), int(whole.sets.sum())
    book = census.book
    shapes = [SHAPE_WORDS.get(shape, Text(shape, shape)) for shape in census.left_out]
    out_zh = f"；未计 {'、'.join(shape.zh for shape in shapes)}" if shapes else ""
    out_en = f"; left out: {', '.join(shape.en for shape in shapes)}" if shapes else ""
    what = f"quepu lab · {book.id} {book.fingerprint}"
    by = by_tile(census.state)
    return Text(
        f"{what} · {census.state.text.zh} · 全部 {_n(hands)} 种和牌、{_n(sets)} 组实体牌{by.zh}，精确枚举{out_zh}",
        f"{what} · {census.state.text.en} · all {_n(hands)} winning hands, {_n(sets)} tile sets{by.en}, exact{out_en}",
    )


def by_tile(state: State) -> Text:
    """What is said behind a number of hands or tile sets: nothing, unless each tile in turn came last.

    There a hand counts once for every kind of tile that may have, a tile set once for every tile.
    """
    return Text("（分和牌张）", " by last tile") if state.each else Text("", "")


def hands_column(state: State) -> Column:
    """The column of numbers of hands."""
    by = by_tile(state)
    return Column("hands", Text(f"和牌种数{by.zh}", f"hands{by.en}"), "int")


def sets_column(state: State) -> Column:
    """The column of numbers of physical tile sets."""
    by = by_tile(state)
    return Column("sets", Text(f"实体牌组{by.zh}", f"tile sets{by.en}"), "int")


def _n(number: int) -> str:
    return shown(number, "int")


def _several(*censuses: Census) -> Text:
    hands = int(censuses[0].standard.hands.sum())
    book = censuses[0].book
    zh, en = ("、".join(c.state.text.zh for c in censuses), "; ".join(c.state.text.en for c in censuses))
    return Text(
        f"quepu lab · {book.id} {book.fingerprint} · {zh} · 全部 {_n(hands)} 种四副一对的和牌，精确枚举",
        f"quepu lab · {book.id} {book.fingerprint} · {en} · all {_n(hands)} standard hands, exact",
    )


STATE_WORDS = {key: state.text for key, state in (STATES | MORE_STATES).items()}
"""The states in both languages."""


def state_words(*censuses: Census) -> dict[str, Text]:
    """The states of these censuses in both languages."""
    return STATE_WORDS | {census.state.key: census.state.text for census in censuses}


def fans_text(census: Census, number: int) -> str:
    """The fans that a class counts."""
    names = [fan.name for fan in census.book.fans]
    times = census.counts[number].tolist()
    return "、".join(name if n == 1 else f"{name}×{n}" for name, n in zip(names, times, strict=True) if n)


def fan_words(*books: Rulebook) -> dict[str, Text]:
    """The fans of these books in both languages, in their order."""
    return {fan.name: Text(fan.name, f"{fan.english} {fan.name}") for book in books for fan in book.fans}
