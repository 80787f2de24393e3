"""The questions of a benchmark, all from a seed.

Two tasks: `read` gives the sentences of a book and asks for the points of its conformance cases; `discard` seats the
contestant among fixed anchors on given walls, and asks only which tile to discard.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from quepu import rulebooks
from quepu.conformance.agreement import Case, cases, compare
from quepu.errors import HandError, Text, UnknownName, join_list
from quepu.rules.guide import Grid, Paragraph, guide
from quepu.rules.row import value_text
from quepu.rules.rulebook import Rulebook

TASKS: Final = ("read", "discard")
ANCHOR: Final = "plain"
"""The level of the three other seats, and of the seat whose gain the contestant's is compared with."""

ANSWERS: Final = {
    "read": Text(
        '每一手答一行 JSON：{"points": 点数或番数}；不是和牌就答 {"valid": false}。',
        'Answer each hand with a line of JSON: {"points": N}, or {"valid": false} if it is not a win.',
    ),
    "discard": Text(
        '每一问答一行 JSON：{"tile": 要打的牌}，从 options 里选。',
        'Answer each question with a line of JSON: {"tile": the discard}, one of the options.',
    ),
}
_NOTATION = Text(
    "牌的写法：1m–9m 万，1p–9p 饼，1s–9s 条，E S W N 东南西北，C F P 中发白。hand 先写手里的牌，圆括号是亮出的副露，"
    "方括号是暗杠，+ 后面是和的那张。",
    "Tiles: 1m–9m characters, 1p–9p dots, 1s–9s bamboo, winds E S W N, dragons C (red) F (green) P (white). A hand "
    "lists concealed tiles, then melds in parentheses (concealed kongs in brackets), then + and the winning tile.",
)


class Sizes(NamedTuple):
    """The size of a benchmark: its seed, its books, cases of each book, walls of each book, the language of texts."""

    seed: int = 1
    books: tuple[str, ...] = ("lingque-29", "yuque-54")
    cases: int = 60
    walls: int = 20
    lang: str = "zh"

    def check(self) -> Sizes:
        """Return these sizes with the ids of the books.

        Raises:
            UnknownName: a book does not exist. HandError: a book has no conformance cases, or is named twice.
        """
        found = [rulebooks.find_book(name) for name in self.books]
        for book in found:
            if not readable(book):
                raise HandError(f"{book.title.zh}没有对照例。", f"{book.title.en} has no conformance cases.")
        if len({book.id for book in found}) < len(found):
            raise HandError("同一本规则写了两次。", "a rulebook is named twice.")
        return self._replace(books=tuple(book.id for book in found))


def task_names(given: str) -> tuple[str, ...]:
    """Return the tasks of a list such as read,discard.

    Raises:
        UnknownName: a task does not exist.
    """
    names = tuple(dict.fromkeys(name.strip() for name in given.split(",") if name.strip()))
    unknown = [name for name in names if name not in TASKS]
    if unknown or not names:
        listed = join_list(TASKS)
        raise UnknownName(
            f"没有任务“{unknown[0] if unknown else given}”，可用：{listed.zh}。",
            f"no task {unknown[0] if unknown else given!r}; there are: {listed.en}.",
        )
    return names


def readable(book: Rulebook) -> list[Case]:
    """Return the cases of a book that are about a hand; payments need more than the sentences of the fans."""
    return [case for case in cases(book.id) if case.kind != "payment"]


def choose_cases(book: Rulebook, sizes: Sizes) -> list[Case]:
    """Return cases of a book in a random order, from all kinds as often as the book has them; all if it has fewer."""
    some = readable(book)
    rng = random.Random(f"{sizes.seed} {book.id}")  # need not be secret
    return rng.sample(some, min(sizes.cases, len(some)))


def question_of(case: Case) -> dict[str, Any]:
    """Return a case as a contestant sees it."""
    return {"task": "read", "id": case.id, **case.request}


def is_right(case: Case, answer: dict[str, Any]) -> bool:
    """Return whether an answer has the points of a case, or knows that the hand is not a win."""
    if not case.expect["valid"]:
        return answer.get("valid") is False
    points = answer.get("points")
    if isinstance(points, bool) or not isinstance(points, int | float):
        return False
    full = {**case.expect, "points": points, "total": case.expect["total"]}
    return compare(case, full).points


def sentences(book: Rulebook, lang: str) -> str:
    """Return a book as a text to read: its rules, its fans and its rulings, without the hands that are asked."""
    hands = [case.request["hand"] for case in readable(book)]
    return "\n\n".join(text for text in _paragraphs(book, lang, hands) if not _shows(text, hands)) + "\n"


def _shows(text: str, hands: list[str]) -> bool:
    return any(hand in text for hand in hands)


def _paragraphs(book: Rulebook, lang: str, hands: list[str]) -> Iterator[str]:
    yield f"# {book.title.say(lang)}"
    yield _NOTATION.say(lang)
    for section in guide(book):
        parts = [part for part in section.parts if isinstance(part, Paragraph | Grid)]
        if parts and section.key != "examples":
            yield f"## {section.title.say(lang)}"
            for part in parts:
                yield part.text.say(lang) if isinstance(part, Paragraph) else _table(part, lang, hands)
    yield Text("## 番种", "## Fans").say(lang)
    for fan in book.fans:
        name = fan.name if lang == "zh" else f"{fan.name} ({fan.english})"
        value = value_text(fan.parts, lang, book.printed_value(fan), book.unit)
        yield f"{name} [{value}] {fan.in_words(lang)}"
    yield Text("## 裁定", "## Rulings").say(lang)
    for ruling in book.rulings:
        yield f"{ruling.question.say(lang)} {ruling.answer.say(lang)}"


def _table(grid: Grid, lang: str, hands: list[str]) -> str:
    """Return a table without the rows that show a hand."""
    rows = [" | ".join(cell.say(lang) for cell in row) for row in (grid.heads, *grid.rows)]
    return "\n".join(row for row in rows if not _shows(row, hands))


def begin(task: str, book: Rulebook, lang: str) -> dict[str, Any]:
    """Return the instructions before the questions of a task under a book."""
    told: dict[str, Any] = {"task": task, "rules": book.id, "title": book.title.say(lang), "unit": book.unit.say(lang)}
    return {"begin": {**told, "text": sentences(book, lang), "answer": ANSWERS[task].say(lang)}}
