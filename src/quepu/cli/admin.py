"""`quepu admin`: an operator's commands for a server's database, run on the same machine."""

from __future__ import annotations

import asyncio
import json as json_text
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quepu.cli import parameters
from quepu.cli.declared import Declared
from quepu.cli.program import Command, CommandGroup
from quepu.cli.screen import console
from quepu.cli.texts import say, spoken
from quepu.errors import Error

if TYPE_CHECKING:
    from quepu.server.store.administration import AccountSeen, Administration

T = TypeVar("T")
_STORE = (
    parameters.text("--data", help="opt.data", metavar="DIR"),
    parameters.text("--database", help="opt.database", metavar="URL"),
)


def _command(name: str, *params: Any) -> Callable[[Callable[..., int]], Declared]:
    return parameters.command(f"admin.{name}", *params)


def _folder(data: str) -> Path:
    from quepu.folders import data_folder

    return Path(data).expanduser() if data else data_folder()


def _with(data: str, database: str, work: Callable[[Administration], Coroutine[Any, Any, T]]) -> T:
    """Run `work` with the store open and return its result.

    Raises:
        Error: the database does not exist; only a server creates one.
    """
    from sqlalchemy import make_url

    from quepu.server.store.administration import Administration
    from quepu.server.store.database import Database, nothing_in

    async def open_and_work() -> T:
        base = Database(_folder(data), database or None)
        try:
            if await base.revision() == "new":
                where = make_url(database).render_as_string(hide_password=True) if database else _folder(data)
                raise Error(*nothing_in(where))
            return await work(Administration(base))
        finally:
            await base.close()

    return asyncio.run(open_and_work())


def _only_sqlite(database: str, what: str) -> None:
    """Refuse a PostgreSQL database, and name the command to use there.

    Raises:
        Error: it is a PostgreSQL database.
    """
    if not database:
        return
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(database).set(drivername="postgresql")._replace(password=None).render_as_string()
    except ArgumentError:
        raise Error(f"看不懂数据库地址 {database}。", f"{database} is not a database address.") from None
    command = {
        "backup": f"pg_dump --format=custom --file=quepu.dump '{url}'",
        "restore": f"pg_restore --clean --if-exists --single-transaction --dbname='{url}' quepu.dump",
        "check": f"pg_amcheck --install-missing --heapallindexed '{url}'",
    }[what]
    raise Error(
        f"PostgreSQL 用它自己的工具（密码放在 PGPASSWORD 或 ~/.pgpass）：{command}",
        f"back up PostgreSQL with its own tool (password in PGPASSWORD or ~/.pgpass): {command}",
    )


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(at))


def _rows(rows: list[Any], json: bool, line: Callable[[Any], str]) -> int:
    """Print rows as lines, or as one JSON list."""
    if json:
        print(json_text.dumps([row._asdict() if hasattr(row, "_asdict") else row for row in rows], ensure_ascii=False))
        return 0
    for row in rows:
        print(line(row))
    if not rows:
        print(say("admin.none"))
    return 0


@_command("backup", parameters.argument("file", "arg.backup", default=None), *_STORE)
def backup(file: str, data: str, database: str) -> int:
    """Back up."""
    from quepu.server.store.backup import backup as copied

    _only_sqlite(database, "backup")
    size = copied(_folder(data), Path(file))
    _with(data, "", lambda admin: admin.note("backup", str(Path(file).absolute())))
    print(say("admin.backed_up", file=file, size=f"{size / 1024:.0f}"))
    return 0


@_command(
    "restore",
    parameters.argument("file", "arg.backup", default=None),
    parameters.flag("--replace", help="opt.replace"),
    *_STORE,
)
def restore(file: str, replace: bool, data: str, database: str) -> int:
    """Restore."""
    from quepu.server.store.backup import restore as put_back

    _only_sqlite(database, "restore")
    before = put_back(Path(file), _folder(data), replace=replace)
    _with(data, "", lambda admin: admin.note("restore", file))
    print(say("admin.restored", file=file))
    if before is not None:
        print(say("admin.aside", file=before))
    return 0


@_command("check", parameters.flag("--repair", help="opt.repair"), *_STORE)
def check(repair: bool, data: str, database: str) -> int:
    """Check the database: 0 if all is well (or was repaired), else 1."""
    from quepu.server.store.checking import check as findings
    from quepu.server.store.checking import repair as mend

    _only_sqlite(database, "check")
    found = findings(_folder(data))
    for text in found:
        print(spoken(text))
    if not found:
        print(say("admin.whole"))
        return 0
    _show_newest_backup(_folder(data))
    if not repair:
        return 1
    saved = mend(_folder(data))
    was, left = saved.before, saved.after
    about = ", ".join(f"{name} {was[name]} → {left[name]}" for name in was if was[name])
    _with(data, "", lambda admin: admin.note("repair", about))
    print(say("admin.repaired"))
    for name, count in was.items():
        if count:
            print(say(f"admin.counted.{name}", count=f"{count:,} → {left[name]:,}"))
    for one in saved.losses:
        fate = "admin.cut" if one.after else "admin.gone"
        print(say(fate, id=one.id, title=one.title or "?", before=one.before, after=one.after))
    for table, count in saved.unreadable.items():
        print(say("admin.unreadable", table=table, count=count))
    print(say("admin.aside", file=saved.aside))
    return 0


def _show_newest_backup(folder: Path) -> None:
    from quepu.server.store.backup import newest_backup

    found = newest_backup(folder)
    if found is None:
        print(say("admin.no_backup"))
        return
    held = [say(f"admin.counted.{name}", count=f"{count:,}") for name, count in found.contents.items() if count]
    print(say("admin.newest_backup", file=found.file, made=_when(found.made), contents=say("admin.and").join(held)))


@_command("accounts", parameters.argument("words", "arg.words"), parameters.json(), *_STORE)
def accounts(words: str, json: bool, data: str, database: str) -> int:
    """List accounts."""
    found = _with(data, database, lambda admin: admin.accounts(words))
    return _rows(
        found, json, lambda one: say("admin.account", name=one.name, created=_when(one.created), sessions=one.sessions,
                                     seats=one.seats)
    )  # fmt: skip


@_command("reset", parameters.argument("name", "arg.account", default=None), *_STORE)
def reset(name: str, data: str, database: str) -> int:
    """Issue a code for a new password."""
    code = _with(data, database, lambda admin: admin.code(name))
    print(say("admin.code", code=code))
    return 0


@_command(
    "delete-account",
    parameters.argument("name", "arg.account", default=None),
    parameters.flag("--yes", help="opt.yes"),
    *_STORE,
)
def delete_account(name: str, yes: bool, data: str, database: str) -> int:
    """Delete an account after confirmation; return 1 if it was refused."""
    found = _with(data, database, lambda admin: admin.account(name))
    if not yes and not _confirms(found):
        print(say("admin.not_deleted", name=found.name))
        return 1
    rooms = _with(data, database, lambda admin: admin.delete_account(name))
    print(say("admin.deleted", name=found.name, rooms=len(rooms)))
    return 0


def _confirms(account: AccountSeen) -> bool:
    """Ask whether an account may be deleted.

    Raises:
        Error: a terminal to confirm in is missing.
    """
    if not sys.stdin.isatty():
        raise Error(
            f"没有删除账号“{account.name}”：这里无法确认，要删除请加 --yes。",
            f"the account {account.name!r} was not deleted: nothing could confirm it here; add --yes.",
        )
    try:
        answer = input(
            say("admin.confirm", name=account.name, created=_when(account.created), sessions=account.sessions,
                seats=account.seats)
        )  # fmt: skip
    except EOFError:
        return False
    return answer.strip().casefold() in ("y", "yes", "是")


@_command("export", parameters.argument("name", "arg.account", default=None), *_STORE)
def export(name: str, data: str, database: str) -> int:
    """Export everything stored about an account."""
    print(json_text.dumps(_with(data, database, lambda admin: admin.export(name)), ensure_ascii=False, indent=1))
    return 0


@_command(
    "rename",
    parameters.argument("name", "arg.account", default=None),
    parameters.argument("other", "arg.new_name", default=None),
    *_STORE,
)
def rename(name: str, other: str, data: str, database: str) -> int:
    """Rename an account."""
    _with(data, database, lambda admin: admin.rename(name, other))
    print(say("admin.renamed", name=name, other=other))
    return 0


@_command("ban", parameters.argument("name", "arg.name"), *_STORE)
def ban(name: str, data: str, database: str) -> int:
    """Ban a name, or list banned ones."""
    if not name:
        return _rows(_with(data, database, lambda admin: admin.list_banned()), False, str)
    _with(data, database, lambda admin: admin.ban(name))
    print(say("admin.banned", name=name))
    return 0


@_command("allow", parameters.argument("name", "arg.name", default=None), *_STORE)
def allow(name: str, data: str, database: str) -> int:
    """Allow a name again."""
    names = _with(data, database, lambda admin: admin.allow(name))
    print(say("admin.allowed" if names else "admin.not_banned", name=name))
    return 0 if names else 1


@_command("rooms", parameters.flag("--all", help="opt.all_rooms"), parameters.json(), *_STORE)
def rooms(all: bool, json: bool, data: str, database: str) -> int:
    """List rooms."""
    found = _with(data, database, lambda admin: admin.rooms(every=all))
    return _rows(found, json, lambda one: f"{one.id}  {_when(one.updated)}  {one.length:>6}  {one.title}")


@_command("close-room", parameters.argument("room", "arg.room", default=None), *_STORE)
def close_room(room: str, data: str, database: str) -> int:
    """Close a room."""
    _with(data, database, lambda admin: admin.close_room(room))
    print(say("admin.closed", room=room))
    return 0


@_command(
    "tidy",
    parameters.text("--limit", help="opt.limit", metavar="NAME=NUMBER", many=True),
    parameters.flag("--trust-clock", help="opt.trust_clock"),
    *_STORE,
)
def tidy(limit: tuple[str, ...], trust_clock: bool, data: str, database: str) -> int:
    """Remove expired data."""
    from quepu.server.limits import Limits, parse_limits

    async def remove(admin: Administration) -> Any:
        admin.limits = limits
        gone = await admin.tidy(trust_clock=trust_clock)
        await admin.note("tidy", ", ".join(f"{name} {count}" for name, count in gone._asdict().items()))
        return gone

    limits = Limits(**parse_limits(limit))
    print(say("admin.tidied", **_with(data, database, remove)._asdict()))
    return 0


@_command("audit", parameters.json(), *_STORE)
def audit(json: bool, data: str, database: str) -> int:
    """List the operators' actions."""
    found = _with(data, database, lambda admin: admin.audit())
    return _rows(found, json, lambda one: f"{_when(one.at)}  {one.who}  {one.act}  {one.about}")


@click.pass_context
def _alone(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        console().print(ctx.get_help())


command = CommandGroup("admin", help=say("cmd.admin"), callback=_alone, invoke_without_command=True)
for made in (
    backup, restore, check, accounts, reset, delete_account, export, rename, ban, allow, rooms, close_room, tidy, audit
):  # fmt: skip
    command.add_command(Command.of(made), made.name.split(".")[-1])
