"""Entries that a request writes to a tournament: records, corrections, the score tables or rooms of a round."""

from __future__ import annotations

import secrets
from typing import Any

from quepu.scorekeeper.records import TableSpec
from quepu.server.budget import payers
from quepu.server.desks import working as work
from quepu.server.desks.messages import BeginRound, CutTo, DeskChange, DrawRounds, ImportSeating, NextTable
from quepu.server.desks.repository import Desks
from quepu.server.http.responses import Refusal
from quepu.server.rooms.messages import RoomSpec
from quepu.server.score_tables.api import KIND as TABLE
from quepu.server.score_tables.working import open_table as opened_table
from quepu.server.store.values import Entry, LogHead
from quepu.tournament.desk_records import Amend, Begin, DeskSpec
from quepu.tournament.walls import commitment_to


def make_correction(given: DeskChange) -> dict[str, Any]:
    """Return the entry of a correction, a removal or an undo."""
    if given.do == "undo":
        return {"do": "undo"}
    if given.of is None or (given.do == "correct" and given.record is None):
        raise Refusal(
            422,
            "请写明改哪一条（of）、改成什么（record）。",
            "give the record to change (of) and the new one (record).",
        )
    made: dict[str, Any] = {"do": given.do, "of": given.of, "note": given.note}
    if given.do == "correct" and given.record is not None:
        made["record"] = given.record.model_dump()
    return made


async def collect_records(
    desks: Desks, entries: list[Entry], results: dict[str, Any], given: DeskChange, asker: str
) -> tuple[list[dict[str, Any]], str]:
    """Return the records that a request adds, and the secret of their walls ("": there is none)."""
    wanted, pool = given.record, desks.tables.pool
    if wanted is None:
        raise Refusal(422, "缺少“record”。", "'record' is missing.")
    if isinstance(wanted, DrawRounds | ImportSeating | CutTo | NextTable):
        seed = secrets.randbits(32)  # a draw among friends need not be secret
        records = await pool.run(asker, work.resolve, entries, results, wanted.model_dump(), seed)
        if isinstance(wanted, NextTable):
            records.append(Begin(arena=True).model_dump())
        return records, ""
    if isinstance(wanted, BeginRound):
        secret = secrets.token_hex(32) if wanted.same_walls or wanted.own else ""
        promise = commitment_to(secret) if secret else ""
        begin = Begin(anyway=wanted.anyway, commitment=promise, online=wanted.open_rooms, own=wanted.own)
        return [begin.model_dump()], secret
    if isinstance(wanted, Amend) and (wanted.rules is not None or wanted.house is not None):
        spec = (await pool.run(asker, work.desk_of, entries)).spec
        trial = TableSpec(
            rules=wanted.rules or spec.rules,
            house=spec.house if wanted.house is None else wanted.house,
            names=["1", "2", "3", "4"],
        )
        await pool.run(asker, opened_table, trial, [])  # refuses impossible rules
    return [wanted.model_dump()], ""


async def open_tables(desks: Desks, head: LogHead, spec: DeskSpec, after: dict[str, Any], asker: str) -> list[str]:
    """Open score tables for the tables of a round; a table of three uses a score sheet, and has none ("")."""
    number, tables = after["number"], after["tables"]
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


async def open_rooms(desks: Desks, spec: DeskSpec, after: dict[str, Any], secret: str, asker: str) -> list[str]:
    """Open rooms for the tables of a round; a table of three uses a score sheet, and has none ("")."""
    number, tables = after["number"], after["tables"]
    wanted = []
    for at, names in enumerate(tables, 1):
        four = [name for name in names if name is not None]
        if len(four) == len(names):
            room = RoomSpec(
                title=f"{spec.title[:60]} {number}-{at}", rules=spec.rules, house=spec.house, rounds=spec.length,
                bots=["", "", "", ""], listed=False, hints=False, spectators=not secret, show_hands=not secret,
                own_walls=after["own"], flowers=False if after["own"] else None,
            )  # fmt: skip
            wanted.append((room, four))
    made = iter(await desks.rooms.open_several(wanted, asker, payers(asker), secret))
    return [next(made).id if None not in names else "" for names in tables]


def overtaken() -> Refusal:
    """Return the refusal of a change to a state that others have changed."""
    return Refusal(
        409, "别处刚改过，请核对最新内容后再改。", "this was just changed elsewhere; check the latest version first."
    )
