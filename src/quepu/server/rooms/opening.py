"""A room that is about to be opened: what may be agreed, and how its log begins."""

from __future__ import annotations

from typing import Any

from quepu.bots import level_of
from quepu.errors import UnknownName
from quepu.rules.rulebook import Rulebook
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.places import RoomError
from quepu.server.rooms.start import StartPosition

OPEN_LATE = 120.0
"""Seconds by which spectators are late at least where all hands are shown to them: a player may be one."""


def check(spec: RoomSpec) -> None:
    """Refuse what no room can be opened with.

    Raises:
        Error: there is no such level, or hands would be shown too early.
    """
    for level in spec.bots:
        if level.startswith("exec:"):
            raise UnknownName("网页上不能运行外部程序。", "no programs are run from the web.")
        if level:
            level_of(level)
    if spec.open_hands and spec.delay < OPEN_LATE:
        raise RoomError(
            f"给旁观者看四家牌，至少要晚 {OPEN_LATE:g} 秒。",
            f"hands are shown to spectators {OPEN_LATE:g} seconds late at least.",
        )


def first_entry(spec: RoomSpec, book: Rulebook, start: StartPosition | None = None) -> tuple[str, dict[str, Any]]:
    """The title and the first entry of a room's log. `start`: it plays on from a replay."""
    begun = {} if start is None else {"start": start.to_json()}
    return (spec.title or book.title.zh)[:200], {"room": spec.model_dump(), **begun}
