"""One connection to a room that this process owns, whoever carries it: what its messages mean."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from quepu.errors import Error
from quepu.server.rooms import admission
from quepu.server.rooms.broadcast import listen, unlisten
from quepu.server.rooms.hints import hint_for
from quepu.server.rooms.places import NOT_YOURS, Listener, RoomError
from quepu.server.rooms.room import Room


class Connection(Protocol):
    """A connection to a room here or in another process."""

    listener: Listener

    async def hear(self, data: Any) -> None:
        """Take a message of the client."""
        ...

    def leave(self) -> None:
        """The client has gone."""
        ...


class Visit:
    """A line to a room here.

    `hello` is the client's first message: its `token`, what it has seen (`after`), and its address (`from`), which the
    server adds.
    """

    def __init__(self, room: Room, place: int | None, listener: Listener, asker: str) -> None:
        self.room = room
        self.place = place
        self.listener = listener
        self.asker = asker

    @classmethod
    async def begin(cls, room: Room, hello: dict[str, Any]) -> Visit:
        """A visit, which ends at once if nobody may come so."""
        token, after = hello.get("token"), hello.get("after")
        place = room.seating.who(token) if isinstance(token, str) else None
        if place is None and (token or not room.spec.spectators):
            listener = Listener(None)
            listener.send({"refused": {"zh": "这不是你的座位。", "en": "this is not your place."}})
            listener.close(NOT_YOURS)
        else:
            seen = after if isinstance(after, int) and not isinstance(after, bool) else None
            listener = await listen(room, place, seen)
        return cls(room, place, listener, str(hello.get("from", "")))

    async def hear(self, data: Any) -> None:
        """Do what a message wants, or refuse it. What has begun is done, even when the connection breaks."""
        await asyncio.shield(self._hear(data))

    async def _hear(self, data: Any) -> None:
        send = self.listener.send
        if not isinstance(data, dict):
            send({"refused": {"zh": "消息不是 JSON 对象。", "en": "a message is a JSON object."}})
            return
        try:
            if self.place is None:
                raise RoomError("旁观者不能出牌。", "spectators may not act.")
            if self.listener.closed:
                raise RoomError("这个座位在另一处继续打了。", "this place goes on elsewhere.")
            if "say" in data:
                await self.room.act(self.place, data["say"], data.get("n"))
            elif data.get("ready") is True:
                await self.room.ready(self.place)
            elif data.get("begin") is True:
                await self.room.begin(self.place)
            elif "salt" in data or "commitment" in data:
                await self.room.mix(self.place, data)
            elif "kick" in data:
                await admission.kick(self.room, self.place, data["kick"])
            elif "reserve" in data:
                await admission.reserve(self.room, self.place, data["reserve"], data.get("name"))
            elif isinstance(data.get("closed"), bool):
                await admission.close_door(self.room, self.place, data["closed"])
            elif data.get("hint") is True:
                send(await hint_for(self.room, self.place, "en" if data.get("lang") == "en" else "zh", self.asker))
            else:
                raise RoomError("不认识的消息。", "an unknown message.")
        except Error as error:
            send({"refused": error.text._asdict()})

    def leave(self) -> None:
        """Remove the listener."""
        unlisten(self.room, self.listener)
