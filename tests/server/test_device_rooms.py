"""Tables of one device: a match against bots without a server, stored as it is played, gone on with after any end."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from quepu.match.reader import read_log
from quepu.server.device.app import Device
from quepu.server.device.room_sockets import Lines
from quepu.server.device.stored_logs import HERE, MemoryStorage
from quepu.server.replays import repository

Json = dict[str, Any]
TABLE = {
    "name": "我",
    "rules": "lingque-29",
    "bots": ["", "plain", "steps", "random"],
    "think": 0,
    "move": 0,
    "bank": 0,
}


class Page:
    """A page at a table: it is sent what a socket would be sent."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.inbox: asyncio.Queue[Json] = asyncio.Queue()
        self.lines = Lines(device.rooms(), self._take)
        self.hands = 0
        self.chance = random.Random(7)

    def _take(self, _number: int, text: str, code: int) -> None:
        self.inbox.put_nowait(json.loads(text) if text else {"code": code})

    async def call(self, method: str, address: str, body: Any = None) -> tuple[int, Any]:
        data = b"" if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        status, _, answer = await self.device.request(method, address, headers, data)
        return status, json.loads(answer)

    async def sit(self, sat: Json) -> None:
        await self.lines.open(1, sat["room"], json.dumps({"token": sat["token"]}))

    async def send(self, message: Json) -> None:
        await self.lines.hear(1, json.dumps(message))

    async def play(self, ends: Callable[[Json], bool]) -> Json:
        """Choose by chance until a message comes that ends it; the message."""
        while True:
            async with asyncio.timeout(60):
                message = await self.inbox.get()
            if "over" in message:
                self.hands += 1
                await self.send({"ready": True})
            if ends(message):
                return message
            if options := (message.get("view") or {}).get("options"):
                await self.send({"action": self.chance.choice(options), "n": message["n"]})


def run(what: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(what())  # type: ignore[arg-type]  # a coroutine function is given


async def begun(device: Device, **more: Any) -> tuple[Page, Json]:
    page = Page(device)
    status, sat = await page.call("POST", "/api/rooms", TABLE | more)
    assert status == 200, sat
    assert sat["room"].startswith(HERE)
    await page.sit(sat)
    await page.send({"ready": True})
    return page, sat


async def deleted(storage: MemoryStorage, id: str) -> None:
    """A match that is over is its device's own: it is listed until it is deleted."""
    page = Page(Device(storage))
    status, shown = await page.call("GET", f"/api/replays/{id}")
    assert (status, shown["mine"]) == (200, True)
    _, before = await page.call("GET", "/api/replays")
    headers = {"content-type": "application/json", "x-who": "somebody-of-this-device"}
    assert (await page.device.request("DELETE", f"/api/replays/{id}", headers))[0] == 204
    _, after = await page.call("GET", "/api/replays")
    assert [len(found["replays"]) for found in (before, after)] == [1, 0]
    assert id not in storage.logs


@pytest.mark.long
def test_a_match_against_bots_to_its_end_with_the_device_gone_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = MemoryStorage()

    async def first() -> Json:
        page, sat = await begun(Device(storage))
        await page.play(lambda _: page.hands == 1 and page.inbox.empty())
        await page.play(lambda message: bool((message.get("view") or {}).get("options")))
        return sat  # and nothing is closed: the worker was killed

    sat = asyncio.run(first())
    before = len(storage.logs[sat["room"]]["entries"])

    async def second() -> None:
        device = Device()
        await device.prepare()  # as a snapshot of it was made, which knows of no storage
        device.store_in(storage)
        page = Page(device)
        status, head = await page.call("GET", f"/api/rooms/{sat['room']}")
        assert status == 200
        assert head["phase"] == "playing"
        await asyncio.sleep(0.05)
        assert len(storage.logs[sat["room"]]["entries"]) == before  # nobody plays while nobody looks
        await page.sit(sat)
        await page.play(lambda message: bool(message.get("over", {}).get("match_over")))
        status, head = await page.call("GET", f"/api/rooms/{sat['room']}")
        assert head["phase"] == "over"

    run(second)
    entries = [entry[2] for entry in storage.logs[sat["room"]]["entries"]]
    replay = read_log([entry["line"] for entry in entries if "line" in entry])
    assert replay.finished
    assert not replay.remarks
    assert len(replay.hands) >= 4
    # the clock of a worker begins with it: a start that takes half a second has the list as any other
    monkeypatch.setattr(repository, "time", SimpleNamespace(monotonic=lambda: 0.5))
    asyncio.run(deleted(storage, sat["room"]))


def test_a_page_that_left_is_waited_for() -> None:
    async def walk() -> None:
        storage = MemoryStorage()
        page, sat = await begun(Device(storage))
        await page.play(lambda message: bool((message.get("view") or {}).get("options")))
        await page.lines.close(1)
        rooms = page.device.rooms()
        assert not rooms.rooms
        written = len(storage.logs[sat["room"]]["entries"])
        await asyncio.sleep(0.05)
        assert len(storage.logs[sat["room"]]["entries"]) == written
        await page.sit(sat)
        assert list(rooms.rooms) == [sat["room"]]

    run(walk)


def test_another_page_of_the_browser_goes_on_and_this_one_knows() -> None:
    async def walk() -> None:
        storage = MemoryStorage()
        page, sat = await begun(Device(storage))
        now = await page.play(lambda message: bool((message.get("view") or {}).get("options")))
        other = Page(Device(storage))
        await other.sit(sat)
        there = await other.play(lambda message: bool((message.get("view") or {}).get("options")))
        await other.send({"action": there["view"]["options"][0], "n": there["n"]})
        await page.send({"action": now["view"]["options"][0], "n": now["n"]})  # what it sees is no more
        last = await page.play(lambda message: "code" in message)
        assert last["code"] == 4408
        entries = storage.logs[sat["room"]]["entries"]
        assert [entry[0] for entry in entries] == list(range(len(entries)))
        await page.device.rooms().give_up(sat["room"])  # (that is over)
        await other.device.rooms().give_up(sat["room"])
        assert (await other.play(lambda message: "code" in message))["code"] == 4408

    run(walk)


def test_what_needs_a_server_is_refused_with_a_sentence() -> None:
    async def walk() -> None:
        page = Page(Device())
        _, levels = await page.call("GET", "/api/rooms/levels")
        assert [level["key"] for level in levels] == ["random", "closed", "plain", "steps", "gain"]
        status, refused = await page.call("POST", "/api/rooms", TABLE | {"bots": ["", "master", "plain", "plain"]})
        assert status == 400
        assert "新手" in refused["error"]
        assert await page.call("GET", "/api/rooms") == (200, [])
        assert (await page.call("GET", "/api/rooms/here-nothing"))[0] == 404
        await page.lines.open(1, "here-nothing", "{}")
        assert "没有" in (await page.inbox.get())["refused"]["zh"]
        assert (await page.inbox.get())["code"] == 4404

    run(walk)


def test_hints_are_by_shape_and_promise_no_tables() -> None:
    async def walk() -> None:
        page, _ = await begun(Device())
        await page.play(lambda message: len((message.get("view") or {}).get("options") or []) > 5)
        await page.send({"hint": True})
        hint = (await page.play(lambda message: "hint" in message or "refused" in message))["hint"]
        assert hint["preparing"] is False
        assert "shape" in hint or "outlook" in hint

    run(walk)
