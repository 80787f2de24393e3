"""Schedules counted anew: who met whom, who sat where, who rested."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest

from quepu.errors import HandError
from quepu.tournament import Round, make_schedule, next_round


def names(n: int) -> list[str]:
    return [f"p{i}" for i in range(n)]


def met(rounds):
    return Counter(
        frozenset(pair) for one in rounds for table in one.tables for pair in combinations([n for n in table if n], 2)
    )


def check_rounds(rounds, players, absent=None):
    for at, one in enumerate(rounds, 1):
        there = sorted([n for table in one.tables for n in table if n] + list(one.resting))
        assert there == sorted(n for n in players if at not in (absent or {}).get(n, ()))
        assert all(len(table) == 4 for table in one.tables)


def seat_counts(rounds, player):
    return [sum(table[seat] == player for one in rounds for table in one.tables) for seat in range(4)]


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        (16, 5),
        (20, 5),
        (24, 6),
        (24, 7),
        (28, 9),
        (32, 7),
        (32, 10),
        (36, 11),
        (40, 8),
        (40, 13),
        (64, 8),
        (100, 8),
        (200, 15),
    ],
)
def test_nobody_meets_twice_where_that_is_possible(players, rounds):
    made = make_schedule(names(players), rounds)
    check_rounds(made.rounds, names(players))
    assert max(met(made.rounds).values()) == 1
    assert made.quality.repeats == 0
    for player in names(players):
        counts = seat_counts(made.rounds, player)
        assert min(counts) >= rounds // 4
        assert max(counts) <= -(-rounds // 4)


@pytest.mark.parametrize(("players", "rounds"), [(40, 8), (40, 12), (28, 7), (24, 6), (32, 8), (32, 9)])
def test_teams_of_four_never_meet_and_nobody_else_meets_twice(players, rounds):
    for sizes in ([4], [3, 1], [2, 2], [4, 3, 1, 2, 2]):
        teams, left = {}, names(players)
        while left:
            for size in sizes:
                number = len(set(teams.values()))
                for name in left[:size]:
                    teams[name] = f"team {number}"
                left = left[size:]
        made = make_schedule(names(players), rounds, teams=teams, seed=5)
        check_rounds(made.rounds, names(players))
        assert max(met(made.rounds).values()) == 1
        assert not [pair for pair in met(made.rounds) if len({teams[name] for name in pair}) == 1]


@pytest.mark.parametrize("players", range(5, 31))
def test_byes_and_tables_of_three_are_shared_evenly(players):
    for odd in ("rest", "three"):
        made = make_schedule(names(players), 3, odd=odd, seed=1)
        check_rounds(made.rounds, names(players))
        threes = Counter(n for one in made.rounds for table in one.tables if None in table for n in table if n)
        sizes = Counter(4 - table.count(None) for table in made.rounds[0].tables)
        if odd == "three" and players > 5:
            assert not any(one.resting for one in made.rounds)
            assert sizes[3] == -players % 4
            assert set(sizes) <= {3, 4}
        else:
            assert set(sizes) == {4}
            rests = Counter(n for one in made.rounds for n in one.resting)
            assert max(rests.values(), default=0) - min((rests[n] for n in names(players)), default=0) <= 1
            assert not threes
        for player in names(players):
            counts = seat_counts(made.rounds, player)
            assert max(counts) - min(counts) <= 1


def test_absent_players_teams_and_rounds_already_played():
    players = names(18)
    absent = {"p0": {1, 2}, "p5": {3}}
    teams = {name: f"team {i // 3}" for i, name in enumerate(players)}
    made = make_schedule(players, 4, odd="three", absent=absent, teams=teams, seed=3)
    check_rounds(made.rounds, players, absent)
    assert made.quality.met_teammates == 0
    assert not [pair for pair in met(made.rounds) if len({teams[n] for n in pair}) == 1]
    left = [name for name in players if name not in ("p7", "p8")] + ["late"]
    on = make_schedule(left, 2, odd="three", played=made.rounds, seed=3)
    check_rounds(on.rounds, left)
    assert on.quality.repeats == sum(times - 1 for times in met([*made.rounds, *on.rounds]).values())
    fresh = make_schedule(left, 2, odd="three", seed=3)
    both = [*made.rounds, *fresh.rounds]
    assert on.quality.repeats < sum(times - 1 for times in met(both).values())


def test_the_same_seed_gives_the_same_schedule_and_another_another():
    one, same, other = (make_schedule(names(17), 4, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.rounds != other.rounds


def test_unavoidable_repeats_are_counted():
    made = make_schedule(names(8), 5)
    # 60 meetings of 28 pairs
    assert made.quality.unavoidable == 32
    assert made.quality.repeats == sum(times - 1 for times in met(made.rounds).values()) >= 32
    assert made.quality.most_meetings == max(met(made.rounds).values()) <= 4


@pytest.mark.parametrize(("players", "rounds"), [(4, 2), (5, 2), (5, 3), (6, 2), (7, 2), (8, 2), (9, 2)])
def test_no_schedule_has_fewer_repeats_than_are_called_unavoidable(players, rounds):
    everybody = range(players)

    def tables(left):
        if len(left) < 4:
            return [[]]
        first, *others = left
        with_first = [
            [(first, *mates), *rest]
            for mates in combinations(others, 3)
            for rest in tables([one for one in others if one not in mates])
        ]
        spare = len(left) % 4
        return with_first + (tables(others) if spare else [])

    all_rounds = [set(map(frozenset, one)) for one in tables(list(everybody)) if len(one) == players // 4]
    pairs = [{frozenset(pair) for table in one for pair in combinations(table, 2)} for one in all_rounds]
    fewest = min(
        sum(map(len, chosen)) - len(set().union(*chosen)) for chosen in combinations_with_replacement(pairs, rounds)
    )
    assert make_schedule(names(players), rounds).quality.unavoidable <= fewest
    if rounds == 2:
        assert make_schedule(names(players), rounds).quality.unavoidable == fewest


def test_swiss_seats_neighbours_who_have_not_met():
    players = names(16)
    first = make_schedule(players, 1).rounds
    order = [n for table in first[0].tables for n in table]  # the worst case: tables of the first round in a row
    second = next_round(players, order, played=first)
    check_rounds([second], players)
    assert max(met([*first, second]).values()) == 1
    third = next_round(players, order)
    assert [sorted(table) for table in third.tables] == [sorted(order[i : i + 4]) for i in range(0, 16, 4)]


def test_swiss_lets_the_last_rest_once_each():
    players, played = names(9), []
    for _ in range(5):
        played.append(next_round(players, players, played=played))
    rests = [one.resting for one in played]
    assert rests[0] == ("p8",)
    assert len(set(rests)) == 5


@pytest.mark.parametrize(
    ("players", "rounds", "words"),
    [(["a", "b", "c"], 2, "4"), (["a", "b", "a", "c"], 2, "两次"), (names(8), 0, "轮数")],
)
def test_what_cannot_be_is_refused(players, rounds, words):
    with pytest.raises(HandError, match=words):
        make_schedule(players, rounds)


def test_too_few_are_there_in_one_round():
    with pytest.raises(HandError, match="第 2 轮只有 3 人"):
        make_schedule(names(5), 2, absent={"p0": {2}, "p1": {2}})


def test_a_seat_nobody_holds_is_only_at_a_table_of_three():
    made = make_schedule(names(6), 2, odd="three")
    assert all(table.count(None) == 1 for one in made.rounds for table in one.tables)
    assert isinstance(made.rounds[0], Round)
