"""Draws of the desk: whole schedules, rounds by standings, fixed groups, tables of an evening without rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple

from quepu.errors import many
from quepu.tournament.designs import SEATS
from quepu.tournament.desk_corrections import check_name
from quepu.tournament.desk_records import Draw, DrawnRound
from quepu.tournament.desk_standings import standings
from quepu.tournament.desk_state import Desk, DeskError
from quepu.tournament.schedule import Round, make_schedule, measure_floats, next_round

How = Literal["schedule", "standings", "groups"]
_WINDOW: Final = 6
"""At an evening without rounds, a table is chosen among so many who come first."""


def draw_rounds(
    desk: Desk,
    rounds: int,
    *,
    by: How = "schedule",
    group: int = SEATS,
    absent: Mapping[str, Collection[int]] | None = None,
    seed: int = 0,
) -> Draw:
    """Draw rounds for the players present.

    Args:
        desk: the tournament.
        rounds: how many to draw; by standings it is always one.
        by: all at once with few repeat meetings, one with neighbours in the standings together, or all within groups of
            neighbours in the standings that stay together.
        group: how many players a group has.
        absent: the drawn rounds (from 1) that a player misses.
        seed: another seed gives another draw.

    Raises:
        Error: they cannot be drawn.
    """
    names, played, odd = desk.present, desk.list_begun(), desk.spec.odd
    for name in absent or {}:
        check_name(desk, name)
    made: Sequence[Round]
    if by == "standings":
        order = _rank(desk)
        made = [next_round(names, order, odd=odd, played=played, floated=list_floats(desk), seed=seed)]
    elif by == "groups":
        made = _draw_groups(desk, rounds, group, seed)
    else:
        teams = {name: team for name, team in desk.teams.items() if team}
        made = make_schedule(
            names, rounds, odd=odd, teams=teams or None, absent=absent, played=played, seed=seed
        ).rounds
    return to_draw(made)


def _rank(desk: Desk) -> list[str]:
    """Return the players in the order of the standings, right after a cut (which may carry nothing) in that before."""
    last = desk.stages[-1] if desk.stages else None
    first = last.names if last is not None and last.after == len(desk.begun) else ()
    return list(dict.fromkeys([*first, *(line.name for line in standings(desk))]))


def to_draw(rounds: Sequence[Round]) -> Draw:
    """Return the record of drawn rounds."""
    return Draw(
        rounds=[DrawnRound(tables=[list(table) for table in one.tables], resting=list(one.resting)) for one in rounds]
    )


def _draw_groups(desk: Desk, rounds: int, group: int, seed: int) -> list[Round]:
    """Draw each group on its own: neighbours in the standings, or in the list of players before the first round."""
    here = set(desk.present)
    order = [name for name in _rank(desk) if name in here] if desk.begun else desk.present
    if len(order) % group:
        raise DeskError(
            f"{len(order)} 人分不成 {group} 人一组。", f"{len(order)} players do not divide into groups of {group}."
        )
    played = desk.list_begun()
    several = [
        make_schedule(order[at : at + group], rounds, played=played, seed=seed).rounds
        for at in range(0, len(order), group)
    ]
    return [Round(tuple(table for one in same for table in one.tables)) for same in zip(*several, strict=True)]


def list_floats(desk: Desk) -> dict[str, float]:
    """Sum up by how many tables players were seated below (positive) or above their own in the rounds so far."""
    found: dict[str, float] = {}
    for number, one in enumerate(desk.begun):
        if not number:
            continue  # before the first round there are no standings
        tables = [[name for name in table.names if name] for table in one.tables]
        seated = {name for names in tables for name in names}
        ranked = [line.name for line in standings(desk, number) if line.name in seated]
        place = {name: i for i, name in enumerate([*ranked, *sorted(seated - set(ranked))])}
        blocks = [list(place)[i : i + SEATS] for i in range(0, len(place), SEATS)]
        own = {name: sum(place[one] for one in block) / len(block) for block in blocks for name in block}
        for names in tables:
            for name, below in measure_floats(names, place, own):
                found[name] = found.get(name, 0.0) + below
    return found


def draw_next_table(desk: Desk, seed: int = 0) -> Draw:
    """Draw one table of an evening without rounds: who has played least and waited longest, with three met least.

    Raises:
        DeskError: fewer than four are waiting.
    """
    busy = {name for one in desk.begun for table in one.tables if not table.over for name in table.names}
    played = desk.list_begun()
    last = {name: at for at, one in enumerate(played) for table in one.tables for name in table if name}
    tables = Counter(name for one in played for table in one.tables for name in table)
    free = [name for name in desk.present if name not in busy]
    waiting = sorted(free, key=lambda name: (tables[name], last.get(name, -1)))
    if len(waiting) < SEATS:
        raise DeskError(
            f"现在空着的只有 {len(waiting)} 人，不够一桌。",
            f"only {many(len(waiting), 'player')} waiting; a table needs four.",
        )
    met = count_meetings(played)
    four = waiting[:1]
    while len(four) < SEATS:
        others = [name for name in waiting[:_WINDOW] if name not in four]
        four.append(
            min(others, key=lambda name: (sum(met[frozenset((name, one))] for one in four), waiting.index(name)))
        )
    return to_draw([next_round(four, four, played=played, seed=seed)])


def count_meetings(rounds: Sequence[Round]) -> Counter[frozenset[str]]:
    """Count how often two players sat together."""
    return Counter(
        frozenset(pair) for one in rounds for table in one.tables for pair in combinations([n for n in table if n], 2)
    )


class SwapCost(NamedTuple):
    """The change in repeat meetings, and in meetings of team-mates, if seats are exchanged with a player."""

    name: str
    repeats: int
    teammates: int


def list_swaps(desk: Desk, round: int, name: str) -> list[SwapCost]:
    """List everyone with whom a player could exchange seats in a round, the cheapest first.

    Raises:
        DeskError: the round is not drawn, or the player is not in it.
    """
    rounds = desk.rounds
    drawn = [Round(tuple(table.names for table in one.tables), one.resting) for one in rounds]
    if not 0 < round <= len(rounds):
        raise DeskError(f"第 {round} 轮还没有排。", f"session {round} is not drawn yet.")
    tables = [[one for one in table if one] for table in drawn[round - 1].tables]
    at = {one: i for i, table in enumerate(tables) for one in table} | dict.fromkeys(drawn[round - 1].resting, -1)
    if name not in at:
        raise DeskError(f"“{name}”不在第 {round} 轮里。", f"{name!r} neither plays nor sits out in session {round}.")
    met = count_meetings(drawn)

    def mates(one: str) -> list[str]:
        return [mate for mate in tables[at[one]] if mate != one] if at[one] >= 0 else []

    def change(one: str, old: Sequence[str], new: Sequence[str]) -> int:
        """Return the change in repeats if a player has these mates instead of those."""
        lost = sum(met[frozenset((one, mate))] > 1 for mate in old)
        return sum(met[frozenset((one, mate))] > 0 for mate in new) - lost

    def allied(one: str, among: Sequence[str]) -> int:
        return sum(bool(desk.teams.get(one)) and desk.teams.get(one) == desk.teams.get(mate) for mate in among)

    found = []
    for other in at:
        if other == name or (at[other] == at[name]):
            continue
        mine, theirs = mates(name), mates(other)
        repeats = change(name, mine, theirs) + change(other, theirs, mine)
        teammates = sum(
            allied(one, new) - allied(one, old) for one, old, new in ((name, mine, theirs), (other, theirs, mine))
        )
        found.append(SwapCost(other, repeats, teammates))
    return sorted(found, key=lambda one: (one.teammates, one.repeats))
