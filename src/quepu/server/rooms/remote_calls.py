"""Calls to a room by name, so that the process that owns it can be called by another one too."""

from __future__ import annotations

from typing import Any

from quepu.server.rooms import admission
from quepu.server.rooms.room import Room
from quepu.server.rooms.serialize import head


async def answer(room: Room, what: str, more: dict[str, Any]) -> Any:
    """The answer of a room, as plain data.

    Raises:
        Error: the room refuses.
    """
    if what == "sit":
        place, token = await admission.sit(
            room, more["name"], more["place"], member=bool(more.get("member")), asker=str(more.get("asker", ""))
        )
        return {"place": place, "token": token}
    if what == "player":
        return await admission.player(room, more["token"])
    if what == "again":
        return await admission.again(room, str(more.get("asker", "")), more.get("payers", ()))
    if what == "leave":
        await admission.leave(room, more["token"])
        return head(room)
    if what == "renew":
        return await admission.renew(room, more["place"])
    if what == "link":
        return await admission.link(room, more["place"], more["token"], str(more.get("by", "")))
    if what == "house":
        return room.spec.house
    if what == "log":
        if room.phase != "over" or (room.record.walls and not await room.record.released()):
            return None
        return await room.record.lines()
    return head(room)
