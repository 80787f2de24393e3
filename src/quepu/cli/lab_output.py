"""Shared parts of the lab commands: options, the progress bar, and output of tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypedDict

from quepu.cli import parameters
from quepu.cli.declared import Switch
from quepu.cli.files import writable, write
from quepu.cli.screen import note, print_json, show, table
from quepu.cli.terminal_lines import Styled, columns_of
from quepu.cli.texts import Chosen, join_words, say, spoken
from quepu.errors import UnknownName, needs

if TYPE_CHECKING:
    from quepu.lab.sheet import Sheet
    from quepu.rules.rulebook import Rulebook

Step = Callable[[int, int], None]
ROWS = 60
"""Rows shown in a terminal by default."""
FAN_WIDTH = 20
"""The least width of a column of fans, if their names are that long."""


def book_of_rules() -> Any:
    """Declare the rulebook to measure."""
    return parameters.book_argument("rules", "arg.rules")


def outputs() -> tuple[Switch, ...]:
    """Declare the options for where a table goes."""
    return (
        parameters.json(),
        parameters.text("--csv", help="opt.csv.lab", metavar="FILE"),
        parameters.text("--markdown", help="opt.markdown", metavar="FILE"),
        parameters.text("--plot", help="opt.plot", metavar="FILE"),
        parameters.flag("--all", "-a", "every", help="opt.all.lab"),
    )


def state_option(default: str = "") -> Switch:
    """Declare the state of the hands to measure."""
    return parameters.text(
        "--state", "-S", help="opt.state", metavar="STATE", default=default, complete=parameters.states
    )


class Outputs(TypedDict):
    """The options of `outputs`: where tables go."""

    json: bool
    csv: str
    markdown: str
    plot: str
    every: bool


def open_book(name: str, where: Outputs | None = None, *, page: bool = False) -> Rulebook:
    """Return a rulebook after checking that numpy is installed and that files can be written.

    Raises:
        MissingExtra: numpy is not installed.
        HandError: the plot's format is unknown, or a file cannot be written.
    """
    needs("numpy", extra="lab")
    from quepu.cli.inputs import rulebook

    if page or (where and where["plot"]):
        from quepu.lab.page import check_name

        check_name(where["plot"] if where else "page.html")
    if where:
        writable(where["plot"], where["csv"], where["markdown"], json=where["json"])
    return rulebook(name)


@contextmanager
def progress(what: str) -> Iterator[Step]:
    """Show a progress bar on standard error during long work, if it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, all_: None
        return
    with _bar() as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda done, all_: bar.update(task, completed=done / max(all_, 1))


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"),
               TimeElapsedColumn(), TimeRemainingColumn())  # fmt: skip
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def steps() -> Iterator[Callable[[str], Step]]:
    """Yield a function that starts the progress of the next step, for work of several steps."""
    if not sys.stderr.isatty():
        yield lambda what: lambda done, all_: None
        return
    with _bar() as bar:
        task = bar.add_task("", total=1.0)

        def begin(what: str) -> Step:
            bar.reset(task, description=what, total=1.0)
            return lambda done, all_: bar.update(task, completed=done / max(all_, 1))

        yield begin


def deliver(sheets: list[Sheet], where: Outputs, *, whole: bool = False) -> int:
    """Print the tables, or write them to the requested files. Return 1 if the work was interrupted."""
    plot, csv, markdown = where["plot"], where["csv"], where["markdown"]
    partial = any(sheet.partial for sheet in sheets)
    if plot:
        from quepu.lab.page import save

        more = save(sheets, plot, Chosen.lang)
        note(say("lab.written", path=plot))
        if more:
            note(
                say(
                    "lab.drawn.first",
                    more=join_words(more),
                )
            )
    if csv == "-":
        write("\n".join(sheet.to_csv() for sheet in sheets), csv)
    elif csv:
        for sheet, path in zip(sheets, _names(csv, sheets), strict=True):
            write(sheet.to_csv(), path)
    if markdown:
        write("\n".join(sheet.to_markdown(Chosen.lang) for sheet in sheets), markdown)
    if where["json"]:
        data = [sheet.to_json(Chosen.lang) for sheet in sheets]
        print_json(data[0] if len(data) == 1 else data)
    elif not csv and not plot and not markdown:
        for sheet in sheets:
            _show(sheet, where["every"], whole)
    if partial:
        note(say("lab.partial"))
    return int(partial)


def _names(path: str, sheets: list[Sheet]) -> list[str]:
    """Name a file for each table: the first as given, the others with the table's key appended."""
    stem, dot, end = path.rpartition(".")
    if not dot:
        stem, end = path, ""
    found: list[str] = []
    for sheet in sheets:
        name, n = path if not found else f"{stem}-{sheet.key}{dot}{end}", 2
        while name in found:
            name, n = f"{stem}-{sheet.key}-{n}{dot}{end}", n + 1
        found.append(name)
    return found


def _show(sheet: Sheet, every: bool, whole: bool) -> None:
    show(Styled(f"\n{spoken(sheet.title)}", style="bold"))
    for line in sheet.lines:
        show(Styled(f"  {spoken(line)}"))
    chosen = [i for i, column in enumerate(sheet.columns) if every or not sheet.brief or column.key in sheet.brief]
    right = [n for n, i in enumerate(chosen) if sheet.columns[i].numeric]
    wrap = [
        n for n, i in enumerate(chosen) if sheet.columns[i].kind in ("fans", "fan") or sheet.columns[i].key == "example"
    ]
    grid = table([spoken(sheet.columns[i].head) for i in chosen], right=right, wrap=wrap)
    rows = sheet.rows if every or whole else sheet.rows[:ROWS]
    for n, i in enumerate(chosen):
        if sheet.columns[i].kind == "fan":  # its lines break, but a name is not squeezed into a column of letters
            longest = max((columns_of(sheet.cell(row, i, Chosen.lang)) for row in rows), default=0)
            grid.columns[n].least = min(longest, FAN_WIDTH)
    for row in rows:
        grid.add_row(*(sheet.cell(row, i, Chosen.lang) for i in chosen))
    show(grid)
    if len(rows) < len(sheet.rows):
        show(Styled(say("lab.more", n=len(sheet.rows) - len(rows)), style="dim"))
    show(Styled(spoken(sheet.source), style="dim"))


def states_of(names: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Parse comma-separated state names.

    Raises:
        UnknownName: one of them is not a state.
    """
    from quepu.lab.states import state

    found = tuple(name.strip() for name in names.replace("，", ",").split(",") if name.strip()) or default
    for name in found:
        state(name)
    if not found:
        raise UnknownName("请给出至少一种状态。", "give at least one state.")
    return found
