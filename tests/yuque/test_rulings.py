"""The readings of seed 002 that decide scores, one test for each number of rulings.toml."""

from __future__ import annotations

import pytest

from quepu.errors import NotAWin
from quepu.rulebooks import book
from quepu.rulebooks.yuque import YUQUE_54
from tests.yuque.helpers import added, fan, score


def test_1_a_pair_is_a_value_tile():
    assert added(score("(123m)(345m)789p678sC+C")) == {"番牌:中": 1}
    assert added(score("(123m)(345m)789p678sN+N", "N")) == {"番牌:门风牌": 1}
    assert added(score("(123m)(345m)789p678sN+N", "E")) == {}


def test_2_a_pung_of_value_tile_is_a_fan_pungs():
    assert added(score("(CCC)(123m)456p67s99m+8s")) == {"番牌:中": 1, "番刻": 2}


def test_3_pungs_of_kongs_concealed_pungs_and_all_pungs_are_fan_pungs():
    assert added(score("(2222m)(5555p)(7777s)(8888s)4m+4m")) == {"四杠": 17, "番刻": 8}
    assert added(score("333m555p777s999s4m+4m")) == {"四暗刻": 10, "番刻": 8}
    assert added(score("222m(555p)(777s)(888m)4p+4p")) == {"对对和": 0, "番刻": 8}
    # the three concealed pungs serve, the fourth and open one does not; 对对和 brings it in
    assert added(score("222m555p777s(888m)4p+4p")) == {"三暗刻": 5, "对对和": 0, "番刻": 8}
    # a chow never brings a pung in, nor 混一色
    assert added(score("(123m)(678m)45m999mNN+6m", "S")) == {"混一色:萬": 7}


def test_5_value_tile_leaves_four_fifths():
    fans = added(score("(123m)(456m)(678m)CC66m+C"))
    assert fans == {"番牌:中": 1, "混一色:萬": 4, "番刻": 2}  # (9-2)×4/5 = 5.6 → 6, minus 2
    fans = added(score("(123m)(789p)(123m)789sC+C"))
    assert fans == {"番牌:中": 1, "一般高": 5, "喜相逢": 1, "混带幺": 6}  # 7×4/5 = 5.6 → 6


def test_6_side_conditions_cost_nothing():
    # a fourth terminal pung beside 大三元 would have to go; 幺九三刻 is worth nothing there all the same
    assert added(score("(678p)(CCC)(FFF)(PPP)2s+2s")) == {"大三元": 12, "番刻": 6}
    # 双同刻 leaves 3/4 of 幺九四刻 (4.5 → 4, so it is better left out), 二同刻 and 镜同 2/4: the pair of K is free
    assert added(score("(111m)(999m)(111p)(NNN)2s+2s", "E")) == {"幺九四刻": 6, "番刻": 8}
    assert added(score("(111m)(999m)(111p)(999p)2s+2s")) == {"镜同": 7, "幺九四刻": 3, "番刻": 8}  # 18 in all


def test_9_a_number_is_exact():
    assert "双杠" not in added(score("(2222m)(5555p)[7777s](888s)4m+4m"))
    assert "杠" not in added(score("(2222m)[5555p](777s)234s4m+4m"))
    assert "双暗刻" not in added(score("222m555p777s(234m)9p+9p"))
    assert "幺九三刻" not in added(score("999m(111s)EEEWWW2p+2p", "S"))
    # 岭上开花 does not contain 杠
    assert added(score("(2222m)(555p)(678m)234s4m+4m", "E", True, "岭上开花")) == {"杠": 1, "岭上开花": 1, "番刻": 2}


def test_10_fan_pungs_all_or_none():
    # the seed's advice: 杠 and 清一色 without 番刻 (for 索 both ways are equal)
    assert added(score("(1111m)(345m)567m6799m+8m")) == {"杠": 1, "清一色:萬": 13}
    assert fan("(1111m)(345m)567m6799m+8m") == fan("(1111p)(345p)567p6799p+8p") == 14
    bamboo = score("(1111s)(345s)567s6799s+8s")
    assert added(bamboo) == {"杠": 1, "清一色:索": 11, "番刻": 2}  # 13-2, equal to 15-2 without 番刻
    excluded = score("(1111m)(345m)567m6799m+8m").tally.dropped
    assert "番刻" in {YUQUE_54.fans[d.row].name for d in excluded}
    # with three of them it pays
    assert added(score("222m333m(666m)(345m)9m+9m"))["番刻"] == 4


def test_12_the_cut_of_bamboo_is_an_option():
    hand = "222s444s(666s)(345s)9s+9s"
    assert added(score(hand)) == {"双暗刻": 1, "清一色:索": 11, "番刻": 4}
    other = YUQUE_54.having(options={"suo_fanke_cut": 3})
    assert added(score(hand, rules=other)) == {"双暗刻": 1, "清一色:索": 10, "番刻": 4}
    assert added(score(hand.replace("s", "m"))) == {"双暗刻": 1, "清一色:萬": 10, "番刻": 4}
    assert other.fingerprint != YUQUE_54.fingerprint


def test_13_half_flush_needs_both():
    held = {YUQUE_54.fans[i].name for i, _ in YUQUE_54.detect(score("(EEE)(SSS)(CCC)(PPP)N+N").best.h)}
    assert not held & {"混一色:萬", "混一色:筒", "混一色:索"}
    assert not any("混一色" in name for name in added(score("(123m)(234m)66m789m44m+6m")))


def test_14_twin_suits_needs_the_same_kind():
    assert "镜同" in added(score("(234p)(777p)(234s)777s1m+1m"))
    assert "镜同" not in added(score("(234p)(777p)(222s)777s1m+1m"))
    assert "镜同" not in added(score("(234p)(234p)(234s)567s1m+1m"))


def test_16_the_lowest_order_is_taken():
    # 一般高 5 and 喜相逢 1 on shared chows: 喜相逢 last adds 0, first it would leave 一般高 1/2; lower is 1 + 2
    found = score("(345m)(345m)(345p)78sEE+9s", "S")
    assert found.parts["fan"] == 5  # so 喜相逢 is left out
    assert [line.name for line in found.fans] == ["一般高"]


def test_17_heavenly_hand_contains_closed_hand():
    assert added(score("123m678m24s88pSSS+3s", "E", True, "天和")) == {"天和": 18}
    assert added(score("123m678m24s88pNNN+3s", "S", False, "地和")) == {"地和": 18}


def test_18_closed_hand_after_concealed_pungs():
    assert added(score("234m333p888s456p7s+7s")) == {"双暗刻": 1, "门前清": 1, "番刻": 4}
    assert "门前清" not in added(score("111m999p234sSSSN+N"))
    assert "门前清" not in added(score("333m555p777s999s4m+4m"))
    assert added(score("345m789m[5555p]678s2s+2s")) == {"杠": 1, "门前清": 2, "番刻": 2}


def test_19_mixed_terminals_and_half_flush():
    fans = added(score("(111m)(999m)(EEE)(SSS)W+W", "N"))
    # 混一色 first: 9-2-2 = 5, then 8×4/5 = 6.4 → 6; the other order gives 8 + 4
    assert (fans["混一色:萬"], fans["混幺九"]) == (5, 6)


def test_19_a_half_flush_always_has_an_honour_group():
    assert score("111m999mEEE(SSS)C+C", "W").parts["fan"] == 24


def test_19_as_it_was_before_the_correction():
    fans = added(score("(111m)(999m)(EEE)(SSS)W+W", "N", rules=book("yuque-54@1")))
    assert (fans["混一色:萬"], fans["混幺九"]) == (4, 8)


def test_20_mirrored_ranks_and_four_outer_pungs_in_full():
    assert added(score("(111m)(999m)(111p)(999p)5s+5s")) == {"数同": 9, "幺九四刻": 6, "番刻": 8}


def test_21_a_pung_finished_by_a_discard_is_not_concealed():
    assert added(score("222m555p77s(234m)99p+7s")) == {"双暗刻": 1, "番刻": 4}
    assert added(score("222m555p77s(234m)99p+7s", "E", True)) == {"三暗刻": 5, "番刻": 6}
    # 7s may stand in 789s here, and then 777s is concealed
    assert added(score("222m77789s(555p)66p+7s")) == {"双暗刻": 1, "番刻": 4}


def test_22_nine_gates_needs_the_thirteen_tiles():
    assert "九莲宝灯" in added(score("1112345678999p+1p", "E", True))
    assert "九莲宝灯" not in added(score("1112345678889p+9p"))
    assert "九莲宝灯" not in added(score("1145678999p(123p)+1p"))


def test_23_a_tie_prefers_fan_pungs():
    fans = added(score("11223sCC(NNNN)(123s)+3s", "N", True, "岭上开花"))
    assert fans["番刻"] == 2
    without = 1 + 1 + 1 + 1 + 17 + round(7 * 3 / 5) + round(9 * 3 / 5) - 2
    assert without == sum(fans.values()) == 28


def test_24_a_fan_that_adds_nothing_is_not_listed():
    assert all(n > 0 for n in added(score("111m999p234sSSSN+N")).values())
    assert added(score("222m(555p)(777s)(888m)4p+4p"))["对对和"] == 0


@pytest.mark.parametrize("hand", ["1122m3344p5566s7m+7m", "19m19p19sESWNCFP+1m", "147m258p369sESWN+C"])
def test_there_are_no_irregular_shapes(hand):
    with pytest.raises(NotAWin):
        score(hand)


def test_a_hand_is_worth_the_same_whatever_was_scored_before():
    """Both have the same fans at the same places, but only the second has one pung to count as 番刻."""
    before, hand = "3366999m345p(789p)+3m", "12344457m44p(345s)+6m"
    alone = YUQUE_54.having(id="alone")  # a book of its own remembers nothing yet
    assert fan(hand, rules=alone) == 11
    after = YUQUE_54.having(id="after")
    assert fan(before, rules=after) == 13
    assert fan(hand, rules=after) == 11
