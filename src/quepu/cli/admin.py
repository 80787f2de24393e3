"""`quepu admin`: an operator's commands for a server's database, run on the same machine."""

from __future__ import annotations

import json as json_text
import logging
from typing import TYPE_CHECKING, Any

import click

from quepu.cli import parameters
from quepu.cli.admin_access import STORE, agrees, show_rows, with_store, write_time
from quepu.cli.admin_access import command as admin
from quepu.cli.admin_moderation import erase, export_log, find, hide, put_back, show, take_down
from quepu.cli.admin_stores import backup, check, move, offsite, rehearse, restore
from quepu.cli.program import Command, CommandGroup
from quepu.cli.screen import console
from quepu.cli.texts import say

if TYPE_CHECKING:
    from quepu.server.store.administration import AccountSeen, Administration


@admin("accounts", parameters.argument("words", "arg.words"), parameters.json(), *STORE)
def accounts(words: str, json: bool, data: str, database: str) -> int:
    """List accounts."""
    found = with_store(data, database, lambda admin: admin.accounts(words))

    def line(one: AccountSeen) -> str:
        created = write_time(one.created)
        return say("admin.account", name=one.name, created=created, sessions=one.sessions, seats=one.seats)

    return show_rows(found, json, line)


@admin("reset", parameters.argument("name", "arg.account", default=None), *STORE)
def reset(name: str, data: str, database: str) -> int:
    """Issue a code for a new password."""
    code = with_store(data, database, lambda admin: admin.code(name))
    print(say("admin.code", code=code))
    return 0


@admin(
    "delete-account",
    parameters.argument("name", "arg.account", default=None),
    parameters.flag("--yes", help="opt.yes"),
    *STORE,
)
def delete_account(name: str, yes: bool, data: str, database: str) -> int:
    """Delete an account after confirmation; return 1 if it was refused."""
    found = with_store(data, database, lambda admin: admin.account(name))
    question = say(
        "admin.confirm", name=found.name, created=write_time(found.created), sessions=found.sessions, seats=found.seats
    )
    if not yes and not agrees(question):
        print(say("admin.not_deleted", name=found.name))
        return 1
    rooms = with_store(data, database, lambda admin: admin.delete_account(name))
    print(say("admin.deleted", name=found.name, rooms=len(rooms)))
    return 0


@admin("export", parameters.argument("name", "arg.account", default=None), *STORE)
def export(name: str, data: str, database: str) -> int:
    """Export everything stored about an account."""
    print(json_text.dumps(with_store(data, database, lambda admin: admin.export(name)), ensure_ascii=False, indent=1))
    return 0


@admin(
    "rename",
    parameters.argument("name", "arg.account", default=None),
    parameters.argument("other", "arg.new_name", default=None),
    *STORE,
)
def rename(name: str, other: str, data: str, database: str) -> int:
    """Rename an account."""
    with_store(data, database, lambda admin: admin.rename(name, other))
    print(say("admin.renamed", name=name, other=other))
    return 0


@admin("ban", parameters.argument("name", "arg.name"), *STORE)
def ban(name: str, data: str, database: str) -> int:
    """Ban a name, or list banned ones."""
    if not name:
        return show_rows(with_store(data, database, lambda admin: admin.list_banned()), False, str)
    with_store(data, database, lambda admin: admin.ban(name))
    print(say("admin.banned", name=name))
    return 0


@admin("allow", parameters.argument("name", "arg.name", default=None), *STORE)
def allow(name: str, data: str, database: str) -> int:
    """Allow a name again."""
    names = with_store(data, database, lambda admin: admin.allow(name))
    print(say("admin.allowed" if names else "admin.not_banned", name=name))
    return 0 if names else 1


@admin("rooms", parameters.flag("--all", help="opt.all_rooms"), parameters.json(), *STORE)
def rooms(all: bool, json: bool, data: str, database: str) -> int:
    """List rooms."""
    found = with_store(data, database, lambda admin: admin.rooms(every=all))
    return show_rows(found, json, lambda one: f"{one.id}  {write_time(one.updated)}  {one.length:>6}  {one.title}")


@admin("close-room", parameters.argument("room", "arg.room", default=None), *STORE)
def close_room(room: str, data: str, database: str) -> int:
    """Close a room."""
    with_store(data, database, lambda admin: admin.close_room(room))
    print(say("admin.closed", room=room))
    return 0


@admin(
    "tidy",
    parameters.text("--limit", help="opt.limit", metavar="NAME=NUMBER", many=True),
    parameters.flag("--trust-clock", help="opt.trust_clock"),
    *STORE,
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
    print(say("admin.tidied", **with_store(data, database, remove)._asdict()))
    return 0


@admin("audit", parameters.json(), *STORE)
def audit(json: bool, data: str, database: str) -> int:
    """List the operators' actions."""
    found = with_store(data, database, lambda admin: admin.audit())
    return show_rows(found, json, lambda one: f"{write_time(one.at)}  {one.who}  {one.act}  {one.about}")


@click.pass_context
def _alone(ctx: click.Context) -> None:
    logging.getLogger("quepu.server").addHandler(logging.NullHandler())  # what fails is said once, as an error
    if ctx.invoked_subcommand is None:
        console().print(ctx.get_help())


command = CommandGroup("admin", help=say("cmd.admin"), callback=_alone, invoke_without_command=True)
for made in (
    backup, restore, offsite, rehearse, check, move, accounts, reset, delete_account, export, rename, ban, allow,
    rooms, close_room, tidy,     find, hide, show, take_down, put_back, export_log, erase, audit,
):  # fmt: skip
    command.add_command(Command.of(made), made.name.split(".")[-1])
