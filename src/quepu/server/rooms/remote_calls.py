"""What a room is asked over HTTP, by name, so that the process that owns it can be asked by another one too."""

from __future__ import annotations

from typing import Any

from quepu.server.rooms.room import Room


async def answer(room: Room, what: str, more: dict[str, Any]) -> Any:
    """The answer of a room, as plain data.

    Raises:
        Error: the room refuses.
    """
    if what == "sit":
        place, token = await room.sit(
            more["name"], more["place"], member=bool(more.get("member")), asker=str(more.get("asker", ""))
        )
        return {"place": place, "token": token}
    if what == "leave":
        await room.leave(more["token"])
        return room.head()
    if what == "renew":
        return await room.renew(more["place"])
    if what == "house":
        return room.spec.house
    if what == "log":
        return await room.record.lines() if room.phase == "over" else None
    return room.head()
