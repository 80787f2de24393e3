"""The desk of a tournament or club night: fold its records into players, rounds, results and standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from quepu.errors import Error, join_list
from quepu.match.match import reduce_scores, share_place_values
from quepu.schema import Schema
from quepu.tournament.desk_records import (
    Begin,
    ClockSet,
    DeskRecord,
    DeskSpec,
    Draw,
    DrawnRound,
    Enter,
    Fine,
    Key,
    Leave,
    Slip,
    UndoRound,
)
from quepu.tournament.schedule import Round, make_schedule, next_round

PLACES = (4, 2, 1, 0)
"""Standard points of the places at a table (MIL 2025); equal totals share theirs."""


class DeskError(Error):
    """An impossible record; the sentence says why."""


class Unfinished(DeskError):
    """A round that would begin although tables have no result yet; needs confirmation."""


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


@dataclass
class DeskTable:
    """A table of a round. `results` are all that were written; the last one counts."""

    names: tuple[str | None, ...]
    opened: str = ""
    online: bool = False
    """Whether the id belongs to an online room instead of a score table."""
    results: list[Outcome] = field(default_factory=list)

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

    @property
    def over(self) -> bool:
        """Whether every table has its result."""
        return self.at is not None and all(table.over for table in self.tables)


@dataclass
class Desk:
    """The state of a tournament: `teams` of everyone who entered, in order, `away` players not playing now."""

    spec: DeskSpec
    teams: dict[str, str] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    begun: list[DeskRound] = field(default_factory=list)
    coming: list[DeskRound] = field(default_factory=list)
    fines: list[Fine] = field(default_factory=list)
    clock: tuple[float, float, bool] | None = None
    """When the clock was set, the seconds left then, and whether it runs."""

    @property
    def present(self) -> list[str]:
        """Players of the next round."""
        return [name for name in self.teams if name not in self.away]

    def list_begun(self) -> list[Round]:
        """The rounds that have begun, in the form of schedules."""
        return [Round(tuple(table.names for table in one.tables), one.resting) for one in self.begun]


class DeskLine(Schema):
    """A line of the standings; players whose keys are all equal share a rank."""

    rank: int
    name: str
    team: str
    total: int
    standard: float
    reduced: float
    wins: float
    met: int
    tables: int
    hands: int
    fined: int


class TeamLine(Schema):
    """A team: the sums of its players."""

    rank: int
    team: str
    total: int
    standard: float
    reduced: float
    players: int


def fold(
    spec: DeskSpec,
    records: Sequence[tuple[float, DeskRecord]],
    live: Mapping[str, Outcome] | None = None,
    *,
    checked: bool = False,
) -> Desk:
    """Build a tournament from its records with their times; `live` are results of score tables by id.

    `checked`: the records were checked when they were written, against the results of that time. A record may depend on
    those (the next round, a penalty of a substitute), so `live` is added at the end.

    Raises:
        DeskError: a record is impossible; the sentence says why.
    """
    desk = Desk(spec)
    for at, record in records:
        step(desk, at, _without_guards(desk, record) if checked else record)
    add_live(desk, live or {})
    return desk


def _without_guards(desk: Desk, record: DeskRecord) -> DeskRecord:
    """Return a record that is applied whatever the results of the tables; everyone it names is known."""
    for name in _names(record) - desk.teams.keys():
        desk.teams[name] = ""
        desk.away.add(name)
    return record.model_copy(update={"anyway": True}) if isinstance(record, Begin) else record


def _names(record: DeskRecord) -> set[str]:
    """Return the players that a record names."""
    if isinstance(record, Leave | Fine):
        return {record.name}
    if isinstance(record, Draw):
        seated = {name for one in record.rounds for table in one.tables for name in table if name}
        return seated.union(*(one.resting for one in record.rounds))
    return set()


def add_live(desk: Desk, live: Mapping[str, Outcome]) -> None:
    """Use results of score tables (by their ids) where no score sheet was entered."""
    for one in desk.begun:
        for table in one.tables:
            outcome = live.get(table.opened)
            if not table.results and outcome is not None and (outcome.over or desk.spec.interim):
                table.results.append(outcome)
                for name, _ in outcome.people:
                    if name not in desk.teams:  # a substitute does not play in later rounds
                        desk.teams[name] = ""
                        desk.away.add(name)


def step(desk: Desk, at: float, record: DeskRecord) -> None:
    """Apply one more record.

    Raises:
        DeskError: it is impossible; nothing has changed then.
    """
    if isinstance(record, Enter):
        desk.teams[record.name] = record.team
        desk.away.discard(record.name)
    elif isinstance(record, Leave):
        _check_name(desk, record.name)
        (desk.away.discard if record.back else desk.away.add)(record.name)
    elif isinstance(record, Draw):
        desk.coming = [_to_round(desk, one) for one in record.rounds]
    elif isinstance(record, Begin):
        _begin(desk, at, record)
    elif isinstance(record, UndoRound):
        if not desk.begun:
            raise DeskError("还没有开始任何一轮。", "no session has started.")
        undone = desk.begun.pop()
        fresh = [DeskTable(table.names) for table in undone.tables]
        desk.coming.insert(0, DeskRound(fresh, undone.resting))
        desk.clock = None
    elif isinstance(record, Slip):
        _slip(desk, at, record)
    elif isinstance(record, Fine):
        _check_name(desk, record.name)
        desk.fines.append(record)
    elif isinstance(record, ClockSet):
        desk.clock = (at, record.left, record.running)


def draw_rounds(
    desk: Desk, rounds: int, *, by_standings: bool, absent: Mapping[str, Collection[int]] | None = None, seed: int = 0
) -> Draw:
    """Draw rounds for the players present: one by standings, or several with few repeat meetings.

    Raises:
        Error: they cannot be drawn.
    """
    names, played, odd = desk.present, desk.list_begun(), desk.spec.odd
    for name in absent or {}:
        _check_name(desk, name)
    made: Sequence[Round]
    if by_standings:
        made = [next_round(names, [line.name for line in standings(desk)], odd=odd, played=played, seed=seed)]
    else:
        teams = {name: team for name, team in desk.teams.items() if team}
        made = make_schedule(
            names, rounds, odd=odd, teams=teams or None, absent=absent, played=played, seed=seed
        ).rounds
    return Draw(
        rounds=[DrawnRound(tables=[list(table) for table in one.tables], resting=list(one.resting)) for one in made]
    )


def _check_name(desk: Desk, name: str) -> None:
    if name not in desk.teams:
        raise DeskError(f"名单里没有“{name}”。", f"{name!r} is not among the players.")


def _to_round(desk: Desk, one: DrawnRound) -> DeskRound:
    for name in [*(name for table in one.tables for name in table if name), *one.resting]:
        _check_name(desk, name)
    return DeskRound([DeskTable(tuple(table)) for table in one.tables], tuple(one.resting))


def _begin(desk: Desk, at: float, record: Begin) -> None:
    if not desk.coming:
        raise DeskError("没有排好的轮，请先排桌。", "no session is drawn: draw one first.")
    if desk.begun and not desk.begun[-1].over and not record.anyway:
        left = [i for i, table in enumerate(desk.begun[-1].tables, 1) if not table.over]
        listed = join_list(map(str, left))
        raise Unfinished(
            f"第 {len(desk.begun)} 轮的桌 {listed.zh} 还没有结果。",
            f"table{'s' * (len(left) > 1)} {listed.en} of round {len(desk.begun)} "
            f"{'have' if len(left) > 1 else 'has'} no result yet.",
        )
    one = desk.coming[0]
    for table in one.tables:
        gone = [name for name in table.names if name in desk.away]
        if gone:
            raise DeskError(
                f"{'、'.join(gone)} 不在，请重新排这一轮。", f"absent: {', '.join(gone)}; draw the session again."
            )
    desk.coming.pop(0)
    for table, opened in zip(one.tables, record.opened, strict=False):
        table.opened, table.online = opened, record.online
    one.at = at
    one.commitment = record.commitment
    desk.begun.append(one)
    desk.clock = (at, desk.spec.minutes * 60.0, True)


def _slip(desk: Desk, at: float, record: Slip) -> None:
    if record.round > len(desk.begun):
        raise DeskError(f"第 {record.round} 轮还没有开。", f"session {record.round} has not started.")
    tables = desk.begun[record.round - 1].tables
    if record.table > len(tables):
        raise DeskError(
            f"第 {record.round} 轮没有桌 {record.table}。", f"session {record.round} has no table {record.table}."
        )
    table = tables[record.table - 1]
    for name, points in zip(table.names, record.points, strict=True):
        if (name is None) != (points is None):
            raise DeskError(
                "有人的座位都要填分，空位不填。", "give points to every seated player and to no empty seat."
            )
    table.results.append(Outcome(tuple(record.points), record.hands or desk.spec.hands, at, record.note))


def standings(desk: Desk) -> list[DeskLine]:
    """Rank everyone who entered, best first, by the tournament's keys in their order."""
    total: Counter[str] = Counter()
    tables: Counter[str] = Counter()
    fined: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    standard, small, wins = (dict.fromkeys(desk.teams, 0.0) for _ in range(3))
    opponents: dict[str, list[str]] = {name: [] for name in desk.teams}
    for one in desk.begun:
        for table in one.tables:
            sat = table.scores()
            if table.result is None or not sat:
                continue
            points = [p for _, p in sat]
            played = table.result.hands
            shares = share_place_values(points, PLACES + (0,) * len(points))
            first = share_place_values(points, (1,) + (0,) * len(points))
            reduce = (
                reduce_scores(points, alpha=desk.spec.alpha, scale=desk.spec.scale, n=played)
                if played
                else (0.0,) * len(sat)
            )
            for i, (name, gained) in enumerate(sat):
                total[name] += gained
                tables[name] += 1
                hands[name] += played
                standard[name] = standard.get(name, 0.0) + shares[i]
                small[name] = small.get(name, 0.0) + reduce[i]
                wins[name] = wins.get(name, 0.0) + first[i]
                opponents.setdefault(name, []).extend(other for other, _ in sat if other != name)
    for fine in desk.fines:
        total[fine.name] -= fine.points
        standard[fine.name] -= fine.standard
        fined[fine.name] += fine.points
    made = [
        DeskLine(
            rank=0,
            name=name,
            team=team,
            total=total[name],
            standard=round(standard[name], 6),
            reduced=round(small[name], 9),
            wins=round(wins[name], 6),
            met=sum(total[other] for other in opponents[name]),
            tables=tables[name],
            hands=hands[name],
            fined=fined[name],
        )
        for name, team in desk.teams.items()
    ]

    def key_of(line: DeskLine) -> tuple[float, ...]:
        return tuple(-_value(line, key) for key in desk.spec.order)

    for line in made:
        line.rank = 1 + sum(key_of(other) < key_of(line) for other in made)
    return sorted(made, key=lambda line: (line.rank, line.name))


def _value(line: DeskLine, key: Key) -> float:
    return float(getattr(line, key))


_SUMMED = ("total", "standard", "reduced")
"""The keys that add up over the players of a team."""


def team_standings(desk: Desk, lines: Sequence[DeskLine]) -> list[TeamLine]:
    """Rank teams by the first key of the tournament that adds up over players, best first."""
    sums: dict[str, list[float]] = {}
    for line in lines:
        if line.team:
            row = sums.setdefault(line.team, [0.0] * 4)
            for i, value in enumerate((line.total, line.standard, line.reduced, 1)):
                row[i] += value
    at = next((_SUMMED.index(key) for key in desk.spec.order if key in _SUMMED), 0)
    ordered = sorted(sums.items(), key=lambda item: (-item[1][at], item[0]))
    return [
        TeamLine(
            rank=1 + sum(round(o[at] - row[at], 9) > 0 for o in sums.values()),
            team=team,
            total=round(row[0]),
            standard=row[1],
            reduced=row[2],
            players=round(row[3]),
        )
        for team, row in ordered
    ]
