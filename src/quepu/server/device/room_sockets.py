"""Connections from pages to the rooms of a device: a room socket's messages, carried by the caller."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from pydantic_core import to_json

from quepu.errors import Error
from quepu.server.device.rooms import DeviceRooms
from quepu.server.rooms.client_messages import pong
from quepu.server.rooms.places import MOVED, TAKEN, UNREAD, BrokenRoom, UnknownRoom
from quepu.server.rooms.visit import Visit

NO_ROOM = 4404
Send = Callable[[int, str, int], object]
"""Takes a message for a connection (its number), or with "" the code with which it ends."""


class Lines:
    """Open connections, each by the number that its page gave it."""

    def __init__(self, rooms: DeviceRooms, send: Send) -> None:
        self.rooms = rooms
        self.send = send
        self._visits: dict[int, Visit] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def open(self, number: int, room: str, hello: str) -> None:
        """Open a connection with its first message."""
        given = _read(hello)
        try:
            visit = await self.rooms.visit(room, given if isinstance(given, dict) else {})
            if visit is None:
                raise UnknownRoom
        except Error as error:
            self._send(number, {"refused": error.text._asdict()})
            self.send(number, "", NO_ROOM if isinstance(error, BrokenRoom | UnknownRoom) else UNREAD)
            return
        self._visits[number] = visit
        self._tasks[number] = asyncio.create_task(self._forward(number, visit))

    async def hear(self, number: int, text: str) -> None:
        """Receive a message of the page."""
        data, visit = _read(text), self._visits.get(number)
        if (answer := pong(data)) is not None:
            self._send(number, answer)
        elif visit is not None:
            await visit.hear(data)

    async def close(self, number: int) -> None:
        """Close a connection: the page has gone."""
        task, visit = self._tasks.pop(number, None), self._visits.pop(number, None)
        if task is not None:
            task.cancel()
        if visit is not None:
            await self.rooms.leave(visit)

    async def _forward(self, number: int, visit: Visit) -> None:
        while (message := await visit.listener.next()) is not None:
            self._send(number, message)
        self._tasks.pop(number, None)
        code = visit.listener.code or UNREAD
        self.send(number, "", TAKEN if code == MOVED else code)  # only another page can have taken the room over
        await self.close(number)

    def _send(self, number: int, message: dict[str, Any]) -> None:
        self.send(number, to_json(message).decode(), 0)


def _read(text: str) -> Any:
    """Return a message as data; None if it is invalid."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
