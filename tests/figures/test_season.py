"""A season: who came how often, who holds which record, who moves up and down; by hand-made tables and properties."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quepu.figures.figures import BestHand, Figures
from quepu.figures.season import (
    LeagueError,
    PlayedTable,
    attendance,
    check_divisions,
    count_months,
    league_standings,
    promote,
    records,
)


def table(day: str, totals: dict[str, int], wins: dict[str, int] | None = None, id: str = "t") -> PlayedTable:
    """A table of four hands; `wins` are everyone's best hands."""
    figures = {}
    for name, total in totals.items():
        place = min(3, sum(other > total for other in totals.values()))
        best = (wins or {}).get(name)
        figures[name] = Figures(
            hands=4, wins=1 if best else 0, matches=1, total=total, places=[int(place == n) for n in range(4)],
            deal_ins=int(total < 0), best={"b": [BestHand(best, "", id, 0.0)]} if best else {},
        )  # fmt: skip
    return PlayedTable(id, day, "周五", "b", totals, figures)


FOUR = {"甲": 30, "乙": 10, "丙": -10, "丁": -30}


def test_attendance_counts_days_and_tables() -> None:
    tables = [table("2026-01-02", FOUR), table("2026-01-02", FOUR), table("2026-01-09", {**FOUR, "戊": 0})]
    found = {one.id: one for one in attendance(tables)}
    assert (found["甲"].days, found["甲"].tables, found["甲"].first, found["甲"].last) == (
        2,
        3,
        "2026-01-02",
        "2026-01-09",
    )
    assert (found["戊"].days, found["戊"].tables) == (1, 1)
    assert [one.days for one in attendance(tables)] == sorted((one.days for one in found.values()), reverse=True)


def test_records_belong_to_who_reached_them_first() -> None:
    tables = [
        table("2026-01-02", FOUR, {"甲": 40, "丁": 64}, "one"),
        table("2026-01-09", FOUR, {"乙": 64}, "two"),
        table("2026-01-16", {"甲": 90, "乙": -30, "丙": -30, "丁": -30}, {}, "three"),
    ]
    found = {one.kind: one for one in records(tables)}
    assert (found["win"].id, found["win"].value, found["win"].at) == ("丁", 64, "one")
    assert (found["total"].id, found["total"].value, found["total"].at) == ("甲", 90, "three")
    assert (found["firsts"].id, found["firsts"].value) == ("甲", 3)
    assert (found["safe"].id, found["safe"].value) == ("甲", 12)  # hands without dealing in
    assert records([]) == []


def test_months_in_order() -> None:
    days = ("2026-03-02", "2026-01-02", "2026-03-09")
    assert count_months([table(day, FOUR) for day in days]) == [("2026-01", 1), ("2026-03", 2)]


DIVISIONS = [list("甲乙丙丁"), list("ABCD")]


def test_a_league_counts_tables_within_a_division_and_shares_equal_places() -> None:
    tables = [
        table("2026-01-02", FOUR),
        table("2026-01-09", {"甲": 5, "乙": 5, "丙": -5, "丁": -5}),
        table("2026-01-09", {"甲": 99, "A": 1, "B": -50, "C": -50}),  # between divisions
        table("2026-01-09", {"D": 30, "C": 10, "B": -10, "A": -30}),
    ]
    upper, lower = league_standings(tables, DIVISIONS, 1)
    assert [(line.id, line.points, line.tables) for line in upper] == [
        ("甲", 7.0, 2), ("乙", 5.0, 2), ("丙", 1.5, 2), ("丁", 0.5, 2)
    ]  # fmt: skip
    assert [line.moves for line in upper] == [0, 0, 0, -1] and [line.moves for line in lower] == [1, 0, 0, 0]
    assert [line.id for line in lower] == list("DCBA")
    assert promote([upper, lower]) == [list("甲乙丙D"), ["丁", "C", "B", "A"]]


@given(st.lists(st.integers(4, 9), min_size=1, max_size=4), st.integers(0, 2), st.data())
def test_nobody_is_lost_and_every_division_keeps_its_size(sizes: list[int], moving: int, data: st.DataObject) -> None:
    names = iter(range(100))
    divisions = [[f"p{next(names)}" for _ in range(size)] for size in sizes]
    tables = []
    for division in divisions:
        four = data.draw(st.permutations(division))[:4]
        totals = data.draw(st.lists(st.integers(-50, 50), min_size=4, max_size=4))
        tables.append(table("2026-01-02", dict(zip(four, totals, strict=True))))
    check_divisions(divisions, moving)
    after = promote(league_standings(tables, divisions, moving))
    assert [len(one) for one in after] == sizes
    assert sorted(chain(*after)) == sorted(chain(*divisions))
    for number, division in enumerate(after):
        assert len(set(division) - set(divisions[number])) == moving * ((number > 0) + (number < len(sizes) - 1))


@pytest.mark.parametrize(
    ("divisions", "moving", "why"),
    [([], 1, "四个人"), ([list("甲乙丙")], 1, "四个人"), ([list("甲乙丙丁"), list("丁戊己庚")], 1, "两次"),
     ([list("甲乙丙丁"), list("ABCD")], 3, "至少要 6 人")],
)  # fmt: skip
def test_impossible_divisions_are_refused(divisions: list[list[str]], moving: int, why: str) -> None:
    with pytest.raises(LeagueError, match=why):
        check_divisions(divisions, moving)
    check_divisions(DIVISIONS, 2)
