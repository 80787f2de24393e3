"""A hall whose phones share one address: nobody is refused because all tables write at one moment."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from quepu.server.app import Settings, create_app
from tests.loop import run
from tests.server.guarded import Exchange

_TABLES = 20
_WIN = {"kind": "hand", "winner": 0, "points": 8, "self_draw": True}


def test_twenty_tables_of_one_address_write_and_are_read_at_one_moment(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, prepare=False))

    async def ask(path: str, body: Any = None) -> tuple[int | None, Any]:
        scope = {
            "type": "http", "method": "GET" if body is None else "POST", "path": path, "query_string": b"",
            "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")], "client": ("192.0.2.9", 1),
            "scheme": "http",
        }  # fmt: skip
        sent = json.dumps(body).encode() if body is not None else b""
        exchange = Exchange([{"type": "http.request", "body": sent, "more_body": False}])
        await app(scope, exchange.receive, exchange.send)
        return exchange.status, json.loads(b"".join(one.get("body", b"") for one in exchange.sent))

    async def go() -> None:
        async with app.router.lifespan_context(app):
            names = ["甲", "乙", "丙", "丁"]
            opened = [
                (await ask("/api/tables", {"who": "hall-0123456", "rules": "guobiao", "names": names}))[1]
                for _ in range(_TABLES)
            ]
            busy = asyncio.create_task(app.state.work.run("another", time.sleep, 3600))
            await asyncio.sleep(0)
            asked = [
                asyncio.create_task(
                    ask(f"/api/tables/{one['id']}", {"seen": one["length"], "do": "add", "record": _WIN})
                )
                for one in opened
            ]
            app.state.tables.views = type(app.state.tables.views)(3 << 20)  # as if nobody had looked yet
            asked += [asyncio.create_task(ask(f"/api/tables/{one['id']}")) for one in opened]
            while app.state.work.waiting < len(asked) and not any(one.done() for one in asked):
                await asyncio.sleep(0.01)
            busy.cancel()
            assert {status for status, _ in await asyncio.gather(*asked)} == {200}

    run(go())
