"""Belongings of a browser's random name, and their transfer to another browser: by account, or by code.

The name owns score tables, tournaments, imported logs and practice answers. Codes work once and expire soon; only their
digests are stored.
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
"""Letters of a code, none of which is easily confused with another."""
_LENGTH = 12


class Belongings(NamedTuple):
    """Counts of a name's belongings."""

    tables: int
    desks: int
    replays: int
    answers: int


class BelongingsStore:
    """Ownership in one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def count(self, who: str) -> Belongings:
        """Count a name's belongings."""
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
        """Issue a new code for a name's belongings, replacing an older one; return also when it expires."""
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        until = time.time() + 60 * minutes
        async with self.database.writing() as session:
            await session.merge(TransferCode(who=who, code=code_digest(code), until=until))
        return "-".join(code[at : at + 4] for at in range(0, _LENGTH, 4)), until

    async def use_code(self, code: str) -> str | None:
        """Use up a code and return its owner name; None if it is wrong, used or expired."""
        async with self.database.writing() as session:
            found = await session.execute(
                delete(TransferCode)
                .where(TransferCode.code == code_digest(code), TransferCode.until > time.time())
                .returning(TransferCode.who)
            )
            return found.scalar_one_or_none()

    async def merge(self, old: str, new: str) -> None:
        """Transfer everything from one name to another."""
        if old == new:
            return
        async with self.database.writing() as session:
            await _move(session, old, new)

    async def of_account(self, account: str) -> str:
        """Return the owner name of an account's belongings, created on first use."""
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
        """Make another name the owner name of an account."""
        async with self.database.writing() as session:
            await session.execute(update(AccountThings).where(AccountThings.account == account).values(who=who))

    async def rename_owner(self, account: str) -> None:
        """Rename the owner of an account's belongings: holders of the old name lose access."""
        async with self.database.writing() as session:
            found = await session.execute(select(AccountThings.who).where(AccountThings.account == account))
            old = found.scalar_one_or_none()
            if old is not None:
                made = secrets.token_urlsafe(18)
                await _move(session, old, made)
                await session.execute(update(AccountThings).where(AccountThings.account == account).values(who=made))


async def _move(session: AsyncSession, old: str, new: str) -> None:
    await session.execute(update(Log).where(Log.owner == old, Log.kind.in_(MOVED)).values(owner=new))
    await session.execute(update(ReplayRow).where(ReplayRow.owner == old).values(owner=new))
    await session.execute(update(PracticeAnswer).where(PracticeAnswer.who == old).values(who=new))
    await session.execute(delete(TransferCode).where(TransferCode.who == old))
