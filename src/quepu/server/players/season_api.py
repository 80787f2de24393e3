"""A club over seasons, over HTTP: attendance, records, leagues, fees; all but the fees follow from the score tables."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from quepu.figures.season import LeagueError, check_divisions
from quepu.rulebooks import book as find_book
from quepu.scorekeeper.records import ClubName
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.responses import CSV, Plain, Refusal, Whose, attachment, refusals
from quepu.server.players import season_working as work
from quepu.server.players.season_messages import (
    FeeChange,
    FeesView,
    LeagueHead,
    LeagueView,
    MergeClub,
    NextSeason,
    OpenDay,
    OpenLeague,
    SeasonView,
)
from quepu.server.score_tables import clubs_working
from quepu.server.score_tables.api import TheTables
from quepu.server.store.values import Conflict, Entry, LogHead

routes = APIRouter(prefix="/api", tags=["tables"], responses=refusals(400, 404, 409, 422))
LEAGUE, FEES = "league", "fees"
"""Kinds of the logs of a league, and of an owner's ledger of fees."""
_MOST = 5000
"""The most entries of one ledger."""
_MOST_LEAGUES = 50
Since = Annotated[OpenDay, Query(description="first day, YYYY-MM-DD")]
Until = Annotated[OpenDay, Query(description="last day")]
Book = Annotated[str, Query(max_length=60, description="a rulebook's id; else the one that was played most")]
Club = Annotated[str, Query(max_length=60, description="tables of this club night alone")]
Offset = Annotated[int, Query(ge=-840, le=840, description="minutes east of UTC, for days")]


@routes.get("/season", response_model=SeasonView)
async def season(
    who: Whose, tables: TheTables, asker: Asker, since: Since = "", until: Until = "", book: Book = "",
    club: Club = "", offset: Offset = 0,
) -> Plain:  # fmt: skip
    """Return an owner's season: attendance, ratings and records of a rulebook, months."""
    return Plain(await tables.compute(who, asker, work.season, (since, until), book, club, offset))


@routes.get("/season/attendance", response_model=None)
async def attendance(
    who: Whose, tables: TheTables, asker: Asker, since: Since = "", until: Until = "", club: Club = "",
    offset: Offset = 0,
) -> Response:  # fmt: skip
    """Export the attendance of a season as CSV."""
    found = await tables.compute(who, asker, work.season, (since, until), "", club, offset)
    return attachment(work.attendance_file(found), "quepu-attendance.csv", CSV)


@routes.post("/clubs/{club}/merge", status_code=204, dependencies=[Depends(stores)])
async def merge_club(club: ClubName, given: MergeClub, tables: TheTables, asker: Asker) -> Response:
    """Merge a club night into another one, or rename it: its rounds follow those of the other."""
    if given.into == club:
        raise Refusal(422, "两个名字相同。", "both names are the same.")
    rows = await tables.all(given.who, asker, club=club)
    if not rows:
        raise Refusal(404, f"没有叫“{club}”的社团活动。", f"there is no club night called {club!r}.")
    there = clubs_working.tables_of(await tables.all(given.who, asker, club=given.into))
    last = max((table.result.round for table in there), default=0)
    numbers = {n: last + i for i, n in enumerate(sorted({row.result["round"] for row in rows}), 1)}
    for row in rows:
        await tables.move(row.id, numbers[row.result["round"]], asker, given.into)
    return Response(status_code=204)


# ---- leagues


async def _read_league(id: str, who: str, tables: TheTables) -> tuple[LogHead, list[Entry]]:
    found = await tables.logs.read(id) if len(id) <= 32 else None
    if found is None or found[0].kind != LEAGUE or found[0].owner != who:
        raise Refusal(404, "没有这个联赛。", "there is no such league.")
    return found


async def _league(head: LogHead, entries: list[Entry], who: str, tables: TheTables, asker: str) -> dict[str, Any]:
    seasons = [entry.body["season"] for entry in entries]
    found = await tables.compute(who, asker, work.league, entries[0].body["league"], seasons)
    return {"id": head.id, "length": len(entries), **found}


@routes.get("/leagues", response_model=list[LeagueHead])
async def leagues(who: Whose, tables: TheTables) -> Plain:
    """List an owner's leagues, the newest first."""
    return Plain([{"id": head.id, "title": head.title} for head in await tables.logs.list(LEAGUE, who)])


@routes.post("/leagues", response_model=LeagueView, status_code=201, dependencies=[Depends(stores)])
async def open_league(given: OpenLeague, tables: TheTables, asker: Asker) -> Plain:
    """Open a league with its first season."""
    find_book(given.book)
    _check(given.divisions, given.moving, given.since, given.until)
    if len(await tables.logs.list(LEAGUE, given.who)) >= _MOST_LEAGUES:
        raise Refusal(409, "联赛太多了，请先删掉旧的。", "there are too many leagues: delete old ones first.")
    spec = given.model_dump(include={"title", "book", "moving", "offset"})
    first = {"league": spec, "season": given.model_dump(include={"divisions", "since", "until"})}
    head = await tables.logs.create(LEAGUE, given.who, given.title, first)
    made = Plain(await _league(head, [Entry(0, 0.0, first)], given.who, tables, asker))
    made.status_code = 201
    return made


def _check(divisions: list[list[str]], moving: int, since: str, until: str) -> None:
    try:
        check_divisions(divisions, moving)
    except LeagueError as error:
        raise Refusal(422, *error.text) from None
    if until and until < since:
        raise Refusal(422, "赛季的最后一天在第一天之前。", "the last day of the season is before its first.")


@routes.get("/leagues/{id}", response_model=LeagueView)
async def league(id: str, who: Whose, tables: TheTables, asker: Asker) -> Plain:
    """Return a league with the standings of its seasons."""
    return Plain(await _league(*await _read_league(id, who, tables), who, tables, asker))


@routes.post("/leagues/{id}", response_model=LeagueView, dependencies=[Depends(stores)])
async def next_season(id: str, given: NextSeason, tables: TheTables, asker: Asker) -> Plain:
    """Begin the next season, with the promotions of the last one, which ends the day before."""
    entries = (await _read_league(id, given.who, tables))[1]
    last = entries[-1].body["season"]
    if given.since <= last["since"]:
        raise Refusal(422, "新赛季要在上一个之后开始。", "a season must begin after the one before.")
    if not last["until"] or last["until"] >= given.since:
        raise Refusal(
            409,
            f"上一个赛季还没结束（到 {last['until'] or '以后'}）。",
            f"the last season is not over (until {last['until'] or 'further notice'}).",
        )
    divisions = await tables.compute(given.who, asker, work.next_divisions, entries[0].body["league"], last)
    _check(divisions, 0, given.since, given.until)
    body = {"season": {"divisions": divisions, "since": given.since, "until": given.until}}
    await _append(tables, id, given.seen, body)
    return Plain(await _league(*await _read_league(id, given.who, tables), given.who, tables, asker))


@routes.delete("/leagues/{id}", status_code=204)
async def delete_league(id: str, who: Whose, tables: TheTables) -> Response:
    """Delete a league; its tables stay."""
    await _read_league(id, who, tables)
    await tables.logs.delete(id)
    return Response(status_code=204)


async def _append(tables: TheTables, id: str, seen: int, body: dict[str, Any]) -> None:
    try:
        await tables.logs.append(id, seen, [body])
    except Conflict:
        raise Refusal(
            409, "刚在别处改过，请看过最新的再改。", "it was just changed elsewhere; check the latest version first."
        ) from None


# ---- fees


async def _read_fees(who: str, tables: TheTables) -> tuple[str, list[dict[str, Any]]]:
    """Return the id of an owner's ledger ("": none yet) and its entries; merged browsers have one with all of them."""
    heads = sorted(await tables.logs.list(FEES, who), key=lambda head: (head.created, head.id))
    bodies: list[dict[str, Any]] = []
    for head in heads:
        found = await tables.logs.read(head.id)
        bodies += [entry.body for entry in found[1][1:]] if found is not None else []
    return (heads[0].id if heads else ""), bodies


@routes.get("/fees", response_model=FeesView)
async def fees(who: Whose, tables: TheTables) -> Plain:
    """Return an owner's ledger of fees."""
    return Plain(work.fees((await _read_fees(who, tables))[1]))


@routes.get("/fees/export", response_model=None)
async def export_fees(who: Whose, tables: TheTables) -> Response:
    """Export the ledger of fees as CSV."""
    return attachment(work.fees_file((await _read_fees(who, tables))[1]), "quepu-fees.csv", CSV)


@routes.post("/fees", response_model=FeesView, dependencies=[Depends(stores)])
async def change_fees(given: FeeChange, tables: TheTables) -> Plain:
    """Write an amount into the ledger, or take one back."""
    id, bodies = await _read_fees(given.who, tables)
    if not any(body.get("key") == given.key for body in bodies):
        if (given.fee is None) == (given.undo is None):
            raise Refusal(422, "写一笔，或撤一笔。", "give either an amount, or the one to take back.")
        if given.undo is not None and not any(body.get("key") == given.undo for body in bodies if "day" in body):
            raise Refusal(404, "没有这一笔。", "there is no such amount.")
        if given.seen != len(bodies):
            raise Refusal(
                409, "账刚在别处改过，请看过最新的再改。", "the ledger was just changed elsewhere; check it first."
            )
        if len(bodies) >= _MOST:
            raise Refusal(409, "账太长了，请先导出。", "the ledger is full; export it first.")
        if not id:
            id = (await tables.logs.create(FEES, given.who, "", {"quepu": "fees"})).id
        change = {"undo": given.undo} if given.fee is None else given.fee.model_dump()
        there = await tables.logs.read(id)
        await _append(tables, id, there[0].length if there else 1, {"key": given.key, **change})
    return Plain(work.fees((await _read_fees(given.who, tables))[1]))
