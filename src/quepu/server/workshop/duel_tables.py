"""Tables that the bots of a duel look into: built by the server's builder, as long as somebody comes back for them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from quepu.server.work.building import BookSource, Building, Progress

_LOOK: Final = 1.0
"""Seconds that a request waits for the tables before it is answered how far they are."""
_PATIENCE: Final = 20.0
"""Seconds after which what nobody has asked about is built no further."""


class _Wanted:
    """Tables that somebody comes back for."""

    def __init__(self, building: Building, source: BookSource, asker: str) -> None:
        self.share = 0.0
        self._end: asyncio.Timeout | None = None
        self.task = asyncio.create_task(self._wait(building, source, asker))

    async def _wait(self, building: Building, source: BookSource, asker: str) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE) as self._end:
                await building.wait(source, asker, self._changed)
                self.share = 1.0

    def _changed(self, progress: Progress) -> None:
        self.share = progress.share

    def stay(self) -> None:
        """Somebody has asked again."""
        if self._end is not None and not self._end.expired():
            self._end.reschedule(asyncio.get_running_loop().time() + _PATIENCE)


class DuelTables:
    """The tables of drafts and their books that are built now for duels; each set is paid for once, where it begins."""

    def __init__(self, building: Building) -> None:
        self._building = building
        self._wanted: dict[BookSource, _Wanted] = {}

    async def share(self, source: BookSource, asker: str) -> float:
        """The share of a book's tables that is there, after a second at most.

        Raises:
            Refusal: who asks has had too many built, too many wait, or it takes too long.
            Error, Broken: the book cannot be made.
        """
        wanted = self._wanted.get(source)
        if wanted is None or wanted.task.done():
            wanted = self._wanted[source] = _Wanted(self._building, source, asker)
            wanted.task.add_done_callback(lambda _: self._forget(source, wanted))
        wanted.stay()
        await asyncio.wait({wanted.task}, timeout=_LOOK)
        if wanted.task.done():
            wanted.task.result()
        return wanted.share

    def _forget(self, source: BookSource, wanted: _Wanted) -> None:
        if self._wanted.get(source) is wanted:
            del self._wanted[source]
        if not wanted.task.cancelled():
            wanted.task.exception()  # nobody may come back for it

    async def close(self) -> None:
        """Wait for nothing any more."""
        tasks = [wanted.task for wanted in self._wanted.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
