"""Background work of a server: drop what an operator has closed or taken down, remove expired data."""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from quepu.server.limits import Limits
from quepu.server.lru_cache import LRUCache
from quepu.server.rooms.registry import RoomRegistry
from quepu.server.store.administration import Administration, ClockJumped
from quepu.server.store.database import Database
from quepu.server.store.models import Audit, Log
from quepu.server.store.values import StoreError

_LOOK = 10.0
"""Seconds between checks for rooms closed by an operator."""
_TIDY = 3600.0
"""Seconds between removals of expired data."""
_log = logging.getLogger("quepu.server")


class Housekeeping:
    """The background task."""

    def __init__(self, database: Database, registry: RoomRegistry, limits: Limits) -> None:
        self.database = database
        self.registry = registry
        self.caches: list[LRUCache] = []
        """What is dropped when an operator has acted: logs and what was made of them."""
        self.administration = Administration(database, limits)
        self._task: asyncio.Task[None] | None = None
        self._tidied = time.monotonic()
        self._jumped = False  # whether the jump has been logged
        self._acted: int | None = None  # the last action of an operator

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._go())

    async def close(self) -> None:
        """Stop; a query of the store in progress is completed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _go(self) -> None:
        while True:
            await asyncio.sleep(_LOOK)
            try:
                await asyncio.shield(self.look())
                if time.monotonic() - self._tidied > _TIDY:
                    self._tidied = time.monotonic()
                    await asyncio.shield(self.tidy())
            except (StoreError, DBAPIError, OSError) as error:
                _log.warning("nothing is tidied, the store does not answer: %s", error)

    async def tidy(self) -> None:
        """Remove expired data, unless the clock has jumped since the last time, which makes ages unknown."""
        try:
            await self.administration.tidy()
            self._jumped = False
        except ClockJumped as jumped:
            if not self._jumped:
                _log.warning("%s", jumped.text.en)
            self._jumped = True

    async def look(self) -> None:
        """Drop rooms whose logs have become logs of something else, and cached views if an operator has acted."""
        async with self.database.reading() as session:
            acted = (await session.execute(select(func.max(Audit.id)))).scalar_one() or 0
        if acted != self._acted:
            self._acted = acted
            for cache in self.caches:
                cache.discard_if(lambda _: True)
        here = list(self.registry.rooms)
        for some in (here[i : i + 500] for i in range(0, len(here), 500)):
            async with self.database.reading() as session:
                found = await session.execute(select(Log.id).where(Log.id.in_(some), Log.kind == "room"))
                stored = set(found.scalars())
            for id in some:
                if id not in stored:
                    await self.registry.drop(id)
