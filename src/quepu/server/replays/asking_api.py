"""Questions about a choice over HTTP: why not another action? Of a replay's moment, or of a hand of fourteen tiles.

The first answer comes without playouts; each further request continues from the sums of the answer before.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field

from quepu.rulebooks import find_book
from quepu.server.budget import Asker
from quepu.server.hands.messages import HandRequest
from quepu.server.http.messages import Bilingual, Schema, Short
from quepu.server.http.responses import Plain, Refusal, refusals
from quepu.server.replays.repository import ReplayRepository
from quepu.server.replays.review_messages import ReviewChoice, ReviewSide
from quepu.server.replays.review_worker import Source
from quepu.server.rooms.registry import RoomRegistry
from quepu.server.work import Allowed, Pool
from quepu.table.sampling import NOTHING_ASSUMED, Assumed
from quepu.tiles import EAST

routes = APIRouter(prefix="/api", tags=["replays"], responses=refusals(400, 404, 409, 413, 422, 503))

_SECONDS = 0.5
"""Playouts of one request: an answer sharpens in steps that are seen."""
COMPILING = Allowed(240, 400)
"""For playouts of a book for the first time: their loops are compiled, once a machine."""


class PlayedSums(Schema):
    """Sums over worlds in which both lines were played out; they are sent back to continue."""

    worlds: int = Field(ge=0, le=100_000)
    net: list[int] = Field(max_length=2)
    won: list[int] = Field(max_length=2)
    dealt: list[int] = Field(max_length=2)
    squares: int
    won_by: list[list[int]] = Field(max_length=2)


class Asking(Schema):
    """A question: `instead` compared with `of` (by default the best choice), in words: 5p, pass, pung, chow 345p.

    `ready`: seats assumed to be ready; `gone`: tiles assumed to be in other hands;
    `aim`: a fan without which hands do not count. `play`: playouts to reach from those
    `played` before, within half a second.
    """

    instead: Short = ""
    of: Short = ""
    ready: list[Short] = Field(default=[], max_length=3)
    gone: str = Field(default="", max_length=200)
    aim: Short = ""
    play: int = Field(default=0, ge=0, le=100_000)
    played: PlayedSums | None = None


class TypedMoment(HandRequest):
    """Fourteen tiles, or thirteen and a tile `offered`: discarded by `giver`, by default the seat before.

    `left`: tiles in the wall; `melds`: those of the next seat, the one opposite and the one before, if they are not
    among the tiles `seen`.
    """

    seen: str = Field(default="", max_length=400)
    left: int | None = Field(default=None, ge=0, le=144)
    offered: Short = ""
    giver: Short = ""
    melds: list[Short] = Field(default=[], max_length=3)


class AskHand(Asking, TypedMoment):
    """A question about a discard from fourteen tiles, or about a tile that another seat discarded."""


class ReplayMoment(Schema):
    """The choice that a frame of a hand (from 1) shows."""

    hand: int = Field(ge=1, le=10_000)
    frame: int = Field(ge=0, le=1000)
    seat: Short = ""


class AskReplay(Asking, ReplayMoment):
    """A question about the choice that a frame of a hand shows."""


class AskChoice(Schema):
    """An action that can be asked about: in the words of a question, and as it is called."""

    words: str
    do: str
    tile: str | None
    text: Bilingual


class AskChoices(Schema):
    """Actions that can be asked about at a moment; none if there was nothing to choose."""

    choices: list[AskChoice]


class AskedTile(Schema):
    """A kind of tile, and its copies that the seat does not see."""

    tile: str
    left: int


class PlayedLine(Schema):
    """Shares of playouts: won, dealt in, points on average, won by each turn."""

    won: float
    dealt: float
    mean: float
    won_by: list[float]


class AskedLine(ReviewSide):
    """One of the two actions. `nearer` and `drawn` are exact chances by own draws alone: a useful tile, a win."""

    choice: ReviewChoice
    nearer: list[float]
    drawn: list[float]
    played: PlayedLine | None


class AskVerdict(Schema):
    """Points by which the first line is better, with a 99% interval; `better`: 1, -1, or 0 if about equal."""

    mean: float
    low: float
    high: float
    better: int


class AskAnswer(Schema):
    """Two lines compared. `gained` are tiles useful to the first only. `lacking` says why nothing was played out."""

    first: AskedLine
    other: AskedLine
    gained: list[AskedTile]
    lost: list[AskedTile]
    estimate: float
    verdict: AskVerdict | None
    played: PlayedSums | None
    headline: Bilingual
    sentences: list[Bilingual]
    lacking: Bilingual | None


class ChanceTenth(Schema):
    """Predictions of one tenth: how many, their mean, the share that came true, and half its 95% interval."""

    of: int
    predicted: float
    actual: float
    half: float


class ChanceCheck(Schema):
    """Predicted chances to win against what came true in bots' games, early, in the middle and late.

    `choices` were played out to measure the intervals of grades.
    """

    rules: str
    decisions: int
    choices: int
    thirds: list[list[ChanceTenth]]


ASKING: tuple[type[Schema], ...] = (
    ReplayMoment, AskReplay, TypedMoment, AskHand, AskAnswer, AskChoices, ChanceCheck,
)  # fmt: skip


@routes.post("/replays/{id}/ask", response_model=AskAnswer)
async def ask_replay(id: str, body: AskReplay, request: Request, asker: Asker) -> Plain:
    """Compare two actions at a moment of a replay."""
    repository: ReplayRepository = request.app.state.replays
    return Plain(await _ask(request, asker, body, (await repository.open(id)).source))


@routes.post("/ask", response_model=AskAnswer)
async def ask_hand(body: AskHand, request: Request, asker: Asker) -> Plain:
    """Compare two discards from a hand of fourteen tiles, or two answers to another seat's discard."""
    return Plain(await _ask(request, asker, body, None))


@routes.post("/replays/{id}/ask/choices", response_model=AskChoices)
async def list_replay_choices(id: str, body: ReplayMoment, request: Request, asker: Asker) -> Plain:
    """List the actions that can be asked about at a moment of a replay."""
    repository: ReplayRepository = request.app.state.replays
    source = (await repository.open(id)).source
    return Plain(await _list_choices(request, asker, body, source))


@routes.post("/ask/choices", response_model=AskChoices)
async def list_hand_choices(body: TypedMoment, request: Request, asker: Asker) -> Plain:
    """List the actions that can be asked about with a typed hand."""
    return Plain(await _list_choices(request, asker, body, None))


@routes.get("/calibration", response_model=ChanceCheck)
def calibration(rules: Short) -> Plain:
    """Return how often predicted chances came true under a rulebook."""
    from quepu.review.confidence import load_confidence, load_thirds

    book = find_book(rules)
    thirds = load_thirds(book)
    return Plain(
        {
            "rules": rules,
            "decisions": sum(one.of for third in thirds for one in third),
            "choices": load_confidence(book).choices,
            "thirds": [[one._asdict() for one in third] for third in thirds],
        }
    )


async def _ask(request: Request, asker: str, body: Asking, source: Source | None) -> dict[str, Any]:
    pool: Pool = request.app.state.asking
    given: dict[str, Any] = body.model_dump()
    found: dict[str, Any] | None = await pool.run_for(request, pool.run(asker, answer, given, source))
    if found is None:  # tables of the book are not there yet: they are built by what builds them for hints
        rooms: RoomRegistry = request.app.state.rooms
        rules, house = _book_of(given, source)
        rooms.preparation.want(rules, house, asker)
        raise Refusal(
            503,
            "正在为这本规则备牌表，请稍后再问。",
            "the tables of this rulebook are being built; please ask again soon.",
        )
    if found["compile"]:
        found = await pool.run_for(request, pool.run(asker, answer, given, source, True, allowed=COMPILING))
        assert found is not None  # noqa: S101  # its tables were there
    return {key: value for key, value in found.items() if key != "compile"}


async def _list_choices(request: Request, asker: str, body: Schema, source: Source | None) -> Any:
    pool: Pool = request.app.state.asking
    return await pool.run_for(request, pool.run(asker, list_choices, body.model_dump(), source))


def _book_of(given: dict[str, Any], source: Source | None) -> tuple[str, str]:
    return (given["rules"], given["house"]) if source is None else (source.rules, source.house)


# ---- in the process


def begin() -> None:
    """Prepare the process: imports, and compiled loops."""
    from quepu.review import answers, questions  # noqa: F401
    from quepu.server.work.building import compile_queries

    compile_queries()


def answer(given: dict[str, Any], source: Source | None, compiling: bool = False) -> dict[str, Any] | None:
    """Return the answer; None if tables of the book are missing. `compile`: playouts wait for their loops."""
    from quepu.bots.payable_bot import payable
    from quepu.errors import HandError
    from quepu.review.answers import answer as say
    from quepu.review.asking import compare
    from quepu.review.playouts import Played, compiled, play_out, playable, played_of
    from quepu.review.questions import assume, pair_of

    assumed = assume(given["ready"], given["gone"])
    scene, taken = _scene(given, source, assumed)
    if not payable(scene.book).ready():
        return None
    pair = pair_of(scene, given["instead"], given["of"], taken)
    made, lacking = compare(scene, *pair), playable()
    played = None if given["played"] is None else played_of(given["played"])
    if given["play"] and lacking is None:
        if not compiling and not compiled(scene.book):
            return {"compile": True}
        try:
            played = play_out(scene, *pair, played or Played(), given["play"], _SECONDS)
        except HandError as unknown:
            lacking = unknown.text
    found = say(scene, made, played, lacking)
    return found | {"lacking": None if lacking is None else lacking._asdict(), "compile": False}


def list_choices(given: dict[str, Any], source: Source | None) -> dict[str, Any]:
    """Return the choices that can be asked about; none where the seat had nothing to choose."""
    from quepu.review.questions import choices_of
    from quepu.review.typed_hands import AskError

    try:
        scene, _ = _scene(given | {"aim": ""}, source, NOTHING_ASSUMED)
    except AskError:
        if source is None:
            raise
        return {"choices": []}
    return {"choices": choices_of(scene)}


def _scene(given: dict[str, Any], source: Source | None, assumed: Assumed) -> tuple[Any, Any]:
    from quepu.review.asking import Scene
    from quepu.review.questions import read_around, read_offered, read_seat, scene_in
    from quepu.server.replays.review_worker import load_replay

    if source is not None:
        seat = read_seat(given["seat"]) if given["seat"] else None
        return scene_in(load_replay(source), given["hand"], given["frame"], seat, assumed, given["aim"])
    import quepu
    from quepu.hands.notation import tiles
    from quepu.rulebooks.house_rules import book_of
    from quepu.rules.circumstances import situate
    from quepu.scoring.waits import mark_winning

    book = book_of(given["rules"], given["house"])
    hand = situate(mark_winning(quepu.parse(given["hand"])), book, seat=given["seat"], round=given["round"])
    offered = read_offered(given["offered"], given["giver"], hand.seat - EAST)
    around = read_around(offered, given["melds"])
    return Scene.of_hand(hand, book, tiles(given["seen"]), given["left"], assumed, given["aim"], around), None
