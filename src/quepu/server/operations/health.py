"""Whether this process is alive, and whether it is ready for traffic."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from quepu.errors import Text
from quepu.server.operations.metrics import LOOP_LATE
from quepu.server.store.database import Database
from quepu.server.store.values import StoreError

AWAY: Final = Text("数据库现在不能用，请稍后再试。", "the database is unavailable right now: please try again later.")
_CLOSING: Final = Text("服务器正在停下。", "this server is stopping.")
_FRESH: Final = 1.0
"""Seconds for which a result stays valid."""
_PATIENCE: Final = 3.0
"""Seconds within which the store must respond."""
_STEP: Final = 0.25
"""Seconds between measurements of the event loop's lag."""


class Health:
    """The health of one application."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.closing = False
        self._seen: tuple[float, Text | None] = (float("-inf"), None)
        self._looking = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start watching the event loop."""
        self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """Report not ready from now on."""
        self.closing = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def unready(self) -> Text | None:
        """Return why traffic should not be sent here; None if ready."""
        return _CLOSING if self.closing else await self.store_trouble()

    async def store_trouble(self) -> Text | None:
        """Return why the store cannot be used; None if it answers. It is asked at most once a second."""
        async with self._looking:
            if time.monotonic() - self._seen[0] > _FRESH:
                self._seen = time.monotonic(), await self._look()
        return self._seen[1]

    async def _look(self) -> Text | None:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.database.answers()
        except (StoreError, TimeoutError):
            return AWAY
        return None

    @staticmethod
    async def _watch() -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _STEP
            await asyncio.sleep(_STEP)
            LOOP_LATE.observe(max(0.0, loop.time() - due))
