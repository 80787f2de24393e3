"""Duplicate as the IJCAI contests hold it: own walls, 24 seatings, rank points for each wall."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from quepu.arena import Plan, PlanError, play_hand, simulate
from quepu.arena.counts import Stats, rank_points
from quepu.bots.simple import ClosedBot, PlainBot
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.table.events import Drawn
from tests.cli.run import outside as quepu


def other(seed: int) -> PlainBot:
    """Breaks ties in another way than `plain` does."""
    return PlainBot(seed + 1000)


FOUR = ("plain", "random", "closed", other)


def test_the_points_of_a_wall_go_by_rank_and_ties_share() -> None:
    def points(*nets: int) -> list[float]:
        return [doubled / 2 for doubled in rank_points([Fraction(net) for net in nets])]

    assert points(9, -3, 2, -8) == [4, 2, 3, 1]
    assert points(5, 5, -4, -6) == [3.5, 3.5, 2, 1]
    assert points(8, -1, -1, -6) == [4, 2.5, 2.5, 1]
    assert points(2, 2, 2, -6) == [3, 3, 3, 1]
    assert points(6, -2, -2, -2) == [4, 2, 2, 2]
    assert points(0, 0, 0, 0) == [2.5] * 4


def test_a_wall_is_played_24_times_and_ranked_by_what_was_won_on_it() -> None:
    plan = Plan("guobiao-mcr", FOUR, 3, seed=5, ijcai=True)
    rules = play_rules(plan.book)
    wanted = [0.0] * 4
    for at in range(3):
        nets = [0] * 4
        assert len(plan.seatings(at)) == 24
        for seating in plan.seatings(at):
            table = play_hand(plan.book, plan.wall(at), plan.bots(at, seating), round=at, rules=rules)
            assert table.ending is not None
            for seat, net in enumerate(settle(table.ending, plan.book, rules).seats):
                nets[seating[seat]] += net
        for who, net in enumerate(nets):
            wanted[who] += sum(other < net for other in nets) + 1  # no two won equally much
        assert len(set(nets)) == 4
    stats = simulate(plan)
    standing = stats.to_json()["standing"]
    assert {row["level"]: row["rank_points"] for row in standing} == dict(zip(plan.names, wanted, strict=True))
    assert [row["rank_points"] for row in standing] == sorted(wanted, reverse=True)
    assert stats.hands == 72
    assert simulate(plan, jobs=2).to_json() == stats.to_json()
    assert Stats.from_counts(json.loads(json.dumps(stats.counts()))).to_json() == stats.to_json()


def test_a_seat_draws_the_same_tiles_with_every_seating() -> None:
    plan = Plan("guobiao-mcr", FOUR, 1, seed=3, ijcai=True)
    drawn: dict[int, list[list[int]]] = {seat: [] for seat in range(4)}
    for seating in plan.seatings(0):
        table = play_hand(plan.book, plan.wall(0), plan.bots(0, seating))
        for seat in range(4):
            drawn[seat].append([one.tile for one in table.events if isinstance(one, Drawn) and one.seat == seat])
    for lists in drawn.values():
        longest = max(lists, key=len)
        assert all(one == longest[: len(one)] for one in lists)


def test_the_form_has_own_walls_no_flowers_and_a_wind_for_each_wall() -> None:
    plan = Plan("guobiao-mcr", FOUR, 8, ijcai=True)
    assert plan.own_walls and plan.all_seatings and plan.wall(0).own and len(plan.wall(0).tiles) == 136
    assert [plan.round(at) for at in range(5)] == [0, 1, 2, 3, 0]
    assert [Plan("guobiao-mcr", FOUR, 8).round(at) for at in (0, 3, 4, 16)] == [0, 0, 1, 0]
    with pytest.raises(PlanError, match=r"花牌|flowers"):
        Plan("guobiao-mcr", FOUR, 8, flowers=True, ijcai=True)


def test_two_programs_twice_share_their_rank_points() -> None:
    plan = Plan("guobiao-mcr", (PlainBot, PlainBot, ClosedBot, ClosedBot), 2, ijcai=True)
    points = [row["rank_points"] for row in simulate(plan).to_json()["standing"]]
    assert points[0] == points[1] and points[2] == points[3] and sum(points) == 20


def test_a_record_of_one_form_is_not_continued_in_another(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    simulate(Plan("guobiao-mcr", ("random",) * 4, 1, flowers=False, own_walls=True, all_seatings=True), file=file)
    with pytest.raises(PlanError):
        simulate(Plan("guobiao-mcr", ("random",) * 4, 1, ijcai=True), file=file)


def test_the_former_name_still_works_and_says_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match="all_seatings"):
        former = Plan("guobiao-mcr", ("random", "random", "plain", "plain"), 2, duplicate=True)
    assert former.seatings(0) == Plan("guobiao-mcr", former.levels, 2, all_seatings=True).seatings(0)
    how = ("simulate", "-r", "guobiao-mcr", "-b", "random,random,closed,closed", "-n", "2", "--json")
    old, new = quepu(*how, "--duplicate"), quepu(*how, "--all-seatings")
    assert old.out == new.out and "--all-seatings" in old.err and not new.err
    assert json.loads(new.out)["differences"] == json.loads(new.out)["duplicate"]


def test_the_command_shows_the_standing() -> None:
    shown = quepu(
        "simulate", "-r", "guobiao-mcr", "-b", "random,closed,random,closed", "-n", "2", "--ijcai", "--lang", "en"
    )
    assert shown.code == 0 and shown.out.count("rank points") == 4
    assert quepu("simulate", "-r", "guobiao-mcr", "-n", "1", "--ijcai", "--flowers").code == 2
