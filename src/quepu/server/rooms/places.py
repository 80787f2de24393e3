"""The four places of a room, and the listeners to what happens in it."""

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
"""The code with which a connection ends that did not read: who comes back is sent what was missed."""
NOT_YOURS = 4401
TAKEN = 4408
"""The code with which a connection ends when another one takes its place over."""
MOVED = 4410
"""Another process owns the room now: never sent to a client unless the room cannot be found again."""
MOST_UNREAD = 4000
"""Messages that may wait for a client to read them. What it catches up with when it joins does not count."""
MOST_HELD = 3 * MOST_UNREAD
"""Messages that may wait for a spectators' delay to pass: twenty a second for ten minutes."""

CatchUp = AsyncIterator[Sequence[Message]]
"""What a client missed, read in chunks as the client takes it."""

_OF_THE_TABLE = {"n", "over"}  # keys of what a spectators' delay holds back


class RoomError(Error):
    """Something that a room cannot do now."""


class BrokenRoom(Error):
    """A room that cannot be read."""

    def __init__(self, why: Text) -> None:
        super().__init__(f"这个房间的记录读不了：{why.zh}", f"the record of this room cannot be read: {why.en}")


class UnknownRoom(Error):
    """There is no such room."""

    def __init__(self) -> None:
        super().__init__("没有这个房间。", "there is no such room.")


def digest(token: str) -> str:
    """Digest of a token, which is stored: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Listener:
    """Messages to one connection, in order. One that does not read is cut off.

    What happens at the table is passed on `delay` seconds late; who sits there, and a refusal, at once. What is caught
    up with is fetched only as the client reads, however much it is.
    """

    def __init__(self, place: int | None, delay: float = 0.0) -> None:
        self.place = place
        self.delay = delay
        self.code = 0
        """Why it was ended, as the socket's closing code."""
        self.closed = False
        self._prompt: deque[Message] = deque()  # passes what is held back
        self._waiting: deque[tuple[float, Message | CatchUp | None]] = deque()  # with the moment each may be passed on
        self._chunk: deque[Message] = deque()  # what was fetched last of what it catches up with
        self._changed = asyncio.Event()

    def send(self, message: Message) -> None:
        """Send a message; too much unread ends the connection, and who comes back is sent what was missed."""
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
        """Send what was missed, after what was sent before it."""
        self._waiting.append((time.monotonic() + self.delay, missed))
        self._changed.set()

    @property
    def _full(self) -> bool:
        """Whether too much is held back, or too much that could have been read was not."""
        if len(self._prompt) >= MOST_UNREAD or len(self._waiting) >= MOST_HELD:
            return True
        return len(self._waiting) >= MOST_UNREAD and self._waiting[MOST_UNREAD - 1][0] <= time.monotonic()

    def close(self, code: int = UNREAD) -> None:
        """End it after what was queued; one that still catches up gets no more of the table: it would have a hole."""
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
        """The next message that may be passed on; None at the end."""
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
        """Fetch the next chunk of what it catches up with; nothing more comes of it once this was ended."""
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
"""In place of a token that nobody can have: the place is held for somebody who has not come yet."""


@dataclass
class SeatSlot:
    """One of four places. `token` is the digest of its owner's; `listeners` are his connections.

    `link` is the digest of another token, given out by `link_by` while the owner was lost: it is nobody's any more once
    he comes with his own.
    `reserved`: the only name that may take it. `since` is when he sat down, `address` from where, `member` whether he
    was logged in.
    `quit`: he leaves for good, so nobody waits for him; `silent`: he is there and has not played for long (`missed`
    moves one after the other); `away`: everybody knows that a bot plays for him. `phrase_at`: when he chose a phrase.
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
    listeners: set[Listener] = field(default_factory=set)

    @property
    def person(self) -> bool:
        """Whether it belongs to somebody."""
        return bool(self.token)

    @property
    def unclaimed(self) -> bool:
        """Whether it is held, in a match that has begun, for somebody who has not come yet."""
        return self.token == UNCLAIMED

    @property
    def kind(self) -> str:
        """person, bot or free."""
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
        """Remove a listener; a place without any remembers since when."""
        self.spectators.discard(listener)
        if listener.place is not None:
            place = self.places[listener.place]
            place.listeners.discard(listener)
            if not place.listeners:
                place.left_at = time.monotonic()

    def close(self, code: int = UNREAD) -> None:
        """End every connection."""
        for listener in self.everybody():
            listener.close(code)


class Clock:
    """The clock of a room: `move` seconds for each move, `bank` in reserve for a hand; both 0: no clock.

    Where bots alone play with one person it does not run either: see `Room.timed`.
    """

    def __init__(self, move: float, bank: float) -> None:
        self.move = move
        self.bank = bank
        self.since = time.monotonic()  # when those who act now began

    @property
    def runs(self) -> bool:
        """Return whether there is a clock."""
        return self.move + self.bank > 0

    def restart(self) -> None:
        """Start the time of those who act now."""
        self.since = time.monotonic()

    def fill(self, places: Iterable[SeatSlot]) -> None:
        """Give every place the whole reserve again, for a new hand."""
        for place in places:
            place.bank = self.bank

    def charge(self, place: SeatSlot) -> None:
        """Take what a move took beyond its time out of the reserve."""
        over = time.monotonic() - self.since - self.move
        place.bank = max(0.0, place.bank - max(0.0, over))

    def end(self, place: SeatSlot) -> float:
        """Return the time at which this place will have used up everything."""
        return self.since + self.move + place.bank

    def to_json(self, place: SeatSlot) -> dict[str, float]:
        """Return the clock of a place as plain data; `used`: seconds since."""
        return {"move": self.move, "bank": round(place.bank, 1), "used": round(time.monotonic() - self.since, 1)}
