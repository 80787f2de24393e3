"""Pace the reading of input: never long at once, a bounded share of time, cheapest senders first.

A sudden crowd, or many endless senders, are spread over many turns of the event loop, so that current players hardly
notice.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final, NamedTuple

_AT_ONCE: Final = 0.006
"""Seconds for which input is read at once; processing it takes about three times as long."""
_SHARE: Final = 0.15
"""The largest share of time spent on reading."""
_LEAST: Final = 0.001
"""Seconds of reading granted to waiting senders in one turn."""

_MOST_PAID: Final = 1000
"""Senders whose costs are remembered although none of their input waits."""

_MOST_PASSED: Final = 8
"""The most pieces of others read before one of an endless sender."""

Read = Callable[[bytes], None]
_Place = tuple[float, int, str]
"""A sender's cost, arrival and identity."""


class _Piece(NamedTuple):
    """A piece of input, its reader, and whether more follows."""

    read: Read
    data: bytes
    more: bool


class _Waiting:
    """Waiting input by sender, in order: first senders without more to come, then the cheapest.

    Short messages go before any number of endless senders; one of those is read after a few others, so that they finish
    eventually. Costs are counted while anything waits. A new sender starts with the cost of the last one read: it is
    neither penalised for earlier silence nor overtaken by endless senders.
    """

    def __init__(self) -> None:
        self._pieces: dict[str, deque[_Piece]] = {}
        self._paid: dict[str, float] = {}
        self._lines: tuple[list[_Place], list[_Place]] = [], []  # heaps: senders without more to come, and the others
        self._passed = 0  # pieces read while endless senders waited
        self._number = 0
        self._least = 0.0  # cost of the last sender when it was read
        self._reading = ""

    def __len__(self) -> int:
        return len(self._pieces)

    def put(self, who: str, piece: _Piece) -> None:
        """Queue a piece of input."""
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
        """Return the next piece; call `paid` after reading it."""
        ended, others = self._lines
        self._passed = self._passed + 1 if ended and others and self._passed < _MOST_PASSED else 0
        self._least, _, who = heappop(ended if self._passed or not others else others)
        piece = self._pieces[who].popleft()
        if not self._pieces[who]:
            del self._pieces[who]
        self._reading = who
        return piece

    def charge(self, seconds: float) -> None:
        """Charge the cost of the piece that was taken."""
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
    """Paces the readers of one server."""

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
        """Pass `data` from `who` to `read`, now or later; return True if now. `more`: the sender has more to send."""
        if len(self._waiting) or not self._may():
            self._waiting.put(who, _Piece(read, data, more))
            self._call(loop)
            return False
        self._do(read, data)
        return True

    def _may(self) -> bool:
        """Return whether input may be read now."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._counted) * self._share)
        self._counted = now
        return self._left > 0

    def _do(self, read: Read, data: bytes) -> float:
        """Read a piece; return the seconds it took."""
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
                self._waiting.charge(took)
        if len(self._waiting):
            self._call(loop)
