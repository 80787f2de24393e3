"""Hosts, origins, rates and headers of requests, before they reach the application."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from quepu.server.http.guard import (
    AllowedHost,
    RateLimit,
    SafeHeaders,
    at_this_machine,
    hostname,
    is_allowed_host,
    is_own_page,
)
from quepu.server.http.responses import HEADERS
from tests.loop import run
from tests.server.guarded import Exchange, scope


def connection(origin: str | None, host: str | None = "box:8000", names: tuple[str, ...] = (), **more: Any) -> Any:
    headers = {name: value for name, value in (("origin", origin), ("host", host)) if value is not None}
    state = SimpleNamespace(settings=SimpleNamespace(public_names=names, proxies=more.pop("proxies", ())))
    return HTTPConnection(scope(**headers) | {"app": SimpleNamespace(state=state)} | more)


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        (None, "box:8000", True),
        ("http://box:8000", "box:8000", True),
        ("https://box:8000", "box:8000", True),
        ("http://box:8001", "box:8000", False),
        ("http://box", "box:8000", False),
        ("http://box:8000", "box", False),
        ("http://box", "box", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://127.0.0.1:9000", "127.0.0.1:8000", False),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://[::1]:8001", "[::1]:8000", False),
        ("http://evil.example", "box:8000", False),
        ("http://evil.example/box:8000", "box:8000", False),
        ("http://box:8000.evil.example", "box:8000", False),
        ("null", "box:8000", False),
        ("", "box:8000", False),
        ("http://[::1", "box:8000", False),
        ("http://box:8000", None, False),
        ("null", None, False),
    ],
)
def test_only_pages_of_this_host_and_this_port_are_its_own(origin: str | None, host: str | None, own: bool) -> None:
    assert is_own_page(connection(origin, host)) is own


def test_a_public_name_is_its_own_through_any_proxy_and_others_are_not() -> None:
    names = ("play.example.org", "club.example")
    for origin, own in (
        ("https://play.example.org", True),
        ("https://club.example:8443", True),
        ("https://other.example.org", False),
        ("https://play.example.org.evil.example", False),
        ("null", False),
        ("https://", False),
    ):
        assert is_own_page(connection(origin, "127.0.0.1:8000", names)) is own, origin


def test_who_sits_at_this_machine() -> None:
    for client, here in (
        (("127.0.0.1", 5), True), (("127.9.9.9", 5), True), (("::1", 5), True), (("192.168.1.7", 5), False),
        (("203.0.113.7", 5), False), (("testclient", 5), False), (None, False),
    ):  # fmt: skip
        assert at_this_machine(connection(None, client=client)) is here, client
    assert not at_this_machine(connection(None, client=("127.0.0.1", 5), proxies=("127.0.0.1",))), "it is the proxy"


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("box", "box"), ("box:8000", "box"), ("BOX.Local.", "box.local"), ("[::1]:80", "::1"), ("", ""), (":80", ""),
        ("[::1", "?."), ("a@box:1", "box"),
    ],
)  # fmt: skip
def test_the_name_in_a_host_header(host: str, name: str) -> None:
    assert hostname(host) == name


def test_hosts_of_a_server_at_home_and_of_one_with_names() -> None:
    for host in ("localhost", "box", "box.local", "box.lan:1", "a.home", "a.internal", "a.home.arpa", "x.localhost",
                 "192.168.1.7", "203.0.113.7", "[2001:db8::1]:8000"):  # fmt: skip
        assert is_allowed_host(host, ()), host
    for host in ("evil.example", "local.example", "evillocal.x", "192.168.1.7.evil.example", "[::1", "1.2.3.4.5"):
        assert not is_allowed_host(host, ()), host
    names = {"club.example"}
    for host in ("club.example", "CLUB.example:443", "localhost", "127.0.0.1:8000", "[::1]"):
        assert is_allowed_host(host, names), host
    for host in ("box", "box.local", "192.168.1.7", "127.0.0.2", "x.club.example", "", "[::1"):
        assert not is_allowed_host(host, names), host


def hosted(request: dict[str, Any], names: tuple[str, ...] = ("Club.Example",)) -> tuple[Exchange, bool]:
    """What a server of these names answers, and whether the application was reached."""
    reached: list[bool] = []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        reached.append(True)

    return run(Exchange([]).through(AllowedHost(app, names), request)), bool(reached)


def test_requests_and_sockets_under_another_name_do_not_reach_the_application() -> None:
    for kind in ("http", "websocket"):
        assert hosted(scope(host="club.example") | {"type": kind})[1]
        assert hosted(scope(host="box") | {"type": kind}, ())[1]
    request, reached = hosted(scope(host="evil.example"))
    assert (request.status, reached, "不叫这个名字" in request.error) == (421, False, True)
    request, reached = hosted(scope(host="evil.example", accept_language="en"))
    assert request.error == "this server does not answer to that name."
    request, reached = hosted(scope(host="evil.example") | {"type": "websocket"})
    assert (request.sent, reached) == ([{"type": "websocket.close", "code": 4403}], False)
    assert hosted(scope())[0].status == 421, "no name at all"
    assert hosted(scope() | {"type": "lifespan"})[1]


def test_zero_bytes_do_not_reach_a_database() -> None:
    ok = {"host": "club.example"}
    for more in ({"path": "/api/a\0b"}, {"query_string": b"a=%00"}):
        request, reached = hosted(scope(**ok) | more)
        assert (request.status, reached, "没有这个地址" in request.error) == (404, False, True)
        request, reached = hosted(scope(**ok) | more | {"type": "websocket"})
        assert (request.sent, reached) == ([{"type": "websocket.close", "code": 4404}], False)
    for more in ({"path": "/rules/a\0b"}, {"path": "/x", "query_string": b"a=%00"}, {"query_string": b"a=00"}):
        assert hosted(scope(**ok) | more)[1], "a page, or none"


def test_requests_of_an_address_are_counted_and_pages_are_not() -> None:
    now = 0.0
    reached: list[str] = []

    async def app(request: Scope, _receive: Receive, _send: Send) -> None:
        reached.append(request["client"][0])

    limit = RateLimit(app, rate=0.4, burst=2, clock=lambda: now)

    def request_of(**how: Any) -> Exchange:
        request: Exchange = run(Exchange([]).through(limit, scope(**how) | how.pop("more", {})))
        return request

    assert [request_of().status for _ in range(3)] == [None, None, 429]
    refused = request_of()
    assert (refused.headers["retry-after"], "太频繁" in refused.error) == ("3", True)
    assert len(reached) == 2
    assert request_of(client="203.0.113.8").status is None, "another address"
    assert request_of(path="/rules").status is None
    assert request_of(path="/apix").status is None
    assert run(Exchange([]).through(limit, scope() | {"type": "websocket"})).sent == []
    now = 2.5
    assert [request_of().status for _ in range(2)] == [None, 429]
    assert limit.most == 10_000
    assert RateLimit(app, 1, 1, most=7).most == 7


def test_answers_have_the_headers_of_safety_and_https_one_more() -> None:
    def answered(scheme: str, kind: str = "http", **own: str) -> dict[str, str]:
        async def app(request: Scope, receive: Receive, send: Send) -> None:
            await PlainTextResponse("x", headers=own)(request, receive, send)

        request: Exchange = run(Exchange([]).through(SafeHeaders(app), scope() | {"scheme": scheme, "type": kind}))
        return request.headers

    plain, tls = answered("http"), answered("https")
    for name, value in HEADERS.items():
        assert plain[name] == tls[name] == value
    assert "strict-transport-security" not in plain
    assert tls["strict-transport-security"] == "max-age=31536000"
    assert answered("http", **{"referrer-policy": "origin"})["referrer-policy"] == "origin", "a page may have its own"

    async def socket(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept", "headers": []})

    one = Exchange([])
    run(one.through(SafeHeaders(socket), scope() | {"type": "websocket"}))
    assert one.sent == [{"type": "websocket.accept", "headers": []}]
