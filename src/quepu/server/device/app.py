"""The routes that need no other people, put together for one device."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import unquote

import anyio.to_thread
from fastapi import FastAPI

from quepu.server.books import api as books_api
from quepu.server.device.stores import DeviceAnswers, DeviceLogs, DeviceResults
from quepu.server.hands import api as hands_api
from quepu.server.http.responses import install
from quepu.server.limits import Limits
from quepu.server.payments import api as pay_api
from quepu.server.players import stats_api
from quepu.server.practice import api as practice_api
from quepu.server.score_tables import api as tables_api
from quepu.server.score_tables import carried_api, clubs_api
from quepu.server.storing import Storing

T = TypeVar("T")
Json = dict[str, Any]
_PARTS = (hands_api, books_api, pay_api, practice_api, tables_api, carried_api, clubs_api, stats_api)


class _Here:
    """In place of the server's processes: the work is done at once, by whoever asks."""

    async def run(self, asker: str, what: Callable[..., T], *given: Any) -> T:
        return what(*given)


async def _call(what: Callable[..., T], *given: Any, **_: Any) -> T:
    """Call at once what would be called in a thread."""
    return what(*given)


class Device:
    """Answers requests as the server does, with the same bytes."""

    def __init__(self) -> None:
        self.logs = DeviceLogs()
        self.answers = DeviceAnswers()
        self._ahead: tuple[Device, Json, list[Json]] | None = None
        self.app = FastAPI(openapi_url=None)
        self.app.state.work = _Here()
        self.app.state.practice = self.answers
        self.app.state.storing = Storing(replace(Limits(), stored_rate=1e12, stored_burst=1e15))  # it is one's own
        self._begin()
        install(self.app)
        for part in _PARTS:
            self.app.include_router(part.routes)

    def _begin(self) -> None:
        self.app.state.tables = tables_api.Tables(self.logs, DeviceResults(self.logs), self.app.state.work, Limits())

    async def request(
        self, method: str, address: str, headers: dict[str, str], body: bytes = b""
    ) -> tuple[int, dict[str, str], bytes]:
        """One request: its status, headers and body."""
        path, _, query = address.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
            "method": method, "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 0), "server": ("device", 80), "root_path": "",
        }  # fmt: skip
        sent: list[dict[str, Any]] = []
        given = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return given.pop() if given else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        with suppress(Exception):  # it has been answered as a failure by then
            await self.app(scope, receive, send)
        start = next(message for message in sent if message["type"] == "http.response.start")
        whole = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
        return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, whole

    def changes(self) -> str:
        """Changes since the last call, as JSON: {"logs": {id: log or null}, "answers": [...] or null}."""
        answers = self.answers.to_json() if self.answers.changed else None
        self.answers.changed = False
        return json.dumps({"logs": self.logs.taken(), "answers": answers}, ensure_ascii=False)

    async def ahead(
        self, id: str, changes: list[Json], method: str, address: str, headers: dict[str, str], body: bytes = b""
    ) -> tuple[int, dict[str, str], bytes]:
        """A request about the copy of a server's table, with changes on it that the server has not yet taken.

        They are written to nothing that lasts: the server will write them. The first that cannot be is the answer,
        with its "key" beside its sentence.
        """
        log = self.logs.json_of(id)
        if log is None:
            return await self.request(method, address, headers, body)
        if self._ahead is None or self._ahead[1] != log or changes[: len(self._ahead[2])] != self._ahead[2]:
            other = Device()
            other.logs.put_back(log)
            self._ahead = other, log, []
        other, _, done = self._ahead
        for change in changes[len(done) :]:
            sent = json.dumps({**change, "seen": len(log["entries"]) + len(done)}).encode()
            given = {**headers, "content-type": "application/json"}
            status, kind, answer = await other.request("POST", f"/api/tables/{id}", given, sent)
            if status != 200:
                refused = {**json.loads(answer), "key": change.get("key", "")}
                return status, kind, json.dumps(refused, ensure_ascii=False).encode()
            done.append(change)
        return await other.request(method, address, headers, body)

    def put_back(self, text: str) -> None:
        """All that earlier visits, and other pages, wrote: {"logs": [...], "answers": [...]}."""
        stored = json.loads(text)
        self.logs = DeviceLogs()
        self._begin()
        for log in stored["logs"]:
            self.logs.put_back(log)
        self.answers.put_back(stored["answers"])


def without_threads() -> None:
    """Make routes that are plain functions run where there are no threads (a browser's worker)."""
    anyio.to_thread.run_sync = _call  # type: ignore[assignment]
