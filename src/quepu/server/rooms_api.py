"""Rooms over HTTP and WebSocket. The socket's messages are told in docs/protocol.md."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Header, Request, WebSocket
from starlette.responses import Response
from starlette.websockets import WebSocketDisconnect

from quepu.errors import Error
from quepu.server.account_api import Somebody, TheAccounts
from quepu.server.messages import Refused
from quepu.server.room_messages import Level, OpenRoom, RoomHead, RoomSpec, Sat, Sit
from quepu.server.rooms import House, Room
from quepu.server.rooms.places import Listener
from quepu.server.speaking import Plain, Refusal

routes = APIRouter(
    prefix="/api/rooms",
    tags=["rooms"],
    responses={400: {"model": Refused}, 404: {"model": Refused}, 409: {"model": Refused}, 422: {"model": Refused}},
)
_MOST_BYTES = 4096
_MOST_A_SECOND = 60


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


TheHouse = Annotated[House, Depends(_house)]


async def _room(house: House, id: str) -> Room:
    room = await house.find(id)
    if room is None:
        raise Refusal(404, "没有这个房间。", "there is no such room.")
    return room


@routes.get("/levels", response_model=list[Level])
async def levels() -> Plain:
    """The levels of bots that may sit at a table."""
    from quepu.bots import LEVELS

    return Plain(
        [{"key": key, "name": level.name._asdict(), "text": level.text._asdict()} for key, level in LEVELS.items()]
    )


@routes.get("", response_model=list[RoomHead])
async def lobby(house: TheHouse) -> Plain:
    """Open and running rooms."""
    return Plain([room.head() for room in house.listed()])


@routes.post("", response_model=Sat)
async def open_room(asked: OpenRoom, house: TheHouse, who: Somebody, accounts: TheAccounts) -> Plain:
    """Open a room and sit down in it."""
    spec = RoomSpec.model_validate(asked.model_dump(exclude={"name"}))
    room = await house.open(spec)
    place, token = await room.sit(asked.name, None)
    if who is not None:
        await accounts.took(who.id, room.id, place)
    return Plain({"room": room.id, "place": place, "token": token})


@routes.get("/{id}", response_model=RoomHead)
async def head(id: str, house: TheHouse) -> Plain:
    """A room as everybody may see it."""
    return Plain((await _room(house, id)).head())


@routes.get("/{id}/house", responses={200: {"content": {"application/toml": {}}}})
async def house_rules(id: str, house: TheHouse) -> Response:
    """The house rules of a table, as the file they were given in; empty where the book is played as it is."""
    room = await _room(house, id)
    return Response(room.spec.house, media_type="application/toml; charset=utf-8")


@routes.post("/{id}/sit", response_model=Sat)
async def sit(id: str, asked: Sit, house: TheHouse, who: Somebody, accounts: TheAccounts) -> Plain:
    """Take a place."""
    room = await _room(house, id)
    place, token = await room.sit(asked.name, asked.place)
    if who is not None:
        await accounts.took(who.id, id, place)
    return Plain({"room": id, "place": place, "token": token})


@routes.post("/{id}/leave", response_model=RoomHead)
async def leave(
    id: str,
    house: TheHouse,
    who: Somebody,
    accounts: TheAccounts,
    token: Annotated[str, Header(alias="x-token")] = "",
) -> Plain:
    """Give a place back."""
    room = await _room(house, id)
    await room.leave(token)
    if who is not None and room.phase == "open":
        await accounts.gave_back(who.id, id)
    return Plain(room.head())


@routes.get("/{id}/log", responses={200: {"content": {"application/x-ndjson": {}}}})
async def log(id: str, house: TheHouse) -> Response:
    """The log of a match that is over, as `quepu replay` and `quepu verify` read it."""
    room = await _room(house, id)
    if room.phase != "over":
        raise Refusal(409, "对局还没有打完，牌谱打完才公开。", "the match is not over; its log is shown then.")
    body = "\n".join(room.record.lines) + "\n"
    name = {"content-disposition": f'attachment; filename="quepu-{id}.jsonl"'}
    return Response(body, media_type="application/x-ndjson", headers=name)


# ---- the socket


def _same_origin(socket: WebSocket) -> bool:
    """A page of another host may not use this socket; programs send no origin at all."""
    origin = socket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == socket.headers.get("host")


@routes.websocket("/{id}/ws")
async def play(socket: WebSocket, id: str) -> None:
    """Play or watch: the first message says who one is and what one has seen."""
    if not _same_origin(socket):
        await socket.close(4403)
        return
    house: House = socket.app.state.house
    room = await house.find(id)
    await socket.accept()
    if room is None:
        await _send(socket, {"refused": {"zh": "没有这个房间。", "en": "there is no such room."}})
        await socket.close(4404)
        return
    try:
        first = await asyncio.wait_for(_receive(socket), 10)
    except (TimeoutError, WebSocketDisconnect, RuntimeError):
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(4400)
        return
    hello = first if isinstance(first, dict) else {}
    place = room.seating.who(str(hello.get("token") or ""))
    if place is None and (hello.get("token") or not room.spec.spectators):
        await _send(socket, {"refused": {"zh": "这不是你的座位。", "en": "this is not your place."}})
        await socket.close(4401)
        return
    after = hello.get("after")
    listener = room.listen(place, after if isinstance(after, int) and not isinstance(after, bool) else None)
    teller = asyncio.create_task(_tell(socket, listener, room.spec.delay if place is None else 0.0))
    try:
        await _hear(socket, room, place, listener.tell)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        room.unlisten(listener)
        teller.cancel()
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _tell(socket: WebSocket, listener: Listener, delay: float) -> None:
    while (message := await listener.next(delay)) is not None:
        await _send(socket, message)
    with suppress(RuntimeError):
        await socket.close(listener.code)


async def _send(socket: WebSocket, message: dict[str, Any]) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


async def _receive(socket: WebSocket) -> Any:
    """One message as data; None for anything that is no JSON of a decent size."""
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


async def _hear(socket: WebSocket, room: Room, place: int | None, tell: Any) -> None:
    loop = asyncio.get_running_loop()
    window, heard = loop.time(), 0
    while True:
        data = await _receive(socket)
        now = loop.time()
        if now - window > 1:
            window, heard = now, 0
        heard += 1
        if heard > _MOST_A_SECOND:  # nothing is lost, but a flood is read no faster than this
            await asyncio.sleep(max(0.0, window + 1 - now))
        if not isinstance(data, dict):
            tell({"refused": {"zh": "消息不是 JSON 对象。", "en": "a message is a JSON object."}})
            continue
        if "ping" in data:
            tell({"pong": data["ping"] if isinstance(data["ping"], (int, float)) else 0})
            continue
        if place is None:
            tell({"refused": {"zh": "旁观者不能出牌。", "en": "spectators may not act."}})
            continue
        try:
            if "say" in data:
                await room.say(place, data["say"], data.get("n"))
            elif data.get("ready") is True:
                await room.ready(place)
            elif data.get("hint") is True:
                lang = "en" if data.get("lang") == "en" else "zh"
                tell(await room.hint(place, lang))
            else:
                tell({"refused": {"zh": "不认识的消息。", "en": "an unknown message."}})
        except Error as error:
            tell({"refused": error.text._asdict()})
