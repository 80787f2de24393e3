"""A rulebook as one page of Markdown: facts, rules with tables and examples, every fan, every ruling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quepu.errors import Error, Text
from quepu.rules.guide import Grid, Paragraph, Part, guide
from quepu.rules.row import Example, value_text
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example

_HEADS = {
    "fans": Text("番种", "Fans"),
    "rulings": Text("裁定", "Rulings"),
    "book": Text("原文：", "Original text: "),
    "open": Text("（待作者定）", " (open question)"),
    "ruling": Text("裁定", "ruling"),
}


def page(book: Rulebook, lang: str) -> str:
    """Return the page of a book in one language, made only of its rows and its guide."""
    return "\n\n".join(_blocks(book, lang)) + "\n"


def _blocks(book: Rulebook, lang: str) -> Iterator[str]:
    out = {key: text.say(lang) for key, text in _HEADS.items()}
    yield f"# {book.title.say(lang)}"
    yield f"`{book.id}` · {book.fingerprint}"
    for section in guide(book):
        yield f"## {section.title.say(lang)}"
        for part in section.parts:
            yield from _part(book, part, lang, out)
    yield f"## {out['fans']}"
    for category in dict.fromkeys(fan.category for fan in book.fans):
        yield f"### {book.class_name(category, lang)}"
        for fan in book.fans:
            if fan.category == category:
                name = fan.name if lang == "zh" else f"{fan.name} {fan.english}"
                yield f"**{name}** {value_text(fan.parts, lang, unit=book.unit)}  \n{fan.in_words(lang)}"
                if fan.in_words(lang) != fan.sentence:
                    yield f"> {fan.sentence}"
                if fan.example is not None:
                    yield _hand(book, fan.example, lang)
    yield f"## {out['rulings']}"
    for ruling in book.rulings:
        mark = out["open"] if ruling.open else ""
        yield f"**{ruling.id}** {ruling.question.say(lang)}{mark}"
        yield ruling.answer.say(lang)
        yield f"> {ruling.sentence}"


def _part(book: Rulebook, part: Part, lang: str, out: dict[str, str]) -> Iterator[str]:
    mark = "" if isinstance(part, Grid) or not part.ruling else f" ({out['ruling']} {part.ruling})"
    if isinstance(part, Paragraph):
        yield part.text.say(lang) + mark
        if part.sentence and part.sentence != part.text.say(lang):
            yield f"> {out['book']}{part.sentence}"
    elif isinstance(part, Grid):
        yield f"**{part.title.say(lang)}**"
        marks = ["---:" if i in part.numbers else "---" for i in range(len(part.heads))]
        rows = [
            [head.say(lang) for head in part.heads],
            marks,
            *([cell.say(lang) for cell in row] for row in part.rows),
        ]
        yield "\n".join(_row(row) for row in rows)
        if part.note is not None:
            yield part.note.say(lang)
    else:
        yield f"**{part.label.say(lang)}** {part.sentence}{mark}"
        yield _hand(book, part.example, lang)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _hand(book: Rulebook, example: Example, lang: str) -> str:
    try:
        score = score_example(example, book)
    except Error as error:
        return f"`{example.hand}` {error.say(lang)}"
    settings = [example.seat, *example.circumstances, *example.flowers]
    return f"`{example.hand}` {' '.join(settings)} · {score.tally.how.say(lang)} · {score.fan_names.say(lang)}"
