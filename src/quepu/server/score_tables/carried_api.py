"""Move score tables between a device and the server: export a complete log, or import one from a device.

Both sides have the same log, so they merge by length: if one is a prefix of the other, the longer one wins.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends
from starlette.responses import Response

from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.responses import MaybeWhose, Plain, Refusal, refusals
from quepu.server.score_tables import working as work
from quepu.server.score_tables.api import (
    KIND,
    TheTables,
    is_same_table,
    overtaken,
    refuse_too_many,
    show_table,
    title_of,
)
from quepu.server.score_tables.messages import CarriedTable, NewEntry, TableLog, TableView
from quepu.server.score_tables.working import Stored
from quepu.server.store.values import Conflict, Entry, LogHead

routes = APIRouter(
    prefix="/api/tables",
    tags=["tables"],
    responses=refusals(400, 403, 404, 409, 422),
)


@routes.get("/{id}/log", response_model=TableLog)
async def log(id: str, who: MaybeWhose, tables: TheTables) -> Plain:
    """Return everything written at a table, for a device that continues offline."""
    head, entries, _ = await tables.writable(id)
    return Plain({
        "id": head.id,
        "title": head.title,
        "created": head.created,
        "updated": head.updated,
        "length": head.length,
        "mine": head.owner == who,
        "entries": [entry._asdict() for entry in entries],
    })  # fmt: skip


@routes.put("/{id}/log", response_model=TableView, dependencies=[Depends(stores)])
async def carry(id: str, given: CarriedTable, tables: TheTables, asker: Asker) -> Response:
    """Import a table opened on a device; a repeat adds only new entries. 409 if others wrote something else."""
    if not 12 <= len(id) <= 22 or not id.replace("-", "").replace("_", "").isalnum() or not id.isascii():
        raise Refusal(422, "这不是桌子的编号。", "this is not the id of a table.")
    refuse_too_many(len(given.entries), tables.limits)
    spec = await tables.seat_players(given.spec, given.who)
    made, _ = await tables.pool.run(asker, work.open_table, spec, [])  # refuses invalid names and rules
    found = await tables.logs.read(id)
    title = title_of(given.spec)
    if found is None:
        stored = Stored(LogHead(id, KIND, given.who, title, 0.0, 0.0, 1), [Entry(0, 0.0, {"spec": made})])
    elif found[0].kind != KIND or found[0].owner != given.who or not is_same_table(found[1][0].body["spec"], made):
        raise overtaken()
    else:
        stored = Stored(*found)
    here = [_change_of(entry.body) for entry in stored.entries[1:]]
    there = [_change_of(entry.model_dump()) for entry in given.entries]
    common = min(len(here), len(there))
    if here[:common] != there[:common]:
        raise overtaken()
    seen = stored.head.length
    bodies: list[dict[str, Any]] = []
    for change in given.entries[common:]:
        body, _, _ = await tables.after(stored, change, asker)
        bodies.append(body)
        head, entries, _ = stored
        stored = Stored(head._replace(length=head.length + 1), [*entries, Entry(head.length, 0.0, body)])
    try:
        if found is None:
            await tables.logs.create(KIND, given.who, title, {"spec": made}, id=id)
        if bodies and await tables.logs.append(id, seen, bodies) is None:
            raise overtaken()
    except Conflict:  # another page of the same device was faster: it sends again
        raise overtaken() from None
    tables.followers.grown(id)
    return show_table(await tables.first_view(id, asker))


def _change_of(body: dict[str, Any]) -> NewEntry | None:
    """Return the change of an entry, without its results and resolved ids."""
    if body["do"] == "club":
        return None  # devices never write such entries
    record = {k: v for k, v in (body.get("record") or {}).items() if k not in ("came_to", "id")}
    rest = {k: v for k, v in body.items() if k not in ("came_to", "record", "player")}
    return NewEntry.model_validate(rest | ({"record": record} if record else {}))
