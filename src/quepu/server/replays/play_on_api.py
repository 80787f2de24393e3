"""A table opened at a position of a replay: a new match of its own, which never changes the record."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from quepu.rulebooks.house_rules import book_of
from quepu.server.accounts.payers import stores
from quepu.server.accounts.registered import TheRegistered
from quepu.server.accounts.visitor import Somebody
from quepu.server.budget import Asker, payers
from quepu.server.http.messages import Refused, ReplayStart
from quepu.server.http.responses import Plain
from quepu.server.replays.api import TheReplays
from quepu.server.rooms import admission
from quepu.server.rooms.api import TheRooms, free_name, own_name
from quepu.server.rooms.messages import PlayOn, RoomSpec, Sat
from quepu.server.rooms.start import StartPosition

routes = APIRouter(
    prefix="/api/replays",
    tags=["replays"],
    responses={status: {"model": Refused} for status in (400, 404, 409, 422)},
)


@routes.post("/{id}/table", response_model=Sat, dependencies=[Depends(stores)])
async def play_on(
    id: str, body: PlayOn, replays: TheReplays, rooms: TheRooms, who: Somebody, accounts: TheRegistered, asker: Asker
) -> Plain:
    """Open a table that plays on from a position of a replay, and sit down in it."""
    await free_name(body.name, who, accounts)
    begun = await replays.beginning(id, body.at, body.seat, body.redealt, asker)
    bots = [body.level] * 4
    bots[begun["place"]] = ""
    spec = RoomSpec(
        rules=begun["rules"], house=begun["house"], rounds=begun["rounds"], flowers=begun["flowers"], bots=bots,
        move=0, bank=0, think=body.think, listed=False,
    )  # fmt: skip
    shown = ReplayStart(
        replay=id, at=begun["at"], hand=begun["hand"], seat=body.seat, redealt=body.redealt, alone=body.alone
    )
    start = StartPosition(shown, tuple(begun["lines"]), book_of(spec.rules, spec.house))
    room = await rooms.open(spec, asker, payers(asker), start)
    place, token = await admission.sit(room, body.name, begun["place"], member=own_name(body.name, who), asker=asker)
    if who is not None:
        await accounts.took(who.id, room.id, place)
    return Plain({"room": room.id, "place": place, "token": token})
