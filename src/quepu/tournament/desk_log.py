"""The log of a desk: records added, corrected, removed and undone, as at the scorekeeper. Nothing is lost from it.

An entry adds `records` (or, with `do`, is one of these: `correct` with `of`, the number of a record, and its new
`record`; `remove` with `of`; `undo`, which takes back the latest change). Records are numbered from 0 in the order in
which they were added; a number is never used again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from quepu.tournament.desk_records import Begin, CheckIn, DeskRecord, Draw, UndoRound
from quepu.tournament.desk_state import DeskError

RECORD: TypeAdapter[DeskRecord] = TypeAdapter(DeskRecord)
WHOLE = (Draw, Begin, UndoRound)
"""Records that later ones stand on: the latest can be undone, none can be corrected on its own."""


class Written(NamedTuple):
    """A record that counts, when it was added, and its number."""

    at: float
    record: DeskRecord
    number: int


@dataclass
class LogLine:
    """An entry of the log for the reader: a record added, corrected (from `was`) or removed, and why.

    `round` is the round that a begin or its undoing is about. `undone`: a later entry took it back.
    """

    entry: int
    at: float
    do: str
    number: int
    record: DeskRecord
    was: DeskRecord | None = None
    note: str = ""
    round: int = 0
    undone: bool = False


@dataclass
class DeskLog:
    """A log as read: the records that count, in order, and its lines."""

    records: dict[int, Written | None]
    lines: list[LogLine]

    @property
    def written(self) -> list[Written]:
        """The records that count."""
        return [one for one in self.records.values() if one is not None]

    def last(self) -> list[LogLine]:
        """Return the lines of the entry that an undo would take back; none if there is nothing to undo.

        The opening stays, and so does what players wrote themselves.
        """
        own = [line for line in self.lines if line.entry and not line.undone and not isinstance(line.record, CheckIn)]
        return [line for line in own if line.entry == own[-1].entry]


def read_log(entries: Iterable[tuple[float, Mapping[str, Any]]]) -> DeskLog:
    """Read the entries of a log, each with its time, from the opening on.

    Raises:
        DeskError: an entry corrects what cannot be corrected.
    """
    log = DeskLog({}, [])
    for entry, (written, body) in enumerate(entries):
        at = body.get("at", written)
        match body.get("do", "add"):
            case "undo":
                _undo(log)
            case "correct" | "remove" as do:
                _change(log, entry, at, do, body)
            case _:
                for data in body.get("records", ()):
                    number, record = len(log.records), RECORD.validate_python(data)
                    log.records[number] = Written(at, record, number)
                    log.lines.append(LogLine(entry, at, "add", number, record, round=_round(log, record)))
    return log


def _round(log: DeskLog, record: DeskRecord) -> int:
    """Return the number of the round that a record begins or takes back; 0 for others."""
    if isinstance(record, Begin | UndoRound):
        kinds = [type(one.record) for one in log.written]
        return kinds.count(Begin) - kinds.count(UndoRound) + isinstance(record, UndoRound)
    return 0


def _change(log: DeskLog, entry: int, at: float, do: str, body: Mapping[str, Any]) -> None:
    number = body["of"]
    old = log.records.get(number)
    if old is None:
        raise DeskError("没有这条记录，可能已删除。", "there is no such record; it may have been deleted.")
    if isinstance(old.record, WHOLE):
        raise DeskError(
            "排桌和开轮不能单独改：后面的成绩都以它为准。请用“撤销上一步”或“撤回这一轮”。",
            "a draw or the start of a session cannot be changed on its own, because later results build on it; "
            "use “Undo” or take the session back.",
        )
    record = RECORD.validate_python(body["record"]) if do == "correct" else old.record
    if type(record) is not type(old.record):
        raise DeskError("更正要与原来的记录同类。", "a correction must be of the same kind as the record.")
    log.records[number] = old._replace(record=record) if do == "correct" else None
    log.lines.append(LogLine(entry, at, do, number, record, old.record, body.get("note", "")))


def _undo(log: DeskLog) -> None:
    """Take back the latest entry that is not undone yet."""
    lines = log.last()
    if not lines:
        raise DeskError("没有可以撤销的记录。", "there is nothing to undo.")
    for line in reversed(lines):
        line.undone = True
        if line.do == "add":
            log.records[line.number] = None
        else:
            earlier = next(one for one in log.lines if one.number == line.number)  # has its time
            log.records[line.number] = Written(earlier.at, line.was or line.record, line.number)
