"""What the terminal shows: tiles as coloured text, tables, and errors with a caret under the place."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import Error
from quepu.hands.hand import Hand, Meld
from quepu.tiles import CHINESE, NAMES, UNICODE, suit

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

_DARK: Final = "#2b2b2b"
INK: Final = ("#b3261e", "#1f4e9c", "#1b7f3b", *(_DARK,) * 4, "#b3261e", "#1b7f3b", "#1f4e9c")
"""Colours of m, p, s, then of E S W N C F P, on the face of a tile."""
PAPER: Final = "#f3ead3"
WON: Final = "#ffd54a"
FEW_INK: Final = ("red", "blue", "green", *("black",) * 4, "red", "green", "blue")
"""The same for a terminal of 16 colours, where the nearest of those would be grey."""
_NARROWEST: Final = 10
"""Columns that break their lines are not made narrower than this."""
LINE_INK: Final = ("red", "blue", "green", "", "", "", "", "red", "green", "blue")
"""The same beside other text, where the terminal's own background shows."""


@cache
def console() -> Console:
    """Standard output. Without a terminal lines are wide and plain."""
    made = _console()
    return made if made.is_terminal or os.environ.get("COLUMNS") else _console(110)


def _console(width: int | None = None) -> Console:
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False, width=width)


def _colour(kind: int) -> int:
    return suit(kind) if kind < 27 else kind - 24


def face(kind: int) -> str:
    """A tile's face as text: two cells wide in `cells`, one letter or two in `ascii`."""
    if Chosen.tiles == "unicode":
        return UNICODE[kind]
    if Chosen.tiles == "ascii" or kind < 27 or Chosen.lang == "en":
        return NAMES[kind]
    return CHINESE[kind]


def tile_row(kinds: Iterable[int], won: int | None = None) -> Text:
    """Tiles side by side as faces; one tile of kind `won` stands out."""
    from rich.text import Text

    row = Text()
    few = console().color_system == "standard"
    ink, paper, won_paper = (FEW_INK, "white", "yellow") if few else (INK, PAPER, WON)
    plain = console().no_color or not console().is_terminal or Chosen.tiles == "ascii"
    for kind in kinds:
        mark = kind == won
        if mark:
            won = None
        if plain:
            row.append(f"{' ' if row else ''}{'+' if mark else ''}{face(kind)}")
        else:
            row.append(f"{face(kind)} ", style=f"bold {ink[_colour(kind)]} on {won_paper if mark else paper}")
    if not plain and row:
        row = Text.assemble((" ", f"on {paper}"), row)
    return row


def meld_row(meld: Meld) -> Text:
    """A meld: exposed in round brackets, a concealed kong in square ones."""
    return bracketed(tile_row(meld.tiles), "()" if meld.exposed else "[]")


def bracketed(row: Text, brackets: str) -> Text:
    """A row of tiles in brackets."""
    from rich.text import Text

    return Text.assemble((brackets[0], "dim"), row, (brackets[1], "dim"))


def hand_row(hand: Hand) -> Text:
    """A whole hand: concealed tiles, melds, the winning tile after a plus."""
    from rich.text import Text

    row = tile_row(hand.concealed)
    for meld in hand.melds:
        row = row + Text("  ") + meld_row(meld)
    if hand.winning is not None:
        row = Text.assemble(row, ("  + ", "bold"), tile_row([hand.winning]))
    return row


def tiles_in_line(text: str) -> Text:
    """Tiles in the notation (`123s CC`), each suit in its colour, for use in a table or a sentence."""
    from rich.text import Text

    line = Text()
    word = ""
    for char in text:
        word += char
        name = char if char in "ESWNCFP" else f"1{char}" if char in "mps" else None
        if name is not None:
            line.append(word, style=LINE_INK[_colour(NAMES.index(name))])
            word = ""
    line.append(word)
    return line


def table(heads: Sequence[str], right: Iterable[int] = (), wrap: Iterable[int] = ()) -> Table:
    """An open table with dim heads; `right` columns stand right-aligned, only `wrap` columns break lines."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, show_edge=False, padding=(0, 1))
    right, wrap = set(right), set(wrap)
    for i, head in enumerate(heads):
        made.add_column(
            head, justify="right" if i in right else "left", no_wrap=i not in wrap, overflow="fold", ratio=None
        )
    return made


_WORD: Final = r"\d+ [⺀-￿]|[^\s⺀-￿]+|[⺀-￿]|\s+"  # compiled when it is first used: that takes milliseconds
_NOT_FIRST: Final = frozenset("，。、；：？！）》】”’…,.;:?!)")
_NOT_LAST: Final = frozenset("（《【“‘")


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of so many columns.

    Chinese breaks between any two characters but before closing marks and after opening ones, other words at their
    spaces; a number stays with what it counts (3 翻). A word wider than a line stands on its own.
    """
    from rich.cells import cell_len

    lines: list[str] = []
    for paragraph in text.splitlines():
        line, at = "", 0
        words = re.findall(_WORD, paragraph)
        while at < len(words):
            unit = words[at]
            at += 1
            while at < len(words) and (words[at][0] in _NOT_FIRST or unit[-1] in _NOT_LAST):
                unit += words[at]
                at += 1
            if line and cell_len(line) + cell_len(unit.rstrip()) > width:
                lines.append(line.rstrip())
                line = unit.lstrip()
            else:
                line += unit
        lines.append(line.rstrip())
    return lines


def prose(text: str, indent: int = 2, style: str = "") -> Text:
    """A text as indented lines that fit the terminal."""
    from rich.text import Text

    space = " " * indent
    return Text("\n".join(space + line for line in wrapped(text, console().width - 2 * indent)), style=style)


def show(*things: object) -> None:
    """Print to standard output. A table that is too wide has whole columns: its lines are longer than the screen."""
    from rich.table import Table

    for thing in things:
        width = _fitted(thing) if isinstance(thing, Table) else 0
        out = console() if width <= console().width else _console(width)
        out.print(thing, soft_wrap=isinstance(thing, str))


def _fitted(grid: Table) -> int:
    """Give every column its width: the widest that may break their lines give way first. How wide the table is then."""
    from rich.measure import Measurement

    wide = console().options.update(max_width=10_000)
    widths, least = [], []
    for column in grid.columns:
        cells = [cell for cell in (column.header, *column.cells) if cell != ""]
        longest = max((Measurement.get(console(), wide, cell).maximum for cell in cells), default=0)
        widths.append(longest)
        least.append(longest if column.no_wrap else min(longest, column.min_width or _NARROWEST))
    between = (2 if grid.box is None else 3) * (len(widths) - 1)  # a space, a line, a space
    while sum(widths) + between > console().width:
        at = max(range(len(widths)), key=lambda i: (widths[i] > least[i], widths[i]))
        if widths[at] == least[at]:
            break
        widths[at] -= 1
    for column, width in zip(grid.columns, widths, strict=True):
        column.width = width
        if not column.no_wrap:
            column._cells = [_broken(cell, width) for cell in column._cells]
    return sum(widths) + between


def _broken(cell: RenderableType, width: int) -> RenderableType:
    """A cell in lines of this width, broken as `wrapped` does."""
    from rich.text import Text

    if isinstance(cell, str):
        return "\n".join(wrapped(cell, width)) if cell else cell
    if not isinstance(cell, Text) or not cell.plain:
        return cell
    lines, at = [], 0
    for line in wrapped(cell.plain, width):
        start = cell.plain.index(line, at)
        at = start + len(line)
        lines.append(cell[start:at])
    return Text("\n", style=cell.style).join(lines)


def note(text: str) -> None:
    """Print a note to standard error."""
    print(text, file=sys.stderr)


def complain(error: Error, source: str | None = None) -> None:
    """An error's sentence on standard error and, where it speaks of a text, a caret under the place."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    out = Console(stderr=True, highlight=False, emoji=False, markup=False)
    out.print(Text.assemble((say("error"), "bold red"), spoken(error.text)), soft_wrap=True)
    if hint := getattr(error, "hint", ""):
        out.print(Text(f"  {hint}", style="dim"), soft_wrap=True)
    if source is None or error.at is None:
        return
    visible = "".join(char if char.isprintable() else "·" for char in source)
    start = max(0, error.at - 40)  # a long text shows the neighbourhood only
    shown = ("…" if start else "") + visible[start : error.at + 40] + ("…" if error.at + 40 < len(visible) else "")
    before = ("…" if start else "") + visible[start : error.at]
    out.print(Text(f"  {shown}"), soft_wrap=True)
    out.print(Text(f"  {' ' * cell_len(before)}^", style="bold red"), soft_wrap=True)


def refuse(error: Error, args: Sequence[str]) -> None:
    """Where --json was asked for, the refusal as the one document on standard output."""
    if "--json" in args:
        from quepu.json_lines.answers import refusal

        print_json(refusal(error, Chosen.lang))


def print_json(data: object) -> None:
    """One JSON document on standard output, and nothing else there."""
    import json

    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
