"""Accounts: a name and a password, where it is logged in, and the places at tables that belong to it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from quepu.server.store.database import Database
from quepu.server.store.models import Account, AccountSeat, AccountSession, Log, LogEntry

if TYPE_CHECKING:
    from argon2 import PasswordHasher

STAYS = 90 * 86_400.0
"""Seconds that somebody stays logged in without coming back."""


class Taken(Exception):
    """Somebody has this name."""


class Known(NamedTuple):
    """Somebody who is logged in."""

    id: str
    name: str
    created: float


class Seat(NamedTuple):
    """A place at a table that belongs to an account. `over`: its match has been played to the end."""

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


def key(name: str) -> str:
    """A name as it is compared: without regard to case, width and blanks around it."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Accounts:
    """The accounts of one database. Passwords are hashed in threads, two at a time: each takes memory on purpose."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._hashing = asyncio.Semaphore(2)

    async def register(self, name: str, password: str) -> Known:
        """A new account.

        Raises:
            Taken: somebody has this name.
        """
        async with self._hashing:
            secret = await asyncio.to_thread(_hasher().hash, password)
        known = Known(secrets.token_urlsafe(12), name.strip(), time.time())
        try:
            async with self.database.writing() as session:
                session.add(Account(id=known.id, key=key(name), name=known.name, secret=secret, created=known.created))
        except IntegrityError:
            raise Taken from None
        return known

    async def check(self, name: str, password: str) -> Known | None:
        """The account of a name and its password; None for any other. Takes as long for a name nobody has."""
        async with self.database.reading() as session:
            found = (await session.execute(select(Account).where(Account.key == key(name)))).scalar_one_or_none()
        async with self._hashing:
            secret = found.secret if found else await asyncio.to_thread(_nobodys)
            right = await asyncio.to_thread(_matches, secret, password)
        return Known(found.id, found.name, found.created) if found is not None and right else None

    async def change_password(self, account: str, password: str) -> None:
        """Another password; everybody who is logged in with the old one is logged out."""
        async with self._hashing:
            secret = await asyncio.to_thread(_hasher().hash, password)
        async with self.database.writing() as session:
            await session.execute(update(Account).where(Account.id == account).values(secret=secret))
            await session.execute(delete(AccountSession).where(AccountSession.account == account))

    async def log_in(self, account: str) -> str:
        """A token by which `who` knows the account again; only its digest is kept."""
        token, now = secrets.token_urlsafe(32), time.time()
        async with self.database.writing() as session:
            await session.execute(delete(AccountSession).where(AccountSession.until < now))
            session.add(AccountSession(token=_digest(token), account=account, until=now + STAYS))
        return token

    async def log_out(self, token: str) -> None:
        """Forget a token."""
        async with self.database.writing() as session:
            await session.execute(delete(AccountSession).where(AccountSession.token == _digest(token)))

    async def who(self, token: str) -> Known | None:
        """Whose token this is."""
        async with self.database.reading() as session:
            query = select(Account).join(AccountSession, AccountSession.account == Account.id)
            found = await session.execute(
                query.where(AccountSession.token == _digest(token), AccountSession.until > time.time())
            )
            account = found.scalar_one_or_none()
        return None if account is None else Known(account.id, account.name, account.created)

    # ---- places at tables

    async def took(self, account: str, room: str, place: int) -> None:
        """A place belongs to an account from now on."""
        async with self.database.writing() as session:
            await session.merge(AccountSeat(account=account, log=room, place=place))

    async def gave_back(self, account: str, room: str) -> None:
        """A place belongs to it no more."""
        async with self.database.writing() as session:
            await session.execute(delete(AccountSeat).where(AccountSeat.account == account, AccountSeat.log == room))

    async def seats(self, account: str, most: int = 200) -> list[Seat]:
        """Its places, those at tables touched last first."""
        last = LogEntry.body["line"].as_string()
        async with self.database.reading() as session:
            found = await session.execute(
                select(AccountSeat.log, AccountSeat.place, Log.title, Log.created, Log.updated, last)
                .join(Log, Log.id == AccountSeat.log)
                .outerjoin(LogEntry, and_(LogEntry.log == Log.id, LogEntry.n == Log.length - 1))
                .where(AccountSeat.account == account)
                .order_by(Log.updated.desc())
                .limit(most)
            )
            return [
                Seat(room, place, title, created, updated, str(line).startswith('{"end":'))
                for room, place, title, created, updated, line in found
            ]

    async def delete(self, account: str) -> list[str]:
        """Remove an account, and every table where no other account or name sat but bots; those tables' ids.

        What it leaves in matches with other people is the name it used there, which is part of their record too.
        """
        async with self.database.writing() as session:
            seats = await session.execute(select(AccountSeat.log).where(AccountSeat.account == account))
            alone = []
            for log in seats.scalars():
                people = await session.execute(
                    select(func.count(func.distinct(LogEntry.body["place"].as_integer()))).where(
                        LogEntry.log == log, LogEntry.body["token"].as_string().is_not(None)
                    )
                )
                if people.scalar_one() <= 1:
                    alone.append(log)
            await session.execute(delete(AccountSeat).where(AccountSeat.account == account))
            await session.execute(delete(AccountSession).where(AccountSession.account == account))
            await session.execute(delete(LogEntry).where(LogEntry.log.in_(alone)))
            await session.execute(delete(Log).where(Log.id.in_(alone)))
            await session.execute(delete(Account).where(Account.id == account))
        return alone
