"""`quepu books`: list the rulebooks; with a name, show one's terms and the options that houses can choose."""

from __future__ import annotations

from quepu.cli import parameters
from quepu.cli.inputs import rulebook
from quepu.cli.score_view import fan_name
from quepu.cli.screen import note, print_json, prose, show, table
from quepu.cli.terminal_lines import Styled, TextGrid
from quepu.cli.texts import Chosen, join_words, pick, say, spoken
from quepu.rules.circumstances import english_name
from quepu.rules.row import amount
from quepu.rules.rulebook import Option, Rulebook
from quepu.scoring.describe import describe_book


@parameters.command("books", parameters.book_argument("name", "arg.book.facts", default=""), parameters.json())
def command(name: str, json: bool) -> int:
    """Books."""
    from quepu.rulebooks import books, skipped_packages

    if not name:
        found = books()
        for one in skipped_packages():
            note(say("books.skipped", package=one.package, name=one.name, why=spoken(one.why)))
        if json:
            print_json([{**describe_book(book, Chosen.lang), **_find_agreement(book)} for book in found])
        else:
            show_books(found)
        return 0
    book = rulebook(name)
    if json:
        print_json(describe_book(book, Chosen.lang))
    else:
        show_book(book)
    return 0


def _find_agreement(book: Rulebook) -> dict[str, int | None]:
    """Return a book's recorded conformance results (None if its scores may have changed since) and open rulings."""
    from quepu.conformance.agreement import load_agreement

    passing, cases = load_agreement(book.id, book.fingerprint) or (None, None)
    return {
        "cases_passing": passing,
        "cases": cases,
        "open_rulings": sum(ruling.open for ruling in book.rulings),
    }


def show_books(found: tuple[Rulebook, ...]) -> None:
    """List all rulebooks, one per line."""
    heads = ["head.id", "head.title", "head.fans", "head.minimum", "head.conformance", "head.open", "head.aliases"]
    grid = table([say(head) for head in heads], right=[2, 3, 4, 5], wrap=[1, 6])
    for book in found:
        checked = _find_agreement(book)
        grid.add_row(
            book.id if book.revision == 1 else f"{book.id} (@1–@{book.revision})",
            spoken(book.title),
            str(len(book.fans)),
            spoken(amount(book.minimum, book.unit)),
            f"{checked['cases_passing']}/{checked['cases']}" if checked["cases"] else "–",
            str(checked["open_rulings"]),
            " ".join(book.aliases),
        )
    show(grid)
    if len(found) > 1:
        from quepu.rulebooks import readings

        listed = pick("；", "; ").join(f"{one.id} {spoken(one.title)}" for one in readings())
        show(prose(say("book.readings") + listed, 0))


def show_book(book: Rulebook) -> None:
    """Show one rulebook: its facts, its names of circumstances, its options."""
    show(Styled.assemble((spoken(book.title), "bold"), (f"  {book.id}", "dim")), "")
    grid = TextGrid(gap=2)
    grid.add_column(style="dim")
    grid.add_column(wraps=True)
    classes = dict.fromkeys(book.class_name(fan.category, Chosen.lang) for fan in book.fans)
    facts = {
        "head.minimum": spoken(amount(book.minimum, book.unit)),
        "book.cap": spoken(amount(book.cap, book.unit)) if book.cap else "",
        "head.fans": f"{len(book.fans)}  {join_words(classes)}",
        "book.flower": spoken(amount(book.flower_value, book.unit)) if book.flower_value else "",
        "head.circumstances": join_words(fan_name(name, english_name(name, book)) for name in book.circumstances),
        "book.also": join_words(f"{other}={name}" for other, name in book.near.items()),
        "book.base": book.base if book.base != book.id else "",
        "head.aliases": join_words(book.aliases),
        "head.fingerprint": book.fingerprint,
    }
    for key, value in facts.items():
        if value:
            grid.add_row(f"  {say(key)}", value)
    show(grid)
    if book.corrections:
        show("", Styled(say("book.revisions", n=book.revision, id=book.id), style="bold"))
        listed = table([say("book.revision"), say("book.date"), ""], wrap=[2])
        for number, correction in enumerate(book.corrections, 2):
            listed.add_row(f"@{number}", correction.date, spoken(correction.text))
        show(listed)
    if not book.options:
        return
    show("", Styled(say("book.options", n=len(book.options)), style="bold"))
    listed = table([say("book.option"), say("book.choices"), ""], wrap=[0, 1, 2])
    marks = {ruling.option: say("rules.ruling", id=ruling.id) for ruling in book.rulings if ruling.option}
    for option in book.options:
        chosen = book.choice(option)
        choices = Styled(" / ").join(
            Styled(
                _write_choice(choice) + _describe_choice(option, choice), style="bold" if choice == chosen else "dim"
            )
            for choice in option.choices
        )
        if option.between is not None:
            least, most = option.between
            if chosen not in option.choices:
                choices = choices + Styled(" / ") + Styled(_write_choice(chosen), style="bold")
            choices = choices + Styled(" / ") + Styled(say("book.between", least=least, most=most), style="dim")
        listed.add_row(option.key, choices, Styled(spoken(option.text) + marks.get(option.key, ""), style="dim"))
    show(listed)


def _describe_choice(option: Option, choice: object) -> str:
    """Return the meaning of a choice, if its value does not say it."""
    meaning = spoken(option.in_words(choice))
    return f" ({meaning})" if option.words and meaning != choice else ""


def _write_choice(choice: object) -> str:
    """Return a choice as it is written in a house-rule file."""
    return str(choice).lower() if isinstance(choice, bool) else str(choice)
