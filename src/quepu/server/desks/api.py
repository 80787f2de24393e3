"""The tournament desk over HTTP: a log of records, folded again each time it has grown."""

from __future__ import annotations

import base64
import time
from contextlib import suppress
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import Response

from quepu.scorekeeper.records import TableSpec
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.desks import exporting, wall_files
from quepu.server.desks import working as work
from quepu.server.desks.changes import collect_records, make_correction, open_rooms, open_tables, overtaken
from quepu.server.desks.messages import (
    BeginRound,
    CheckInHere,
    ClubDesk,
    DeskChange,
    DeskGrid,
    DeskHead,
    DeskHistory,
    DeskView,
    NextTable,
    OpenDesk,
    PhotoTaken,
    SlipPhoto,
    SwapShape,
)
from quepu.server.desks.repository import KIND, TheDesks
from quepu.server.http.responses import Lang, Plain, Refusal, Whose, attachment, refusals
from quepu.server.rooms.messages import Sat
from quepu.server.score_tables.api import READER, has_change
from quepu.server.score_tables.clubs_working import desk_records
from quepu.server.score_tables.messages import ReaderLink
from quepu.server.score_tables.working import open_table as opened_table
from quepu.server.store.values import PHOTO, Conflict
from quepu.tournament.desk_records import CheckIn, DeskSpec
from quepu.tournament.ema_results import Event, make_event

routes = APIRouter(
    prefix="/api/desks",
    tags=["tournaments"],
    responses=refusals(400, 403, 404, 409, 422),
)
DESK = "裁判台"
"""Name shown for seats whose link was issued by the desk."""
_MOST = 5000
"""The most entries of one tournament."""
_MOST_PHOTOS = 200
"""The most pictures of one tournament."""
_TRIES = 20
"""How often a check-in is tried again because others write at the same moment."""


@routes.post("", response_model=DeskView, status_code=201, dependencies=[Depends(stores)])
async def open_desk(given: OpenDesk, desks: TheDesks, asker: Asker) -> Plain:
    """Open a tournament."""
    spec = DeskSpec.model_validate(given.model_dump(exclude={"who", "players"}))
    trial = TableSpec(rules=spec.rules, house=spec.house, names=["1", "2", "3", "4"], rounds=spec.length)
    await desks.tables.pool.run(asker, opened_table, trial, [])  # refuses impossible rules
    players = await desks.tables.pool.run(asker, work.parse_players, given.players)
    head = await desks.logs.create(KIND, given.who, spec.title, {"spec": spec.model_dump(), "records": players})
    answer = await desks.view(head.id, asker)
    answer.status_code = 201
    return answer


@routes.post("/club", response_model=DeskView, status_code=201, dependencies=[Depends(stores)])
async def open_club(given: ClubDesk, desks: TheDesks, asker: Asker) -> Plain:
    """Continue a club night at a desk; repeated calls return the same one."""
    for head, first in await desks.logs.list_with_first(KIND, given.who, 200):
        if first["spec"].get("club") == given.club:
            return await desks.view(head.id, asker)
    rows = await desks.tables.all(given.who, asker, club=given.club)
    made = await desks.tables.pool.run(asker, desk_records, given.club, rows, given.rules, given.house, given.length)
    spec, bodies = made
    seated = {record["name"] for body in bodies for record in body["records"] if record["do"] == "enter"}
    late = [
        one
        for one in await desks.tables.pool.run(asker, work.parse_players, given.players)
        if one["name"] not in seated
    ]
    if late:
        bodies.append({"at": time.time(), "records": late})
    head = await desks.logs.create(KIND, given.who, given.club, {"spec": spec})
    if bodies:
        await desks.logs.append(head.id, 1, bodies)
    answer = await desks.view(head.id, asker)
    answer.status_code = 201
    return answer


@routes.get("", response_model=list[DeskHead])
async def list_desks(who: Whose, desks: TheDesks) -> Plain:
    """List the tournaments of an owner, the latest first."""
    found = await desks.logs.list(KIND, who)
    return Plain([{"id": head.id, "title": head.title, "updated": head.updated} for head in found])


@routes.get("/{id}", response_model=DeskView)
async def desk(id: str, desks: TheDesks, asker: Asker) -> Plain:
    """Return a tournament's current state."""
    return await desks.view(id, asker)


@routes.get("/{id}/live", response_model=None)
async def live(id: str, desks: TheDesks) -> Response:
    """Stream the length of the log, now and whenever it grows, as server-sent events."""
    head, _, _ = await desks.read(id)
    return desks.tables.followers.stream(head.id)


@routes.post("/{id}/reader", response_model=ReaderLink, dependencies=[Depends(stores)])
async def reader(id: str, desks: TheDesks) -> Plain:
    """Return a read-only link to the tournament."""
    head, _ = await desks.writable(id)
    links = await desks.logs.list(READER, head.id, 1)
    made = links[0] if links else await desks.logs.create(READER, head.id, head.title, {"table": head.id})
    return Plain({"reader": made.id})


@routes.post("/{id}/rooms/{room}/places/{place}/link", response_model=Sat)
async def link(id: str, room: str, place: Annotated[int, Path(ge=0, le=3)], desks: TheDesks) -> Plain:
    """Issue a new seat token to a disconnected player at an online table of this tournament."""
    _, entries = await desks.writable(id)
    if room not in work.list_opened(entries, online=True):
        raise Refusal(404, "这不是这场比赛的房间。", "this room does not belong to this tournament.")
    made = await desks.rooms.call(room, "link", place=place, token="", by=DESK)  # the desk does not need a token
    return Plain({"room": room, "place": place, "token": made})


def _event(
    country: Annotated[str, Query(max_length=80, description="for EMA: three letters, such as FRA")] = "",
    place: Annotated[str, Query(max_length=80, description="for EMA: the town")] = "",
    first: Annotated[date | None, Query(description="for EMA: the first day")] = None,
    last: Annotated[date | None, Query(description="for EMA: the last day")] = None,
) -> Event:
    return make_event(country, place, first, last)


@routes.get("/{id}/export", response_model=None)
async def export(
    id: str,
    desks: TheDesks,
    asker: Asker,
    lang: Lang,
    event: Annotated[Event, Depends(_event)],
    form: exporting.Form = "standings",
) -> Response:
    """Export standings and results, the grid or EMA's form for spreadsheets, or everything as JSON."""
    head, entries, _ = await desks.read(id)
    results = await desks.results(entries, asker)
    made = await desks.tables.pool.run(asker, exporting.export, id, head.created, entries, results, form, lang, event)
    kind, media = exporting.FILES[form]
    return attachment(made, f"quepu-{head.id}{kind}", media)


@routes.get("/{id}/history", response_model=DeskHistory)
async def history(id: str, desks: TheDesks, asker: Asker) -> Plain:
    """Return everything that was written at the desk, corrections and undone changes included."""
    _, entries = await desks.writable(id)
    return Plain(await desks.tables.pool.run(asker, work.history, entries))


@routes.get("/{id}/grid", response_model=DeskGrid)
async def grid(id: str, desks: TheDesks, asker: Asker) -> Plain:
    """Return the points of every player in every round."""
    _, entries, _ = await desks.read(id)
    results = await desks.results(entries, asker)
    return Plain(await desks.tables.pool.run(asker, exporting.grid, entries, results))


@routes.get("/{id}/rounds/{number}/swaps", response_model=list[SwapShape])
async def swaps(id: str, number: Annotated[int, Path(ge=1, le=400)], name: str, desks: TheDesks, asker: Asker) -> Plain:
    """List with whom a player could exchange seats in a round, and the repeat meetings that this would cost."""
    _, entries = await desks.writable(id)
    results = await desks.results(entries, asker)
    return Plain(await desks.tables.pool.run(asker, work.list_swaps, entries, results, number, name))


@routes.post("/{id}/photos", response_model=PhotoTaken, status_code=201, dependencies=[Depends(stores)])
async def add_photo(id: str, given: SlipPhoto, desks: TheDesks) -> Plain:
    """Store a picture of a paper slip; its id goes into the slip's record."""
    head, _ = await desks.writable(id)
    if len(await desks.logs.list(PHOTO, head.id, _MOST_PHOTOS)) >= _MOST_PHOTOS:
        raise Refusal(
            409,
            f"这场比赛已有 {_MOST_PHOTOS} 张照片，不能再加。",
            f"this tournament has {_MOST_PHOTOS} photos already.",
        )
    made = await desks.logs.create(PHOTO, head.id, head.title, {"jpeg": given.jpeg})
    return Plain({"photo": made.id}, status_code=201)


@routes.get("/{id}/photos/{photo}", response_model=None)
async def photo(id: str, photo: Annotated[str, Path(max_length=32)], desks: TheDesks) -> Response:
    """Return a picture of a paper slip, for the organisers only: there are signatures on it."""
    head, _ = await desks.writable(id)
    found = await desks.logs.read(photo)
    if found is None or found[0].kind != PHOTO or found[0].owner != head.id:
        raise Refusal(404, "没有这张照片。", "there is no such photo.")
    return Response(base64.b64decode(found[1][0].body["jpeg"]), media_type="image/jpeg")


@routes.post("/{id}/check-in", response_model=DeskView, dependencies=[Depends(stores)])
async def check_in(id: str, given: CheckInHere, desks: TheDesks, asker: Asker) -> Plain:
    """Check a player in, from the public page; a second time has no effect."""
    for _ in range(_TRIES):
        head, entries, _ = await desks.read(id)
        desk = await desks.tables.pool.run(asker, work.desk_of, entries)
        if not desk.spec.check_in:
            raise Refusal(403, "现在不能自己签到，请到裁判台报到。", "check-in is closed; please see the organisers.")
        if given.name in desk.checked:
            return await desks.view(id, asker)
        if given.name not in desk.teams:
            raise Refusal(404, f"名单里没有“{given.name}”。", f"{given.name!r} is not among the players.")
        if head.length >= _MOST:
            raise Refusal(409, "这场比赛的记录太多了。", "this tournament has too many entries.")
        record = CheckIn(name=given.name).model_dump()
        with suppress(Conflict):
            await desks.logs.append(head.id, head.length, [{"at": time.time(), "records": [record]}])
            desks.tables.followers.grown(head.id)
            return await desks.view(id, asker)
    raise overtaken()


@routes.get("/{id}/walls/{number}", response_model=None)
async def walls(id: str, number: Annotated[int, Path(ge=1, le=30)], desks: TheDesks, asker: Asker) -> Response:
    """Return the shared walls of a round; `quepu verify` checks them against the commitment."""
    _, entries, readonly = await desks.read(id)
    results = await desks.results(entries, asker)
    made = await desks.tables.pool.run(asker, wall_files.walls, entries, results, number, readonly)
    return attachment(made, f"quepu-walls-{number}.json")


@routes.get("/{id}/trays/{number}", response_model=None)
async def trays(
    id: str, number: Annotated[int, Path(ge=1, le=30)], desks: TheDesks, asker: Asker, lang: Lang
) -> Response:
    """Return the slips for the trays of a duplicate round, as a file to print."""
    _, entries, readonly = await desks.read(id)
    results = await desks.results(entries, asker)
    made = await desks.tables.pool.run(asker, wall_files.trays, entries, results, number, readonly, lang)
    return attachment(made, f"quepu-trays-{number}.html", "text/html; charset=utf-8")


@routes.delete("/{id}", status_code=204)
async def delete(id: str, who: Whose, desks: TheDesks) -> Response:
    """Delete a tournament for good, as its owner. Its score tables stay."""
    head, _ = await desks.writable(id)
    if head.owner != who:
        raise Refusal(403, "只有创建者能删除。", "only the player who opened it can delete it.")
    for link in [*await desks.logs.list(READER, head.id), *await desks.logs.list(PHOTO, head.id, _MOST_PHOTOS)]:
        await desks.logs.delete(link.id)
    await desks.logs.delete(head.id)
    return Response(status_code=204)


@routes.post("/{id}", response_model=DeskView, dependencies=[Depends(stores)])
async def change(id: str, given: DeskChange, desks: TheDesks, asker: Asker) -> Plain:
    """Write a record; refused with 409 if another writer was faster."""
    head, entries = await desks.writable(id)
    if has_change(entries, given.key):
        return await desks.view(id, asker)
    if given.seen != head.length:
        raise overtaken()
    if head.length >= _MOST:
        raise Refusal(409, "这场比赛的记录太多了。", "this tournament has too many entries.")
    pool, results = desks.tables.pool, await desks.results(entries, asker)
    body: dict[str, Any] = {"at": time.time()} | ({"key": given.key} if given.key else {})
    secret = ""
    if given.do == "add":
        records, secret = await collect_records(desks, entries, results, given, asker)
        body["records"] = records
    else:
        body |= make_correction(given)
    after = await pool.run(asker, work.check_change, entries, results, body)  # refuses impossible changes
    spec = DeskSpec.model_validate(after["spec"])
    if isinstance(given.record, BeginRound) and given.record.open_rooms:
        body["records"][-1]["opened"] = await open_rooms(desks, spec, after, secret, asker)
    elif isinstance(given.record, BeginRound | NextTable) and given.record.open_tables:
        body["records"][-1]["opened"] = await open_tables(desks, head, spec, after, asker)
    if secret:
        body["secret"] = secret  # stored in the log, but only the desk itself sees it before the round is over
    try:
        title = spec.title if spec.title != head.title else None
        length = await desks.logs.append(head.id, given.seen, [body], title)
    except Conflict:
        if has_change((await desks.writable(id))[1], given.key):  # sent twice at the same time
            return await desks.view(id, asker)
        raise overtaken() from None
    if length is None:
        raise Refusal(404, "没有这场比赛，可能已删除。", "there is no such tournament; it may have been deleted.")
    desks.tables.followers.grown(head.id)
    return await desks.view(id, asker)
