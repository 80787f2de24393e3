"""The four places of a room, and the listeners to what happens in it."""

from __future__ import annotations

import asyncio
import hashlib
import math
import time
from collections import deque
from dataclasses import dataclass, field

from quepu.errors import Error, Text
from quepu.server.rooms.messages import Message

UNREAD = 4409
"""The code with which a connection ends that did not read: who comes back is sent what was missed."""
NOT_YOURS = 4401
TAKEN = 4408
"""The code with which a connection ends when another one takes its place over."""
MOVED = 4410
"""Another process owns the room now: never sent to a client unless the room cannot be found again."""
MOST_UNREAD = 4000
"""Messages that may wait for somebody; a spectator's delay holds back some hundred a minute."""

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
    """A queue of messages to one connection, with the moment each was sent. One that does not read is cut off.

    What happens at the table is passed on `delay` seconds late; who sits there, and a refusal, at once.
    """

    def __init__(self, place: int | None, delay: float = 0.0) -> None:
        self.place = place
        self.delay = delay
        self.code = 0
        """Why it was ended, as the socket's closing code."""
        self.closed = False
        self._queue: asyncio.Queue[tuple[float, Message | None]] = asyncio.Queue()
        self._held: deque[tuple[float, Message | None]] = deque()  # with the moment each may be passed on

    def send(self, message: Message) -> None:
        """Say something; too much unread ends the connection, and who comes back is sent what was missed."""
        if self.closed:
            return
        if self._queue.qsize() + len(self._held) >= MOST_UNREAD:
            while not self._queue.empty():
                self._queue.get_nowait()
            self._held.clear()
            self.close()
            return
        self._queue.put_nowait((time.monotonic(), message))

    def close(self, code: int = UNREAD) -> None:
        """End it after what was queued."""
        if self.closed:
            return
        self.closed = True
        self.code = code
        self._queue.put_nowait((-math.inf, None))

    async def next(self) -> Message | None:
        """The next message that may be passed on; None at the end."""
        while True:
            if not self._held:
                sent, message = await self._queue.get()
            else:
                rest = self._held[0][0] - time.monotonic()
                if rest <= 0:
                    return self._held.popleft()[1]
                try:
                    async with asyncio.timeout(rest):
                        sent, message = await self._queue.get()
                except TimeoutError:  # something held back may go now
                    continue
            if not self.delay or (message is not None and not _OF_THE_TABLE & message.keys()):
                return message
            self._held.append((sent + self.delay, message))


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
