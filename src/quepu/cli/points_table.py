"""`quepu points-table`: print the table of payments of a book (点数速查表)."""

from __future__ import annotations

from typing import Any

from quepu.cli import parameters
from quepu.cli.inputs import natural, rulebook
from quepu.cli.screen import print_json, prose, show, table
from quepu.cli.texts import TEXTS, spoken
from quepu.errors import UnknownName
from quepu.rules.play_rules import QuickTable, play_rules
from quepu.rules.rulebook import Rulebook

MOST = 1000


@parameters.command(
    "points-table",
    parameters.book_argument("book", "arg.book", default=""),
    parameters.text("--most", "-m", help="opt.most", metavar="N"),
    parameters.json(),
)
def command(book: str, most: str, json: bool) -> int:
    """Payments."""
    upto = _number(most)
    found = [(rules, _table(rules, upto)) for rules in _request(book)]
    if json:
        data = [_to_data(rules, made) for rules, made in found]
        print_json(data[0] if book else data)
        return 0
    for rules, made in found:
        grid = table([spoken(head) for head in made.heads], right=range(len(made.heads)))
        for row in made.rows:
            grid.add_row(*map(str, row))
        show(spoken(rules.title), grid)
        if made.note is not None:
            show(prose(spoken(made.note), 0))
    return 0


def _number(most: str) -> int | None:
    if not most:
        return None
    number = natural(most)
    if number is None or number > MOST:
        text = TEXTS["points_table.most"]
        raise UnknownName(text.zh.format(most=MOST), text.en.format(most=MOST))
    return number


def _request(name: str) -> list[Rulebook]:
    """Return the named book, or every book that has such a table."""
    if name:
        return [rulebook(name)]
    from quepu.rulebooks import books

    return [book for book in books() if book.play and play_rules(book).quick_table is not None]


def _table(book: Rulebook, most: int | None) -> QuickTable:
    made = play_rules(book).quick_table if book.play else None
    if made is None:
        text = TEXTS["points_table.none"]
        raise UnknownName(text.zh.format(title=book.title.zh), text.en.format(title=book.title.en))
    return made(most)


def _to_data(book: Rulebook, made: QuickTable) -> dict[str, Any]:
    return {
        "rules": book.id,
        "heads": [spoken(head) for head in made.heads],
        "rows": [list(row) for row in made.rows],
        "note": None if made.note is None else spoken(made.note),
    }
