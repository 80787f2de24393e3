"""Club nights over HTTP. A club night is nothing of its own: it is the tables of somebody that carry its name."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Depends

from quepu.scorekeeper.records import ClubName, TableSpec
from quepu.server.accounts.payers import stores
from quepu.server.budget import Asker
from quepu.server.http.messages import Refused
from quepu.server.http.responses import Plain
from quepu.server.http.whose import Whose
from quepu.server.score_tables import working as work
from quepu.server.score_tables.api import KIND, TheTables
from quepu.server.score_tables.messages import ClubView, NextRound

routes = APIRouter(prefix="/api/clubs", tags=["tables"], responses={400: {"model": Refused}, 422: {"model": Refused}})


@routes.get("/{club}", response_model=ClubView)
async def club(club: ClubName, who: Whose, tables: TheTables, asker: Asker, by: work.By = "total") -> Plain:
    """The rounds and standings of a club night."""
    return Plain(await tables.pool.run(asker, work.club, club, await tables.all(who, asker, club=club), by))


@routes.post("/{club}/rounds", response_model=ClubView, status_code=201, dependencies=[Depends(stores)])
async def next_round(club: ClubName, given: NextRound, tables: TheTables, asker: Asker) -> Plain:
    """Seat the next round and open its tables."""
    names = [name.strip() for name in given.names]
    seed = secrets.randbits(64)  # a draw among friends, not a secret
    night = await tables.all(given.who, asker, club=club)
    number, drawn = await tables.pool.run(asker, work.next_round, night, names, given.by == "standings", seed)
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
        )
        for i, four in enumerate(drawn)
    ]
    # refuses what cannot be, before the first is opened
    made = [(await tables.pool.run(asker, work.opened, spec, []))[0] for spec in specs]
    for spec in made:
        await tables.logs.create(KIND, given.who, spec["title"], {"spec": spec})
    stored = await tables.all(given.who, asker, club=club)
    answer = Plain(await tables.pool.run(asker, work.club, club, stored, "total"))
    answer.status_code = 201
    return answer
