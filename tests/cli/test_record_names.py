"""Names at the scorekeeper's text door: circumstances, flowers, faults of every book."""

from __future__ import annotations

from typing import Any

import pytest

import quepu
from quepu.cli.record_lines import record
from quepu.errors import Error, Text
from quepu.match import Match
from quepu.rulebooks import book, readings
from quepu.rules.circumstances import spellings
from quepu.scorekeeper.ledger import with_record
from quepu.scorekeeper.records import HandRecord, TableSpec
from tests.books import PLAYED

BOOKS = [*PLAYED, *(one.id for one in readings())]
NAMES = ("甲", "乙", "丙", "丁")


def entered(id: str, line: str) -> Any:
    return record(Match(book(id), NAMES), line.split())


@pytest.mark.parametrize("id", BOOKS)
def test_every_circumstance_is_entered_by_every_name_it_has(id: str) -> None:
    rules = book(id)
    for spelling, name in spellings(rules).items():
        if " " in spelling or spelling in ("自摸", "self_draw", "self-draw"):
            continue
        made = entered(id, f"自摸 甲 123m456p789sCCEE+E {spelling}")
        assert isinstance(made, HandRecord) and made.tiles is not None
        assert made.tiles.circumstances == [spelling] and not made.tiles.flowers, (spelling, name)


@pytest.mark.parametrize("id", [id for id in BOOKS if book(id).counts_flowers])
def test_flowers_are_entered_beside_circumstances(id: str) -> None:
    for line, flowers in (("花春夏", ["春", "夏"]), ("花 春 夏", ["春", "夏"]), ("花2", 2)):
        made = entered(id, f"自摸 甲 123m456p789sCCEE+E {line}")
        assert made.tiles.flowers == flowers and not made.tiles.circumstances


def test_canton_wins_with_eight_flowers() -> None:
    made = entered("canton", "自摸 甲 159m2468p37sEWCF 花糊 花春夏秋冬梅兰竹菊")
    assert made.tiles.circumstances == ["花糊"] and len(made.tiles.flowers) == 8
    row = with_record(TableSpec(rules="canton", names=list(NAMES)), [], 0, made).rows[0]
    assert row.gains[0] > 0


@pytest.mark.parametrize(("id", "fault"), [("guobiao-mcr", "错和"), ("guobiao-mil-2025", "错和"), ("lingque-29", "")])
def test_a_win_below_the_minimum_says_its_unit_and_how_to_enter_the_fault(id: str, fault: str) -> None:
    rules = book(id)
    spec = TableSpec(rules=id, names=list(NAMES))
    faults = Match(rules, NAMES).rules.faults
    typed = next((one.typed for one in faults if "错和" in (one.key, *one.names)), Text("", ""))
    key = typed.zh
    assert fault in ("", key)
    hand = "123m456p3377s(678s)+7s"
    points = quepu.score(hand, rules, seat="S", self_draw=True).points
    if points >= rules.minimum:
        pytest.fail(f"{hand} is worth {points}")
    for text in (hand, str(points)):
        with pytest.raises(Error) as refused:
            with_record(spec, [], 0, entered(id, f"自摸 乙 {text}"))
        zh, en = refused.value.say("zh"), refused.value.say("en")
        assert f"{points} {rules.unit.zh}" in zh and f"{rules.minimum} {rules.unit.zh}" in zh
        assert (f"罚 乙 {key}" in zh and f"fault 乙 {typed.en}" in en) if key else "罚" not in zh
        if key:
            assert entered(id, f"罚 乙 {key}").fault == key
            assert entered(id, f"fault 乙 {typed.en}").fault == key
