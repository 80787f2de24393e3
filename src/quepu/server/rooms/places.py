"""The four places of a room, and the listeners to its events."""

from __future__ import annotations

import asyncio
import hashlib
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from quepu.errors import Error, Text
from quepu.server.rooms.messages import Message
from quepu.server.store.values import StoreError

UNREAD = 4409
"""Close code of a connection that did not read; on reconnecting, it receives what was missed."""
NOT_YOURS = 4401
TAKEN = 4408
"""Close code of a connection whose place another one takes over."""
MOVED = 4410
"""Another process owns the room now: only sent to a client if the room cannot be found again."""
MOST_UNREAD = 4000
"""The most messages that may wait for a client to read them, not counting the backlog on joining."""
MOST_HELD = 3 * MOST_UNREAD
"""The most messages held back by a spectators' delay: twenty per second for ten minutes."""

CatchUp = AsyncIterator[Sequence[Message]]
"""Messages that a client missed, read in chunks as the client takes them."""

_OF_THE_TABLE = {"n", "over"}  # keys of messages held back by a spectators' delay


class RoomError(Error):
    """An action that a room cannot do now."""


class BrokenRoom(Error):
    """A room that cannot be read."""

    def __init__(self, why: Text) -> None:
        super().__init__(f"这个房间的记录读不了：{why.zh}", f"the record of this room cannot be read: {why.en}")


class UnknownRoom(Error):
    """The room does not exist."""

    def __init__(self) -> None:
        super().__init__("没有这个房间。", "there is no such room.")


def digest(token: str) -> str:
    """Return the digest of a token for storage: it verifies the token without revealing it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Listener:
    """Messages to one connection, in order. One that does not read is cut off.

    Table events are delivered `delay` seconds late; news about players, and refusals, at once. The backlog is fetched
    only as the client reads.
    """

    def __init__(self, place: int | None, delay: float = 0.0, joins: int | None = None) -> None:
        self.place = place
        self.joins = joins
        """The place of a bot that its owner, a spectator so far, takes after this hand."""
        self.delay = delay
        self.code = 0
        """The close code of the socket, once ended."""
        self.closed = False
        self._prompt: deque[Message] = deque()  # delivered without delay
        self._waiting: deque[tuple[float, Message | CatchUp | None]] = deque()  # with the time of delivery
        self._chunk: deque[Message] = deque()  # the current chunk of the backlog
        self._changed = asyncio.Event()

    def send(self, message: Message) -> None:
        """Send a message; too many unread ones end the connection, and a reconnecting client gets the missed ones."""
        if self.closed:
            return
        if self._full:
            for queue in (self._prompt, self._waiting, self._chunk):
                queue.clear()
            self.close()
        elif self.delay and not _OF_THE_TABLE & message.keys():
            self._prompt.append(message)
        else:
            self._waiting.append((time.monotonic() + self.delay, message))
        self._changed.set()

    def catch_up(self, missed: CatchUp) -> None:
        """Send missed messages, after those sent before."""
        self._waiting.append((time.monotonic() + self.delay, missed))
        self._changed.set()

    @property
    def _full(self) -> bool:
        """Return whether too much is held back, or too much readable output is unread."""
        if len(self._prompt) >= MOST_UNREAD or len(self._waiting) >= MOST_HELD:
            return True
        return len(self._waiting) >= MOST_UNREAD and self._waiting[MOST_UNREAD - 1][0] <= time.monotonic()

    def close(self, code: int = UNREAD) -> None:
        """End it after the queued messages; during catch-up, table messages are dropped: they would have a gap."""
        if self.closed:
            return
        self.closed = True
        self.code = code
        if not all(isinstance(one, dict) for _, one in self._waiting):
            self._chunk.clear()
            rest = [one for _, one in self._waiting if isinstance(one, dict) and not _OF_THE_TABLE & one.keys()]
            self._waiting = deque((-math.inf, one) for one in rest)
        self._waiting.append((-math.inf, None))
        self._changed.set()

    async def next(self) -> Message | None:
        """Return the next message to deliver; None at the end."""
        while True:
            if self._prompt:
                return self._prompt.popleft()
            wait = self._waiting[0][0] - time.monotonic() if self._waiting else None
            if wait is None or wait > 0:
                self._changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._changed.wait()
            elif self._chunk:
                return self._chunk.popleft()
            else:
                one = self._waiting[0][1]
                if one is None or isinstance(one, dict):
                    return self._waiting.popleft()[1]  # type: ignore[return-value]  # it is the same
                await self._fetch(one)

    async def _fetch(self, missed: CatchUp) -> None:
        """Fetch the next chunk of the backlog; nothing once this has ended."""
        try:
            chunk = await anext(missed, None)
        except StoreError:
            self.close()
            return
        if self._waiting and self._waiting[0][1] is missed:
            if chunk is None:
                self._waiting.popleft()
            else:
                self._chunk.extend(chunk)


UNCLAIMED = "-"
"""Replaces a token that cannot exist: the place is reserved for a player who has not come yet."""


@dataclass
class Joiner:
    """A person who takes the place of a bot after this hand; `token` is the digest of the seat's token."""

    name: str
    token: str
    member: bool = False
    address: str = ""
    left_at: float = field(default_factory=time.monotonic)
    """When the last connection ended, or the seat was asked for."""


@dataclass
class SeatSlot:
    """One of four places. `token` is the digest of its owner's; `listeners` are the owner's connections.

    `link` is the digest of another token, issued by `link_by` while the owner was lost: it becomes invalid once the
    owner returns with the first one. `reserved`: the only name that can take it. `since` is when the owner sat down,
    `address` from where, `member` whether logged in. `quit`: left for good, so not waited for; `silent`: connected but
    not playing (`missed` moves in a row); `away`: shown as played by a bot. `phrase_at`: when the last phrase was sent.
    `joiner`: who takes the place of its bot after this hand.
    """

    name: str = ""
    level: str = ""
    token: str = ""
    link: str = ""
    link_by: str = ""
    ready: bool = False
    bank: float = 0.0
    left_at: float = 0.0
    since: float = 0.0
    address: str = ""
    member: bool = False
    reserved: str = ""
    quit: bool = False
    silent: bool = False
    missed: int = 0
    phrase_at: float = -math.inf
    away: bool = False
    joiner: Joiner | None = None
    listeners: set[Listener] = field(default_factory=set)

    @property
    def person(self) -> bool:
        """Whether it belongs to a person."""
        return bool(self.token)

    @property
    def unclaimed(self) -> bool:
        """Whether it is reserved, in a running match, for a player who has not come yet."""
        return self.token == UNCLAIMED

    @property
    def kind(self) -> str:
        """The kind of the place: person, bot or free."""
        return "person" if self.token else "bot" if self.level else "free"


class Audience:
    """The listeners of a room."""

    def __init__(self, places: Sequence[SeatSlot]) -> None:
        self.places = places
        self.spectators: set[Listener] = set()

    def everybody(self) -> list[Listener]:
        """Return all listeners."""
        return [*(listener for place in self.places for listener in place.listeners), *self.spectators]

    def send(self, message: Message) -> None:
        """Send a message to all."""
        for listener in self.everybody():
            listener.send(message)

    def join(self, listener: Listener) -> None:
        """Add a listener."""
        if listener.place is None:
            self.spectators.add(listener)
        else:
            place = self.places[listener.place]
            place.quit = place.away = place.silent = False
            place.missed = 0
            place.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        """Remove a listener; a place without any remembers the time."""
        self.spectators.discard(listener)
        joiner = None if listener.joins is None else self.places[listener.joins].joiner
        if joiner is not None:
            joiner.left_at = time.monotonic()
        if listener.place is not None:
            place = self.places[listener.place]
            place.listeners.discard(listener)
            if not place.listeners:
                place.left_at = time.monotonic()

    def joining(self, at: int) -> list[Listener]:
        """Return the connections of the person who takes a bot's place after this hand."""
        return [listener for listener in self.spectators if listener.joins == at]

    def seat(self, at: int) -> None:
        """Make the connections of a person who joined those of the place."""
        for listener in self.joining(at):
            self.spectators.discard(listener)
            listener.place, listener.joins, listener.delay = at, None, 0.0
            self.join(listener)

    def close(self, code: int = UNREAD) -> None:
        """End every connection."""
        for listener in self.everybody():
            listener.close(code)


class Clock:
    """The clock of a room: `move` seconds per move, `bank` in reserve per hand; both 0: no clock.

    It does not run for one person among bots, either: see `Room.timed`.
    """

    def __init__(self, move: float, bank: float) -> None:
        self.move = move
        self.bank = bank
        self.since = time.monotonic()  # when the current moves began

    @property
    def runs(self) -> bool:
        """Return whether there is a clock."""
        return self.move + self.bank > 0

    def restart(self) -> None:
        """Start the time of the seats to act."""
        self.since = time.monotonic()

    def fill(self, places: Iterable[SeatSlot]) -> None:
        """Give every place the whole reserve again, for a new hand."""
        for place in places:
            place.bank = self.bank

    def charge(self, place: SeatSlot) -> None:
        """Charge the time of a move beyond its limit to the reserve."""
        over = time.monotonic() - self.since - self.move
        place.bank = max(0.0, place.bank - max(0.0, over))

    def end(self, place: SeatSlot) -> float:
        """Return when this place will have used up all its time."""
        return self.since + self.move + place.bank

    def to_json(self, place: SeatSlot) -> dict[str, float]:
        """Return the clock of a place as plain data; `used`: seconds since the move began."""
        return {"move": self.move, "bank": round(place.bank, 1), "used": round(time.monotonic() - self.since, 1)}
