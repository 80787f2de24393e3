"""What comes in is read at a pace: a crowd that comes at once is let in over several turns of the event loop."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

_A_TURN: Final = 0.006
"""Seconds of one turn of the event loop in which requests are read; what they start takes some three times as long."""

Read = Callable[[bytes], None]


class Pace:
    """The readers of one server, first come, first served. What somebody sends is read in its order."""

    def __init__(self, a_turn: float = _A_TURN, clock: Callable[[], float] = time.perf_counter) -> None:
        """`a_turn`: seconds of one turn of the loop."""
        self._a_turn = a_turn
        self._clock = clock
        self._spent = 0.0
        self._waiting: deque[tuple[Read, bytes]] = deque()
        self._called = False

    def read(self, loop: asyncio.AbstractEventLoop, read: Read, data: bytes) -> bool:
        """Let `read` have the data, now or in a turn to come; whether it was now."""
        if not self._called:
            self._called = True
            loop.call_soon(self._next, loop)
        if self._waiting or self._spent >= self._a_turn:
            self._waiting.append((read, data))
            return False
        self._do(read, data)
        return True

    def _do(self, read: Read, data: bytes) -> None:
        began = self._clock()
        read(data)
        self._spent += self._clock() - began

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        """A new turn of the loop."""
        self._spent = 0.0
        self._called = bool(self._waiting)
        if self._called:
            loop.call_soon(self._next, loop)
        while self._waiting:
            self._do(*self._waiting.popleft())
            if self._spent >= self._a_turn:
                return
