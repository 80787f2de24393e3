"""Progress on standard error: a bar with rate and time left, and notes about tables that are built first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from quepu.cli.screen import note
from quepu.cli.texts import say

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook


def note_tables(book: Rulebook) -> None:
    """Say that tables of a book have to be built, if they have to, and which package would bring them."""
    import quepu
    from quepu.fast.nearest import gain_files

    if not gain_files.unbuilt(book) or gain_files.shipped(book):
        return
    note(say("tables.preparing", book=book.id))
    if not gain_files.FOLDER.is_dir() and not book.base:
        note(say("tables.package", version=quepu.__version__))


@contextmanager
def meter(total: int) -> Iterator[Callable[[int], None]]:
    """Within it, call what it gives with how much is done."""
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
