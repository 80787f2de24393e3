"""One room: one task plays its match, one lock orders what is said. Nothing is told before it is in the store."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any, Protocol

from quepu.errors import Error, Text
from quepu.match.reader import MALFORMED
from quepu.rulebooks.house_rules import book_of
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.server.http.responses import Refusal
from quepu.server.operations.metrics import ACTION_OF_BOT, ACTION_OF_PERSON, ROOMS_LOST
from quepu.server.rooms import serialize as showing
from quepu.server.rooms.audience import Audience
from quepu.server.rooms.bot_pool import BotChooser
from quepu.server.rooms.bot_turns import BotTurns
from quepu.server.rooms.clock import Clock
from quepu.server.rooms.game import Game, book_then
from quepu.server.rooms.hints import HintRequest, answer
from quepu.server.rooms.messages import Message, RoomSpec
from quepu.server.rooms.places import MOVED, NOT_YOURS, TAKEN, Listener, RoomError, SeatSlot
from quepu.server.rooms.playing import play
from quepu.server.rooms.record import RoomLog
from quepu.server.rooms.redaction import RedactedLine, redacted
from quepu.server.rooms.salts import Salts
from quepu.server.rooms.seating import Seating
from quepu.server.store.database import StoreError
from quepu.server.store.logs import Logs
from quepu.server.store.values import Conflict
from quepu.server.work import Pool
from quepu.table.actions import Action, read_action

_log = logging.getLogger("quepu.server")

GONE = 8.0
"""Seconds after which a bot plays for a person who left."""
STAND_IN = "closed"
_HEAD_EVERY = 1.0
"""Seconds between two messages about spectators who come and go."""
_SENT_AWAY = Text("房主请你离开了这一桌。", "whoever opened this table asked you to leave.")


class RoomHost(Protocol):
    """What holds a room: the store, the processes that think, and who has to know when it is gone or over."""

    logs: Logs
    work: Pool

    @property
    def bots(self) -> BotChooser:
        """What bots think in."""
        ...

    def lost(self, room: Room) -> None:
        """It is no longer this process's."""
        ...

    def ended(self, room: Room) -> None:
        """Its match is over."""
        ...

    def stored(self, room: Room, size: int) -> None:
        """So many bytes of it were stored."""
        ...


class Room:
    """See the module."""

    def __init__(self, id: str, spec: RoomSpec, host: RoomHost, fence: int = 0, book: Rulebook | None = None) -> None:
        self.id = id
        self.spec = spec
        self.book = book_of(spec.rules, spec.house) if book is None else book
        self.host = host
        self.record = RoomLog(id, host.logs, fence)
        self.seating = Seating(spec.bots)
        self.audience = Audience(self.seating.places)
        self.salts = Salts()
        self.clock = Clock(spec.move, spec.bank)
        self.bot_turns = BotTurns(spec, host.bots, self._bot_acts)
        self.game: Game | None = None
        self.phase = "open"
        self.closed = False  # nobody else may sit down
        self.barred: set[str] = set()  # addresses of people who were sent away
        self.opener = ""
        """The address it was opened from; of a room that another process opened nothing is known."""
        self.payers: tuple[str, ...] = ()  # whose budgets its match is stored on; nobody's after a restart
        self.lost = False  # to another process: nothing may be said here any more
        self.rest_until = 0.0  # when the next hand is dealt at the latest
        self.moment = 0  # goes up with everything that happens: an answer to another moment is late
        self.lock = asyncio.Lock()  # held by whatever changes the room
        self._hints: dict[int, tuple[tuple[int, str], asyncio.Future[Message]]] = {}  # the last of each place
        self._head_timer: asyncio.TimerHandle | None = None
        self._sent = 0  # lines shown that everybody was told
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # ---- life

    @classmethod
    async def load(cls, id: str, host: RoomHost, fence: int) -> Room | None:
        """A room out of the store, where it stands; None if there is none.

        Raises:
            Error: its log was damaged, or its book is no more.
        """
        found = await host.logs.read(id)
        if found is None or found[0].kind != "room":
            return None
        first, *entries = found[1]
        spec = RoomSpec.model_validate(first.body["room"])
        header = next((entry.body["line"] for entry in entries if "line" in entry.body), None)
        book = book_then(spec.rules, spec.house, header)
        if not spec.house.strip():
            spec = spec.model_copy(update={"rules": book.id})  # bots and pages play by the same revision
        room = cls(id, spec, host, fence, book)
        record = room.record
        record.length, record.updated = len(entries) + 1, found[0].updated
        lines: list[str] = []
        for entry in entries:
            if "line" in entry.body:
                lines.append(entry.body["line"])
                record.remember(entry.body["line"])
            elif "place" in entry.body:
                room.seating.restore(entry.n, **entry.body)
            elif "reserve" in entry.body:
                room.seating.places[entry.body["reserve"]].reserved = entry.body["name"]
            elif "closed" in entry.body:
                room.closed = entry.body["closed"]
        room._sent = record.shown
        if lines:
            game = room.game = await asyncio.to_thread(Game.resume, room.book, room.spec, record, lines)
            room.phase = "over" if game.over else "between" if game.table is None else "playing"
        room._start()
        return room

    def _start(self) -> None:
        self.clock.fill(self.seating.places)
        self.clock.restart()
        for place in self.seating.places:
            place.left_at = time.monotonic()
        if self.phase in ("playing", "between") and self._task is None:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the task; the log stays."""
        self.bot_turns.close()
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self.audience.close()

    @property
    def idle(self) -> float:
        """Seconds since something happened in a room where nobody plays or listens; 0 elsewhere."""
        if self.phase in ("playing", "between") or self.audience.everybody():
            return 0.0
        return time.time() - self.record.updated

    async def _save(self) -> None:
        """Put what is new into the store. If that fails, what stands here is worth nothing.

        Raises:
            RoomError: another process owns the room now, or the store fails.
        """
        try:
            self.host.stored(self, await self.record.save())
        except Exception as error:
            if isinstance(error, StoreError):  # the store is in the log already, and every room is lost by it
                _log.warning("room %s cannot be written; it goes on when the store does", self.id)
            elif not isinstance(error, Conflict):
                _log.exception("room %s cannot be written", self.id)
            self.lost = True
            ROOMS_LOST.inc()
            self.host.lost(self)
            self.bot_turns.close()
            self.audience.close(MOVED)
            if self._task is not None and self._task is not asyncio.current_task():
                self._task.cancel()
            raise RoomError("这一桌正在换服务器。", "this table is moving to another server.") from error

    # ---- places

    async def sit(self, name: str, at: int | None, *, member: bool = False, asker: str = "") -> tuple[int, str]:
        """Take a free place; the place and its token. `member`: it is the name of somebody who is logged in.

        Raises:
            RoomError: nothing is free, or the name is taken.
        """
        async with self.lock:
            if self.phase != "open":
                raise RoomError("牌局已经开始。", "the match has begun.")
            if self.closed and self.seating.people:
                raise RoomError("房主不让再坐人了。", "whoever opened this table lets nobody else sit down.")
            if asker and asker in self.barred:
                raise RoomError(*_SENT_AWAY)
            at, token = self.seating.take(name, at)
            place = self.seating.places[at]
            place.member, place.since, place.address = member, time.monotonic(), asker
            more = {"member": "yes"} if member else {}
            self.record.place(at, name=place.name, token=place.token, **more)
            await self._save()
            self.send_head()
            return at, token

    async def renew(self, at: int) -> str:
        """Another token for a person's place; the old one is nobody's any more."""
        async with self.lock:
            token = self.seating.renew(at)
            place = self.seating.places[at]
            more = {"member": "yes"} if place.member else {}
            self.record.place(at, name=place.name, token=place.token, **more)
            await self._save()
            return token

    async def leave(self, token: str) -> None:
        """Give a place back before the match; during it a bot goes on playing for it.

        Raises:
            RoomError: the token is nobody's.
        """
        async with self.lock:
            at = self.seating.who(token)
            if at is None:
                raise RoomError("这不是你的座位。", "this is not your place.")
            if self.phase == "open":
                self.seating.assign(at)
                self.salts.forget(at)
                self.record.place(at)
                await self._save()
            else:
                self.seating.places[at].quit = True
                self._changed.set()
            self.send_head()

    async def kick(self, by: int, at: Any) -> None:
        """Whoever opened the table frees a place; who sat there may not come back from the same address.

        Raises:
            RoomError: the match has begun, it is not his table, or there is nobody to be sent away.
        """
        async with self.lock:
            self._hosts(by)
            if at not in range(4) or isinstance(at, bool) or at == by or not self.seating.places[at].person:
                raise RoomError("那里没有可以请走的人。", "there is nobody to be sent away.")
            place = self.seating.places[at]
            if place.address and place.address != self.seating.places[by].address:
                self.barred.add(place.address)
            for listener in list(place.listeners):
                listener.send({"refused": _SENT_AWAY._asdict()})
                listener.close(NOT_YOURS)
                self.audience.leave(listener)
            self.seating.assign(at)
            self.salts.forget(at)
            self.record.place(at)
            await self._save()
            self.send_head()

    async def reserve(self, by: int, at: Any, name: Any) -> None:
        """Whoever opened the table holds a place for somebody by name, or lets anybody take it ("").

        The name of an account can be used by that account alone.

        Raises:
            RoomError: the match has begun, it is not his table, or the place is not free.
        """
        async with self.lock:
            self._hosts(by)
            if at not in range(4) or isinstance(at, bool) or not isinstance(name, str):
                raise RoomError("没有这个座位或名字。", "there is no such place or name.")
            self.seating.reserve(at, name)
            self.record.door(reserve=at, name=self.seating.places[at].reserved)
            await self._save()
            self.send_head()

    async def close_door(self, by: int, closed: bool) -> None:
        """Whoever opened the table lets nobody else sit down (or does again).

        Raises:
            RoomError: the match has begun, or it is not his table.
        """
        async with self.lock:
            self._hosts(by)
            if closed != self.closed:
                self.closed = closed
                self.record.door(closed=closed)
                await self._save()
            self.send_head()

    def _hosts(self, by: int) -> None:
        if self.phase != "open":
            raise RoomError("牌局已经开始。", "the match has begun.")
        if by != self.seating.host:
            raise RoomError("只有房主可以。", "only whoever opened the table may do that.")

    async def mix(self, at: int, data: dict[str, Any]) -> None:
        """Somebody commits to a salt for the next wall, or shows the one that is wanted now.

        Raises:
            RoomError: see `Salts.hear`.
        """
        async with self.lock:
            self.salts.hear(at, data, self.game.sealed if self.game is not None else None)
            self._changed.set()

    async def ready(self, at: int) -> None:
        """Somebody is ready: for the match to begin, or for the next hand."""
        async with self.lock:
            self.seating.places[at].ready = True
            self.send_head()
            if self.phase == "open" and all(place.ready for place in self.seating.people):
                await self._begin()
            elif self.phase == "between":
                self._changed.set()

    async def begin(self, at: int) -> None:
        """Somebody who sits here does not wait any more for people who are away: bots play until they are back.

        Raises:
            RoomError: the match has begun, or somebody who is here is not ready.
        """
        async with self.lock:
            if self.phase != "open":
                raise RoomError("牌局已经开始。", "the match has begun.")
            others = [place for place in self.seating.people if place is not self.seating.places[at]]
            if not all(place.ready or not place.listeners for place in others):
                raise RoomError("还有人在，没有准备好。", "somebody who is here is not ready.")
            await self._begin()

    def stand_in(self, place: SeatSlot) -> str:
        """The level that plays for this person now; nothing while he is there."""
        gone = place.quit or place.silent or (not place.listeners and time.monotonic() - place.left_at > GONE)
        return STAND_IN if place.person and gone else ""

    # ---- the task

    async def _begin(self) -> None:
        self.seating.fill()
        places = self.seating.places
        names, players = [place.name for place in places], [place.level or "person" for place in places]
        self.game = Game.begin(self.book, self.spec, self.record, names, players)
        self.phase = "between"
        await self._save()
        for place in places:
            place.ready = True
        self._start()

    async def _run(self) -> None:
        assert self.game is not None  # noqa: S101  # started with a match
        try:
            await play(self, self.game)
            self.host.ended(self)
        except RoomError:  # another process goes on with it
            _log.info("room %s is no longer played here", self.id)
        finally:
            self._task = None

    async def wait(self, seconds: float) -> None:
        """Until something happens, but not longer than this."""
        self._changed.clear()
        with suppress(TimeoutError):  # (wait_for would now and then swallow that the task is cancelled)
            async with asyncio.timeout(max(0.0, seconds)):
                await self._changed.wait()

    # ---- what is said

    async def act(self, place: int, data: Any, after: Any) -> None:
        """A person's action. `after` is the number of the last message seen: an old answer is refused.

        Raises:
            Error: it cannot be said now.
        """
        game = self.game
        seat = game.seat(place) if game is not None else None
        if game is None or game.table is None or seat is None or self.phase != "playing":
            raise RoomError("现在没有正在打的牌局。", "no hand is being played now.")
        if self.seating.places[place].silent:
            self.seating.places[place].silent = self.seating.places[place].away = False
            self.send_head()
        if after is not None and after != self.record.last:
            raise RoomError("已经过去了。", "that moment has passed.")
        try:
            action = read_action(data)
        except MALFORMED:
            raise RoomError("看不懂的动作。", "this is no action.") from None
        await self.step(game, seat, action)

    async def _bot_acts(self, seat: int, action: Action, moment: int) -> None:
        if self.game is not None:
            with suppress(Error):
                await self.step(self.game, seat, action, moment)
        self._changed.set()

    async def step(self, game: Game, seat: int, action: Action, moment: int | None = None) -> None:
        """Let a seat act, write it down, tell everybody.

        Raises:
            Error: the table refuses it.
        """
        began = time.perf_counter()
        async with self.lock:
            if self.lost or game.table is None or (moment is not None and moment != self.moment):
                return
            at = game.player(seat)
            place = self.seating.places[at]
            if place.person:
                self.clock.charge(place)
            game.step(seat, action)
            await self.publish(at)
        (ACTION_OF_PERSON if place.person else ACTION_OF_BOT).observe(time.perf_counter() - began)

    # ---- telling

    def _redacted(self, line: str, number: int) -> RedactedLine:
        """A line as players and spectators see it."""
        rules = play_rules(self.book)
        return redacted(line, number, rules.table.concealed_kongs_hidden, rules.words)

    async def publish(self, by: int | None = None) -> None:
        """Into the store first, then to everybody; what shows nothing new (a pass) is told to nobody but `by`."""
        await self._save()
        self.moment += 1
        new = range(self._sent, self.record.shown)
        self._sent = self.record.shown
        if new:
            self.clock.restart()
        listeners = self.audience.everybody()
        lines = [self._redacted(self.record.recent(number), number) for number in new] if listeners else []
        snapshots: dict[int | None, Message] = {}  # all that watch are told the same
        for listener in listeners:
            if new or listener.place == by:
                self._send_lines(listener, lines)
                if listener.place not in snapshots:
                    snapshots[listener.place] = self.snapshot(listener.place)
                listener.send(snapshots[listener.place])
        self._changed.set()

    def _send_lines(self, listener: Listener, lines: list[RedactedLine]) -> None:
        seat = self.game.seat(listener.place) if self.game is not None else None
        for line in lines:
            listener.send(line.to(seat))

    def _catch_up(self, listener: Listener, lines: list[RedactedLine]) -> None:
        """Tell lines of hands that may be over, each as the seat this place had in its hand may see it."""
        game, place = self.game, listener.place
        if game is None or place is None:
            self._send_lines(listener, lines)
            return
        match = game.match
        dealt = len(match.hands) + (game.table is not None)
        number = dealt - sum("hand" in line.shown for line in lines)  # of the hand that the first line is about
        for line in lines:
            number += "hand" in line.shown
            at = match.hands[number - 1].place if 0 < number <= len(match.hands) else match.place
            listener.send(line.to(at.seats.index(place)))

    def send_head(self) -> None:
        """Tell everybody who sits there, who is ready, and how far the match is."""
        self.audience.send({"room": self.head()})

    async def listen(self, place: int | None, after: int | None) -> Listener:
        """Begin to be told: everything after message `after`, then what there is now."""
        async with self.lock:  # nothing is told that is not yet in the store
            listener = Listener(place, self.spec.delay if place is None else 0.0)
            if self.lost:
                listener.close(MOVED)
                return listener
            first = self.record.shown if after is None else max(0, after + 1)
            missed = await self.record.since(first) if first < self.record.shown else []
            if place is not None:
                for other in list(self.seating.places[place].listeners):
                    self.audience.leave(other)
                    other.send({"taken": True})
                    other.close(TAKEN)
            self.audience.join(listener)
            listener.send({"room": self.head(), "you": place})
            self._catch_up(listener, [self._redacted(line, number) for number, line in enumerate(missed, first)])
            listener.send(self.snapshot(place))
            if self.game is not None and self.game.result is not None:
                listener.send(self.game.result)
            self._changed.set()
            self._send_head_soon(listener)
            return listener

    def unlisten(self, listener: Listener) -> None:
        """Not to be told any more."""
        self.audience.leave(listener)
        self._send_head_soon(listener)

    def _send_head_soon(self, listener: Listener) -> None:
        """Tell everybody that somebody came or went: of spectators, who may be many, not more than once a second."""
        if listener.place is not None:
            self.send_head()
        elif self._head_timer is None and not self.lost:
            self._head_timer = asyncio.get_running_loop().call_later(_HEAD_EVERY, self._send_head_now)

    def _send_head_now(self) -> None:
        self._head_timer = None
        self.send_head()

    def snapshot(self, place: int | None) -> Message:
        """See `showing.snapshot`."""
        return showing.snapshot(self, place)

    def head(self) -> dict[str, Any]:
        """See `showing.head`."""
        return showing.head(self)

    async def hint(self, place: int, lang: str = "zh", asker: str = "") -> Message:
        """What this place's hand waits for. Asked again at the same moment, it is not worked out again.

        Raises:
            RoomError: this room gives no hints, or there is nothing to say now.
        """
        seat = self.game.seat(place) if self.game is not None else None
        if not self.spec.hints:
            raise RoomError("这一桌不给提示。", "this table gives no hints.")
        if self.game is None or self.game.table is None or seat is None:
            raise RoomError("现在没有可提示的。", "there is nothing to hint at now.")
        if self._hints.get(place, (None,))[0] == (self.moment, lang):
            return await asyncio.shield(self._hints[place][1])
        view = self.game.table.view(seat)
        request = HintRequest(self.spec.rules, self.spec.house, seat, view.board, view.hand, view.drawn, lang)
        work = asyncio.ensure_future(self.host.work.run(asker, answer, request))
        self._hints[place] = (self.moment, lang), work
        try:
            return await work
        except Refusal as refusal:
            self._hints.pop(place, None)
            raise RoomError(*refusal.text) from refusal
