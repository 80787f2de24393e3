"""Values that stores take and return, independent of a database: logs and their entries, practice answers."""

from __future__ import annotations

import builtins
import secrets
from collections import defaultdict
from collections.abc import Sequence
from string import ascii_letters
from typing import Any, Final, NamedTuple, Protocol

from quepu.errors import Error, Text

REMEMBERED: Final = 2000
"""Answers of a history that are considered."""
OWNED: Final = ("table", "desk", "replay")
"""The kinds of logs that belong to a browser's name, or an account, and are counted and listed."""
MOVED: Final = (*OWNED, "roster", "league", "fees", "friends")
"""The same and their companions: everything that moves with its owner."""
PHOTO: Final = "photo"
"""Kind of a picture's log, which belongs to its tournament: the id of that is its owner."""
_FADE = 0.85
"""Weight of an answer relative to the next one: old mistakes fade."""


def new_log_id() -> str:
    """Create a unique log id. It names files, and must not begin with `-`, which shells read as an option."""
    return secrets.choice(ascii_letters) + secrets.token_urlsafe(9)[1:]


class LogHead(NamedTuple):
    """The head of a log, as a list shows it."""

    id: str
    kind: str
    owner: str
    title: str
    created: float
    updated: float
    length: int


class Entry(NamedTuple):
    """One entry."""

    n: int
    at: float
    body: dict[str, Any]


class TableResult(NamedTuple):
    """The result of a score table whose log has `length` entries; see `store.models.ScoreTableRow`."""

    id: str
    length: int
    club: str
    fingerprint: str
    shown: dict[str, Any]
    result: dict[str, Any]
    figures: dict[str, Any]


class StoredReplay(NamedTuple):
    """A row of the list. `shown` is its content, `words` its search words, in lower case."""

    id: str
    length: int
    finished: bool
    listed: bool
    owner: str
    rules: str
    played: float
    words: str
    shown: dict[str, Any]


class PublicMatch(NamedTuple):
    """A finished public match with an account: everyone's names and totals, and the names of the accounts."""

    id: str
    rules: str
    played: float
    players: tuple[str, ...]
    totals: tuple[int, ...]
    accounts: tuple[str, ...]


class GrownLog(NamedTuple):
    """A room's log that grew since it was processed: its first entry and the last line of its match."""

    id: str
    length: int
    updated: float
    first: dict[str, Any]
    last: dict[str, Any]


class StoreError(Error):
    """A store cannot be opened, or fails."""


class Moving(StoreError):
    """The rows of the database are being moved to it, or have been moved from it."""

    def __init__(self, state: str, other: str) -> None:
        said = {
            "filling": Text(
                f"数据库还没搬完（来自 {other}）：请再运行一次 quepu admin move。",
                f"the database is incomplete: its data is being moved from {other}; run quepu admin move again.",
            ),
            "left": Text(
                f"数据已搬到 {other}：请让服务器改用那里（database）。",
                f"the data has been moved to {other}: start the server with that database.",
            ),
        }
        super().__init__(*said[state])


class Conflict(Exception):
    """Another writer appended in the meantime, or owns the log now."""


class Answered(NamedTuple):
    """One answered question."""

    rules: str
    kind: str
    level: int
    seed: int
    right: bool
    seconds: float
    fans: dict[str, bool]
    at: float = 0.0


def weakness(history: list[Answered]) -> dict[str, float]:
    """Return how badly each fan met so far is known, 0 to 1, from a history, newest first."""
    wrong: dict[str, float] = defaultdict(float)
    met: dict[str, float] = defaultdict(float)
    for answer in reversed(history):
        for fan, right in answer.fans.items():
            wrong[fan] = wrong[fan] * _FADE + (not right)
            met[fan] = met[fan] * _FADE + 1
    return {fan: wrong[fan] / met[fan] for fan in met}


class Due(NamedTuple):
    """The time when a fan is due again: how often in a row it was known, and when (seconds since 1970)."""

    step: int
    at: float


_DAY = 86_400.0
_STEPS = (0.0, 1 * _DAY, 3 * _DAY, 7 * _DAY, 16 * _DAY, 35 * _DAY, 90 * _DAY)
"""Delay after an answer until a fan is due again, by how often in a row it was known."""


def due(history: list[Answered]) -> dict[str, Due]:
    """Return when each fan met so far is due again, from a history, newest first.

    A step is gained by knowing a fan that is due; knowing it earlier does not count, and a mistake starts over.
    """
    found: dict[str, Due] = {}
    for answer in reversed(history):
        for fan, right in answer.fans.items():
            before = found.get(fan, Due(0, 0.0))
            if not right:
                found[fan] = Due(0, answer.at)
            elif answer.at >= before.at:
                step = min(before.step + 1, len(_STEPS) - 1)
                found[fan] = Due(step, answer.at + _STEPS[step])
    return found


class LoggedIn(NamedTuple):
    """A logged-in account."""

    id: str
    name: str
    created: float


class LogStore(Protocol):
    """Append-only logs; see `quepu.server.store.logs.Logs`, which stores them in a database."""

    async def create(
        self, kind: str, owner: str, title: str, first: dict[str, Any], process: str | None = None, id: str = ""
    ) -> LogHead:
        """Create a log with its first entry; `id` was chosen by a device, else one is created."""

    async def append(
        self, id: str, seen: int, bodies: list[dict[str, Any]], title: str | None = None, fence: int | None = None
    ) -> int | None:
        """Add entries to a log with `seen` of them; return its new length, or None for an unknown log."""

    async def read(
        self, id: str, after: int = 0, most: int | None = None
    ) -> tuple[LogHead, builtins.list[Entry]] | None:
        """Return a log and at most `most` of its entries from number `after` on; None for an unknown log."""

    async def list(self, kind: str, owner: str, most: int = 200) -> list[LogHead]:
        """List the logs of an owner, newest first."""

    async def list_with_first(self, kind: str, owner: str, most: int) -> builtins.list[tuple[LogHead, dict[str, Any]]]:
        """List the logs of an owner, newest first, each with its first entry."""

    async def delete(self, id: str) -> bool:
        """Delete a log for good; return whether it existed."""


class AnswerStore(Protocol):
    """Practice answers; see `quepu.server.store.practice.PracticeStore`."""

    async def add(self, who: str, answered: Answered) -> None:
        """Store one answer, unless it is stored: one of the same moment, question and book."""

    async def history(self, who: str, rules: str) -> list[Answered]:
        """List the latest answers of a person under a rulebook, newest first."""

    async def list_passed(self, who: str, rules: str) -> set[str]:
        """Return the kinds of question that a person has ever answered correctly under a rulebook."""


class TableResultStore(Protocol):
    """Results of score tables beside their logs; see `quepu.server.store.score_tables.TableResults`."""

    async def of(
        self, owner: str, *, club: str | None = None, figures: bool = False, most: int = 1000
    ) -> list[tuple[LogHead, TableResult | None]]:
        """List the tables of an owner, newest first, each with its result: None if unknown or outdated.

        With `club`, those of a club night and those without a known result. `figures` are read only on request.
        """

    async def some(self, ids: Sequence[str]) -> list[TableResult]:
        """Return the known, current results of these tables, without figures."""

    async def put(self, rows: Sequence[TableResult]) -> None:
        """Write results, replacing older ones."""


class ReplaySearch(NamedTuple):
    """A search among finished replays by words, rulebook and date, for `owner`, who also has the rooms `ids`."""

    owner: str
    ids: Sequence[str]
    words: Sequence[str]
    rules: str
    before: float | None
    most: int
    mine: bool


class ReplayStore(Protocol):
    """The list of replays; see `quepu.server.store.replays.Replays`."""

    async def list_grown(self) -> list[GrownLog]:
        """List rooms whose logs have changed since they were listed, latest first."""

    async def put(self, rows: Sequence[StoredReplay]) -> None:
        """Write rows of the list, replacing older ones."""

    async def search(self, wanted: ReplaySearch) -> list[StoredReplay]:
        """Find replays, latest first: public ones (unless `mine`) and the owner's, with all the words."""
