"""The tables of the database. Schema changes are migrations beside this file."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Float, ForeignKey, Index, Integer, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Base of every table."""


class Log(Base):
    """The head of an append-only log. `length` is the number of entries; a writer names the length it has seen.

    `process` is the server process that owns a log while it is played (null: none), `fence` how often it changed hands:
    an owner presumed dead writes under an old number and is refused.
    """

    __tablename__ = "log"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    owner: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(String(200))
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)
    length: Mapped[int] = mapped_column(Integer)
    process: Mapped[str | None] = mapped_column(String(32), nullable=True)
    fence: Mapped[int] = mapped_column(Integer)

    __table_args__ = (Index("log_of", "owner", "kind", "updated"), Index("log_process", "process"))


class ServerProcess(Base):
    """A server process, and the time (the database's own clock, in seconds) until which it counts as alive."""

    __tablename__ = "process"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    alive_until: Mapped[float] = mapped_column(Float)


class LogEntry(Base):
    """One entry of a log."""

    __tablename__ = "log_entry"

    log: Mapped[str] = mapped_column(ForeignKey("log.id", ondelete="CASCADE"), primary_key=True)
    n: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Float)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)


class AccountRow(Base):
    """A name with a password. `key` is the name for comparison; `secret` is the password's argon2 hash."""

    __tablename__ = "account"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[str] = mapped_column(String(80), unique=True)
    name: Mapped[str] = mapped_column(String(24))
    secret: Mapped[str] = mapped_column(String(200))
    created: Mapped[float] = mapped_column(Float)


class AccountSession(Base):
    """A login session. `token` is the digest of the browser's token."""

    __tablename__ = "account_session"

    token: Mapped[str] = mapped_column(String(64), primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    until: Mapped[float] = mapped_column(Float)


class AccountSeatRow(Base):
    """A seat that belongs to an account."""

    __tablename__ = "account_seat"

    account: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    log: Mapped[str] = mapped_column(ForeignKey("log.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(Integer)


class PracticeAnswer(Base):
    """An answered question: its fans, and whether each was known."""

    __tablename__ = "practice_answer"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    who: Mapped[str] = mapped_column(String(64))
    at: Mapped[float] = mapped_column(Float)
    rules: Mapped[str] = mapped_column(String(200))
    kind: Mapped[str] = mapped_column(String(16))
    level: Mapped[int] = mapped_column(Integer)
    seed: Mapped[int] = mapped_column(Integer)
    right: Mapped[bool] = mapped_column()
    seconds: Mapped[float] = mapped_column(Float)
    fans: Mapped[dict[str, bool]] = mapped_column(JSON)

    __table_args__ = (Index("practice_of", "who", "rules", "at"),)


class ReplayRow(Base):
    """A replayable log's row in lists, with its search words.

    `length` is that of the log when it was processed: a room whose log has not grown is skipped.
    """

    __tablename__ = "replay"

    log: Mapped[str] = mapped_column(ForeignKey("log.id", ondelete="CASCADE"), primary_key=True)
    length: Mapped[int] = mapped_column(Integer)
    finished: Mapped[bool] = mapped_column()
    listed: Mapped[bool] = mapped_column()
    owner: Mapped[str] = mapped_column(String(64))
    rules: Mapped[str] = mapped_column(String(200))
    played: Mapped[float] = mapped_column(Float)
    words: Mapped[str] = mapped_column(String(1000))
    shown: Mapped[dict[str, Any]] = mapped_column(JSON)

    __table_args__ = (Index("replay_of", "finished", "played"),)


class ScoreTableRow(Base):
    """The result of a score table with `length` entries, under the scoring fingerprint of its book.

    `shown` is its line in lists, `result` the basis of standings, `figures` those of its players.
    """

    __tablename__ = "score_table"

    log: Mapped[str] = mapped_column(ForeignKey("log.id", ondelete="CASCADE"), primary_key=True)
    length: Mapped[int] = mapped_column(Integer)
    club: Mapped[str] = mapped_column(String(60))
    fingerprint: Mapped[str] = mapped_column(String(40))
    shown: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[dict[str, Any]] = mapped_column(JSON)
    figures: Mapped[dict[str, Any]] = mapped_column(JSON)

    __table_args__ = (Index("score_table_of", "club"),)


class Review(Base):
    """The review of a hand of a log (`hand` from 1), or with `hand` 0 the progress of the whole review."""

    __tablename__ = "review"

    log: Mapped[str] = mapped_column(ForeignKey("log.id", ondelete="CASCADE"), primary_key=True)
    hand: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Float)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)


class AccountCode(Base):
    """A single-use code for choosing a new password. `code` is its digest."""

    __tablename__ = "account_code"

    account: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    code: Mapped[str] = mapped_column(String(64))
    until: Mapped[float] = mapped_column(Float)


class AccountThings(Base):
    """The owner name of an account's tables, tournaments, logs and practice, shared by its browsers."""

    __tablename__ = "account_things"

    account: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    who: Mapped[str] = mapped_column(String(64))


class TransferCode(Base):
    """A single-use code that transfers the belongings of `who` to another browser. `code` is its digest."""

    __tablename__ = "transfer_code"

    who: Mapped[str] = mapped_column(String(64), primary_key=True)
    code: Mapped[str] = mapped_column(String(64))
    until: Mapped[float] = mapped_column(Float)

    __table_args__ = (Index("transfer_code_of", "code", unique=True),)


class BannedName(Base):
    """A banned name; `key` is its skeleton."""

    __tablename__ = "banned_name"

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    name: Mapped[str] = mapped_column(String(24))
    at: Mapped[float] = mapped_column(Float)


class Audit(Base):
    """An operator's action, its object, and when."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    at: Mapped[float] = mapped_column(Float)
    who: Mapped[str] = mapped_column(String(64))
    act: Mapped[str] = mapped_column(String(32))
    about: Mapped[str] = mapped_column(String(200))


class Tidied(Base):
    """The time of the last removal of expired data: one row, to recognise a clock that has jumped."""

    __tablename__ = "tidied"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Float)


class Move(Base):
    """The state of a move between two stores: no row, or one. `other` is the other store's address, without a password.

    `filling`: this store receives the rows of `other`, and is incomplete. `left`: its rows have been moved to `other`.
    """

    __tablename__ = "move"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    other: Mapped[str] = mapped_column(String(300))
    at: Mapped[float] = mapped_column(Float)
