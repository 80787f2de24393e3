"""A room's log: what is stored before it is sent, and which of its lines are shown to people."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from quepu.server.rooms.redaction import revealed
from quepu.server.store.values import Conflict, Entry, LogStore

ANSWER = '{"a":'
"""How the line of an answer to an offer begins."""
SEALED = '{"sealed":'
"""How the line begins that fixes what the next wall is made of."""
RECENT = 100
"""Lines shown that stay in memory: a long match needs no more of it than a short one."""


def is_released(entries: Sequence[Entry]) -> bool:
    """Whether these last entries of a room's log let everybody see it: other tables have the same walls no more."""
    return any(entry.body.get("released") for entry in entries)


class RoomLog:
    """The entries of one room's log: how it was opened, then lines, places, and what its host decides about places.

    `fence` is the number under which this process owns the room.
    """

    def __init__(self, id: str, logs: LogStore, fence: int) -> None:
        self.id = id
        self.fence = fence
        self.logs = logs
        self.length = 1
        self.walls = ""
        """The secret of all walls, where several tables have the same; it is shown when all of them are over."""
        self.updated = time.time()
        self.shown = 0
        """How many lines there are but for answers to offers: nobody may count those."""
        self._wall = self._sealed = self._next_sealed = ""  # lines of the hand dealt last, and of the one to come
        self._recent: deque[str] = deque(maxlen=RECENT)
        self._pending: list[dict[str, Any]] = []

    @property
    def last(self) -> int:
        """The number of the last line shown; -1 before the match."""
        return self.shown - 1

    def line(self, line: str) -> None:
        """A new line of the match's log."""
        self.remember(line)
        self._pending.append({"line": line})

    def place(self, at: int, **who: str) -> None:
        """A place was taken (`name`, `token`) or, without them, given back."""
        self._pending.append({"place": at, **who})

    def link(self, at: int, token: str = "", by: str = "") -> None:
        """Another token for a lost player's place was given out `by` somebody or, without them, is void."""
        self._pending.append({"link": at, "token": token, "by": by})

    def door(self, **door: Any) -> None:
        """The host's decision about places: `reserve` (one, for a `name`), or that nobody else may sit (`closed`).

        After the match: the room where they play again (`next`).
        """
        self._pending.append(door)

    def remember(self, line: str) -> None:
        """A line that is in the store already."""
        if line.startswith(ANSWER):
            return
        self._recent.append(line)
        self.shown += 1
        if line.startswith(SEALED):
            self._next_sealed = line
        elif '"wall":' in line:
            self._wall, self._sealed, self._next_sealed = line, self._next_sealed, ""

    async def save(self) -> int:
        """Put what is new into the store; its size in characters.

        Raises:
            Conflict: another server took the room over.
        """
        size = 0
        if self._pending:
            size = sum(len(body.get("line", "")) for body in self._pending)
            bodies, self._pending = self._pending, []
            length = await self.logs.append(self.id, self.length, bodies, fence=self.fence)
            if length is None:
                raise Conflict
            self.length = length
            self.updated = time.time()
        return size

    @property
    def revealed(self) -> dict[str, Any]:
        """The wall of the hand dealt last, with what it was made of: for when that hand is over.

        While other tables may still play it, only what was promised of it.
        """
        found = revealed(self._wall, self._sealed)
        return {**found, "wall": "", "dice": [], "secret": ""} if self.walls else found

    async def since(self, first: int) -> list[str]:
        """The lines shown from number `first` on, those long past out of the store."""
        if self.shown - first <= len(self._recent):
            return [self._recent[number - self.shown] for number in range(first, self.shown)]
        shown = [line for line in await self.lines() if not line.startswith(ANSWER)]
        return shown[first : self.shown]

    async def released(self) -> bool:
        """Whether a log of walls that other tables have too may be seen."""
        found = await self.logs.read(self.id, max(0, self.length - 1))
        return found is not None and is_released(found[1])

    async def lines(self) -> list[str]:
        """The whole log of the match, out of the store."""
        found = await self.logs.read(self.id)
        return [] if found is None else [entry.body["line"] for entry in found[1] if "line" in entry.body]
