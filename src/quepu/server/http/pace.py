"""The pace of reading what comes in: never long at once, a share of the time in all, who has cost least first.

A crowd that comes at once, or many who send without end, are let in over many turns of the event loop, and who plays
meanwhile hardly notices.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final, NamedTuple

_AT_ONCE: Final = 0.006
"""Seconds for which what comes in is read at once; what it starts takes some three times as long."""
_SHARE: Final = 0.15
"""The share of all time for which it may be read."""
_LEAST: Final = 0.001
"""Seconds of reading for which those who wait are let in together."""

_MOST_PAID: Final = 1000
"""Senders whose costs are remembered though nothing of theirs waits."""

_MOST_PASSED: Final = 8
"""Pieces of others that are read before one of whoever goes on sending."""

Read = Callable[[bytes], None]
_Place = tuple[float, int, str]
"""Costs of a sender, when he came, and who he is."""


class _Piece(NamedTuple):
    """A piece that was sent, who reads it, and whether more of it is to come."""

    read: Read
    data: bytes
    more: bool


class _Waiting:
    """Pieces that wait, by sender, each in its order: first whoever has no more to come, then whoever has cost least.

    However many go on sending, who plays is read before them; of those, one is read after a few others, so that they
    come to an end. Costs are counted while anything waits. Who comes meanwhile has cost as much as whoever was read
    last: neither does he pay for not having sent before, nor do many who go on sending come before him.
    """

    def __init__(self) -> None:
        self._pieces: dict[str, deque[_Piece]] = {}
        self._paid: dict[str, float] = {}
        self._lines: tuple[list[_Place], list[_Place]] = [], []  # heaps: those with no more to come, and the others
        self._passed = 0  # how many were read while others that go on sending waited
        self._number = 0
        self._least = 0.0  # costs of whoever was read last, when it was his turn
        self._reading = ""

    def __len__(self) -> int:
        return len(self._pieces)

    def put(self, who: str, piece: _Piece) -> None:
        """Let a piece wait."""
        if who in self._pieces:
            self._pieces[who].append(piece)
            return
        self._pieces[who] = deque([piece])
        if who != self._reading:
            self._line_up(who)

    def _line_up(self, who: str) -> None:
        self._paid[who] = max(self._paid.get(who, 0.0), self._least)
        self._number += 1
        heappush(self._lines[self._pieces[who][0].more], (self._paid[who], self._number, who))

    def take(self) -> _Piece:
        """The piece whose turn it is; `paid` is called when it has been read."""
        ended, others = self._lines
        self._passed = self._passed + 1 if ended and others and self._passed < _MOST_PASSED else 0
        self._least, _, who = heappop(ended if self._passed or not others else others)
        piece = self._pieces[who].popleft()
        if not self._pieces[who]:
            del self._pieces[who]
        self._reading = who
        return piece

    def paid(self, seconds: float) -> None:
        """Charge what the piece that was taken has cost."""
        who, self._reading = self._reading, ""
        self._paid[who] += seconds
        if who in self._pieces:
            self._line_up(who)
        if not self._pieces:
            self._paid.clear()
            self._least = 0.0
        elif len(self._paid) > 2 * _MOST_PAID:
            most = sorted(self._paid.values())[-_MOST_PAID]
            self._paid = {one: cost for one, cost in self._paid.items() if cost >= most or one in self._pieces}


class Pace:
    """The readers of one server."""

    def __init__(
        self, at_once: float = _AT_ONCE, share: float = _SHARE, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._most = at_once
        self._share = share
        self._clock = clock
        self._left = at_once
        self._counted = clock()
        self._waiting = _Waiting()
        self._called = False

    def read(self, loop: asyncio.AbstractEventLoop, who: str, read: Read, data: bytes, *, more: bool = False) -> bool:
        """Pass the data that `who` sent to `read`, now or later; True if it was now. `more`: he goes on sending."""
        if len(self._waiting) or not self._may():
            self._waiting.put(who, _Piece(read, data, more))
            self._call(loop)
            return False
        self._do(read, data)
        return True

    def _may(self) -> bool:
        """Whether something may be read now."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._counted) * self._share)
        self._counted = now
        return self._left > 0

    def _do(self, read: Read, data: bytes) -> float:
        """Read a piece; the seconds that it took."""
        began = self._clock()
        try:
            read(data)
        finally:
            took = self._clock() - began
            self._left -= took
        return took

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._called:
            self._called = True
            loop.call_later(max(0.0, min(_LEAST, self._most) - self._left) / self._share, self._next, loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._called = False
        while len(self._waiting) and self._may():
            took = 0.0
            try:
                took = self._do(*self._waiting.take()[:2])
            finally:
                self._waiting.paid(took)
        if len(self._waiting):
            self._call(loop)
