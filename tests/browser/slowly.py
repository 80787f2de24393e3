"""An app behind a slow line: every answer, and every message of a socket, comes late by chance.

`QUEPU_SLOW_LINE=1.2 python -m pytest tests/browser` puts it before the server (seconds at most, most waits are short).
A page that loses what was done while an answer was under way then fails its test.
"""

import asyncio
import random


class Slowly:
    """Wraps an ASGI app."""

    def __init__(self, app, most, seed=1):
        self.app = app
        self.most = most
        self.rng = random.Random(seed)

    async def wait(self, share):
        """Up to this share of the longest wait."""
        await asyncio.sleep(self.most * share * self.rng.random() ** 2)

    async def __call__(self, scope, receive, send):
        """One request or socket."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        socket = scope["type"] == "websocket"

        async def late_receive():
            message = await receive()
            await self.wait(0.3)
            return message

        async def late_send(message):
            if socket:
                await self.wait(0.5)
            elif message["type"] == "http.response.start":
                await self.wait(1)
            await send(message)

        await self.app(scope, late_receive, late_send)
