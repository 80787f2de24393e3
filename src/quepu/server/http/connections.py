"""Limit connections before there is a request: their number, and the time until they send one."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal, cast

import h11
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from quepu.errors import Text
from quepu.server.budget import find_network
from quepu.server.http.guard import read_on
from quepu.server.http.pace import Pace
from quepu.server.http.responses import language_of, refuse
from quepu.server.limits import Limits

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_SPARE = 256
"""File descriptors reserved for the database, its log, files and pipes."""
_REFUSED = 64
"""The most connections held open only to be refused; they use reserved descriptors."""
_REFUSED_HEAD = 3.0
"""Seconds until the head of a request must arrive on one of those."""
_AGAIN = "5"
"""Seconds after which a retry makes sense."""
_FULL = Text("服务器打开的连接太多，请过一会儿再试。", "this server has too many connections open: please try later.")
_MANY = Text(
    "这个地址打开的连接太多，请关掉几个页面，过几秒再试。",
    "too many connections are open from this address: close some pages and try again in a few seconds.",
)
_MANY_STREAMS = Text(
    "这个地址打开的实时更新的页面太多，请关掉几个再试。",
    "too many pages at this address are following changes: close some and try again.",
)

Kind = Literal["connections", "streams"]
"""The limit that a connection counts towards: ordinary ones, or event streams."""


def raise_descriptors() -> int:
    """Raise this process's limit of open files as far as allowed; return the limit."""
    if resource is None:
        return 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return soft
    return max(soft, wanted)


class Connections:
    """The open connections of a server by address: ordinary ones, and event streams.

    Those of a trusted proxy are only counted in total.
    """

    def __init__(self, limits: Limits, descriptors: int, trusted: Iterable[str] = ()) -> None:
        """`trusted`: addresses and networks of proxies."""
        self.limits = limits
        self.trusted = [ipaddress.ip_network(proxy, strict=False) for proxy in trusted]
        self.most = min(limits.all_connections, max(16, descriptors - _SPARE))
        self.all = 0
        self.refused = 0
        """Connections that are open only to be refused."""
        self._of: dict[Kind, Counter[str]] = {"connections": Counter(), "streams": Counter()}
        self.pace = Pace()

    @property
    def full(self) -> bool:
        """Whether the total limit is reached."""
        return self.all >= self.most

    def enter(self, host: str, kind: Kind = "connections") -> bool:
        """Count a connection; return False (without counting) if there are too many."""
        who, most = find_network(host), getattr(self.limits, kind)
        if self.full or (self._of[kind][who] >= most and not self._proxy(who)):
            return False
        self.all += 1
        self._of[kind][who] += 1
        return True

    def _proxy(self, who: str) -> bool:
        try:
            found = ipaddress.ip_network(who)  # an address, or the /64 of an IPv6 one
        except ValueError:  # not an address
            return False
        return any(found.version == one.version and found.overlaps(one) for one in self.trusted)

    def sender(self, host: str, headers: Iterable[tuple[bytes, bytes]], connection: str) -> str:
        """Return the sender that a connection is read for: its address; behind a proxy the client's, if known."""
        if not self._proxy(find_network(host)):
            return find_network(host)
        hops = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin1").split(",")
        others = (find_network(hop.strip()) for hop in reversed(hops) if hop.strip())
        return next((hop for hop in others if not self._proxy(hop)), connection)

    def leave(self, host: str, kind: Kind = "connections") -> None:
        """Stop counting a connection."""
        who = find_network(host)
        self.all -= 1
        self._of[kind][who] -= 1
        if not self._of[kind][who]:
            del self._of[kind][who]

    def protocol(self) -> type[asyncio.Protocol]:
        """Return uvicorn's protocol class with these limits."""

        class Limited(_Limited):
            book = self

        return Limited


_PIECE = 16 << 10
"""Bytes read from a connection at once; the rest stays with the system until its next turn."""
_PIECE_OF_SOCKET = 256
"""The same for a WebSocket: forty of the shortest messages or pings; nearly all client messages are shorter."""
_MOST_FRAMES = 64
"""The most frames of one message."""
_taken = memoryview(bytearray(_PIECE))  # copied from at once: all connections share it


class _Paced(asyncio.BufferedProtocol):
    """Sits between a connection's transport and protocol: small pieces, at the server's pace, each sender in turn.

    A connection whose peer does not read in time is closed.
    """

    def __init__(
        self, protocol: Any, transport: asyncio.Transport, book: Connections, who: Sender, most: int, paused: Paused
    ) -> None:
        """`who`: the sender of the current data; `paused`: whether the protocol itself has paused reading."""
        self._protocol = protocol
        self._transport = transport
        self._book = book
        self._who = who
        self._room = _taken[:most]
        self._paused = paused
        self._waits = self._lost = False
        self._untaken: asyncio.TimerHandle | None = None

    def get_buffer(self, sizehint: int) -> memoryview:  # the transport's size hint
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        loop, data = self._protocol.loop, bytes(self._room[:nbytes])
        if not self._book.pace.read(loop, self._who(data), self._read, data, more=nbytes == len(self._room)):
            self._waits = True
            self._transport.pause_reading()

    def _read(self, data: bytes) -> None:
        if self._lost:
            return
        self._protocol.data_received(data)
        if len(getattr(self._protocol, "frames", ())) > _MOST_FRAMES:
            self._transport.abort()
        elif self._waits and not self._transport.is_closing() and not self._paused():
            self._transport.resume_reading()
        self._waits = False

    def eof_received(self) -> Any:
        return self._protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._cancel()
        self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        seconds = self._book.limits.answer_time
        self._untaken = self._protocol.loop.call_later(seconds, self._transport.abort)
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._cancel()
        self._protocol.resume_writing()

    def _cancel(self) -> None:
        if self._untaken is not None:
            self._untaken.cancel()
            self._untaken = None


Paused = Callable[[], bool]
Sender = Callable[[bytes], str]
_FORWARDED = re.compile(rb"\r\nx-forwarded-for:([^\r\n]*)", re.IGNORECASE)


class _Limited(H11Protocol):
    """One connection. A request's head must arrive soon; an answer must be read in time.

    A surplus connection stays open until its request has arrived and is refused; WebSockets and event streams have
    limits of their own. While a stream is open, its connection counts only towards that limit.
    """

    book: Connections
    _host: str | None = None
    _counted: tuple[str, Kind] | None = None  # the address and limit it counts towards; None: surplus
    _timer: asyncio.TimerHandle | None = None
    _answering = False
    _sender = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        if self.book.enter(host):
            self._counted = host, "connections"
        elif self.book.refused < _REFUSED:
            self.book.refused += 1
        else:  # a flood: do not wait for its request
            transport.write(_build_unasked(_FULL if self.book.full else _MANY))
            transport.close()
            return
        self._host = host
        super().connection_made(transport)
        self.app = self._answer
        self._sender = self.book.sender(host, (), str(id(self)))
        transport.set_protocol(_Paced(self, transport, self.book, self._who, _PIECE, lambda: self.flow.read_paused))
        self._watch(self.book.limits.head_time if self._counted else min(_REFUSED_HEAD, self.book.limits.head_time))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, unless there are too many connections."""
        app: Any = self.config.loaded_app
        if _follows(scope):
            host = self._host or ""
            if self._count((self.book.sender(host, self.headers, host), "streams")):
                try:
                    await app(scope, receive, send)
                finally:
                    if self._host is not None and not self._count((host, "connections")):
                        self.transport.close()
            else:
                await _refuse(_FULL if self.book.full else _MANY_STREAMS, scope, receive, send)
        elif self._counted is None:
            await _refuse(_FULL if self.book.full else _MANY, scope, receive, send)
        else:
            await app(scope, receive, send)

    def _count(self, otherwise: tuple[str, Kind]) -> bool:
        """Count towards another limit from now on; return False, unchanged, if that is reached."""
        if self._counted == otherwise:
            return True
        if not self.book.enter(*otherwise):
            return False
        self._uncount()
        self._counted = otherwise
        return True

    def _uncount(self) -> None:
        if self._counted is None:
            self.book.refused -= 1
        else:
            self.book.leave(*self._counted)

    def _who(self, data: bytes) -> str:
        """Return the sender of the data: behind a proxy, at the start of a request, the client it is for."""
        if self._sender != find_network(self._host or "") and self.conn.their_state is h11.IDLE:
            hops = [(b"x-forwarded-for", hop) for hop in _FORWARDED.findall(data.partition(b"\r\n\r\n")[0])]
            self._sender = self.book.sender(self._host or "", hops, str(id(self)))
        return self._sender

    def data_received(self, data: bytes) -> None:
        if self._host is None:
            return
        super().data_received(data)
        if self._host is None or self.transport.is_closing():
            return
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and not self._answering:
            self._watch(self.book.limits.answer_time)
        elif not answering and self._timer is None:
            self._watch(self.book.limits.head_time)
        self._answering = answering

    def on_response_complete(self) -> None:
        self._answering = False
        self._watch(None)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        who = self.book.sender(self._host or "", self.headers, str(id(self)))
        self._disconnect()  # its socket is counted from here on
        super().handle_websocket_upgrade(event)
        socket: Any = self.transport.get_protocol()
        paced = _Paced(socket, self.transport, self.book, lambda _: who, _PIECE_OF_SOCKET, lambda: socket.read_paused)
        self.transport.set_protocol(paced)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._host is None and self.transport is None:
            return  # it was never counted
        self._disconnect()
        super().connection_lost(exc)

    def _watch(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        self._timer = None
        if self.transport is not None:
            cast("Any", self.transport).abort()

    def _disconnect(self) -> None:
        self._watch(None)
        if self._host is not None:
            self._uncount()
            self._host = None
            self.app = self.config.loaded_app  # avoids a reference cycle


def _follows(scope: Scope) -> bool:
    """Return whether a request is for an event stream, as from a page's EventSource."""
    return any(name == b"accept" and b"text/event-stream" in value for name, value in scope["headers"])


async def _refuse(sentence: Text, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that there are too many connections: like the API, and in plain text to a page."""
    request = Request(scope, receive)
    await read_on(receive, 1 << 20)
    if "text/html" in request.headers.get("accept", ""):
        answer: Any = PlainTextResponse(_both(sentence), 503)
    else:
        answer = refuse(sentence.say(language_of(request)), 503)
    answer.headers.update({"connection": "close", "retry-after": _AGAIN})
    await answer(scope, receive, send)


def _build_unasked(sentence: Text) -> bytes:
    """Return a response that is valid for any request."""
    body = _both(sentence).encode()
    head = f"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: {_AGAIN}\r\n"
    head += f"content-type: text/plain; charset=utf-8\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _both(sentence: Text) -> str:
    return f"{sentence.zh}\n{sentence.en[0].upper()}{sentence.en[1:]}\n"
