"""`quepu admin backup`, `restore`, `offsite`, `rehearse`, `check`, `move`: a server's database as a whole."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quepu.cli import parameters
from quepu.cli.admin_access import STORE, command, folder_of, with_store, write_time
from quepu.cli.texts import say, spoken
from quepu.errors import Error

if TYPE_CHECKING:
    from quepu.server.store.administration import Administration


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


@command("backup", parameters.argument("file", "arg.backup", default=None), *STORE)
def backup(file: str, data: str, database: str) -> int:
    """Back up."""
    from quepu.server.store.backup import backup as copied

    _only_sqlite(database, "backup")
    size = copied(folder_of(data), Path(file))
    with_store(data, "", lambda admin: admin.note("backup", str(Path(file).absolute())))
    print(say("admin.backed_up", file=file, size=f"{size / 1024:.0f}"))
    return 0


@command(
    "restore",
    parameters.argument("file", "arg.backup", default=None),
    parameters.flag("--replace", help="opt.replace"),
    *STORE,
)
def restore(file: str, replace: bool, data: str, database: str) -> int:
    """Restore."""
    from quepu.server.store.backup import restore as put_back

    _only_sqlite(database, "restore")
    before = put_back(Path(file), folder_of(data), replace=replace)
    with_store(data, "", lambda admin: admin.note("restore", file))
    print(say("admin.restored", file=file))
    if before is not None:
        print(say("admin.aside", file=before))
    return 0


_OFFSITE = parameters.text("--with", "-w", "config", help="opt.offsite", metavar="FILE", default="offsite.toml")


@command("offsite", _OFFSITE, *STORE)
def offsite(config: str, data: str, database: str) -> int:
    """Send a backup to another machine."""
    from quepu.server.store.offsite import load, send

    commands = load(Path(config))

    async def send_and_note(admin: Administration) -> Any:
        done = await send(admin.database, commands)
        await admin.note("offsite", done.name)
        return done

    sent = with_store(data, database, send_and_note)
    print(say("admin.sent", name=sent.name, size=f"{sent.size / 1024:.0f}", rows=f"{sum(sent.counts.values()):,}"))
    for old in sent.removed:
        print(say("admin.removed_there", name=old))
    return 0


@command("rehearse", parameters.argument("name", "arg.backup_there"), _OFFSITE, *STORE)
def rehearse(name: str, config: str, data: str, database: str) -> int:
    """Restore a backup from another machine into a scratch folder and compare its counts."""
    from quepu.server.store.offsite import load
    from quepu.server.store.offsite import rehearse as restored

    commands = load(Path(config))

    async def rehearse_and_note(admin: Administration) -> Any:
        done = await restored(admin.database, commands, name)
        await admin.note("rehearse", done.name)
        return done

    done = with_store(data, database, rehearse_and_note)
    for table, count in done.counts.items():
        if count or done.now[table]:
            print(say("admin.rehearsed_table", table=table, count=f"{count:,}", now=f"{done.now[table]:,}"))
    print(say("admin.rehearsed", name=done.name, seconds=f"{done.seconds:.1f}"))
    return 0


@command("check", parameters.flag("--repair", help="opt.repair"), *STORE)
def check(repair: bool, data: str, database: str) -> int:
    """Check the database: 0 if all is well (or was repaired), else 1."""
    from quepu.server.store.checking import check as findings
    from quepu.server.store.checking import repair as mend

    _only_sqlite(database, "check")
    found = findings(folder_of(data))
    for text in found:
        print(spoken(text))
    if not found:
        print(say("admin.whole"))
        return 0
    _show_newest_backup(folder_of(data))
    if not repair:
        return 1
    saved = mend(folder_of(data))
    was, left = saved.before, saved.after
    about = ", ".join(f"{name} {was[name]} → {left[name]}" for name in was if was[name])
    with_store(data, "", lambda admin: admin.note("repair", about))
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
    print(
        say("admin.newest_backup", file=found.file, made=write_time(found.made), contents=say("admin.and").join(held))
    )


@command(
    "move",
    parameters.text("--from", "source", help="opt.move_from", metavar="PLACE"),
    parameters.text("--to", "target", help="opt.move_to", metavar="PLACE"),
)
def move(source: str, target: str) -> int:
    """Move a store."""
    from quepu.server.store import moving
    from quepu.server.store.administration import Administration
    from quepu.server.store.database import Database

    if not source or not target:
        raise Error("--from 和 --to 都要写。", "give both --from and --to.")
    one, other = moving.store_at(source), moving.store_at(target)

    async def move_and_note() -> moving.Moved:
        done = await moving.move(one, other, _show_pass)
        base = Database(other.folder, other.address)
        await Administration(base).note("move", f"{moving.name_of(one)} → {moving.name_of(other)}")
        await base.close()
        return done

    done = asyncio.run(move_and_note())
    for name, count in done.counts.items():
        if count:
            print(f"  {name}  {count:,} = {count:,}")
    print(say("admin.moved", target=moving.name_of(other), pause=f"{done.pause:.1f}"))
    if done.aside is not None:
        print(say("admin.aside", file=done.aside))
    return 0


def _show_pass(done: Any) -> None:
    text = "admin.move_last" if done.last else "admin.move_pass"
    print(say(text, copied=f"{done.copied:,}", deleted=f"{done.deleted:,}", seconds=f"{done.seconds:.1f}"), flush=True)
