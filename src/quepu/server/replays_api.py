"""Replays over HTTP: a list, one match, every picture of a hand, logs brought along and taken away."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from quepu.server.account_api import Somebody, TheAccounts
from quepu.server.messages import Refused, Who
from quepu.server.replay_messages import BringReplay, HandFilm, ReplayList, ReplayPage
from quepu.server.replays import Shelf
from quepu.server.replays.shelf import Opened, counts
from quepu.server.replays.shown import Json, hand_heads
from quepu.server.speaking import Plain

routes = APIRouter(
    prefix="/api/replays",
    tags=["replays"],
    responses={status: {"model": Refused} for status in (400, 403, 404, 409, 413, 422)},
)


def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


TheShelf = Annotated[Shelf, Depends(_shelf)]


@routes.get("", response_model=ReplayList)
async def replays(
    shelf: TheShelf,
    account: Somebody,
    accounts: TheAccounts,
    who: Annotated[Who | None, Query(description="whose own logs are listed too")] = None,
    rooms: Annotated[str, Query(max_length=2000, description="rooms one was in, with commas: listed too")] = "",
    q: Annotated[str, Query(max_length=200, description="words: players, title, rulebook")] = "",
    rules: Annotated[str, Query(max_length=200)] = "",
    before: Annotated[float | None, Query(ge=0, le=1e12, allow_inf_nan=False)] = None,
    most: Annotated[int, Query(ge=1, le=100)] = 30,
) -> Plain:
    """Matches that are over: those listed, one's own (an account's on every device), logs brought; latest first."""
    ids = [id for id in rooms.split(",") if id and len(id) <= 32]
    if account is not None:
        ids += [seat.room for seat in await accounts.seats(account.id)]
    heads, following = await shelf.search(who or "", ids, q, rules, before, most)
    return Plain({"replays": heads, "before": following})


@routes.post("", response_model=ReplayPage, status_code=201)
async def bring(asked: BringReplay, shelf: TheShelf) -> Plain:
    """Keep a log: quepu's own lines, or a match of botzone.org.cn; refused with the line that is wrong."""
    id = await shelf.bring(asked.who, asked.text, asked.title.strip(), asked.house)
    answer = Plain(_page(await shelf.open(id), asked.who))
    answer.status_code = 201
    return answer


@routes.get("/{id}", response_model=ReplayPage)
async def replay(id: str, shelf: TheShelf, who: Annotated[Who | None, Query()] = None) -> Plain:
    """A match with its hands."""
    return Plain(_page(await shelf.open(id), who or ""))


@routes.get("/{id}/hands/{number}", response_model=HandFilm)
async def hand(id: str, number: int, shelf: TheShelf) -> Plain:
    """Every picture of one hand, complete; nothing is left to be worked out."""
    return Plain(await shelf.film(id, number))


@routes.get("/{id}/log", responses={200: {"content": {"application/x-ndjson": {}}}})
async def log(id: str, shelf: TheShelf) -> Response:
    """The log as `quepu replay` and `quepu verify` read it."""
    opened = await shelf.open(id)
    name = {"content-disposition": f'attachment; filename="quepu-{id}.jsonl"'}
    return Response("\n".join(opened.lines) + "\n", media_type="application/x-ndjson", headers=name)


@routes.delete("/{id}", status_code=204)
async def delete(id: str, who: Annotated[Who, Query()], shelf: TheShelf) -> Response:
    """Delete a log that one brought."""
    await shelf.delete(id, who)
    return Response(status_code=204)


def _page(opened: Opened, who: str) -> Json:
    replay = opened.replay
    match, header = replay.match, replay.header
    return {
        "id": opened.id,
        "kind": opened.kind,
        "title": opened.title,
        "rules": match.book.id,
        "book": match.book.title._asdict(),
        "players": list(match.names),
        "totals": list(match.totals),
        "hands": len(replay.hands),
        "whole": replay.finished,
        "played": opened.played,
        "mine": bool(who) and opened.owner == who,
        "fingerprint": match.book.fingerprint,
        "quepu": str(header.get("quepu", "")),
        "seed": None if header.get("seed") is None else str(header["seed"]),
        "bots": [str(name) for name in header.get("bots", ())],
        "lines": replay.lines,
        "hand_list": hand_heads(replay, counts(replay)),
        "standings": [standing._asdict() for standing in match.standings()],
        "lost": [text._asdict() for text in opened.lost],
    }
