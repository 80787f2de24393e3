"""Requests to a guarded application, without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from starlette.types import Message


def scope(path: str = "/api/x", method: str = "POST", client: str = "203.0.113.7", **headers: str) -> dict[str, Any]:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http", "method": method, "path": path, "query_string": b"", "headers": named, "scheme": "http",
        "client": (client, 50000), "server": ("127.0.0.1", 80), "root_path": "", "http_version": "1.1",
    }  # fmt: skip


def pieces(*parts: bytes, ends: bool = True) -> list[Message]:
    """The messages of a body that comes in these pieces."""
    last = len(parts) - 1
    return [
        {"type": "http.request", "body": part, "more_body": not (ends and i == last)} for i, part in enumerate(parts)
    ]


class Exchange:
    """A request to a guarded application: what the application was given, what was answered, what stayed unread."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self.coming = list(messages)
        self.ended = False
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        if self.coming:
            message = self.coming.pop(0)
            self.ended = not message.get("more_body", False)
            return message
        if not self.ended:  # the rest of a body does not come
            await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def through(self, app: Any, request: dict[str, Any]) -> Exchange:
        await app(request, self.receive, self.send)
        return self

    @property
    def status(self) -> int | None:
        return next((message["status"] for message in self.sent if message["type"] == "http.response.start"), None)

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def error(self) -> str:
        answer: str = json.loads(b"".join(message.get("body", b"") for message in self.sent))["error"]
        return answer
