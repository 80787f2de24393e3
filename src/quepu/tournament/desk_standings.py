"""The standings of a tournament: players and teams, ranked by its keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from quepu.folding import natural_order
from quepu.match.match import reduce_scores, share_place_values
from quepu.schema import Schema
from quepu.tournament.desk_records import Key
from quepu.tournament.desk_state import PLACES, Desk, DeskRound, DeskTable, Stage
from quepu.tournament.duplicate import DuplicateError, Result, individual, teams

ExtraKind = Literal["fined", "passed_on", "uncounted", "carried"]


class Extra(Schema):
    """Points of a player besides the results of the player's seats, placed after round `after`.

    `carried`: the share of everything so far with which the player went on from a cut; it replaces the rows above it.
    The others are added: penalties (`fined`), results that a substitution passed on or took over (`passed_on`), and
    results after a cut that the player did not pass (`uncounted`).
    """

    kind: ExtraKind
    after: int
    total: int | float
    standard: float
    share: float


class DeskLine(Schema):
    """A line of the standings; players whose keys are all equal share a rank.

    `stage` is how many cuts the player has passed: who goes on ranks before who does not. The results of the player's
    seats and `extras` add up to `total` and `standard`.
    """

    rank: int
    name: str
    team: str
    number: str
    total: int | float
    standard: float
    reduced: float
    wins: float
    met: int | float
    direct: float
    imps: int | float
    tables: int
    hands: int
    fined: int
    stage: int
    extras: list[Extra]


class TeamLine(Schema):
    """A team: the sums of its players; `imps` are those of the team's points, if it held each seat in every hand."""

    rank: int
    team: str
    total: int | float
    standard: float
    reduced: float
    imps: int | float
    players: int


class Cell(NamedTuple):
    """A player's round: the table, the seat (None: a substitute in the middle of it), and what was scored there."""

    table: int
    seat: int | None
    points: int | None
    standard: float | None


_CARRIED = ("total", "standard", "reduced", "imps")
"""The sums of which a cut carries a share, and that add up over the players of a team."""


class _Sums:
    """The sums of a player, by stage."""

    def __init__(self, stages: int) -> None:
        self.total = [0] * stages
        self.standard = [0.0] * stages
        self.reduced = [0.0] * stages
        self.imps = [0] * stages
        self.fines = [(0, 0.0)] * stages
        self.shown = [(0, 0.0)] * stages
        """Points and standard points of the player's cells, whoever they count for."""
        self.wins = 0.0
        self.tables = self.hands = self.fined = 0
        self.opponents: list[str] = []
        self.opponents_below: Counter[str] = Counter()

    def carry(self, key: str, shares: Sequence[float]) -> float:
        """Return a sum over the stages, the earlier ones at the share that the cuts carried."""
        value: float = 0
        for gained, share in zip(getattr(self, key), (1.0, *shares), strict=False):
            value = value * share + gained
        return round(value, 9)


def standings(desk: Desk, before: int | None = None) -> list[DeskLine]:
    """Rank everyone who entered, best first, by the tournament's keys in their order.

    Args:
        desk: the tournament.
        before: count only this many rounds, and cuts before the last of them; otherwise everything.
    """
    stages = [cut for cut in desk.stages if before is None or cut.after < before]
    sums = {name: _Sums(len(desk.stages) + 1) for name in desk.teams}
    for number, one in enumerate(desk.begun[:before], 1):
        stage = sum(cut.after < number for cut in desk.stages)
        for table in () if one.annulled else one.tables:
            _add_table(desk, sums, table, number, stage)
        for name, cell in () if one.annulled else cells(one).items():
            if cell.points is not None and cell.standard is not None:
                shown = sums.setdefault(name, _Sums(len(desk.stages) + 1)).shown
                shown[stage] = _add(shown[stage], cell.points, cell.standard)
        for own_line in individual(list(_duplicate_results(desk, number))):
            sums.setdefault(own_line.name, _Sums(len(desk.stages) + 1)).imps[stage] += own_line.imps
    for fine in desk.fines:
        if fine.stage > len(stages):
            continue
        own = sums[fine.fine.name]
        own.total[fine.stage] -= fine.fine.points
        own.standard[fine.stage] -= fine.fine.standard
        own.fined += fine.fine.points
        own.fines[fine.stage] = _add(own.fines[fine.stage], fine.fine.points, fine.fine.standard)
    passed = dict.fromkeys(sums, 0)
    for number, cut in enumerate(stages, 1):
        for name in cut.names:
            if passed.get(name) == number - 1:
                passed[name] = number
    gone = {heir.name for heir in desk.heirs}
    shares = {name: [cut.carry for cut in stages[:times]] for name, times in passed.items()}
    value = {key: {name: own.carry(key, shares[name]) for name, own in sums.items()} for key in _CARRIED}
    made = [
        DeskLine(
            rank=0,
            name=name,
            team=desk.teams[name],
            number=desk.numbers.get(name, ""),
            total=_whole(value["total"][name]),
            standard=round(value["standard"][name], 6),
            reduced=value["reduced"][name],
            wins=round(own.wins, 6),
            met=_whole(sum(value["total"][other] for other in own.opponents)),
            direct=0,
            imps=_whole(value["imps"][name]),
            tables=own.tables,
            hands=own.hands,
            fined=own.fined,
            stage=passed[name],
            extras=_extras(own, stages, passed[name], len(desk.begun[:before])),
        )
        for name, own in sums.items()
        if own.tables or name not in gone or name not in desk.away
    ]

    groups = _split(made, [-line.stage for line in made])
    for key in desk.spec.order:
        if key == "direct":
            for group in groups:
                for line in group:
                    below = sums[line.name].opponents_below
                    line.direct = sum(below[other.name] for other in group if other is not line)
        groups = [part for group in groups for part in _split(group, [-_value(line, key) for line in group])]
    ranked: list[DeskLine] = []
    for group in groups:
        for line in group:
            line.rank = len(ranked) + 1
        ranked += sorted(group, key=lambda line: natural_order(line.name))
    return ranked


def _add(pair: tuple[int, float], points: int, standard: float) -> tuple[int, float]:
    return pair[0] + points, pair[1] + standard


def _extras(own: _Sums, stages: Sequence[Stage], passed: int, rounds: int) -> list[Extra]:
    """Return a player's points beside the results of the player's seats, in order."""
    ends = [*(cut.after for cut in stages), rounds]
    total, standard = 0.0, 0.0
    extras: list[Extra] = []
    for at, (end, seats, fines) in enumerate(zip(ends, own.shown, own.fines, strict=False)):
        if at > passed:
            extras.append(_extra("uncounted", end, -seats[0], -seats[1]))
            continue
        passed_on = own.total[at] + fines[0] - seats[0], own.standard[at] + fines[1] - seats[1]
        extras += [_extra("passed_on", end, *passed_on), _extra("fined", end, -fines[0], -fines[1])]
        total, standard = total + own.total[at], standard + own.standard[at]
        if at < passed and stages[at].carry != 1:
            total, standard = total * stages[at].carry, standard * stages[at].carry
            extras.append(_extra("carried", end, total, standard, stages[at].carry))
    return [extra for extra in extras if extra.kind == "carried" or extra.total or extra.standard]


def _extra(
    kind: ExtraKind,
    after: int,
    total: float,
    standard: float,
    share: float = 1,
) -> Extra:
    return Extra(kind=kind, after=after, total=_whole(round(total, 9)), standard=round(standard, 6), share=share)


def _split(group: Sequence[DeskLine], values: Sequence[float]) -> list[list[DeskLine]]:
    """Split equals by a further value of each, the least first."""
    return [[line for line, own in zip(group, values, strict=True) if own == value] for value in sorted(set(values))]


def _add_table(desk: Desk, sums: dict[str, _Sums], table: DeskTable, number: int, stage: int) -> None:
    """Add the result of a table to the sums of those whose points it has."""
    sat = table.scores()
    if table.result is None or not sat:
        return
    points, hands = [p for _, p in sat], table.result.hands
    shares = [place_shares(table)[name] for name, _ in sat]
    first = share_place_values(points, (1,) + (0,) * len(points))
    reduced = (
        reduce_scores(points, alpha=desk.spec.alpha, scale=desk.spec.scale, n=hands) if hands else (0.0,) * len(sat)
    )
    owners = [desk.owner(name, number) for name, _ in sat]
    for i, name in enumerate(owners):
        own = sums.setdefault(name, _Sums(len(desk.stages) + 1))
        own.total[stage] += points[i]
        own.standard[stage] += shares[i]
        own.reduced[stage] += reduced[i]
        own.wins += first[i]
        own.tables += 1
        own.hands += hands
        own.opponents += [other for other in owners if other != name]
        own.opponents_below.update(other for other, theirs in zip(owners, points, strict=True) if theirs < points[i])


def cells(one: DeskRound) -> dict[str, Cell]:
    """Return everyone's cell of a round: those who sit at its tables, and substitutes who have no seat in it."""
    seated: dict[str, Cell] = {}
    others: dict[str, Cell] = {}
    for at, table in enumerate(one.tables, 1):
        points, shares = dict(table.scores()), place_shares(table)
        for seat, name in enumerate(table.names):
            if name is not None:
                seated[name] = Cell(at, seat, points.get(name), shares.get(name))
        for name, gained in points.items():
            others.setdefault(name, Cell(at, None, gained, shares[name]))
    return seated | {name: cell for name, cell in others.items() if name not in seated}


def _duplicate_results(desk: Desk, number: int) -> Iterator[Result]:
    """Yield everyone's points in each hand of a round, if it is duplicate: what its tables have played so far."""
    one = desk.begun[number - 1]
    if one.annulled or not one.own:
        return
    for at, table in enumerate(one.tables, 1):
        for hand, (winds, points) in enumerate(table.by_hand, 1):
            for name, wind, gained in zip(table.names, winds, points, strict=True):
                if name is not None:
                    owner = desk.owner(name, number)
                    yield Result(hand, str(at), wind, owner, gained, desk.teams.get(owner, ""))


def place_shares(table: DeskTable) -> dict[str, float]:
    """Return the standard points of everyone at a table: those of their places, or as the referee set them."""
    sat = table.scores()
    shares = dict(
        zip((n for n, _ in sat), share_place_values([p for _, p in sat], PLACES + (0,) * len(sat)), strict=True)
    )
    given = () if table.result is None or table.result.standard is None else table.result.standard
    shares.update(
        {name: own for name, own in zip(table.names, given, strict=False) if name in shares and own is not None}
    )
    return shares


def _whole(value: float) -> int | float:
    """Return a whole number as such; half points stay."""
    return round(value) if float(value).is_integer() else value


def _value(line: DeskLine, key: Key) -> float:
    return float(getattr(line, key))


def team_standings(desk: Desk, lines: Sequence[DeskLine]) -> list[TeamLine]:
    """Rank teams by the first key of the tournament that adds up over players, best first."""
    sums: dict[str, list[float]] = {}
    for line in lines:
        if line.team:
            row = sums.setdefault(line.team, [0.0] * 5)
            for i, value in enumerate((line.total, line.standard, line.reduced, line.imps, 1)):
                row[i] += value
    for team, imps in _team_imps(desk).items():
        sums[team][_CARRIED.index("imps")] = imps
    at = next((_CARRIED.index(key) for key in desk.spec.order if key in _CARRIED), 0)
    ordered = sorted(sums.items(), key=lambda item: (-item[1][at], natural_order(item[0])))
    return [
        TeamLine(
            rank=1 + sum(round(o[at] - row[at], 9) > 0 for o in sums.values()),
            team=team,
            total=_whole(row[0]),
            standard=row[1],
            reduced=row[2],
            imps=_whole(row[3]),
            players=round(row[4]),
        )
        for team, row in ordered
    ]


def _team_imps(desk: Desk) -> dict[str, int]:
    """Return the IMPs of teams by their points in each hand; none if a team lacked a seat somewhere, or after a cut."""
    found: Counter[str] = Counter()
    if desk.stages:
        return {}
    for number in range(1, len(desk.begun) + 1):
        results = list(_duplicate_results(desk, number))
        try:
            found.update({line.name: line.imps for line in teams(results)})
        except DuplicateError:
            return {}
    return dict(found)
