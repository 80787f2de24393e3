"""The socket of a room: check size, pace and origin, and connect to the room wherever it is or moves."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pydantic_core import to_json
from starlette.websockets import WebSocket, WebSocketDisconnect

from quepu.errors import Error
from quepu.server.budget import Buckets, address, payers
from quepu.server.http.guard import is_own_page
from quepu.server.http.responses import Refusal, language_of, refuse
from quepu.server.limits import Limits
from quepu.server.rooms.client_messages import pong
from quepu.server.rooms.places import MOVED, UNREAD, BrokenRoom
from quepu.server.rooms.registry import RoomRegistry
from quepu.server.rooms.visit import Connection

_MOST_BYTES = 4096
_MOST_A_SECOND = 60
_FIRST_WORD = 10.0
_FINDS = 5.0
"""Seconds for which client messages wait for a room that is loading or moving, before they are refused."""
_FINDS_AGAIN = 30.0
"""Seconds for which a moving room is looked for before the client has to reconnect."""
_NO_ROOM = {"refused": {"zh": "没有这个房间。", "en": "there is no such room."}}
_MOVING = {"refused": {"zh": "这一桌正在换服务器，马上接回。", "en": "this table is moving to another server."}}


_TOO_MANY = Refusal(
    503,
    "这个地址或账号打开的牌桌太多，请关掉几个再试。",
    "too many tables are open at this address or account: close some and try again.",
    after=5,
)


def _too_fast(after: float) -> Refusal:
    return Refusal(
        429, "连得太频繁，请稍候再试。", "too many connections in a short time: please wait a moment.", after
    )


class Texts:
    """The texts of recent messages: spectators of one table share messages, which are encoded once."""

    MOST = 64

    def __init__(self) -> None:
        self._rendered: dict[int, tuple[dict[str, Any], str]] = {}  # by identity, the oldest first

    def of(self, message: dict[str, Any]) -> str:
        """Return a message as text; messages must not change once they are sent."""
        found = self._rendered.get(id(message))
        if found is None:
            found = message, to_json(message).decode()
            self._rendered[id(message)] = found  # kept alive, so that no other message gets its identity
            if len(self._rendered) > self.MOST:
                del self._rendered[next(iter(self._rendered))]
        return found[1]


_texts = Texts()


class Sockets:
    """The sockets of each address and account: open ones, new ones, and their input."""

    def __init__(self, limits: Limits) -> None:
        self.most = limits.sockets
        self.handshakes = Buckets(limits.hello_rate, limits.hello_burst)
        self.messages = Buckets(limits.message_rate, limits.message_burst)
        self._open: Counter[str] = Counter()
        self._total = 0

    @property
    def open(self) -> int:
        """The number of open connections."""
        return self._total

    @contextmanager
    def one_more(self, socket: WebSocket) -> Iterator[Refusal | None]:
        """Count a socket while it is open; yield the reason if it is refused."""
        whose = payers(address(socket))
        few = all(self._open[who] < self.most for who in whose)
        waits = [self.handshakes.wait(who) for who in whose if few]  # each of them pays, even if one is refused
        allowed = few and not any(waits)
        refusal = None if allowed else _too_fast(max(waits)) if few else _TOO_MANY
        self._open.update(dict.fromkeys(whose, int(allowed)))
        self._total += allowed
        try:
            yield refusal
        finally:
            self._open.subtract(dict.fromkeys(whose, int(allowed)))
            self._total -= allowed
            for who in whose:
                if not self._open[who]:
                    del self._open[who]


async def play(socket: WebSocket, id: str) -> None:
    """Play or watch: the first message has the token and the last message seen."""
    await serve(socket, socket.app.state.rooms, id)


async def serve(socket: WebSocket, registry: RoomRegistry, room: str) -> None:
    """Serve one connection, from its handshake to its end."""
    sockets: Sockets = socket.app.state.sockets
    with sockets.one_more(socket) as refusal:
        if refusal is not None:
            answer = refuse(refusal.text.say(language_of(socket)), refusal.status)
            answer.headers["retry-after"] = str(math.ceil(refusal.after))
            await socket.send_denial_response(answer)
        elif is_own_page(socket):
            await _serve(socket, registry, room)
        else:
            await socket.close(4403)


async def _serve(socket: WebSocket, registry: RoomRegistry, room: str) -> None:
    await socket.accept()
    try:
        async with asyncio.timeout(_FIRST_WORD):
            first = await _receive(socket)
    except (TimeoutError, WebSocketDisconnect, RuntimeError):
        await _close(socket, 4400)
        return
    await _Connection(socket, registry, room, first if isinstance(first, dict) else {}).run()


class _Connection:
    """A client whose first message has arrived."""

    def __init__(self, socket: WebSocket, registry: RoomRegistry, room: str, hello: dict[str, Any]) -> None:
        self.socket = socket
        self.registry = registry
        self.room = room
        self.who = address(socket)
        self.payers = payers(self.who)
        self.messages: Buckets = socket.app.state.sockets.messages
        self.hello = {key: hello.get(key) for key in ("token", "after", "hand")} | {"from": self.who}
        self.line: Connection | None = None
        self._found = asyncio.Event()  # set while there is a connection

    async def run(self) -> None:
        reading = asyncio.create_task(self._hear())
        code = UNREAD
        try:
            looking = 0.0
            while not reading.done() and looking < _FINDS_AGAIN:
                try:
                    self.line = await self.registry.visit(self.room, self.hello)
                except BrokenRoom as broken:
                    await self._send({"refused": broken.text._asdict()})
                    code = 4404
                    break
                except Error:
                    self.line = None
                else:
                    if self.line is None:
                        await self._send(_NO_ROOM)
                        code = 4404
                        break
                    self._found.set()
                    code = await self._forward(self.line, reading)
                    self._found.clear()
                    self.line.leave()
                    self.line = None
                    if code != MOVED:
                        break
                    code = UNREAD
                await asyncio.sleep(0.25)
                looking += 0.25
        finally:
            reading.cancel()
            if self.line is not None:
                self.line.leave()
            await _close(self.socket, code)

    async def _forward(self, line: Connection, reading: asyncio.Task[None]) -> int:
        """Forward messages until the connection ends or the client has gone; return why."""
        forwarding = asyncio.create_task(self._forward_all(line))
        try:
            await asyncio.wait({forwarding, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            forwarding.cancel()
        return line.listener.code or UNREAD

    async def _forward_all(self, line: Connection) -> None:
        while (message := await line.listener.next()) is not None:
            if "n" in message:
                self.hello["after"] = message["n"]
            await self._send(message)

    async def _send(self, message: dict[str, Any]) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.send_text(_texts.of(message))

    async def _hear(self) -> None:
        loop = asyncio.get_running_loop()
        window, heard = loop.time(), 0
        with suppress(RuntimeError, WebSocketDisconnect):
            while True:
                data = await _receive(self.socket)
                now = loop.time()
                if now - window > 1:
                    window, heard = now, 0
                heard += 1
                if heard > _MOST_A_SECOND:  # messages are not dropped, but a flood is read at most this fast
                    await asyncio.sleep(max(0.0, window + 1 - now))
                if wait := max(map(self.messages.reserve, self.payers)):  # each of them pays
                    await asyncio.sleep(wait)
                if (answer := pong(data)) is not None:  # answered at once
                    await self._send(answer)
                elif (line := await self._line()) is not None:
                    await line.hear(data)
                else:
                    await self._send(_MOVING)

    async def _line(self) -> Connection | None:
        """Connect to the room; loading it may take a moment, and messages sent meanwhile are kept."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_FINDS):
                await self._found.wait()
        return self.line


async def _receive(socket: WebSocket) -> Any:
    """Receive one message as data; None for anything that is not JSON of reasonable size."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if text is None or len(text) > _MOST_BYTES:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


async def _close(socket: WebSocket, code: int) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code)
