"""The guard between the network and the application: size and rate limits, and headers on every answer."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import IO
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quepu.errors import Text
from quepu.server.budget import Buckets, address
from quepu.server.http.responses import HEADERS, Refusal, language_of, refuse
from quepu.server.limits import Limits

_IN_MEMORY = 64 << 10
"""Bytes of a body held in memory before it is complete."""
_LARGE = 8 << 10
"""Size in bytes from which bodies are processed one at a time per address, and two in total: parsing takes several
times their size.
"""
_READ_ON = 0.5
"""Seconds for which a refused body may still arrive."""
_SLOWEST = 64 << 10
"""Bytes per second at which the largest body must arrive."""


class SafeHeaders:
    """Adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", "max-age=31536000")
                for key, value in HEADERS.items():
                    headers.setdefault(key, value)
            await send(message)

        await self.app(scope, receive, send_safely if scope["type"] == "http" else send)


async def read_on(receive: Receive, most: int) -> None:
    """Read a little more of a refused body: closing a connection with unread bytes loses the answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_READ_ON):
            while most > 0:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
                most -= len(message.get("body", b""))


class BodyLimit:
    """Reads bodies before the application does: complete, in time, and within a total size.

    One over `limits.body` bytes (or `larger`, by path) is refused with 413 whether or not it declared its length, one
    that arrives too slowly with 408. Large ones are kept on disk until they are complete.
    """

    def __init__(self, app: ASGIApp, limits: Limits, larger: Mapping[str, int] = MappingProxyType({})) -> None:
        self.app = app
        self.limits = limits
        self.larger = larger
        self._all = 0
        self._of: Counter[str] = Counter()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._two = asyncio.Semaphore(2)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
            await self._limit(file, scope, receive, send)

    async def _limit(self, file: IO[bytes], scope: Scope, receive: Receive, send: Send) -> None:
        request, most = Request(scope), self.larger.get(scope["path"], self.limits.body)
        length = request.headers.get("content-length", "0")
        refused, size, whole = _too_large(most), 0, False
        fits = length.isdecimal() and int(length[:12]) <= most
        if fits and self._of[address(request)] + int(length) > self.limits.body_each:
            refused = _too_much()
        elif fits:
            try:
                async with asyncio.timeout(self.limits.body_time + most / _SLOWEST):
                    size = await self._read(file, address(request), most, receive)
                whole = True
            except TimeoutError:
                refused = Refusal(408, "请求来得太慢。", "the request arrived too slowly.")
            except ClientDisconnect:
                return
            except Refusal as refusal:
                refused = refusal
        if not whole:
            await read_on(receive, 4 * most)
            answer = refuse(refused.text.say(language_of(request)), refused.status)
            answer.headers["connection"] = "close"  # the rest of it is not read
            await answer(scope, receive, send)
            return
        replayed = False

        async def replay() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            with file:  # frees the buffered data at once
                return {"type": "http.request", "body": file.read(), "more_body": False}

        try:
            async with self._turn(address(request), size):
                await self.app(scope, replay, send)
        finally:  # until then there is more than one copy of it
            self._release(address(request), size)

    @asynccontextmanager
    async def _turn(self, who: str, size: int) -> AsyncIterator[None]:
        """Wait on disk for the large body before this one."""
        if size <= _LARGE:
            yield
            return
        mine = self._turns.setdefault(who, asyncio.Lock())
        async with mine, self._two:
            yield

    async def _read(self, file: IO[bytes], who: str, most: int, receive: Receive) -> int:
        counted, more = 0, True
        try:
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                some: bytes = message.get("body", b"")
                more = message.get("more_body", False)
                counted += len(some)
                self._all += len(some)
                self._of[who] += len(some)
                if counted > most:
                    raise _too_large(most)
                if self._all > self.limits.body_all:
                    raise Refusal(503, "现在太忙，请稍后再试。", "the server is too busy now: please try again later.")
                if self._of[who] > self.limits.body_each:
                    raise _too_much()
                file.write(some)
            file.seek(0)
        except BaseException:
            self._release(who, counted)
            raise
        return counted

    def _release(self, who: str, counted: int) -> None:
        self._all -= counted
        self._of[who] -= counted
        if not self._of[who]:
            del self._of[who]


def _too_much() -> Refusal:
    return Refusal(429, "同时送来的内容太多，请稍候再试。", "too much is being sent at once: please wait a moment.")


def _too_large(most: int) -> Refusal:
    return Refusal(413, f"请求太大，最多 {most // 1024} KiB。", f"too large: at most {most // 1024} KiB.")


class AllowedHost:
    """Answers only to this server's names, against DNS rebinding.

    Without `names` it runs at home: addresses, and names that are not registered on the Internet, are allowed.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self.app = app
        self.names = frozenset(name.casefold() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] in ("http", "websocket"):
            connection = HTTPConnection(scope)
            zero = "\0" in scope["path"] or b"%00" in scope["query_string"]
            if zero and scope["path"].startswith("/api/"):  # NUL cannot be stored in any database
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 4404})
                else:
                    sentence = Text("没有这个地址。", "this address does not exist.")
                    await refuse(sentence.say(language_of(connection)), 404)(scope, receive, send)
                return
            if not is_allowed_host(connection.headers.get("host", ""), self.names):
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 4403})
                else:
                    sentence = Text("这台服务器不叫这个名字。", "this server does not answer to that name.")
                    await refuse(sentence.say(language_of(connection)), 421)(scope, receive, send)
                return
        await self.app(scope, receive, send)


_AT_HOME = (".localhost", ".local", ".lan", ".home", ".internal", ".home.arpa")


def is_allowed_host(host: str, names: Collection[str]) -> bool:
    """Return whether a Host header names this server."""
    name = hostname(host)
    if name in names:
        return True
    if names:
        return name in ("localhost", "127.0.0.1", "::1")
    with suppress(ValueError):
        ipaddress.ip_address(name)
        return True
    return "." not in name or name.endswith(_AT_HOME)


def hostname(host: str) -> str:
    """Return a host without its port."""
    with suppress(ValueError):
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    return "?."


def is_own_page(connection: HTTPConnection) -> bool:
    """Return whether a request comes from a page of this server; programs, which send no origin, count as such.

    A page at another port of the same host is foreign, unless it has a public name: a proxy may hide the visitors'
    port.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    with suppress(ValueError):
        found = urlsplit(origin)
        names = connection.app.state.settings.public_names
        return found.netloc == connection.headers.get("host") or (found.hostname or "?") in names
    return False


def at_this_machine(connection: HTTPConnection) -> bool:
    """Return whether the request comes from this machine; behind a proxy this is never assumed."""
    if connection.app.state.settings.proxies or connection.client is None:
        return False
    with suppress(ValueError):
        return ipaddress.ip_address(connection.client.host).is_loopback
    return False


class RateLimit(Buckets):
    """Limits requests to a token bucket of `burst` per address, refilled at `rate` per second; empty means 429.

    Only `/api/` is counted: pages and fonts come from the browser's cache after the first visit.
    """

    def __init__(
        self, app: ASGIApp, rate: float, burst: int, clock: Callable[[], float] = time.monotonic, most: int = 10_000
    ) -> None:
        super().__init__(rate, burst, clock, most)
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            request = Request(scope)
            wait = self.wait(address(request))
            if wait:
                sentence = Text("请求太频繁，请稍候再试。", "too many requests: please wait a moment.")
                answer = refuse(sentence.say(language_of(request)), 429)
                answer.headers["retry-after"] = str(math.ceil(wait))
                await answer(scope, receive, send)
                return
        await self.app(scope, receive, send)
