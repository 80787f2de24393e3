"""What the tables of the lab have in common: their source line, fans as text, names in both languages."""

from __future__ import annotations

from quepu.errors import Text
from quepu.lab.census import Census
from quepu.rulebook import Rulebook


def source(census: Census) -> Text:
    """Where the numbers come from: book, fingerprint, state, and how many hands."""
    whole = census.whole
    hands, sets = int(whole.hands.sum()), int(whole.sets.sum())
    book = census.book
    left = "、".join(census.left_out)
    out_zh = f"；未计和牌形 {left}" if left else ""
    out_en = f"; shapes left out: {', '.join(census.left_out)}" if left else ""
    what = f"quepu lab · {book.id} {book.fingerprint}"
    return Text(
        f"{what} · {census.state.text.zh} · 全部 {hands} 种和牌、{sets} 组实体牌，精确枚举{out_zh}",
        f"{what} · {census.state.text.en} · all {hands} winning hands, {sets} physical tile sets, exact{out_en}",
    )


def fans_text(census: Census, number: int) -> str:
    """The fans that a class counts."""
    names = [fan.name for fan in census.book.fans]
    times = census.counts[number].tolist()
    return " ".join(name if n == 1 else f"{name}×{n}" for name, n in zip(names, times, strict=True) if n)


def english(book: Rulebook, name: str) -> str:
    """A fan's English label."""
    return book.fan(name).english
