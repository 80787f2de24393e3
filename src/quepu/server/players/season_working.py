"""A club's season computed in another process: plain data in and out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from quepu.figures import player_report
from quepu.figures.figures import Figures, by_id
from quepu.figures.season import (
    PlayedTable,
    attendance,
    count_months,
    league_standings,
    promote,
    records,
)
from quepu.folding import natural_order
from quepu.server.players.working import People, changes_of, when_opened
from quepu.server.store.values import TableResult
from quepu.spreadsheets import encode

Json = dict[str, Any]


def played_tables(people: People, offset: int) -> list[PlayedTable]:
    """Return the tables that have a hand, the earliest first; their days are those `offset` minutes east of UTC."""
    found = []
    for row in people.rows:
        when = when_opened(row)
        if not when:
            continue
        ids = people.at[row.id]
        figures = by_id({name: Figures.from_json(data) for name, data in row.figures.items()}, ids)
        day = (datetime.fromtimestamp(when, UTC) + timedelta(minutes=offset)).strftime("%Y-%m-%d")
        totals = {id: one.total for id, one in figures.items() if one.hands}
        found.append(PlayedTable(row.id, day, row.club, row.shown["rules"], totals, figures))
    return found


def _between(tables: Sequence[PlayedTable], since: str, until: str) -> list[PlayedTable]:
    """Return the tables from one day to another, both included; "" sets no limit."""
    return [table for table in tables if table.day >= since and (not until or table.day <= until)]


def season(
    rows: Sequence[TableResult], stored: Sequence[Json], period: tuple[str, str], book: str, club: str, offset: int
) -> Json:
    """Return a season: attendance over all rulebooks, ratings and records of one."""
    people = People(rows, changes_of(stored))
    whole = _between(played_tables(people, offset), *period)
    clubs = Counter(table.club for table in whole)
    whole = [table for table in whole if not club or table.club == club]
    books = Counter(table.book for table in whole)
    chosen = book if book in books else next((name for name, _ in books.most_common(1)), "")
    tables = [table for table in whole if table.book == chosen]
    found = player_report.several(chosen, [table.figures for table in tables])
    return {
        "books": [player_report.played_book(name, count) for name, count in books.most_common()],
        "book": chosen,
        "clubs": [{"name": name, "tables": count} for name, count in clubs.most_common()],
        "tables": len(whole),
        "days": len({table.day for table in whole}),
        "hands": sum(one.hands for table in whole for one in table.figures.values()) // 4,
        "lines": player_report.lines(found, people.labels),
        "attendance": [one._asdict() | {"name": people.labels.get(one.id, one.id)} for one in attendance(whole)],
        "records": [one._asdict() | {"name": people.labels.get(one.id, one.id)} for one in records(tables)],
        "months": [{"month": month, "tables": count} for month, count in count_months(whole)],
    }


def league(rows: Sequence[TableResult], stored: Sequence[Json], spec: Json, seasons: Sequence[Json]) -> Json:
    """Return a league with the standings of each of its seasons, the newest first."""
    people = People(rows, changes_of(stored))
    tables = [table for table in played_tables(people, spec["offset"]) if table.book == spec["book"]]

    def shown(one: Json) -> Json:
        divisions = [[people.roster.resolve(id) for id in division] for division in one["divisions"]]
        standings = league_standings(_between(tables, one["since"], one["until"]), divisions, spec["moving"])
        return {
            "since": one["since"],
            "until": one["until"],
            "divisions": [
                [line._asdict() | {"name": people.labels.get(line.id, line.id)} for line in lines]
                for lines in standings
            ],
        }

    return {
        "title": spec["title"],
        "book": player_report.played_book(spec["book"], len(tables)),
        "moving": spec["moving"],
        "seasons": [shown(one) for one in reversed(seasons)],
    }


def next_divisions(rows: Sequence[TableResult], stored: Sequence[Json], spec: Json, last: Json) -> list[list[str]]:
    """Return the divisions after the promotions of a season."""
    people = People(rows, changes_of(stored))
    tables = [table for table in played_tables(people, spec["offset"]) if table.book == spec["book"]]
    divisions = [[people.roster.resolve(id) for id in division] for division in last["divisions"]]
    return promote(league_standings(_between(tables, last["since"], last["until"]), divisions, spec["moving"]))


# ---- fees


def fees(bodies: Sequence[Json]) -> Json:
    """Return a ledger of fees: its entries, the latest day first, and everyone's balance."""
    undone = {body["undo"] for body in bodies if "undo" in body}
    entries = [body for body in bodies if "undo" not in body]
    balances: dict[str, int] = {}
    for entry in entries:
        if entry["key"] not in undone:
            balances[entry["name"]] = balances.get(entry["name"], 0) + entry["amount"]
    ordered = sorted(enumerate(entries), key=lambda one: (one[1]["day"], one[0]), reverse=True)
    return {
        "length": len(bodies),
        "entries": [{**entry, "undone": entry["key"] in undone} for _, entry in ordered],
        "balances": [
            {"name": name, "amount": amount}
            for name, amount in sorted(balances.items(), key=lambda one: natural_order(one[0]))
        ],
        "total": sum(balances.values()),
    }


def fees_file(bodies: Sequence[Json]) -> bytes:
    """Return the ledger as CSV, the earliest day first, without the entries that were taken back."""
    rows = [entry for entry in reversed(fees(bodies)["entries"]) if not entry["undone"]]
    return encode([
        ("date", "player", "amount", "note"),
        *((entry["day"], entry["name"], Decimal(entry["amount"]).scaleb(-2), entry["note"]) for entry in rows),
    ])  # fmt: skip


def attendance_file(found: Mapping[str, Any]) -> bytes:
    """Return a season's attendance as CSV."""
    lines = found["attendance"]
    return encode([
        ("player", "days", "tables", "first", "last"),
        *((one["name"], one["days"], one["tables"], one["first"], one["last"]) for one in lines),
    ])  # fmt: skip
