"""国标 as Europe reads it: where it departs from the League's book of 2025, and what its sources leave open.

Hands and points are those of the comparison of rule texts (the Green Book and PyMahjongGB 1.4.0 run).
"""

from __future__ import annotations

from typing import Any

import pytest

import quepu
from quepu.hands.hand import Hand
from quepu.match.match import Match
from quepu.match.penalties import Penalty
from quepu.match.settle import SettleError
from quepu.rulebooks import book
from quepu.rulebooks.guobiao.readings import GREEN_BOOK, JAPANESE, source
from quepu.rules.diff import difference
from quepu.rules.guide import Grid, Paragraph, guide
from quepu.rules.play_rules import play_rules
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

MIL, EMA, JMSA = book("guobiao-mil-2025"), book("guobiao-ema"), book("guobiao-jmsa")


@pytest.mark.parametrize(
    ("hand", "given", "league", "europe"),
    [
        ("34567sCC[2222m][7777p]+8s", {}, 9, 11),
        ("34s88m[2222m](7777p)(CCC)+5s", {}, 7, 8),
        ("34567sCC(2222m)(7777p)+8s", {}, 5, 5),
        ("345s888mC[2222m][7777p]+C", {}, 25, 27),
        ("11m55m22p88p33s99sE+E", {"self_draw": True}, 25, 28),
        ("11m55m22p88p33s99sE+E", {"self_draw": True, "circumstances": ["妙手回春"]}, 32, 36),
        ("1122334455667m+7m", {"self_draw": True}, 89, 92),
        ("19m19p19sESWNCFP+P", {"self_draw": True}, 89, 92),
        ("222777m444p999sE+E", {"self_draw": True}, 67, 70),
        ("777m444p999sE[2222m]+E", {"self_draw": True, "circumstances": ["杠上开花"]}, 76, 80),
        ("1112345678999m+5m", {}, 91, 90),
        ("1112345678999m+5m", {"self_draw": True}, 92, 94),
        ("9s(111m)(111p)(999m)(999p)+9s", {}, 70, 74),
        ("147m258p36sESWNC+9s", {}, 24, 24),
        ("11m55m22p88p33sCCE+E", {}, 30, 30),
    ],
)
def test_hands_that_europe_counts_otherwise(hand: str, given: dict[str, Any], league: int, europe: int) -> None:
    assert (quepu.score(hand, MIL, **given).points, quepu.score(hand, EMA, **given).points) == (league, europe)


def test_a_mixed_pair_of_kongs_reaches_eight() -> None:
    """7 points in China, 8 in Europe: one of the two may win."""
    hand = "34s88m[2222m](7777p)(CCC)+5s"
    assert not quepu.score(hand, MIL).can_win
    assert quepu.score(hand, EMA).can_win


def test_every_fan_says_where_the_green_book_has_it() -> None:
    assert len(GREEN_BOOK) == len(set(GREEN_BOOK)) == 81
    assert [fan.value for fan in map(EMA.fan, GREEN_BOOK)] == sorted(
        (EMA.fan(n).value for n in GREEN_BOOK), reverse=True
    )
    assert {fan.name for fan in EMA.fans} == {*GREEN_BOOK, "明暗杠"}
    numbered = {"大四喜": 1, "双暗杠": 48, "明暗杠": 57, "双明杠": 57, "幺九刻": 73, "花牌": 81}
    for name, number in numbered.items():
        assert source(name).startswith(f"Green Book no. {number}, ")
    assert all(fan.column("source") == source(fan.name) for fan in EMA.fans)
    assert all(fan.column("source") is None for fan in MIL.fans)


def test_only_what_is_known_to_differ_differs() -> None:
    found = difference(MIL, EMA)
    assert not found.added and not found.removed
    assert {change.old.name for change in found.changed} == {
        "双暗杠", "明暗杠", "九莲宝灯", "清幺九", "绿一色", "不求人",
    }  # fmt: skip
    assert found.options == {"nature_drawn": ("自摸", "不求人"), "penalties": ("2025", "2010")}


def explained(hand: Hand) -> bool:
    """Whether the two books give a hand the same points, or a fan in which they differ counts in one of them."""
    league, europe = score_hand(hand, MIL), score_hand(hand, EMA)
    changed = {change.old.name for change in difference(MIL, EMA).changed} | {"自摸", "双同刻", "幺九刻", "混一色"}
    counted = {(fan.name, fan.count) for fan in league.fans} ^ {(fan.name, fan.count) for fan in europe.fans}
    names = {name for name, _ in counted} | {fan.name for fan in league.fans if fan.name in ("双暗杠", "明暗杠")}
    return league.points == europe.points or (names != set() and names <= changed)


@pytest.mark.parametrize("n", [200, pytest.param(100_000, marks=pytest.mark.slow)])
def test_every_difference_in_points_is_a_row_of_the_difference(n: int) -> None:
    hands = list(wins(MIL, n, seed=42))
    assert not [hand for hand in hands if not explained(hand)]
    assert sum(score_hand(hand, MIL).points != score_hand(hand, EMA).points for hand in hands) > n // 50


def test_the_earlier_overlay_stands() -> None:
    """Games played by it are judged by it: its fingerprint is the one they carry."""
    assert {book(f"guobiao-ema@{n}").fingerprint for n in (1, 2)} == {"14946abdd308"}
    assert quepu.score("34567sCC[2222m][7777p]+8s", "guobiao-ema@2").points == 9
    assert quepu.score("1122334455667m+7m", "guobiao-ema@2", self_draw=True).points == 92
    assert Match(book("guobiao-ema@2")).penalise(Penalty(0, "错和")).totals == (-40, 0, 0, 0)


def test_the_book_before_the_green_book_was_read_stands() -> None:
    """Half flush was an option that was off, and penalties were the referee's."""
    before, hand = book("guobiao-ema@3"), "22334466688sFF+F"
    assert quepu.score(hand, before).points == 88 + 2 + 2 + 1
    assert quepu.score(hand, before.having(options={"half_flush_all_green": True})).points == 88 + 6 + 2 + 2 + 1
    assert (
        quepu.score("34567sCC[2222m][7777p]+8s", before).points == quepu.score("34567sCC[2222m][7777p]+8s", EMA).points
    )
    assert before.settings["penalties"] == "referee"


@pytest.mark.parametrize(
    ("options", "hand", "given", "points"),
    [
        ({}, "147m258p36sESWNC+9s", {}, 24),
        ({"knitted_straight_of_singles": False}, "147m258p36sESWNC+9s", {}, 12),
        (
            {"knitted_straight_of_singles": False},
            "12447m258p369sEE+3m",
            {},
            12 + 2 + 1,
        ),  # beside a set and a pair as ever
        ({}, "147m25p69sESWNCF+P", {"self_draw": True}, 28),
        ({"knitted_concealed": False}, "147m25p69sESWNCF+P", {"self_draw": True}, 25),
        ({"knitted_concealed": False}, "1122334455667m+7m", {"self_draw": True}, 92),
        (
            {"knitted_concealed": False, "thirteen_orphans_concealed": False},
            "19m19p19sESWNCFP+P",
            {"self_draw": True},
            89,
        ),
        ({"nature_drawn": "自摸", "knitted_concealed": True}, "147m25p69sESWNCF+P", {"self_draw": True}, 25),
        ({}, "22334466688sFF+F", {}, 88 + 6 + 2 + 2 + 1),
        ({"half_flush_all_green": False}, "22334466688sFF+F", {}, 88 + 2 + 2 + 1),
    ],
)
def test_open_questions_are_options(options: dict[str, Any], hand: str, given: dict[str, Any], points: int) -> None:
    rules = EMA.having(options=options)
    score = quepu.score(hand, rules, **given)
    assert score.points == points, score.explain("en")
    assert quepu.score_many([hand], rules, **given).points.tolist() == [points]


def test_waits() -> None:
    """One kind that reads two ways is a wait of its own; two kinds are none."""
    assert "边张" in {fan.name for fan in quepu.score("1233m456p789sEEE+3m", EMA).fans}
    assert not {"边张", "嵌张", "单钓将"} & {fan.name for fan in quepu.score("2345m456p789sEEE+5m", EMA).fans}


def test_last_discard_is_no_replacement() -> None:
    found = {fan.name for fan in quepu.score("123456m567p789sE+E", EMA, circumstances=["海底捞月"]).fans}
    assert "海底捞月" in found and "杠上开花" not in found


def test_table_of_europe() -> None:
    rules = play_rules(EMA)
    assert (rules.table.flowers_replaced, rules.table.concealed_kongs_hidden, rules.match.standard) == (
        False, True, (4, 2, 1, 0),
    )  # fmt: skip
    flowered = quepu.score("123456m567p789sE+E", EMA, flowers=["春", "竹"])
    assert not flowered.can_win  # 4 and two flowers: flowers never help towards 8


def test_penalties_of_european_tournaments() -> None:
    """Figures of the regulations of 2010 and the table of 2009; nothing of the League's is left."""
    match = Match(EMA)
    assert match.penalise(Penalty(0, "错和")).totals == (-30, 10, 10, 10)
    assert match.penalise(Penalty(0, "诈和")).totals == (-60, 20, 20, 20)
    assert match.penalise(Penalty(0, "未取和牌张")).totals == (-10, 0, 0, 0)
    assert match.penalise(Penalty(0, "迟到十五分钟")).totals == (-20, 0, 0, 0)
    totals = []
    for _ in range(6):
        match = match.penalise(Penalty(1, "空吃碰杠"))
        totals.append(match.totals[1])
    assert totals == [0, -5, -15, -35, -65, -105]
    faults = {fault.key: fault for fault in play_rules(EMA).faults}
    assert {key for key, fault in faults.items() if fault.open} == {"死手报和", "拖延"}
    dead = {
        "错和",
        "诈和",
        "报和收回",
        "相公",
        "错吃碰杠",
        "未取所报",
        "动和牌",
        "摸错入手",
        "错补花",
        "错明牌:自家",
        "和牌不规范",
    }
    assert {key for key, fault in faults.items() if fault.barred} == dead
    assert all(fault.name.en != fault.key for fault in faults.values())
    words = [part.text.en for section in guide(EMA) for part in section.parts if isinstance(part, Paragraph)]
    assert any("Green Book" in text for text in words) and any("MERS" in text for text in words)
    assert not any("League" in text for text in words)


def test_penalties_may_be_left_to_the_referee() -> None:
    rules = EMA.having(options={"penalties": "referee"})
    match = Match(rules)
    assert match.penalise(Penalty(0, "错和", points=20)).totals == (-20, 0, 0, 0)
    with pytest.raises(SettleError, match="由裁判定：请写明罚多少"):
        match.penalise(Penalty(0, "错和"))
    faults = play_rules(rules).faults
    assert [fault.key for fault in faults] == [fault.key for fault in play_rules(EMA).faults]
    grids = [part for section in guide(rules) for part in section.parts if isinstance(part, Grid)]
    prices = [row[2] for grid in grids if grid.title and grid.title.en == "Penalties" for row in grid.rows]
    assert [price.en for price in prices] == ["up to the referee"] * len(faults)


def test_a_hand_at_the_bell_is_told() -> None:
    """The League plays it to its end; in Europe it counts for nothing."""
    assert any("150 minutes" in note.en and "counts for nothing" in note.en for note in play_rules(EMA).notes)
    assert not any("150" in note.en for note in play_rules(MIL).notes)


def test_a_dead_hand_may_claim() -> None:
    """In Europe; by the League's rules it may neither win nor claim."""
    for rules, said in ((EMA, "no win in the rest of the hand"), (MIL, "no win and no claims")):
        assert play_rules(rules).table.barred_claims == (rules is EMA)
        grids = [part for section in guide(rules) for part in section.parts if isinstance(part, Grid)]
        (faults,) = (grid for grid in grids if grid.title and grid.title.en == "Penalties")
        assert {said in row[4].en for row in faults.rows if row[4].en} == {True}


@pytest.mark.parametrize(("japanese", "name"), [(written, name) for name, written in JAPANESE.items()])
def test_japanese_names_are_read(japanese: str, name: str) -> None:
    assert JMSA.fan(japanese).name == name


@pytest.mark.parametrize("label", ["All Honors", "Greater Honors and Knitted Tiles", "pung of terminals or honors"])
def test_american_spelling_of_the_green_book_is_read(label: str) -> None:
    for rules in (EMA, JMSA):
        assert rules.fan(label).english.casefold() == label.replace("onor", "onour").casefold()
