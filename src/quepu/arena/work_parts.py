"""Split long work into parts on one core, many, or a Dask cluster, with a record to resume from.

Sums of integers are the same in any order, so each way gives the same result.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from quepu.arena.plan import PlanError
from quepu.errors import cannot_write
from quepu.fast.processes import spread as spread_over

R = TypeVar("R")
Span = tuple[int, int]
"""The first of some walls, and the one after the last."""


def missing(walls: int, done: Sequence[list[int]], size: int) -> Iterator[Span]:
    """Yield spans of at most `size` walls that are not in any of the finished ones."""
    at = 0
    for first, last in [*sorted(done), [walls, walls]]:
        while at < min(first, walls):
            yield at, min(first, walls, at + size)
            at = min(first, walls, at + size)
        at = max(at, last)


def spread(
    work: Callable[[int, int], R], spans: Sequence[Span], jobs: int = 1, cluster: str = ""
) -> Iterator[tuple[Span, R]]:
    """Yield each span with the result of `work` (which must be picklable), as they finish.

    Raises:
        HandError: the cluster cannot be reached, or its library is not installed.
    """
    for at, found in spread_over(work, spans, jobs, cluster):
        yield spans[at], found


def record_file(file: str | Path | None) -> Path | None:
    """Return the file of a record, which may not exist yet; None for no file.

    Raises:
        HandError: it could not be written.
    """
    if file is None:
        return None
    path = Path(file)
    if path.is_dir():
        wrong = errno.EISDIR
    elif not path.parent.is_dir():
        wrong = errno.ENOENT
    elif not os.access(path.parent, os.W_OK) and not path.is_file():  # a complete record can still be shown
        wrong = errno.EACCES
    else:
        return path
    raise cannot_write(path, OSError(wrong, os.strerror(wrong)))


def write_record(file: Path, text: str) -> None:
    """Write a record atomically.

    Raises:
        HandError: it cannot be written.
    """
    part = file.with_suffix(file.suffix + ".part")
    try:
        part.write_text(text, "utf-8")
        part.replace(file)
    except OSError as wrong:
        raise cannot_write(file, wrong) from wrong


class Record:
    """A record of work in a file: its `name` (the identity of the work), the finished spans and their sum.

    Without a file nothing is stored.
    """

    def __init__(self, file: str | Path | None, name: Mapping[str, Any]) -> None:
        """Read the record of an earlier run.

        Raises:
            PlanError: the file is not a record, or belongs to other work.
            HandError: it could not be written.
        """
        self.file = file = record_file(file)
        self.name = dict(name)
        self.done: list[list[int]] = []
        self.sum: Any = None
        if file is None or not file.is_file():
            return
        try:
            data = json.loads(file.read_text("utf-8"))
            mine = {key: data[key] for key in self.name}
            self.done = [[int(first), int(last)] for first, last in data["parts"]]
            self.sum = data["sum"]
        except (OSError, ValueError, KeyError, TypeError):
            raise self.build_error() from None
        if mine != self.name:
            raise PlanError(
                f"{file} 是别的规则、机器人或种子的记录。", f"{file} is a record of other rulebooks, bots or seeds."
            )

    def build_error(self) -> PlanError:
        """Build the error for a file that is not such a record."""
        return PlanError(f"{self.file} 不是这种对打的记录。", f"{self.file} is not a record of such a match.")

    def add(self, span: Span, whole: Any) -> None:
        """Add a finished span, and store the total (plain data)."""
        self.done.append(list(span))
        if self.file is None:
            return
        write_record(self.file, json.dumps({**self.name, "parts": self.done, "sum": whole}, ensure_ascii=False))
