"""Replays: finished rooms and imported logs, as lists show and search them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, or_, select

from quepu.folding import fold
from quepu.server.names import skeleton
from quepu.server.store.database import Database
from quepu.server.store.models import AccountRow, AccountSeatRow, Log, LogEntry, ReplayRow, Review
from quepu.server.store.values import GrownLog, PublicMatch, ReplaySearch, StoredReplay

_AT_ONCE = 200
"""Rooms processed at once; a repeated listing processes the next ones."""


class Replays:
    """The replays of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def list_grown(self) -> list[GrownLog]:
        """List rooms whose logs have changed since they were listed, latest first."""
        async with self.database.reading() as session:
            query = (
                select(Log)
                .outerjoin(ReplayRow, ReplayRow.log == Log.id)
                .where(Log.kind == "room", or_(ReplayRow.log.is_(None), ReplayRow.length != Log.length))
                .order_by(Log.updated.desc())
                .limit(_AT_ONCE)
            )
            found = []
            for log in (await session.execute(query)).scalars():
                ends = await session.execute(
                    select(LogEntry)
                    .where(LogEntry.log == log.id, LogEntry.n.in_((0, log.length - 1)))
                    .order_by(LogEntry.n)
                )
                entries = [entry.body for entry in ends.scalars()]
                if entries:
                    found.append(GrownLog(log.id, log.length, log.updated, entries[0], entries[-1]))
            return found

    async def put(self, rows: Sequence[StoredReplay]) -> None:
        """Write rows of the list, replacing older ones."""
        if not rows:
            return
        async with self.database.writing() as session:
            for row in rows:
                await session.merge(ReplayRow(log=row.id, **{k: v for k, v in row._asdict().items() if k != "id"}))

    async def get(self, id: str) -> StoredReplay | None:
        """Return a row of the list."""
        async with self.database.reading() as session:
            row = (await session.execute(select(ReplayRow).where(ReplayRow.log == id))).scalar_one_or_none()
            return None if row is None else _to_stored(row)

    async def search(self, wanted: ReplaySearch) -> list[StoredReplay]:
        """Find replays, latest first: public ones (unless `mine`) and the owner's, with all the words."""
        own = _of(wanted.owner, wanted.ids)
        query = select(ReplayRow).where(own if wanted.mine else or_(ReplayRow.listed, own))
        for word in wanted.words:
            # words stored before folding was introduced are found as written
            spelled = {word.lower(), fold(word)}
            query = query.where(or_(*(ReplayRow.words.contains(one, autoescape=True) for one in sorted(spelled))))
        if wanted.rules:
            query = query.where(ReplayRow.rules == wanted.rules)
        if wanted.before is not None:
            query = query.where(ReplayRow.played < wanted.before)
        return await self._latest(query, wanted.most)

    async def own(self, owner: str, ids: Sequence[str], names: Sequence[str], most: int) -> list[StoredReplay]:
        """List finished ones of an owner, or named by `ids`, with a player of these names; latest first."""
        named = or_(*(ReplayRow.words.contains(name.lower(), autoescape=True) for name in names))
        found = await self._latest(select(ReplayRow).where(_of(owner, ids), named), most)
        return [row for row in found if not set(names).isdisjoint(row.shown.get("players", ()))]

    async def _latest(self, query: Select[ReplayRow], most: int) -> list[StoredReplay]:
        """Return the finished ones of a query, latest first."""
        query = query.where(ReplayRow.finished).order_by(ReplayRow.played.desc(), ReplayRow.log).limit(most)
        async with self.database.reading() as session:
            return [_to_stored(row) for row in (await session.execute(query)).scalars()]

    async def public_matches(self, most: int) -> list[PublicMatch]:
        """List the last finished public matches in which accounts sat, the earliest first.

        An account that joined during a match is not among those of the match.
        """
        query = (
            select(ReplayRow.log, ReplayRow.rules, ReplayRow.played, ReplayRow.shown, AccountRow.name)
            .join(AccountSeatRow, AccountSeatRow.log == ReplayRow.log)
            .join(AccountRow, AccountRow.id == AccountSeatRow.account)
            .where(ReplayRow.finished, ReplayRow.listed)
            .order_by(ReplayRow.played.desc(), ReplayRow.log, AccountRow.name)
            .limit(4 * most)
        )
        found: dict[str, PublicMatch] = {}
        async with self.database.reading() as session:
            for log, rules, played, shown, name in await session.execute(query):
                if not shown.get("whole"):
                    continue
                names, totals = tuple(shown["players"]), tuple(shown["totals"])
                match = found.setdefault(log, PublicMatch(log, rules, played, names, totals, ()))
                if skeleton(name) not in map(skeleton, shown.get("joined", ())):
                    found[log] = match._replace(accounts=(*match.accounts, name))
        return [*found.values()][:most][::-1]

    # ---- reviews

    async def reviews_of(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the state of the review of each of these logs that has one, by log."""
        async with self.database.reading() as session:
            found = await session.execute(select(Review).where(Review.hand == 0, Review.log.in_(list(ids))))
            return {row.log: row.body for row in found.scalars()}

    async def load_review(self, id: str) -> dict[int, dict[str, Any]]:
        """Return the stored parts of a review, by hand; 0 is the progress."""
        async with self.database.reading() as session:
            found = await session.execute(select(Review).where(Review.log == id))
            return {row.hand: row.body for row in found.scalars()}

    async def review(self, id: str, hand: int, body: dict[str, Any]) -> None:
        """Store the review of a hand."""
        async with self.database.writing() as session:
            if (await session.execute(select(Log.id).where(Log.id == id))).first() is not None:
                await session.merge(Review(log=id, hand=hand, at=time.time(), body=body))

    async def forget_review(self, id: str) -> None:
        """Delete a review."""
        async with self.database.writing() as session:
            await session.execute(delete(Review).where(Review.log == id))

    async def running(self) -> list[str]:
        """List the logs whose review was in progress when a server stopped."""
        async with self.database.reading() as session:
            found = await session.execute(select(Review).where(Review.hand == 0))
            return [row.log for row in found.scalars() if row.body.get("state") == "running"]


def _to_stored(row: ReplayRow) -> StoredReplay:
    return StoredReplay(
        row.log, row.length, row.finished, row.listed, row.owner, row.rules, row.played, row.words, row.shown
    )  # fmt: skip


def _of(owner: str, ids: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition of replays that belong to an owner, or are named by `ids`."""
    return or_(and_(ReplayRow.owner == owner, ReplayRow.owner != ""), ReplayRow.log.in_(list(ids)))
