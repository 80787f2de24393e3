"""`quepu rulings`: show how unclear places of a book are read; `--open`: those left to its author."""

from __future__ import annotations

from quepu.cli import parameters
from quepu.cli.inputs import rulebook
from quepu.cli.score_view import list_fans
from quepu.cli.screen import print_json, prose, show
from quepu.cli.terminal_lines import Styled
from quepu.cli.texts import Chosen, say, spoken
from quepu.rules.rulebook import Rulebook, Ruling
from quepu.scoring.describe import describe_ruling, every_ruling, open_questions
from quepu.scoring.lookup import find_rulings


@parameters.command(
    "rulings",
    parameters.book_argument("book", "arg.book.rulings", default=""),
    parameters.argument("id", "arg.ruling", complete=parameters.rulings),
    parameters.flag("--open", "-o", "only_open", help="opt.open"),
    parameters.json(),
)
def command(book: str, id: str, only_open: bool, json: bool) -> int:
    """Rulings."""
    found = [(_edition(rules, ruling), ruling) for rules, ruling in _choose_rulings(book, id, only_open)]
    if json:
        print_json([describe_ruling(rules, ruling, Chosen.lang) for rules, ruling in found])
    else:
        for rules, ruling in found:
            show_ruling(rules, ruling)
    return 0


def _choose_rulings(name: str, id: str, only_open: bool) -> list[tuple[Rulebook, Ruling]]:
    """Return the rulings of a book (of every book if none is named); one by its id or the number at its end."""
    from quepu.rulebooks import books

    if not name:
        return open_questions(books()) if only_open else every_ruling(books())
    book = rulebook(name)
    if id:
        return [(book, ruling) for ruling in find_rulings(book, id)]
    return open_questions([book]) if only_open else [(book, ruling) for ruling in book.rulings]


def _edition(book: Rulebook, ruling: Ruling) -> Rulebook:
    """Return the book that a ruling concerns: another edition if it is only about that one."""
    if ruling.edition in ("", book.edition):
        return book
    from quepu.rulebooks import books

    return next((one for one in books() if (one.family, one.edition) == (book.family, ruling.edition)), book)


def show_ruling(book: Rulebook, ruling: Ruling) -> None:
    """Show one ruling: question, answer, the sentence it rests on, the fans that depend on it."""
    mark = f"  ({say('open_question')})" if ruling.open else ""
    show(Styled.assemble((ruling.id, "bold"), (f"  {spoken(book.title)}{mark}", "dim")))
    show(prose(spoken(ruling.question), style="bold"), prose(spoken(ruling.answer)))
    if ruling.sentence:
        show(prose(say("rules.book") + ruling.sentence, style="dim"))
    fans = [fan.name for fan in book.fans if ruling.id in fan.rulings]
    if fans:
        show(prose(say("rulings.fans") + list_fans(book, fans), style="dim"))
    show("")
