"""What comes in is read at a pace: never for long at once, a share of the time in all, and in turn for those who send.

A crowd that comes at once, or one who sends without end, is let in over many turns of the event loop, and who plays
meanwhile hardly notices.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Final

from quepu.server.turns import Turns

_AT_ONCE: Final = 0.006
"""Seconds for which what comes in is read at once; what it starts takes some three times as long."""
_SHARE: Final = 0.15
"""The share of all time for which it may be read."""
_LEAST: Final = 0.001
"""Seconds of reading for which those who wait are let in together."""

Read = Callable[[bytes], None]


class Pace:
    """The readers of one server. What one sender sends is read in its order; senders take turns."""

    def __init__(
        self, at_once: float = _AT_ONCE, share: float = _SHARE, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._most = at_once
        self._share = share
        self._clock = clock
        self._left = at_once
        self._counted = clock()
        self._waiting: Turns[tuple[Read, bytes]] = Turns(sys.maxsize, sys.maxsize)
        self._called = False

    def read(self, loop: asyncio.AbstractEventLoop, who: str, read: Read, data: bytes) -> bool:
        """Pass the data that `who` sent to `read`, now or later; True if it was now."""
        if len(self._waiting) or not self._may():
            self._waiting.put(who, (read, data))
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

    def _do(self, read: Read, data: bytes) -> None:
        began = self._clock()
        try:
            read(data)
        finally:
            self._left -= self._clock() - began

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._called:
            self._called = True
            loop.call_later(max(0.0, min(_LEAST, self._most) - self._left) / self._share, self._next, loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._called = False
        while len(self._waiting) and self._may():
            self._do(*self._waiting.take())
        if len(self._waiting):
            self._call(loop)
