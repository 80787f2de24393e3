"""Accounts: name and password, login sessions, and the seats that belong to them."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from quepu.errors import HandError
from quepu.server.names import like_a_bot, skeleton, visible
from quepu.server.store.database import Database
from quepu.server.store.models import (
    AccountCode,
    AccountRow,
    AccountSeatRow,
    AccountSession,
    AccountThings,
    BannedName,
    Log,
    LogEntry,
)
from quepu.server.store.values import OWNED, LoggedIn

if TYPE_CHECKING:
    from argon2 import PasswordHasher

STAYS = 90 * 86_400.0
"""Seconds that a login lasts without a visit."""


class NameTaken(Exception):
    """The name is taken."""


class Seat(NamedTuple):
    """A seat that belongs to an account. `over`: its match has ended."""

    room: str
    place: int
    title: str
    created: float
    updated: float
    over: bool


@lru_cache(1)
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@lru_cache(1)
def _nobodys() -> str:
    return _hasher().hash(secrets.token_urlsafe())


def _matches(secret: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(secret, password)
    except (VerificationError, InvalidHashError):
        return False


_LONGEST_KEY = 80


def key(name: str) -> str:
    """Return a name for comparison: without regard to case, width and surrounding spaces."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def code_digest(code: str) -> str:
    """Return the digest of a password reset code, however it was typed."""
    return _digest("".join(code.casefold().split()).replace("-", ""))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Accounts:
    """The accounts of one database.

    Passwords are hashed in threads, two at a time: each uses much memory on purpose.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._hashing = asyncio.Semaphore(2)

    async def is_taken(self, name: str) -> bool:
        """Return whether a name, or a look-alike, belongs to an account."""
        alike = {key(name), key(visible(name)), skeleton(name)}
        async with self.database.reading() as session:
            found = await session.execute(select(AccountRow.id).where(AccountRow.key.in_(alike)).limit(1))
            return found.first() is not None

    async def is_banned(self, name: str) -> bool:
        """Return whether a name, or a look-alike, is banned."""
        async with self.database.reading() as session:
            found = await session.execute(select(BannedName.key).where(BannedName.key == skeleton(name)[:200]))
            return found.first() is not None

    async def register(self, name: str, password: str) -> LoggedIn:
        """Create an account.

        Raises:
            NameTaken: the name, or a look-alike, is taken. HandError: the name is not allowed.
        """
        name = visible(name)
        if not name or like_a_bot(name) or len(key(name)) > _LONGEST_KEY:
            raise HandError(f"不能叫“{name}”。", f"the name {name!r} is not allowed.")
        if await self.is_taken(name) or await self.is_banned(name):
            raise NameTaken
        async with self._hashing:
            secret = await asyncio.to_thread(_hasher().hash, password)
        account = LoggedIn(secrets.token_urlsafe(12), name, time.time())
        try:
            async with self.database.writing() as session:
                session.add(
                    AccountRow(id=account.id, key=key(name), name=account.name, secret=secret, created=account.created)
                )
        except IntegrityError:
            raise NameTaken from None
        return account

    async def check(self, name: str, password: str) -> LoggedIn | None:
        """Return the account of a name and password, or None. Takes as long for an unknown name."""
        async with self.database.reading() as session:
            found = (await session.execute(select(AccountRow).where(AccountRow.key == key(name)))).scalar_one_or_none()
        async with self._hashing:
            secret = found.secret if found else await asyncio.to_thread(_nobodys)
            right = await asyncio.to_thread(_matches, secret, password)
        return LoggedIn(found.id, found.name, found.created) if found is not None and right else None

    async def change_password(self, account: str, password: str) -> None:
        """Change the password; sessions of the old one are logged out."""
        async with self._hashing:
            secret = await asyncio.to_thread(_hasher().hash, password)
        async with self.database.writing() as session:
            await session.execute(update(AccountRow).where(AccountRow.id == account).values(secret=secret))
            await session.execute(delete(AccountSession).where(AccountSession.account == account))

    async def reset(self, name: str, code: str, password: str) -> LoggedIn | None:
        """Set a new password with an operator's code; None if it is wrong, used or expired."""
        async with self._hashing:
            secret = await asyncio.to_thread(_hasher().hash, password)
        async with self.database.writing() as session:
            used = await session.execute(
                delete(AccountCode)
                .where(
                    AccountCode.code == code_digest(code),
                    AccountCode.until > time.time(),
                    AccountCode.account.in_(select(AccountRow.id).where(AccountRow.key == key(name))),
                )
                .returning(AccountCode.account)
            )
            account = used.scalar_one_or_none()
            if account is None:
                return None
            await session.execute(update(AccountRow).where(AccountRow.id == account).values(secret=secret))
            await session.execute(delete(AccountSession).where(AccountSession.account == account))
            found = (await session.execute(select(AccountRow).where(AccountRow.id == account))).scalar_one()
            return LoggedIn(found.id, found.name, found.created)

    async def export(self, account: str) -> dict[str, Any]:
        """Return everything stored about an account except digests: its identity, sessions, and matches."""
        async with self.database.reading() as session:
            found = (await session.execute(select(AccountRow).where(AccountRow.id == account))).scalar_one()
            until = await session.execute(select(AccountSession.until).where(AccountSession.account == account))
            who = {"name": found.name, "created": found.created, "logged_in_until": list(until.scalars())}
        matches = []
        for seat in await self.seats(account, 100_000):
            match: dict[str, Any] = {**seat._asdict()}
            if seat.over:  # unfinished matches stay private
                async with self.database.reading() as session:
                    lines = await session.execute(
                        select(LogEntry.body["line"].as_string())
                        .where(LogEntry.log == seat.room, LogEntry.body["line"].as_string().is_not(None))
                        .order_by(LogEntry.n)
                    )
                    match["log"] = list(lines.scalars())
            matches.append(match)
        return {"account": who, "matches": matches, "belongings": await self.belongings(account)}

    async def belongings(self, account: str) -> list[dict[str, Any]]:
        """List the logs that belong to an account, the earliest first: kind, id, title, opened and last changed."""
        who = select(AccountThings.who).where(AccountThings.account == account).scalar_subquery()
        async with self.database.reading() as session:
            found = await session.execute(
                select(Log.kind, Log.id, Log.title, Log.created, Log.updated)
                .where(Log.owner == who, Log.kind.in_(OWNED))
                .order_by(Log.created)
            )
            return [dict(zip(("kind", "id", "title", "created", "updated"), row, strict=True)) for row in found]

    async def log_in(self, account: str) -> str:
        """Create a token by which `who` recognises the account; only its digest is stored."""
        token, now = secrets.token_urlsafe(32), time.time()
        async with self.database.writing() as session:
            await session.execute(delete(AccountSession).where(AccountSession.until < now))
            session.add(AccountSession(token=_digest(token), account=account, until=now + STAYS))
        return token

    async def log_out(self, token: str) -> None:
        """Delete a token."""
        async with self.database.writing() as session:
            await session.execute(delete(AccountSession).where(AccountSession.token == _digest(token)))

    async def who(self, token: str) -> LoggedIn | None:
        """Return the account of a token."""
        async with self.database.reading() as session:
            query = select(AccountRow).join(AccountSession, AccountSession.account == AccountRow.id)
            found = await session.execute(
                query.where(AccountSession.token == _digest(token), AccountSession.until > time.time())
            )
            account = found.scalar_one_or_none()
        return None if account is None else LoggedIn(account.id, account.name, account.created)

    # ---- seats

    async def took(self, account: str, room: str, place: int) -> None:
        """Attach a seat to an account."""
        async with self.database.writing() as session:
            await session.merge(AccountSeatRow(account=account, log=room, place=place))

    async def gave_back(self, account: str, room: str) -> None:
        """Detach a seat from the account."""
        async with self.database.writing() as session:
            await session.execute(
                delete(AccountSeatRow).where(AccountSeatRow.account == account, AccountSeatRow.log == room)
            )

    async def seats(self, account: str, most: int = 200) -> list[Seat]:
        """List its seats, those at recently used tables first."""
        last = LogEntry.body["line"].as_string()
        async with self.database.reading() as session:
            found = await session.execute(
                select(AccountSeatRow.log, AccountSeatRow.place, Log.title, Log.created, Log.updated, last)
                .join(Log, Log.id == AccountSeatRow.log)
                .outerjoin(LogEntry, and_(LogEntry.log == Log.id, LogEntry.n == Log.length - 1))
                .where(AccountSeatRow.account == account)
                .order_by(Log.updated.desc())
                .limit(most)
            )
            return [
                Seat(room, place, title, created, updated, str(line).startswith('{"end":'))
                for room, place, title, created, updated, line in found
            ]

    async def delete(self, account: str) -> list[str]:
        """Delete an account, and every table where otherwise only bots sat; return those tables' ids.

        Only its name stays in matches with other people, as part of their record.
        """
        async with self.database.writing() as session:
            seats = await session.execute(select(AccountSeatRow.log).where(AccountSeatRow.account == account))
            alone = []
            for log in seats.scalars():
                people = await session.execute(
                    select(func.count(func.distinct(LogEntry.body["place"].as_integer()))).where(
                        LogEntry.log == log, LogEntry.body["token"].as_string().is_not(None)
                    )
                )
                if people.scalar_one() <= 1:
                    alone.append(log)
            await session.execute(delete(AccountSeatRow).where(AccountSeatRow.account == account))
            await session.execute(delete(AccountSession).where(AccountSession.account == account))
            await session.execute(delete(AccountCode).where(AccountCode.account == account))
            await session.execute(delete(AccountThings).where(AccountThings.account == account))
            await session.execute(delete(LogEntry).where(LogEntry.log.in_(alone)))
            await session.execute(delete(Log).where(Log.id.in_(alone)))
            await session.execute(delete(AccountRow).where(AccountRow.id == account))
        return alone
