"""Failures of a database: which errors they are, whether they pass, and what a person is told."""

from __future__ import annotations

import sys

from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from quepu.errors import Text, missing_extra

_QUESTION = ("22", "23", "42")
"""Classes of PostgreSQL's errors (SQLSTATE) that are about a question and not about the store."""


def failures() -> tuple[type[BaseException], ...]:
    """Return what a store raises that does not answer; asyncpg's own errors come while it connects."""
    asyncpg = sys.modules.get("asyncpg")
    of_driver = () if asyncpg is None else (asyncpg.PostgresError, asyncpg.InterfaceError)
    return (DBAPIError, NoConnection, OSError, *of_driver)


def passing(error: BaseException) -> bool:
    """Whether it is the line to a database server, or one that just starts or stops."""
    return isinstance(error, OSError) or _sqlstate(error).startswith(("08", "57P"))


def about_the_question(error: BaseException) -> bool:
    """Whether the question is at fault and not the store."""
    return _sqlstate(error).startswith(_QUESTION)


def cannot_open(error: BaseException) -> Text:
    """Say why a database cannot be opened; where its driver is missing, with the command that installs it."""
    why = Text(first_line(error), first_line(error))
    missing = missing_extra(error.name) if isinstance(error, ImportError) else None
    if missing is not None:
        why = missing.text
    elif isinstance(error, ImportError | ArgumentError):
        why = Text(
            "雀谱只用 SQLite 或 PostgreSQL，地址写成 postgresql://用户名@主机/数据库名。",
            "quepu uses SQLite or PostgreSQL only; write the address as postgresql://user@host/name.",
        )
    return Text(f"数据库打不开：{why.zh}", f"the database cannot be opened: {why.en}")


def first_line(error: BaseException) -> str:
    """Return the first line of an error, or its class if it says nothing."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _sqlstate(error: BaseException) -> str:
    """Code of an error of PostgreSQL, "" of any other: only asyncpg's have one, and it may not be installed."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(cause, "sqlstate", None) or "")
