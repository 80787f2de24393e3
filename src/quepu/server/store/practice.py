"""Practice answers."""

from __future__ import annotations

import time

from sqlalchemy import func, select

from quepu.server.store.database import Database
from quepu.server.store.models import PracticeAnswer
from quepu.server.store.values import REMEMBERED, Answered


class PracticeStore:
    """The practice answers of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, who: str, answered: Answered) -> None:
        """Store one answer, unless it is stored: a slow page may send it again before the first request is done."""
        row = answered._asdict() | {"at": answered.at or time.time()}
        same = [getattr(PracticeAnswer, key) == row[key] for key in ("rules", "at", "seed", "kind")]
        async with self.database.writing() as session:
            if self.database.shared:  # writers of one person queue; SQLite has only one writer at a time
                await session.execute(select(func.pg_advisory_xact_lock(func.hashtext(who))))
            found = await session.execute(select(PracticeAnswer.id).where(PracticeAnswer.who == who, *same).limit(1))
            if found.first() is None:
                session.add(PracticeAnswer(who=who, **row))

    async def history(self, who: str, rules: str) -> list[Answered]:
        """List the latest answers of a person under a rulebook, newest first."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(PracticeAnswer)
                .where(PracticeAnswer.who == who, PracticeAnswer.rules == rules)
                .order_by(PracticeAnswer.at.desc(), PracticeAnswer.id.desc())
                .limit(REMEMBERED)
            )
            return [
                Answered(r.rules, r.kind, r.level, r.seed, r.right, r.seconds, r.fans, r.at) for r in found.scalars()
            ]

    async def list_passed(self, who: str, rules: str) -> set[str]:
        """Return the kinds of question that a person has ever answered correctly under a rulebook."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(PracticeAnswer.kind)
                .where(PracticeAnswer.who == who, PracticeAnswer.rules == rules, PracticeAnswer.right)
                .distinct()
            )
            return set(found.scalars())
