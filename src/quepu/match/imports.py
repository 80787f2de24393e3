"""Import logs: quepu's own, or records of other programs converted to one, with a list of everything that is lost.

source  | contents                                                | format
--------|---------------------------------------------------------|---------
log     | quepu's own                                             | JSON lines
botzone | botzone.org.cn, one match or one of its data sets       | JSON with `logs`; lines `Match …`; hands with tabs
tziakcha | 雀渣, one hand or a session of them                     | JSON with `script` or `step`, `records` of them
open_mahjong | open_mahjong_unity, a match                        | JSON with `game_title` and `game_round`
mjai    | a stream of events in the manner of mjai, four players | JSON lines with `type`
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.match import mjai, open_mahjong, tziakcha
from quepu.match.botzone_human import is_human, read_human
from quepu.match.botzone_record import read_record
from quepu.match.botzone_text import is_text, read_text, split_matches
from quepu.match.foreign import log_of
from quepu.match.foreign_hand import UNKNOWN_RECORD, ForeignMatch
from quepu.match.log import LogError, NotALog, Replay
from quepu.match.reader import read_log
from quepu.rules.rulebook import Rulebook


class ImportedLog(NamedTuple):
    """A log that was read. `source` is from the table above, `lost` lists everything that could not be kept.

    Examples:
        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> from pathlib import Path
        >>> log = read_any(Path("match.jsonl").read_text("utf-8"))
        >>> log.source, log.replay, log.lost
        ('log', Replay('guobiao': plain 1, plain 2, plain 3, plain 4, 4 hands), ())
    """

    source: str
    lines: list[str]
    replay: Replay
    lost: tuple[Text, ...]


def read_any(text: str, book: Rulebook | None = None) -> ImportedLog:
    """Read a log in any supported format from a text. `book` is needed for a quepu log under house rules.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> from pathlib import Path
        >>> read_any(Path("match.jsonl").read_text("utf-8")).replay.finished
        True

    A log that breaks off is read as far as it goes, with a remark.

    Raises:
        LogError: it is not a log, or contradicts itself; with the line.
        ForeignError: it is another program's record, but incomplete, or of unknown rules.
    """
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    if not lines:
        raise LogError(1, "牌谱是空的。", "the log is empty.")
    foreign = _foreign(lines)
    if foreign is not None:
        made, lost = log_of(foreign)
        return ImportedLog(foreign.source, made, read_log(made, unfinished=True), tuple(lost))
    try:
        replay = read_log(lines, book, unfinished=True)
    except NotALog:
        raise LogError(1, *UNKNOWN_RECORD) from None
    if not replay.hands:
        raise LogError(replay.lines + 1, "牌谱里一局都没有。", "there is no hand in this log.")
    whole = lines[: replay.lines]
    if replay.finished:
        return ImportedLog("log", whole, replay, ())
    at = replay.lines + 1
    broken = Text(
        f"第 {at} 行：牌谱在这里中断，只保留前面的。",
        f"line {at}: the log ends here unexpectedly; only the part before it is kept.",
    )
    return ImportedLog("log", whole, replay, (broken,))


def read_many(text: str, book: Rulebook | None = None) -> Iterator[ImportedLog | tuple[int, Error]]:
    """Yield the matches of a text: of Botzone's data sets one after another, otherwise the one log of `read_any`.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> from pathlib import Path
        >>> [log.source for log in read_many(Path("match.jsonl").read_text("utf-8")) if isinstance(log, ImportedLog)]
        ['log']

    A match of a data set that cannot be read is the number of its first line, and why.

    Raises:
        LogError, ForeignError: as for `read_any`, if it is not a data set of several matches.
    """
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    parts = list(split_matches(lines)) if lines and is_text(lines) else []
    if len(parts) < 2:
        yield read_any(text, book)
        return
    for first, part in parts:
        try:
            yield read_any("\n".join(part), book)
        except Error as wrong:
            yield first, wrong


def foreign_source(text: str) -> str | None:
    """Return the program that wrote a text (`ImportedLog.source`); None for quepu's own logs and unreadable texts.

    Examples:
        >>> print(foreign_source('{"log": 3}'))
        None
    """
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    try:
        foreign = _foreign(lines) if lines else None
    except Error:
        return None
    return None if foreign is None else foreign.source


def _foreign(lines: list[str]) -> ForeignMatch | None:
    """Read another program's match; return None for anything else, which is then read as a quepu log.

    Raises:
        LogError: there are several records.
        ForeignError: it is incomplete.
    """
    if is_text(lines):
        return read_text(lines)
    if is_human(lines):
        return read_human(lines)
    if mjai.is_stream(lines):
        return mjai.read_stream(lines)
    data = _json(lines)
    if isinstance(data, dict) and tziakcha.is_record(data):
        return tziakcha.read_record(data)
    if isinstance(data, dict) and open_mahjong.is_record(data):
        return open_mahjong.read_record(data)
    return read_record(data) if isinstance(data, (dict, list)) else None


def _json(lines: list[str]) -> Any:
    """Return the lines as one JSON value, or None if they are not one, or are a log of quepu."""
    try:
        first = json.loads(lines[0])
    except (ValueError, RecursionError):
        first = None
    if isinstance(first, dict) and ("h" in first or "rules" in first):
        return None
    if isinstance(first, dict) and len(lines) > 1:
        raise LogError(
            2, "一次导入一局：这里有好几份记录。", "import one match at a time: there are several records here."
        )
    try:
        return json.loads("\n".join(lines)) if first is None else first
    except (ValueError, RecursionError):
        return None
