"""Rooms over HTTP and WebSocket. The socket's messages are listed in docs/reference/protocol.md."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from starlette.responses import Response

from quepu.bots import LEVELS
from quepu.server.accounts.visitor import Registered, Somebody, TheRegistered, stores
from quepu.server.budget import Asker, payers
from quepu.server.http.responses import Plain, Refusal, attachment, from_state, refusals
from quepu.server.names import skeleton
from quepu.server.rooms import admission
from quepu.server.rooms.guests import guest_level
from quepu.server.rooms.host import Rooms
from quepu.server.rooms.messages import (
    GiveLink,
    Level,
    Message,
    OpenRoom,
    PlayAgain,
    QuickSeat,
    RoomHead,
    RoomSpec,
    Sat,
    Sit,
)
from quepu.server.rooms.places import BrokenRoom, RoomError, UnknownRoom
from quepu.server.store.values import LoggedIn

routes = APIRouter(
    prefix="/api/rooms",
    tags=["rooms"],
    responses=refusals(400, 404, 409, 422),
)


TheRooms = Annotated[Rooms, from_state("rooms")]


async def _call(registry: Rooms, id: str, what: str, **more: Any) -> Any:
    try:
        return await registry.call(id, what, **more)
    except UnknownRoom as unknown:
        raise Refusal(404, *unknown.text) from None


def is_own_name(name: str, who: LoggedIn | None) -> bool:
    """Return whether this is the name of the account logged in."""
    return who is not None and skeleton(name) == skeleton(who.name)


async def require_free_name(name: str, who: LoggedIn | None, accounts: Registered) -> None:
    """Refuse the name of another account, and names that look like it."""
    if not is_own_name(name, who) and await accounts.is_taken(name):
        raise RoomError(f"“{name}”是别人的账号名。", f"the name {name!r} belongs to an account.")
    if await accounts.is_banned(name):
        raise RoomError(f"这里不能叫“{name}”。", f"the name {name!r} is not allowed here.")


@routes.get("/levels", response_model=list[Level])
async def levels(registry: TheRooms) -> Plain:
    """List the levels of bots that can sit at a table here."""
    return Plain(
        [
            {
                "key": key,
                "name": level.name._asdict(),
                "nickname": level.nickname._asdict(),
                "manner": level.manner._asdict(),
                "text": level.text._asdict(),
                "group": level.group,
            }
            for key, level in ((key, LEVELS.get(key) or guest_level(key)) for key in registry.levels)
        ]
    )


@routes.get("", response_model=list[RoomHead])
async def lobby(
    registry: TheRooms,
    start: Annotated[int, Query(ge=0, le=10_000)] = 0,
    most: Annotated[int, Query(ge=1, le=100)] = 100,
) -> Plain:
    """List open and running rooms, some at a time."""
    return Plain(await registry.list_rooms(start, most))


@routes.post("", response_model=Sat, dependencies=[Depends(stores)])
async def open_room(body: OpenRoom, registry: TheRooms, who: Somebody, accounts: TheRegistered, asker: Asker) -> Plain:
    """Open a room and sit down in it."""
    await require_free_name(body.name, who, accounts)
    return Plain(await _open(body, registry, who, accounts, asker))


async def _open(body: OpenRoom, registry: Rooms, who: LoggedIn | None, accounts: Registered, asker: str) -> Message:
    spec = RoomSpec.model_validate(body.model_dump(include=set(RoomSpec.model_fields)))
    room = await registry.open(spec, asker, payers(asker))
    place, token = await admission.sit(room, body.name, None, member=is_own_name(body.name, who), asker=asker)
    if who is not None:
        await accounts.took(who.id, room.id, place)
    return {"room": room.id, "place": place, "token": token}


@routes.post("/quick", response_model=Sat)
async def quick(
    body: QuickSeat, request: Request, registry: TheRooms, who: Somebody, accounts: TheRegistered, asker: Asker
) -> Plain:
    """Sit down with strangers: at a table that waits for players or can be joined, else at a new one."""
    await require_free_name(body.name, who, accounts)
    skip = {*body.skip, *(seat.room for seat in await accounts.seats(who.id))} if who else set(body.skip)

    async def join(*, own: bool) -> Message | None:
        for id in await registry.list_joinable(body.rules, body.house, own=own):
            for name in (body.name, body.fallback) if id not in skip else ():
                try:
                    return await _sit(id, Sit(name=name), registry, who, accounts, asker)
                except (RoomError, UnknownRoom, BrokenRoom):
                    continue  # somebody else has the name or, meanwhile, the seat
        return None

    found = await join(own=False)
    if found is None:
        async with registry.opening:
            found = await join(own=True)
            if found is None:
                await stores(request, asker)
                found = await _open(body, registry, who, accounts, asker)
    return Plain(found)


@routes.get("/{id}", response_model=RoomHead)
async def head(id: str, registry: TheRooms) -> Plain:
    """Return the public view of a room."""
    return Plain(await _call(registry, id, "head"))


@routes.get("/{id}/house", responses={200: {"content": {"application/toml": {}}}})
async def house_rules(id: str, registry: TheRooms) -> Response:
    """Return a table's house rules as the file they were given in; empty without house rules."""
    return Response(await _call(registry, id, "house"), media_type="application/toml; charset=utf-8")


@routes.post("/{id}/sit", response_model=Sat)
async def sit(id: str, body: Sit, registry: TheRooms, who: Somebody, accounts: TheRegistered, asker: Asker) -> Plain:
    """Take a seat."""
    try:
        return Plain(await _sit(id, body, registry, who, accounts, asker))
    except UnknownRoom as unknown:
        raise Refusal(404, *unknown.text) from None


async def _sit(id: str, body: Sit, registry: Rooms, who: LoggedIn | None, accounts: Registered, asker: str) -> Message:
    await require_free_name(body.name, who, accounts)
    member = is_own_name(body.name, who)
    sat = await registry.call(id, "sit", name=body.name, place=body.place, member=member, asker=asker)
    if who is not None:
        await accounts.took(who.id, id, sat["place"])
    return {"room": id, **sat}


@routes.post("/{id}/again", response_model=Sat, dependencies=[Depends(stores)])
async def again(
    id: str, body: PlayAgain, registry: TheRooms, who: Somebody, accounts: TheRegistered, asker: Asker
) -> Plain:
    """Sit down at the next table of the same players, in one's own seat; the first request opens it."""
    own = await _call(registry, id, "player", token=body.token)
    await require_free_name(own["name"], who, accounts)  # before a table is opened
    room = await _call(registry, id, "again", asker=asker, payers=list(payers(asker)))
    return await sit(room, Sit(**own), registry, who, accounts, asker)


@routes.post("/{id}/leave", response_model=RoomHead)
async def leave(
    id: str,
    registry: TheRooms,
    who: Somebody,
    accounts: TheRegistered,
    token: Annotated[str, Header(alias="x-token")] = "",
) -> Plain:
    """Give a seat back."""
    head = await _call(registry, id, "leave", token=token)
    if who is not None and head["phase"] == "open":
        await accounts.gave_back(who.id, id)
    return Plain(head)


@routes.post("/{id}/places/{place}/link", response_model=Sat)
async def link(
    id: str,
    place: Annotated[int, Path(ge=0, le=3)],
    body: GiveLink,
    registry: TheRooms,
) -> Plain:
    """Issue a new seat token to a lost player, who can rejoin with it; a bot plays until then.

    The connected player who has sat at the table longest can do that, and everyone sees it.
    """
    return Plain(
        {"room": id, "place": place, "token": await _call(registry, id, "link", place=place, token=body.token)}
    )


@routes.get("/{id}/log", responses={200: {"content": {"application/x-ndjson": {}}}})
async def log(id: str, registry: TheRooms) -> Response:
    """Return the log of a finished match, as `quepu replay` and `quepu verify` read it."""
    lines = await _call(registry, id, "log")
    if lines is None:
        raise Refusal(
            409,
            "对局（或牌墙相同的别桌）还没有打完，牌谱打完才公开。",
            "the match, or one with the same walls, is not over; the log becomes available afterwards.",
        )
    return attachment("\n".join(lines) + "\n", f"quepu-{id}.jsonl", "application/x-ndjson")
