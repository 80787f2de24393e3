"""Failures of a database: which errors they are, whether they are temporary, and how they are reported."""

from __future__ import annotations

import sys
from socket import gaierror

from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from quepu.errors import Text, missing_extra

_QUESTION = ("22", "23", "42")
"""Classes of PostgreSQL errors (SQLSTATE) caused by a query and not by the store."""


def failures() -> tuple[type[BaseException], ...]:
    """Return the exceptions of an unresponsive store; asyncpg's own occur while connecting."""
    asyncpg = sys.modules.get("asyncpg")
    of_driver = () if asyncpg is None else (asyncpg.PostgresError, asyncpg.InterfaceError)
    return (DBAPIError, NoConnection, OSError, *of_driver)


def is_connection_failure(error: BaseException) -> bool:
    """Return whether the connection failed, or the database server is starting or stopping."""
    return isinstance(error, OSError) or _sqlstate(error).startswith(("08", "57P"))


def is_query_error(error: BaseException) -> bool:
    """Return whether the query is at fault and not the store."""
    return _sqlstate(error).startswith(_QUESTION)


def cannot_open(error: BaseException) -> Text:
    """Say why a database cannot be opened; if its driver is missing, with the command that installs it."""
    why = Text(first_line(error), first_line(error))
    missing = missing_extra(error.name) if isinstance(error, ImportError) else None
    if missing is not None:
        why = missing.text
    elif isinstance(error, ConnectionRefusedError):
        why = Text(
            "这个主机和端口上没有数据库服务器在听；它可能没有启动。",
            "no database server listens at this host and port; it may not be running.",
        )
    elif isinstance(error, gaierror):
        why = Text("找不到这个主机名。", "the name of its host is unknown.")
    elif isinstance(error, ImportError | ArgumentError):
        why = Text(
            "雀谱只用 SQLite 或 PostgreSQL，地址写成 postgresql://用户名@主机/数据库名。",
            "quepu uses SQLite or PostgreSQL only; write the address as postgresql://user@host/name.",
        )
    return Text(f"数据库打不开：{why.zh}", f"the database cannot be opened: {why.en}")


def first_line(error: BaseException) -> str:
    """Return the first line of an error, or its class if it has no message."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _sqlstate(error: BaseException) -> str:
    """Return the code of a PostgreSQL error, "" for others: only asyncpg's have one, and it may not be installed."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(cause, "sqlstate", None) or "")
