"""What stands between the network and the application: size and rate limits, and headers on every answer."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quepu.errors import Text
from quepu.server.speaking import refuse, spoken_to

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
    "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
))  # fmt: skip
"""The content policy of the pages: nothing but what this server sends."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class SafeHeaders:
    """Puts the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for key, value in HEADERS.items():
                    headers.setdefault(key, value)
            await send(message)

        await self.app(scope, receive, sent if scope["type"] == "http" else send)


class BodyLimit:
    """Refuses a body over `most` bytes with 413, whether or not it told its length; `larger` by address."""

    def __init__(self, app: ASGIApp, most: int, larger: Mapping[str, int] = MappingProxyType({})) -> None:
        self.app = app
        self.most = most
        self.larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. The body is read here in full, so the application never meets one that is too large."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        request, most = Request(scope), self.larger.get(scope["path"], self.most)
        told = request.headers.get("content-length", "0")
        body, more = bytearray(), True
        if not told.isdecimal() or int(told[:12]) > most:
            body.extend(bytes(most + 1))
        while more and len(body) <= most:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        if len(body) > most:
            said = Text(f"请求太大，最多 {most // 1024} KiB。", f"too large: at most {most // 1024} KiB.")
            await refuse(said.say(spoken_to(request)), 413)(scope, receive, send)
            return
        given = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self.app(scope, replay, send)


class RateLimit:
    """A bucket of `burst` requests for each address that refills at `rate` a second; empty means 429.

    Only `/api/` is counted: pages and fonts come from the browser's cache after the first visit.
    """

    def __init__(
        self, app: ASGIApp, rate: float, burst: int, clock: Callable[[], float] = time.monotonic, most: int = 10_000
    ) -> None:
        self.app = app
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.most = most
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """Take one from the bucket of `who`: 0, or the seconds until there is one."""
        now = self.clock()
        left, at = self.buckets.pop(who, (float(self.burst), now))
        left = min(self.burst, left + (now - at) * self.rate)
        short = left < 1
        self.buckets[who] = (left if short else left - 1, now)
        if len(self.buckets) > self.most:
            self.buckets.popitem(last=False)
        return (1 - left) / self.rate if short else 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            request = Request(scope)
            wait = self.wait(request.client.host if request.client else "")
            if wait:
                said = Text("请求太频繁，请稍候再试。", "too many requests: please wait a moment.")
                answer = refuse(said.say(spoken_to(request)), 429)
                answer.headers["retry-after"] = str(math.ceil(wait))
                await answer(scope, receive, send)
                return
        await self.app(scope, receive, send)
