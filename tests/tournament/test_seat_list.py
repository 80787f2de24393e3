"""Seating that an organiser brings along: read whole, or refused with a sentence for every wrong line."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.errors import HandError
from quepu.tournament import make_schedule
from quepu.tournament.seat_list import read_seating

EIGHT = ["甲", "乙", "丙", "丁", "Anna B", "戊", "己", "庚"]


def read(text, players=EIGHT, *, threes=False):
    return read_seating(text, players, threes=threes)


def wrong(text, players=EIGHT, *, threes=False):
    with pytest.raises(HandError) as refused:
        read(text, players, threes=threes)
    assert len(refused.value.say("en").splitlines()) == len(refused.value.say("zh").splitlines())
    return refused.value.say("zh").splitlines()


@settings(deadline=None, max_examples=40)
@given(st.integers(8, 24), st.integers(1, 4), st.sampled_from(["csv", "tabs", "bare", "numbers", "headings"]))
def test_what_is_written_is_read_back(players, rounds, form):
    names = [f"选手 {i}" for i in range(players)]
    made = make_schedule(names, rounds, odd="rest").rounds
    lines = []
    for number, one in enumerate(made, 1):
        if form == "headings":
            lines.append(f"第 {number} 轮" if number % 2 else f"Round {number}")
        elif form in ("bare", "numbers") and number > 1:
            lines.append("")
        for at, table in enumerate(one.tables, 1):
            cells = [str(names.index(name) + 1) if form == "numbers" else name for name in table]
            cells = [str(number), str(at), *cells] if form in ("csv", "tabs") else cells
            lines.append(("\t" if form == "tabs" else ", " if number % 2 else "，").join(cells))
    head = ["round,table,east,south,west,north"] if form == "csv" else []
    assert read("\n".join(head + lines), names) == list(made)


def test_the_file_of_the_command_line_is_read(tmp_path):
    from quepu.cli import run

    names = tmp_path / "names.txt"
    names.write_text("\n".join(f"p{i}" for i in range(1, 14)), encoding="utf-8")
    assert run(["seating", str(names), "--rounds", "3", "--csv", str(tmp_path / "out.csv")]) == 0
    made = read((tmp_path / "out.csv").read_text(encoding="utf-8"), [f"p{i}" for i in range(1, 14)])
    assert [(len(one.tables), len(one.resting)) for one in made] == [(3, 1)] * 3


def test_a_numbered_table_of_three_is_told_from_a_table_and_four_numbers():
    three = "1,1,甲,乙,丙\n1,2,丁,Anna B,戊,己"
    assert wrong(three)[0] == "第 1 行：只有 3 人；这场比赛没有三人桌。"
    assert read(three, threes=True)[0].tables[0] == ("甲", "乙", "丙", None)
    assert read("1,1,2,3,4\n2,5,6,7,8")[0].tables == (("甲", "乙", "丙", "丁"), ("Anna B", "戊", "己", "庚"))
    assert wrong("甲,乙,乙,丁\nAnna B,戊,己,庚")[0] == "第 1 行：“乙”写了两次。"


@pytest.mark.parametrize("cell", ["²", "9" * 5000])
def test_what_looks_like_a_number_and_is_none_is_refused_by_line(cell):
    assert wrong(f"{cell},2,3,4\n5,6,7,8")[0] == f"第 1 行：名单里没有“{cell}”。"


def test_every_wrong_line_is_named():
    text = "甲,乙,丙,丁\nAnna B,戊,己,庚\n\n甲,乙,谁,丁\n丙,甲,戊,己\n庚,Anna B,,\n一,二"
    assert wrong(text) == [
        "第 4 行：名单里没有“谁”。",
        "第 5 行：“甲”这一轮已经在第 4 行。",
        "第 6 行：只有 2 人；这场比赛没有三人桌。",
        "第 7 行：要四个名字（或“轮，桌，四个名字”），现有 2 格。",
    ]
    assert wrong("甲,乙,丙,丁") == ["第 1 轮有 4 人没有座位：Anna B、戊、己、庚。"]
    assert wrong("") == ["没有一行是桌子。"]
    assert wrong("甲,乙,丙,9\nAnna B,戊,己,庚")[0] == "第 1 行：名单里没有“9”。"
    assert wrong("甲,乙,丙,0\nAnna B,戊,己,庚")[0] == "第 1 行：名单里没有“0”。"
    assert read("甲,乙,丙,8\nAnna B,戊,己,4")[0].tables[0] == ("甲", "乙", "丙", "庚")


def test_tables_of_three_only_where_the_tournament_has_them():
    seven = EIGHT[:7]
    text = "甲,乙,丙,丁\nAnna B,戊,己"
    assert wrong(text, seven) == ["第 2 行：只有 3 人；这场比赛没有三人桌。"]
    assert read(text, seven, threes=True)[0].tables[1] == ("Anna B", "戊", "己", None)
    assert wrong("甲,乙,丙,丁\nAnna B,戊,-,-", seven, threes=True) == ["第 2 行：只有 2 人。"]
    assert read("甲,乙,丙,丁", seven)[0].resting == ("Anna B", "己", "戊")  # three sit out; four would be a table


def test_a_long_list_of_mistakes_is_cut_and_thirty_rounds_are_the_limit():
    lines = wrong("\n".join(["a,b,c,d"] * 10))
    assert len(lines) == 21
    assert lines[-1] == "还有 20 处。"
    for rounds, words in ((30, None), (31, "有 31 轮，最多 30 轮。")):
        text = "\n\n".join(["甲,乙,丙,丁\nAnna B,戊,己,庚"] * rounds)
        if words is None:
            assert len(read(text)) == rounds
        else:
            assert wrong(text) == [words]


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_any_text_is_read_or_refused_by_line(seed):
    rng = random.Random(seed)
    pieces = [*EIGHT, ",", "，", "\t", "\n", "\n\n", '"', "第 1 轮", "3", "-", "", "谁"]
    text = "".join(rng.choice(pieces) for _ in range(40))
    try:
        made = read(text)
    except HandError:
        return
    for one in made:
        seated = [name for table in one.tables for name in table] + list(one.resting)
        assert sorted(seated) == sorted(EIGHT)
