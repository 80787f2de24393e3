"""Club nights over HTTP: an owner's tables with its name, by the rules of the tournament desk."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Depends

from quepu.scorekeeper.records import ClubName, TableSpec
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.responses import Plain, Refusal, Whose, refusals
from quepu.server.score_tables import clubs_working as work
from quepu.server.score_tables.api import KIND, Tables, TheTables
from quepu.server.score_tables.messages import ChooseVersion, ClubView, NextRound, UndoClubRound
from quepu.server.score_tables.working import open_table
from quepu.tournament.desk_state import Unfinished

routes = APIRouter(prefix="/api/clubs", tags=["tables"], responses=refusals(400, 409, 422))
DESK = "desk"
"""Kind of a tournament's log."""


@routes.get("/{club}", response_model=ClubView)
async def club(club: ClubName, who: Whose, tables: TheTables, asker: Asker, by: work.By = "total") -> Plain:
    """Return the rounds and standings of a club night."""
    return await _view(club, who, tables, asker, by)


async def _view(club: str, who: str, tables: Tables, asker: str, by: work.By = "total") -> Plain:
    rows = await tables.all(who, asker, club=club)
    desks = await tables.logs.list_with_first(DESK, who, 200)
    desk = next((head.id for head, first in desks if first["spec"].get("club") == club), "")
    return Plain({**await tables.pool.run(asker, work.view, club, rows, by), "desk": desk})


@routes.post("/{club}/rounds", response_model=ClubView, status_code=201, dependencies=[Depends(stores)])
async def next_round(club: ClubName, given: NextRound, tables: TheTables, asker: Asker) -> Plain:
    """Seat the next round and open its tables."""
    names = [name.strip() for name in given.names]
    seed = secrets.randbits(64)  # a draw among friends need not be secret
    night = await tables.all(given.who, asker, club=club)
    by_standings = given.by == "standings"
    try:
        number, drawn = await tables.pool.run(asker, work.next_round, night, names, by_standings, seed, given.anyway)
    except Unfinished as unfinished:
        raise Refusal(409, *unfinished.text) from None
    specs = [
        TableSpec(
            title=f"{club} {number}-{i + 1}",
            rules=given.rules,
            house=given.house,
            names=four,
            rounds=given.rounds,
            alpha=given.alpha,
            scale=given.scale,
            club=club,
            club_round=number,
            club_draw=f"{seed:x}",
        )
        for i, four in enumerate(drawn)
    ]
    # refuses impossible tables before the first is opened
    seated = [await tables.seat_players(spec, given.who) for spec in specs]
    made = [(await tables.pool.run(asker, open_table, spec, []))[0] for spec in seated]
    for spec in made:
        await tables.logs.create(KIND, given.who, spec["title"], {"spec": spec})
    answer = await _view(club, given.who, tables, asker)
    answer.status_code = 201
    return answer


@routes.post("/{club}/undo", response_model=ClubView)
async def undo_round(club: ClubName, given: UndoClubRound, tables: TheTables, asker: Asker) -> Plain:
    """Take back the newest round, if its tables are empty; otherwise results are corrected there."""
    newest = work.newest_round(await tables.all(given.who, asker, club=club))
    if not newest:
        raise Refusal(409, "还没有开始任何一轮。", "no session has started.")
    for id in newest:
        head = (await tables.read(id)).head
        if head.length > 1 or head.owner != given.who:
            raise Refusal(
                409,
                f"“{head.title}”已经有记录，请到那一桌更正。",
                f"there are entries at {head.title!r}: correct them at that table.",
            )
    for id in newest:
        await tables.delete((await tables.read(id)).head)
    return await _view(club, given.who, tables, asker)


@routes.post("/{club}/versions", response_model=ClubView, dependencies=[Depends(stores)])
async def choose_version(club: ClubName, given: ChooseVersion, tables: TheTables, asker: Asker) -> Plain:
    """Choose between versions of a round drawn by several devices; the others' tables stay as separate tables."""
    night = await tables.all(given.who, asker, club=club)
    for id, number in await tables.pool.run(asker, work.choose_rounds, night, given.round, given.table):
        await tables.move(id, number, asker)
    return await _view(club, given.who, tables, asker)
