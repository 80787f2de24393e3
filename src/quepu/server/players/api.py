"""Players over months, over HTTP: the figures of everybody at the score tables of somebody, added up."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from quepu.server.budget import Asker
from quepu.server.http.messages import Refused
from quepu.server.http.responses import Plain, Refusal
from quepu.server.http.whose import Whose
from quepu.server.players import working as work
from quepu.server.players.messages import PlayerLine, PlayerView
from quepu.server.score_tables.api import TheTables

routes = APIRouter(
    prefix="/api/players", tags=["tables"], responses={status: {"model": Refused} for status in (400, 404, 422)}
)
From = Annotated[float | None, Query(description="tables opened at this time (seconds) or later")]
To = Annotated[float | None, Query(description="tables opened before this time")]
Club = Annotated[str | None, Query(max_length=60, description="tables of this club night alone")]


@routes.get("", response_model=list[PlayerLine])
async def players(
    who: Whose, tables: TheTables, asker: Asker, since: From = None, until: To = None, club: Club = None
) -> Plain:
    """Everybody who played at the tables of somebody, the highest rating first."""
    rows = await tables.all(who, asker, club=club, figures=True)
    changes = await tables.rosters.read(who)
    return Plain(await tables.pool.run(asker, work.players, rows, changes, since, until))


@routes.get("/{key}", response_model=PlayerView)
async def player(
    key: Annotated[str, Path(max_length=24, description="a player's id, or a name of his")],
    who: Whose,
    tables: TheTables,
    asker: Asker,
    since: From = None,
    until: To = None,
    club: Club = None,
) -> Plain:
    """One player: rates with their intervals, places, fans beside their exact rarity, opponents, best hands, curve."""
    rows = await tables.all(who, asker, club=club, figures=True)
    changes = await tables.rosters.read(who)
    found = await tables.pool.run(asker, work.player, rows, changes, key, since, until)
    if found is None:
        raise Refusal(404, "这里没有这个人的记录。", "there is no record of this player here.")
    return Plain(found)
