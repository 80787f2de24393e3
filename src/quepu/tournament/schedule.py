"""Whole schedules of a tournament, and single rounds by standings."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple

from quepu.errors import HandError, Text, many
from quepu.tournament.designs import SEATS, without_repeats
from quepu.tournament.search import Filled, OpenRound, Search
from quepu.tournament.seat_balance import number_tables, seat_after, seat_rounds

LEAST, MOST, MOST_ROUNDS = 4, 400, 30
_STEPS: Final = 20_000
_APART: Final = 3  # teammates are treated as if they had already met this often
_REMATCH: Final = 10_000  # by standings: a second meeting weighs more than any distance in the list
_FLOAT: Final = 200  # a second float in one direction weighs as much as a dozen places

Odd = Literal["rest", "three"]


class Round(NamedTuple):
    """Tables of names at 东南西北 (None: an empty seat at a table of three), and the players who sit out.

    Examples:
        >>> from quepu.tournament import make_schedule
        >>> make_schedule(list("ABCDEFGH"), 1).rounds[0].tables[0]
        ('B', 'C', 'A', 'F')
    """

    tables: tuple[tuple[str | None, ...], ...]
    resting: tuple[str, ...] = ()


class Quality(NamedTuple):
    """The evenness of a schedule, over all its rounds, those already played included.

    Examples:
        >>> from quepu.tournament import make_schedule
        >>> schedule = make_schedule(list("ABCDEFGHIJKLMNOP"), 5)
        >>> schedule.quality
        Quality(repeats=0, unavoidable=0, most_meetings=1, met_teammates=0, seats=1, rests=(0, 0), common=(14, 14))
    """

    repeats: int  # meetings beyond the first, summed over all pairs
    unavoidable: int  # a lower bound over all schedules, by counting
    most_meetings: int  # of any pair
    met_teammates: int  # meetings of players of one team
    seats: int  # the greatest difference between a player's most and least frequent seat
    rests: tuple[int, int]  # fewest and most rests of a player
    common: tuple[int, int]  # fewest and most opponents that two players share


class Schedule(NamedTuple):
    """The rounds still to be played, and how even all of them are.

    Examples:
        >>> from quepu.tournament import make_schedule
        >>> len(make_schedule(list("ABCDEFGH"), 2).rounds)
        2
    """

    rounds: tuple[Round, ...]
    quality: Quality


def make_schedule(
    players: Sequence[str],
    rounds: int,
    *,
    odd: Odd = "rest",
    teams: Mapping[str, str] | None = None,
    absent: Mapping[str, Collection[int]] | None = None,
    played: Sequence[Round] = (),
    seed: int = 0,
) -> Schedule:
    """Seat `rounds` further rounds with as few repeat meetings as possible.

        >>> schedule = make_schedule([f"player {number}" for number in range(8)], 2)
        >>> [len(one.tables) for one in schedule.rounds]
        [2, 2]

    Args:
        players: 4 to 400 different names.
        rounds: how many rounds to add.
        odd: how to seat players who do not fill tables of four: one to three of them "rest" each round, equally often,
            or sit at tables of "three" (if possible).
        teams: a player's team; players of one team are kept apart.
        absent: the rounds (1 is the first to be seated here) in which a player is not there.
        played: rounds that were played, which count.
        seed: another seed gives another schedule.

    Raises:
        HandError: names are duplicated, too few or too many; the number of rounds is invalid; an absence is in no
            round.
    """
    _check(players, rounds)
    for name, away in (absent or {}).items():
        if outside := [at for at in away if not 1 <= at <= rounds]:
            raise HandError(
                f"要排的是第 1 到 {rounds} 轮，{name} 缺席的第 {outside[0]} 轮不在其中。",
                f"sessions 1 to {rounds} are seated: {name} cannot be absent in session {outside[0]}.",
            )
    rng = random.Random(f"{seed} {len(players)} {rounds}")
    names = list(players)
    rng.shuffle(names)
    apart_by_design = None if played or any((absent or {}).values()) else _as_tables(names, teams)
    if apart_by_design is not None:
        names = apart_by_design
    past = [_extend(one, names) for one in played]  # people who left are numbered after those who play
    index = {name: i for i, name in enumerate(names)}
    there = [[index[name] for name in players if at not in (absent or {}).get(name, ())] for at in range(1, rounds + 1)]
    for at, present in enumerate(there, 1):
        if len(present) < SEATS:
            raise HandError(
                f"第 {at} 轮只有 {len(present)} 人，不够一桌。",
                f"session {at} has only {many(len(present), 'player')}.",
            )
    sizes = [_sizes(len(present), odd) for present in there]
    filled = None
    if not past and not teams and not any((absent or {}).values()):
        filled = _by_design(len(players), rounds, sizes[0], rng)
    elif apart_by_design is not None and (drawn := without_repeats(len(players), rounds + 1, rng)) is not None:
        filled = _without_teams(drawn)
    if filled is None:
        apart = {
            (index[one], index[other]): _APART for one, other in combinations(players, 2) if _team(teams, one, other)
        }
        search = Search(
            len(names),
            [OpenRound(present, size) for present, size in zip(there, sizes, strict=True)],
            before=_meetings([[[index[n] for n in table if n] for table in one.tables] for one in past]),
            apart=apart,
            rests=_rests(names, past),
            rng=rng,
        )
        filled = search.run(_STEPS)
    sat = [[tuple(None if n is None else index[n] for n in table) for table in one.tables] for one in past]
    tables = [one.tables for one in filled]
    seated = seat_after(tables, sat, rng) if sat else seat_rounds(tables)
    numbered = number_tables(seated, sat, rng)
    made = tuple(
        Round(
            tuple(tuple(None if p is None else names[p] for p in table) for table in one),
            tuple(sorted(names[p] for p in how.resting)),
        )
        for one, how in zip(numbered, filled, strict=True)
    )
    return Schedule(made, measure((*played, *made), teams))


def next_round(
    players: Sequence[str],
    standings: Sequence[str],
    *,
    odd: Odd = "rest",
    played: Sequence[Round] = (),
    floated: Mapping[str, float] | None = None,
    seed: int = 0,
) -> Round:
    """Seat one round with neighbours in the standings together (Swiss), avoiding repeat meetings where possible.

        >>> names = [f"player {number}" for number in range(8)]
        >>> len(next_round(names, standings=names).tables)
        2

    Players not in the standings come last. The lowest-ranked players who have rested least sit out. Where someone must
    play below or above their own table, it is rather not a player who has done so before: `floated` is by how many
    tables, so far, players have played below (positive) or above (negative) their own.

    Raises:
        HandError: as for `make_schedule`.
    """
    _check(players, 1)
    place = {name: i for i, name in enumerate(standings)}
    order = sorted(players, key=lambda name: place.get(name, len(place)))
    sizes = _sizes(len(order), odd)
    rested = Counter(name for one in played for name in one.resting)
    spare = len(order) - sum(sizes)
    resting = sorted(order, key=lambda name: (rested[name], -order.index(name)))[:spare]
    order = [name for name in order if name not in resting]
    met = Counter(
        frozenset(pair) for one in played for table in one.tables for pair in combinations([n for n in table if n], 2)
    )
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    tables = [order[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    _part_rematches(tables, met, {name: i for i, name in enumerate(order)}, floated or {})
    index = {name: i for i, name in enumerate(dict.fromkeys([*order, *(n for one in played for n in _names(one))]))}
    names = list(index)
    sat = [[tuple(None if n is None else index[n] for n in table) for table in one.tables] for one in played]
    seated = seat_after([[[index[name] for name in table] for table in tables]], sat, random.Random(seed))[0]
    return Round(
        tuple(tuple(None if p is None else names[p] for p in table) for table in seated), tuple(sorted(resting))
    )


def measure(rounds: Iterable[Round], teams: Mapping[str, str] | None = None) -> Quality:
    """Measure how even these rounds are."""
    rounds = list(rounds)
    met: Counter[tuple[str, str]] = Counter()
    seats: dict[str, list[int]] = {}
    rests: Counter[str] = Counter()
    for one in rounds:
        rests.update(one.resting)
        for table in one.tables:
            for seat, name in enumerate(table):
                if name is not None:
                    seats.setdefault(name, [0] * SEATS)[seat] += 1
            met.update((min(pair), max(pair)) for pair in combinations([name for name in table if name], 2))
    everybody = sorted({*seats, *rests})
    opponents: dict[str, set[str]] = {name: set() for name in everybody}
    for left, right in met:
        opponents[left].add(right)
        opponents[right].add(left)
    common = [len(opponents[left] & opponents[right]) for left, right in combinations(everybody, 2)] or [0]
    rested = [rests[name] for name in everybody] or [0]
    return Quality(
        repeats=sum(times - 1 for times in met.values()),
        unavoidable=_unavoidable(rounds, sum(met.values()), len(everybody)),
        most_meetings=max(met.values(), default=0),
        met_teammates=sum(times for pair, times in met.items() if _team(teams, *pair)),
        seats=max((max(counts) - min(counts) for counts in seats.values()), default=0),
        rests=(min(rested), max(rested)),
        common=(min(common), max(common)),
    )


def _unavoidable(rounds: Sequence[Round], meetings: int, people: int) -> int:
    """Return the least number of repeats that rounds of these sizes have, by two bounds.

    There are only so many pairs; and at a table of a later round two sit together who did so before if it has more
    people than the earlier round had tables, those not counted who did not play then.
    """
    sizes = [[sum(name is not None for name in table) for table in one.tables] for one in rounds]
    again = sum(
        max((_count_shared(later, earlier, people - sum(earlier)) for earlier in sizes[:at]), default=0)
        for at, later in enumerate(sizes)
    )
    return max(0, again, meetings - people * (people - 1) // 2)


def _count_shared(later: Sequence[int], earlier: Sequence[int], fresh: int) -> int:
    """Return the fewest pairs that two rounds share, `fresh` people having played only in the later one."""
    if max(later, default=0) <= len(earlier):
        return 0
    tables = list(later)
    for _ in range(min(fresh, sum(tables))):
        tables.sort(key=lambda size: _together(size, len(earlier)) - _together(size - 1, len(earlier)) if size else -1)
        tables[-1] -= 1
    return sum(_together(size, len(earlier)) for size in tables)


def _together(size: int, tables: int) -> int:
    """Return the fewest pairs within one earlier table among `size` people who come from `tables` tables."""
    each, more = divmod(size, tables)
    return tables * each * (each - 1) // 2 + more * each


def _check(players: Sequence[str], rounds: int) -> None:
    if len(set(players)) != len(players):
        raise HandError(*twice(next(name for name in players if players.count(name) > 1)))
    if not LEAST <= len(players) <= MOST:
        raise HandError(
            f"要 {LEAST} 到 {MOST} 人，现有 {len(players)} 人。", f"{LEAST} to {MOST} players, not {len(players)}."
        )
    if not 1 <= rounds <= MOST_ROUNDS:
        raise HandError(f"轮数是 1 到 {MOST_ROUNDS}。", f"there can be 1 to {MOST_ROUNDS} sessions.")


def _sizes(present: int, odd: Odd) -> list[int]:
    """Return the number of players at each table; tables of three come last."""
    threes = -present % SEATS
    tables = (present + threes) // SEATS
    if odd == "three" and threes <= tables:
        return [SEATS] * (tables - threes) + [SEATS - 1] * threes
    return [SEATS] * (present // SEATS)


def _by_design(players: int, rounds: int, sizes: Sequence[int], rng: random.Random) -> list[Filled] | None:
    """Build rounds by algebra if everyone sits down; absent dummies fill the tables of three.

    Those have numbers that are equal modulo four, so that no two of them meet at a table.
    """
    places = SEATS * len(sizes)
    if sum(sizes) != players:
        return None
    empty = {places - SEATS * (i + 1) for i in range(places - players)}
    drawn = without_repeats(places, rounds, rng)
    if drawn is None:
        return None
    if any(len(empty & set(table)) > 1 for tables in drawn for table in tables):
        return None
    number = {place: i for i, place in enumerate(place for place in range(places) if place not in empty)}
    return [Filled([[number[p] for p in table if p not in empty] for table in tables], []) for tables in drawn]


def _as_tables(names: Sequence[str], teams: Mapping[str, str] | None) -> list[str] | None:
    """Order players so that every four in a row hold whole teams; None if teams do not fill fours like that."""
    members: dict[str, list[str]] = {}
    for name in names:
        if team := (teams or {}).get(name):
            members.setdefault(team, []).append(name)
    if not members or len(names) % SEATS:
        return None
    parts = sorted([*members.values(), *([name] for name in names if not (teams or {}).get(name))], key=len)
    fours: list[list[str]] = [[] for _ in range(len(names) // SEATS)]
    for part in reversed(parts):  # the largest first, each into the fullest four that has room
        room = [four for four in fours if len(four) + len(part) <= SEATS]
        if not room:
            return None
        max(room, key=len).extend(part)
    return [name for four in fours for name in four]


def _without_teams(drawn: Sequence[Sequence[Sequence[int]]]) -> list[Filled]:
    """Take one round's tables as the teams, whose members never meet in the others, and number players by it."""
    *rounds, tables = drawn
    number = {player: i for i, player in enumerate(player for table in tables for player in table)}
    return [Filled([[number[player] for player in table] for table in one], []) for one in rounds]


def _extend(one: Round, names: list[str]) -> Round:
    names.extend(name for name in dict.fromkeys(_names(one)) if name not in names)
    return one


def _names(one: Round) -> list[str]:
    return [*(name for table in one.tables for name in table if name is not None), *one.resting]


def _meetings(rounds: Iterable[Iterable[Sequence[int]]]) -> Counter[tuple[int, int]]:
    return Counter((min(pair), max(pair)) for one in rounds for table in one for pair in combinations(table, 2))


def _rests(names: Sequence[str], past: Iterable[Round]) -> list[int]:
    rests = Counter(name for one in past for name in one.resting)
    return [rests[name] for name in names]


def _team(teams: Mapping[str, str] | None, one: str, other: str) -> bool:
    """Return whether two players are in the same team."""
    return teams is not None and teams.get(one) is not None and teams.get(one) == teams.get(other)


def _part_rematches(
    tables: list[list[str]], met: Counter[frozenset[str]], place: Mapping[str, int], floated: Mapping[str, float]
) -> None:
    """Exchange players of neighbouring tables as long as that reduces repeats, then floats, then distances."""
    own = {name: _mean(place, table) for table in tables for name in table}

    def weight(at: int) -> float:
        pairs = list(combinations(tables[at], 2))
        again = sum(met[frozenset(pair)] for pair in pairs)
        floats = sum(max(0.0, below * floated.get(name, 0)) for name, below in measure_floats(tables[at], place, own))
        return _REMATCH * again + _FLOAT * floats + sum((place[one] - place[other]) ** 2 for one, other in pairs)

    changed = True
    while changed:
        changed = False
        for i, j in combinations(range(len(tables)), 2):
            for x in range(len(tables[i])):
                for y in range(len(tables[j])):
                    now = weight(i) + weight(j)
                    tables[i][x], tables[j][y] = tables[j][y], tables[i][x]
                    if weight(i) + weight(j) < now:
                        changed = True
                    else:
                        tables[i][x], tables[j][y] = tables[j][y], tables[i][x]


def measure_floats(table: Sequence[str], place: Mapping[str, int], own: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return by how many tables each player of a table plays below their `own`, whose mean place is given."""
    mean = _mean(place, table)
    return [(name, (mean - own[name]) / SEATS) for name in table]


def _mean(place: Mapping[str, int], table: Sequence[str]) -> float:
    return sum(place[name] for name in table) / len(table)


def twice(name: str) -> Text:
    """Say that a name occurs twice, and how to tell two people of one name apart."""
    return Text(
        f"名字“{name}”写了两次；如果是两个人，就在名字后加备注，如“{name}（小）”。",
        f"the name {name!r} is there twice; if they are two people, add a note: '{name} (2)'.",
    )
