"""One connection to a room of this process, however it is carried: the handling of its messages."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Protocol

from quepu.errors import Error
from quepu.server.rooms import admission
from quepu.server.rooms.broadcast import listen, unlisten
from quepu.server.rooms.client_messages import (
    ActionMessage,
    BackMessage,
    BeginMessage,
    DoorMessage,
    HintWanted,
    KickMessage,
    PaceMessage,
    PhraseMessage,
    ReadyMessage,
    ReserveMessage,
    SaltMessage,
    UndoMessage,
    read_message,
)
from quepu.server.rooms.hints import hint_for
from quepu.server.rooms.places import NOT_YOURS, Listener, RoomError
from quepu.server.rooms.room import Room
from quepu.server.rooms.serialize import head


class Connection(Protocol):
    """A connection to a room here or in another process."""

    listener: Listener

    async def hear(self, data: Any) -> None:
        """Handle a message of the client."""

    def leave(self) -> None:
        """Handle the departure of the client."""


class Visit:
    """A connection to a room here.

    `hello` is the client's first message: its `token`, the last message seen (`after`), whether it only wants the
    current `hand`, and its address (`from`), which the server adds.
    """

    def __init__(self, room: Room, listener: Listener, asker: str) -> None:
        self.room = room
        self.listener = listener
        self.asker = asker
        self._hints: set[asyncio.Task[None]] = set()

    @classmethod
    async def begin(cls, room: Room, hello: dict[str, Any]) -> Visit:
        """Start a visit, which ends at once if the client is not admitted."""
        token, after = hello.get("token"), hello.get("after")
        place = room.seating.who(token) if isinstance(token, str) else None
        joins = room.seating.joining(token) if place is None and isinstance(token, str) else None
        if place is None and joins is None and (token or not room.spec.spectators):
            listener = Listener(None)
            listener.send({"refused": {"zh": "这不是你的座位。", "en": "this is not your place."}})
            listener.close(NOT_YOURS)
        else:
            if place is not None:
                with suppress(RoomError):  # the room is lost; the listener is told
                    await admission.owner_came(room, place, str(token))
            seen = after if isinstance(after, int) and not isinstance(after, bool) else None
            listener = await listen(room, place, seen, hand=hello.get("hand") is True, joins=joins)
        return cls(room, listener, str(hello.get("from", "")))

    @property
    def place(self) -> int | None:
        """The place of the connected client; places may be drawn again."""
        return self.listener.place

    async def hear(self, data: Any) -> None:
        """Carry out a message or refuse it. Started work is finished even if the connection breaks."""
        await asyncio.shield(self._hear(data))

    async def _hear(self, data: Any) -> None:
        send = self.listener.send
        try:
            message = read_message(data)
            if self.place is None:
                raise RoomError("旁观者不能出牌。", "spectators cannot act.")
            if self.listener.closed:
                raise RoomError("这个座位在另一处继续打了。", "this seat was taken over in another window.")
            match message:
                case ActionMessage(action=action, n=n):
                    await self.room.act(self.place, action.model_dump(exclude_none=True), n)
                case ReadyMessage():
                    await self.room.mark_ready(self.place)
                case BeginMessage():
                    await self.room.begin(self.place)
                case SaltMessage(salt=salt, commitment=commitment):
                    await self.room.mix(self.place, salt, commitment)
                case KickMessage(kick=at):
                    await admission.kick(self.room, self.place, at)
                case ReserveMessage(reserve=at, name=name):
                    await admission.reserve(self.room, self.place, at, name)
                case DoorMessage(closed=closed):
                    await admission.close_door(self.room, self.place, closed)
                case BackMessage():
                    await self.room.back(self.place)
                case PaceMessage(pace=think):
                    await admission.set_pace(self.room, self.place, think)
                case UndoMessage():
                    await self.room.undo(self.place)
                case PhraseMessage(phrase=phrase):
                    self.room.send_phrase(self.place, phrase)
                case HintWanted(lang=lang):  # in parallel: a move never waits for a hint
                    task = asyncio.create_task(self._hint(self.place, lang))
                    self._hints.add(task)
                    task.add_done_callback(self._hints.discard)
        except Error as error:
            send({"refused": error.text._asdict()})

    async def _hint(self, place: int, lang: str) -> None:
        try:
            self.listener.send(await hint_for(self.room, place, lang, self.asker))
        except Error as error:
            self.listener.send({"refused": error.text._asdict()})

    def leave(self) -> None:
        """Remove the listener, and stop work for it."""
        for task in self._hints:
            task.cancel()
        unlisten(self.room, self.listener)


async def answer_call(room: Room, what: str, more: dict[str, Any]) -> Any:
    """Answer a call to a room by method name as plain data, so that other processes can call it, too.

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
        if room.phase != "over" or (room.record.walls and not await room.record.is_released()):
            return None
        return await room.record.lines()
    return head(room)
