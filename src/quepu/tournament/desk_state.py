"""The state of a tournament: its players, its rounds with their tables and results, penalties, stages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from quepu.errors import Error
from quepu.tournament.desk_records import DeskSpec, Fine, Ruling
from quepu.tournament.schedule import Round

PLACES = (4, 2, 1, 0)
"""Standard points of the places at a table (MIL 2025); equal totals share theirs."""


class DeskError(Error):
    """An impossible record; the sentence says why."""


class Unfinished(DeskError):
    """A round that would begin although tables have no result yet; needs confirmation."""


class HandPoints(NamedTuple):
    """A hand at a table: the wind (0 East … 3 North) and the points of each seat as drawn."""

    winds: tuple[int, int, int, int]
    points: tuple[int, int, int, int]


class Outcome(NamedTuple):
    """Final points of a table by seat (None: an empty seat), hands played, when they were written, and why.

    `people` are those points by name if there were substitutes; `over` tells whether no hand follows.
    """

    points: tuple[int | None, ...]
    hands: int
    at: float
    note: str = ""
    people: tuple[tuple[str, int], ...] = ()
    over: bool = True
    standard: tuple[float | None, ...] | None = None
    """Standard points by seat where the referee set them."""
    record: int | None = None
    """The number of its record; None for the result of a score table or a room."""
    photo: str = ""
    """The id of a picture of the paper slip."""
    by_hand: tuple[HandPoints, ...] = ()
    """The hands of a score table or a room, where the round is duplicate."""


@dataclass
class DeskTable:
    """A table of a round. `results` are all that were written; the last one counts."""

    names: tuple[str | None, ...]
    drawn: tuple[str | None, ...] = ()
    """The names under which it was opened; score tables and rooms keep these."""
    opened: str = ""
    online: bool = False
    """Whether the id belongs to an online room instead of a score table."""
    results: list[Outcome] = field(default_factory=list)
    by_hand: tuple[HandPoints, ...] = ()
    """Its hands, where the round is duplicate, also if a score sheet decides its result."""

    @property
    def result(self) -> Outcome | None:
        """The result that counts."""
        return self.results[-1] if self.results else None

    @property
    def over(self) -> bool:
        """Whether the table has a final result."""
        return self.result is not None and self.result.over

    def scores(self) -> list[tuple[str, int]]:
        """Return everyone who played there, with points; empty before there is a result."""
        if self.result is None:
            return []
        if self.result.people:
            return list(self.result.people)
        pairs = zip(self.names, self.result.points, strict=True)
        return [(name, points) for name, points in pairs if name is not None and points is not None]


@dataclass
class DeskRound:
    """A round that has begun (`at`), or is still to come (None)."""

    tables: list[DeskTable]
    resting: tuple[str, ...] = ()
    at: float | None = None
    commitment: str = ""
    """The commitment published before it, if its walls are the same at all tables."""
    own: bool = False
    """Whether each seat has its own wall, the same at all tables (duplicate)."""
    annulled: bool = False
    """Whether its results count for nothing."""

    @property
    def over(self) -> bool:
        """Whether every table has its result."""
        return self.at is not None and all(table.over for table in self.tables)


class Heir(NamedTuple):
    """A substitute who took over a player's points of the rounds before one."""

    name: str
    substitute: str
    before: int


class Stage(NamedTuple):
    """The part of a tournament that begins with a cut: after how many rounds, who goes on, the share carried.

    `eligible` are those who were present before it.
    """

    after: int
    names: tuple[str, ...]
    carry: float
    eligible: tuple[str, ...]


class Penalty(NamedTuple):
    """A penalty, the stage it fell in, and the number of its record."""

    fine: Fine
    stage: int
    record: int | None = None


@dataclass
class Desk:
    """The state of a tournament: `teams` of everyone who entered, in order, `away` players not playing now."""

    spec: DeskSpec
    teams: dict[str, str] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    begun: list[DeskRound] = field(default_factory=list)
    coming: list[DeskRound] = field(default_factory=list)
    fines: list[Penalty] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    numbers: dict[str, str] = field(default_factory=dict)
    """Club or federation numbers by name."""
    checked: set[str] = field(default_factory=set)
    """Players who have checked in by themselves."""
    assumed: set[str] = field(default_factory=set)
    """Players whom a record names, but none entered: substitutes of score tables."""
    stages: list[Stage] = field(default_factory=list)
    heirs: list[Heir] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    """Present names by former ones, for the results of score tables."""
    clock: tuple[float, float, bool] | None = None
    """When the clock was set, the seconds left then, and whether it runs."""

    @property
    def present(self) -> list[str]:
        """Players of the next round."""
        return [name for name in self.teams if name not in self.away]

    @property
    def rounds(self) -> list[DeskRound]:
        """All rounds, begun and to come."""
        return [*self.begun, *self.coming]

    def owner(self, name: str, round: int) -> str:
        """Return whose points a player's result in a round is: a substitute may have taken them over."""
        for heir in self.heirs:
            if heir.name == name and round < heir.before:
                name = heir.substitute
        return name

    def list_begun(self) -> list[Round]:
        """The rounds that have begun, in the form of schedules."""
        return [Round(tuple(table.names for table in one.tables), one.resting) for one in self.begun]
