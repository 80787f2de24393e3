"""A rulebook as HTML, as a notebook shows it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from quepu.errors import Text, language
from quepu.hands.drawing import table_html

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook


def book_html(book: Rulebook) -> str:
    """The title and the table of fans."""
    lang = language()
    rows = [
        (
            escape(fan.name if lang == "zh" else f"{fan.name} {fan.english}"),
            escape(book.printed_value(fan) or str(fan.value)),
            escape(book.class_name(fan.category, lang)),
            escape(fan.in_words(lang)),
        )
        for fan in book.fans
    ]
    heads = [Text("番种", "fan"), Text("值", "value"), Text("类别", "class"), Text("原文", "what it is")]
    return f"<h4>{escape(book.title.say(lang))}</h4>{table_html([head.say(lang) for head in heads], rows)}"
