"""The scorekeeper over HTTP. A table is a log of changes; what it stands at is worked out from them each time."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from quepu.server.keeping import Kept, Row, fold, likely
from quepu.server.messages import Refused, Who
from quepu.server.settling import asks, flows
from quepu.server.shapes import said
from quepu.server.speaking import Lang, Plain, Refusal
from quepu.server.store import Conflict, Entry, LogHead, Logs
from quepu.server.table_messages import (
    Change,
    ImportTable,
    OpenTable,
    Record,
    TableHead,
    TableSpec,
    TableView,
    Trial,
    TrialAnswer,
)
from quepu.server.wording import place_name
from quepu.tiles import WINDS

routes = APIRouter(
    prefix="/api/tables",
    tags=["tables"],
    responses={400: {"model": Refused}, 404: {"model": Refused}, 409: {"model": Refused}, 422: {"model": Refused}},
)
_RECORD: TypeAdapter[Record] = TypeAdapter(Record)
KIND = "table"
_MOST = 4000
"""Entries of one table; a match of a hundred hands, each corrected ten times, is far from it."""


def _logs(request: Request) -> Logs:
    return Logs(request.app.state.database)


Store = Annotated[Logs, Depends(_logs)]


# ---- from the log to the records


def records_of(entries: Sequence[Entry]) -> tuple[TableSpec, list[Record], int]:
    """The table's spec, its records after all changes, and how many changes could be undone."""
    spec = TableSpec.model_validate(entries[0].body["spec"])
    steps: list[list[Record]] = [[]]
    for entry in entries[1:]:
        body, now = entry.body, list(steps[-1])
        if body["do"] == "undo":
            if len(steps) > 1:
                steps.pop()
            continue
        record = _RECORD.validate_python(body["record"]) if body.get("record") else None
        if body["do"] == "add" and record is not None:
            now.append(record)
        elif body["do"] == "correct" and record is not None:
            now[body["at"]] = record
        elif body["do"] == "remove":
            del now[body["at"]]
        steps.append(now)
    return spec, steps[-1], len(steps) - 1


async def read_log(store: Logs, id: str) -> tuple[LogHead, list[Entry]]:
    """The log of a table.

    Raises:
        Refusal: there is none.
    """
    found = await store.read(id)
    if found is None or found[0].kind != KIND:
        raise Refusal(404, "没有这张桌子，可能已删除。", "there is no such table; it may have been deleted.")
    return found


# ---- showing


def _place(row: Any) -> dict[str, Any]:
    return {
        "name": said(place_name(row)).model_dump(),
        "round": row.round,
        "dealership": row.dealership,
        "repeat": row.repeat,
        "round_wind": WINDS[row.round_wind],
        "seats": list(row.seats),
    }


def _row(at: int, row: Row) -> dict[str, Any]:
    return {
        "at": at,
        "kind": row.record.kind,
        "place": _place(row.place),
        "text": row.text._asdict(),
        "how": row.how._asdict() if row.how else None,
        "payments": flows(row.payments),
        "gains": list(row.gains),
        "totals": list(row.totals),
        "pool": row.pool,
        "record": row.record.model_dump(),
    }


def _view(head: LogHead, kept: Kept, undoable: int) -> dict[str, Any]:
    match = kept.match
    rules = match.rules
    return {
        "id": head.id,
        "length": head.length,
        "title": head.title,
        "created": head.created,
        "updated": head.updated,
        "spec": kept.spec.model_dump(),
        "book": said(match.book.title).model_dump(),
        "unit": said(match.book.unit).model_dump(),
        "rows": [_row(at, row) for at, row in enumerate(kept.rows)],
        "totals": list(match.totals),
        "pool": match.pool,
        "standings": [s._asdict() for s in match.standings()],
        "place": _place(match.place),
        "over": match.over,
        "news": [text._asdict() for text in kept.news],
        "faults": [
            {
                "key": f.key,
                "text": f.text._asdict(),
                "points": f.points,
                "to": f.to,
                "barred": f.barred,
                "remedies": [text._asdict() for text in f.remedies],
            }
            for f in rules.faults
        ],
        "notes": [text._asdict() for text in rules.notes],
        "asks": asks(match.book),
        "usual": likely(kept),
        "can_undo": undoable > 0,
    }


async def _shown(head: LogHead, entries: Sequence[Entry]) -> Plain:
    spec, records, undoable = records_of(entries)
    kept = await run_in_threadpool(fold, spec, records)
    return Plain(_view(head, kept, undoable))


def head_shape(head: LogHead, kept: Kept) -> dict[str, Any]:
    """A table as a line of a list."""
    return {
        "id": head.id,
        "title": head.title,
        "rules": kept.match.book.id,
        "names": list(kept.match.names),
        "totals": list(kept.match.totals),
        "hands": len(kept.match.hands),
        "over": kept.match.over,
        "place": place_name(kept.match.place)._asdict(),
        "updated": head.updated,
    }


# ---- the routes


@routes.post("", response_model=TableView, status_code=201)
async def open_table(asked: OpenTable, store: Store) -> Plain:
    """Open a table."""
    spec = TableSpec.model_validate(asked.model_dump(exclude={"who"}))
    await run_in_threadpool(fold, spec, [])  # refuses names and rules that cannot be
    title = spec.title.strip() or "、".join(spec.names)
    head = await store.create(KIND, asked.who, title[:200], {"spec": spec.model_dump()})
    answer = await _shown(head, (await read_log(store, head.id))[1])
    answer.status_code = 201
    return answer


@routes.post("/import", response_model=TableView, status_code=201)
async def import_table(asked: ImportTable, store: Store) -> Plain:
    """Open a table from a file that `export` gave."""
    spec, records = asked.table.spec, asked.table.records
    await run_in_threadpool(fold, spec, records)
    title = spec.title.strip() or "、".join(spec.names)
    head = await store.create(KIND, asked.who, title[:200], {"spec": spec.model_dump()})
    if records:
        bodies = [{"do": "add", "record": record.model_dump()} for record in records]
        await store.append(head.id, 1, bodies)
    answer = await _shown(*await read_log(store, head.id))
    answer.status_code = 201
    return answer


@routes.get("", response_model=list[TableHead])
async def tables(who: Annotated[Who, Query()], store: Store) -> Plain:
    """The tables of somebody, the latest first."""
    heads = []
    for head in await store.list(KIND, who):
        entries = (await read_log(store, head.id))[1]
        spec, records, _ = records_of(entries)
        kept = await run_in_threadpool(fold, spec, records)
        heads.append(head_shape(head, kept))
    return Plain(heads)


@routes.get("/{id}", response_model=TableView)
async def table(id: str, store: Store) -> Plain:
    """A table with everything that follows from its records."""
    return await _shown(*await read_log(store, id))


@routes.post("/{id}/preview", response_model=TrialAnswer)
async def preview(id: str, asked: Trial, store: Store) -> Plain:
    """What a record would lead to, before it is written down."""
    spec, records, _ = records_of((await read_log(store, id))[1])
    at = len(records) if asked.at is None else asked.at
    if at > len(records):
        raise Refusal(404, f"没有第 {at + 1} 条记录。", f"there is no record {at + 1}.")
    kept = await run_in_threadpool(fold, spec, [*records[:at], asked.record])
    return Plain({
        "row": _row(at, kept.rows[-1]),
        "news": [text._asdict() for text in kept.news],
        "totals": list(kept.match.totals),
    })  # fmt: skip


@routes.post("/{id}", response_model=TableView)
async def change(id: str, asked: Change, store: Store) -> Plain:
    """Write a record down, correct or remove one, or undo; refused with 409 if somebody else was faster."""
    head, entries = await read_log(store, id)
    if asked.seen != head.length:
        raise _overtaken()
    if head.length >= _MOST:
        raise Refusal(
            409, "这张桌子的记录太多了，请另开一桌。", "this table has too many entries; please open another."
        )
    body: dict[str, Any] = {"do": asked.do}
    if asked.do in ("correct", "remove"):
        _, records, _ = records_of(entries)
        if asked.at is None or asked.at >= len(records):
            raise Refusal(404, "没有这条记录。", "there is no such record.")
        body["at"] = asked.at
    if asked.do in ("add", "correct"):
        if asked.record is None:
            raise Refusal(422, "缺少“record”。", "'record' is missing.")
        body["record"] = asked.record.model_dump()
    after = [*entries, Entry(head.length, 0.0, body)]
    spec, records, undoable = records_of(after)
    kept = await run_in_threadpool(fold, spec, records)  # refuses what cannot be, before anything is written
    try:
        length = await store.append(id, asked.seen, [body])
    except Conflict:
        raise _overtaken() from None
    if length is None:
        raise Refusal(404, "没有这张桌子，可能已删除。", "there is no such table; it may have been deleted.")
    return Plain(_view(head._replace(length=length), kept, undoable))


def _overtaken() -> Refusal:
    return Refusal(
        409, "别处刚改过这张桌子，请看过最新的再改。", "this table was just changed elsewhere; look again first."
    )


@routes.delete("/{id}", status_code=204)
async def delete(id: str, who: Annotated[Who, Query()], store: Store) -> Response:
    """Delete a table for good; only whoever opened it may."""
    head, _ = await read_log(store, id)
    if head.owner != who:
        raise Refusal(403, "只有开桌的人能删除。", "only whoever opened a table may delete it.")
    await store.delete(id)
    return Response(status_code=204)


@routes.get("/{id}/export", response_model=None)
async def export(id: str, store: Store, lang: Lang, format: Literal["json", "csv"] = "json") -> Response:
    """The table as a file: JSON that can be opened again, or CSV for a spreadsheet."""
    head, entries = await read_log(store, id)
    spec, records, _ = records_of(entries)
    kept = await run_in_threadpool(fold, spec, records)
    disposition = {"content-disposition": f'attachment; filename="quepu-{head.id}.{format}"'}
    if format == "csv":
        return Response(_csv(kept, lang), media_type="text/csv; charset=utf-8", headers=disposition)
    data = {
        "quepu": "table",
        "version": 1,
        "spec": spec.model_dump(),
        "records": [record.model_dump() for record in records],
        "fingerprint": kept.match.book.fingerprint,
        "totals": list(kept.match.totals),
    }
    answer = Plain(data)
    answer.headers.update(disposition)
    return answer


def _csv(kept: Kept, lang: str) -> bytes:
    """A line a record; with the mark by which spreadsheets know UTF-8. A cell never begins like a formula."""
    out = io.StringIO()
    names = [_cell(name) for name in kept.match.names]
    heads = ("局", "结果", "合计") if lang != "en" else ("hand", "result", "total")
    writer = csv.writer(out)
    writer.writerow([heads[0], heads[1], *names, *(f"{name} {heads[2]}" for name in names)])
    for row in kept.rows:
        writer.writerow([place_name(row.place).say(lang), _cell(row.text.say(lang)), *row.gains, *row.totals])
    return ("\ufeff" + out.getvalue()).encode()


def _cell(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
