"""Draws of the desk: floats, fixed groups, cuts with carried points, evenings without rounds, swaps and their cost."""

import random
from collections import Counter
from itertools import combinations

import pytest

from quepu.tournament.desk import fold, step
from quepu.tournament.desk_draw import draw_next_table, draw_rounds, list_floats, list_swaps
from quepu.tournament.desk_records import Begin, Cut, DeskSpec, Enter, Fine, Slip, Swap, UndoRound
from quepu.tournament.desk_standings import standings
from quepu.tournament.desk_state import DeskError
from quepu.tournament.schedule import next_round

SPEC = DeskSpec(title="t", order=["total"])


def opened(players, spec=SPEC, teams=None):
    names = [f"p{i:02}" for i in range(players)]
    return fold(spec, [(0.0, Enter(name=name, team=(teams or {}).get(name, ""))) for name in names])


def play(desk, rng, **how):
    """Draw and play one round."""
    step(desk, 0.0, draw_rounds(desk, 1, **how))
    step(desk, 0.0, Begin())
    for at, table in enumerate(desk.begun[-1].tables, 1):
        points = [None if name is None else rng.randint(-99, 99) for name in table.names]
        step(desk, 0.0, Slip(round=len(desk.begun), table=at, points=points))


def order(desk):
    return [line.name for line in standings(desk)]


@pytest.mark.parametrize("carry", [0, 0.5, 1])
def test_a_cut_takes_the_best_on_with_their_share_and_ranks_them_first(carry):
    rng = random.Random(3)
    desk = opened(24)
    for _ in range(2):
        play(desk, rng)
    step(desk, 0.0, Fine(name="p00", points=7))
    before = {line.name: line.total for line in standings(desk)}
    best = order(desk)[:16]
    step(desk, 0.0, Cut(names=best, carry=carry))
    assert sorted(desk.present) == sorted(best)
    assert {line.name: line.total for line in standings(desk)} == {
        name: total * carry if name in best else total for name, total in before.items()
    }
    with pytest.raises(DeskError, match="晋级名单"):
        step(desk, 0.0, UndoRound())  # the cut stands on that round
    play(desk, rng, by="groups", group=4)
    assert [set(table.names) for table in desk.begun[-1].tables] == [set(best[i : i + 4]) for i in range(0, 16, 4)]
    gained = {name: points for table in desk.begun[-1].tables for name, points in table.scores()}
    found = {line.name: line for line in standings(desk)}
    assert all(found[name].total == before[name] * carry + gained[name] for name in best)
    assert [line.stage for line in standings(desk)] == [1] * 16 + [0] * 8
    four = order(desk)[:4]
    step(desk, 0.0, Cut(names=four, carry=1))
    step(desk, 0.0, draw_rounds(desk, 4))
    assert all(set(one.tables[0].names) == set(four) for one in desk.coming)  # a final table, seats in turn
    seats = Counter(
        (name, seat) for one in [*desk.begun, *desk.coming] for t in one.tables for seat, name in enumerate(t.names)
    )
    assert all(max(seats[name, at] for at in range(4)) - min(seats[name, at] for at in range(4)) <= 2 for name in four)
    assert [line.stage for line in standings(desk)][:5] == [2] * 4 + [1]


def test_points_of_a_cut_follow_a_result_that_is_corrected_later():
    rng = random.Random(1)
    desk = opened(8)
    play(desk, rng)
    four = order(desk)[:4]
    step(desk, 0.0, Cut(names=four, carry=0.5))
    table = next(at for at, one in enumerate(desk.begun[0].tables, 1) if four[0] in one.names)
    names = desk.begun[0].tables[table - 1].names
    step(desk, 0.0, Slip(round=1, table=table, points=[101 if name == four[0] else 0 for name in names]))
    assert next(line.total for line in standings(desk) if line.name == four[0]) == 50.5


def test_groups_stay_together_and_have_to_divide_the_players():
    desk = opened(16)
    made = draw_rounds(desk, 3, by="groups", group=8)
    for one in made.rounds:
        assert {frozenset(table[:4]) <= frozenset(f"p{i:02}" for i in range(8)) for table in one.tables} == {
            True,
            False,
        }
    with pytest.raises(DeskError, match="分不成 12 人一组"):
        draw_rounds(desk, 1, by="groups", group=12)


def test_nobody_floats_down_again_while_another_can():
    players = [f"p{i}" for i in range(8)]
    played = [next_round(players, players)]  # p0 to p3 have met: one of them has to float
    places = Counter()
    for floated in ({}, {"p3": 3}, {"p2": 3, "p3": 3}):
        drawn = next_round(players, players, played=played, floated=floated)
        table = next(table for table in drawn.tables if "p0" in table)
        places[tuple(sorted(name for name in table if name in players[:4]))] += 1
    assert len(places) > 1  # other players go down when those have done so


def test_floats_are_counted_from_the_second_round_on():
    rng = random.Random(5)
    desk = opened(16)
    play(desk, rng)
    assert list_floats(desk) == {}
    for _ in range(4):
        play(desk, rng, by="standings")
    floats = list_floats(desk)
    assert sum(floats.values()) == pytest.approx(0)  # who goes down makes room for who goes up


def test_an_evening_without_rounds_seats_whoever_has_waited_longest_and_met_least():
    rng = random.Random(2)
    desk = opened(13)
    for _ in range(40):
        busy = [number for number, one in enumerate(desk.begun, 1) if not one.over]
        if len(busy) < 3:
            sat = Counter(name for one in desk.begun for name in one.tables[0].names)
            seated = {name for number in busy for name in desk.begun[number - 1].tables[0].names}
            step(desk, 0.0, draw_next_table(desk, rng.randrange(99)))
            step(desk, 0.0, Begin(arena=True))
            fewest = min(sat[name] for name in desk.teams if name not in seated)
            assert min(sat[name] for name in desk.begun[-1].tables[0].names) == fewest
        else:
            with pytest.raises(DeskError, match="不够一桌"):
                draw_next_table(desk)
            step(desk, 0.0, Slip(round=rng.choice(busy[:2]), table=1, points=[3, 1, -1, -3]))
        open_ = [name for one in desk.begun if not one.over for name in one.tables[0].names]
        assert len(open_) == len(set(open_)) <= 12
    assert desk.clock is None
    with pytest.raises(DeskError, match="只有 3 人"):
        draw_next_table(opened(3))


@pytest.mark.parametrize("seed", range(3))
def test_the_cost_of_a_swap_is_what_counting_afterwards_says(seed):
    rng = random.Random(seed)
    teams = {f"p{i:02}": f"t{i // 3}" for i in range(18)}
    desk = opened(18, teams=teams)
    step(desk, 0.0, draw_rounds(desk, 4, seed=seed))

    def counted():
        rounds = list(desk.coming)
        met = Counter(
            frozenset(pair)
            for one in rounds
            for table in one.tables
            for pair in combinations([n for n in table.names if n], 2)
        )
        mates = sum(times for pair, times in met.items() if len({teams[name] for name in pair}) == 1)
        return sum(times - 1 for times in met.values()), mates

    for _ in range(6):
        number, name = rng.randint(1, 4), rng.choice(list(teams))
        for cost in rng.sample(list_swaps(desk, number, name), 5):
            before = counted()
            step(desk, 0.0, Swap(round=number, one=name, other=cost.name))
            after = counted()
            assert (cost.repeats, cost.teammates) == (after[0] - before[0], after[1] - before[1])
            step(desk, 0.0, Swap(round=number, one=name, other=cost.name))
    with pytest.raises(DeskError, match="还没有排"):
        list_swaps(desk, 5, "p00")


def test_head_to_head_splits_only_those_whose_keys_are_equal():
    desk = opened(8, SPEC.model_copy(update={"order": ["total", "direct"]}))
    step(desk, 0.0, draw_rounds(desk, 1, by="groups", group=4))
    step(desk, 0.0, Begin())
    first, second = desk.begun[0].tables
    step(desk, 0.0, Slip(round=1, table=1, points=[10, 10, -10, -10]))
    step(desk, 0.0, Slip(round=1, table=2, points=[10, 0, 0, -10]))
    step(desk, 0.0, Fine(name=first.names[0], points=20))  # now level with those whom he beat
    ranks = {line.name: line.rank for line in standings(desk)}
    assert ranks[first.names[1]] == ranks[second.names[0]] == 1  # they never met
    assert ranks[first.names[0]] < ranks[first.names[2]] == ranks[first.names[3]]
    plain = desk.spec.model_copy(update={"order": ["total"]})
    desk.spec = plain
    ranks = {line.name: line.rank for line in standings(desk)}
    assert ranks[first.names[0]] == ranks[first.names[2]]
