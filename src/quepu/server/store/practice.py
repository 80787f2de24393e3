"""Answers given in practice, and which fans are known how well."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import select

from quepu.server.store.database import Database
from quepu.server.store.models import PracticeAnswer

_REMEMBERED = 400
_FADE = 0.85
"""What an answer weighs against the one after it: old mistakes are forgiven."""


class Answered(NamedTuple):
    """One answered question."""

    rules: str
    kind: str
    level: int
    seed: int
    right: bool
    seconds: float
    fans: dict[str, bool]
    at: float = 0.0


class PracticeStore:
    """The practice answers of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, who: str, answered: Answered) -> None:
        """Keep one answer."""
        row = answered._asdict() | {"at": answered.at or time.time()}
        async with self.database.writing() as session:
            session.add(PracticeAnswer(who=who, **row))

    async def history(self, who: str, rules: str) -> list[Answered]:
        """The latest answers of somebody under a rulebook, newest first."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(PracticeAnswer)
                .where(PracticeAnswer.who == who, PracticeAnswer.rules == rules)
                .order_by(PracticeAnswer.at.desc(), PracticeAnswer.id.desc())
                .limit(_REMEMBERED)
            )
            return [
                Answered(r.rules, r.kind, r.level, r.seed, r.right, r.seconds, r.fans, r.at) for r in found.scalars()
            ]


def weakness(history: list[Answered]) -> dict[str, float]:
    """How badly each fan met so far is known, 0 to 1, from a history with the newest first."""
    wrong: dict[str, float] = defaultdict(float)
    met: dict[str, float] = defaultdict(float)
    for answer in reversed(history):
        for fan, right in answer.fans.items():
            wrong[fan] = wrong[fan] * _FADE + (not right)
            met[fan] = met[fan] * _FADE + 1
    return {fan: wrong[fan] / met[fan] for fan in met}
