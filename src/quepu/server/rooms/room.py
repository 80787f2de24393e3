"""One room: one task plays its match, one lock orders people's actions. Nothing is sent before it is stored."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import defaultdict
from contextlib import suppress
from typing import Any

from quepu.bots import heavy
from quepu.errors import Error
from quepu.match.reader import MALFORMED
from quepu.rulebooks.house_rules import book_of
from quepu.rules.rulebook import Rulebook
from quepu.server.rooms.bot_turns import BotTurns
from quepu.server.rooms.broadcast import publish, send_head
from quepu.server.rooms.game import Game, book_then
from quepu.server.rooms.host import RoomHost
from quepu.server.rooms.messages import Message, RoomSpec
from quepu.server.rooms.places import MOVED, Audience, Clock, RoomError, SeatSlot
from quepu.server.rooms.playing import play
from quepu.server.rooms.record import RoomLog
from quepu.server.rooms.salts import Salts
from quepu.server.rooms.seat_taking import Seating
from quepu.server.rooms.serialize import head
from quepu.server.rooms.start import StartPosition
from quepu.server.store.values import Conflict, StoreError
from quepu.table.actions import Action, read_action

_log = logging.getLogger("quepu.server")

MOST_UNDONE = 30
"""The most moves taken back in a hand: each writes the hand to the log once more."""
GONE = 8.0
"""Seconds after which a bot plays for a person who left."""
STAND_IN = "closed"


class Room:
    """A room of this process: its people, its match, and the log that stores both."""

    def __init__(
        self,
        id: str,
        spec: RoomSpec,
        host: RoomHost,
        fence: int = 0,
        book: Rulebook | None = None,
        start: StartPosition | None = None,
    ) -> None:
        self.id = id
        self.spec = spec
        self.book = book_of(spec.rules, spec.house) if book is None else book
        self.start = start
        self.host = host
        self.record = RoomLog(id, host.logs, fence)
        self.seating = Seating(spec.bots)
        self.audience = Audience(self.seating.places)
        self.salts = Salts()
        self.clock = Clock(spec.move, spec.bank)
        self.bot_turns = BotTurns(spec, host.bots, self._bot_acts)
        self.game: Game | None = None
        self.phase = "open"
        self.opener = ""
        """The address it was opened from; unknown for a room that another process opened."""
        self.payers: tuple[str, ...] = ()  # budgets for storing its match; none after a restart
        self.lost = False  # owned by another process now: nothing is done here
        self.rest_until = 0.0  # when the next hand is dealt at the latest
        self.moment = 0  # increases with every event: an answer to another moment is late
        self.lock = asyncio.Lock()  # held by every change to the room
        self.closed = False  # no one else can sit down
        self.mixed = False  # places were drawn, and no hand has been dealt since
        self.barred: set[str] = set()  # addresses of removed people
        self.next = ""  # the room of the next match of the same people
        self.sent = 0  # lines of the log sent to everyone
        self.head_timer: asyncio.TimerHandle | None = None  # when people hear of spectators who came or went
        self.last_hints: dict[int, tuple[tuple[int, str, bool], Message]] = {}  # of each place, with its request
        self.hinting: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)  # one at a time for each place
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # ---- lifecycle

    @classmethod
    async def load(cls, id: str, host: RoomHost, fence: int) -> Room | None:
        """Load a room from the store in its current state; None if it does not exist.

        Raises:
            Error: its log is damaged, or its book no longer exists.
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
        room = cls(id, spec, host, fence, book, StartPosition.load(first.body.get("start"), book))
        record = room.record
        record.walls = str(first.body.get("walls", ""))
        record.length, record.updated = len(entries) + 1, found[0].updated
        lines: list[str] = []
        for entry in entries:
            if "line" in entry.body:
                lines.append(entry.body["line"])
                record.remember(entry.body["line"], entry.n)
            elif room.seating.read_entry(entry.n, entry.body):
                continue
            elif "closed" in entry.body:
                room.closed = entry.body["closed"]
            elif "think" in entry.body:
                room.take_pace(entry.body["think"])
            elif "next" in entry.body:
                room.next = entry.body["next"]
        room.sent = record.shown
        if lines:
            room.seating.fill()
            game = room.game = await asyncio.to_thread(Game.resume, room.book, room.spec, record, lines, room.start)
            room.phase = "over" if game.over else "between" if game.table is None else "playing"
        room._start()
        return room

    def _start(self) -> None:
        self.clock.fill(self.seating.places)
        self.clock.restart()
        for place in self.seating.places:
            place.left_at = time.monotonic()
        self.prepare()
        if self.phase in ("playing", "between") and self._task is None:
            self._task = asyncio.create_task(self._run())

    @property
    def prepared(self) -> bool:
        """Whether the tables for this room's bots exist; True if no bot needs any, or none needs any more."""
        tables = self.host.preparation
        strong = any(heavy(place.level, tables=tables.builds) for place in self.seating.places)
        return self.phase == "over" or not strong or tables.is_ready(self.spec.rules, self.spec.house)

    def prepare(self) -> None:
        """Have the tables for this room's bots built, and for its hints if they are free."""
        if not self.prepared:  # they were paid for when the room was opened
            self.host.preparation.want(self.spec.rules, self.spec.house, self.opener, paid=True)
        elif (
            self.spec.hints
            and self.phase != "over"
            and self.host.preparation.is_shipped(self.spec.rules, self.spec.house)
        ):
            self.host.preparation.want(self.spec.rules, "")

    async def close(self) -> None:
        """Stop the task; the log stays."""
        self.bot_turns.close()
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self.audience.close()

    @property
    def idle(self) -> float:
        """Return the seconds since the last event in a deserted room; 0 for others."""
        if self.phase in ("playing", "between") or self.audience.everybody():
            return 0.0
        return time.time() - self.record.updated

    async def save(self) -> None:
        """Store new entries. If that fails, the state here is invalid.

        Raises:
            RoomError: another process owns the room now, or the store fails.
        """
        try:
            self.host.on_stored(self, await self.record.save())
        except Exception as error:  # whatever the error, the room is lost here
            if isinstance(error, StoreError):  # the store has logged it already, and every room is affected
                _log.warning("room %s cannot be written; it goes on when the store does", self.id)
            elif not isinstance(error, Conflict):
                _log.exception("room %s cannot be written", self.id)
            self.lost = True
            self.host.on_lost(self)
            self.bot_turns.close()
            self.audience.close(MOVED)
            if self._task is not None and self._task is not asyncio.current_task():
                self._task.cancel()
            raise RoomError("这一桌正在换服务器。", "this table is moving to another server.") from error

    # ---- places

    async def mix(self, at: int, salt: str | None, commitment: str | None) -> None:
        """Take a place's commitment for the next wall, or the salt needed now.

        Raises:
            RoomError: see `Salts.hear`.
        """
        async with self.lock:
            self.salts.hear(at, salt, commitment, self.game.sealed if self.game is not None else None)
            self._changed.set()

    async def mark_ready(self, at: int) -> None:
        """Mark a place as ready for the match to begin, or for the next hand."""
        async with self.lock:
            self.seating.places[at].ready = True
            send_head(self)
            if self.phase == "open" and not self.seating.awaited and all(place.ready for place in self.seating.people):
                await self._begin()
            elif self.phase == "between":
                self._changed.set()

    async def begin(self, at: int) -> None:
        """Begin without absent players: bots play until they are here.

        Raises:
            RoomError: the match has begun, or a player present is not ready.
        """
        async with self.lock:
            if self.phase != "open":
                raise RoomError("牌局已经开始。", "the match has begun.")
            others = [place for place in self.seating.people if place is not self.seating.places[at]]
            if not all(place.ready or not place.listeners for place in others):
                raise RoomError("还有人在，没有准备好。", "not everyone here is ready.")
            await self._begin()

    async def back(self, at: int) -> None:
        """Mark a player as back for whom a bot played because of inactivity."""
        place = self.seating.places[at]
        place.missed = 0
        if place.silent:
            place.silent = place.away = False
            self.moment += 1  # a bot's pending choice is no longer wanted
            self.clock.restart()
            send_head(self)
            self._changed.set()

    def send_phrase(self, at: int, phrase: int) -> None:
        """Send a phrase chosen by a player.

        Raises:
            RoomError: too soon after the last one.
        """
        place, now = self.seating.places[at], time.monotonic()
        if now - place.phrase_at < 2:
            raise RoomError("发言太频繁，请稍后再试。", "you are sending messages too fast: wait a moment.")
        place.phrase_at = now
        self.audience.send({"phrase": phrase, "place": at})

    def take_pace(self, think: float) -> None:
        """Make bots take at least this long from their next turn on."""
        self.spec = self.bot_turns.spec = self.spec.model_copy(update={"think": think})

    @property
    def timed(self) -> bool:
        """Whether a clock runs: only if people wait for each other, so not with one person among bots."""
        return self.clock.runs and sum(place.kind != "bot" and not place.quit for place in self.seating.places) > 1

    @property
    def undoes(self) -> bool:
        """Whether moves may be taken back: one person plays against bots, with a wall that no other table has."""
        return len(self.seating.people) == 1 and not self.seating.held and not self.record.walls

    def stand_in(self, place: SeatSlot) -> str:
        """Return the level that plays for an absent person; "" if the person is present."""
        left = not place.listeners and time.monotonic() - place.left_at > GONE
        return STAND_IN if place.person and (place.unclaimed or place.quit or place.silent or left) else ""

    # ---- the task

    async def _begin(self) -> None:
        self.seating.fill()
        for at, place in enumerate(self.seating.places):
            if place.unclaimed:
                self.record.place(at, name=place.name, token=place.token)
        if self.spec.shuffle:
            self._draw_places()
        places = self.seating.places
        names, players = [place.name for place in places], [place.level or "person" for place in places]
        self.game = Game.begin(self.book, self.spec, self.record, names, players, self.start)
        self.phase = "between"
        await self.save()
        for place in places:
            place.ready = True
        if self.spec.shuffle:
            for listener in self.audience.everybody():
                listener.send({"room": head(self), "you": listener.place})
        self._start()

    def _draw_places(self) -> None:
        """Draw the places at random; with a seed, by the seed."""
        order = list(range(4))
        (random.SystemRandom() if self.spec.seed is None else random.Random(self.spec.seed)).shuffle(order)
        self.seating.reorder(order)
        self.record.door(order=order)
        for at in range(4):
            self.salts.forget(at)  # a salt is committed to for a place
        self.mixed = True

    async def _run(self) -> None:
        assert self.game is not None  # noqa: S101  # started with a match
        try:
            await play(self, self.game)
            self.host.on_match_end(self)
        except RoomError:  # another process continues it
            _log.info("room %s is no longer played here", self.id)
        finally:
            self._task = None

    def wake(self) -> None:
        """Wake the task: something has happened."""
        self._changed.set()

    async def wait(self, seconds: float) -> None:
        """Wait until something happens, at most this long."""
        self._changed.clear()
        with suppress(TimeoutError):  # (wait_for would occasionally swallow the task's cancellation)
            async with asyncio.timeout(max(0.0, seconds)):
                await self._changed.wait()

    # ---- actions

    async def act(self, place: int, data: Any, after: Any) -> None:
        """Carry out a person's action. `after` is the number of the last message seen: an old answer is refused.

        Raises:
            Error: it is not possible now.
        """
        game = self.game
        seat = game.seat(place) if game is not None else None
        if game is None or game.table is None or seat is None or self.phase != "playing":
            raise RoomError("现在没有正在打的牌局。", "no hand is being played now.")
        self.seating.places[place].missed = 0
        if self.seating.places[place].silent:
            self.seating.places[place].silent = self.seating.places[place].away = False
            send_head(self)
        if after is not None and after != self.record.last:
            raise RoomError("已经过去了。", "too late: play has moved on.")
        try:
            action = read_action(data)
        except MALFORMED:
            raise RoomError("看不懂的动作。", "this is not a valid action.") from None
        await self.step(game, seat, action)

    async def undo(self, place: int) -> None:
        """Take back a person's last choice in this hand.

        Raises:
            Error: it is not possible now.
        """
        async with self.lock:
            game = self.game
            seat = game.seat(place) if game is not None else None
            if self.lost or game is None or game.table is None or seat is None or self.phase != "playing":
                raise RoomError("现在没有正在打的牌局。", "no hand is being played now.")
            if not self.undoes:
                raise RoomError(
                    "同桌有别人，不能悔牌。", "moves can be taken back only when you play against bots alone."
                )
            if game.undone >= MOST_UNDONE:
                raise RoomError(
                    f"一局最多悔牌 {MOST_UNDONE} 次。", f"at most {MOST_UNDONE} moves of a hand can be taken back."
                )
            if not game.undo(seat):
                raise RoomError("这一局你还没有出过牌。", "you have not moved in this hand yet.")
            await publish(self, place)

    async def _bot_acts(self, seat: int, action: Action, moment: int) -> None:
        if self.game is not None:
            person = self.seating.places[self.game.player(seat)].person
            with suppress(Error):
                await self.step(self.game, seat, action, moment, "bot" if person else "")
        self._changed.set()

    async def step(self, game: Game, seat: int, action: Action, moment: int | None = None, by: str = "") -> None:
        """Let a seat act, log it, send it to everyone. `by` tells who acts for its player.

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
            game.step(seat, action, by)
            await publish(self, at)
        self.host.on_action(place.person, time.perf_counter() - began)
