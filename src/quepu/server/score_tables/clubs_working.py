"""Club nights computed from their tables' results in another process: plain data in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from quepu.errors import Text
from quepu.scorekeeper.club import ClubTable, Result, desk_of, next_club_round, records_of, versions
from quepu.server.store.values import TableResult
from quepu.tournament.desk_records import DeskSpec
from quepu.tournament.desk_standings import DeskLine, standings
from quepu.tournament.desk_state import DeskError

Json = dict[str, Any]
By = Literal["total", "reduced", "standard"]


def tables_of(rows: Sequence[TableResult]) -> list[ClubTable]:
    """Return the tables of a club night in the order of rounds and titles."""
    ordered = sorted(rows, key=lambda row: (row.result["round"], len(row.shown["title"]), row.shown["title"]))
    return [ClubTable(row.id, float(row.shown["updated"]), Result.from_json(row.result)) for row in ordered]


def view(name: str, rows: Sequence[TableResult], by: By) -> Json:
    """Return the rounds of a club night, the standings over all its tables, and rounds with two versions."""
    tables = tables_of(rows)
    shown = {row.id: row.shown for row in rows}
    desk = desk_of(name, tables, [by])
    ranked = any(table.result.standard is not None for table in tables)
    numbers = sorted({table.result.round for table in tables})
    return {
        "name": name,
        "rounds": [
            {"number": n, "tables": [shown[table.id] for table in tables if table.result.round == n]} for n in numbers
        ],
        "conflicts": [_conflict(n, found) for n, found in _conflicts(tables)],
        "standings": [_line(line, ranked) for line in standings(desk)],
        "by": by,
        "alpha": desk.spec.alpha,
        "scale": desk.spec.scale,
    }


def _line(line: DeskLine, ranked: bool) -> Json:
    keys = ("rank", "name", "total", "reduced", "standard", "tables", "hands")
    return {key: getattr(line, key) for key in keys} | ({} if ranked else {"standard": None})


def _conflicts(tables: Sequence[ClubTable]) -> list[tuple[int, list[list[ClubTable]]]]:
    numbers = sorted({table.result.round for table in tables})
    found = [(n, versions([table for table in tables if table.result.round == n])) for n in numbers]
    return [(n, several) for n, several in found if len(several) > 1]


def _conflict(number: int, several: Sequence[Sequence[ClubTable]]) -> Json:
    text = Text(
        f"第 {number} 轮有 {len(several)} 份：几台设备没有网时各排了一次。请选打的是哪一份；"
        "都打了，就把后一份算作另一轮。",
        f"There are {len(several)} versions of round {number}: several devices drew it without a network. Choose the "
        "one that was played; if all were, the later ones become rounds of their own.",
    )
    return {
        "number": number,
        "text": text._asdict(),
        "versions": [[table.id for table in tables] for tables in several],
    }


def choose_rounds(rows: Sequence[TableResult], number: int, first: str | None) -> list[tuple[str, int | None]]:
    """Return the new round of each table of a round that has several versions, or None: not the club's.

    `first` is a table of the version that was played; None: all were played, and later ones become separate rounds.

    Raises:
        DeskError: this round has only one version, or none with that table.
    """
    tables = tables_of(rows)
    several = next((found for n, found in _conflicts(tables) if n == number), None)
    if several is None:
        raise DeskError(f"第 {number} 轮只有一份。", f"round {number} has only one version.")
    if first is None:
        last = max(table.result.round for table in tables)
        return [(table.id, last + i) for i, found in enumerate(several[1:], 1) for table in found]
    if not any(table.id == first for found in several for table in found):
        raise DeskError("没有这一份。", "there is no such version.")
    return [(t.id, None) for found in several if all(t.id != first for t in found) for t in found]


def newest_round(rows: Sequence[TableResult]) -> list[str]:
    """Return the ids of the tables of the newest round."""
    tables = tables_of(rows)
    newest = max((table.result.round for table in tables), default=0)
    return [table.id for table in tables if table.result.round == newest]


def next_round(
    rows: Sequence[TableResult], names: Sequence[str], by_standings: bool, seed: int, anyway: bool
) -> tuple[int, list[list[str]]]:
    """Return the number and the tables of the next round of a club night.

    Raises:
        Unfinished: the round before is not over, and `anyway` is not set. Error: no round can be drawn.
    """
    tables = tables_of(rows)
    for number, _ in _conflicts(tables):
        raise DeskError(
            f"第 {number} 轮有几份，请先选定。", f"there are several versions of round {number}: choose one first."
        )
    drawn = next_club_round(desk_of("club", tables), names, by_standings=by_standings, seed=seed, anyway=anyway)
    number = 1 + max((table.result.round for table in tables), default=0)
    return number, [[name for name in table if name is not None] for table in drawn.tables]


def desk_records(
    name: str, rows: Sequence[TableResult], rules: str, house: str, length: int | None
) -> tuple[Json, list[Json]]:
    """Return a club night as a tournament to continue at a desk: its spec, and its records with times."""
    tables = tables_of(rows)
    desk = desk_of(name, tables)
    own = {"title": name, "club": name, "rules": rules, "house": house, "length": length}
    spec = DeskSpec.model_validate({**desk.spec.model_dump(), **own})
    bodies: list[Json] = []
    for at, record in records_of(tables):
        if not bodies or bodies[-1]["at"] != at:
            bodies.append({"at": at, "records": []})
        bodies[-1]["records"].append(record.model_dump())
    return spec.model_dump(), bodies
