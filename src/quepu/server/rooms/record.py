"""A room's log: what is written down before it is told, and which of its lines are shown to people."""

from __future__ import annotations

import time
from typing import Any

from quepu.server.store import Conflict, Logs


class Record:
    """The entries of one room's log. The first one is how the room was opened; the others are lines and places.

    `fence` is the number under which this process owns the room.
    """

    def __init__(self, id: str, logs: Logs, fence: int) -> None:
        self.id = id
        self.fence = fence
        self.logs = logs
        self.length = 1
        self.updated = time.time()
        self.lines: list[str] = []
        self.shown: list[str] = []  # lines but for answers to offers: nobody may count those
        self._pending: list[dict[str, Any]] = []

    @property
    def last(self) -> int:
        """The number of the last line shown; -1 before the match."""
        return len(self.shown) - 1

    def line(self, line: str) -> None:
        """A new line of the match's log."""
        self.remember(line)
        self._pending.append({"line": line})

    def place(self, at: int, **who: str) -> None:
        """A place was taken (`name`, `token`) or, without them, given back."""
        self._pending.append({"place": at, **who})

    def remember(self, line: str) -> None:
        """A line that is in the store already."""
        self.lines.append(line)
        if not line.startswith('{"a":'):
            self.shown.append(line)

    async def keep(self) -> None:
        """Put what is new into the store.

        Raises:
            Conflict: another server took the room over.
        """
        if self._pending:
            bodies, self._pending = self._pending, []
            length = await self.logs.append(self.id, self.length, bodies, fence=self.fence)
            if length is None:
                raise Conflict
            self.length = length
            self.updated = time.time()

    @property
    def wall(self) -> str:
        """The line of the hand played last, with its wall."""
        return next(line for line in reversed(self.lines) if '"wall":' in line)
