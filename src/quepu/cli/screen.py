"""The terminal's screen: coloured tiles, tables, errors with a caret under the position, and progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final

from quepu.cli.terminal_lines import Styled, TextGrid, columns_of, wrap_text
from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import Error
from quepu.hands.hand import Hand, Meld
from quepu.tiles import CHINESE, NAMES, UNICODE, suit

if TYPE_CHECKING:
    from rich.console import Console

    from quepu.rules.rulebook import Rulebook


_DARK: Final = "#2b2b2b"
INK: Final = ("#b3261e", "#1f4e9c", "#1b7f3b", *(_DARK,) * 4, "#b3261e", "#1b7f3b", "#1f4e9c")
"""Colours of m, p, s, then of E S W N C F P, for the face of a tile."""
PAPER: Final = "#f3ead3"
WON: Final = "#ffd54a"
FEW_INK: Final = ("red", "blue", "green", *("black",) * 4, "red", "green", "blue")
"""The same for terminals with 16 colours, in which the nearest of those would be grey."""
_WIDE: Final = 110
"""The number of columns without a terminal."""
LINE_INK: Final = ("red", "blue", "green", "", "", "", "", "red", "green", "blue")
"""The same within other text, on the terminal's own background."""


@cache
def console() -> Console:
    """Return the console for standard output. Without a terminal, lines are wide and plain."""
    from rich.console import Console

    made = Console(highlight=False, emoji=False, markup=False)
    if made.is_terminal or os.environ.get("COLUMNS"):
        return made
    return Console(highlight=False, emoji=False, markup=False, width=_WIDE)


def _no_terminal() -> bool:
    """Return whether output goes to a file or a pipe without forced colours: then rich is not imported."""
    wishes = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    return not sys.stdout.isatty() and not any(name in os.environ for name in wishes)


def screen_width() -> int:
    """Return the width of the terminal; without one, `COLUMNS` or a large number."""
    if not _no_terminal():
        return console().width
    given = os.environ.get("COLUMNS", "")
    return int(given) if given.isascii() and given.isdigit() and int(given) else _WIDE


def _colour(kind: int) -> int:
    return suit(kind) if kind < 27 else kind - 24


def face(kind: int) -> str:
    """Return a tile's face as text: two cells wide in `cells`, one or two letters in `ascii`."""
    if Chosen.tiles == "unicode":
        return UNICODE[kind]
    if Chosen.tiles == "ascii" or kind < 27 or Chosen.lang == "en":
        return NAMES[kind]
    return CHINESE[kind]


def tile_row(kinds: Iterable[int], won: int | None = None) -> Styled:
    """Show tiles side by side as faces; one tile of kind `won` is highlighted."""
    row = Styled()
    plain = _no_terminal() or console().no_color or console().color_system is None or Chosen.tiles == "ascii"
    few = not plain and console().color_system == "standard"
    ink, paper, won_paper = (FEW_INK, "white", "yellow") if few else (INK, PAPER, WON)
    for kind in kinds:
        mark = kind == won
        if mark:
            won = None
        if plain:
            row.append(f"{' ' if row else ''}{'+' if mark else ''}{face(kind)}")
        else:
            row.append(f"{face(kind)} ", style=f"bold {ink[_colour(kind)]} on {won_paper if mark else paper}")
    if not plain and row:
        row = Styled.assemble((" ", f"on {paper}"), row)
    return row


def meld_row(meld: Meld) -> Styled:
    """Show a meld: exposed in round brackets, a concealed kong in square ones."""
    return bracket(tile_row(meld.tiles), "()" if meld.exposed else "[]")


def bracket(row: Styled, brackets: str) -> Styled:
    """Show a row of tiles in brackets."""
    return Styled.assemble((brackets[0], "dim"), row, (brackets[1], "dim"))


def hand_row(hand: Hand) -> Styled:
    """Show a whole hand: concealed tiles, melds, the winning tile after a plus."""
    row = tile_row(hand.concealed)
    for meld in hand.melds:
        row = row + Styled("  ") + meld_row(meld)
    if hand.winning is not None:
        row = Styled.assemble(row, ("  + ", "bold"), tile_row([hand.winning]))
    return row


def tiles_in_line(text: str) -> Styled:
    """Colour tiles in the notation (`123s CC`) by suit, for use in a table or a sentence."""
    line = Styled()
    word = ""
    for char in text:
        word += char
        name = char if char in "ESWNCFP" else f"1{char}" if char in "mps" else None
        if name is not None:
            line.append(word, style=LINE_INK[_colour(NAMES.index(name))])
            word = ""
    line.append(word)
    return line


def table(heads: Sequence[str], right: Iterable[int] = (), wrap: Iterable[int] = ()) -> TextGrid:
    """Return an open table with dim heads; `right` columns are right-aligned, only `wrap` columns break lines."""
    made = TextGrid(gap=3, headed=True)
    right, wrap = set(right), set(wrap)
    for i, head in enumerate(heads):
        made.add_column(head, right=i in right, wraps=i in wrap)
    return made


def prose(text: str, indent: int = 2, style: str = "") -> Styled:
    """Lay out a text as indented lines that fit the terminal."""
    space = " " * indent
    return Styled("\n".join(space + line for line in wrap_text(text, screen_width() - 2 * indent)), style=style)


def show(*things: str | Styled | TextGrid) -> None:
    """Print to standard output. Strings keep their lines; a table that is too wide exceeds the screen."""
    plain, width = _no_terminal(), screen_width()
    for thing in things:
        for line in [thing] if isinstance(thing, str) else thing.lines(width):
            if plain:
                sys.stdout.write((line if isinstance(line, str) else line.plain.rstrip()) + "\n")
            else:
                console().print(line, soft_wrap=True)


def note(text: str) -> None:
    """Print a note to standard error."""
    print(text, file=sys.stderr)


def complain(error: Error, source: str | None = None) -> None:
    """Print an error's sentence on standard error, with a caret under its position in the text, if any."""
    lines = [Styled.assemble((say("error"), "bold red"), spoken(error.text))]
    if error.hint:
        lines.append(Styled(f"  {error.hint}", style="dim"))
    if source is not None and error.at is not None:
        visible = "".join(char if char.isprintable() else "·" for char in source)
        start = max(0, error.at - 40)  # of a long text, show only the part around the position
        before = ("…" if start else "") + visible[start : error.at]
        after = visible[error.at : error.at + 40] + ("…" if error.at + 40 < len(visible) else "")
        lines.append(Styled(f"  {before}{after}"))
        lines.append(Styled(f"  {' ' * columns_of(before)}^", style="bold red"))
    try:
        from rich.console import Console
    except ImportError:  # the library is installed without the command line, which is perhaps the error
        print(*(line.plain for line in lines), sep="\n", file=sys.stderr)
        return
    out = Console(stderr=True, highlight=False, emoji=False, markup=False)
    for line in lines:
        out.print(line, soft_wrap=True)


def refuse(error: Error, args: Sequence[str]) -> None:
    """Print an error as the one document on standard output if --json was given."""
    if "--json" in args:
        from quepu.json_lines.answers import refusal

        print_json(refusal(error, Chosen.lang))
        sys.stdout.flush()  # an unwritable output is then the only error to report, whatever is buffered


def print_json(data: object) -> None:
    """Print one JSON document to standard output."""
    import json

    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def note_tables(book: Rulebook) -> None:
    """Say that tables of a book have to be built, if so, and which package would provide them."""
    import quepu
    from quepu.fast.nearest import gain_files

    if not gain_files.unbuilt(book) or gain_files.is_shipped(book):
        return
    note(say("tables.preparing", book=book.id))
    if not gain_files.FOLDER.is_dir() and not book.base:
        note(say("tables.package", version=quepu.__version__))


@contextmanager
def meter(total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; the function it yields takes the amount done."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(), console=Console(stderr=True), transient=True,
    )  # fmt: skip
    with bar:
        task = bar.add_task(say("meter"), total=total, rate="")

        def advance(done: int) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, rate=f"{speed:,.1f}/s" if speed else "")

        yield advance
