"""Lines of a log: which texts are valid, and the event of each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from quepu.errors import HandError, Text, cannot_read
from quepu.match.penalties import Penalty
from quepu.match.seats import RoundPosition
from quepu.table import actions, events
from quepu.table.actions import Action
from quepu.table.event_json import EventError, read_event
from quepu.table.events import Event, SeatEvent, TilesEvent
from quepu.table.wall import TILE_NAMES
from quepu.tiles import WINDS

WHOLE = re.compile(r'(.*),"h":(\d+)}', re.DOTALL)
EVENT = re.compile(r'\{"n":(0|[1-9]\d{0,8}),("e":"[^"\\]*".*)', re.DOTALL)
ACTED_FOR = {"clock": Text("超时", "out of time"), "bot": Text("电脑代打", "played by a bot")}
"""Who acts for a seat if its player does not: the value of `by` in a log line, in words."""
MALFORMED = (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError)
"""Exceptions raised when data of the wrong type is used."""
dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Write JSON as the lines of a log have it."""


class Step(NamedTuple):
    """A step of a hand in a log: an event, an answer of `seat`, or neither (a penalty, for display).

    `by` tells who acted for the seat (see `ACTED_FOR`); "" is its own player.
    """

    line: int
    event: Event | None = None
    seat: int | None = None
    action: Action | None = None
    penalty: Penalty | None = None
    by: str = ""


class LogProblem(NamedTuple):
    """A problem: the line where a replay differs from the log, and the difference."""

    line: int
    text: Text


def acted_for(data: Mapping[str, Any]) -> str:
    """Return who acted for the seat of a line, a key of `ACTED_FOR`; "" for its own player."""
    by = data.get("by")
    return by if isinstance(by, str) and by in ACTED_FOR else ""


def plain_event(body: str, kinds: frozenset[str]) -> tuple[int, Step] | None:
    """Return the number and the step of a line without its hash; None if it is not a plain event.

    `kinds` are the keys that only other lines have.
    """
    numbered = EVENT.fullmatch(body)
    if numbered is None:
        return None
    step = _decode(numbered[2], kinds)
    return None if step is None else (int(numbered[1]), step)


def event_step(data: Mapping[str, Any]) -> Step:
    """Return the step of an event's data, without its line; with its action unless the event follows by itself.

    Raises:
        EventError: it is not an event.
    """
    event = read_event(data)
    return Step(0, event, event.seat if isinstance(event, SeatEvent) else None, event.action(), by=acted_for(data))


def add_actor(text: Text, by: str) -> Text:
    """Add to the words for an action who acted for the seat (`by`, as `acted_for` returns it)."""
    if not by:
        return text
    zh, en = ACTED_FOR[by]
    return Text(f"{text.zh}，{zh}", f"{text.en}, {en}")


@lru_cache(1 << 12)
def _decode(text: str, kinds: frozenset[str]) -> Step | None:
    """Return the step (see `event_step`) of a line's text after its number; None if it is not a plain event.

    The same few hundred texts make up nearly all lines of all logs.
    """
    try:
        data = json.loads("{" + text + "}")
        if any(key in data for key in kinds):  # a second number, or another kind of line
            return None
        return event_step(data)
    except (ValueError, RecursionError, EventError):
        return None


def read_penalty(data: Mapping[str, Any]) -> Penalty:
    """Read a fault as a log writes it."""
    points, remedied, note = data.get("points"), data.get("remedied", False), data.get("note", "")
    return Penalty(data["player"], data["fault"], points, remedied, False, note, data.get("receiver"))


def read_place(data: Any) -> RoundPosition:
    """Read the place of a hand as a log writes it."""
    round, dealership, repeat, start = data
    return RoundPosition(round, dealership, repeat, (start[0], start[1], start[2], start[3]))


Source = Iterable[str] | str | PathLike[str]
"""A log: its lines (an open file yields them), its text, or its path."""


def open_lines(source: Source) -> Iterable[str]:
    """Return the lines of a log given as a path, as an open file, as text or as lines.

    Raises:
        HandError: the file cannot be read, or it is none of these.
    """
    if isinstance(source, str) and ("\n" in source or source.lstrip("\ufeff").startswith("{")):
        return source.removeprefix("\ufeff").removesuffix("\n").split("\n")
    if isinstance(source, (str, PathLike)):
        try:
            text = Path(source).read_text("utf-8-sig")
        except OSError as wrong:
            raise cannot_read(source, wrong) from wrong
        except UnicodeDecodeError as wrong:
            raise HandError(f"{source} 不是文本文件。", f"{source} is not a text file.") from wrong
        return text.removesuffix("\n").split("\n") if text else []
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise HandError(
            f"牌谱应是路径、打开的文件、文字或各行，不是 {kind}。",
            f"a log is a path, an open file, its text or its lines, not a {kind}.",
        )
    return source


NOT_A_LOG = Text(
    "这里应是雀谱牌谱的头一行；别的程序的记录用 quepu.match.imports.read_any 读。",
    "the first line of a quepu log was expected here; records of other programs are read by"
    " quepu.match.imports.read_any.",
)


def split_lines(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line without its newline, and whether it is the last."""
    before: str | None = None
    for text in lines:
        if before is not None:
            yield before, False
        before = text.rstrip("\r\n")
    if before is not None:
        yield before, True


_texts: dict[int, str] = {}


def event_text(event: Event) -> str:
    """Return an event's fields as `dump` would write them."""
    if isinstance(event, TilesEvent):  # their tiles occur only once
        tiles = "".join(map(TILE_NAMES.__getitem__, event.tiles))
        return f'"e":"{event.tag}","seat":"{WINDS[event.seat]}","tiles":"{tiles}"'
    return _claim_text(event)


@lru_cache(1 << 14)
def _claim_text(event: Event) -> str:
    return dump(event.to_json())[1:-1]


@lru_cache(1 << 10)
def action_text(action: Action) -> str:
    """Return an action as `dump` would write it."""
    return dump(action.to_json())


def text_cache() -> dict[int, str]:
    """Cache the text of frequent events and answers by identity: they are interned for good."""
    if not _texts:
        for table in (events.DRAW, events.REPLACE, events.FLOWER, events.DISCARD, events.DISCARD_DRAWN):
            for row in table:
                _texts.update((id(event), dump(event.to_json())[1:-1]) for event in row)
        for action in (actions.PASS, *actions.PUNG, *actions.KONG, *(c for row in actions.CHOWS for _, _, c in row)):
            _texts[id(action)] = dump(action.to_json())
    return _texts
