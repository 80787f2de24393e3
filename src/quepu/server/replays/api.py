"""Replays over HTTP: a list, one match, every frame of a hand, import and export of logs.

A table opened at a position of a replay is a new match; the log never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from quepu.rulebooks.house_rules import book_of
from quepu.server.accounts.visitor import Somebody, TheRegistered, stores
from quepu.server.budget import Asker, payers
from quepu.server.http.messages import ReplayStart
from quepu.server.http.responses import MaybeWhose, Plain, Whose, attachment, from_state, refusals
from quepu.server.replays.messages import HandFilm, NewReplay, ReplayList, ReplayPage
from quepu.server.replays.repository import ReplayRepository
from quepu.server.replays.serialize import Json
from quepu.server.rooms import admission
from quepu.server.rooms.api import TheRooms, is_own_name, require_free_name
from quepu.server.rooms.messages import PlayOn, RoomSpec, Sat
from quepu.server.rooms.start import StartPosition
from quepu.server.store.values import ReplaySearch

routes = APIRouter(
    prefix="/api/replays",
    tags=["replays"],
    responses=refusals(400, 403, 404, 409, 413, 422),
)


TheReplays = Annotated[ReplayRepository, from_state("replays")]


@dataclass
class Search:
    """A search among finished matches."""

    rooms: Annotated[str, Query(max_length=2000, description="rooms one was in, with commas: listed too")] = ""
    q: Annotated[str, Query(max_length=200, description="words: players, title, rulebook")] = ""
    rules: Annotated[str, Query(max_length=200)] = ""
    before: Annotated[float | None, Query(ge=0, le=1e12, allow_inf_nan=False)] = None
    most: Annotated[int, Query(ge=1, le=100)] = 30
    mine: Annotated[bool, Query(description="one's own alone")] = False


@routes.get("", response_model=ReplayList)
async def replays(
    repository: TheReplays,
    account: Somebody,
    accounts: TheRegistered,
    who: MaybeWhose,
    search: Annotated[Search, Depends()],
) -> Plain:
    """List finished matches: public ones, one's own (an account's on every device), imports; latest first."""
    ids = [id for id in search.rooms.split(",") if id and len(id) <= 32]
    if account is not None:
        ids += [seat.room for seat in await accounts.seats(account.id)]
    heads, following = await repository.search(
        ReplaySearch(who or "", ids[:300], search.q.split()[:8], search.rules, search.before, search.most, search.mine)
    )
    return Plain({"replays": heads, "before": following})


@routes.post("", response_model=ReplayPage, status_code=201, dependencies=[Depends(stores)])
async def add(body: NewReplay, repository: TheReplays, asker: Asker) -> Plain:
    """Import a log: quepu's own lines, or a match of another program; refused with the invalid line."""
    id = await repository.add(body.who, body.text, body.title.strip(), body.house, asker)
    answer = Plain(await _page(repository, id, body.who, asker))
    answer.status_code = 201
    return answer


@routes.get("/{id}", response_model=ReplayPage)
async def replay(id: str, repository: TheReplays, asker: Asker, who: MaybeWhose) -> Plain:
    """Return a match with its hands."""
    return Plain(await _page(repository, id, who or "", asker))


@routes.get("/{id}/hands/{number}", response_model=HandFilm)
async def hand(id: str, number: int, repository: TheReplays, asker: Asker) -> Response:
    """Return every frame of one hand, fully computed."""
    return Response(await repository.film(id, number, asker), media_type=Plain.media_type)


@routes.get("/{id}/log", responses={200: {"content": {"application/x-ndjson": {}}}})
async def log(id: str, repository: TheReplays) -> Response:
    """Return the log as `quepu replay` and `quepu verify` read it."""
    opened = await repository.open(id)
    return attachment("\n".join(opened.source.lines) + "\n", f"quepu-{id}.jsonl", "application/x-ndjson")


@routes.delete("/{id}", status_code=204)
async def delete(id: str, who: Whose, repository: TheReplays) -> Response:
    """Delete an imported log."""
    await repository.delete(id, who)
    return Response(status_code=204)


async def _page(repository: ReplayRepository, id: str, who: str, asker: str) -> Json:
    opened, page = await repository.open(id), await repository.page(id, asker)
    shown = {key: value for key, value in page.items() if key not in ("reviewable", "remarks")}
    return shown | {
        "id": opened.id,
        "kind": opened.kind,
        "title": opened.title,
        "played": opened.played,
        "mine": repository.mine(opened.owner, who),
        "lost": [*({"zh": zh, "en": en} for zh, en in opened.lost), *page["remarks"]],
    }


@routes.post("/{id}/table", response_model=Sat, dependencies=[Depends(stores)])
async def play_on(
    id: str, body: PlayOn, replays: TheReplays, rooms: TheRooms, who: Somebody, accounts: TheRegistered, asker: Asker
) -> Plain:
    """Open a table that continues from a position of a replay, and sit down at it."""
    await require_free_name(body.name, who, accounts)
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
    place, token = await admission.sit(room, body.name, begun["place"], member=is_own_name(body.name, who), asker=asker)
    if who is not None:
        await accounts.took(who.id, room.id, place)
    return Plain({"room": room.id, "place": place, "token": token})
