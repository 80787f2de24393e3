"""A rulebook and a fan as HTML, as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from quepu.errors import Text, language
from quepu.hands.drawing import hand_html, table_html
from quepu.hands.notation import parse
from quepu.rules.row import value_text

if TYPE_CHECKING:
    from quepu.rules.row import Fan
    from quepu.rules.rulebook import Rulebook


def book_html(book: Rulebook) -> str:
    """The title and the table of fans."""
    lang = language()
    rows = [
        (
            escape(fan.name if lang == "zh" else f"{fan.name} {fan.english}"),
            escape(value_text(fan.parts, lang, book.printed_value(fan))),
            escape(book.class_name(fan.category, lang)),
            escape(fan.in_words(lang)),
        )
        for fan in book.fans
    ]
    heads = [Text("番种", "fan"), Text("值", "value"), Text("类别", "class"), Text("原文", "what it is")]
    return f"<h4>{escape(book.title.say(lang))}</h4>{table_html([head.say(lang) for head in heads], rows)}"


def fan_html(fan: Fan) -> str:
    """Name and value, the sentence, and the hand that shows it beside the one that almost does."""
    lang = language()
    heads = (Text("牌例", "example"), Text("差一点（不成立）", "near miss"))
    rows = [
        (head.say(lang), hand_html(parse(shown.hand)))
        for head, shown in zip(heads, (fan.example, fan.near_miss), strict=True)
        if shown is not None
    ]
    name = fan.name if lang == "zh" else f"{fan.name} {fan.english}"
    title = f"<b>{escape(name)}</b> {escape(value_text(fan.parts, lang))}"
    table = table_html((), rows) if rows else ""
    return f"<div><div>{title}</div><div>{escape(fan.in_words(lang))}</div>{table}</div>"
