"""Takeover: a process among those that share a database lives, and goes on with the rooms of the dead."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from sqlalchemy.exc import DBAPIError

from quepu.server.rooms.places import BrokenRoom
from quepu.server.rooms.remote import RemoteRooms
from quepu.server.store.owners import LEASE, Owners
from quepu.server.store.values import StoreError

_log = logging.getLogger("quepu.server")

BEAT = LEASE / 4
"""Seconds between two signs of life of a process that shares its database."""
_AT_ONCE = 20
"""Rooms of dead processes taken over between two looks for more."""


class Takeover:
    """Signs of life of this process, and rooms of dead ones. `find` loads a room that is free; `closing` ends both."""

    def __init__(self, owners: Owners, find: Callable[[str], Awaitable[object]], *, shared: bool) -> None:
        self.closing = asyncio.Event()
        self._owners = owners
        self._find = find
        self._shared = shared

    async def live(self, remote: RemoteRooms) -> None:
        """Write again and again that this process is alive, and see which others are."""
        while not await self._closed(BEAT):
            try:
                await self._owners.beat()
                if remote.bus.lost:
                    remote.only(set())
                    await remote.bus.open()
                remote.only(await self._owners.alive())
            except StoreError:  # it is in the server's log already
                remote.only(set())
            except (DBAPIError, OSError) as error:
                _log.warning("nothing is heard of other servers: %s", error)
                remote.only(set())

    async def adopt(self) -> None:
        """Go on with the matches of processes that have died."""
        unread: set[str] = set()  # what the store could not give, until the next look
        while not self.closing.is_set():
            orphans: list[str] = []
            with suppress(StoreError, DBAPIError, OSError):  # it is in the server's log already
                found = await self._owners.orphans(_AT_ONCE + len(unread))
                orphans = [id for id in found if id not in unread]
            for id in orphans:
                if not self.closing.is_set():
                    if not await self._go_on(id):
                        unread.add(id)
                    await asyncio.sleep(0)
            if not orphans:
                if not self._shared or await self._closed(BEAT):
                    return
                unread.clear()

    async def _go_on(self, id: str) -> bool:
        """Load a room; one that cannot be loaded stays in the store and is nobody else's trouble.

        False: the store could not give it.
        """
        try:
            await self._find(id)
        except (StoreError, DBAPIError, OSError):
            _log.warning("room %s cannot be gone on with now: the store does not give its log", id)
            return False
        except BrokenRoom:  # it is in the server's log already
            pass
        except Exception:  # noqa: BLE001  # one log, whatever is wrong with it, stops no other room
            _log.exception("room %s cannot be gone on with; its log stays as it is", id)
        return True

    async def _closed(self, seconds: float) -> bool:
        """Whether this process ends within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.closing.wait()
        return self.closing.is_set()
