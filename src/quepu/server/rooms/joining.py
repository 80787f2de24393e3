"""Persons who take the place of a bot between two hands, at tables that allow it (`RoomSpec.joins`).

Who asks during a hand watches until it is over. Whoever is not connected then stays in line until after the next hand,
unless another person asks for the place.
"""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from quepu.server.rooms.broadcast import publish, send_head
from quepu.server.rooms.places import Joiner, RoomError, digest
from quepu.server.rooms.seat_taking import list_joinable
from quepu.server.rooms.serialize import head

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room


async def ask_for_place(room: Room, name: str, at: int | None, *, member: bool, asker: str) -> tuple[int, str]:
    """Put a person in line for the place of a bot; return its number and the token. The lock is held.

    Raises:
        RoomError: no bot's place is free, or the name is taken.
    """
    name = room.seating.check_name(name)
    free = [place for place in list_joinable(room) if at in (None, place)]
    if not free:
        raise RoomError("这一桌现在没有可以接替的电脑。", "no bot's seat is free at this table now.")
    at, token = free[0], secrets.token_urlsafe(18)
    room.seating.places[at].joiner = Joiner(name, digest(token), member, asker)
    room.record.joiner(at, name=name, token=digest(token), **({"member": "yes"} if member else {}))
    await room.save()
    send_head(room)
    return at, token


async def cancel(room: Room, at: int) -> None:
    """Let a person who waits for a bot's place go. The lock is held."""
    room.seating.places[at].joiner = None
    room.record.joiner(at)
    await room.save()


async def seat_joiners(room: Room, rest: float) -> bool:
    """Seat those who wait and are connected, between two hands; return whether there were any.

    The log says from which hand on they play; everyone has `rest` seconds again until it is dealt.
    """
    if not any(place.joiner is not None for place in room.seating.places):
        return False
    async with room.lock:
        game = room.game
        if room.lost or game is None or game.over or game.table is not None or game.sealed is not None:
            return False
        seated = []
        for at, place in enumerate(room.seating.places):
            joiner = place.joiner
            if joiner is None or place.kind != "bot" or not room.audience.joining(at):
                continue
            room.seating.assign(at, joiner.name, joiner.token)
            place.member, place.address, place.since = joiner.member, joiner.address, time.monotonic()
            place.left_at, place.bank, place.ready = time.monotonic(), room.clock.bank, True
            room.record.place(at, name=joiner.name, token=joiner.token, **({"member": "yes"} if joiner.member else {}))
            game.join(at, joiner.name)
            room.audience.seat(at)
            seated.append(at)
        if not seated:
            return False
        room.mixed = True  # the newcomers' salts are waited for
        room.rest_until = time.monotonic() + rest
        await room.save()
        for at in seated:
            for listener in room.seating.places[at].listeners:
                listener.send({"room": head(room), "you": at})
        await publish(room)
        send_head(room)
        return True
