"""The monthly ladder and profiles of accounts over HTTP; nothing is stored for them but the matches."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Path, Query

from quepu import rulebooks
from quepu.server.budget import Asker
from quepu.server.http.messages import Bilingual, Schema
from quepu.server.http.responses import Plain, Refusal, from_state, refusals
from quepu.server.lru_cache import LRUCache, SharedWork
from quepu.server.players import ladder as working
from quepu.server.replays.repository import ReplayRepository
from quepu.server.replays.serialize import Json
from quepu.server.store.replays import Replays
from quepu.server.store.values import PublicMatch
from quepu.server.work.pool import Pool

routes = APIRouter(prefix="/api/ladder", tags=["players"], responses=refusals(400, 404, 422, 429))
_MOST = 5000
"""The most matches looked at, the last ones."""
_FRESH = 20.0
"""Seconds for which the list of matches is kept."""
_KEPT = 200


class RatedShape(Schema):
    """A rating: `mean` and `deviation` are null before enough `rated` matches."""

    rated: int
    mean: float | None
    deviation: float | None


class LadderLine(RatedShape):
    """An account's matches of a month; `places` counts first to fourth, `points` are 4, 2, 1 and 0 for them."""

    name: str
    matches: int
    points: float
    places: list[int]
    total: int


class LadderView(Schema):
    """The ladder of a book in a month (UTC); `months` have matches, `least` are the matches before a rating."""

    book: str
    title: Bilingual
    unit: Bilingual
    matches: int
    month: str
    months: list[str]
    least: int
    lines: list[LadderLine]


class ProfileBook(RatedShape):
    """An account's public matches of a book."""

    book: str
    title: Bilingual
    unit: Bilingual
    matches: int
    places: list[int]
    total: int


class ProfileMatch(Schema):
    """A recent match of an account."""

    id: str
    book: Bilingual
    played: float
    players: list[str]
    place: int
    total: int


class ProfileFan(Schema):
    """A fan that an account won with in its recent matches."""

    book: str
    name: str
    count: int


class ProfileView(Schema):
    """An account's page: books, recent matches, and fans won in these."""

    name: str
    least: int
    books: list[ProfileBook]
    recent: list[ProfileMatch]
    fans: list[ProfileFan]


LADDERS: tuple[type[Schema], ...] = (LadderView, ProfileView)


class Ladders:
    """Public matches of a server, and answers computed from them, kept until there is another match."""

    def __init__(self, replays: ReplayRepository, rows: Replays, work: Pool) -> None:
        self._replays = replays
        self._rows = rows
        self._work = work
        self._shared = SharedWork()
        self._matches: tuple[float, list[PublicMatch]] = (-math.inf, [])
        self.answers = LRUCache(_KEPT)

    async def ladder(self, book: str, month: str, asker: str) -> Json:
        """Return the ladder of a book in a month."""
        matches = await self._read()
        key = ("ladder", book, month, _last(matches))
        found = self.answers.get(key)
        return found or self.answers.put(key, await self._work.run(asker, working.ladder, matches, book, month))

    async def profile(self, name: str, asker: str) -> Json | None:
        """Return the page of an account; None if it has no public match."""
        matches = await self._read()
        key = ("profile", name, _last(matches))
        found = self.answers.get(key)
        if found is not None:
            return found  # type: ignore[no-any-return]  # an LRUCache holds anything
        made: Json | None = await self._work.run(asker, working.profile, matches, name)
        if made is None:
            return None
        logs = []
        for match in made["recent"]:
            with suppress(Refusal):  # deleted a moment ago
                logs.append((await self._replays.open(match["id"])).source.lines)
        made["fans"] = await self._work.run(asker, working.count_fans, logs, name)
        return self.answers.put(key, made)

    async def _read(self) -> list[PublicMatch]:
        return await self._shared.run("matches", self._look)

    async def _look(self) -> list[PublicMatch]:
        if time.monotonic() - self._matches[0] > _FRESH:
            await self._replays.gather()
            self._matches = time.monotonic(), await self._rows.public_matches(_MOST)
        return self._matches[1]


def _last(matches: list[PublicMatch]) -> tuple[int, int]:
    """Return what changes with every match, and with every account that is deleted."""
    return len(matches), hash(tuple(matches))


TheLadders = Annotated[Ladders, from_state("ladders")]


@routes.get("", response_model=LadderView)
async def ladder(
    rules: Annotated[str, Query(max_length=60, description="a rulebook's id")],
    ladders: TheLadders,
    asker: Asker,
    month: Annotated[str, Query(pattern=r"^(\d{4}-\d{2})?$", description="YYYY-MM; else the last with a match")] = "",
) -> Plain:
    """Return the ladder of a rulebook in a month: accounts that met each other at public tables."""
    book = rulebooks.book(rules).id.partition("@")[0]
    return Plain(await ladders.ladder(book, month, asker))


@routes.get("/{name}", response_model=ProfileView)
async def profile(
    name: Annotated[str, Path(max_length=24, description="the name of an account")], ladders: TheLadders, asker: Asker
) -> Plain:
    """Return an account's page: books, ratings, recent public matches, fans won."""
    found = await ladders.profile(name, asker)
    if found is None:
        raise Refusal(404, "没有这位玩家的公开对局。", "this player has no public matches.")
    return Plain(found)
