"""Belongings of a browser's random name, and how they come to another browser: by an account, or by a code.

Score tables, tournaments, logs that were brought along and answers in practice have the name as their owner. Codes are
good once and for a short time; only their digests are stored.
"""

from __future__ import annotations

import secrets
import time
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from quepu.server.store.accounts import code_digest
from quepu.server.store.database import Database
from quepu.server.store.models import AccountThings, Log, PracticeAnswer, ReplayRow, TransferCode
from quepu.server.store.values import MOVED, OWNED

_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Those of a code: none is taken for another when it is read aloud or typed."""
_LENGTH = 12


class Belongings(NamedTuple):
    """Numbers of the things that belong to a name."""

    tables: int
    desks: int
    replays: int
    answers: int


class BelongingsStore:
    """The store of who owns what in one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def count(self, who: str) -> Belongings:
        """Count what belongs to a name."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(Log.kind, func.count()).where(Log.owner == who, Log.kind.in_(OWNED)).group_by(Log.kind)
            )
            kinds: dict[str, int] = {row[0]: row[1] for row in found}
            answers = await session.execute(
                select(func.count()).select_from(PracticeAnswer).where(PracticeAnswer.who == who)
            )
            tables, desks, replays = (kinds.get(kind, 0) for kind in OWNED)
            return Belongings(tables, desks, replays, answers.scalar_one())

    async def code(self, who: str, minutes: float) -> tuple[str, float]:
        """A new code for what belongs to a name, in the place of an older one, and until when it is good."""
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        until = time.time() + 60 * minutes
        async with self.database.writing() as session:
            await session.merge(TransferCode(who=who, code=code_digest(code), until=until))
        return "-".join(code[at : at + 4] for at in range(0, _LENGTH, 4)), until

    async def used(self, code: str) -> str | None:
        """Return whose things a code is for, which is good no more then; None: it is wrong, used or too old."""
        async with self.database.writing() as session:
            found = await session.execute(
                delete(TransferCode)
                .where(TransferCode.code == code_digest(code), TransferCode.until > time.time())
                .returning(TransferCode.who)
            )
            return found.scalar_one_or_none()

    async def merge(self, old: str, new: str) -> None:
        """Everything that belongs to a name belongs to another from now on."""
        if old == new:
            return
        async with self.database.writing() as session:
            await _moved(session, old, new)

    async def of_account(self, account: str) -> str:
        """Return whose the things of an account are: a name of its own, made when it is first needed."""
        async with self.database.reading() as session:
            found = await session.execute(select(AccountThings.who).where(AccountThings.account == account))
            who = found.scalar_one_or_none()
        if who is not None:
            return who
        try:
            async with self.database.writing() as session:
                session.add(AccountThings(account=account, who=(made := secrets.token_urlsafe(18))))
            return made
        except IntegrityError:  # another request was faster
            return await self.of_account(account)

    async def name_account(self, account: str, who: str) -> None:
        """The things of an account are those of another name from now on."""
        async with self.database.writing() as session:
            await session.execute(update(AccountThings).where(AccountThings.account == account).values(who=who))

    async def renewed(self, account: str) -> None:
        """Another name for the things of an account: who only has the old one has them no more."""
        async with self.database.writing() as session:
            found = await session.execute(select(AccountThings.who).where(AccountThings.account == account))
            old = found.scalar_one_or_none()
            if old is not None:
                made = secrets.token_urlsafe(18)
                await _moved(session, old, made)
                await session.execute(update(AccountThings).where(AccountThings.account == account).values(who=made))


async def _moved(session: AsyncSession, old: str, new: str) -> None:
    await session.execute(update(Log).where(Log.owner == old, Log.kind.in_(MOVED)).values(owner=new))
    await session.execute(update(ReplayRow).where(ReplayRow.owner == old).values(owner=new))
    await session.execute(update(PracticeAnswer).where(PracticeAnswer.who == old).values(who=new))
    await session.execute(delete(TransferCode).where(TransferCode.who == old))
