"""Read events from their JSON form."""

from __future__ import annotations

from typing import Any

from quepu.errors import Error
from quepu.table.event_fields import KEYS, codecs_of
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)

KINDS_OF_EVENT: dict[str, type[Event]] = {
    kind.tag: kind
    for kind in (
        DiceThrown, Dealt, Drawn, ReplacementDrawn, FlowerSetAside, Discarded, ReadyDeclared, ChowClaimed, PungClaimed,
        KongClaimed, KongAdded, KongConcealed, Won, Exhausted, HandShown, Barred, BarLifted,
    )
}  # fmt: skip
"""Every kind of event by its tag."""


class EventError(Error):
    """Data that is not an event."""


def read_event(data: Any) -> Event:
    """Read an event from its JSON form; keys that no event has (a log line's number and hash) are ignored.

    Raises:
        EventError: it is not an event, or has a key of another kind of event.
    """
    try:
        kind = KINDS_OF_EVENT[data["e"]]
        values: dict[str, Any] = {}
        expected = set()
        for name, key, _, decode in codecs_of(kind):
            expected.add(key)
            if key in data:
                values[name] = decode(data[key])
        if any(key in data and key not in expected for key in KEYS):
            raise KeyError(data["e"])
        return kind(**values)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError) as wrong:
        raise EventError("不是事件。", "this is not an event.") from wrong
