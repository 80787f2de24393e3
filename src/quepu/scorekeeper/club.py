"""Club nights: score tables that carry a club's name, with the tournament desk's rounds, standings and checks.

A club night has no log of its own, so that devices without a network can continue it; `records_of` turns its tables
into records of a desk, where a club can continue with score sheets, penalties or a public page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from quepu.match.seats import RoundPosition
from quepu.scorekeeper.ledger import DEFAULT_RATIO, Ledger
from quepu.scorekeeper.transfers import standard_points
from quepu.tournament import Round, make_schedule
from quepu.tournament.desk import add_live, fold, step
from quepu.tournament.desk_draw import draw_rounds
from quepu.tournament.desk_records import Begin, DeskRecord, DeskSpec, Draw, DrawnRound, Enter, Key, Leave
from quepu.tournament.desk_state import Desk, HandPoints, Outcome


class Result(NamedTuple):
    """A table's result for standings: its four players, and the points of everyone who played there.

    `standard` are standard points by name, None if the book has none; `ratio` is α and T₀ of its reduced score;
    `players` are the ids stored with names (`scorekeeper.roster`), `draw` identifies the draw it belongs to. `seats`
    are the points of each seat, whoever sat there (empty in results that were stored without them).
    """

    round: int
    names: tuple[str, ...]
    people: Mapping[str, int]
    hands: int
    over: bool
    standard: Mapping[str, float] | None
    ratio: tuple[float, float] | None
    players: Mapping[str, str] = {}
    draw: str = ""
    seats: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return self._asdict()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read the data of `to_json`."""
        ratio = data["ratio"]
        tuples = {"names": tuple(data["names"]), "seats": tuple(data.get("seats", ()))}
        return cls(**{**data, **tuples, "ratio": None if ratio is None else tuple(ratio)})


def result_of(ledger: Ledger) -> Result:
    """Return the result of a table in its current state."""
    return Result(
        ledger.spec.club_round,
        ledger.match.names,
        dict(ledger.people),
        len(ledger.match.hands),
        ledger.over,
        standard_points(ledger) if ledger.match.rules.match.standard else None,
        ledger.ratio,
        draw=ledger.spec.club_draw,
        seats=ledger.seats,
    )


def points_by_hand(ledger: Ledger) -> tuple[HandPoints, ...]:
    """Return the winds and the points of each seat as drawn, hand by hand, without penalties."""
    return tuple(HandPoints(winds_at(hand.place), hand.players) for hand in ledger.match.hands)


def winds_at(place: RoundPosition) -> tuple[int, int, int, int]:
    """Return the wind of each player (0-3) in a hand."""
    one, two, three, four = (place.seats.index(player) for player in range(4))
    return one, two, three, four


class ClubTable(NamedTuple):
    """A table of a club night: its id, when it was opened (seconds), and its result."""

    id: str
    opened: float
    result: Result


def outcomes(desk: Desk, results: Mapping[str, Result]) -> dict[str, Outcome]:
    """Return the outcomes of a desk's score tables seat by seat, by their ids; tables without a hand are left out."""
    found: dict[str, Outcome] = {}
    for one in desk.begun:
        for table in one.tables:
            result = results.get(table.opened)
            if result is not None and (result.hands or result.over):
                found[table.opened] = _outcome(table.drawn or table.names, result)
    return found


def _outcome(names: Sequence[str | None], result: Result) -> Outcome:
    """Assign to each seat the gains of everyone who played there."""
    points = result.seats or tuple(
        sum(result.people.get(name, 0) for name in {first, now} if name is not None)
        for first, now in zip(names, result.names, strict=True)
    )
    others = tuple(result.people.items()) if set(result.people) != set(names) else ()
    return Outcome(points, result.hands, 0.0, people=others, over=result.over)


def records_of(tables: Sequence[ClubTable]) -> list[tuple[float, DeskRecord]]:
    """Return a club night as records of a desk, with times: the players, and each round as drawn and begun."""
    rounds: dict[int, list[ClubTable]] = {}
    for table in tables:
        rounds.setdefault(table.result.round, []).append(table)
    found: list[tuple[float, DeskRecord]] = []
    entered: set[str] = set()
    for _, several in sorted(rounds.items()):
        at = min(table.opened for table in several)
        fours = [_list_first_players(table.result) for table in several]
        names = [name for four in fours for name in four]
        found += [(at, Enter(name=name)) for name in names if name not in entered]
        entered |= set(names)
        drawn_round = DrawnRound(tables=[list(four) for four in fours])
        found.append((at, Draw(rounds=[drawn_round])))
        found.append((at, Begin(anyway=True, opened=[table.id for table in several])))
    return found


def _list_first_players(result: Result) -> tuple[str, ...]:
    """Return the players who sat down at a table first: those whose people are named first."""
    return tuple(result.people)[: len(result.names)]


def desk_of(title: str, tables: Sequence[ClubTable], order: Sequence[Key] = ("total",)) -> Desk:
    """Return a club night as a desk; its tables count in their current state."""
    alpha, scale = formula([table.result for table in tables])
    spec = DeskSpec(title=title, order=list(order), alpha=alpha, scale=scale, interim=True)
    desk = fold(spec, records_of(tables))
    add_live(desk, outcomes(desk, {table.id: table.result for table in tables}))
    return desk


def next_club_round(desk: Desk, names: Sequence[str], *, by_standings: bool, seed: int, anyway: bool = False) -> Round:
    """Return the tables of a club night's next round for the players present; surplus players rest.

    Raises:
        Unfinished: the round before is not over, and `anyway` is not set.
        Error: the names are not different, or do not fill one table.
    """
    for one in desk.begun:  # players present now who were at no table of a round rested then
        sat = {name for table in one.tables for name in table.names}
        one.resting = tuple(name for name in names if name not in sat)
    for name in names:
        step(desk, 0.0, Enter(name=name))
    for name in [name for name in desk.present if name not in names]:
        step(desk, 0.0, Leave(name=name))
    if len(set(names)) == len(names):
        step(desk, 0.0, draw_rounds(desk, 1, by="standings" if by_standings else "schedule", seed=seed))
    else:
        make_schedule(names, 1)  # raises the error that names a duplicate
    step(desk, 0.0, Begin(anyway=anyway))
    return desk.list_begun()[-1]


def versions(tables: Sequence[ClubTable]) -> list[list[ClubTable]]:
    """Group the tables of one round by draw: more than one list if a player sits in two of them.

    Two devices without a network may both have drawn the round. Draws of different people are one round.
    """
    drawn_at_once: list[list[ClubTable]] = []
    for table in tables:
        names, draw = set(_list_first_players(table.result)), table.result.draw
        for several in drawn_at_once:
            if draw and several[0].result.draw == draw:
                several.append(table)
                break
            if not draw and not several[0].result.draw and not names & _everybody(several):
                several.append(table)
                break
        else:
            drawn_at_once.append([table])
    found: list[list[ClubTable]] = []
    for several in drawn_at_once:
        same = next((other for other in found if not _everybody(other) & _everybody(several)), None)
        if same is not None:
            same += several
        else:
            found.append(several)
    return found


def _everybody(tables: Sequence[ClubTable]) -> set[str]:
    return {name for table in tables for name in _list_first_players(table.result)}


def formula(results: Sequence[Result]) -> tuple[float, float]:
    """Return α and T₀ of the reduced score: those of a table or its book, else the usual ones."""
    return next((one.ratio for one in results if one.ratio is not None), DEFAULT_RATIO)
