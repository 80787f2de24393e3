"""A crowd that comes at once is let in over several turns of the loop, in its order; what all ask for is ready."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient
from websockets.asyncio.client import connect

from quepu.server.app import Settings, create_app
from quepu.server.http import pages
from quepu.server.http.connections import Connections
from quepu.server.http.pace import Pace
from quepu.server.http.run import listen
from tests.loop import run


class Turning:
    """A loop whose clock is moved by what is done in it, and which calls back in time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[tuple[float, Callable[..., None], tuple[Any, ...]]] = []

    def call_later(self, delay: float, call: Callable[..., None], *given: Any) -> None:
        self.calls.append((self.now + delay, call, given))

    def run(self, until: float) -> None:
        while self.calls and self.calls[0][0] <= until:
            at, call, given = self.calls.pop(0)
            self.now = max(self.now, at)
            call(*given)
        self.now = max(self.now, until)


def test_a_crowd_is_read_over_many_turns_and_senders_in_turn() -> None:
    loop = Turning()
    seen: list[bytes] = []
    pace = Pace(0.006, 0.25, lambda: loop.now)

    def read(data: bytes) -> None:
        loop.now += 0.002
        seen.append(data)

    given: Any = loop
    now = [pace.read(given, "a", read, b"a%d" % number) for number in range(10)]
    assert now == sorted(now, reverse=True)
    assert 3 <= sum(now) <= 5
    assert not pace.read(given, "b", read, b"b0"), "who comes now waits, too"
    for until in (0.05, 0.1, 0.2):
        before = len(seen)
        loop.run(until)
        assert len(seen) - before <= 1 + (until - 0.006) * 0.25 / 0.002, "no more than its share of the time"
    assert sorted(seen) == sorted([b"a%d" % number for number in range(10)] + [b"b0"])
    assert seen.index(b"b0") <= sum(now) + 1, "after one of the others that wait, not after all"
    assert [one for one in seen if one[:1] == b"a"] == [b"a%d" % number for number in range(10)]
    loop.run(1.0)
    assert pace.read(given, "a", read, b"a10"), "nothing waits any more"


def test_who_sends_little_is_read_before_hundreds_who_send_without_end() -> None:
    loop = Turning()
    seen: list[str] = []
    pace = Pace(0.006, 0.15, lambda: loop.now)
    given: Any = loop

    def send(who: str, cost: float, *, more: bool = False) -> None:
        def read(_: bytes) -> None:
            loop.now += cost
            seen.append(who)

        pace.read(given, who, read, b"", more=more)

    for number in range(300 * 60):
        send(f"flood {number % 300}", 0.001, more=True)
    waits = []
    for turn in range(1, 60):
        loop.run(turn * 0.2)
        before = len(seen)
        send("player", 0.0002)
        while seen.count("player") < turn:
            loop.run(loop.calls[0][0])
        waits.append(len(seen) - before)
    assert max(waits) <= 8, "what is read in one go, and no round of all the others"
    for _ in range(100):
        send("many", 0.0002)
    loop.run(loop.now + 1)
    assert 10 <= len([who for who in seen[seen.index("many") :] if who != "many"]) <= 200, (
        "they are read meanwhile, too"
    )
    floods = [seen.count(f"flood {number}") for number in range(300)]
    assert max(floods) - min(floods) <= 2, "those alike take turns"


def test_who_waits_for_his_turn_is_read_to_the_end(tmp_path: Path) -> None:
    async def crowd() -> None:
        settings = Settings(data=tmp_path)
        app = create_app(settings)
        app.state.connections = connections = Connections(settings, 1000)
        connections.pace = Pace(1e-9, 1000.0)  # everything waits, and each turn reads one piece
        listening = listen("127.0.0.1", 0)
        at = f"127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(app, http=connections.protocol(), ws="websockets-sansio", log_config=None)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listening]))
        async with httpx.AsyncClient(base_url=f"http://{at}", timeout=30) as client:
            bodies = [json.dumps({"name": "客" * 20_000, "n": number}) for number in range(12)]
            answers = await asyncio.gather(*(client.post("/api/rooms", content=body) for body in bodies))
            assert {answer.status_code for answer in answers} == {422}
            sat = (await client.post("/api/rooms", json={"name": "甲"})).json()
            for _ in range(3):
                async with connect(f"ws://{at}/api/rooms/{sat['room']}/ws") as socket:
                    await socket.send(json.dumps({"token": sat["token"]}))
                    assert json.loads(await socket.recv())["you"] == sat["place"]
        server.should_exit = True
        await serving

    run(crowd())


def test_every_route_is_ready_before_the_first_request(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path))
    with TestClient(app):
        included = [route for route in app.routes if hasattr(route, "_effective_candidates")]
        assert len(included) > 10
        assert all(route._effective_candidates for route in included)


def test_the_page_is_read_once_and_after_a_build_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    with TestClient(create_app(Settings(data=tmp_path / "data"))) as client:
        assert client.get("/play").status_code == 404
        listed = json.dumps({"pages": ["/", "/calculator"], "folders": ["/play"]})
        (tmp_path / "addresses.json").write_text(listed)
        for number, text in enumerate(("one", "two")):
            (tmp_path / "404.html").write_text(text)
            (tmp_path / "index.html").write_text(f"home {text}")
            os.utime(tmp_path / "index.html", (number, number))
            for path in ("/play", "/play/", "/play/abc", "/calculator"):
                assert (client.get(path).status_code, client.get(path).text) == (200, text)
            for path in ("/", "/index.html"):
                assert (client.get(path).status_code, client.get(path).text) == (200, f"home {text}")
            for path in ("/nothing", "/playing", "/calculator/1", "/b.txt", "/%2e%2e/a.txt", "/play/" + "x" * 4000):
                assert (client.get(path).status_code, client.get(path).text) == (404, text), path
        (tmp_path / "a.txt").write_text("file")
        assert client.get("/a.txt").text == "file"
        assert (client.get("/assets/a").status_code, client.get("/assets/a").text) == (404, "404")
        assert client.head("/").status_code == 200
        assert client.post("/").status_code == 405
        assert client.get("/api/nothing").json()["valid"] is False


def test_a_smaller_copy_of_a_file_is_sent_to_browsers_that_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a-1.js").write_text("a" * 2000)
    (tmp_path / "assets" / "a-1.js.br").write_bytes(b"small")
    (tmp_path / "assets" / "b-1.js").write_text("b" * 2000)
    with TestClient(create_app(Settings(data=tmp_path / "data"))) as client:

        def sent(path: str, accepted: str) -> tuple[str | None, str | None, bytes, str]:
            with client.stream("GET", path, headers={"accept-encoding": accepted}) as answer:
                body = b"".join(answer.iter_raw())
                headers = answer.headers
                return headers.get("content-encoding"), headers.get("vary"), body, headers["content-type"]

        script = "text/javascript; charset=utf-8"
        for accepted in ("br", "gzip, deflate, br, zstd", "gzip;q=0.5, br;q=0.01"):
            assert sent("/assets/a-1.js", accepted) == ("br", "Accept-Encoding", b"small", script)
        for accepted in ("identity", "brotli", "x-br", "br;q=0", "identity, br; q=0.0"):
            assert sent("/assets/a-1.js", accepted) == (None, "Accept-Encoding", b"a" * 2000, script)
        encoding, vary, body, _ = sent("/assets/a-1.js", "gzip")
        assert (encoding, vary, gzip.decompress(body)) == ("gzip", "Accept-Encoding", b"a" * 2000)
        assert sent("/assets/b-1.js", "br")[::2] == (None, b"b" * 2000)
