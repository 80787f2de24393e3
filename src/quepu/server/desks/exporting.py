"""Files of a tournament: standings, the grid of rounds and players, the form of EMA, and everything as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from quepu.server.desks.working import desk_of, history, play_rules_of, view
from quepu.server.http.responses import CSV
from quepu.server.store.values import Entry
from quepu.spreadsheets import encode, workbook
from quepu.tournament import ema_results
from quepu.tournament.desk_records import Key
from quepu.tournament.desk_standings import cells, standings
from quepu.tournament.desk_state import Desk, DeskError, DeskRound
from quepu.tournament.desk_words import KEYS

Json = dict[str, Any]
Form = Literal["standings", "grid", "ema", "ema-csv", "json"]
FILES: dict[Form, tuple[str, str]] = {
    "standings": (".csv", CSV),
    "grid": ("-grid.csv", CSV),
    "ema": ("-ema.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "ema-csv": ("-ema.csv", CSV),
    "json": (".json", "application/json"),
}
"""The end of the name of a file, and its media type."""
_COLUMNS: tuple[Key, ...] = ("standard", "total", "reduced", "wins", "met", "imps")


def export(
    id: str,
    created: float,
    entries: Sequence[Entry],
    results: Mapping[str, Json],
    form: Form,
    lang: str,
    event: ema_results.Event,
) -> bytes:
    """Return a file of a tournament; EMA's form also says where and when it was."""
    if form == "json":
        return export_json(id, created, entries, results)
    desk, en = desk_of(entries, results), lang == "en"
    if form in ("ema", "ema-csv"):
        rules = play_rules_of(desk).ema_rules
        if not rules:
            raise DeskError(
                "EMA 只收国标麻将（MCR）的成绩，这场比赛用的是另一本规则。",
                "EMA accepts only MCR (Chinese Official) results; this tournament uses another rulebook.",
            )
        rows = ema_results.results(desk, event, rules)
        return workbook(rows, rules.lower()) if form == "ema" else encode(rows)
    return encode(_grid_rows(desk, en) if form == "grid" else _rows(desk, en))


def _rows(desk: Desk, en: bool) -> list[list[Any]]:
    """Return the standings, and below them every result."""
    keys = [KEYS[key].en if en else KEYS[key].zh for key in _COLUMNS]
    head = ["rank", "name", "team", "number"] if en else ["名次", "姓名", "队", "编号"]
    rows: list[list[Any]] = [[*head, *keys, "tables" if en else "桌数"]]
    for line in standings(desk):
        values = line.model_dump()
        rows.append([line.rank, line.name, line.team, line.number, *(values[key] for key in _COLUMNS), line.tables])
    rows += [[], ["round", "table", "name", "points"] if en else ["轮", "桌", "姓名", "分"]]
    for number, one in enumerate(desk.begun, 1):
        for at, table in enumerate(one.tables, 1):
            points = table.result.points if table.result else (None,) * 4
            for name, total in zip(table.names, points, strict=True):
                if name is not None:
                    rows.append([number, at, name, "" if total is None else total])
    return rows


def grid(entries: Sequence[Entry], results: Mapping[str, Json]) -> Json:
    """Return rounds by players, in the order of the standings."""
    return _grid(desk_of(entries, results))


def _grid(desk: Desk) -> Json:
    rounds = [_cells(one) for one in desk.begun]
    rows = [
        {
            "rank": line.rank,
            "name": line.name,
            "cells": [one.get(line.name) for one in rounds],
            "extras": [extra.model_dump() for extra in line.extras],
            "total": line.total,
            "standard": line.standard,
        }
        for line in standings(desk)
    ]
    return {"rounds": len(desk.begun), "rows": rows}


def _cells(one: DeskRound) -> dict[str, Json]:
    """Return everyone's cell of a round, without points if it is annulled."""
    nothing = {"points": None, "standard": None} if one.annulled else {}
    return {name: cell._asdict() | nothing for name, cell in cells(one).items()}


_EXTRAS: dict[str, tuple[str, str]] = {
    "passed_on": ("替补交接", "substitution"),
    "fined": ("罚分", "penalties"),
    "uncounted": ("不计", "not counted"),
    "carried": ("带入", "carried"),
}
"""The columns of points besides those of the rounds, in their order after a round."""


def _grid_rows(desk: Desk, en: bool) -> list[list[Any]]:
    made = _grid(desk)
    rows = made["rows"]
    extras = [{(extra["after"], extra["kind"]): extra["total"] for extra in row["extras"]} for row in rows]
    there = set().union(*extras)
    columns: list[list[Any]] = [
        ["rank" if en else "名次", *(row["rank"] for row in rows)],
        ["name" if en else "姓名", *(row["name"] for row in rows)],
    ]
    for after in range(made["rounds"] + 1):
        if after:
            cells = [row["cells"][after - 1] for row in rows]
            points = ["" if cell is None or cell["points"] is None else cell["points"] for cell in cells]
            columns.append([f"round {after}" if en else f"第 {after} 轮", *points])
        columns += [
            [names[en], *(own.get((after, kind), "") for own in extras)]
            for kind, names in _EXTRAS.items()
            if (after, kind) in there
        ]
    columns.append(["points" if en else "总分", *(row["total"] for row in rows)])
    columns.append(["standard" if en else "标准分", *(row["standard"] for row in rows)])
    return [list(row) for row in zip(*columns, strict=True)]


def export_json(id: str, created: float, entries: Sequence[Entry], results: Mapping[str, Json]) -> bytes:
    """Return everything about a tournament as documented JSON (docs/reference/tournaments.md)."""
    shown = view(id, created, entries, results, readonly=True)
    kept = ("spec", "players", "rounds", "standings", "teams", "fines", "stages")
    data = {
        "quepu": "tournament",
        "version": 1,
        "created": created,
        **{key: shown[key] for key in kept},
        "grid": grid(entries, results),
        "history": [
            {key: line[key] for key in ("at", "do", "number", "text", "note", "undone")}
            for line in history(entries)["lines"]
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
