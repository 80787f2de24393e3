"""The guard before the application, on both sides of its limits, without a network."""

from __future__ import annotations

import asyncio
import tempfile
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from quepu.server.http import guard
from quepu.server.http.guard import (
    BodyLimit,
)
from quepu.server.limits import Limits
from tests.loop import run
from tests.server.guarded import Exchange, pieces, scope

LIMITS = Limits(body=100, body_each=150, body_all=220, body_time=600)


class Reader:
    """An application that reads its body, and waits, if it has to, before it answers."""

    def __init__(self, gate: asyncio.Event | None = None) -> None:
        self.gate = gate
        self.bodies: list[bytes] = []
        self.now = self.most = 0
        self.after: Message | None = None

    async def __call__(self, request: Scope, receive: Receive, send: Send) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            message = await receive()
            assert (message["type"], message["more_body"]) == ("http.request", False)
            self.bodies.append(message["body"])
            if self.gate is not None:
                await self.gate.wait()
            await PlainTextResponse("read")(request, receive, send)
        finally:
            self.now -= 1


def exchange(limits: Limits, *parts: bytes, ends: bool = True, **how: Any) -> tuple[Exchange, list[bytes]]:
    """One request with this body to an application that reads it."""
    app = Reader()
    request = run(
        Exchange(pieces(*parts, ends=ends)).through(BodyLimit(app, limits, how.pop("larger", {})), scope(**how))
    )
    return request, app.bodies


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_of_the_limit_is_read_and_one_byte_more_is_not(announced: bool) -> None:
    for size, status in ((0, 200), (99, 200), (100, 200), (101, 413), (5000, 413)):
        body = b"x" * size
        length = {"content_length": str(size)} if announced else {}
        request, bodies = exchange(LIMITS, body[:60], body[60:], **length)
        assert request.status == status, size
        assert bodies == ([body] if status == 200 else [])
        if status == 413:
            assert "最多 0 KiB" in request.error
            assert request.headers["connection"] == "close"


def test_a_path_may_have_a_larger_limit_of_its_own() -> None:
    limits = Limits(body=100, body_each=9000, body_all=9000)
    larger = {"/api/log": 2048}
    for path, size, status in (("/api/log", 2048, 200), ("/api/log", 2049, 413), ("/api/x", 101, 413)):
        request, _ = exchange(limits, b"x" * size, path=path, larger=larger, accept_language="en")
        assert request.status == status
    assert request.error == "too large: at most 0 KiB."
    request, _ = exchange(limits, b"x" * 2049, path="/api/log", larger=larger)
    assert "最多 2 KiB" in request.error
    for lang, words in (("zh", "最多 1024 KiB。"), ("en", "at most 1024 KiB.")):
        mebibyte = Limits(body=1 << 20)
        request, _ = exchange(mebibyte, b"", content_length=str((1 << 20) + 1), accept_language=lang)
        assert request.error.endswith(words)


def test_large_bodies_wait_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[Any] = []
    spooled = tempfile.SpooledTemporaryFile

    def noted(**how: Any) -> Any:
        files.append(spooled(**how))
        return files[-1]

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", noted)
    limits = Limits(body=1 << 20, body_each=1 << 20, body_all=1 << 20)
    assert guard._IN_MEMORY == 64 << 10 and 0 < guard._READ_ON <= 5
    for size, on_disk in ((guard._IN_MEMORY, False), (guard._IN_MEMORY + 1, True)):
        assert exchange(limits, b"x" * size)[1] == [b"x" * size]
        assert files.pop()._rolled is on_disk


@pytest.mark.parametrize("length", ["x", "-1", "1e3", "", "9" * 40, "1" + "0" * 12])
def test_a_length_that_cannot_be_is_refused_unread(length: str) -> None:
    request, bodies = exchange(LIMITS, b"x", content_length=length)
    assert (request.status, bodies) == (413, [])


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_requests_without_a_body_and_sockets_pass_as_they_are(method: str) -> None:
    given: list[Any] = []

    async def app(request: Scope, receive: Receive, send: Send) -> None:
        given.append((request["type"], receive, send))

    for kind in ("http", "websocket", "lifespan"):
        one = Exchange([])
        request = scope(method=method) | {"type": kind}
        if kind != "http":
            del request["method"]
        run(one.through(BodyLimit(app, LIMITS), request))
        assert given.pop() == (kind, one.receive, one.send)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_every_other_method_is_guarded(method: str) -> None:
    assert exchange(LIMITS, b"x" * 101, method=method)[0].status == 413


def test_a_piece_of_a_body_may_leave_out_what_is_empty() -> None:
    for messages in (
        [{"type": "http.request"}],
        [{"type": "http.request", "more_body": True}, {"type": "http.request"}],
    ):
        app = Reader()
        assert run(Exchange(messages).through(BodyLimit(app, LIMITS), scope())).status == 200
        assert app.bodies == [b""]


def test_after_the_body_an_application_hears_what_comes_next() -> None:
    heard: list[Message] = []

    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        heard.extend([await receive(), await receive()])

    one = Exchange([*pieces(b"ab", b"c"), {"type": "http.disconnect"}])
    run(one.through(BodyLimit(app, LIMITS), scope()))
    assert heard == [{"type": "http.request", "body": b"abc", "more_body": False}, {"type": "http.disconnect"}]


def test_who_hangs_up_within_a_body_gets_no_answer_and_holds_nothing() -> None:
    limit = BodyLimit(Reader(), LIMITS)
    for _ in range(5):
        one = Exchange([*pieces(b"x" * 90, ends=False), {"type": "http.disconnect"}])
        assert run(one.through(limit, scope())).sent == []
    assert run(Exchange(pieces(b"x" * 100)).through(limit, scope())).status == 200


def test_bytes_are_given_back_however_a_request_ends() -> None:
    class Broken(Exception):
        pass

    async def fails(_scope: Scope, receive: Receive, _send: Send) -> None:
        await receive()
        raise Broken

    async def go() -> None:
        limit = BodyLimit(fails, LIMITS)
        for _ in range(4):
            with pytest.raises(Broken):
                await Exchange(pieces(b"x" * 100)).through(limit, scope())
            assert (await Exchange(pieces(b"x" * 100, b"x")).through(limit, scope())).status == 413
        limit.app = Reader()
        assert (await Exchange(pieces(b"x" * 100)).through(limit, scope())).status == 200
        assert not limit._of, "nobody is remembered who holds nothing"

    run(go())


def holding(*others: tuple[str, bytes | None, int | None]) -> list[Exchange]:
    """What requests get while the first of them, of 100 bytes from 203.0.113.7, is being answered."""

    async def go() -> list[Exchange]:
        gate = asyncio.Event()
        limit = BodyLimit(Reader(gate), LIMITS)
        first = asyncio.create_task(Exchange(pieces(b"x" * 100)).through(limit, scope()))
        while not limit.app.bodies:  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        ends = []
        for who, body, length in others:
            announced = {} if length is None else {"content_length": str(length)}
            one = Exchange([] if body is None else pieces(body))
            ends.append(asyncio.create_task(one.through(limit, scope(client=who, **announced))))
            for _ in range(50):
                await asyncio.sleep(0)
        gate.set()
        assert (await first).status == 200
        return list(await asyncio.gather(*ends))

    answered: list[Exchange] = run(go())
    return answered


@pytest.mark.parametrize("announced", [True, False])
def test_bodies_of_one_address_at_once_have_a_limit_together(announced: bool) -> None:
    for size, status in ((50, 200), (51, 429)):
        (request,) = holding(("203.0.113.7", b"x" * size, size if announced else None))
        assert request.status == status
    assert "同时送来的内容太多" in request.error
    if announced:
        (silent,) = holding(("203.0.113.7", None, 51))
        assert silent.status == 429, "unread"
    (other,) = holding(("203.0.113.8", b"x" * 51, 51 if announced else None))
    assert other.status == 200, "another address has its own"


def test_bodies_of_everybody_at_once_have_a_limit_together() -> None:
    answers = holding(("203.0.113.8", b"x" * 100, None), ("203.0.113.9", b"x" * 20, None))
    assert [one.status for one in answers] == [200, 200]
    answers = holding(("203.0.113.8", b"x" * 100, None), ("203.0.113.9", b"x" * 21, None))
    assert [one.status for one in answers] == [200, 503]
    assert "太忙" in answers[1].error


def test_large_bodies_of_an_address_are_answered_one_at_a_time_and_two_in_all() -> None:
    limits = Limits(body=1 << 20, body_each=1 << 20, body_all=1 << 22)

    def most(size: int, *who: str) -> int:
        async def go() -> int:
            gate = asyncio.Event()
            app = Reader(gate)
            limit = BodyLimit(app, limits)
            request = [Exchange(pieces(b"x" * size)).through(limit, scope(client=one)) for one in who]
            tasks = [asyncio.create_task(one) for one in request]
            for _ in range(200):
                await asyncio.sleep(0)
            gate.set()
            assert [one.status for one in await asyncio.gather(*tasks)] == [200] * len(who)
            return app.most

        found: int = run(go())
        return found

    large = guard._LARGE
    assert large == 8 << 10
    assert most(large, "a", "a", "a") == 3
    assert most(large + 1, "a", "a", "a") == 1
    assert most(large + 1, "a", "b", "c", "d") == 2
    assert most(large, "a", "b", "c", "d") == 4


def test_a_body_has_its_time_and_a_larger_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    timeout = asyncio.timeout

    def noted(seconds: float) -> Any:
        given.append(seconds)
        return timeout(seconds)

    monkeypatch.setattr(guard.asyncio, "timeout", noted)
    for most, seconds in ((100, 30 + 100 / 65536), (65536, 31), (655360, 40)):
        assert exchange(Limits(body=most, body_time=30), b"x")[0].status == 200
        assert given == [pytest.approx(seconds, abs=1e-9)]
        given.clear()


def test_a_body_that_does_not_end_is_refused_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_READ_ON", 0.01)
    request, bodies = exchange(Limits(body=100, body_time=0.01), b"xx", ends=False)
    assert (request.status, bodies) == (408, [])
    assert "太慢" in request.error and request.headers["connection"] == "close"


def test_of_what_is_refused_only_a_little_more_is_read() -> None:
    """An answer is lost if the connection is closed on bytes unread; a flood is not read to its end."""
    one = Exchange([*pieces(*[b"x" * 100] * 3), {"type": "later"}])
    run(one.through(BodyLimit(Reader(), LIMITS), scope(content_length="300")))
    assert [message["type"] for message in one.coming] == ["later"]
    assert one.status == 413
    flood = Exchange(pieces(*[b"x" * 100] * 9, ends=False))
    run(flood.through(BodyLimit(Reader(), LIMITS), scope(content_length="900")))
    assert len(flood.coming) == 9 - 4, "four times the limit"
    rest = Exchange(pieces(b"x" * 399, b"x" * 100, b"x" * 100, ends=False))
    run(rest.through(BodyLimit(Reader(), LIMITS), scope(content_length="900")))
    assert len(rest.coming) == 1, "a byte was left to read"
    last = Exchange([{"type": "http.request", "body": b"x"}, *pieces(b"later")])  # without `more_body` it is the last
    run(last.through(BodyLimit(Reader(), LIMITS), scope(content_length="900")))
    assert len(last.coming) == 1
    gone = Exchange([{"type": "http.disconnect"}, *pieces(b"x")])
    run(gone.through(BodyLimit(Reader(), LIMITS), scope(content_length="900")))
    assert len(gone.coming) == 1
