"""灵雀's guide: the readings and the table that its sentences speak of, names and rulings of each edition."""

from __future__ import annotations

from typing import Any

import pytest

from quepu.hands.notation import parse
from quepu.rulebooks import book
from quepu.rules.guide import Grid, Paragraph, find_section
from quepu.shapes.readings import readings
from tests.lingque.stated import APPENDIX

V26, V29 = book("lingque-26"), book("lingque-29")


@pytest.mark.parametrize(("rules", "hand"), [(V29, "1112345677s(345m)+7s"), (V26, "1112345677s(345m)+7s")])
def test_the_first_way_of_the_mirrored_hand_has_the_terminal_pung(rules: Any, hand: str) -> None:
    parts = find_section(rules, "mirror").parts
    (grid,) = (part for part in parts if isinstance(part, Grid))
    assert [row[0].zh for row in grid.rows] == ["第一种", "第二种"]
    terminals = []
    for row in grid.rows:
        reading = next(one for one in readings(parse(hand), rules.shapes, rules.reads) if one.text() == row[1].zh)
        held = {rules.fans[index].name for index, _ in rules.detect(reading.h)}
        assert "镜数" in held
        terminals.append("幺九刻" in held)
    assert terminals == [True, False]


def test_the_table_has_the_printed_points() -> None:
    """Row for row as printed, but for the misprint that LQ-E1 names; ranked as printed."""
    (grid,) = (part for part in find_section(V29, "summary").parts if isinstance(part, Grid))
    shown = {row[0].zh: int(row[4].zh) for row in grid.rows}
    assert {name: points for name, points in shown.items() if points != APPENDIX[name][3]} == {"镜同对": 120}
    sixteen = [name for name, points in shown.items() if points == 16]
    assert sixteen == [name for name, row in APPENDIX.items() if row[3] == 16]
    assert sixteen[0] == "岭上开花"
    assert grid.note is not None
    for text in grid.note:
        assert "24" in text.split("岭上开花")[1]


def test_a_house_rule_without_measured_points_says_nothing_of_them() -> None:
    house = V29.having(id="house", values={"岭上开花": (16, 3)})
    parts = find_section(house, "summary").parts
    (grid,) = (part for part in parts if isinstance(part, Grid))
    assert [head.zh for head in grid.heads] == ["番种", "类别", "副数", "翻数"]
    assert not any("点数" in part.text.zh for part in parts if isinstance(part, Paragraph))


def test_names_of_v26_say_what_its_own_sentences_say() -> None:
    assert V29.fan("缺一门").english == "at most two suits, no honours"
    assert V26.fan("缺一门").english == "exactly two suits, no honours"
    assert V29.fan("混一色").english == "one suit and honours"
    assert V26.fan("混一色").english == "one suit at most"


def test_the_mirrored_taking_apart_is_a_reading_of_the_hand() -> None:
    """Of every example that counts 镜数."""
    seen = 0
    for fan, rules in ((f, r) for r in (V26, V29) for f in [r.fan("镜数")]):
        for text in ("2233445m345p(234p)+5m", "1112345677s(345m)+7s", "111m34445p34s(7777m)+5s"):
            hand = parse(text)
            every = {reading.text() for reading in readings(hand, rules.shapes, rules.reads)}
            for reading in readings(hand, rules.shapes, rules.reads):
                tally = rules.explain_tally(reading.h)
                for counted in tally.counted:
                    if rules.fans[counted.row] is fan and counted.note and "拆作 " in counted.note.zh:
                        other = counted.note.zh.split("拆作 ")[1].split("，")[0]
                        assert sorted(other.split()) in [sorted(one.split()) for one in every]
                        seen += 1
    assert seen
