"""Corrections at the desk: whatever was wrong, and in whatever order it was put right, the standings come out right."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.tournament.desk import fold
from quepu.tournament.desk_log import read_log
from quepu.tournament.desk_records import (
    Amend,
    Annul,
    Begin,
    DeskSpec,
    Draw,
    DrawnRound,
    Enter,
    Fine,
    NewName,
    Slip,
    Substitute,
    Swap,
    UndoRound,
)
from quepu.tournament.desk_standings import standings
from quepu.tournament.desk_state import DeskError
from quepu.tournament.desk_words import describe_line

SPEC = DeskSpec(title="t", order=["standard", "total", "met"])
EIGHT = ["甲", "乙", "丙", "丁", "戊", "己", "庚", "辛"]
points = st.lists(st.integers(-200, 200), min_size=3, max_size=3).map(lambda three: [*three, -sum(three)])
fines = st.builds(
    Fine, name=st.sampled_from(EIGHT), points=st.integers(0, 50), standard=st.sampled_from([0.0, 0.5, 2.0])
)
standard = st.none() | st.lists(st.sampled_from([0.0, 1.5, 4.0]), min_size=4, max_size=4)


def body(*records):
    return {"records": [record.model_dump() for record in records]}


def desk_of(bodies):
    log = read_log((float(i), one) for i, one in enumerate(bodies))
    return fold(SPEC, log.written, checked=True)


def table_of(bodies):
    desk = desk_of(bodies)
    return desk.spec, [line.model_dump() for line in standings(desk)]


@st.composite
def evenings(draw):
    """The records of an evening as it was, without the opening."""
    records = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        names = draw(st.permutations(EIGHT))
        records += [Draw(rounds=[DrawnRound(tables=[names[:4], names[4:]])]), Begin(anyway=True)]
        for table in (1, 2):
            records.append(Slip(round=number, table=table, points=draw(points), standard=draw(standard)))
        records += draw(st.lists(fines, max_size=2))
        if draw(st.booleans()):
            records.append(Annul(round=draw(st.integers(1, number)), back=draw(st.booleans())))
        if draw(st.booleans()):
            records.append(Amend(minutes=draw(st.integers(1, 600)), order=draw(st.sampled_from([["total"], ["wins"]]))))
    return records


def wrong_of(draw, record):
    """A mistaken record of the same kind, or the record itself."""
    match record:
        case Slip():
            return record.model_copy(update={"points": draw(points), "standard": draw(standard)})
        case Fine():
            return draw(fines)
        case Annul():
            return record.model_copy(update={"back": draw(st.booleans())})
        case Amend():
            return Amend(title="falsch", minutes=draw(st.integers(1, 600)))
    return record


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_order_of_corrections_gives_what_a_desk_that_had_it_right_at_once_gives(data):
    draw = data.draw
    right = draw(evenings())
    opening = body(*(Enter(name=name) for name in EIGHT))
    written, fixes, number = [opening], [], len(EIGHT)
    for record in right:
        if draw(st.booleans()):  # what never happened, to be deleted
            written.append(body(draw(fines)))
            fixes.append({"do": "remove", "of": number})
            number += 1
        wrong = wrong_of(draw, record)
        written.append(body(wrong))
        if wrong != record:
            fixes.append({"do": "correct", "of": number, "record": record.model_dump()})
        number += 1
        if draw(st.booleans()):  # what is undone at once
            written += [body(draw(fines)), {"do": "undo"}]
            number += 1
    names = {name: f"{name}错" for name in draw(st.sets(st.sampled_from(EIGHT), max_size=3))}
    written += [body(NewName(name=name, to=other)) for name, other in names.items()]
    fixes += [body(NewName(name=other, to=name)) for name, other in names.items()]
    written += draw(st.permutations(fixes))
    assert table_of(written) == table_of([opening, *(body(record) for record in right)])


@given(evenings(), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_undo_goes_back_one_change_at_a_time_to_every_earlier_state(records, times):
    written = [body(*(Enter(name=name) for name in EIGHT)), *(body(record) for record in records)]
    times = min(times, len(records))
    undone = [*written, *[{"do": "undo"}] * times]
    assert table_of(undone) == table_of(written[: len(written) - times])
    log = read_log((0.0, one) for one in undone)
    assert sum(line.undone for line in log.lines) == times  # and every one of them is still to be read
    assert len(log.lines) == len(EIGHT) + len(records)


def test_undo_takes_back_corrections_and_removals_too_and_not_the_opening():
    fine = Fine(name="甲", points=10)
    opening = body(*(Enter(name=name) for name in EIGHT))
    more = {"do": "correct", "of": 8, "record": {**fine.model_dump(), "points": 20}}
    gone = {"do": "remove", "of": 8, "note": "记错了人"}

    def fined(*bodies):
        return {line.name: line.fined for line in standings(desk_of([opening, body(fine), *bodies]))}["甲"]

    assert [fined(), fined(more), fined(more, gone)] == [10, 20, 0]
    assert [fined(more, gone, *[{"do": "undo"}] * times) for times in (1, 2, 3)] == [20, 10, 0]
    for bodies in ([opening, {"do": "undo"}], [opening, body(fine), {"do": "undo"}, {"do": "undo"}]):
        with pytest.raises(DeskError, match="没有可以撤销的"):
            desk_of(bodies)
    log = read_log((0.0, one) for one in [opening, body(fine), more, gone])
    assert [describe_line(line).zh for line in log.lines[8:]] == [
        "甲 罚 10 分",
        "更正：甲 罚 20 分（原来：甲 罚 10 分）",
        "删除：甲 罚 20 分",
    ]


def test_a_record_that_others_stand_on_is_undone_as_the_latest_but_not_changed_on_its_own():
    drawn = Draw(rounds=[DrawnRound(tables=[EIGHT[:4], EIGHT[4:]])])
    written = [body(*(Enter(name=name) for name in EIGHT)), body(drawn), body(Begin()), body(UndoRound())]
    for of in (8, 9, 10):
        with pytest.raises(DeskError, match="不能单独改"):
            desk_of([*written, {"do": "remove", "of": of}])
    slip = Slip(round=1, table=1, points=[8, 0, 0, -8])
    played = [*written[:3], body(slip)]
    again = [*played, body(UndoRound()), {"do": "undo"}]
    assert table_of(again) == table_of(played)  # the round is back with its result
    with pytest.raises(DeskError, match="没有这条记录"):
        desk_of([*written, {"do": "remove", "of": 11}])
    with pytest.raises(DeskError, match="同类"):
        desk_of([*played, {"do": "correct", "of": 10, "record": Fine(name="甲", points=1).model_dump()}])


def evening(*records):
    drawn = Draw(rounds=[DrawnRound(tables=[EIGHT[:4], EIGHT[4:]]), DrawnRound(tables=[EIGHT[:4], EIGHT[4:]])])
    slips = [Slip(round=1, table=1, points=[30, 10, -10, -30]), Slip(round=1, table=2, points=[8, 0, 0, -8])]
    return desk_of(
        [body(*(Enter(name=name, team="红") for name in EIGHT)), body(drawn, Begin(), *slips), body(*records)]
    )


def totals(desk):
    return {line.name: line.total for line in standings(desk)}


@pytest.mark.parametrize("carry", [False, True])
def test_a_substitute_starts_from_zero_or_with_the_points_so_far(carry):
    desk = evening(
        Fine(name="甲", points=5),
        Substitute(name="甲", substitute="替", round=2, carry=carry),
        Begin(),
        Slip(round=2, table=1, points=[100, 0, 0, -100]),
    )
    assert desk.begun[1].tables[0].names[0] == "替"
    assert desk.begun[0].tables[0].names[0] == "甲"
    assert desk.teams["替"] == "红"
    found = totals(desk)
    assert found["替"] == (125 if carry else 100)
    assert found.get("甲") == (None if carry else 25)
    back = evening(
        Substitute(name="甲", substitute="替", round=2, carry=carry),
        Substitute(name="替", substitute="甲", round=2, carry=True),
        Begin(),
        Slip(round=2, table=1, points=[100, 0, 0, -100]),
    )
    assert totals(back)["甲"] == 130
    assert "替" not in totals(back)
    for wrong, words in ((3, "还没有排"), (1, "自己有座位")):
        with pytest.raises(DeskError, match=words):
            evening(Substitute(name="甲", substitute="乙" if wrong == 1 else "替", round=wrong))
    assert evening(Substitute(name="甲", substitute="替", round=1)).begun[0].tables[0].names[0] == "替"


def test_a_new_name_is_everywhere_and_two_of_one_name_are_refused():
    desk = evening(Fine(name="甲", points=5), NewName(name="甲", to="贾"))
    assert totals(desk)["贾"] == 25
    assert "甲" not in str([table.names for one in desk.rounds for table in one.tables])
    with pytest.raises(DeskError, match="已经有“乙”"):
        evening(NewName(name="甲", to="乙"))
    with pytest.raises(DeskError, match="名单里没有"):
        fold(SPEC, [(0.0, NewName(name="谁", to="某"))])


def test_points_stay_with_the_seat_when_two_swap_and_an_annulled_round_counts_for_nothing():
    desk = evening(Swap(round=1, one="甲", other="辛"))
    assert {name: totals(desk)[name] for name in "甲辛"} == {"甲": -8, "辛": 30}
    assert evening(Swap(round=2, one="甲", other="辛")).coming[0].tables[0].names[0] == "辛"
    with pytest.raises(DeskError, match="还没有排"):
        evening(Swap(round=3, one="甲", other="辛"))
    assert set(totals(evening(Annul(round=1))).values()) == {0}
    assert totals(evening(Annul(round=1), Annul(round=1, back=True))) == totals(evening())
    with pytest.raises(DeskError, match="还没有开"):
        evening(Annul(round=2))
