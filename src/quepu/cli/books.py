"""`quepu books`: which rulebooks there are; with a name, what this one calls things and lets a house choose."""

from __future__ import annotations

from quepu.cli import options
from quepu.cli.inputs import rulebook
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import Chosen, pick, say, spoken
from quepu.describe import describe_book, examples_passing
from quepu.rulebook import Rulebook


@options.command("books", options.argument("name", "arg.book.facts"), options.json())
def command(name: str, json: bool) -> int:
    """Books."""
    from quepu.rulebooks import books

    if not name:
        found = books()
        if json:
            print_json([{**describe_book(book, Chosen.lang), **_checked(book)} for book in found])
        else:
            show_books(found)
        return 0
    book = rulebook(name)
    if json:
        print_json(describe_book(book, Chosen.lang))
    else:
        show_book(book)
    return 0


def _checked(book: Rulebook) -> dict[str, int]:
    """The book's examples scored now, and how many of its rulings are open."""
    passing, shown = examples_passing(book)
    return {
        "examples_passing": passing,
        "examples": shown,
        "open_rulings": sum(ruling.open for ruling in book.rulings),
    }


def show_books(found: tuple[Rulebook, ...]) -> None:
    """All rulebooks, a line each."""
    heads = ["head.id", "head.title", "head.fans", "head.minimum", "head.examples", "head.open", "head.aliases"]
    grid = table([say(head) for head in heads], right=[2, 3, 4, 5], wrap=[1, 6])
    for book in found:
        checked = _checked(book)
        grid.add_row(
            book.id,
            spoken(book.title),
            str(len(book.fans)),
            f"{book.minimum} {spoken(book.unit)}",
            f"{checked['examples_passing']}/{checked['examples']}",
            str(checked["open_rulings"]),
            " ".join(book.aliases),
        )
    show(grid)


def show_book(book: Rulebook) -> None:
    """One rulebook: its facts, its names of circumstances, its options."""
    from rich.table import Table
    from rich.text import Text

    comma = pick("、", ", ")
    show(Text.assemble((spoken(book.title), "bold"), (f"  {book.id}", "dim")), "")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    classes = dict.fromkeys(book.class_name(fan.category, Chosen.lang) for fan in book.fans)
    facts = {
        "head.minimum": f"{book.minimum} {spoken(book.unit)}",
        "head.fans": f"{len(book.fans)}  {comma.join(classes)}",
        "book.flower": f"{book.flower_value} {spoken(book.unit)}" if book.flower_value else "",
        "head.circumstances": comma.join(book.circumstances),
        "book.also": comma.join(f"{other}={name}" for other, name in book.near.items()),
        "book.base": book.base if book.base != book.id else "",
        "head.aliases": comma.join(book.aliases),
        "head.fingerprint": book.fingerprint,
    }
    for key, value in facts.items():
        if value:
            grid.add_row(f"  {say(key)}", value)
    show(grid)
    if not book.options:
        return
    show("", Text(say("book.options", n=len(book.options)), style="bold"))
    listed = table([say("book.option"), say("book.choices"), ""], wrap=[0, 1, 2])
    for option in book.options:
        chosen = book.choice(option)
        choices = Text(" / ").join(
            Text(_written(choice), style="bold" if choice == chosen else "dim") for choice in option.choices
        )
        listed.add_row(option.key, choices, Text(spoken(option.text), style="dim"))
    show(listed)


def _written(choice: object) -> str:
    """A choice as it stands in a house-rule file."""
    return str(choice).lower() if isinstance(choice, bool) else str(choice)
