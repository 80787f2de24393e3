"""Values that stores take and return, without a database: logs and their entries, answers given in practice."""

from __future__ import annotations

import builtins
import secrets
from collections import defaultdict
from collections.abc import Sequence
from string import ascii_letters
from typing import Any, Final, NamedTuple, Protocol

from quepu.errors import Error

REMEMBERED: Final = 2000
"""Answers of a history that are looked at."""
OWNED: Final = ("table", "desk", "replay")
"""The kinds of logs that belong to a browser's name, or an account, and are counted and listed."""
MOVED: Final = (*OWNED, "roster")
"""Those and what stands beside them: all that goes where its owner goes."""
_FADE = 0.85
"""What an answer weighs against the one after it: old mistakes are forgiven."""


def new_log_id() -> str:
    """An id that no other log has. It names files, and a file whose name begins with `-` is an option to a shell."""
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
    """The result of a score table when its log had `length` entries; see `store.models.ScoreTableRow`."""

    id: str
    length: int
    club: str
    fingerprint: str
    shown: dict[str, Any]
    result: dict[str, Any]
    figures: dict[str, Any]


class StoredReplay(NamedTuple):
    """A line of the list. `shown` is what the list shows, `words` what it is searched by, in lower case."""

    id: str
    length: int
    finished: bool
    listed: bool
    owner: str
    rules: str
    played: float
    words: str
    shown: dict[str, Any]


class Stirred(NamedTuple):
    """A room's log that grew since it was looked at: its first entry and the last line of its match."""

    id: str
    length: int
    updated: float
    first: dict[str, Any]
    last: dict[str, Any]


class StoreError(Error):
    """A store cannot be opened, or does not do what it is asked."""


class Conflict(Exception):
    """Somebody else appended in the meantime, or owns the log now."""


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
    """Return how badly each fan met so far is known, 0 to 1, from a history with the newest first."""
    wrong: dict[str, float] = defaultdict(float)
    met: dict[str, float] = defaultdict(float)
    for answer in reversed(history):
        for fan, right in answer.fans.items():
            wrong[fan] = wrong[fan] * _FADE + (not right)
            met[fan] = met[fan] * _FADE + 1
    return {fan: wrong[fan] / met[fan] for fan in met}


class Due(NamedTuple):
    """The time when a fan is to be met again: how often in a row it was known, and when (seconds since 1970)."""

    step: int
    at: float


_DAY = 86_400.0
_STEPS = (0.0, 1 * _DAY, 3 * _DAY, 7 * _DAY, 16 * _DAY, 35 * _DAY, 90 * _DAY)
"""How long after an answer a fan is due again, by how often in a row it was known."""


def due(history: list[Answered]) -> dict[str, Due]:
    """Return when each fan met so far is due again, from a history with the newest first.

    A step is gained by knowing a fan that is due; knowing it once more before is no proof, and a mistake begins anew.
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
    """Somebody who is logged in."""

    id: str
    name: str
    created: float


class LogStore(Protocol):
    """Logs that only grow; see `quepu.server.store.logs.Logs`, which keeps them in a database."""

    async def create(
        self, kind: str, owner: str, title: str, first: dict[str, Any], process: str | None = None, id: str = ""
    ) -> LogHead:
        """A new log with its first entry; `id` is the one that a device gave it, else one is made."""

    async def append(
        self, id: str, seen: int, bodies: list[dict[str, Any]], title: str | None = None, fence: int | None = None
    ) -> int | None:
        """Add entries to a log that had `seen` of them; its new length, or None for an unknown log."""

    async def read(
        self, id: str, after: int = 0, most: int | None = None
    ) -> tuple[LogHead, builtins.list[Entry]] | None:
        """A log and its entries from number `after` on, `most` of them at most; None for an unknown log."""

    async def list(self, kind: str, owner: str, most: int = 200) -> list[LogHead]:
        """The logs of an owner, newest first."""

    async def first(self, kind: str, owner: str, most: int) -> builtins.list[tuple[LogHead, dict[str, Any]]]:
        """The logs of an owner, newest first, each with its first entry."""

    async def delete(self, id: str) -> bool:
        """Remove a log for good; whether there was one."""


class AnswerStore(Protocol):
    """Answers given in practice; see `quepu.server.store.practice.PracticeStore`."""

    async def add(self, who: str, answered: Answered) -> None:
        """Keep one answer."""

    async def history(self, who: str, rules: str) -> list[Answered]:
        """The latest answers of somebody under a rulebook, newest first."""

    async def passed(self, who: str, rules: str) -> set[str]:
        """The kinds of which somebody has ever given a right answer under a rulebook."""


class TableResultStore(Protocol):
    """Results of score tables beside their logs; see `quepu.server.store.score_tables.TableResults`."""

    async def of(
        self, owner: str, *, club: str | None = None, figures: bool = False, most: int = 1000
    ) -> list[tuple[LogHead, TableResult | None]]:
        """The tables of an owner, newest first, each with its result: None where that is not known or older.

        With `club` those of a club night and those whose result is not known. `figures` are read only if asked for.
        """

    async def some(self, ids: Sequence[str]) -> list[TableResult]:
        """The results of these tables, without figures; not of those where none is known or an older one."""

    async def put(self, rows: Sequence[TableResult]) -> None:
        """Write results, in the place of older ones."""


class ReplayStore(Protocol):
    """The list of what can be replayed; see `quepu.server.store.replays.Replays`."""

    async def stirred(self) -> list[Stirred]:
        """Rooms whose logs the list does not know as they are, latest first."""

    async def put(self, rows: Sequence[StoredReplay]) -> None:
        """Write lines of the list down, in the place of older ones."""

    async def search(
        self,
        owner: str,
        ids: Sequence[str],
        words: Sequence[str],
        rules: str,
        before: float | None,
        most: int,
        *,
        mine: bool,
    ) -> list[StoredReplay]:
        """Finished ones: listed (unless `mine`), the owner's, or named by `ids`; with all the words; latest first."""
