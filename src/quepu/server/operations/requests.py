"""Give every request a number, a log line and metrics; and serve the operators' pages.

`/healthz` and `/readyz` are public. `/metrics` needs its own listener, or the token.
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
import secrets
import time
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quepu.errors import Text
from quepu.server.http.responses import NUMBER, REQUEST_ID, Plain, language_of, refuse, route_of
from quepu.server.operations.health import Health
from quepu.server.operations.log_output import REQUEST
from quepu.server.operations.metrics import CONTENT_TYPE, REQUEST_SECONDS, REQUESTS, SOCKETS, Gauges, exposition

_log = logging.getLogger("quepu.requests")
_PAGES: Final = frozenset({"/healthz", "/readyz", "/metrics"})
_NOTHING: Final = Text("没有这个地址。", "this address does not exist.")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Requests:
    """Outermost middleware, before any that refuses requests. `port` is the operators' listener (0: none)."""

    def __init__(self, app: ASGIApp, health: Health, port: int = 0, token: str = "") -> None:
        self.app = app
        self.health = health
        self.port = port
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        number = scope[NUMBER] = secrets.token_hex(6)
        REQUEST.set(number)
        began = time.perf_counter()
        status = 500 if scope["type"] == "http" else 1006

        async def send_timed(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[REQUEST_ID] = number
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        inside = self.port and (scope.get("server") or ("", 0))[1] == self.port
        try:
            if scope["type"] == "http" and (scope["path"] in _PAGES or inside):
                await self._page(scope, receive, send_timed, bool(inside))
            else:
                await self.app(scope, receive, send_timed)
        finally:
            _log_request(scope, status, time.perf_counter() - began)

    async def _page(self, scope: Scope, receive: Receive, send: Send, inside: bool) -> None:
        request = HTTPConnection(scope)
        lang = language_of(request)
        path = scope["path"]
        answer: Response
        if scope["method"] not in ("GET", "HEAD") or path not in _PAGES:
            answer = refuse(_NOTHING.say(lang), 404)
        elif path == "/healthz":
            answer = Plain({"status": "ok"})
        elif path == "/readyz":
            why = await self.health.unready()
            answer = Plain({"status": "ok"}) if why is None else Plain({"status": why.say(lang)}, status_code=503)
        elif inside or self._is_allowed(request):
            store_up = await self.health.store_trouble() is None  # nothing else may have used it since it went down
            answer = Response(exposition(Gauges(request.app, store_up=store_up)), media_type=CONTENT_TYPE)
        else:
            answer = refuse(_NOTHING.say(lang), 404)
        answer.headers["cache-control"] = "no-store"
        await answer(scope, receive, send)

    def _is_allowed(self, request: HTTPConnection) -> bool:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        given = bearer.strip().encode("utf-8", "replace")
        return bool(self.token) and scheme.lower() == "bearer" and hmac.compare_digest(given, self.token.encode())


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    path = scope["path"]
    route = route_of(scope) or (path if path in _PAGES else "-")
    if scope["type"] == "http":
        method = scope["method"] if scope["method"] in _METHODS else "-"
        REQUESTS.labels(method, route, str(status)).inc()
        REQUEST_SECONDS.labels(route).observe(seconds)
    else:
        method = "WS"
        SOCKETS.labels(str(status)).inc()
    if _log.isEnabledFor(logging.INFO) and path not in _PAGES:
        client = scope.get("client")
        more = {
            "from": address_class(client[0] if client else ""),
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        _log.info("%s %s %s", method, route, status, extra={"more": more})


def address_class(host: str) -> str:
    """Return the class of an address, all that a log line has of it."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "-"
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    kind = "loopback" if found.is_loopback else "public" if found.is_global else "private"
    return f"{kind}-{found.version}"
