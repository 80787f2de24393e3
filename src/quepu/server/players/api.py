"""Players over many matches, over HTTP: everyone's figures at an owner's score tables."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from quepu.schema import LONGEST_PERSON
from quepu.server.accounts.api import TheAccounts
from quepu.server.accounts.visitor import Somebody
from quepu.server.budget import Asker
from quepu.server.http.responses import MaybeWhose, Plain, Refusal, Whose, refusals
from quepu.server.players import working as work
from quepu.server.players.messages import PlayerLine, PlayerView
from quepu.server.replays.review_api import TheReviews
from quepu.server.replays.review_messages import PlayerMistakes
from quepu.server.score_tables.api import TheTables

routes = APIRouter(prefix="/api/players", tags=["tables"], responses=refusals(400, 404, 422))
From = Annotated[float | None, Query(description="tables opened at this time (seconds) or later")]
To = Annotated[float | None, Query(description="tables opened before this time")]
Book = Annotated[str | None, Query(max_length=60, description="a rulebook's id; else the one that was played most")]
Club = Annotated[str | None, Query(max_length=60, description="tables of this club night alone")]


@routes.get("", response_model=list[PlayerLine])
async def players(
    who: Whose, tables: TheTables, asker: Asker, since: From = None, until: To = None, club: Club = None
) -> Plain:
    """List players at an owner's tables, for each rulebook apart, the highest rating first."""
    return Plain(await tables.compute(who, asker, work.players, since, until, club=club))


@routes.get("/{key}", response_model=PlayerView)
async def player(
    key: Annotated[str, Path(max_length=LONGEST_PERSON, description="a player's id, or a name of his")],
    who: Whose,
    tables: TheTables,
    asker: Asker,
    since: From = None,
    until: To = None,
    club: Club = None,
    book: Book = None,
) -> Plain:
    """Return one player's page of a rulebook: rates with intervals, places, fans, opponents, best hands, curve."""
    found = await tables.compute(who, asker, work.player, key, since, until, book, club=club)
    if found is None:
        raise Refusal(404, "这里没有这个人的记录。", "this player has no records here.")
    return Plain(found)


@routes.get("/{key}/mistakes", response_model=PlayerMistakes)
async def mistakes(
    key: Annotated[str, Path(max_length=60, description="a player's id, or a name of his")],
    reviews: TheReviews,
    tables: TheTables,
    account: Somebody,
    accounts: TheAccounts,
    asker: Asker,
    who: MaybeWhose,
    rooms: Annotated[str, Query(max_length=2000, description="rooms one was in, with commas")] = "",
) -> Plain:
    """Return a player's mistakes found by reviews of one's replays and rooms: by kind, with the points lost."""
    ids = [id for id in rooms.split(",") if id and len(id) <= 32]
    if account is not None:
        ids += [seat.room for seat in await accounts.seats(account.id)]
    names = [key]
    if who is not None:
        names = await tables.compute(who, asker, work.names, key)
    return Plain(await reviews.player(who or "", ids, names))
