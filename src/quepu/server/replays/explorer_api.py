"""Questions about stored discards over HTTP, to the folder that the operator named; its logs open as replays."""

from __future__ import annotations

import os
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from quepu.errors import Error, HandError
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.messages import Bilingual, Schema, Short, Who
from quepu.server.http.responses import Plain, Refusal, refusals
from quepu.server.replays.messages import MOST_LOG
from quepu.server.replays.repository import ReplayRepository
from quepu.server.work import Allowed, Pool

routes = APIRouter(
    prefix="/api/explorer",
    tags=["replays"],
    responses=refusals(400, 404, 409, 413, 422, 503),
)

ALLOWED: Final = Allowed(20, 60, 2048)
"""One question: ten million discards take one to two seconds of a processor."""


class ExplorerTerm(Schema):
    """A name of the filter language: in both languages, and what it is about."""

    name: Bilingual
    text: Bilingual


class ExplorerStart(Schema):
    """Filters and groups that a question can name; `available`: whether this server has stored discards."""

    available: bool
    terms: list[ExplorerTerm]
    groups: list[str]


class Exploring(Schema):
    """A question: a filter such as `shown>=2 turn>=10 tile=1m`, grouped `by` a name or not, with costliest cases."""

    filter: str = Field(max_length=1000)
    by: Short = ""
    examples: int = Field(default=5, ge=0, le=50)


class ExploredShare(Schema):
    """`cases` of `of`, the share, and its 95% interval."""

    cases: int
    of: int
    share: float
    low: float
    high: float


class ExploredMean(Schema):
    """A mean with its 95% interval, null where there is none: one case, or all alike."""

    mean: float
    low: float | None
    high: float | None


class ExploredGroup(Schema):
    """Cases: how often the discard was won on and its cost, how often the seat won the hand, what that brought it."""

    group: str | None
    cases: int
    hands: int
    taken: ExploredShare
    cost: ExploredMean
    won: ExploredShare
    gain: ExploredMean


class ExploredCase(Schema):
    """A case. `log` is its log in the folder, to be opened as a replay; empty if that is not there."""

    log: str
    hand: int
    frame: int
    seat: str
    player: str
    turn: int
    tile: str
    cost: int
    won: bool


class ExplorerAnswer(Schema):
    """The cases of a filter among all `rows`, in groups and `more` that are not listed.

    `exact` is the chance of the tiles held, if it is only about those.
    """

    terms: list[str]
    rows: int
    groups: list[ExploredGroup]
    more: int
    exact: float | None
    examples: list[ExploredCase]
    unread: list[Bilingual]


class OpenLog(Schema):
    """The log of a case, to be stored as a replay of `who`."""

    log: str = Field(min_length=1, max_length=1000)
    who: Who


class Opened(Schema):
    """The replay that a log became."""

    id: str


EXPLORER: tuple[type[Schema], ...] = (ExplorerStart, Exploring, ExplorerAnswer, OpenLog, Opened)


@routes.get("", response_model=ExplorerStart)
def start(request: Request) -> Plain:
    """Return the names a question can use."""
    from quepu.explorer.filters import GROUPS, NAMES_OF

    terms = [{"name": {"zh": one.zh, "en": name}, "text": one.text._asdict()} for name, one in NAMES_OF.items()]
    folder: Path | None = request.app.state.settings.explorer
    available = folder is not None and find_spec("duckdb") is not None
    return Plain({"available": available, "terms": terms, "groups": list(GROUPS)})


@routes.post("", response_model=ExplorerAnswer)
async def explore(body: Exploring, request: Request, asker: Asker) -> Plain:
    """Count the cases of a filter."""
    pool: Pool = request.app.state.exploring
    folder = str(_folder(request))
    return Plain(await pool.run(asker, answer, folder, body.filter, body.by, body.examples))


@routes.post("/replay", response_model=Opened, status_code=201, dependencies=[Depends(stores)])
async def open_log(body: OpenLog, request: Request, asker: Asker) -> Plain:
    """Store the log of a case as a replay."""
    pool: Pool = request.app.state.exploring
    repository: ReplayRepository = request.app.state.replays
    text = await pool.run(asker, read_log, str(_folder(request)), body.log)
    id = await repository.add(body.who, text, "", "", asker)
    found = Plain({"id": id})
    found.status_code = 201
    return found


def _folder(request: Request) -> Path:
    folder: Path | None = request.app.state.settings.explorer
    if folder is None:
        raise Refusal(
            404,
            "这台服务器没有打牌库；服务器管理员可以用 --explorer 指定一个。",
            "this server has no stored discards; its operator can name a folder with --explorer.",
        )
    return folder


def log_in(folder: Path, written: str) -> Path | None:
    """Return the file that a store calls so, if it is in the store's folder.

    Stores name a log as it was called where they were made: its last parts are looked for, the longest first.
    """
    root = folder.resolve()
    parts = () if "\0" in written else Path(written.replace("\\", "/")).parts
    for at in range(len(parts)):
        found = root.joinpath(*parts[at:]).resolve()
        if (
            found.is_relative_to(root) and found.suffix != ".parquet" and os.path.isfile(found)
        ):  # a name may be too long
            return found
    return None


# ---- in the process


def answer(folder: str, text: str, by: str, examples: int) -> dict[str, Any]:
    """Return the answer to a question; files of the store are called by their names in the folder."""
    from quepu.explorer.filters import read
    from quepu.explorer.store import Store

    wanted, root = read(text), Path(folder)
    try:
        with closing(Store(folder, threads=1)) as store:
            found = store.ask(wanted, by, examples)
    except Error as wrong:  # visitors need not know where the folder is
        zh, en = (part.replace(folder, root.name) for part in wrong.text)
        raise HandError(zh, en) from wrong
    return {
        "terms": list(wanted.terms),
        "rows": found.rows,
        "groups": [group._asdict() for group in found.groups],
        "more": found.more,
        "exact": found.exact,
        "examples": [one._asdict() | {"log": _name(root, one.file)} for one in found.examples],
        "unread": [
            {"zh": f"{Path(one.path).name}：{one.why.zh}", "en": f"{Path(one.path).name}: {one.why.en}"}
            for one in found.unread
        ],
    }


def read_log(folder: str, written: str) -> str:
    """Return the text of a log in the store's folder."""
    file = log_in(Path(folder), written)
    if file is None or file.stat().st_size > MOST_LOG:
        raise Refusal(404, "打牌库里没有这份牌谱。", "the stored discards do not include this log.")
    return file.read_text("utf-8", "replace")


def _name(root: Path, written: str) -> str:
    file = log_in(root, written)
    return "" if file is None else file.relative_to(root.resolve()).as_posix()
