"""The start of a room: the terms to agree on, the beginning of its log, and a replay position to continue from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from quepu.bots import level_of
from quepu.errors import UnknownName
from quepu.match.log import Replay
from quepu.match.reader import read_log
from quepu.match.seats import RoundPosition
from quepu.rules.rulebook import Rulebook
from quepu.server.http.messages import ReplayStart
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.places import RoomError
from quepu.table import Table


class StartPosition:
    """A position of a replay. `lines` belong to a log that ends there; they are stored with the room.

    `alone`: the match is over after this hand. The replay is only named and never changed.
    """

    def __init__(self, shown: ReplayStart, lines: tuple[str, ...], book: Rulebook) -> None:
        self.shown = shown
        self.lines = lines
        self.book = book

    @classmethod
    def load(cls, stored: Any, book: Rulebook) -> StartPosition | None:
        """Read the start of a stored room; None for one that began with a deal."""
        if stored is None:
            return None
        return cls(ReplayStart.model_validate(stored["shown"]), tuple(stored["lines"]), book)

    def to_json(self) -> dict[str, Any]:
        """Return the start as it is stored."""
        return {"shown": self.shown.model_dump(), "lines": list(self.lines)}

    @cached_property
    def _log(self) -> Replay:
        return read_log(self.lines, self.book, unfinished=True)

    @property
    def alone(self) -> bool:
        """Whether the match is over after this hand."""
        return self.shown.alone

    @property
    def place(self) -> RoundPosition:
        """The place of the hand in its match."""
        return self._log.hands[0].place

    @property
    def own_walls(self) -> bool:
        """Whether each seat draws from its own wall."""
        return self._log.hands[0].wall.own

    def table(self) -> Table:
        """Return the table at that moment, to be continued."""
        return self._log.hands[0].table(self._log.book)


OPEN_LATE = 120.0
"""Least delay in seconds for spectators who see all hands: a player may be among them."""


def check(spec: RoomSpec, guests: Sequence[str] = ()) -> None:
    """Refuse a room that cannot be opened; `guests` are programs that may sit in it.

    Raises:
        Error: a level is unknown, or hands would be shown too early.
    """
    for level in spec.bots:
        if level.startswith(("exec:", "botzone:")):
            raise UnknownName("网页上不能运行外部程序。", "external programs cannot run from the web.")
        if level and level not in guests:
            level_of(level)
    if spec.joins and (spec.open_hands or spec.coached or not spec.spectators):
        raise RoomError(
            "中途可以接替电脑的桌要允许旁观，不能看四家牌，也不能有指点。",
            "a table where bots' seats can be taken must allow spectators, show no hands to them, and have no coach.",
        )
    if spec.open_hands and spec.delay < OPEN_LATE:
        raise RoomError(
            f"给旁观者看四家牌，至少要晚 {OPEN_LATE:g} 秒。",
            f"spectators may see all hands only with a delay of at least {OPEN_LATE:g} seconds.",
        )


def first_entry(spec: RoomSpec, book: Rulebook, start: StartPosition | None = None) -> tuple[str, dict[str, Any]]:
    """Return the title and the first entry of a room's log. `start`: it continues a replay."""
    begun = {} if start is None else {"start": start.to_json()}
    return (spec.title or book.title.zh)[:200], {"room": spec.model_dump(), **begun}
