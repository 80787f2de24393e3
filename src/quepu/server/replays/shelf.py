"""All replays of a server: rooms that are over, logs brought along; found, folded once, and kept at hand."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from quepu.errors import Error, Text
from quepu.match.frames import film
from quepu.match.importing import Brought, read_any
from quepu.match.log import Replay
from quepu.match.reader import read_log
from quepu.rulebook import Rulebook
from quepu.server.hands_api import book_of
from quepu.server.replays.shown import Json, film_shape, hand_heads
from quepu.server.speaking import Refusal
from quepu.server.store import Database, Logs
from quepu.server.store.logs import Entry, LogHead
from quepu.server.store.replays import Kept, Replays, Stirred

KIND = "replay"
MOST_KEPT = 200
"""Logs that one browser may keep here; the oldest must be deleted before more come."""
_CHUNK = 500  # lines in one entry of the store
_T = TypeVar("_T")


class Opened(NamedTuple):
    """A replay that was read: where it comes from, its lines, and the match."""

    id: str
    kind: str
    title: str
    owner: str
    listed: bool
    played: float
    lines: tuple[str, ...]
    replay: Replay
    lost: tuple[Text, ...]
    house: str


class Few:
    """A small memory of the latest answers."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[Any, Any] = OrderedDict()

    def get(self, key: Any) -> Any:
        """What is kept under a key, or None."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Any, value: _T) -> _T:
        """Keep a value; the one that was not asked for longest goes."""
        self._kept[key] = value
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return value

    def drop(self, which: Callable[[Any], bool]) -> None:
        """Forget every key that is meant."""
        for key in [key for key in self._kept if which(key)]:
            del self._kept[key]


class Shelf:
    """The replays of one database."""

    def __init__(self, database: Database) -> None:
        self.logs = Logs(database)
        self.store = Replays(database)
        self._opened = Few(24)
        self._films = Few(48)
        self._gathering = asyncio.Lock()

    async def close(self) -> None:
        """Wait for what is being written."""
        await self.logs.close()

    # ---- the list

    async def gather(self) -> None:
        """Look at rooms whose logs have grown, so that those that are over are in the list."""
        async with self._gathering:
            stirred = await self.store.stirred()
            await self.store.put([await self._row(room) for room in stirred])

    async def _row(self, room: Stirred) -> Kept:
        spec = room.first.get("room") or {}
        listed = bool(spec.get("listed"))
        line = str(room.last.get("line", ""))
        if not line.startswith('{"end":'):
            return Kept(room.id, room.length, False, listed, "", "", room.updated, "", {})
        found = await self.logs.read(room.id)
        lines = [] if found is None else [entry.body["line"] for entry in found[1] if "line" in entry.body]
        title, house = str(spec.get("title", "")), str(spec.get("house", ""))
        try:
            book = book_of(str(spec.get("rules", "")), house)
            shown = _glance(lines, book, "room", title)
        except (Error, ValueError, KeyError, IndexError):  # a book that is no more: nothing to be replayed
            return Kept(room.id, room.length, False, listed, "", "", room.updated, "", {})
        return Kept(
            room.id, room.length, True, listed, "", book.id, room.updated, _words(shown, book), shown
        )  # fmt: skip

    async def search(
        self, owner: str, ids: Sequence[str], words: str, rules: str, before: float | None, most: int
    ) -> tuple[list[Json], float | None]:
        """Lines of the list, and where the next ones begin (None: there are no more)."""
        await self.gather()
        found = await self.store.search(owner, ids[:300], words.split()[:8], rules, before, most + 1)
        heads = [_head(row, owner) for row in found[:most]]
        return heads, found[most - 1].played if len(found) > most else None

    # ---- one replay

    async def open(self, id: str) -> Opened:
        """A replay, read and checked.

        Raises:
            Refusal: there is none, or its match is not over.
        """
        kept = self._opened.get(id)
        if kept is not None:
            return kept  # type: ignore[no-any-return]  # Few holds anything
        found = await self.logs.read(id) if len(id) <= 32 else None
        if found is None or found[0].kind not in ("room", KIND):
            raise Refusal(404, "没有这份牌谱，可能已删除。", "there is no such replay; it may have been deleted.")
        read = _read_room if found[0].kind == "room" else _read_brought
        try:
            opened = await asyncio.to_thread(read, *found)
        except Error as error:
            raise Refusal(
                409, f"这份牌谱读不了：{error.text.zh}", f"this replay cannot be read: {error.text.en}"
            ) from error
        return self._opened.put(id, opened)

    async def film(self, id: str, number: int) -> Json:
        """Every picture of one hand (numbered from 1).

        Raises:
            Refusal: there is no such replay or hand.
        """
        opened = await self.open(id)
        if not 1 <= number <= len(opened.replay.hands):
            raise Refusal(404, f"没有第 {number} 局。", f"there is no hand {number}.")
        kept = self._films.get((id, number))
        if kept is not None:
            return kept  # type: ignore[no-any-return]  # Few holds anything
        replay = opened.replay

        def shoot() -> Json:
            first = hand_heads(replay, counts(replay))[number - 1]["first"]
            return film_shape(replay, number - 1, film(replay.hands[number - 1], replay.book), first)

        return self._films.put((id, number), await asyncio.to_thread(shoot))

    # ---- logs brought along

    async def bring(self, owner: str, text: str, title: str, house: str) -> str:
        """Keep a log; its id.

        Raises:
            Error: it is no log, or does not play as it says.
            Refusal: there are too many already.
        """
        if len(await self.logs.list(KIND, owner, MOST_KEPT)) >= MOST_KEPT:
            raise Refusal(
                409, f"已经存了 {MOST_KEPT} 份牌谱，请先删掉一些。", f"{MOST_KEPT} logs are kept; please delete some."
            )
        book = book_of("", house) if house.strip() else None
        brought = await asyncio.to_thread(read_any, text, book)
        shown = _glance(brought.lines, brought.replay.book, brought.source, title)
        spec = {
            "source": brought.source, "title": title, "house": house, "lost": [list(text) for text in brought.lost],
        }  # fmt: skip
        head = await self.logs.create(KIND, owner, (title or "、".join(shown["players"]))[:200], {"replay": spec})
        chunks = [{"lines": brought.lines[i : i + _CHUNK]} for i in range(0, len(brought.lines), _CHUNK)]
        length = await self.logs.append(head.id, 1, chunks) or 1
        words = _words(shown, brought.replay.book)
        book_id = brought.replay.book.id
        await self.store.put([Kept(head.id, length, True, False, owner, book_id, time.time(), words, shown)])
        return head.id

    async def delete(self, id: str, owner: str) -> None:
        """Remove a log that was brought along.

        Raises:
            Refusal: it is not the owner's.
        """
        found = await self.logs.read(id) if len(id) <= 32 else None
        if found is None or found[0].kind != KIND:
            raise Refusal(404, "没有这份牌谱，可能已删除。", "there is no such replay; it may have been deleted.")
        if found[0].owner != owner:
            raise Refusal(403, "只有存它的人能删除。", "only whoever brought it may delete it.")
        await self.logs.delete(id)
        self.forget(id)

    def forget(self, id: str) -> None:
        """Keep nothing at hand of a log that was deleted."""
        self._opened.drop(lambda key: key == id)
        self._films.drop(lambda key: key[0] == id)


def counts(replay: Replay) -> list[int]:
    """The number of pictures of each hand: one for the deal, one for each event after it."""
    return [max(0, sum(step.event is not None for step in hand.steps) - 4) for hand in replay.hands]


def _read_room(head: LogHead, entries: Sequence[Entry]) -> Opened:
    spec = entries[0].body["room"]
    lines = tuple(entry.body["line"] for entry in entries if "line" in entry.body)
    if not lines or not lines[-1].startswith('{"end":'):
        raise Refusal(409, "对局还没有打完，牌谱打完才公开。", "the match is not over; its log is shown then.")
    house = str(spec.get("house", ""))
    replay = read_log(lines, book_of(spec["rules"], house))
    listed = bool(spec.get("listed"))
    return Opened(head.id, "room", spec.get("title", ""), "", listed, head.updated, lines, replay, (), house)


def _read_brought(head: LogHead, entries: Sequence[Entry]) -> Opened:
    spec = entries[0].body["replay"]
    lines = tuple(line for entry in entries[1:] for line in entry.body["lines"])
    book: Rulebook | None = book_of("", spec["house"]) if spec["house"].strip() else None
    replay = read_log(lines, book, unfinished=True)
    lost = tuple(Text(zh, en) for zh, en in spec["lost"])
    return Opened(
        head.id, spec["source"], spec["title"], head.owner, False, head.created, lines, replay, lost, spec["house"]
    )  # fmt: skip


def _glance(lines: Sequence[str], book: Rulebook, kind: str, title: str) -> Json:
    """What the list shows of a log, without playing it again."""
    header = json.loads(lines[0])
    results = [json.loads(line) for line in lines if line.startswith('{"result":')]
    return {
        "kind": kind,
        "title": title,
        "book": book.title._asdict(),
        "players": header["players"],
        "totals": results[-1]["totals"] if results else [0, 0, 0, 0],
        "hands": sum(line.startswith('{"hand":') for line in lines),
        "whole": lines[-1].startswith('{"end":'),
    }


def _words(shown: Json, book: Rulebook) -> str:
    """All that a replay is searched by."""
    said = [shown["title"], *shown["players"], book.id, *book.title, *book.aliases]
    return " ".join(said).lower()[:1000]


def _head(row: Kept, owner: str) -> Json:
    return {
        "id": row.id, **row.shown, "rules": row.rules, "played": row.played, "mine": bool(owner) and row.owner == owner,
    }  # fmt: skip


__all__ = ["Brought", "Few", "Opened", "Shelf", "counts"]
