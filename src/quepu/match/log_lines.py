"""Lines of a log: which text is one, and the event that it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from quepu.table.actions import Action
from quepu.table.event_json import EventError, read_event
from quepu.table.events import Event, SeatEvent

WHOLE = re.compile(r'(.*),"h":(\d+)}', re.DOTALL)
EVENT = re.compile(r'\{"n":(0|[1-9]\d{0,8}),("e":"[^"\\]*".*)', re.DOTALL)
MALFORMED = (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError)
"""What data of the wrong kind raises when it is used."""


@lru_cache(1 << 12)
def decoded(text: str, kinds: frozenset[str]) -> tuple[Event, int | None, Action | None] | None:
    """The event of a line's text after its number, its seat and its action; None if it is no plain event.

    `kinds` are the keys that only other lines have.
    The same few hundred texts make up nearly all lines of all logs.
    """
    try:
        data = json.loads("{" + text + "}")
        if any(key in data for key in kinds):  # a second number, or another kind of line
            return None
        event = read_event(data)
    except (ValueError, RecursionError, EventError):
        return None
    return event, event.seat if isinstance(event, SeatEvent) else None, event.action()


def numbered_lines(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line without its newline, and whether it is the last."""
    before: str | None = None
    for text in lines:
        if before is not None:
            yield before, False
        before = text.rstrip("\r\n")
    if before is not None:
        yield before, True
