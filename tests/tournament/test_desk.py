"""The desk of a tournament: guards, corrections with a trace, penalties, teams, standings worked out a second way."""

import random
from collections import defaultdict
from fractions import Fraction
from math import tanh

import pytest

from quepu.tournament.desk import fold
from quepu.tournament.desk_records import (
    Begin,
    ClockSet,
    Cut,
    DeskSpec,
    Draw,
    DrawnRound,
    Enter,
    Fine,
    Leave,
    Slip,
    Substitute,
    UndoRound,
)
from quepu.tournament.desk_standings import cells, standings, team_standings
from quepu.tournament.desk_state import DeskError, Outcome

SPEC = DeskSpec(title="t", order=["standard", "total"])
EIGHT = ["甲", "乙", "丙", "丁", "戊", "己", "庚", "辛"]
ENTER = [Enter(name=name, team="红" if i % 2 else "黑") for i, name in enumerate(EIGHT)]
FIRST = Draw(rounds=[DrawnRound(tables=[EIGHT[:4], EIGHT[4:]])])


def folded(*records, live=None, spec=SPEC):
    return fold(spec, [(float(i), record) for i, record in enumerate([*ENTER, *records])], live)


def test_a_round_does_not_begin_over_one_that_is_not_finished():
    again = Draw(rounds=[DrawnRound(tables=[EIGHT[:4], EIGHT[4:]])])
    with pytest.raises(DeskError, match="第 1 轮的桌 1、2 还没有结果"):
        folded(FIRST, Begin(), again, Begin())
    slip = Slip(round=1, table=1, points=[10, 0, 0, -10])
    with pytest.raises(DeskError, match="桌 2 还没有结果") as one:
        folded(FIRST, Begin(), slip, again, Begin())
    assert one.value.say("en") == "table 2 of round 1 has no result yet."
    assert len(folded(FIRST, Begin(), slip, again, Begin(anyway=True)).begun) == 2
    with pytest.raises(DeskError, match="没有排好的轮"):
        folded(Begin())
    with pytest.raises(DeskError, match="戊 不在，请重新排"):
        folded(FIRST, Leave(name="戊"), Begin())
    assert folded(FIRST, Leave(name="戊"), Leave(name="戊", back=True), Begin()).begun


def test_a_correction_leaves_a_trace_and_an_undone_round_counts_no_more():
    one, other = (
        Slip(round=1, table=1, points=[10, 0, 0, -10]),
        Slip(round=1, table=1, points=[8, 2, 0, -10], note="抄错"),
    )
    desk = folded(FIRST, Begin(), one, other)
    assert [outcome.points for outcome in desk.begun[0].tables[0].results] == [(10, 0, 0, -10), (8, 2, 0, -10)]
    assert {line.name: line.total for line in standings(desk)}["乙"] == 2
    undone = folded(FIRST, Begin(), one, UndoRound())
    assert not undone.begun
    assert undone.coming[0].tables[0].results == []
    assert all(line.total == 0 for line in standings(undone))
    with pytest.raises(DeskError, match="还没有开始任何一轮"):
        folded(UndoRound())
    with pytest.raises(DeskError, match="还没有开"):
        folded(FIRST, one)
    with pytest.raises(DeskError, match="有人的座位都要填分"):
        folded(FIRST, Begin(), Slip(round=1, table=1, points=[1, 2, None, 3]))


def test_penalties_teams_the_clock_and_finished_score_tables():
    opened = Begin(opened=["a", "b"])
    live = {"a": Outcome((30, 10, -10, -30), 16, 0.0), "b": Outcome((5, 5, 5, -15), 16, 0.0)}
    desk = folded(
        FIRST, opened, Fine(name="甲", points=20, standard=1, note="迟到"), ClockSet(left=60, running=False), live=live
    )
    found = {line.name: line for line in standings(desk)}
    assert (found["甲"].total, found["甲"].standard, found["甲"].fined) == (10, 3, 20)
    assert found["戊"].standard == pytest.approx(7 / 3)
    assert found["甲"].wins == 1
    assert found["戊"].wins == pytest.approx(1 / 3)
    assert found["乙"].met == 10 - 10 - 30
    assert desk.clock == (11.0, 60.0, False)
    teams = team_standings(desk, standings(desk))
    assert {line.team: line.total for line in teams} == {"黑": 10 - 10 + 5 + 5, "红": 10 - 30 + 5 - 15}
    assert sum(line.players for line in teams) == 8
    slip = Slip(round=1, table=1, points=[0, 0, 0, 0])
    assert {line.name: line.total for line in standings(folded(FIRST, opened, slip, live=live))}[
        "甲"
    ] == 0  # paper wins


def recomputed(spec, rounds, fines):
    """Standings out of plain results, by fractions and another way round: name -> (total, standard, reduced)."""
    total, standard, small = defaultdict(int), defaultdict(Fraction), defaultdict(float)
    for tables in rounds:
        for sat, hands in tables:
            order = sorted(sat.values(), reverse=True)
            for name, points in sat.items():
                total[name] += points
                earned = [place for place, value in zip((4, 2, 1, 0), order, strict=False) if value == points]
                standard[name] += Fraction(sum(earned), len(earned))
                small[name] += spec.alpha * sum(tanh((points - p) / (spec.scale * hands**0.5)) for p in sat.values())
    for name, points, places in fines:
        total[name] -= points
        standard[name] -= Fraction(places)
    return total, standard, small


@pytest.mark.parametrize("seed", range(6))
def test_standings_are_a_recomputation_of_the_results(seed):
    rng = random.Random(seed)
    spec = SPEC.model_copy(update={"order": [["total"], ["standard", "total"], ["reduced"]][seed % 3], "alpha": 1.5})
    rounds, records, fines = [], [], []
    for number in range(1, 6):
        names = rng.sample(EIGHT, 8)
        tables = [names[:4], [*names[4:7], None] if rng.random() < 0.4 else names[4:]]
        records += [Draw(rounds=[DrawnRound(tables=tables)]), Begin()]
        now = []
        for at, table in enumerate(tables, 1):
            for _ in range(rng.choice([1, 1, 2])):  # the last one counts
                points = [None if name is None else rng.randint(-4, 4) * 10 for name in table]
                hands = rng.choice([None, 8, 16])
                records.append(Slip(round=number, table=at, points=points, hands=hands))
            now.append(({n: p for n, p in zip(table, points, strict=True) if n is not None}, hands or spec.hands))
        rounds.append(now)
        if rng.random() < 0.5:
            fines.append((rng.choice(EIGHT), 10, 1))
            records.append(Fine(name=fines[-1][0], points=10, standard=1))
    found = standings(folded(*records, spec=spec))
    total, standard, small = recomputed(spec, rounds, fines)
    for line in found:
        assert line.total == total[line.name]
        assert line.standard == pytest.approx(float(standard[line.name]), abs=1e-6)
        assert line.reduced == pytest.approx(small[line.name], abs=1e-8)
    keys = [tuple(getattr(line, key) for key in spec.order) for line in found]
    assert keys == sorted(keys, reverse=True)
    assert [line.rank for line in found] == [1 + sum(other > key for other in keys) for key in keys]


def added_up(line, cells):
    """The points of a line: those of its seats by round (0 without a result) and its extras, as a reader adds them."""
    total = 0
    for number, points in enumerate(cells, 1):
        total += points
        for extra in line.extras:
            if extra.after == number:
                total = extra.total if extra.kind == "carried" else total + extra.total
    return total


@pytest.mark.parametrize("carry", [0.5, 0, 1, 0.25])
def test_the_rows_of_a_player_and_what_was_carried_add_up_to_the_total(carry):
    drawn = Draw(rounds=[DrawnRound(tables=[EIGHT[:4], EIGHT[4:]])])
    low = Slip(round=1, table=2, points=[8, 4, -4, -8])
    final = Draw(rounds=[DrawnRound(tables=[["甲", "乙", "戊", "辛"]])])  # 辛 fills a seat, and went out
    desk = folded(
        drawn, Begin(), Slip(round=1, table=1, points=[40, 10, -10, -40]), low,
        Substitute(name="己", substitute="新", round=2, carry=True), Fine(name="甲", points=7, standard=1),
        drawn.model_copy(update={"rounds": [DrawnRound(tables=[EIGHT[:4], ["戊", "新", "庚", "辛"]])]}),
        Begin(), Slip(round=2, table=1, points=[5, 0, 0, -5]), Slip(round=2, table=2, points=[8, 4, -4, -8]),
        Cut(names=["甲", "乙", "戊", "新"], carry=carry), Fine(name="甲", points=3), Leave(name="辛", back=True),
        final, Begin(), Slip(round=3, table=1, points=[1, -2, 3, -2]),
    )  # fmt: skip
    lines = {line.name: line for line in standings(desk)}
    points = {"甲": (40, 5, 1), "戊": (8, 8, 3), "新": (0, 4, 0), "辛": (-8, -8, -2), "丙": (-10, 0, 0)}
    for name, own in points.items():
        assert added_up(lines[name], own) == lines[name].total, name
    kinds = {name: [extra.kind for extra in line.extras] for name, line in lines.items()}
    carried = ["carried"] if carry != 1 else []
    assert kinds["甲"] == ["fined", *carried, "fined"]
    assert (kinds["新"], kinds["辛"], kinds["丙"]) == (["passed_on", *carried], ["uncounted"], [])
    for extra in (one for one in lines["甲"].extras if one.kind == "carried"):
        assert (extra.after, extra.total, extra.standard, extra.share) == (2, 38 * carry, 7 * carry, carry)


def test_the_cells_of_a_table_with_substitutes_in_the_middle_add_up():
    people = (("甲", 30), ("乙", 12), ("丙", -20), ("丁", -40), ("替", 15), ("辛", 3))  # 辛 sat out
    live = {"a": Outcome((30, 30, -20, -40), 16, 0.0, people=people)}
    first, second = Draw(rounds=[DrawnRound(tables=[EIGHT[:4]], resting=EIGHT[4:])]), Begin(anyway=True)
    low = Slip(round=2, table=2, points=[4, 3, 2, -9])
    desk = folded(first, Begin(opened=["a"]), FIRST, second, low, live=live)
    found = [cells(one) for one in desk.begun]
    assert [found[0][name][:3] for name in ("乙", "替", "辛")] == [(1, 1, 12), (1, None, 15), (1, None, 3)]
    assert "戊" not in found[0]
    assert found[1]["甲"] == (1, 0, None, None)
    lines = {line.name: line for line in standings(desk)}
    assert all(line.extras == [] for line in lines.values())
    for name, line in lines.items():
        sat = [one[name] for one in found if name in one and one[name].points is not None]
        assert sum(cell.points for cell in sat) == line.total, name
        assert sum(cell.standard for cell in sat) == line.standard, name
    assert (lines["替"].total, lines["辛"].total, lines["辛"].standard) == (15, -6, 0)


def test_what_was_checked_when_it_was_written_is_read_again_without_the_results_of_then():
    records = [*ENTER, FIRST, Begin(opened=["a", "b"]), FIRST, Begin(), Fine(name="替补", points=8)]
    desk = fold(SPEC, [(float(i), record) for i, record in enumerate(records)], checked=True)
    assert len(desk.begun) == 2
    assert {line.name: line.total for line in standings(desk)}["替补"] == -8
