"""Send the length of a log to pages that follow it, whenever it grows, as server-sent events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from quepu.server.store.values import LogStore

LONGEST = 100.0
"""Seconds of one stream, below the time limit of an answer; browsers reconnect by themselves."""
_LOOK = 5.0
"""Seconds between polls of the store, to which another server may have written."""


class Followers:
    """Followers of logs in this process."""

    def __init__(self, logs: LogStore) -> None:
        self.logs = logs
        self._of: dict[str, set[asyncio.Event]] = {}
        self._closed = False

    def close(self) -> None:
        """End every stream, now and later, so that the server can stop."""
        self._closed = True
        for id in self._of:
            self.grown(id)

    def grown(self, id: str) -> None:
        """Wake all followers of this log."""
        for event in self._of.get(id, ()):
            event.set()

    async def lengths(self, id: str, longest: float = LONGEST) -> AsyncIterator[int | None]:
        """Yield the length of a log now and after each change; None in between; stop once the log is gone."""
        event, last = asyncio.Event(), 0
        self._of.setdefault(id, set()).add(event)
        end = time.monotonic() + longest
        try:
            while not self._closed and time.monotonic() < end:
                event.clear()
                found = await self.logs.read(id, 1 << 30)  # only its head
                if found is None:
                    return
                yield found[0].length if found[0].length != last else None
                last = found[0].length
                try:
                    await asyncio.wait_for(event.wait(), min(_LOOK, max(0.0, end - time.monotonic())))
                except TimeoutError:
                    continue
        finally:
            self._of[id].discard(event)
            if not self._of[id]:
                del self._of[id]

    def stream(self, id: str, longest: float = LONGEST) -> StreamingResponse:
        """Return the same as a response for a browser's EventSource."""

        async def lines() -> AsyncIterator[bytes]:
            yield b"retry: 1500\n\n"
            async for length in self.lengths(id, longest):
                yield b": \n\n" if length is None else f"data: {length}\n\n".encode()

        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(lines(), media_type="text/event-stream", headers=headers)
