"""Club nights over HTTP. A club night is nothing of its own: it is the tables of somebody that carry its name."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Depends

from quepu.scorekeeper.records import ClubName, TableSpec
from quepu.server.accounts.payers import stores
from quepu.server.budget import Asker
from quepu.server.http.messages import Refused
from quepu.server.http.responses import Plain, Refusal
from quepu.server.http.whose import Whose
from quepu.server.score_tables import working as work
from quepu.server.score_tables.api import KIND, TheTables
from quepu.server.score_tables.messages import ClubView, NextRound, UndoClubRound

routes = APIRouter(
    prefix="/api/clubs", tags=["tables"], responses={status: {"model": Refused} for status in (400, 409, 422)}
)


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
    unfinished = [] if given.anyway else work.newest_round(night, over=False)
    if unfinished:
        zh, en = "、".join(unfinished), ", ".join(unfinished)
        raise Refusal(409, f"上一轮还没有打完：{zh}。", f"the round before is not over: {en}.")
    for spec in made:
        await tables.logs.create(KIND, given.who, spec["title"], {"spec": spec})
    stored = await tables.all(given.who, asker, club=club)
    answer = Plain(await tables.pool.run(asker, work.club, club, stored, "total"))
    answer.status_code = 201
    return answer


@routes.post("/{club}/undo", response_model=ClubView)
async def undo_round(club: ClubName, given: UndoClubRound, tables: TheTables, asker: Asker) -> Plain:
    """Take back the newest round, if nothing was written at its tables; what was is corrected there, with a trace."""
    night = await tables.all(given.who, asker, club=club)
    opened = work.newest_round(night)
    if not opened:
        raise Refusal(409, "还没有开过轮。", "no round has begun.")
    for id in opened:
        head = (await tables.read(id)).head
        if head.length > 1 or head.owner != given.who:
            raise Refusal(
                409,
                f"“{head.title}”已经有记录，请到那一桌更正。",
                f"there are entries at {head.title!r}: correct them at that table.",
            )
    for id in opened:
        await tables.delete((await tables.read(id)).head)
    stored = await tables.all(given.who, asker, club=club)
    return Plain(await tables.pool.run(asker, work.club, club, stored, "total"))
