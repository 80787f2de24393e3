"""One room: four places, a match, and one task that owns them. Nothing is told before it is on the disk."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from quepu.errors import Error
from quepu.match.log import LogWriter
from quepu.match.match import Match
from quepu.match.reader import read_log
from quepu.match.settle import settle
from quepu.server.hands_api import book_of
from quepu.server.keeping import place_name
from quepu.server.room_messages import Message, RoomSpec
from quepu.server.rooms.places import Listener, Place, digest
from quepu.server.rooms.telling import revealed, told
from quepu.server.rooms.thinking import Thinkers
from quepu.server.settling import flows
from quepu.server.store import Conflict, Logs
from quepu.table import Table, commitment, make_wall, secret_wall
from quepu.table.actions import Action, read_action, timeout
from quepu.tiles import WINDS

_log = logging.getLogger("quepu.server")

BETWEEN = 20.0
"""Seconds between hands, unless everybody is ready before."""
GONE = 8.0
"""Seconds after which a bot plays for a person who left."""
STAND_IN = "closed"


class RoomError(Error):
    """Something that a room cannot do now."""


class Room:
    """See the module."""

    def __init__(self, id: str, spec: RoomSpec, logs: Logs, thinkers: Thinkers, forget: Callable[[str], None]) -> None:
        self.id = id
        self.spec = spec
        self.book = book_of(spec.rules, spec.house)
        self.logs = logs
        self.thinkers = thinkers
        self.forget = forget
        self.places = [
            Place(name=_bot_name(i, level), level=level) if level else Place() for i, level in enumerate(spec.bots)
        ]
        self.phase = "open"
        self.length = 1  # entries in the store; the first is the spec
        self.lines: list[str] = []
        self.shown: list[str] = []  # lines but for answers to offers: nobody may count those
        self.match: Match | None = None
        self.writer: LogWriter | None = None
        self.table: Table | None = None
        self.updated = time.time()
        self.spectators: set[Listener] = set()
        self._pending: list[dict[str, Any]] = []
        self._told = 0
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._clock = 0.0  # when the seats asked now have used up their time
        self._asked_since = 0.0
        self._generation = 0
        self._thinking: set[asyncio.Task[None]] = set()
        self._being_asked: set[tuple[int, int]] = set()  # generation and seat of bots that think now
        self._task: asyncio.Task[None] | None = None
        self._last_result: Message | None = None

    # ---- life

    @classmethod
    async def load(cls, id: str, logs: Logs, thinkers: Thinkers, forget: Callable[[str], None]) -> Room | None:
        """A room out of the store, where it stands; None if there is none."""
        found = await logs.read(id)
        if found is None or found[0].kind != "room":
            return None
        entries = found[1]
        room = cls(id, RoomSpec.model_validate(entries[0].body["room"]), logs, thinkers, forget)
        room.length = len(entries)
        for entry in entries[1:]:
            body = entry.body
            if "line" in body:
                room._remember(body["line"])
            elif "place" in body:
                room._seat(body["place"], body)
        room._told = len(room.shown)
        if room.lines:
            replay = read_log(room.lines, room.book, unfinished=True)
            room.match = replay.match
            if replay.finished:
                room.phase = "over"
            else:
                room.writer, room.table = LogWriter.resume(replay, room._line)
                room.phase = "playing" if room.table is not None else "between"
        room._start()
        return room

    def _seat(self, at: int, body: dict[str, Any]) -> None:
        place = self.places[at]
        place.token, place.name = body.get("token", ""), body.get("name", "")
        if not place.token:
            place.level = self.spec.bots[at]
            place.name = _bot_name(at, place.level) if place.level else ""

    def _start(self) -> None:
        for place in self.places:
            place.bank = self.spec.bank
            place.left_at = time.monotonic()
        if self.phase in ("playing", "between") and self._task is None:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the task; the log stays."""
        for task in (*self._thinking, *([self._task] if self._task else ())):
            task.cancel()
        self._task = None
        for listener in self._everybody():
            listener.close()

    # ---- the log

    def _line(self, line: str) -> None:
        self._remember(line)
        self._pending.append({"line": line})

    def _remember(self, line: str) -> None:
        self.lines.append(line)
        if not line.startswith('{"a":'):
            self.shown.append(line)

    async def _keep(self) -> None:
        """Put what is new on the disk.

        Raises:
            Conflict: another server took the room over.
        """
        if self._pending:
            bodies, self._pending = self._pending, []
            length = await self.logs.append(self.id, self.length, bodies)
            if length is None:
                raise Conflict
            self.length = length
            self.updated = time.time()

    # ---- places

    async def sit(self, name: str, at: int | None) -> tuple[int, str]:
        """Take a free place; the place and its token.

        Raises:
            RoomError: nothing is free, or the name is taken.
        """
        async with self._lock:
            if self.phase != "open":
                raise RoomError("牌局已经开始。", "the match has begun.")
            if any(place.name == name for place in self.places):
                raise RoomError(f"“{name}”已经有人用了。", f"the name {name!r} is taken.")
            free = [i for i, place in enumerate(self.places) if place.kind == "free"]
            bots = [i for i, place in enumerate(self.places) if place.kind == "bot"]
            if at is None:
                at = free[0] if free else bots[0] if bots else -1
            if at < 0 or self.places[at].person:
                raise RoomError("没有空位了。", "no place is free.")
            token = secrets.token_urlsafe(18)
            place = self.places[at]
            place.name, place.token, place.level = name, digest(token), ""
            self._pending.append({"place": at, "name": name, "token": place.token})
            await self._keep()
            self._tell_room()
            return at, token

    async def leave(self, token: str) -> None:
        """Give a place back before the match; during it a bot goes on playing for it.

        Raises:
            RoomError: the token is nobody's.
        """
        async with self._lock:
            at = self.who(token)
            if at is None:
                raise RoomError("这不是你的座位。", "this is not your place.")
            if self.phase == "open":
                self._seat(at, {})
                self._pending.append({"place": at})
                await self._keep()
            self._tell_room()

    def who(self, token: str) -> int | None:
        """The place of a token."""
        if not token:
            return None
        known = digest(token)
        return next((i for i, p in enumerate(self.places) if p.token and secrets.compare_digest(p.token, known)), None)

    async def ready(self, at: int) -> None:
        """Somebody is ready: for the match to begin, or for the next hand."""
        async with self._lock:
            self.places[at].ready = True
            self._tell_room()
            people = [place for place in self.places if place.person]
            if self.phase == "open" and all(place.ready for place in people):
                if any(place.kind == "free" for place in self.places):
                    for i, place in enumerate(self.places):
                        if place.kind == "free":
                            place.level = "plain"
                            place.name = _bot_name(i, "plain")
                await self._begin()
            elif self.phase == "between":
                self._changed.set()

    async def _begin(self) -> None:
        names = [place.name for place in self.places]
        self.match = Match(self.book, (names[0], names[1], names[2], names[3]), self.spec.rounds, self.spec.ranked)
        players = [place.level or "person" for place in self.places]
        self.writer = LogWriter(self.match, self._line, seed=self.spec.seed, players=players)
        self.phase = "between"
        await self._keep()
        for place in self.places:
            place.ready = True
        self._start()

    # ---- the task

    async def _run(self) -> None:
        try:
            while self.match is not None and not self.match.over:
                if self.table is None:
                    await self._between()
                    await self._deal()
                await self._hand()
            await self._end()
        except Conflict:
            self.forget(self.id)
            for listener in self._everybody():
                listener.close()
        finally:
            self._task = None

    async def _between(self) -> None:
        deadline = time.monotonic() + BETWEEN
        while time.monotonic() < deadline:
            people = [place for place in self.places if place.person and place.listeners]
            if all(place.ready for place in people) if people else self._last_result is None:
                break
            if not people and time.monotonic() > deadline - BETWEEN + 2:
                break
            await self._wait(0.5)
        for place in self.places:
            place.ready = False

    async def _wait(self, seconds: float) -> None:
        self._changed.clear()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._changed.wait(), max(0.0, seconds))

    async def _deal(self) -> None:
        async with self._lock:
            match, writer = self.match, self.writer
            assert match is not None and writer is not None  # noqa: S101, PT018  # the match has begun
            number = len(match.hands) + 1
            flowers = match.rules.table.flowers if self.spec.flowers is None else self.spec.flowers
            if self.spec.seed is None:
                wall, salt = secret_wall(flowers)
                promise = commitment(wall, salt)
            else:
                wall, salt, promise = make_wall(self.spec.seed, number, flowers=flowers), "", ""
            self.table = Table(self.book, wall, round=match.place.round_wind)
            writer.hand(number, match.place, self.table, salt=salt, commitment=promise)
            self.phase = "playing"
            for place in self.places:
                place.bank = self.spec.bank
            self._last_result = None
            await self._publish()
            self._tell_room()

    async def _hand(self) -> None:
        """Until the hand is over: bots are asked, clocks run out, everything else comes from outside."""
        while self.table is not None and self.table.asked:
            self._ask_bots()
            now = time.monotonic()
            late = self._late(now)
            if late is not None:
                seat, action = late
                await self.act(seat, action, None)
                continue
            await self._wait(min(1.0, max(0.05, self._clock - now)) if self._clock else 1.0)
        await self._settle()

    def _late(self, now: float) -> tuple[int, Action] | None:
        """A person whose time and reserve are used up, or who has left: what the seat is taken to say."""
        table = self.table
        if table is None or not (self.spec.move or self.spec.bank):
            return None
        used = now - self._asked_since
        soonest = 0.0
        for seat in table.asked:
            place = self.places[self._player(seat)]
            if not place.person or self._stands_in(place, now):
                continue
            limit = self.spec.move + place.bank
            if used >= limit:
                return seat, timeout(table.options(seat))
            soonest = min(soonest or 1e9, self._asked_since + limit)
        self._clock = soonest
        return None

    def _stands_in(self, place: Place, now: float) -> bool:
        """Whether a bot plays for this person now."""
        return place.person and not place.listeners and now - place.left_at > GONE

    def _ask_bots(self) -> None:
        table = self.table
        if table is None:
            return
        now = time.monotonic()
        for seat in table.asked:
            place = self.places[self._player(seat)]
            level = place.level if not place.person else STAND_IN if self._stands_in(place, now) else ""
            if level and (self._generation, seat) not in self._being_asked:
                self._being_asked.add((self._generation, seat))
                task = asyncio.create_task(self._think(seat, level, self._generation))
                self._thinking.add(task)
                task.add_done_callback(self._thinking.discard)

    async def _think(self, seat: int, level: str, generation: int) -> None:
        table = self.table
        if table is None:
            return
        began = time.monotonic()
        options = table.options(seat)
        try:
            at = await self.thinkers.ask(self.spec.rules, self.spec.house, level, table.view(seat), options)
        except Exception:
            _log.exception("a bot failed; its seat does what a timeout would")
            self.thinkers.close()
            at = options.index(timeout(options))
        rest = self.spec.think - (time.monotonic() - began)
        if rest > 0:
            await asyncio.sleep(rest)
        if generation == self._generation and at < len(options):
            with suppress(Error):
                await self.act(seat, options[at], generation)
        self._changed.set()

    # ---- what is said

    def _player(self, seat: int) -> int:
        assert self.match is not None  # noqa: S101  # a hand is being played
        return self.match.place.seats[seat]

    def seat_of(self, place: int) -> int | None:
        """The seat of a place in the hand being played."""
        return self.match.place.seats.index(place) if self.match is not None and not self.match.over else None

    async def say(self, place: int, data: Any, after: Any) -> None:
        """A person's action. `after` is the number of the last message seen: an old answer is refused.

        Raises:
            Error: it cannot be said now.
        """
        table, seat = self.table, self.seat_of(place)
        if table is None or seat is None or self.phase != "playing":
            raise RoomError("现在没有正在打的牌局。", "no hand is being played now.")
        if after is not None and after != len(self.shown) - 1:
            raise RoomError("已经过去了。", "that moment has passed.")
        await self.act(seat, read_action(data), None)

    async def act(self, seat: int, action: Action, generation: int | None) -> None:
        """Let a seat act, write it down, tell everybody.

        Raises:
            Error: the table refuses it.
        """
        async with self._lock:
            table = self.table
            if table is None or (generation is not None and generation != self._generation):
                return
            place = self.places[self._player(seat)]
            if place.person:
                over = time.monotonic() - self._asked_since - self.spec.move
                place.bank = max(0.0, place.bank - max(0.0, over))
            table.step(seat, action)
            if self.writer is not None:
                self.writer.sync()
            await self._publish(self._player(seat))
            if self.spec.shield and action.do == "discard":
                await asyncio.sleep(self.spec.shield)

    async def _publish(self, by: int | None = None) -> None:
        """On the disk first, then to everybody; what shows nothing new (a pass) is told to nobody but place `by`."""
        await self._keep()
        self._generation += 1
        new = range(self._told, len(self.shown))
        self._told = len(self.shown)
        if new:
            self._asked_since = time.monotonic()
        for listener in self._everybody():
            if new or listener.place == by:
                self._tell_new(listener, new)
                listener.tell(self.snapshot(listener.place))
        self._changed.set()

    def _tell_new(self, listener: Listener, numbers: range) -> None:
        seat = self.seat_of(listener.place) if listener.place is not None else None
        for number in numbers:
            listener.tell(told(self.shown[number], number, seat))

    async def _settle(self) -> None:
        async with self._lock:
            table, match, writer = self.table, self.match, self.writer
            if table is None or match is None or writer is None or table.ending is None:
                return
            place = match.place
            settled = settle(table.ending, self.book, match.rules)
            self.match = match = match.played(table.ending)
            writer.result(settled, match.totals)
            hand_line = next(line for line in reversed(self.lines) if '"wall":' in line)
            score = table.ending.score
            self._last_result = {
                "over": {
                    "seats": [match.names[player] for player in place.seats],
                    "winner": WINDS[table.ending.winner] if table.ending.winner is not None else None,
                    "score": {lang: score.to_json(explain=True, lang=lang) for lang in ("zh", "en")} if score else None,
                    "payments": flows(settled.payments),
                    "gains": list(settled.seats),
                    "standings": [s._asdict() for s in match.standings()],
                    "next": None if match.over else place_name(match.place)._asdict(),
                    "match_over": match.over,
                    "reveal": revealed(hand_line),
                }
            }
            self.table = None
            self.phase = "over" if match.over else "between"
            if match.over:
                writer.end()
            await self._publish()
            self._tell_room()
            for listener in self._everybody():
                listener.tell(self._last_result)

    async def _end(self) -> None:
        self.phase = "over"
        self._tell_room()

    # ---- telling

    def _everybody(self) -> list[Listener]:
        return [*(listener for place in self.places for listener in place.listeners), *self.spectators]

    def _tell_room(self) -> None:
        for listener in self._everybody():
            listener.tell({"room": self.head()})

    def listen(self, place: int | None, after: int | None) -> Listener:
        """Begin to be told: everything after message `after`, then what there is now."""
        listener = Listener(place)
        if place is None:
            self.spectators.add(listener)
        else:
            self.places[place].listeners.add(listener)
        listener.tell({"room": self.head(), "you": place})
        if after is not None:
            first = max(0, after + 1, len(self.shown) - 300)
            self._tell_new(listener, range(first, len(self.shown)))
        listener.tell(self.snapshot(place))
        if self._last_result is not None:
            listener.tell(self._last_result)
        self._changed.set()
        self._tell_room()
        return listener

    def unlisten(self, listener: Listener) -> None:
        """Not to be told any more."""
        self.spectators.discard(listener)
        if listener.place is not None:
            place = self.places[listener.place]
            place.listeners.discard(listener)
            if not place.listeners:
                place.left_at = time.monotonic()
        self._tell_room()

    def snapshot(self, place: int | None) -> Message:
        """The table as this place may see it, with what it may say and how long it has."""
        table, match = self.table, self.match
        message: Message = {"n": len(self.shown) - 1, "phase": self.phase, "view": None}
        if match is None:
            return message
        names = [match.names[player] for player in match.place.seats]
        message |= {
            "names": names,
            "players": list(match.place.seats),
            "totals": [match.totals[player] for player in match.place.seats],
            "place": place_name(match.place)._asdict(),
            "hand": len(match.hands) + (table is not None),
        }
        if table is None:
            return message
        seat = self.seat_of(place) if place is not None else None
        counts = [len(hand) for hand in table.hands]
        message["held"] = [n + (table.drawn >= 0 and table.turn == s) for s, n in enumerate(counts)]
        message["asked"] = [WINDS[s] for s in table.asked] if not table.board.offer >= 0 else []
        if seat is None:
            message["view"] = {"board": table.board.to_json(), "options": []}
        else:
            message["view"] = table.view(seat).to_json(table.options(seat))
            if seat in table.asked and self.spec.move + self.spec.bank:
                message["clock"] = {"move": self.spec.move, "bank": round(self.places[place or 0].bank, 1)}
        return message

    def head(self) -> dict[str, Any]:
        """The room as everybody may see it."""
        now = time.monotonic()
        return {
            "id": self.id,
            "title": self.spec.title,
            "rules": self.spec.rules,
            "book": self.book.title._asdict(),
            "phase": self.phase,
            "hints": self.spec.hints,
            "places": [
                {
                    "kind": place.kind,
                    "name": place.name,
                    "level": place.level or (STAND_IN if self._stands_in(place, now) else ""),
                    "here": bool(place.listeners) or place.kind == "bot",
                    "ready": place.ready,
                }
                for place in self.places
            ],
            "hand": "" if self.match is None else self.match.place.name,
            "updated": self.updated,
        }

    def hint(self, place: int, lang: str = "zh") -> Message:
        """Waits with points, or what the best discards would wait for; reasons in `lang`.

        Raises:
            RoomError: this room gives no hints, or there is nothing to say now.
        """
        from quepu.waiting import choices, outlook

        table, seat = self.table, self.seat_of(place)
        if not self.spec.hints:
            raise RoomError("这一桌不给提示。", "this table gives no hints.")
        if table is None or seat is None:
            raise RoomError("现在没有可提示的。", "there is nothing to hint at now.")
        view = table.view(seat)
        elsewhere = view.elsewhere()
        hand, tiles = view.as_hand(), view.tiles
        if len(tiles) % 3 == 2 and max(tiles) < 34:
            whole = hand._replace(concealed=tuple(sorted(tiles[:-1])), winning=tiles[-1])
            return {"hint": {"choices": [c.to_json(lang) for c in choices(whole, self.book, elsewhere)[:6]]}}
        return {"hint": {"outlook": outlook(hand, self.book, elsewhere).to_json(lang)}}


def _bot_name(at: int, level: str) -> str:
    return f"电脑{at + 1}·{level}"
