"""Nets beside a replay: the action that each guest that is a net rates highest, decision by decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Request

from quepu.server.budget import Asker
from quepu.server.http.messages import Bilingual, Schema, Wind
from quepu.server.http.responses import Plain, Refusal, refusals
from quepu.server.replays.api import TheReplays
from quepu.server.replays.review_worker import Source, load_replay
from quepu.server.rooms.guests import Guests
from quepu.server.work.pool import Work
from quepu.table import Action
from quepu.tiles import NAMES, WINDS

if TYPE_CHECKING:
    from quepu.review.net_choices import NetChoice

routes = APIRouter(
    prefix="/api/replays/{id}/nets",
    tags=["replays"],
    responses=refusals(400, 404, 422),
)


class NetNames(Schema):
    """The nets that can be asked about a match, by the names that the operator gave them."""

    nets: list[str]


class NetAction(Schema):
    """An action, and the probability (0 to 1) that the net gives it."""

    do: str
    tile: str | None
    low: str | None
    text: Bilingual
    share: float


class NetDecision(Schema):
    """A decision in a hand (`frame` as in reviews): the action taken and the one the net rates highest."""

    frame: int
    seat: Wind
    chosen: NetAction
    best: NetAction
    same: bool


class NetHand(Schema):
    """Every decision of a hand beside a net's."""

    number: int
    decisions: list[NetDecision]


NETS: tuple[type[Schema], ...] = (NetNames, NetHand)


@routes.get("", response_model=NetNames)
async def nets(id: str, request: Request, replays: TheReplays, asker: Asker, work: Work) -> Plain:
    """Return the nets of this server that can play the rulebook of a match."""
    opened = await replays.open(id)
    guests: Guests = request.app.state.rooms.guests
    files = guests.net_files
    return Plain({"nets": await work.run(asker, playing, files, opened.source) if files else []})


@routes.get("/{name}/{number}", response_model=NetHand)
async def hand(
    id: str,
    name: str,
    number: Annotated[int, Path(ge=1, le=10_000)],
    request: Request,
    replays: TheReplays,
    asker: Asker,
    work: Work,
) -> Plain:
    """Return the action that a net rates highest at each decision of a hand."""
    opened = await replays.open(id)
    guests: Guests = request.app.state.rooms.guests
    file = guests.net_files.get(name)
    if file is None:
        raise Refusal(404, f"本站没有网络“{name}”。", f"this server has no net {name!r}.")
    found = await work.run(asker, compare, file, opened.source, number)
    if found is None:
        raise Refusal(404, f"这份牌谱没有第 {number} 局。", f"this match has no hand {number}.")
    return Plain(found)


# ---- in a process


def playing(files: dict[str, str], source: Source) -> list[str]:
    """Return the names of the nets that play the book of a log; `files` are the nets by name."""
    from quepu.bots.nets import explain_refusal, load_net

    book = load_replay(source).book
    return [name for name, file in files.items() if explain_refusal(load_net(file), book, builds=False) is None]


def compare(file: str, source: Source, number: int) -> dict[str, Any] | None:
    """Return every decision of a hand beside that of a net; None if the match has no such hand.

    Raises:
        BotError: the net does not play the book, or cannot be read.
    """
    from quepu.bots.line_process import BotError
    from quepu.bots.nets import explain_refusal, load_net
    from quepu.review.net_choices import net_choices

    replay = load_replay(source)
    if number > len(replay.hands):
        return None
    wrong = explain_refusal(load_net(file), replay.book, builds=False)
    if wrong is not None:
        raise BotError(*wrong)
    made = net_choices(replay.hands[number - 1], replay.book, file)
    return {"number": number, "decisions": [_shape(one) for one in made]}


def _shape(one: NetChoice) -> dict[str, Any]:
    return {
        "frame": one.frame,
        "seat": WINDS[one.seat],
        "chosen": _action(one.chosen, one.odds),
        "best": _action(one.wanted, one.best),
        "same": one.same,
    }


def _action(action: Action, share: float) -> dict[str, Any]:
    tile, low = (None if kind is None else NAMES[kind] for kind in (action.tile, action.low))
    return {"do": action.do.value, "tile": tile, "low": low, "text": action.text()._asdict(), "share": round(share, 4)}
