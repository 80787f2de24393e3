"""A year of a club: how long its list of tables, a night's standings and a player's page take on the server."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rows import Row

TABLES, HANDS = 200, 23
TIMES = 15
WHO = "bench-season"
NAMES = ["林", "周", "何", "许", "沈", "韩", "杨", "朱", "秦", "尤", "吕", "施"]


def measure() -> Iterator[Row]:
    """The best of `TIMES` by the clock for one request, its work in other processes too; the network is not in it."""
    from starlette.testclient import TestClient

    from quepu.server.app import Settings, create_app

    with tempfile.TemporaryDirectory(prefix="quepu-clubs-") as folder:
        settings = Settings(data=Path(folder), rate=1e6, burst=10**6, stored_burst=1e12, work_burst=1e9)
        with TestClient(create_app(settings), headers={"X-Who": WHO}) as client:
            for i in range(TABLES):
                client.post("/api/tables/import", json={"who": WHO, "table": _table(i)}).raise_for_status()
            for what, path in (
                ("the list of 200 tables of 23 hands", "/api/tables"),
                ("standings of a club over them", "/api/clubs/年"),
                ("a player's page over them", f"/api/players/{NAMES[0]}"),
            ):
                yield Row(what, f"{_best(client, path) * 1000:.1f} ms", "totals are written with each change")


def _best(client: Any, path: str) -> float:
    found = []
    for _ in range(TIMES):
        began = time.perf_counter()
        client.get(path).raise_for_status()
        found.append(time.perf_counter() - began)
    return min(found)


def _table(number: int) -> dict[str, object]:
    names = [NAMES[(number * 5 + i * (1 + number % 2)) % len(NAMES)] for i in range(4)]
    records = [
        {"kind": "hand", "winner": (i + number) % 4, "points": 24 + 2 * (i % 9), "discarder": (i + number + 1) % 4}
        for i in range(HANDS)
    ]
    spec = {"rules": "lingque-29", "names": names, "rounds": 16, "club": "年", "club_round": number + 1}
    return {"quepu": "table", "spec": spec, "records": records}
