"""Play a match in a room, hand after hand: wait for people, let bots choose, run the clocks.

Actions of people and bots arrive from outside, through `Room.act`.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from quepu.server.rooms.broadcast import publish, send_head
from quepu.server.rooms.game import Game
from quepu.server.rooms.joining import seat_joiners
from quepu.server.rooms.salts import SHOWN_WITHIN
from quepu.table.actions import timeout
from quepu.table.mixed_wall import NO_SALTS

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room

ABANDONED = 1.0
"""The least seconds that a bot takes at a deserted table: it is played to its end at little cost."""
SILENT = 600.0
"""Seconds after which, at a table without a clock, a bot plays for a person who keeps others waiting."""
MISSED = 2
"""Moves in a row left to the clock by a person who keeps others waiting, before a bot takes over."""
BETWEEN = 20.0
"""Seconds between hands, unless everyone is ready earlier."""
ALONE = 3600.0
"""The same for a single person who has left: only bots wait for the result to be read."""


async def play(room: Room, game: Game) -> None:
    """Play until the match is over.

    Raises:
        RoomError: another process owns the room now, or the store fails.
    """
    while not game.over:
        if game.table is None:
            if game.sealed is None:  # otherwise the deal had begun when the server stopped
                await _between(room, game)
            await _deal(room, game)
        await _hand(room, game)
    room.phase = "over"
    send_head(room)


async def _between(room: Room, game: Game) -> None:
    """Wait until everyone present is ready; not for long if no one is."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < _longest(room):
        if await seat_joiners(room, BETWEEN):
            began = time.monotonic()
        people = [place for place in room.seating.people if place.listeners]
        if (
            room.mixed
            and waited < SHOWN_WITHIN
            and room.salts.lacks_commitment(room.seating.places.index(p) for p in people)
        ):
            await room.wait(0.2)  # time for salts at the new places
            continue
        if all(place.ready for place in people) if people else game.result is None or waited > _unread(room):
            break
        await room.wait(0.5)
    room.mixed = False
    for place in room.seating.places:
        place.ready = False


def _longest(room: Room) -> float:
    """Return the most seconds between two hands."""
    return BETWEEN if len(room.seating.people) > 1 else ALONE


def _unread(room: Room) -> float:
    """Return the seconds a result stays at a deserted table: a single player may have lost the page and return."""
    people = room.seating.people
    if len(people) != 1 or people[0].quit or time.monotonic() - people[0].left_at > ALONE:
        return 2.0
    return ALONE


async def _deal(room: Room, game: Game) -> None:
    """Deal the next hand and send it to everyone. The inputs of its wall are fixed before salts are revealed."""
    async with room.lock:
        if game.seal(room.salts.seal()):
            await publish(room)
    await _salts(room, game)
    async with room.lock:  # so that no more salts can be revealed
        game.deal(NO_SALTS if game.sealed is None else room.salts.take_salts(game.sealed))
        room.phase = "playing"
        room.clock.fill(room.seating.places)
        await publish(room)
        send_head(room)


async def _salts(room: Room, game: Game) -> None:
    """Wait until all salts that can be in the wall are revealed, or their time is over."""
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
                if left <= 0:  # unless the player moves while this waits for its turn
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
            room.host.on_hand_end(room)
            room.phase = "over" if game.over else "between"
            room.rest_until = time.monotonic() + _longest(room)
            await publish(room)
            send_head(room)
            if game.result is not None:
                room.audience.send(game.result)
