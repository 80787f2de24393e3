"""Shared parts of the lab's tables: their source line, fans as text, names in both languages."""

from __future__ import annotations

from quepu.errors import Text
from quepu.fast.universe.census import Census
from quepu.fast.universe.limits import claims_chows
from quepu.fast.universe.standard_hands import MORE_STATES, STATES, HandState
from quepu.lab.sheet import SheetColumn, format_value
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES


def source(census: Census, *others: Census) -> Text:
    """Describe the source of the numbers: book, fingerprint, state, and how many hands (standard ones for several)."""
    if others:
        return _several(census, *others)
    whole = census.whole
    hands, sets = int(whole.hands.sum()), int(whole.sets.sum())
    book = census.book
    shapes = [SHAPES[shape].words for shape in census.left_out]
    out_zh = f"；未计 {'、'.join(shape.zh for shape in shapes)}" if shapes else ""
    out_en = f"; left out: {', '.join(shape.en for shape in shapes)}" if shapes else ""
    what = f"quepu lab · {book.id} {book.fingerprint}"
    by, no_chows = by_tile(census.state), unclaimed(book, census.state)
    return Text(
        f"{what} · {census.state.text.zh} · 全部 {_n(hands)} 种和牌、{_n(sets)} 组实体牌{by.zh}，精确枚举{out_zh}"
        f"{no_chows.zh}",
        f"{what} · {census.state.text.en} · all {_n(hands)} winning hands, {_n(sets)} tile sets{by.en}, exact{out_en}"
        f"{no_chows.en}",
    )


def unclaimed(book: Rulebook, *states: HandState) -> Text:
    """Say what becomes of the chows that these states claim, if the book does not allow that."""
    claiming = [state for state in states if state.chows_open and not claims_chows(book)]
    if not claiming:
        return Text("", "")
    if all(state.each or state.on_pair for state in claiming):
        return Text("；不能吃牌，副露里没有顺子", "; chows cannot be claimed: no exposed meld is one")
    return Text("；不能吃牌，顺子都在手里", "; chows cannot be claimed: they are concealed")


def by_tile(state: HandState) -> Text:
    """Return the suffix of a heading for numbers of hands or tile sets: empty unless each tile in turn came last.

    In that state, a hand counts once for every possible last kind, a tile set once for every tile.
    """
    return Text("（分和张）", " by last tile") if state.each else Text("", "")


def hands_column(state: HandState) -> SheetColumn:
    """Return the column of numbers of hands."""
    by = by_tile(state)
    return SheetColumn("hands", Text(f"和牌种数{by.zh}", f"hands{by.en}"), "int")


def sets_column(state: HandState) -> SheetColumn:
    """Return the column of numbers of physical tile sets."""
    by = by_tile(state)
    return SheetColumn("sets", Text(f"实体牌组{by.zh}", f"tile sets{by.en}"), "int")


def _n(number: int) -> str:
    return format_value(number, "int")


def _several(*censuses: Census) -> Text:
    hands = int(censuses[0].standard.hands.sum())
    book = censuses[0].book
    zh, en = ("、".join(c.state.text.zh for c in censuses), "; ".join(c.state.text.en for c in censuses))
    no_chows = unclaimed(book, *(c.state for c in censuses))
    return Text(
        f"quepu lab · {book.id} {book.fingerprint} · {zh} · 全部 {_n(hands)} 种四副一对的和牌，精确枚举{no_chows.zh}",
        f"quepu lab · {book.id} {book.fingerprint} · {en} · all {_n(hands)} standard hands, exact{no_chows.en}",
    )


STATE_WORDS = {key: state.text for key, state in (STATES | MORE_STATES).items()}
"""The states in both languages."""


def state_words(*censuses: Census) -> dict[str, Text]:
    """Return the states of these censuses in both languages."""
    return STATE_WORDS | {census.state.key: census.state.text for census in censuses}


def fans_text(census: Census, number: int) -> str:
    """Return the fans that a class counts."""
    names = [fan.name for fan in census.book.fans]
    times = census.counts[number].tolist()
    return "、".join(name if n == 1 else f"{name}×{n}" for name, n in zip(names, times, strict=True) if n)


def fan_words(*books: Rulebook) -> dict[str, Text]:
    """Return the fans of these books in both languages, in order."""
    return {fan.name: Text(fan.name, fan.english_and_name) for book in books for fan in book.fans}


def exactly(book: Rulebook, state: HandState) -> Text:
    """Describe the source of figures of one state that do not need a number of hands."""
    no_chows = unclaimed(book, state)
    return Text(
        f"quepu lab · {book.id} {book.fingerprint} · {state.text.zh}，精确枚举{no_chows.zh}",
        f"quepu lab · {book.id} {book.fingerprint} · {state.text.en}, exact{no_chows.en}",
    )
