"""The roster over HTTP: who is who at an owner's score tables."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from starlette.responses import Response

from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.responses import Plain, Refusal, Whose, attachment, refusals
from quepu.server.players import working as work
from quepu.server.players.messages import RosterChange, RosterView
from quepu.server.score_tables.api import TheTables
from quepu.server.store.values import Conflict

routes = APIRouter(prefix="/api/roster", tags=["tables"], responses=refusals(400, 409, 422))
_MOST = 20_000
"""The most changes of one roster."""


@routes.get("", response_model=RosterView)
async def roster(who: Whose, tables: TheTables, asker: Asker) -> Plain:
    """Return the roster of players at an owner's tables, and its changes."""
    return Plain(await tables.compute(who, asker, work.view))


@routes.get("/export", response_model=None)
async def export(who: Whose, tables: TheTables, asker: Asker) -> Response:
    """Export the roster as a file, for `quepu roster` and `quepu stats --roster`."""
    made = await tables.pool.run(asker, work.export_roster, await tables.rosters.read(who))
    return attachment(made, "quepu-roster.json")


@routes.post("", response_model=RosterView, dependencies=[Depends(stores)])
async def change_roster(given: RosterChange, tables: TheTables, asker: Asker) -> Plain:
    """Rename a player, split two of one name, merge two entries, or undo such a change."""
    rows = await tables.all(given.who, asker, figures=True)
    changes = await tables.rosters.read(given.who)
    if not any(change["key"] == given.key for change in changes):
        if given.seen != len(changes):
            raise _overtaken()
        if len(changes) >= _MOST:
            raise Refusal(409, "名册的改动太多了。", "this roster has too many changes.")
        made = await tables.pool.run(asker, work.list_changes, rows, changes, given.key, given.record)
        try:
            await tables.rosters.append(given.who, given.seen, made)
        except Conflict:
            raise _overtaken() from None
    return Plain(await tables.pool.run(asker, work.view, rows, await tables.rosters.read(given.who)))


def _overtaken() -> Refusal:
    return Refusal(
        409,
        "名册刚在别处改过，请看过最新的再改。",
        "the roster was just changed elsewhere; check the latest version first.",
    )
