"""A store with some logs in it, its rows, and the record of what operators did."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quepu.cli import run as command
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as base:
        tables = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: base.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in tables
            if table != "alembic_version"
        }


async def filled(folder: Path, logs: int = 3, entries: int = 40) -> list[str]:
    base = Database(folder)
    store = Logs(base)
    ids = []
    for number in range(logs):
        head = await store.create("room", "", f"t{number}", {"room": {}}, process="p")
        await store.append(head.id, 1, [{"line": f"{number} {n} {'x' * 60}"} for n in range(entries)], fence=0)
        ids.append(head.id)
    await base.close()
    return ids


def audited(data: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert command(["admin", "audit", "--json", "--data", str(data)]) == 0
    return capsys.readouterr().out
