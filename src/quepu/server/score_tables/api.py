"""The scorekeeper over HTTP. A table is a log of changes, from which its state is computed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from starlette.responses import Response

from quepu.scorekeeper.records import SubstituteRecord, TableSpec
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.responses import CSV, Lang, Plain, Refusal, Whose, attachment, from_state, refusals
from quepu.server.limits import Limits
from quepu.server.live import Followers
from quepu.server.lru_cache import LRUCache, SharedWork
from quepu.server.players.working import Rosters
from quepu.server.score_tables import working as work
from quepu.server.score_tables.messages import (
    Change,
    ImportTable,
    NewEntry,
    OpenTable,
    ReaderLink,
    TableHead,
    TableView,
    Trial,
    TrialAnswer,
)
from quepu.server.score_tables.working import Stored
from quepu.server.store.values import Conflict, Entry, LogHead, LogStore, TableResult, TableResultStore
from quepu.server.work import Pool

routes = APIRouter(
    prefix="/api/tables",
    tags=["tables"],
    responses=refusals(400, 403, 404, 409, 422),
)
KIND = "table"
READER = "reader"
"""Kind of a log that is a read-only link: its owner is the table's id, and its first entry repeats it."""
_MOST = 4000
"""The most entries of one table; a match of a hundred hands, each corrected ten times, stays far below."""
_AT_ONCE = 20
"""Tables of a list that are read and computed in one go."""


class Tables:
    """The score tables of a server: their logs, and their results, computed in other processes and cached."""

    def __init__(self, logs: LogStore, results: TableResultStore, pool: Pool, limits: Limits) -> None:
        self.logs = logs
        self.results = results
        self.rosters = Rosters(logs)
        self.pool = pool
        self.limits = limits
        self.views = LRUCache(3 << 20)  # bytes
        self.shared = SharedWork()
        """Views in progress: all followers of a table or tournament ask as soon as it has grown."""
        self._linking = asyncio.Lock()
        self.followers = Followers(logs)

    async def read(self, id: str) -> Stored:
        """Return the log of a table, by its own id or its read-only id.

        Raises:
            Refusal: the table does not exist.
        """
        found = await self.logs.read(id) if len(id) <= 32 else None
        if found is not None and found[0].kind == READER:
            table = await self.logs.read(_find_linked(found[1]))
            if table is not None and table[0].kind == KIND:
                return Stored(table[0]._replace(id=id, owner=""), table[1], readonly=True)
        if found is None or found[0].kind != KIND:
            raise _no_table()
        return Stored(*found)

    async def find_log(self, id: str) -> str:
        """Return the id of the log behind a table, by its own id or its read-only id.

        Raises:
            Refusal: the table does not exist.
        """
        found = await self.logs.read(id) if len(id) <= 32 else None
        if found is None or found[0].kind not in (KIND, READER):
            raise _no_table()
        return _find_linked(found[1]) if found[0].kind == READER else id

    async def writable(self, id: str) -> Stored:
        """Return the log of a table for writing.

        Raises:
            Refusal: the table does not exist, or the id is read-only.
        """
        stored = await self.read(id)
        if stored.readonly:
            raise Refusal(
                403, "这是只读的链接，不能改这张桌子。", "this link is read-only: it cannot change the table."
            )
        return stored

    async def reader(self, id: str) -> str:
        """Return the read-only id of a table; always the same.

        Raises:
            Refusal: the table does not exist.
        """
        head = (await self.writable(id)).head
        async with self._linking:
            links = await self.logs.list(READER, head.id, 1)
            made = links[0] if links else await self.logs.create(READER, head.id, head.title, {"table": head.id})
        return made.id

    async def delete(self, head: LogHead) -> None:
        """Delete a table and its read-only links."""
        for link in await self.logs.list(READER, head.id):
            await self.logs.delete(link.id)
        await self.logs.delete(head.id)

    async def view(self, stored: Stored, asker: str) -> bytes:
        """Return a table with everything derived from its records, as JSON."""
        key = stored.head.id, stored.head.length
        rendered: bytes | None = self.views.get(key)
        if rendered is None:
            rendered = await self.shared.run(key, lambda: self.pool.run(asker, work.view, stored))
            self.views.put(key, rendered, len(rendered))
        return rendered

    async def first_view(self, id: str, asker: str) -> bytes:
        """Return a table that was just opened, after its result is stored."""
        stored = await self.read(id)
        await self.results.put(await self.pool.run(asker, work.results, [stored]))
        return await self.view(stored, asker)

    async def after(self, stored: Stored, given: NewEntry, asker: str) -> tuple[dict[str, Any], bytes, TableResult]:
        """Return the log entry of a change, and the table and its result after it; nothing is written yet.

        Raises:
            Refusal: the change is impossible, or the table is full. Error: its record, or a later one, is impossible.
        """
        head, entries, _ = stored
        if head.length >= _MOST:
            raise Refusal(
                409, "这张桌子的记录太多了，请另开一桌。", "this table has too many entries; please open another."
            )
        body: dict[str, Any] = {"do": given.do} | ({"key": given.key} if given.key else {})
        records = len(work.records_of(entries)[1])
        if given.do in ("insert", "correct", "remove"):
            if given.at is None or given.at >= records:
                raise Refusal(404, "没有这条记录。", "there is no such record.")
            body["at"] = given.at
        if given.do in ("add", "insert", "correct"):
            if given.record is None:
                raise Refusal(422, "缺少“record”。", "'record' is missing.")
            body["record"] = given.record.model_dump(exclude={"came_to"})
            if isinstance(given.record, SubstituteRecord):
                [id] = await self.rosters.ids(head.owner, [given.record.name], [given.record.id])
                body["record"]["id"] = id
        if given.do == "rename":
            if given.at not in range(4) or given.name is None:
                raise Refusal(422, "请写明给谁改名、改成什么。", "give the player and the new name.")
            body |= {"at": given.at, "name": given.name}
            [id] = await self.rosters.ids(head.owner, [given.name], [given.player])
            body |= {"player": id} if id else {}
        if given.do in ("add", "insert"):
            refuse_too_many(records + 1, self.limits)
        then = Stored(head._replace(length=head.length + 1), [*entries, Entry(head.length, 0.0, body)])
        new = None if given.record is None else records if given.do == "add" else given.at
        # refuses impossible changes before anything is written
        view, came_to, result = await self.pool.run(asker, work.write_record, then, new)
        if came_to:
            body["came_to"] = came_to
        return body, view, result

    async def seat_players(self, spec: TableSpec, owner: str) -> TableSpec:
        """Return a table to be opened with the ids of players in its owner's roster."""
        return spec.model_copy(update={"players": await self.rosters.ids(owner, spec.names, spec.players)})

    async def move(self, id: str, number: int | None, asker: str, club: str = "") -> None:
        """Move a table to another round of its club night, or of another one (`club`), or out of it.

        Raises:
            Refusal: another writer was faster.
        """
        stored = await self.writable(id)
        body = {"do": "club", "round": number} | ({"club": club} if club else {})
        try:
            await self.logs.append(id, stored.head.length, [body])
        except Conflict:
            raise overtaken() from None
        self.followers.grown(id)
        await self.results.put(await self.pool.run(asker, work.results, [await self.read(id)]))

    async def some(self, ids: list[str], asker: str) -> list[TableResult]:
        """Return the results of these tables; deleted ones are left out."""
        found = await self.results.some(ids)
        there = {row.id for row in found}
        for id in ids:
            if id and id not in there and (log := await self.logs.read(id)) is not None and log[0].kind == KIND:
                rows = await self.pool.run(asker, work.results, [Stored(*log)])
                await self.results.put(rows)
                found += rows
        return found

    async def all(
        self, owner: str, asker: str, *, club: str | None = None, figures: bool = False, most: int = 1000
    ) -> list[TableResult]:
        """Return the results of an owner's tables, newest first; unknown ones are computed."""
        found = await self.results.of(owner, club=club, figures=figures, most=most)
        new = [head.id for head, row in found if row is None]
        made: dict[str, TableResult] = {}
        for i in range(0, len(new), _AT_ONCE):
            several = [await self.read(id) for id in new[i : i + _AT_ONCE]]
            rows = await self.pool.run(asker, work.results, several)
            await self.results.put(rows)
            made |= {row.id: row for row in rows}
        rows_of = [(head, made[head.id] if row is None else row) for head, row in found]
        return [
            row._replace(shown={**row.shown, "updated": head.updated})
            for head, row in rows_of
            if club is None or row.club == club
        ]

    async def compute(
        self, owner: str, asker: str, what: Callable[..., Any], *given: Any, club: str | None = None
    ) -> Any:
        """Compute something from the results of an owner's tables and the changes of the roster."""
        rows = await self.all(owner, asker, club=club, figures=True)
        return await self.pool.run(asker, what, rows, await self.rosters.read(owner), *given)


def _find_linked(entries: list[Entry]) -> str:
    """Return the table of a read-only link."""
    return str(entries[0].body["table"])


def is_same_table(one: Any, other: Any) -> bool:
    """Return whether two tables were opened alike, whatever ids the roster gives their players."""
    return isinstance(one, dict) and {**one, "players": []} == {**other, "players": []}


def title_of(spec: TableSpec) -> str:
    """Return the title of a table in lists: without one, the names, separated as in either language."""
    return (spec.title.strip() or " · ".join(spec.names))[:200]


def _no_table() -> Refusal:
    return Refusal(404, "没有这张桌子，可能已删除。", "there is no such table; it may have been deleted.")


TheTables = Annotated[Tables, from_state("tables")]


def show_table(view: bytes, status: int = 200) -> Response:
    """Return a table as a response."""
    return Response(view, status, media_type=Plain.media_type)


# ---- the routes


@routes.post("", response_model=TableView, status_code=201, dependencies=[Depends(stores)])
async def open_table(given: OpenTable, tables: TheTables, asker: Asker) -> Response:
    """Open a table."""
    spec = await tables.seat_players(TableSpec.model_validate(given.model_dump(exclude={"who", "id"})), given.who)
    made, _ = await tables.pool.run(asker, work.open_table, spec, [])  # refuses invalid names and rules
    try:
        head = await tables.logs.create(KIND, given.who, title_of(spec), {"spec": made}, id=given.id or "")
    except Conflict:
        found = await tables.logs.read(given.id or "")
        if found is None or found[0].owner != given.who or not is_same_table(found[1][0].body.get("spec"), made):
            raise overtaken() from None
        return show_table(await tables.view(Stored(*found), asker))  # it was opened before, but the response was lost
    return show_table(await tables.first_view(head.id, asker), 201)


@routes.post("/import", response_model=TableView, status_code=201, dependencies=[Depends(stores)])
async def import_table(given: ImportTable, tables: TheTables, asker: Asker) -> Response:
    """Open a table from an exported file."""
    refuse_too_many(len(given.table.records), tables.limits)
    made, settled, differing = await tables.pool.run(asker, work.open_file, given.table)
    first = {"spec": made} | ({"imported": differing} if differing else {})
    head = await tables.logs.create(KIND, given.who, title_of(given.table.spec), first)
    if settled:
        bodies = [{"do": "add", "record": record} for record in settled]
        await tables.logs.append(head.id, 1, bodies)
    return show_table(await tables.first_view(head.id, asker), 201)


def refuse_too_many(records: int, limits: Limits) -> None:
    """Refuse a table with too many records."""
    most = limits.table_records
    if records > most:
        raise Refusal(
            409, f"一张桌子最多 {most} 条记录，请另开一桌。", f"a table has at most {most} records; open another."
        )


@routes.get("", response_model=list[TableHead])
async def tables(who: Whose, tables: TheTables, asker: Asker) -> Plain:
    """List an owner's tables, the latest first."""
    return Plain([one.shown for one in await tables.all(who, asker, most=200)])


@routes.get("/{id}", response_model=TableView)
async def table(id: str, tables: TheTables, asker: Asker) -> Response:
    """Return a table with everything derived from its records."""
    return show_table(await tables.view(await tables.read(id), asker))


@routes.post("/{id}/preview", response_model=TrialAnswer)
async def preview(id: str, given: Trial, tables: TheTables, asker: Asker) -> Plain:
    """Preview the effect of a record before it is written."""
    stored = await tables.writable(id)
    records = len(work.records_of(stored.entries)[1])
    at = records if given.at is None else given.at
    if at > records:
        raise Refusal(404, f"没有第 {at + 1} 条记录。", f"there is no record {at + 1}.")
    return Plain(await tables.pool.run(asker, work.trial, stored, at, given.record))


@routes.post("/{id}", response_model=TableView, dependencies=[Depends(stores)])
async def change(id: str, given: Change, tables: TheTables, asker: Asker) -> Response:
    """Write, correct or remove a record, or undo; refused with 409 if another writer was faster."""
    stored = await tables.writable(id)
    head, entries, _ = stored
    if has_change(entries, given.key):
        return show_table(await tables.view(stored, asker))  # it was written before, but the response was lost
    if given.seen != head.length:
        raise overtaken()
    body, view, result = await tables.after(stored, given, asker)
    try:
        length = await tables.logs.append(id, given.seen, [body])
    except Conflict:
        stored = await tables.read(id)
        if has_change(stored.entries, given.key):  # sent twice at the same time
            return show_table(await tables.view(stored, asker))
        raise overtaken() from None
    if length is None:
        raise _no_table()
    await tables.results.put([result])
    tables.followers.grown(id)
    return show_table(view)


@routes.get("/{id}/live", response_model=None)
async def live(id: str, tables: TheTables) -> Response:
    """Stream the table's length, now and after each change, as server-sent events; followers then reload it."""
    return tables.followers.stream(await tables.find_log(id))


def has_change(entries: Sequence[Entry], key: str) -> bool:
    """Return whether a change with this key has been written."""
    return bool(key) and any(entry.body.get("key") == key for entry in entries)


def overtaken() -> Refusal:
    """Build the refusal of a change because another was written in the meantime."""
    return Refusal(
        409,
        "别处刚改过这张桌子，请核对最新内容后再改。",
        "this table was just changed elsewhere; check the latest version first.",
    )


@routes.post("/{id}/reader", response_model=ReaderLink, dependencies=[Depends(stores)])
async def reader(id: str, tables: TheTables) -> Plain:
    """Return a read-only link to the table: `/scorekeeper/READER`."""
    return Plain({"reader": await tables.reader(id)})


@routes.delete("/{id}", status_code=204)
async def delete(id: str, who: Whose, tables: TheTables) -> Response:
    """Delete a table for good, as its owner."""
    head = (await tables.writable(id)).head
    if head.owner != who:
        raise Refusal(403, "只有开桌的人能删除。", "only the player who opened a table can delete it.")
    await tables.delete(head)
    return Response(status_code=204)


@routes.get("/{id}/export", response_model=None)
async def export(
    id: str, tables: TheTables, asker: Asker, lang: Lang, format: Literal["json", "csv"] = "json"
) -> Response:
    """Export the table: JSON that can be opened again, or CSV for a spreadsheet."""
    stored = await tables.read(id)
    made = await tables.pool.run(asker, work.export_table, stored, format, lang)
    kind = CSV if format == "csv" else Plain.media_type
    return attachment(made, f"quepu-{stored.head.id}.{format}", kind)
