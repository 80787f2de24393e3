"""`quepu rules`: a book's rules section by section, with tables and examples, scored now."""

from __future__ import annotations

import sys

from quepu.cli import parameters
from quepu.cli.inputs import rulebook
from quepu.cli.screen import print_json, prose, show, table
from quepu.cli.terminal_lines import Styled
from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import Error, HandError, Text, UnknownName
from quepu.rulebooks import find_registered
from quepu.rules.change_list import change_list
from quepu.rules.export import python_rows
from quepu.rules.guide import Grid, Paragraph, Part, Section, Shown, find_section, guide
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import describe_section, score_example
from quepu.scoring.signatures import DEFAULT_RULES

_MISSING = {"new": Text("名称", "NAME"), "export": Text("规则文件", "FILE"), "changes": Text("规则文件", "FILE")}
"""Words in place of a book, and the argument that each needs."""


@parameters.command(
    "rules",
    parameters.book_argument("book", "arg.book.rules", default=""),
    parameters.argument("section", "arg.section", complete=parameters.sections),
    parameters.flag("--list", "-l", "listed", help="opt.sections"),
    parameters.flag("--markdown", help="opt.book_page"),
    parameters.text(
        "--arithmetic",
        help="opt.rules.arithmetic",
        metavar="KIND",
        default="additive",
        complete=parameters.choices("additive", "product", "residue", "custom"),
    ),
    parameters.json(),
)
def command(book: str, section: str, listed: bool, markdown: bool, arithmetic: str, json: bool) -> int:
    """Rules."""
    if book in _MISSING and not section:
        raise HandError(
            f"{book} 后面要写{_MISSING[book].zh}：quepu rules {book} {_MISSING[book].en}。",
            f"{book} needs an argument: quepu rules {book} {_MISSING[book].en}.",
        )
    if book == "new":
        from quepu.cli.new_book import tell

        return tell(section, arithmetic)
    if book == "club":
        from quepu.cli.club import ask_club

        return ask_club(rulebook(section or DEFAULT_RULES))
    if book in ("export", "changes"):
        return _write_draft(book, section)
    rules = rulebook(book or DEFAULT_RULES)
    if markdown:
        from quepu.cli.book_page import page

        sys.stdout.write(page(rules, Chosen.lang))
        return 0
    every = guide(rules)
    if not every:
        raise UnknownName(
            f"{rules.title.zh}没有成篇的规则，只有番种和原文：quepu fans -r {book}。",
            f"{rules.title.en} has no rules text, only fans with their sentences: quepu fans -r {book}.",
        )
    chosen = (find_section(rules, section),) if section else every
    if json:
        print_json({
            "rules": rules.id,
            "title": spoken(rules.title),
            "sections": [{"key": one.key, "title": spoken(one.title)} for one in chosen]
            if listed
            else [describe_section(rules, one, Chosen.lang) for one in chosen],
        })  # fmt: skip
        return 0
    if listed or not book:
        _show_contents(rules, every)
    else:
        for one in chosen:
            show_section(rules, one)
    return 0


def _write_draft(what: str, name: str) -> int:
    """Print a draft as Python rows for a pull request, or its changes for readers of the edition."""
    draft = rulebook(name)
    base = find_registered(draft)
    if what == "changes":
        sys.stdout.write(change_list(base, draft, Chosen.lang))
        return 0
    try:
        from quepu.lab.draft_effects import draft_module
        from quepu.lab.states import state
    except ModuleNotFoundError:  # without numpy: its author adds the hands of new rows
        sys.stdout.write(python_rows(base, draft))
    else:
        sys.stdout.write(draft_module(base, draft, state("closed-discard")))
    return 0


def _show_contents(book: Rulebook, sections: tuple[Section, ...]) -> None:

    show(Styled.assemble((spoken(book.title), "bold"), (f"  {book.id}", "dim")), "")
    grid = table([say("head.section"), say("head.title")], wrap=[1])
    for section in sections:
        grid.add_row(section.key, spoken(section.title))
    show(grid, "", Styled(say("rules.how", book=book.aliases[0] if book.aliases else book.id), style="dim"))


def show_section(book: Rulebook, section: Section) -> None:
    """Show one section: its title, then its parts."""
    show(Styled.assemble((spoken(section.title), "bold"), (f"  {section.key}", "dim")))
    for part in section.parts:
        _show_part(book, part)
    show("")


def _show_part(book: Rulebook, part: Part) -> None:
    if isinstance(part, Paragraph):
        mark = f"{say('rules.ruling', id=part.ruling)}" if part.ruling else ""
        show(prose(spoken(part.text) + mark))
        if part.sentence and part.sentence != spoken(part.text):
            show(prose(say("rules.book") + part.sentence, 4, "dim"))
    elif isinstance(part, Grid):
        _show_grid(part)
    else:
        _show_hand(book, part)


def _show_grid(part: Grid) -> None:

    wide = [i for i in range(len(part.heads)) if i not in part.numbers]
    grid = table([spoken(head) for head in part.heads], right=part.numbers, wrap=wide)
    for row in part.rows:
        grid.add_row(*(Styled(spoken(cell)) for cell in row))
    show("", Styled(f"  {spoken(part.title)}", style="bold"), grid)
    if part.note is not None:
        show(Styled(f"  {spoken(part.note)}", style="dim"))
    show("")


def _show_hand(book: Rulebook, part: Shown) -> None:

    from quepu.cli.score_view import circumstances_line
    from quepu.cli.screen import hand_row

    mark = say("rules.ruling", id=part.ruling) if part.ruling else ""
    show(prose(f"{spoken(part.label)}  {spoken(part.printed)}{mark}", style="bold"))
    try:
        score = score_example(part.example, book)
    except Error as error:
        show(prose(f"{part.example.hand}  {spoken(error.text)}", 4))
        return
    show(Styled("    ") + hand_row(score.hand))
    fans = spoken(score.fan_names)
    about = circumstances_line(score.hand, book).split(" · ", 1)[1]
    show(prose(f"{about} · {score.tally.how.say(Chosen.lang)}  {fans}", 4, "dim"))
