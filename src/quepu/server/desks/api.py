"""The tournament desk over HTTP: a log of records, folded again each time it has grown."""

from __future__ import annotations

import json
import secrets
import time
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import Response

from quepu.scorekeeper.records import TableSpec
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker, payers
from quepu.server.desks import working as work
from quepu.server.desks.messages import BeginRound, ClubDesk, DeskChange, DeskHead, DeskView, DrawRounds, OpenDesk
from quepu.server.http.messages import Refused
from quepu.server.http.responses import Lang, Plain, Refusal, Whose
from quepu.server.lru_cache import LRUCache
from quepu.server.rooms.messages import RoomSpec, Sat
from quepu.server.rooms.record import is_released
from quepu.server.rooms.registry import RoomRegistry
from quepu.server.score_tables.api import KIND as TABLE
from quepu.server.score_tables.api import READER, Tables, has
from quepu.server.score_tables.clubs_working import desk_records
from quepu.server.score_tables.messages import ReaderLink
from quepu.server.score_tables.working import open_table as opened_table
from quepu.server.store.values import Conflict, Entry, LogHead
from quepu.tournament.desk_records import Begin, DeskSpec
from quepu.tournament.walls import commitment_to

routes = APIRouter(
    prefix="/api/desks",
    tags=["tournaments"],
    responses={status: {"model": Refused} for status in (400, 403, 404, 409, 422)},
)
KIND = "desk"
DESK = "裁判台"
"""Name shown for seats whose link was issued by the desk."""
_END = 1 << 30
"""A number beyond the last entry of any log."""
_MOST = 5000
"""The most entries of one tournament."""


class Desks:
    """The tournaments of a server, and its score tables."""

    def __init__(self, tables: Tables, rooms: RoomRegistry, played: LRUCache) -> None:
        self.tables = tables
        self.rooms = rooms
        self.logs = tables.logs
        self._played = played

    async def read(self, id: str) -> tuple[LogHead, list[Entry], bool]:
        """Return the log of a tournament by its own id or its read-only id, and whether it was the latter.

        Raises:
            Refusal: the tournament does not exist.
        """
        found = await self.logs.read(id) if len(id) <= 32 else None
        readonly = found is not None and found[0].kind == READER
        if found is not None and readonly:
            found = await self.logs.read(str(found[1][0].body["table"]))
        if found is None or found[0].kind != KIND:
            raise Refusal(404, "没有这场比赛，可能已删除。", "there is no such tournament; it may have been deleted.")
        return found[0], found[1], readonly

    async def writable(self, id: str) -> tuple[LogHead, list[Entry]]:
        """Return the log of a tournament for writing.

        Raises:
            Refusal: the tournament does not exist, or the id is read-only.
        """
        head, entries, readonly = await self.read(id)
        if readonly:
            raise Refusal(403, "这是只读的链接。", "this link is read-only.")
        return head, entries

    async def results(self, entries: list[Entry], asker: str) -> dict[str, Any]:
        """Return the results of the tournament's score tables and rooms, by their ids."""
        ids, rooms = (work.list_opened(entries, online=online) for online in (False, True))
        found = {row.id: row.result for row in await self.tables.some(ids, asker)} if ids else {}
        for id in rooms:
            if (played := await self._of_room(id)) is not None:
                found[id] = played
        if any(id not in found or not self._played.get((id, "released")) for id in rooms):
            key = rooms[0], len(entries), json.dumps(found)
            over = await self.tables.shared.run(
                key, lambda: self.tables.pool.run(asker, work.over_rooms, entries, found)
            )
            await self._release(over)
        return found

    async def _of_room(self, id: str) -> dict[str, Any] | None:
        """Return the result of a match in a room, once it is over."""
        stored: dict[str, Any] | None = self._played.get(id)
        if stored is not None:
            return stored
        head = await self.logs.read(id, _END)
        if head is None or head[0].kind != "room":
            return None
        last = await self.logs.read(id, max(0, head[0].length - 1))  # of a match still in play, read no more
        if last is None or not any(work.ends(entry.body) for entry in last[1]):
            return None
        log = await self.logs.read(id)
        if log is None:
            return None
        lines = [str(entry.body["line"]) for entry in log[1] if "line" in entry.body]
        made = work.room_result(lines, sum(line.startswith('{"result":') for line in lines))
        return None if made is None else self._played.put(id, made, 200)

    async def _release(self, rooms: list[str]) -> None:
        """Publish the logs of rooms once no table plays their walls any more."""
        for id in rooms:
            log = await self.logs.read(id)
            if log is not None and not is_released(log[1][-1:]):
                with suppress(Conflict):
                    await self.logs.append(id, log[0].length, [{"released": True}])
            self._played.put((id, "released"), True)

    async def view(self, id: str, asker: str) -> Plain:
        """Return the public view of the tournament."""
        head, entries, readonly = await self.read(id)
        results = await self.results(entries, asker)
        given = id, head.created, entries, results, readonly
        key = id, head.length, json.dumps(results)
        return Plain(await self.tables.shared.run(key, lambda: self.tables.pool.run(asker, work.view, *given)))


def _desks(request: Request) -> Desks:
    state = request.app.state
    return Desks(state.tables, state.rooms, state.desk_rooms)


TheDesks = Annotated[Desks, Depends(_desks)]


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


@routes.get("/{id}/export", response_model=None)
async def export(id: str, desks: TheDesks, asker: Asker, lang: Lang) -> Response:
    """Export standings and results as a spreadsheet."""
    head, entries, _ = await desks.read(id)
    results = await desks.results(entries, asker)
    made = await desks.tables.pool.run(asker, work.export_standings, entries, results, lang)
    disposition = {"content-disposition": f'attachment; filename="quepu-{head.id}.csv"'}
    return Response(made, media_type="text/csv; charset=utf-8", headers=disposition)


@routes.get("/{id}/walls/{number}", response_model=None)
async def walls(id: str, number: Annotated[int, Path(ge=1, le=30)], desks: TheDesks, asker: Asker) -> Response:
    """Return the shared walls of a round; `quepu verify` checks them against the commitment."""
    _, entries, readonly = await desks.read(id)
    results = await desks.results(entries, asker)
    made = await desks.tables.pool.run(asker, work.walls, entries, results, number, readonly)
    disposition = {"content-disposition": f'attachment; filename="quepu-walls-{number}.json"'}
    return Response(made, media_type=Plain.media_type, headers=disposition)


@routes.delete("/{id}", status_code=204)
async def delete(id: str, who: Whose, desks: TheDesks) -> Response:
    """Delete a tournament for good, as its owner. Its score tables stay."""
    head, _ = await desks.writable(id)
    if head.owner != who:
        raise Refusal(403, "只有创建者能删除。", "only the player who opened it can delete it.")
    for link in await desks.logs.list(READER, head.id):
        await desks.logs.delete(link.id)
    await desks.logs.delete(head.id)
    return Response(status_code=204)


@routes.post("/{id}", response_model=DeskView, dependencies=[Depends(stores)])
async def change(id: str, given: DeskChange, desks: TheDesks, asker: Asker) -> Plain:
    """Write a record; refused with 409 if another writer was faster."""
    head, entries = await desks.writable(id)
    if has(entries, given.key):
        return await desks.view(id, asker)
    if given.seen != head.length:
        raise _overtaken()
    if head.length >= _MOST:
        raise Refusal(409, "这场比赛的记录太多了。", "this tournament has too many entries.")
    secret = ""
    pool, results = desks.tables.pool, await desks.results(entries, asker)
    if isinstance(given.record, DrawRounds):
        wanted = given.record
        seed = secrets.randbits(32)  # a draw among friends need not be secret
        record = await pool.run(
            asker, work.draw_rounds, entries, results, wanted.rounds, wanted.by, wanted.absent, seed
        )
    elif isinstance(given.record, BeginRound):
        secret = secrets.token_hex(32) if given.record.same_walls else ""
        promise = commitment_to(secret) if secret else ""
        record = Begin(anyway=given.record.anyway, commitment=promise, online=given.record.open_rooms).model_dump()
    else:
        record = given.record.model_dump()
    tables = await pool.run(asker, work.check_record, entries, results, record)  # refuses impossible records
    if isinstance(given.record, BeginRound) and given.record.open_rooms:
        record["opened"] = await _rooms(desks, entries, tables, secret, asker)
    elif isinstance(given.record, BeginRound) and given.record.open_tables:
        record["opened"] = await _open_tables(desks, head, entries, tables, asker)
    body: dict[str, Any] = {"at": time.time(), "records": [record]} | ({"key": given.key} if given.key else {})
    if secret:
        body["secret"] = secret  # stored in the log, but only the desk itself sees it before the round is over
    try:
        length = await desks.logs.append(head.id, given.seen, [body])
    except Conflict:
        if has((await desks.writable(id))[1], given.key):  # sent twice at the same time
            return await desks.view(id, asker)
        raise _overtaken() from None
    if length is None:
        raise Refusal(404, "没有这场比赛，可能已删除。", "there is no such tournament; it may have been deleted.")
    desks.tables.followers.grown(head.id)
    return await desks.view(id, asker)


async def _open_tables(
    desks: Desks, head: LogHead, entries: list[Entry], tables: list[list[str | None]], asker: str
) -> list[str]:
    """Open score tables for the tables of a round; a table of three uses a score sheet, and has none ("")."""
    spec = DeskSpec.model_validate(entries[0].body["spec"])
    number = 1 + sum(record["do"] == "begin" for entry in entries for record in entry.body.get("records", ()))
    found = []
    for at, names in enumerate(tables, 1):
        four = [name for name in names if name is not None]
        if len(four) < len(names):
            found.append("")
            continue
        table = TableSpec(
            title=f"{spec.title[:60]} {number}-{at}", rules=spec.rules, house=spec.house, names=four, rounds=spec.length
        )
        made, _ = await desks.tables.pool.run(asker, opened_table, table, [])
        opened = await desks.logs.create(TABLE, head.owner, table.title, {"spec": made})
        await desks.tables.first_view(opened.id, asker)
        found.append(opened.id)
    return found


async def _rooms(
    desks: Desks, entries: list[Entry], tables: list[list[str | None]], secret: str, asker: str
) -> list[str]:
    """Open rooms for the tables of a round; a table of three uses a score sheet, and has none ("")."""
    spec = DeskSpec.model_validate(entries[0].body["spec"])
    number = 1 + sum(record["do"] == "begin" for entry in entries for record in entry.body.get("records", ()))
    wanted = []
    for at, names in enumerate(tables, 1):
        four = [name for name in names if name is not None]
        if len(four) == len(names):
            room = RoomSpec(
                title=f"{spec.title[:60]} {number}-{at}", rules=spec.rules, house=spec.house, rounds=spec.length,
                bots=["", "", "", ""], listed=False, hints=False, spectators=not secret, show_hands=not secret,
            )  # fmt: skip
            wanted.append((room, four))
    made = iter(await desks.rooms.open_several(wanted, asker, payers(asker), secret))
    return [next(made).id if None not in names else "" for names in tables]


def _overtaken() -> Refusal:
    return Refusal(
        409, "别处刚改过，请核对最新内容后再改。", "this was just changed elsewhere; check the latest version first."
    )
