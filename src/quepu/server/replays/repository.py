"""All replays of a server: finished rooms and imported logs, replayed once in another process."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Callable, Sequence
from sys import getsizeof
from typing import Any, NamedTuple

from quepu.errors import Error
from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits
from quepu.server.lru_cache import LRUCache
from quepu.server.names import storable
from quepu.server.replays import play_on
from quepu.server.replays import review_worker as working
from quepu.server.replays.review_worker import Source
from quepu.server.replays.serialize import Json
from quepu.server.rooms.host import Worker
from quepu.server.rooms.record import is_released
from quepu.server.store.values import Entry, GrownLog, LogHead, LogStore, ReplaySearch, ReplayStore, StoredReplay

KIND = "replay"
MOST_STORED = 200
"""The most logs that one browser can store here; older ones must be deleted first."""
_CHUNK = 500  # lines per entry of the store
_LOGS, _PAGES, _FILMS = 3 << 20, 1 << 20, 3 << 20
"""Approximate cache sizes in bytes for logs, pages and films; bounded in total."""
_LOOK_AGAIN = 2.0
"""Seconds between looks for rooms that have grown."""


class Opened(NamedTuple):
    """A stored log: its origin, and its lines."""

    id: str
    kind: str
    title: str
    owner: str
    listed: bool
    played: float
    lost: tuple[tuple[str, str], ...]
    source: Source


class ReplayRepository:
    """The replays of one store. With `own`, everything in it belongs to its one reader, who can also delete matches."""

    def __init__(self, logs: LogStore, store: ReplayStore, work: Worker, limits: Limits, *, own: bool = False) -> None:
        self.own = own
        self.logs = logs
        self.store = store
        self.work = work
        self.limits = limits
        self._opened = LRUCache(_LOGS)
        self._pages = LRUCache(_PAGES)
        self._films = LRUCache(_FILMS)
        self._gathering = asyncio.Lock()
        self._gathered = -math.inf

    @property
    def caches(self) -> list[LRUCache]:
        """The caches of logs, pages and films."""
        return [self._opened, self._pages, self._films]

    # ---- the list

    async def gather(self) -> None:
        """Look at rooms whose logs have grown, to list those that are over."""
        async with self._gathering:
            if time.monotonic() - self._gathered < _LOOK_AGAIN:
                return
            grown = await self.store.list_grown()
            await self.store.put([await self._row(room) for room in grown])
            self._gathered = time.monotonic()

    async def _row(self, room: GrownLog) -> StoredReplay:
        spec = room.first.get("room") or {}
        listed = bool(spec.get("listed"))
        line = str(room.last.get("line", ""))
        if not line.startswith('{"end":') and not room.last.get("released"):
            return StoredReplay(room.id, room.length, False, listed, "", "", room.updated, "", {})
        found = await self.logs.read(room.id)
        lines = () if found is None else tuple(entry.body["line"] for entry in found[1] if "line" in entry.body)
        source = Source(room.id, str(spec.get("rules", "")), str(spec.get("house", "")), lines)
        try:
            shown, words, book = await asyncio.to_thread(
                working.summarize_log, source, "room", str(spec.get("title", ""))
            )
        except (Error, ValueError, KeyError, IndexError):  # its book no longer exists: it cannot be replayed
            return StoredReplay(room.id, room.length, False, listed, "", "", room.updated, "", {})
        return StoredReplay(room.id, room.length, True, listed, "", book, room.updated, words, shown)

    async def search(self, wanted: ReplaySearch) -> tuple[list[Json], float | None]:
        """Return rows of the list, and where the next ones begin (None: no more)."""
        await self.gather()
        found, most = await self.store.search(wanted._replace(most=wanted.most + 1)), wanted.most
        heads = [_head(row, self.mine(row.owner, wanted.owner)) for row in found[:most]]
        return heads, found[most - 1].played if len(found) > most else None

    # ---- one replay

    async def open(self, id: str) -> Opened:
        """Return a log from the store.

        Raises:
            Refusal: it does not exist, or its match is not over.
        """
        cached = self._opened.get(id)
        if cached is not None:
            return cached  # type: ignore[no-any-return]  # an LRUCache holds anything
        found = await self.logs.read(id) if len(id) <= 32 else None
        if found is None or found[0].kind not in ("room", KIND):
            raise Refusal(404, "没有这份牌谱，可能已删除。", "there is no such replay; it may have been deleted.")
        opened = _room(*found) if found[0].kind == "room" else _open_added(*found)
        return self._opened.put(id, opened, 100 + sum(map(getsizeof, opened.source.lines)))

    async def page(self, id: str, asker: str) -> Json:
        """Return a match with its hands.

        Raises:
            Refusal: the replay does not exist, or can no longer be read.
        """
        opened = await self.open(id)
        cached: Json | None = self._pages.get(id)
        if cached is None:
            cached = await self._work(asker, working.page, opened.source)
            self._pages.put(id, cached, 500 * (1 + len(cached["hand_list"])))
        return cached

    async def film(self, id: str, number: int, asker: str) -> bytes:
        """Return every frame of one hand (numbered from 1), as JSON.

        Raises:
            Refusal: the replay or hand does not exist.
        """
        opened = await self.open(id)
        cached: bytes | None = self._films.get((id, number))
        if cached is None:
            cached = await self._work(asker, working.pictures, opened.source, number)
            if cached is None:
                raise Refusal(404, f"没有第 {number} 局。", f"there is no hand {number}.")
            self._films.put((id, number), cached, len(cached))
        return cached

    async def _work(self, asker: str, what: Callable[..., Any], *given: Any) -> Any:
        try:
            return await self.work.run(asker, what, *given)
        except Error as error:
            raise Refusal(
                409, f"这份牌谱读不了：{error.text.zh}", f"this replay cannot be read: {error.text.en}"
            ) from error

    async def beginning(self, id: str, at: int, seat: str, redealt: bool, asker: str) -> Json:
        """Return the start of a table that continues from a replay; see `play_on.beginning`.

        Raises:
            Refusal: the replay does not exist, or its match is not over.
            Error: it cannot be continued from there.
        """
        opened = await self.open(id)
        seed = secrets.randbelow(1 << 31)
        begun: Json = await self.work.run(asker, play_on.beginning, opened.source, at, seat, redealt, seed)
        return begun

    # ---- imported logs

    async def add(self, owner: str, text: str, title: str, house: str, asker: str) -> str:
        """Store a log and return its id.

        Raises:
            Error: it is not a log, or contradicts itself.
            Refusal: there are too many already.
        """
        if len(await self.logs.list(KIND, owner, MOST_STORED)) >= MOST_STORED:
            raise Refusal(
                409,
                f"已经存了 {MOST_STORED} 份牌谱，请先删掉一些。",
                f"{MOST_STORED} logs are already stored; please delete some.",
            )
        found = await self.work.run(asker, working.check_log, text, title, house, self.limits.log_lines)
        lines, shown = found["lines"], found["shown"]
        spec = {"source": found["source"], "title": title, "house": house, "lost": found["lost"]}
        name = storable(title or "、".join(shown["players"]))[:200]
        head = await self.logs.create(KIND, owner, name, {"replay": spec})
        chunks = [{"lines": lines[i : i + _CHUNK]} for i in range(0, len(lines), _CHUNK)]
        length = await self.logs.append(head.id, 1, chunks) or 1
        row = StoredReplay(head.id, length, True, False, owner, found["book"], time.time(), found["words"], shown)
        await self.store.put([row])
        return head.id

    async def delete(self, id: str, owner: str) -> None:
        """Remove an imported log, or a match of one's own store.

        Raises:
            Refusal: it is not the owner's.
        """
        found = await self.logs.read(id) if len(id) <= 32 else None
        if found is None or found[0].kind not in ((KIND, "room") if self.own else (KIND,)):
            raise Refusal(404, "没有这份牌谱，可能已删除。", "there is no such replay; it may have been deleted.")
        if not self.mine(found[0].owner, owner):
            raise Refusal(403, "只有导入者能删除。", "only the player who imported it can delete it.")
        await self.logs.delete(id)
        self.forget(id)

    def mine(self, owner: str, asker: str) -> bool:
        """Return whether data of this owner belongs to the asker."""
        return self.own or (bool(asker) and owner == asker)

    def forget(self, id: str) -> None:
        """Drop the cached parts of a deleted log."""
        self._opened.discard_if(lambda key: key == id)
        self._pages.discard_if(lambda key: key == id)
        self._films.discard_if(lambda key: key[0] == id)


def _room(head: LogHead, entries: Sequence[Entry]) -> Opened:
    spec = entries[0].body["room"]
    lines = tuple(entry.body["line"] for entry in entries if "line" in entry.body)
    if not lines or not lines[-1].startswith('{"end":'):
        raise Refusal(
            409, "对局还没有打完，牌谱打完才公开。", "the match is not over; its log becomes available afterwards."
        )
    if entries[0].body.get("walls") and not is_released(entries[-1:]):
        raise Refusal(
            409,
            "牌墙相同的别桌还没有打完，牌谱打完才公开。",
            "a match with the same walls is not over; the log becomes available afterwards.",
        )
    source = Source(head.id, spec["rules"], str(spec.get("house", "")), lines)
    return Opened(head.id, "room", spec.get("title", ""), "", bool(spec.get("listed")), head.updated, (), source)


def _open_added(head: LogHead, entries: Sequence[Entry]) -> Opened:
    spec = entries[0].body["replay"]
    lines = tuple(line for entry in entries[1:] for line in entry.body["lines"])
    lost = tuple((zh, en) for zh, en in spec["lost"])
    source = Source(head.id, "", spec["house"], lines)
    return Opened(head.id, spec["source"], spec["title"], head.owner, False, head.created, lost, source)


def _head(row: StoredReplay, mine: bool) -> Json:
    return {
        "id": row.id, **row.shown, "rules": row.rules, "played": row.played, "mine": mine,
    }  # fmt: skip
