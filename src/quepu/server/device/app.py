"""The routes that do not involve other people, combined for one device."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote

import anyio.to_thread
from fastapi import FastAPI

from quepu.json_lines.answers import request_of
from quepu.rulebooks import book, book_ids
from quepu.scoring.samples import wins
from quepu.server.budget import Storing
from quepu.server.device.stored_logs import MemoryStorage, Storage
from quepu.server.device.stores import DeviceAnswers, DeviceLogs, DeviceResults, InlineWorker
from quepu.server.http.responses import install
from quepu.server.limits import Limits

if TYPE_CHECKING:
    from quepu.server.device.rooms import DeviceRooms

T = TypeVar("T")
Json = dict[str, Any]
PARTS: dict[str, tuple[str, ...]] = {
    "hands.api": ("house", "hand", "tiles", "score", "waits", "circumstances"),
    "books.api": ("books", "questions", "diff", "house"),
    "payments": ("pay",),
    "practice.api": ("practice",),
    "score_tables.api": ("tables", "clubs", "stats"),
    "score_tables.carried_api": ("tables",),
    "score_tables.clubs_api": ("clubs",),
    "rooms.api": ("rooms",),
    "replays.api": ("replays",),
    "players.stats_api": ("stats",),
}
"""The routes of a device: modules, each with the first words of its paths after "/api/".

Modules are imported on first use, so that a browser starts faster.
"""


async def _call(what: Callable[..., T], *given: Any, **_: Any) -> T:
    """Call a function directly instead of in a thread."""
    return what(*given)


class Device:
    """Answers requests like the server, with the same bytes."""

    def __init__(self, storage: Storage | None = None) -> None:
        self.logs = DeviceLogs()
        self.answers = DeviceAnswers()
        self._storage = MemoryStorage() if storage is None else storage
        self._parts: set[str] = set()
        self._ahead: tuple[Device, Json, list[Json]] | None = None
        self.app = FastAPI(openapi_url=None)
        self.app.state.work = InlineWorker()
        self.app.state.practice = self.answers
        self.app.state.storing = Storing(replace(Limits(), stored_rate=1e12, stored_burst=1e15))  # the user's own
        install(self.app)

    def _have(self, address: str) -> None:
        """Import the routes for this path."""
        word = address.removeprefix("/api/").partition("/")[0]
        for part, words in PARTS.items():
            if word in words and part not in self._parts:
                routes = importlib.import_module(f"quepu.server.{part}").routes
                self._parts.add(part)
                if part in ("rooms.api", "replays.api"):
                    self.rooms()
                if part == "replays.api":
                    self._replays()
                self._begin()
                self.app.include_router(routes)

    async def prepare(self) -> None:
        """Import every part, and let each book answer once, so that its derived data is computed."""
        for words in PARTS.values():
            self._have(f"/api/{words[0]}")
        for name in book_ids():
            (hand,) = wins(book(name), 1)
            marked = {**request_of(hand, book(name)), "rules": name}
            waiting = {"rules": name, "hand": marked["hand"].partition("+")[0]}
            for address, given in (("score?explain=true", marked), ("circumstances", marked), ("waits", waiting)):
                await self.request(
                    "POST", f"/api/{address}", {"content-type": "application/json"}, json.dumps(given).encode()
                )

    def store_in(self, storage: Storage) -> None:
        """Store rooms and replays there from now on; earlier ones are forgotten."""
        self._storage = storage
        if hasattr(self.app.state, "rooms"):
            del self.app.state.rooms
            self.rooms()
        if hasattr(self.app.state, "replays"):
            self._replays()

    def rooms(self) -> DeviceRooms:
        """The tables played against bots here."""
        if not hasattr(self.app.state, "rooms"):
            from quepu.server.device.rooms import DeviceRooms, NoAccounts

            self.app.state.accounts = NoAccounts()
            self.app.state.rooms = DeviceRooms(self._storage)
        rooms: DeviceRooms = self.app.state.rooms
        return rooms

    def _replays(self) -> None:
        from quepu.server.device.replay_list import DeviceReplays
        from quepu.server.replays.repository import ReplayRepository

        logs = self.rooms().logs
        self.app.state.replays = ReplayRepository(logs, DeviceReplays(logs), InlineWorker(), Limits(), own=True)

    def _begin(self) -> None:
        if "score_tables.api" in self._parts:
            from quepu.server.score_tables.api import Tables

            self.app.state.tables = Tables(self.logs, DeviceResults(self.logs), self.app.state.work, Limits())

    async def request(
        self, method: str, address: str, headers: dict[str, str], body: bytes = b""
    ) -> tuple[int, dict[str, str], bytes]:
        """Handle one request: return its status, headers and body."""
        path, _, query = address.partition("?")
        self._have(path)
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

        with suppress(Exception):  # by then it has been answered as a failure
            await self.app(scope, receive, send)
        start = next(message for message in sent if message["type"] == "http.response.start")
        whole = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
        return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, whole

    def changes(self) -> str:
        """Changes since the last call, as JSON: {"logs": {id: log or null}, "answers": [...] or null}."""
        answers = self.answers.to_json() if self.answers.changed else None
        self.answers.changed = False
        return json.dumps({"logs": self.logs.take_written(), "answers": answers}, ensure_ascii=False)

    async def ahead(
        self, id: str, changes: list[Json], method: str, address: str, headers: dict[str, str], body: bytes = b""
    ) -> tuple[int, dict[str, str], bytes]:
        """Handle a request about a copy of a server's table, with changes that the server does not have yet.

        They are not stored permanently: the server will write them. The first impossible one is answered by its error,
        with its "key".
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
            found = await other.logs.read(id)  # skip changes that the copy already has
            sent = json.dumps({**change, "seen": found[0].length if found else 0}).encode()
            given = {**headers, "content-type": "application/json"}
            status, kind, answer = await other.request("POST", f"/api/tables/{id}", given, sent)
            if status != 200:
                refused = {**json.loads(answer), "key": change.get("key", "")}
                return status, kind, json.dumps(refused, ensure_ascii=False).encode()
            done.append(change)
        return await other.request(method, address, headers, body)

    def put_back(self, text: str) -> None:
        """Restore everything written by earlier visits and other pages: {"logs": [...], "answers": [...]}."""
        stored = json.loads(text)
        self.logs = DeviceLogs()
        self._begin()
        for log in stored["logs"]:
            self.logs.put_back(log)
        self.answers.put_back(stored["answers"])


def without_threads() -> None:
    """Make routes that are plain functions run without threads (in a browser's worker)."""
    anyio.to_thread.run_sync = _call  # type: ignore[assignment]
