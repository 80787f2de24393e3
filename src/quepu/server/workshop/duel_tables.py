"""Tables for the bots of a duel: built by the server's builder, as long as a client keeps asking."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from quepu.server.work.building import BookSource, Building, Progress

_LOOK: Final = 1.0
"""Seconds that a request waits for the tables before it reports progress."""
_PATIENCE: Final = 20.0
"""Seconds without a request after which building stops."""


class _Wanted:
    """Tables that a client keeps asking for."""

    def __init__(self, building: Building, source: BookSource, asker: str) -> None:
        self.share = 0.0
        self._end: asyncio.Timeout | None = None
        self.task = asyncio.create_task(self._wait(building, source, asker))

    async def _wait(self, building: Building, source: BookSource, asker: str) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE) as self._end:
                await building.wait(source, asker, self._set_share)
                self.share = 1.0

    def _set_share(self, progress: Progress) -> None:
        self.share = progress.share

    def stay(self) -> None:
        """Record another request."""
        if self._end is not None and not self._end.expired():
            self._end.reschedule(asyncio.get_running_loop().time() + _PATIENCE)


class DuelTables:
    """The tables of drafts and their books being built for duels; each set is charged once, at its start."""

    def __init__(self, building: Building) -> None:
        self._building = building
        self._wanted: dict[BookSource, _Wanted] = {}

    async def share(self, source: BookSource, asker: str) -> float:
        """Return the finished share of a book's tables, after a second at most.

        Raises:
            Refusal: the asker has had too many built, too many wait, or it takes too long. Error, Broken: the book
                cannot be built.
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
            wanted.task.exception()  # the client may not come back for it

    async def close(self) -> None:
        """Stop waiting."""
        tasks = [wanted.task for wanted in self._wanted.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
