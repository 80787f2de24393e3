"""An operator's administration: accounts, rooms, names; and the removal of expired data."""

from __future__ import annotations

import getpass
import secrets
import time
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from quepu.errors import Error, UnknownName
from quepu.schema import LONGEST_PERSON
from quepu.server.limits import Limits
from quepu.server.names import like_a_bot, skeleton, visible
from quepu.server.store.accounts import Accounts, NameTaken, code_digest, key
from quepu.server.store.database import Database
from quepu.server.store.models import (
    AccountCode,
    AccountRow,
    AccountSeatRow,
    AccountSession,
    Audit,
    BannedName,
    Log,
    LogEntry,
    PracticeAnswer,
    Tidied,
    TransferCode,
)

CLOSED = "closed"
"""Kind of a room's log once an operator has closed the room."""
_DAY = 86_400.0
_SHOWN = 24
"""Characters of a banned name that its column holds; its key is made of the whole name."""
MOST_APART = _DAY
"""Most seconds between two removals of expired data for which the clock is trusted."""
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


class AccountSeen(NamedTuple):
    """An account as an operator sees it. `sessions`: the number of current logins."""

    name: str
    created: float
    sessions: int
    seats: int


class RoomSeen(NamedTuple):
    """A room as an operator sees it; `running`: a server owns it."""

    id: str
    title: str
    created: float
    updated: float
    length: int
    running: bool


class AuditLine(NamedTuple):
    """A line about an operator's action."""

    at: float
    who: str
    act: str
    about: str


class Removed(NamedTuple):
    """Counts of removed expired data."""

    rooms: int
    matches: int
    sessions: int
    codes: int
    practice: int


class ClockJumped(Error):
    """The clock is so far from the last removal of expired data that ages are unknown."""

    def __init__(self, last: float, now: float) -> None:
        days = abs(now - last) / _DAY
        then, today = (time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at)) for at in (last, now))
        late = now > last
        super().__init__(
            f"什么都没有删：时钟是 {today}，比上次清理（{then}）{'晚' if late else '早'} {days:.1f} 天，"
            "可能走错了；时钟没错就运行 quepu admin tidy --trust-clock。",
            f"nothing was removed: the clock says {today}, {days:.1f} days {'after' if late else 'before'} the last "
            f"tidying ({then}), and may be wrong; if it is right, run quepu admin tidy --trust-clock.",
        )


class Administration:
    """The operator's view of one database. Every change is recorded with its author."""

    def __init__(self, database: Database, limits: Limits | None = None) -> None:
        self.database = database
        self.limits = limits or Limits()

    @staticmethod
    def write_down(session: AsyncSession, act: str, about: str) -> None:
        """Record an action in the transaction that does it."""
        try:
            who = getpass.getuser()
        except (OSError, KeyError, ImportError):
            who = "?"
        session.add(Audit(at=time.time(), who=who[:64], act=act, about=about[:200]))

    async def note(self, act: str, about: str) -> None:
        """Record an action on the whole database."""
        async with self.database.writing() as session:
            self.write_down(session, act, about)

    async def audit(self, most: int = 100) -> list[AuditLine]:
        """Return the recorded actions, latest first."""
        async with self.database.reading() as session:
            found = await session.execute(select(Audit).order_by(Audit.id.desc()).limit(most))
            return [AuditLine(row.at, row.who, row.act, row.about) for row in found.scalars()]

    # ---- accounts

    async def accounts(self, words: str = "", most: int = 100) -> list[AccountSeen]:
        """List accounts whose names contain these words, newest first."""
        query = self._select_seen().order_by(AccountRow.created.desc())
        if words:
            query = query.where(AccountRow.key.contains(key(words), autoescape=True))
        async with self.database.reading() as session:
            return [AccountSeen(*row) for row in await session.execute(query.limit(most))]

    async def account(self, name: str) -> AccountSeen:
        """Return the account of a name.

        Raises:
            UnknownName: the account does not exist.
        """
        async with self.database.reading() as session:
            account = await self._account(session, name)
            found = await session.execute(self._select_seen().where(AccountRow.id == account.id))
            return AccountSeen(*found.one())

    @staticmethod
    def _select_seen() -> Select[Any]:
        of = AccountRow.id
        sessions = select(func.count()).where(AccountSession.account == of).scalar_subquery()
        seats = select(func.count()).where(AccountSeatRow.account == of).scalar_subquery()
        return select(AccountRow.name, AccountRow.created, sessions, seats)

    async def _account(self, session: AsyncSession, name: str) -> AccountRow:
        found = await session.execute(select(AccountRow).where(AccountRow.key == key(name)))
        account = found.scalar_one_or_none()
        if account is None:
            raise UnknownName(f"没有账号“{name}”。", f"there is no account {name!r}.")
        return account

    async def code(self, name: str) -> str:
        """Issue a single-use code for choosing a new password.

        Raises:
            UnknownName: the account does not exist.
        """
        code = "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))
        async with self.database.writing() as session:
            account = await self._account(session, name)
            until = time.time() + self.limits.code_hours * 3600
            await session.merge(AccountCode(account=account.id, code=code_digest(code), until=until))
            self.write_down(session, "reset", account.name)
        return code

    async def delete_account(self, name: str) -> list[str]:
        """Delete an account as its owner could; return the tables deleted with it.

        Raises:
            UnknownName: the account does not exist.
        """
        async with self.database.writing() as session:
            account = await self._account(session, name)
            self.write_down(session, "delete-account", account.name)
        return await Accounts(self.database).delete(account.id)

    async def rename(self, name: str, other: str) -> None:
        """Rename an account; its names in matches stay.

        Raises:
            UnknownName: the account does not exist, or the name is not allowed.
        """
        shown = visible(other)
        if not shown or len(shown) > 24 or like_a_bot(shown):
            raise UnknownName(f"不能叫“{other}”。", f"the name {other!r} is not allowed.")
        try:
            async with self.database.writing() as session:
                account = await self._account(session, name)
                taken = await session.execute(
                    select(AccountRow.id).where(AccountRow.key.in_({key(shown), skeleton(shown)}))
                )
                if set(taken.scalars()) - {account.id}:
                    raise NameTaken
                self.write_down(session, "rename", f"{account.name} → {shown}")
                await session.execute(
                    update(AccountRow).where(AccountRow.id == account.id).values(name=shown, key=key(shown))
                )
        except (NameTaken, IntegrityError):
            raise UnknownName(f"“{other}”已经有人用了。", f"the name {other!r} is taken.") from None

    async def export(self, name: str) -> dict[str, Any]:
        """Return everything stored about an account; see `Accounts.export`.

        Raises:
            UnknownName: the account does not exist.
        """
        async with self.database.writing() as session:
            account = await self._account(session, name)
            self.write_down(session, "export", account.name)
        return await Accounts(self.database).export(account.id)

    # ---- names

    async def ban(self, name: str) -> None:
        """Ban a name and its look-alikes; an account keeps it until renamed."""
        shown = visible(name)[:LONGEST_PERSON]
        if not shown:
            raise UnknownName("名字是空的。", "the name is empty.")
        async with self.database.writing() as session:
            await session.merge(BannedName(key=skeleton(shown)[:200], name=shown[:_SHOWN], at=time.time()))
            self.write_down(session, "ban", shown)

    async def allow(self, name: str) -> bool:
        """Allow a name again; return whether it was banned."""
        async with self.database.writing() as session:
            gone = await session.execute(
                delete(BannedName).where(BannedName.key == skeleton(name)[:200]).returning(BannedName.key)
            )
            was_banned = gone.first() is not None
            if was_banned:
                self.write_down(session, "allow", visible(name))
            return was_banned

    async def list_banned(self) -> list[str]:
        """List banned names."""
        async with self.database.reading() as session:
            found = await session.execute(select(BannedName.name).order_by(BannedName.name))
            return list(found.scalars())

    # ---- rooms

    async def rooms(self, *, every: bool = False, most: int = 100) -> list[RoomSeen]:
        """List rooms that a server owns (or all), most recently used first."""
        query = select(Log).where(Log.kind == "room").order_by(Log.updated.desc()).limit(most)
        if not every:
            query = query.where(Log.process.is_not(None))
        async with self.database.reading() as session:
            found = await session.execute(query)
            return [
                RoomSeen(log.id, log.title, log.created, log.updated, log.length, log.process is not None)
                for log in found.scalars()
            ]

    async def close_room(self, id: str) -> None:
        """End a room for good. The next move is refused, and servers drop it soon; its log stays.

        Raises:
            UnknownName: the room does not exist.
        """
        async with self.database.writing() as session:
            gone = await session.execute(
                update(Log)
                .where(Log.id == id, Log.kind == "room")
                .values(kind=CLOSED, process=None, fence=Log.fence + 1)
                .returning(Log.id)
            )
            if gone.first() is None:
                raise UnknownName(f"没有房间“{id}”。", f"there is no room {id!r}.")
            self.write_down(session, "close-room", id)

    # ---- expired data

    async def tidy(self, now: float | None = None, *, trust_clock: bool = False) -> Removed:
        """Remove data that is older than the limits allow.

        Raises:
            ClockJumped: the clock is more than `MOST_APART` away from the last time, and `trust_clock` is not set.
        """
        now = time.time() if now is None else now
        limits = self.limits
        begun = select(LogEntry.log).where(LogEntry.log == Log.id, LogEntry.body["line"].as_string().is_not(None))
        unbegun = and_(Log.kind == "room", Log.updated < now - limits.unbegun_days * _DAY, ~begun.exists())
        old = and_(Log.kind.in_(("room", CLOSED)), Log.updated < now - limits.match_days * _DAY)
        async with self.database.writing() as session:
            last = (await session.execute(select(Tidied.at).where(Tidied.id == 1))).scalar_one_or_none()
            if last is not None and abs(now - last) > MOST_APART and not trust_clock:
                raise ClockJumped(last, now)
            await session.merge(Tidied(id=1, at=now))
            rooms = await self._remove(session, unbegun)
            matches = await self._remove(session, or_(old, and_(Log.kind == CLOSED, ~begun.exists())))
            sessions = await session.execute(
                delete(AccountSession).where(AccountSession.until < now).returning(AccountSession.token)
            )
            codes = await session.execute(
                delete(AccountCode).where(AccountCode.until < now).returning(AccountCode.account)
            )
            await session.execute(delete(TransferCode).where(TransferCode.until < now))
            practice = await session.execute(
                delete(PracticeAnswer)
                .where(PracticeAnswer.at < now - limits.practice_days * _DAY)
                .returning(PracticeAnswer.id)
            )
            return Removed(rooms, matches, *(len(gone.all()) for gone in (sessions, codes, practice)))

    @staticmethod
    async def _remove(session: AsyncSession, which: Any) -> int:
        found = await session.execute(select(Log.id).where(which).limit(1000))
        ids = list(found.scalars())
        if ids:
            await session.execute(delete(AccountSeatRow).where(AccountSeatRow.log.in_(ids)))
            await session.execute(delete(LogEntry).where(LogEntry.log.in_(ids)))
            await session.execute(delete(Log).where(Log.id.in_(ids)))
        return len(ids)
