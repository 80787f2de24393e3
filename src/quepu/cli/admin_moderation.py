"""`quepu admin find`, `hide`, `show`, `take-down`, `put-back`, `export-log`, `erase`: stored logs and names in them."""

from __future__ import annotations

import json as json_text
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from quepu.cli import parameters
from quepu.cli.admin_access import STORE, agrees, command, show_rows, with_store, write_time
from quepu.cli.texts import say

if TYPE_CHECKING:
    from quepu.server.store.administration import Administration
    from quepu.server.store.moderation import Found, Moderation

_LOG = parameters.argument("id", "arg.log_id", default=None)


def _moderate(data: str, database: str, work: Callable[[Moderation], Coroutine[Any, Any, Any]]) -> Any:
    from quepu.server.store.moderation import Moderation

    def with_moderation(admin: Administration) -> Coroutine[Any, Any, Any]:
        return work(Moderation(admin.database))

    return with_store(data, database, with_moderation)


@command("find", parameters.argument("words", "arg.log_words"), parameters.json(), *STORE)
def find(words: str, json: bool, data: str, database: str) -> int:
    """Find logs."""
    found = _moderate(data, database, lambda moderation: moderation.find(words))

    def line(one: Found) -> str:
        return f"{one.id}  {write_time(one.updated)}  {say(f'admin.state.{one.state}')}  {one.kind:<6}  {one.title}"

    return show_rows(found, json, line)


@command("hide", _LOG, *STORE)
def hide(id: str, data: str, database: str) -> int:
    """Take a replay off the public list."""
    _moderate(data, database, lambda moderation: moderation.list_publicly(id, False))
    print(say("admin.hidden", id=id))
    return 0


@command("show", _LOG, *STORE)
def show(id: str, data: str, database: str) -> int:
    """Put a replay back on the public list."""
    _moderate(data, database, lambda moderation: moderation.list_publicly(id, True))
    print(say("admin.shown", id=id))
    return 0


@command("take-down", _LOG, *STORE)
def take_down(id: str, data: str, database: str) -> int:
    """Make a log inaccessible."""
    _moderate(data, database, lambda moderation: moderation.take_down(id))
    print(say("admin.taken_down", id=id))
    return 0


@command("put-back", _LOG, *STORE)
def put_back(id: str, data: str, database: str) -> int:
    """Make a log accessible again."""
    _moderate(data, database, lambda moderation: moderation.put_back(id))
    print(say("admin.put_back", id=id))
    return 0


@command("export-log", _LOG, *STORE)
def export_log(id: str, data: str, database: str) -> int:
    """Export a log as JSON."""
    found = _moderate(data, database, lambda moderation: moderation.export(id))
    print(json_text.dumps(found, ensure_ascii=False, indent=1))
    return 0


@command(
    "erase",
    parameters.argument("name", "arg.person", default=None),
    parameters.text("--log", help="opt.erase_log", metavar="ID"),
    parameters.flag("--yes", help="opt.yes"),
    *STORE,
)
def erase(name: str, log: str, yes: bool, data: str, database: str) -> int:
    """Replace a person's name in all logs, after confirmation; return 1 if it was refused."""
    where = say("admin.erase_in", id=log) if log else say("admin.erase_everywhere")
    if not yes and not agrees(say("admin.erase_confirm", name=name, where=where)):
        print(say("admin.not_erased", name=name))
        return 1
    done = _moderate(data, database, lambda moderation: moderation.erase(name, log))
    print(say("admin.erased", name=name, pseudonym=done.pseudonym, count=len(done.logs)))
    if done.photos:
        print(say("admin.erased_photos", count=done.photos))
    if done.playing:
        print(say("admin.erase_playing", rooms=say("admin.and").join(done.playing)))
    return 0
