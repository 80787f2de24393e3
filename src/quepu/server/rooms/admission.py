"""Admission to a room before its match: places taken, given back, reserved, freed by the host."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from quepu.errors import Text
from quepu.server.rooms.broadcast import send_head, show_again
from quepu.server.rooms.places import NOT_YOURS, RoomError, digest

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room

LOST: Final = 30.0
"""Seconds without a line after which a player counts as lost."""
LAST: Final = 2**31 - 1
"""A number that no entry of a log has: of a log that is read from there on, only the head is."""
SENT_AWAY: Final = Text("房主请你离开了这一桌。", "the host asked you to leave.")


async def sit(room: Room, name: str, at: int | None, *, member: bool = False, asker: str = "") -> tuple[int, str]:
    """Take a free place, or in a match that has begun the one held for this name; the place and its token.

    `member`: it is the name of somebody who is logged in.

    Raises:
        RoomError: nothing is free, or the name is taken.
    """
    async with room.lock:
        if room.phase == "over":
            raise RoomError("这一桌打完了。", "the match is over.")
        if room.phase == "open" and room.closed and room.seating.people:
            raise RoomError("房主已停止入座。", "the host has closed seating.")
        if asker and asker in room.barred:
            raise RoomError(*SENT_AWAY)
        at, token = room.seating.take(name, at) if room.phase == "open" else room.seating.claim(name)
        place = room.seating.places[at]
        place.away, place.left_at = False, time.monotonic()
        place.member, place.since, place.address = member, time.monotonic(), asker
        more = {"member": "yes"} if member else {}
        room.record.place(at, name=place.name, token=place.token, **more)
        await room.save()
        send_head(room)
        return at, token


async def player(room: Room, token: str) -> dict[str, Any]:
    """The place and name of a player whose match is over.

    Raises:
        RoomError: it is not over, or the token is nobody's.
    """
    at = room.seating.who(token)
    if at is None:
        raise RoomError("这不是你的座位。", "this is not your seat.")
    if room.phase != "over":
        raise RoomError("这一场还没有打完。", "the match is not over.")
    return {"place": at, "name": room.seating.places[at].name}


async def again(room: Room, asker: str, payers: Sequence[str]) -> str:
    """The room where those of a match that is over play again: opened for the first who asks, places held for all.

    Raises:
        Error: it cannot be opened.
    """
    async with room.lock:
        if not room.next or await room.host.logs.read(room.next, LAST) is None:  # none yet, or it was deleted
            places = room.seating.places
            levels = ["" if place.person else place.level for place in places]
            spec = room.spec.model_copy(update={"bots": levels, "seed": None})
            made = await room.host.open(spec, asker, payers)
            await hold(made, [place.name if place.person else "" for place in places], desk=False)
            room.next = made.id
            if not room.record.walls:  # such a log ends with its release
                room.record.door(next=made.id)
                await room.save()
            send_head(room)
        return room.next


async def renew(room: Room, at: int) -> str:
    """Another token for a person's place; the old one is nobody's any more."""
    async with room.lock:
        token = room.seating.renew(at)
        place = room.seating.places[at]
        more = {"member": "yes"} if place.member else {}
        room.record.place(at, name=place.name, token=place.token, **more)
        await room.save()
        return token


async def link(room: Room, at: int, token: str, by: str = "") -> str:
    """Another token for the place of a player who is lost, for him to come back with; a bot plays until then.

    `token` is that of whoever wants it; `by` (without a token) the name of a desk, which has given the places. All see
    who it was, and if the lost player comes back with his own token after all, the new one is void.

    Raises:
        RoomError: nobody is lost there, or somebody else decides that.
    """
    async with room.lock:
        if room.phase not in ("playing", "between"):
            raise RoomError("牌局还没有开始，或已经打完。", "the match has not begun, or is over.")
        asker = None if by else room.seating.who(token)
        if not by:
            if asker is None:
                raise RoomError("这不是你的座位。", "this is not your seat.")
            _not_held(room)
            if asker != room.seating.in_charge:
                raise RoomError("只有房主可以。", "only the host can do that.")
        place = room.seating.places[at]
        if not place.person or place.unclaimed or at == asker or (place.listeners and not place.silent):
            raise RoomError("那里没有掉线的人。", "no player is disconnected there.")
        left = LOST - (time.monotonic() - place.left_at)
        if left > 0 and not (place.quit or place.silent):
            raise RoomError(
                f"刚刚掉线，也许马上回来：{left:.0f} 秒后再发。",
                f"the line was lost just now and may come back: wait {left:.0f} seconds.",
            )
        made = secrets.token_urlsafe(18)
        place.link, place.link_by = digest(made), by or room.seating.places[asker or 0].name
        room.record.link(at, place.link, place.link_by)
        await room.save()
        send_head(room)
        return made


async def owner_came(room: Room, at: int, token: str) -> None:
    """Somebody connects to his place: if it is by his own token, another one that was given out for it is void."""
    async with room.lock:
        place = room.seating.places[at]
        if not place.link or digest(token) == place.link:
            return
        place.link = place.link_by = ""
        room.record.link(at)
        await room.save()


async def leave(room: Room, token: str) -> None:
    """Give a place back before the match; during it a bot goes on playing for it.

    Raises:
        RoomError: the token is nobody's.
    """
    async with room.lock:
        at = room.seating.who(token)
        if at is None:
            raise RoomError("这不是你的座位。", "this is not your seat.")
        if room.phase == "open":
            room.seating.assign(at)
            room.salts.forget(at)
            room.record.place(at)
            await room.save()
        else:
            timed = room.timed
            room.seating.places[at].quit = True
            if timed and not room.timed:
                show_again(room)
            room.wake()
        send_head(room)


async def kick(room: Room, by: int, at: int) -> None:
    """Whoever opened the table frees a place, a person's or a bot's.

    A person who sat there may not come back from the same address.

    Raises:
        RoomError: the match has begun, it is not his table, or there is nobody to be sent away.
    """
    async with room.lock:
        _only_host(room, by)
        place = room.seating.places[at]
        if at == by or place.kind == "free":
            raise RoomError("那里没有可以请出的人。", "there is no player to remove.")
        if place.kind == "bot":
            room.seating.free(at)
            room.record.door(free=at)
            await room.save()
            send_head(room)
            return
        if not room.seating.held and place.address and place.address != room.seating.places[by].address:
            room.barred.add(place.address)
        for listener in list(place.listeners):
            listener.send({"refused": SENT_AWAY._asdict()})
            listener.close(NOT_YOURS)
            room.audience.leave(listener)
        room.seating.assign(at)
        room.salts.forget(at)
        room.record.place(at)
        await room.save()
        send_head(room)


async def reserve(room: Room, by: int, at: int, name: str) -> None:
    """Whoever opened the table holds a place for somebody by name, or lets anybody take it ("").

    The name of an account can be used by that account alone.

    Raises:
        RoomError: the match has begun, it is not his table, or the place is not free.
    """
    async with room.lock:
        _only_host(room, by)
        _not_held(room)
        room.seating.reserve(at, name)
        room.record.door(reserve=at, name=room.seating.places[at].reserved)
        await room.save()
        send_head(room)


async def hold(room: Room, names: Sequence[str], *, desk: bool = True) -> None:
    """Hold places of a new room, each for a name ("": for nobody); if a desk gives them, nobody there may change it."""
    async with room.lock:
        if desk:
            room.seating.held = True
            room.record.door(held=True)
        for at, name in enumerate(names):
            if not name:
                continue
            room.seating.reserve(at, name)
            room.record.door(reserve=at, name=room.seating.places[at].reserved)
        await room.save()


async def close_door(room: Room, by: int, closed: bool) -> None:
    """Whoever opened the table lets nobody else sit down (or does again).

    Raises:
        RoomError: the match has begun, or it is not his table.
    """
    async with room.lock:
        _only_host(room, by)
        _not_held(room)
        if closed != room.closed:
            room.closed = closed
            room.record.door(closed=closed)
            await room.save()
        send_head(room)


def _not_held(room: Room) -> None:
    if room.seating.held:
        raise RoomError("座位是裁判台排的。", "the organiser assigned the seats.")


def _only_host(room: Room, by: int) -> None:
    if room.phase != "open":
        raise RoomError("牌局已经开始。", "the match has begun.")
    if by != room.seating.host:
        raise RoomError("只有房主可以。", "only the host can do that.")
