"""`quepu books`: which rulebooks there are, and what can be said about each."""

from __future__ import annotations

from quepu.cli import options
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import Chosen, say, spoken
from quepu.describe import describe_book


@options.command("books", options.json())
def command(json: bool) -> int:
    """Books."""
    from quepu.rulebooks import books

    found = books()
    if json:
        print_json([describe_book(book, Chosen.lang) for book in found])
        return 0
    heads = ["head.id", "head.title", "head.fans", "head.minimum", "head.aliases", "head.fingerprint"]
    grid = table([say(head) for head in heads], right=[2, 3], wrap=[1, 4])
    for book in found:
        grid.add_row(
            book.id,
            spoken(book.title),
            str(len(book.fans)),
            f"{book.minimum} {spoken(book.unit)}",
            " ".join(book.aliases),
            book.fingerprint,
        )
    show(grid)
    return 0
