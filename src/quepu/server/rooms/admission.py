"""Admission to a room before its match: seats taken, given back, reserved, and freed by the host."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from quepu.errors import Text
from quepu.server.rooms.broadcast import send_head, show_again
from quepu.server.rooms.joining import ask_for_place, cancel
from quepu.server.rooms.places import NOT_YOURS, RoomError, digest

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room

LOST: Final = 30.0
"""Seconds without a connection after which a player counts as lost."""
LAST: Final = 2**31 - 1
"""A number beyond any log entry: reading from there returns only the head."""
SENT_AWAY: Final = Text("房主请你离开了这一桌。", "the host asked you to leave.")


async def sit(room: Room, name: str, at: int | None, *, member: bool = False, asker: str = "") -> tuple[int, str]:
    """Take a free seat, or in a running match the one reserved for this name; return its number and token.

    Where the terms allow it, the seat in a running match may also be a bot's, from the next hand on.

    `member`: the name belongs to the account logged in.

    Raises:
        RoomError: no seat is free, or the name is taken.
    """
    async with room.lock:
        if room.phase == "over":
            raise RoomError("这一桌打完了。", "the match is over.")
        if room.phase == "open" and room.closed and room.seating.people:
            raise RoomError("房主已停止入座。", "the host has closed seating.")
        if asker and asker in room.barred:
            raise RoomError(*SENT_AWAY)
        if room.spec.joins and room.phase != "open" and not room.seating.is_reserved(name):
            return await ask_for_place(room, name, at, member=member, asker=asker)
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
    """Return the seat and name of a player whose match is over.

    Raises:
        RoomError: it is not over, or the token is invalid.
    """
    at = room.seating.who(token)
    if at is None:
        raise RoomError("这不是你的座位。", "this is not your seat.")
    if room.phase != "over":
        raise RoomError("这一场还没有打完。", "the match is not over.")
    return {"place": at, "name": room.seating.places[at].name}


async def again(room: Room, asker: str, payers: Sequence[str]) -> str:
    """Return the room where the players of a finished match play again, with seats reserved; open it if necessary.

    Raises:
        Error: the room cannot be opened.
    """
    async with room.lock:
        if not room.next or await room.host.logs.read(room.next, LAST) is None:  # there is none yet, or it was deleted
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
    """Issue a new seat token to a person; the old one becomes invalid."""
    async with room.lock:
        token = room.seating.renew(at)
        place = room.seating.places[at]
        more = {"member": "yes"} if place.member else {}
        room.record.place(at, name=place.name, token=place.token, **more)
        await room.save()
        return token


async def link(room: Room, at: int, token: str, by: str = "") -> str:
    """Issue a new seat token so a disconnected player can rejoin; a bot plays until then.

    `token` is the requester's; `by` (without a token) names a desk that assigned the seats. Everyone sees who requested
    it, and if the lost player returns with the old token after all, the new one is void.

    Raises:
        RoomError: the player there is not lost, or the requester is not in charge.
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
    """Handle a connection to a seat: with the owner's token, a link issued for the seat becomes void."""
    async with room.lock:
        place = room.seating.places[at]
        if not place.link or digest(token) == place.link:
            return
        place.link = place.link_by = ""
        room.record.link(at)
        await room.save()


async def leave(room: Room, token: str) -> None:
    """Give a seat back before the match; during it, a bot continues for the player.

    Raises:
        RoomError: the token is invalid.
    """
    async with room.lock:
        at, joins = room.seating.who(token), room.seating.joining(token)
        if joins is not None:
            await cancel(room, joins)
            send_head(room)
            return
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
    """Let the host free a seat of a person or a bot.

    The person cannot come back from the same address.

    Raises:
        RoomError: the match has begun, the caller is not the host, or the seat is empty.
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
    """Let the host reserve a seat by name, or open it to anyone ("").

    The name of an account can be used only by that account.

    Raises:
        RoomError: the match has begun, the caller is not the host, or the seat is not free.
    """
    async with room.lock:
        _only_host(room, by)
        _not_held(room)
        room.seating.reserve(at, name)
        room.record.door(reserve=at, name=room.seating.places[at].reserved)
        await room.save()
        send_head(room)


async def hold(room: Room, names: Sequence[str], *, desk: bool = True) -> None:
    """Reserve seats of a new room by name ("": not reserved); if a desk assigns them, players cannot change it."""
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
    """Let the host close the room to further players, or open it again.

    Raises:
        RoomError: the match has begun, or the caller is not the host.
    """
    async with room.lock:
        _only_host(room, by)
        _not_held(room)
        if closed != room.closed:
            room.closed = closed
            room.record.door(closed=closed)
            await room.save()
        send_head(room)


async def set_pace(room: Room, by: int, think: float) -> None:
    """Let the person in charge set how long bots take at least, before the match or during it.

    Raises:
        RoomError: the caller is not in charge, or the match is over.
    """
    async with room.lock:
        if room.phase == "over":
            raise RoomError("这一场已经打完。", "the match is over.")
        if by != (room.seating.host if room.phase == "open" else room.seating.in_charge):
            raise RoomError("只有房主可以。", "only the host can do that.")
        if think != room.spec.think:
            room.take_pace(think)
            room.record.door(think=think)
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
