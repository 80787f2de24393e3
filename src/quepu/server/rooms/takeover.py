"""Takeover: a process that shares a database signals that it is alive, and takes over the rooms of dead ones."""

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
"""Seconds between heartbeats of a process that shares its database."""
_AT_ONCE = 20
"""Rooms of dead processes taken over between two checks."""


class Takeover:
    """Heartbeats of this process, and rooms of dead ones. `find` loads a free room; `closing` ends both."""

    def __init__(self, owners: Owners, find: Callable[[str], Awaitable[object]], *, shared: bool) -> None:
        self.closing = asyncio.Event()
        self._owners = owners
        self._find = find
        self._shared = shared

    async def live(self, remote: RemoteRooms) -> None:
        """Signal regularly that this process is alive, and learn which others are."""
        while not await self._ends_within(BEAT):
            try:
                await self._owners.beat()
                if remote.bus.lost:
                    remote.only(set())
                    await remote.bus.open()
                remote.only(await self._owners.alive())
            except StoreError:  # the server has logged it already
                remote.only(set())
            except (DBAPIError, OSError) as error:
                _log.warning("nothing is heard of other servers: %s", error)
                remote.only(set())

    async def adopt(self) -> None:
        """Continue the matches of dead processes."""
        unread: set[str] = set()  # rooms that could not be loaded, until the next check
        while not self.closing.is_set():
            orphans: list[str] = []
            with suppress(StoreError, DBAPIError, OSError):  # the server has logged it already
                found = await self._owners.orphans(_AT_ONCE + len(unread))
                orphans = [id for id in found if id not in unread]
            for id in orphans:
                if not self.closing.is_set():
                    if not await self._go_on(id):
                        unread.add(id)
                    await asyncio.sleep(0)
            if not orphans:
                if not self._shared or await self._ends_within(BEAT):
                    return
                unread.clear()

    async def _go_on(self, id: str) -> bool:
        """Load a room; one that cannot be loaded stays in the store and does not affect others.

        False: the store failed.
        """
        try:
            await self._find(id)
        except (StoreError, DBAPIError, OSError):
            _log.warning("room %s cannot be gone on with now: the store does not give its log", id)
            return False
        except BrokenRoom:  # the server has logged it already
            pass
        except Exception:  # noqa: BLE001  # one log, whatever is wrong with it, stops no other room
            _log.exception("room %s cannot be gone on with; its log stays as it is", id)
        return True

    async def _ends_within(self, seconds: float) -> bool:
        """Return whether this process ends within `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.closing.wait()
        return self.closing.is_set()
