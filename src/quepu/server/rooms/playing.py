"""A match played in a room, hand after hand: the table waits for people, bots choose, clocks run out.

What people and bots do comes from outside, through `Room.act`.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from quepu.server.rooms.broadcast import publish, send_head
from quepu.server.rooms.game import Game
from quepu.server.rooms.salts import SHOWN_WITHIN
from quepu.table.actions import timeout
from quepu.table.mixed_wall import NO_SALTS

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room

ABANDONED = 1.0
"""Seconds that a bot takes at least where nobody plays or watches: the table is played to its end, and costs little."""
SILENT = 600.0
"""Seconds after which, at a table without a clock, a bot plays for a person who keeps others waiting."""
MISSED = 2
"""Moves that a person who keeps others waiting lets the clock make one after the other before a bot plays for him."""
BETWEEN = 20.0
"""Seconds between hands, unless everybody is ready before."""
ALONE = 3600.0
"""The same where only one person plays, and since he left where he is not there: nobody but bots waits for him to read
the result."""


async def play(room: Room, game: Game) -> None:
    """Play until the match is over.

    Raises:
        RoomError: another process owns the room now, or the store fails.
    """
    while not game.over:
        if game.table is None:
            if game.sealed is None:  # else the deal had begun when the server stopped
                await _between(room, game)
            await _deal(room, game)
        await _hand(room, game)
    room.phase = "over"
    send_head(room)


async def _between(room: Room, game: Game) -> None:
    """Wait until everybody who is there is ready; not long if nobody is."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < _longest(room):
        people = [place for place in room.seating.people if place.listeners]
        if (
            room.mixed
            and waited < SHOWN_WITHIN
            and room.salts.uncommitted(room.seating.places.index(p) for p in people)
        ):
            await room.wait(0.2)  # to a salt at the place where each sits now
            continue
        if all(place.ready for place in people) if people else game.result is None or waited > _unread(room):
            break
        await room.wait(0.5)
    room.mixed = False
    for place in room.seating.places:
        place.ready = False


def _longest(room: Room) -> float:
    """Seconds between two hands at most."""
    return BETWEEN if len(room.seating.people) > 1 else ALONE


def _unread(room: Room) -> float:
    """Seconds that a result waits where nobody is: who plays alone may have lost his page, and comes back to it."""
    people = room.seating.people
    if len(people) != 1 or people[0].quit or time.monotonic() - people[0].left_at > ALONE:
        return 2.0
    return ALONE


async def _deal(room: Room, game: Game) -> None:
    """The next hand, and everybody is sent it. What its wall is made of is fixed before salts are shown."""
    async with room.lock:
        if game.seal(room.salts.sealed()):
            await publish(room)
    await _salts(room, game)
    async with room.lock:  # in which nobody can show another salt
        game.deal(NO_SALTS if game.sealed is None else room.salts.taken(game.sealed))
        room.phase = "playing"
        room.clock.fill(room.seating.places)
        await publish(room)
        send_head(room)


async def _salts(room: Room, game: Game) -> None:
    """Wait until all salts are shown that can be in the wall, or their time is over."""
    until = time.monotonic() + SHOWN_WITHIN
    while game.sealed and room.salts.missing(game.sealed) and (left := until - time.monotonic()) > 0:
        await room.wait(left)


async def _hand(room: Room, game: Game) -> None:
    """Play until the hand is over: bots choose, clocks run out, everything else comes from outside."""
    while game.table is not None and (game.table.to_act or game.held):
        wait = 1.0
        if game.held:
            await asyncio.sleep(room.clock.since + room.spec.shield - time.monotonic())
            async with room.lock:
                game.go_on()
                await publish(room)
            continue
        for seat in game.table.to_act:
            place = room.seating.places[game.player(seat)]
            waited = time.monotonic() - room.clock.since
            place.silent |= not room.timed and waited > SILENT and len(room.seating.people) > 1
            stands = room.stand_in(place)
            if stands and not place.away:
                place.away = True
                send_head(room)
            level = place.level or stands
            if level:
                slowly = 0.0 if room.audience.everybody() else ABANDONED
                room.bot_turns.start(game.table, seat, level, room.moment, slowly)
            elif room.timed:
                left = room.clock.end(place) - time.monotonic()
                if left <= 0:  # unless he moves while this waits for its turn
                    place.missed += 1
                    place.silent = place.missed >= MISSED and len(room.seating.people) > 1
                    await room.step(game, seat, timeout(game.table.options(seat)), room.moment, "clock")
                    break
                wait = min(wait, max(0.05, left))
            else:
                wait = min(wait, max(0.05, SILENT - waited))
        else:
            await room.wait(wait)
    async with room.lock:
        if game.settle():
            room.host.settled(room)
            room.phase = "over" if game.over else "between"
            room.rest_until = time.monotonic() + _longest(room)
            await publish(room)
            send_head(room)
            if game.result is not None:
                room.audience.send(game.result)
