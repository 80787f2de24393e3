"""Send messages to everyone in a room: new lines of its log once stored, then the table as each may see it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from quepu.rules.play_rules import play_rules
from quepu.server.rooms.messages import Message
from quepu.server.rooms.places import MOVED, TAKEN, CatchUp, Listener
from quepu.server.rooms.redaction import RedactedLine, redact
from quepu.server.rooms.serialize import head, snapshot

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room

HEAD_EVERY: Final = 1.0
"""Seconds between messages about spectators who come and go."""


def _redact(room: Room, line: str, number: int) -> RedactedLine:
    """Return a line as players and spectators see it."""
    rules = play_rules(room.book)
    return redact(line, number, rules.table.concealed_kongs_hidden, rules.words)


async def publish(room: Room, by: int | None = None) -> None:
    """Store new lines, then send them; if they show nothing new (a pass), send them only to `by`."""
    await room.save()
    room.moment += 1
    first = room.sent
    new = await room.record.since(first)  # many, if a table continues from late in a replay
    room.sent = first + len(new)
    if new:
        room.clock.restart()
    listeners = room.audience.everybody()
    lines = [_redact(room, line, number) for number, line in enumerate(new, first)] if listeners else []
    snapshots: dict[int | None, Message] = {}  # spectators all receive the same
    for listener in listeners:
        if new or listener.place == by:
            _send_lines(room, listener, lines)
            if listener.place not in snapshots:
                snapshots[listener.place] = snapshot(room, listener.place)
            listener.send(snapshots[listener.place])
    room.wake()


def _send_lines(room: Room, listener: Listener, lines: list[RedactedLine]) -> None:
    seat = room.game.seat(listener.place) if room.game is not None else None
    for line in lines:
        listener.send(line.to(seat))


async def _yield_missed(room: Room, place: int | None, first: int, end: int) -> CatchUp:
    """Yield lines of hands that may be over, each as the seat of this place in its hand may see it."""
    number = first
    async for lines in room.record.chunks(first, end):
        yield [_show(room, place, _redact(room, line, number + at), number + at) for at, line in enumerate(lines)]
        number += len(lines)


def _show(room: Room, place: int | None, line: RedactedLine, number: int) -> Message:
    if line.owner is None or place is None or room.game is None:
        return line.to(None)
    match, hand = room.game.match, room.record.hand_of(number)
    if hand < room.game.first_hands.get(place, 0):  # a bot played there
        return line.to(None)
    at = match.hands[hand - 1].place if 0 < hand <= len(match.hands) else match.place
    return line.to(at.seats.index(place))


def show_again(room: Room) -> None:
    """Send the players the current table: a clock there has started or stopped."""
    for at, place in enumerate(room.seating.places):
        for listener in place.listeners:
            listener.send(snapshot(room, at))


def send_head(room: Room) -> None:
    """Send everyone the players, who is ready, and the progress of the match."""
    room.audience.send({"room": head(room)})


async def listen(
    room: Room, place: int | None, after: int | None, *, hand: bool = False, joins: int | None = None
) -> Listener:
    """Add a listener: it receives everything after message `after`, then the current table.

    `joins` is the place of a bot that its owner takes after this hand.

    With `hand`, nothing from before the last dealt hand, and all of that hand without `after`.
    """
    async with room.lock:  # nothing is sent before it is stored
        listener = Listener(place, room.spec.delay if place is None else 0.0, joins)
        if room.lost:
            listener.close(MOVED)
            return listener
        end = room.record.shown
        first = (0 if hand else end) if after is None else max(0, after + 1)
        if hand:
            first = max(first, room.record.hand_start)
        earlier = [] if joins is None else room.audience.joining(joins)
        for other in list(room.seating.places[place].listeners) if place is not None else earlier:
            room.audience.leave(other)
            other.send({"taken": True})
            other.close(TAKEN)
        timed = room.timed
        room.audience.join(listener)
        listener.send({"room": head(room), "you": place, **({} if joins is None else {"joins": joins})})
        if first < end:
            listener.catch_up(_yield_missed(room, place, first, end))
        if room.timed and not timed:  # a player is back: without a clock, no time was used
            room.clock.restart()
            show_again(room)
        else:
            listener.send(snapshot(room, place))
        if room.game is not None and room.game.result is not None:
            listener.send(room.game.result)
        room.wake()
        _send_head_soon(room, listener)
        return listener


def unlisten(room: Room, listener: Listener) -> None:
    """Remove a listener."""
    room.audience.leave(listener)
    _send_head_soon(room, listener)


def _send_head_soon(room: Room, listener: Listener) -> None:
    """Send everyone that a listener came or went; for spectators, who may be many, at most once per second."""
    if listener.place is not None:
        send_head(room)
    elif room.head_timer is None and not room.lost:
        room.head_timer = asyncio.get_running_loop().call_later(HEAD_EVERY, _send_head_now, room)


def _send_head_now(room: Room) -> None:
    room.head_timer = None
    send_head(room)
