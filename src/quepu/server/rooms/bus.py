"""Messages between server processes that share a PostgreSQL database, by NOTIFY; each listens to its own name.

Delivery is not guaranteed and need not be: a room's actions are in its log, and a client that misses messages
reconnects and receives everything since.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import zlib
from collections.abc import Callable
from typing import Any

_log = logging.getLogger("quepu.server")

_SEND = "SELECT pg_notify(c, p) FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t(c, p, n) ORDER BY n"
_PART = 7000
"""Characters per notification; PostgreSQL takes just under 8000 bytes."""
_MOST_OPEN = 1000
"""The most partially received messages."""

Hear = Callable[[str, dict[str, Any]], None]
"""Receives a message: the sending process, and the message."""


class Bus:
    """The messages of one process (`me`)."""

    def __init__(self, address: str, me: str, hear: Hear) -> None:
        self.address = address
        self.me = me
        self.hear = hear
        self.lost = True
        """Whether the connection broke; reopen it then."""
        self._number = 0
        self._waiting: list[tuple[str, str]] = []
        self._parts: dict[tuple[str, str], list[str]] = {}
        self._listening: Any = None
        self._sending: Any = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, to listen and to send.

        Raises:
            OSError: the database cannot be reached.
        """
        import asyncpg

        await self.close()
        self._waiting.clear()
        self._parts.clear()
        try:
            self._sending = await asyncpg.connect(self.address)
            self._listening = await asyncpg.connect(self.address)
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:  # it is starting or stopping
            raise OSError(str(error)) from error
        self._listening.add_termination_listener(self._broke)
        await self._listening.add_listener(_channel(self.me), self._came)
        self.lost = False

    async def close(self) -> None:
        """Close both connections."""
        self.lost = True
        if self._task is not None:
            self._task.cancel()
            self._task = None
        for connection in (self._listening, self._sending):
            if connection is not None and not connection.is_closed():
                connection.terminate()
        self._listening = self._sending = None

    def send(self, to: str, message: dict[str, Any]) -> None:
        """Send a message; it is lost if the connection is."""
        if self.lost:
            return
        text = json.dumps(message, separators=(",", ":"))
        if len(text) > 1500:
            text = "z" + base64.b85encode(zlib.compress(text.encode(), 1)).decode()
        self._number += 1
        pieces = [text[i : i + _PART] for i in range(0, len(text), _PART)]
        head = f"{self.me} {self._number}"
        self._waiting += ((_channel(to), f"{head} {len(pieces) - i} {piece}") for i, piece in enumerate(pieces))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                some, self._waiting = self._waiting[:500], self._waiting[500:]
                channels, payloads = [one[0] for one in some], [one[1] for one in some]
                await self._sending.execute(_SEND, channels, payloads)
        except Exception:  # noqa: BLE001  # a driver's errors are many, and any of them loses messages
            _log.exception("messages to other servers are lost; tables there come back by themselves")
            self.lost = True

    def _broke(self, _connection: object) -> None:
        self.lost = True

    def _came(self, _connection: object, _pid: int, _name: str, payload: object) -> None:
        sender, number, left, piece = str(payload).split(" ", 3)
        pieces = self._parts.setdefault((sender, number), [])
        pieces.append(piece)
        if left != "1":
            while len(self._parts) > _MOST_OPEN:
                del self._parts[next(iter(self._parts))]
            return
        del self._parts[sender, number]
        text = "".join(pieces)
        try:
            if text.startswith("z"):
                text = zlib.decompress(base64.b85decode(text[1:])).decode()
            message = json.loads(text)
        except ValueError:  # its beginning was lost with a connection
            return
        self.hear(sender, message)


def _channel(process: str) -> str:
    return f"quepu_{process}"
