"""Results of score tables, stored on change: a list of a year's tables is one query."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, or_, select

from quepu.server.store.database import Database
from quepu.server.store.models import Log, ScoreTableRow
from quepu.server.store.values import LogHead, TableResult


class TableResults:
    """The results of the score tables of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(
        self, owner: str, *, club: str | None = None, figures: bool = False, most: int = 1000
    ) -> list[tuple[LogHead, TableResult | None]]:
        """List the tables of an owner, newest first, each with its result: None if unknown or outdated.

        With `club`, those of a club night and those without a known result. `figures` are read only on request.
        """
        there = and_(ScoreTableRow.log == Log.id, ScoreTableRow.length == Log.length)
        row = ScoreTableRow
        columns = [row.length, row.club, row.fingerprint, row.shown, row.result] + ([row.figures] if figures else [])
        query = select(Log, *columns).outerjoin(row, there).where(Log.kind == "table", Log.owner == owner)
        if club is not None:
            query = query.where(or_(row.club == club, row.log.is_(None)))
        async with self.database.reading() as session:
            found = await session.execute(query.order_by(Log.updated.desc()).limit(most))
            return [
                (
                    LogHead(log.id, log.kind, log.owner, log.title, log.created, log.updated, log.length),
                    None if values[0] is None else TableResult(log.id, *(values if figures else (*values, {}))),
                )
                for log, *values in found
            ]

    async def some(self, ids: Sequence[str]) -> list[TableResult]:
        """Return the known, current results of these tables, without figures."""
        row = ScoreTableRow
        query = select(row.log, row.length, row.club, row.fingerprint, row.shown, row.result)
        query = query.join(Log, and_(Log.id == row.log, Log.length == row.length)).where(row.log.in_(list(ids)))
        async with self.database.reading() as session:
            found = await session.execute(query)
            return [
                TableResult(id, length, club, fingerprint, shown, result, {})
                for id, length, club, fingerprint, shown, result in found
            ]

    async def put(self, rows: Sequence[TableResult]) -> None:
        """Write results, replacing older ones; those of deleted tables are dropped."""
        if not rows:
            return
        async with self.database.writing() as session:
            there = await session.execute(select(Log.id).where(Log.id.in_([row.id for row in rows])))
            existing = set(there.scalars())
            for row in rows:
                if row.id in existing:
                    values = row._asdict()
                    await session.merge(ScoreTableRow(log=values.pop("id"), **values))
