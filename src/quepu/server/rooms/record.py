"""A room's log: everything stored before it is sent, and which of its lines are public."""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections import deque
from collections.abc import AsyncIterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from quepu.server.rooms.redaction import reveal_wall
from quepu.server.store.values import Conflict, Entry, LogStore

ANSWER = '{"a":'
"""Beginning of the line of an answer to an offer."""
SEALED = '{"sealed":'
"""Beginning of the line that fixes the inputs of the next wall."""
RECENT = 100
"""Public lines kept in memory besides those of the last dealt hand, however long the match."""
CHUNK = 250
"""Lines read at once for a client that catches up."""


class HandStart(NamedTuple):
    """The start of a hand in a log: the number of its first public line, of that line's entry, and its own."""

    line: int
    entry: int
    hand: int


def is_released(entries: Sequence[Entry]) -> bool:
    """Return whether these last entries of a room's log make it public: no other table plays its walls any more."""
    return any(entry.body.get("released") for entry in entries)


class RoomLog:
    """The entries of one room's log: its opening, then lines, places, and the host's decisions about places.

    `fence` is the number under which this process owns the room.
    """

    def __init__(self, id: str, logs: LogStore, fence: int) -> None:
        self.id = id
        self.fence = fence
        self.logs = logs
        self.length = 1
        self.walls = ""
        """The secret of all walls, if several tables share them; revealed when all of them are over."""
        self.updated = time.time()
        self.shown = 0
        """The number of lines without answers to offers: those must not be countable."""
        self._wall = self._sealed = self._next_sealed = ""  # lines of the last dealt hand, and of the next one
        self._hands: list[HandStart] = []  # where each hand begins, so that logs are not read from the beginning
        self._seal_at: tuple[int, int] | None = None  # line and entry of the next hand's seal
        self._recent: deque[str] = deque()
        self._pending: list[dict[str, Any]] = []

    @property
    def last(self) -> int:
        """The number of the last public line; -1 before the match."""
        return self.shown - 1

    def line(self, line: str) -> None:
        """Add a line of the match's log."""
        self.remember(line, self.length + len(self._pending))
        self._pending.append({"line": line})

    def place(self, at: int, **who: str) -> None:
        """Record that a place was taken (`name`, `token`) or, without them, given back."""
        self._pending.append({"place": at, **who})

    def joiner(self, at: int, **who: str) -> None:
        """Record that a person waits for a bot's place (`name`, `token`) or, without them, no longer does."""
        self._pending.append({"joiner": at, **who})

    def link(self, at: int, token: str = "", by: str = "") -> None:
        """Record that a new token for a lost player's place was issued `by` someone or, without them, is void."""
        self._pending.append({"link": at, "token": token, "by": by})

    def door(self, **door: Any) -> None:
        """Record the host's decision about places: `reserve` (one, for a `name`), or whether others may sit (`closed`).

        After the match: the room of the next match (`next`).
        """
        self._pending.append(door)

    def remember(self, line: str, entry: int = 0) -> None:
        """Count a line that is stored, or will be, as `entry`."""
        if line.startswith(ANSWER):
            return
        if line.startswith(SEALED):
            self._next_sealed, self._seal_at = line, (self.shown, entry)
        elif '"wall":' in line:
            self._wall, self._sealed, self._next_sealed = line, self._next_sealed, ""
            at, self._seal_at = self._seal_at or (self.shown, entry), None
            self._hands.append(HandStart(*at, json.loads(line)["hand"]))
        self._recent.append(line)
        self.shown += 1
        while len(self._recent) > max(RECENT, self.shown - self.hand_start):
            self._recent.popleft()

    @property
    def hand_start(self) -> int:
        """The number of the first line of the last dealt hand: the seal of its wall, or the deal; 0 before that."""
        return self._hands[-1].line if self._hands else 0

    def hand_of(self, line: int) -> int:
        """Return the number of the hand that line number `line` belongs to, 0 before the first."""
        found = self._start_before(line)
        return found.hand if found is not None else 0

    def _start_before(self, line: int) -> HandStart | None:
        at = bisect_right(self._hands, line, key=lambda start: start.line)
        return self._hands[at - 1] if at else None

    async def save(self) -> int:
        """Store new entries and return their size in characters.

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
        """Return the wall of the last dealt hand, with its secrets: for when that hand is over.

        While other tables may still play it, only its commitments.
        """
        found = reveal_wall(self._wall, self._sealed)
        return {**found, "wall": "", "dice": [], "secret": ""} if self.walls else found

    async def since(self, first: int) -> list[str]:
        """Return the public lines from number `first` on, older ones from the store."""
        return [line async for chunk in self.chunks(first, self.shown) for line in chunk]

    async def chunks(self, first: int, end: int) -> AsyncIterator[list[str]]:
        """Yield the public lines from number `first` up to `end` in chunks, older ones from the store."""
        start = self._start_before(first)
        number, entry = (start.line, start.entry) if start is not None else (0, 0)  # where the store is read next
        while first < end:
            oldest = self.shown - len(self._recent)
            if first >= oldest:
                chunk = list(islice(self._recent, first - oldest, min(first + CHUNK, end) - oldest))
            else:
                found = await self.logs.read(self.id, entry, CHUNK)
                if found is None or not found[1]:  # it was deleted
                    return
                entry += len(found[1])
                lines = [one.body["line"] for one in found[1] if "line" in one.body]
                shown = [line for line in lines if not line.startswith(ANSWER)]
                chunk = shown[max(0, first - number) : end - number]
                number += len(shown)
            first += len(chunk)
            if chunk:
                yield chunk

    async def is_released(self) -> bool:
        """Return whether a log with shared walls may be shown."""
        found = await self.logs.read(self.id, max(0, self.length - 1))
        return found is not None and is_released(found[1])

    async def lines(self) -> list[str]:
        """Return the whole log of the match, from the store."""
        found = await self.logs.read(self.id)
        return [] if found is None else [entry.body["line"] for entry in found[1] if "line" in entry.body]
