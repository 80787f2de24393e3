"""Open a server's store for a command of `quepu admin`, and print the results."""

from __future__ import annotations

import asyncio
import json as json_text
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from quepu.cli import parameters
from quepu.cli.declared import Declared
from quepu.cli.texts import say
from quepu.errors import Error

if TYPE_CHECKING:
    from quepu.server.store.administration import Administration

T = TypeVar("T")
STORE = (
    parameters.text("--data", help="opt.data", metavar="DIR"),
    parameters.text("--database", help="opt.database", metavar="URL"),
)
"""The options that name a store."""


def command(name: str, *params: Any) -> Callable[[Callable[..., int]], Declared]:
    """Decorate a function as `quepu admin NAME`."""
    return parameters.command(f"admin.{name}", *params)


def folder_of(data: str) -> Path:
    """Return the folder of `--data`, or the default one."""
    from quepu.folders import data_folder

    return Path(data).expanduser() if data else data_folder()


def with_store(data: str, database: str, work: Callable[[Administration], Coroutine[Any, Any, T]]) -> T:
    """Run `work` with the store open and return its result.

    Raises:
        Error: the database does not exist; only a server creates one.
    """
    from sqlalchemy import make_url

    from quepu.server.store.administration import Administration
    from quepu.server.store.database import Database, no_database

    async def open_and_work() -> T:
        base = Database(folder_of(data), database or None)
        try:
            if await base.revision() == "new":
                where = make_url(database).render_as_string(hide_password=True) if database else folder_of(data)
                raise Error(*no_database(where))
            return await work(Administration(base))
        finally:
            await base.close()

    return asyncio.run(open_and_work())


def write_time(at: float) -> str:
    """Return a time as the operator reads it."""
    return time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(at))


def show_rows(rows: list[Any], json: bool, line: Callable[[Any], str]) -> int:
    """Print rows as lines, or as one JSON list."""
    if json:
        print(json_text.dumps([row._asdict() if hasattr(row, "_asdict") else row for row in rows], ensure_ascii=False))
        return 0
    for row in rows:
        print(line(row))
    if not rows:
        print(say("admin.none"))
    return 0


def agrees(question: str) -> bool:
    """Ask a question in the terminal, and return whether the answer is yes.

    Raises:
        Error: a terminal to confirm in is missing.
    """
    if not sys.stdin.isatty():
        raise Error(
            "什么都没有改：这里无法确认，确定要做请加 --yes。",
            "nothing was changed: nothing could confirm it here; add --yes.",
        )
    try:
        answer = input(question)
    except EOFError:
        return False
    return answer.strip().casefold() in ("y", "yes", "是")
