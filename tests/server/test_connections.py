"""Connections over real sockets: half-open ones, unfinished bodies, other names, other people's files."""

from __future__ import annotations

import asyncio
import json
import socket
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.sync.client import ClientConnection, connect

from quepu.cli import run as quepu
from quepu.server.http.connections import Connections, _Paced
from quepu.server.http.guard import BodyLimit, is_allowed_host
from quepu.server.limits import Limits, markdown, parse_limits
from tests.loop import run
from tests.server.serving import Server

LIMITS = (
    "head_time=2.5", "body_time=2.5", "body=2048", "connections=6", "body_each=3000", "answer_time=30", "streams=3",
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served") / "data"
    made = Server(folder, *(word for limit in LIMITS for word in ("--limit", limit)))
    made.room = made.fetch("api/rooms", {"name": "甲"})["room"]  # type: ignore[attr-defined]
    yield made
    made.kill()


def talk(server: Server, text: str) -> socket.socket:
    """A connection on which this was said."""
    at = urlsplit(server.address)
    made = socket.create_connection((at.hostname, at.port), timeout=20)
    made.sendall(text.encode())
    return made


def heard(connection: socket.socket) -> bytes:
    """All that comes until the server ends it."""
    found = b""
    try:
        while some := connection.recv(65536):
            found += some
    except ConnectionResetError:
        pass
    return found


def head(path: str = "/api/books/guobiao", host: str = "127.0.0.1", **more: str) -> str:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{key.replace('_', '-')}: {value}" for key, value in more.items()]
    return "\r\n".join(lines) + "\r\n\r\n"


@pytest.mark.long
def test_half_open_connections_are_few_and_short(server: Server) -> None:
    began = time.monotonic()
    with ExitStack() as stack:
        halves = [stack.enter_context(talk(server, "GET / HTTP/1.1\r\nHost: x")) for _ in range(6)]
        over = stack.enter_context(talk(server, head()))
        assert heard(over).startswith(b"HTTP/1.1 503 "), "one more than the address may have"
        for half in halves:
            assert heard(half) == b""
    assert time.monotonic() - began > 2, "they were not refused at once"
    assert b" 200 " in heard(talk(server, head()))[:20]


def idle(stack: ExitStack, server: Server, count: int) -> list[socket.socket]:
    """Connections that were answered once and stay open."""
    found = [stack.enter_context(talk(server, head().replace("Connection: close\r\n", ""))) for _ in range(count)]
    for one in found:
        answer = b""
        while not answer.endswith(b"}"):
            answer += one.recv(65536)
        assert answer.startswith(b"HTTP/1.1 200 ")
    return found


def follow(stack: ExitStack, server: Server, path: str, language: str = "zh") -> tuple[socket.socket, bytes]:
    """A page that follows a table, and how it was answered."""
    stream = stack.enter_context(talk(server, head(path, Accept="text/event-stream", Accept_Language=language)))
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += stream.recv(65536)
    return stream, answer


@pytest.mark.parametrize(
    ("request_text", "told"),
    [
        (head(Accept_Language="en"), ["too many connections are open from this address"]),
        (head(), ["打开的连接太多"]),
        (head("/", Accept="text/html"), ["打开的连接太多", "Too many connections"]),
        ("POST /api/hand HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n" + "x" * 2000, ["打开的连接太多"]),
    ],
)
def test_one_more_connection_than_there_may_be_is_told_so(
    server: Server, request_text: str, told: Sequence[str]
) -> None:
    with ExitStack() as stack:
        idle(stack, server, 6)
        answer = heard(talk(server, request_text)).decode()
    assert answer.startswith("HTTP/1.1 503 ")
    assert "retry-after: 5\r\n" in answer.lower()
    for sentence in told:
        assert sentence in answer
    until_let_in(lambda: heard(talk(server, head())).startswith(b"HTTP/1.1 200 "))


def test_a_socket_has_a_limit_of_its_own(server: Server) -> None:
    with ExitStack() as stack:
        idle(stack, server, 6)
        with connect_to_room(server) as line:
            assert "room" in json.loads(line.recv())
    until_let_in(lambda: heard(talk(server, head())).startswith(b"HTTP/1.1 200 "))


@contextmanager
def connect_to_room(server: Server) -> Iterator[ClientConnection]:
    """A connection to a room that was opened before."""
    address = server.address.replace("http", "ws")
    with connect(f"{address}api/rooms/{server.room}/ws") as line:  # type: ignore[attr-defined]
        line.send("{}")
        yield line


def until_let_in(works: Callable[[], bool]) -> None:
    """Try again until connections that were closed count no more."""
    deadline = time.monotonic() + 60
    while not works():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_event_streams_are_counted_apart(server: Server) -> None:
    table = server.fetch("api/tables", {"who": "somebody-1234", "names": ["林", "周", "何", "许"]})
    path = f"/api/tables/{table['id']}/live"
    with ExitStack() as stack:
        streams = []
        for _ in range(3):
            stream, answer = follow(stack, server, path)
            assert answer.startswith(b"HTTP/1.1 200 ")
            streams.append(stream)
        idle(stack, server, 6)  # as many as without the streams
        assert heard(talk(server, head())).startswith(b"HTTP/1.1 503 ")
        refused = heard(talk(server, head(path, Accept="text/event-stream"))).decode()
        assert refused.startswith("HTTP/1.1 503 ")
        assert "实时更新" in refused
        streams[0].close()

        def followed() -> bool:
            with ExitStack() as again:
                return follow(again, server, path)[1].startswith(b"HTTP/1.1 200 ")

        until_let_in(followed)
    with ExitStack() as stack:
        assert follow(stack, server, "/api/tables/nothing/live")[1].startswith(b"HTTP/1.1 404 ")
    until_let_in(lambda: heard(talk(server, head())).startswith(b"HTTP/1.1 200 "))


def test_a_flood_of_connections_is_told_without_being_waited_for() -> None:
    class Transport:
        def __init__(self) -> None:
            self.sent = b""
            self.closed = False

        def get_extra_info(self, _what: str) -> tuple[str, int]:
            return "203.0.113.9", 1

        def write(self, data: bytes) -> None:
            self.sent += data

        def close(self) -> None:
            self.closed = True

    book = Connections(Limits(connections=1), 10_000)
    assert book.enter("203.0.113.9")
    book.refused = 64
    config = Config(app=lambda: None, loop="asyncio")

    async def asked() -> Transport:
        transport = Transport()
        protocol: Any = book.protocol()(config, ServerState(), {}, asyncio.get_running_loop())  # type: ignore[call-arg]
        protocol.connection_made(transport)
        protocol.data_received(b"GET / HTTP/1.1\r\n\r\n")
        protocol.connection_lost(None)
        return transport

    transport = run(asked())
    assert transport.closed
    assert transport.sent.startswith(b"HTTP/1.1 503 ")
    assert "太多" in transport.sent.decode()
    assert "Too many" in transport.sent.decode()
    assert (book.all, book.refused) == (1, 64)


@pytest.mark.long
def test_a_hall_of_sixty_phones_behind_one_address_works(tmp_path: Path) -> None:
    """With the limits as they are: six connections each that load pages, one that follows a desk, and a table."""
    server = Server(tmp_path / "data")
    try:
        server.room = server.fetch("api/rooms", {"name": "甲"})["room"]  # type: ignore[attr-defined]
        table = server.fetch("api/tables", {"who": "somebody-1234", "names": ["林", "周", "何", "许"]})
        with ExitStack() as stack:
            for _ in range(60):
                follow_answer = follow(stack, server, f"/api/tables/{table['id']}/live")[1]
                assert follow_answer.startswith(b"HTTP/1.1 200 ")
                line = stack.enter_context(connect_to_room(server))
                assert "room" in json.loads(line.recv())
                for path in ("/", "/play", "/assets/x.js", "/assets/y.js", "/api/rooms/levels", "/api/books/guobiao"):
                    one = stack.enter_context(talk(server, head(path).replace("Connection: close\r\n", "")))
                    assert one.recv(12) in (b"HTTP/1.1 200", b"HTTP/1.1 404"), path
    finally:
        server.kill()


@pytest.mark.long
def test_an_unfinished_body_is_given_up(server: Server) -> None:
    post = "POST /api/hand HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"
    slow = talk(server, post.format(1000) + '{"hand":')
    assert heard(slow).startswith(b"HTTP/1.1 408 ")
    assert heard(talk(server, post.format(4000))).startswith(b"HTTP/1.1 413 ")
    with ExitStack() as stack:
        half = stack.enter_context(talk(server, post.format(2000) + "x" * 1400))
        assert heard(stack.enter_context(talk(server, post.format(2000) + "x" * 1400))).startswith(b"HTTP/1.1 429 ")
        assert heard(half).startswith(b"HTTP/1.1 408 ")
    body = json.dumps({"hand": "123m"})
    whole = talk(server, post.format(len(body)).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n") + body)
    assert heard(whole).startswith(b"HTTP/1.1 200 ")


def test_other_names_and_addresses_that_clients_make_up(server: Server) -> None:
    assert heard(talk(server, head(host="evil.example"))).startswith(b"HTTP/1.1 421 ")
    assert heard(talk(server, head(host="localhost:80"))).startswith(b"HTTP/1.1 200 ")
    answer = heard(talk(server, head(X_Forwarded_For="203.0.113.9", X_Forwarded_Proto="https")))
    assert b"strict-transport-security" not in answer, "nobody is believed without --behind-proxy"


def test_what_is_stored_is_nobody_elses(server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    server.fetch("api/rooms", {"name": "甲"})
    folder = next(path for path in tmp_path_factory.getbasetemp().glob("served*/data"))
    for path in (folder, *folder.iterdir()):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_names_of_a_server() -> None:
    for name in ("localhost", "box", "box.local:8000", "192.168.1.7:8000", "[::1]:8000", "quepu.lan"):
        assert is_allowed_host(name, ()), name
    for name in ("evil.example", "127.0.0.1.evil.example", "", "[::1", "evil.example:80:80"):
        assert not is_allowed_host(name, ()) or name == "", name
    assert is_allowed_host("club.example:443", {"club.example"})
    assert is_allowed_host("Club.Example.", {"club.example"})
    assert is_allowed_host("127.0.0.1:8000", {"club.example"})
    assert not is_allowed_host("192.168.1.7", {"club.example"})


def test_connections_of_a_proxy_are_counted_together() -> None:
    connections = Connections(Limits(connections=2, all_connections=5), 10_000, frozenset({"10.0.0.1"}))
    assert [connections.enter("203.0.113.9") for _ in range(3)] == [True, True, False]
    assert [connections.enter("10.0.0.1") for _ in range(4)] == [True, True, True, False]
    connections.leave("203.0.113.9")
    assert connections.enter("203.0.113.10")
    assert Connections(Limits(), 300).most == 44, "descriptors are left for the database"


@pytest.mark.parametrize("taken", [False, True])
def test_who_does_not_take_what_is_sent_is_cut_off(taken: bool) -> None:
    """Reads nothing: the keepalive's ping is behind what was not taken, and a transport waits for that as it closes."""

    class Transport:
        def __init__(self) -> None:
            self.aborted = asyncio.Event()

        def abort(self) -> None:
            self.aborted.set()

    async def ended() -> bool:
        transport, book = Transport(), Connections(Limits(answer_time=0.1), 10_000)
        protocol = SimpleNamespace(
            loop=asyncio.get_running_loop(), pause_writing=lambda: None, resume_writing=lambda: None
        )
        paced = _Paced(protocol, transport, book, lambda _: "", 1, lambda: False)  # type: ignore[arg-type]
        paced.pause_writing()
        if taken:
            paced.resume_writing()
        try:
            async with asyncio.timeout(2 if taken else 60):
                await transport.aborted.wait()
        except TimeoutError:
            return False
        return True

    assert run(ended()) is not taken


def test_limits_are_written_down_once(capsys: pytest.CaptureFixture[str]) -> None:
    docs = Path(__file__).parents[2] / "docs"
    assert markdown("en") in (docs / "reference" / "limits.md").read_text(encoding="utf-8")
    assert markdown("zh") in (docs / "reference" / "limits.zh.md").read_text(encoding="utf-8")
    assert parse_limits(["rate=7", "work_cpu=0.5"]) == {"rate": 7, "work_cpu": 0.5}
    for wrong in ("nothing=3", "rate", "rate=x", "rate=-1", "body=1.5", "rate=nan"):
        assert quepu(["serve", "--limit", wrong]) == 2
    assert "nothing" in capsys.readouterr().err


def test_large_bodies_of_one_address_wait_for_each_other() -> None:
    """Each takes several times its size while it is answered: a dozen at once were 20 MiB and more."""
    now: dict[str, int] = {}
    most: dict[str, int] = {}

    async def app(scope: Any, receive: Any, _send: Any) -> None:
        who = scope["client"][0]
        for key in (who, "all"):
            now[key] = now.get(key, 0) + 1
            most[key] = max(most.get(key, 0), now[key])
        assert len((await receive())["body"]) == scope["size"]
        await asyncio.sleep(0.01)
        for key in (who, "all"):
            now[key] -= 1

    async def one(limit: BodyLimit, who: str, size: int) -> None:
        sent = [{"type": "http.request", "body": b"x" * size, "more_body": False}]

        async def receive() -> Any:
            return sent.pop()

        async def send(_: Any) -> None:
            raise AssertionError("nothing is refused here")

        head = [(b"content-length", str(size).encode())]
        scope = {"type": "http", "method": "POST", "path": "/", "headers": head, "client": (who, 1), "size": size}
        await limit(scope, receive, send)

    async def all_of_them() -> None:
        limit = BodyLimit(app, Limits())
        large = [one(limit, f"10.0.0.{i % 4}", 60_000) for i in range(24)]
        await asyncio.gather(*large)
        assert (most.pop("all"), set(most.values())) == (2, {1})
        await asyncio.gather(*(one(limit, "10.0.0.9", 600) for _ in range(12)))
        assert most["10.0.0.9"] == 12

    run(all_of_them())
