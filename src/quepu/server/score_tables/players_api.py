"""Players over months, over HTTP: the figures of everybody at the score tables of somebody, added up."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from quepu.server.budget import Asker
from quepu.server.http.messages import Refused
from quepu.server.http.responses import Plain, Refusal
from quepu.server.http.whose import Whose
from quepu.server.score_tables import players_working as work
from quepu.server.score_tables.api import TheTables
from quepu.server.score_tables.messages import PlayerLine, PlayerView

routes = APIRouter(
    prefix="/api/players",
    tags=["tables"],
    responses={400: {"model": Refused}, 404: {"model": Refused}, 422: {"model": Refused}},
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
    return Plain(await tables.pool.run(asker, work.players, rows, since, until))


@routes.get("/{name}", response_model=PlayerView)
async def player(
    name: Annotated[str, Path(max_length=24)],
    who: Whose,
    tables: TheTables,
    asker: Asker,
    since: From = None,
    until: To = None,
    club: Club = None,
) -> Plain:
    """One player: rates with their intervals, places, fans beside their exact rarity, opponents, best hands, curve."""
    rows = await tables.all(who, asker, club=club, figures=True)
    found = await tables.pool.run(asker, work.player, rows, name, since, until)
    if found is None:
        raise Refusal(404, "这里没有这个人的记录。", "there is no record of this player here.")
    return Plain(found)
