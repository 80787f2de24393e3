"""Each decision about seed 003, on a hand that shows it under both books (every hand here is constructed)."""

from __future__ import annotations

from typing import Any

import pytest

import quepu
from quepu.errors import HandError, NotAWin, UnknownName
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score

SEED, MCR = book("guobiao"), book("guobiao-mcr")


def score(hand: str, rules: Rulebook = SEED, **situation: Any) -> Score:
    return quepu.score(hand, rules=rules, **situation)


def fans(hand: str, rules: Rulebook = SEED, **situation: Any) -> dict[str, int]:
    return {fan.name: fan.count for fan in score(hand, rules, **situation).fans}


def points(hand: str, rules: Rulebook = SEED, **situation: Any) -> int:
    return score(hand, rules, **situation).points


def test_g1_values_of_kongs() -> None:
    assert [SEED.fan(name).value for name in ("暗杠", "双暗杠", "明杠", "双明杠")] == [2, 8, 1, 4]
    assert [MCR.fan(name).value for name in ("暗杠", "双暗杠", "明杠", "双明杠", "明暗杠")] == [2, 6, 1, 4, 5]
    with pytest.raises(UnknownName):
        SEED.fan("明暗杠")
    others = {fan.name: fan.value for fan in SEED.fans if fan.name != "双暗杠"}
    assert all(MCR.fan(name).value == value for name, value in others.items())


def test_g2_both_names_are_read() -> None:
    for old, new in {"碰碰胡": "碰碰和", "胡绝张": "和绝张", "门清": "门前清", "坎张": "嵌张"}.items():
        assert SEED.fan(new).name == old
        assert MCR.fan(old).name == new
    assert "和绝张" in fans("12m45699p789sEEE+3m", MCR, circumstances=["胡绝张"])
    assert "胡绝张" in fans("12m45699p789sEEE+3m", SEED, circumstances=["和绝张"])


def test_g3_chows_are_combined_once() -> None:
    # 456m, 789m, 456p, 789p: four relations, three of them count
    counted = fans("456789m4567899p+9p")
    assert sum(counted.get(name, 0) for name in ("喜相逢", "连六")) == 3
    # 清龙 joins its three chows; the fourth may be combined with one of them, once
    counted = fans("1234567899m123p+9m")
    assert counted["清龙"] == 1
    assert counted.get("喜相逢", 0) == 1
    assert "连六" not in counted
    assert "老少副" not in counted


def test_g4_flowers_stand_beside_the_minimum() -> None:
    nothing = score("45m567p789sEE(123m)+3m", flowers=8)
    assert (nothing.points, nothing.total) == (8, 16)  # 无番和 in spite of the flowers
    poor = score("123456m567p89sEE+7s", flowers=["春", "夏"])
    assert (poor.points, poor.total, poor.can_win) == (4, 6, False)  # 门清, 连六, 边张
    assert {"花牌": 2}.items() <= {fan.name: fan.count for fan in poor.fans}.items()


def test_g5_seven_pairs_of_honours() -> None:
    honours, mixed = "EESSWWNNCCFFP+P", "1199m1199pEESSC+C"
    assert "字一色" not in fans(honours)
    assert fans(honours, MCR) == {"字一色": 1, "七对": 1}
    assert "混幺九" not in fans(mixed)
    assert "混幺九" in fans(mixed, MCR)
    assert points(honours) == 24 + 1  # 七对, 缺一门
    pure = "11119999m1199p1s+1s"
    assert "清幺九" not in fans(pure)
    assert {"清幺九": 1, "七对": 1, "四归一": 2}.items() <= fans(pure, MCR).items()


NATURE = {
    "九莲宝灯": "1112345678999m+5m",
    "连七对": "1122334455667m+7m",
    "七对": "1133m5577p2299sE+E",
    "七星不靠": "147m25p69sESWNCF+P",
    "全不靠": "147m258p369sESWN+C",
    "十三幺": "19m19p19sESWNCFP+1m",
    "四暗刻": "111m333p555s777s9p+9p",
}


@pytest.mark.parametrize("name", NATURE)
def test_g6_concealed_by_nature(name: str) -> None:
    hand = NATURE[name]
    by_discard, drawn = fans(hand), fans(hand, self_draw=True)
    assert name in by_discard
    assert "门清" not in by_discard
    assert drawn.get("不求人") == 1
    assert "自摸" not in drawn
    played = fans(hand, MCR, self_draw=True)
    assert name in played
    assert played.get("自摸") == 1
    assert "不求人" not in played


def test_g6_thirteen_orphans_by_the_letter() -> None:
    hand = NATURE["十三幺"]
    strict = SEED.having(options={"thirteen_orphans_concealed": False})
    assert fans(hand, strict, self_draw=True).get("自摸") == 1
    assert "不求人" not in fans(hand, strict, self_draw=True)
    assert fans(NATURE["四暗刻"], strict, self_draw=True).get("不求人") == 1
    assert strict.having(options={"thirteen_orphans_concealed": True}).fingerprint == SEED.fingerprint


def test_g7_concealed_kongs_count_too() -> None:
    one = "5m(1111m)(EEEE)(9999p)[CCCC]+5m"
    two = "5m(1111m)(EEEE)[9999p][CCCC]+5m"
    three = "5m(1111m)[EEEE][9999p][CCCC]+5m"
    four = "5m[1111m][EEEE][9999p][CCCC]+5m"
    added = [
        {name: fans(hand)[name] for name in ("暗杠", "双暗杠", "三暗刻", "四暗刻", "双暗刻") if name in fans(hand)}
        for hand in (one, two, three, four)
    ]
    assert added == [
        {"暗杠": 1},
        {"双暗杠": 1},
        {"双暗杠": 1, "三暗刻": 1},
        {"双暗杠": 1, "四暗刻": 1},
    ]
    before = points("222m5p[1111m][EEEE](9999p)+5p")
    assert points("222m5p[1111m][EEEE][9999p]+5p") > before  # a third one never takes anything away
    assert {"双暗杠": 1, "三暗刻": 1}.items() <= fans("234m5p[1111m][EEEE][9999p]+5p").items()
    played = [{name: n for name, n in fans(hand, MCR).items() if "暗" in name} for hand in (one, two, three, four)]
    assert played == [{}, {"双暗刻": 1}, {"三暗刻": 1}, {"四暗刻": 1}]
    three_kongs = "234m5p(1111m)(EEEE)[9999p]+5p"
    assert {"三杠", "暗杠"} <= fans(three_kongs).keys()
    assert {"明杠", "双明杠"}.isdisjoint(fans(three_kongs))
    mixed = "123m456p9s[EEEE](1111s)+9s"
    assert {"明杠", "暗杠"} <= fans(mixed).keys()
    assert "明暗杠" in fans(mixed, MCR)


def test_g7_two_kongs_beside_three_are_an_option() -> None:
    three, four = "234m5p[1111m][EEEE][9999p]+5p", "5m[1111m][EEEE][9999p][CCCC]+5m"
    two = "234m5p(1111m)[EEEE][9999p]+5p"
    without = SEED.having(options={"two_kongs_beside_three": False})
    assert (points(three), points(three, without)) == (66, 58)
    assert points(four) == points(four, without) + 8
    assert points(two) == points(two, without)  # two are two kongs either way
    assert points("123m456p9s[EEEE][1111s]+9s") == points("123m456p9s[EEEE][1111s]+9s", without)
    beside = MCR.having(options={"two_kongs_beside_three": True})
    assert (points(three, MCR), points(three, beside)) == (58, 64)
    assert points(four, beside) == points(four, MCR) + 6
    assert points(two, MCR) == points(two, beside)
    assert points("123m456p9s[EEEE][1111s]+9s", MCR) == points("123m456p9s[EEEE][1111s]+9s", beside)
    for rules in (SEED, MCR, book("guobiao-mil-2025"), book("guobiao-jmsa"), book("guobiao-ema")):
        default = next(one for one in rules.options if one.key == "two_kongs_beside_three").choices[0]
        both_ways = rules.having(options={"two_kongs_beside_three": not default})
        assert both_ways.fingerprint != rules.fingerprint
        assert both_ways.having(options={"two_kongs_beside_three": default}).fingerprint == rules.fingerprint
        assert default is (rules is SEED)


def test_g8_single_wait_by_form() -> None:
    # 5666+5 waits for 4, 5, 7 and 2345+5 for 2, 5: single waits by form, not sole ones
    for hand in ("5666m123p456789s+5m", "2345m123p456789s+5m"):
        assert "单钓将" in fans(hand)
        assert "单钓将" not in fans(hand, MCR)
        assert "单钓将" in fans(hand, MCR.having(options={"sole_single_wait": False}))
    for rules in (SEED, MCR):
        assert "边张" in fans("12m45699p789sEEE+3m", rules)
        assert rules.fan("坎张").name in fans("13m45699p789sEEE+2m", rules)
        assert "边张" not in fans("12345m456p789sEE+3m", rules)  # 12 waits for 3, but 45 for 6 as well
    for never in ("1133m5577p2299sE+E", "19m19p19sESWNCFP+1m", "147m258p369sESWN+C"):
        assert "单钓将" not in fans(never)
    assert "单钓将" not in fans("5m(123m)(456p)(789s)(EEE)+5m")  # 全求人 has it in it


def test_g10_flower_after_kong_is_a_self_draw() -> None:
    hand = "123456m789p5s(EEEE)+5s"
    kong = fans(hand, self_draw=True, circumstances=["杠上开花"])
    assert "杠上开花" in kong
    assert "自摸" not in kong
    flower = fans(hand, self_draw=True, flowers=1)
    assert "杠上开花" not in flower
    assert flower["自摸"] == 1


def test_g11_no_set_twice_in_one_fan() -> None:
    counted = fans("12399m112233p56s+7s")
    assert counted["一般高"] == 1
    assert counted["喜相逢"] == 1


def test_g12_knitted_hog_and_last_tile() -> None:
    counted = fans("1147m258p123369s+1m")
    assert {"组合龙": 1, "平和": 1}.items() <= counted.items()
    assert fans("1111m5577p2299sE+E").get("四归一") == 1
    assert fans("11115555m229sEE+9s").get("四归一") == 2
    assert fans("456m1239p789s(555m)+9p").get("四归一") == 1
    own = "45m12399p(333m)(789s)+3m"
    assert "胡绝张" in fans(own)
    assert "和绝张" in fans(own, MCR)
    both = fans("123456m789p5s[EEEE]+5s", self_draw=True, circumstances=["杠上开花", "妙手回春"])
    assert {"杠上开花", "妙手回春", "不求人"} <= both.keys()


def test_no_robbed_kong_on_the_last_tile() -> None:
    for rules in (SEED, MCR):
        with pytest.raises(HandError, match="没有补牌就不能开杠"):
            score("123456m55789p23s+1s", rules, circumstances=["抢杠和", "海底捞月"])


def test_a_circumstance_is_named_as_its_fan() -> None:
    assert "和绝张" in MCR.circumstances
    assert "胡绝张" in SEED.circumstances
    for name in ("和绝张", "胡绝张", "绝张"):
        assert "和绝张" in fans("12m45699p789sEEE+3m", MCR, circumstances=[name])


def test_g13_terms_without_value() -> None:
    for term in ("天和", "地和", "杠上炮", "报听", "悄悄胡"):
        with pytest.raises(UnknownName):
            score("123456m567p789sE+E", circumstances=[term])
    assert not score("123456m567p789sE+E", self_draw=True).can_win


def test_g14_dead_waits() -> None:
    # 3334 waits for 4 alone and, by form, for 2 and 5, of which all four lie in own kongs
    hand = "3334m789s(2222m)(5555m)+4m"
    assert "单钓将" in fans(hand, SEED.having(options={"sole_single_wait": True}))
    assert "单钓将" not in fans(hand, MCR)
    assert "单钓将" in fans(hand, MCR.having(options={"dead_waits": False}))


def test_g15_nine_gates() -> None:
    assert "幺九刻" not in fans("1112345678999m+4m")  # 111 234 456 789 99
    assert fans("1112345678999m+5m").get("幺九刻") == 1  # 111 234 55 678 999
    two = {2, 5, 8}  # where 111 and 999 are both pungs
    for rank in range(1, 10):
        assert fans(f"1112345678999m+{rank}m").get("幺九刻", 0) == (rank in two)
    (ruling,) = (one for one in SEED.rulings if one.id == "G15")
    assert "二、五、八" in ruling.answer.zh
    assert "2, 5 or 8" in ruling.answer.en


def test_g16_knitted_waits() -> None:
    hand = "123447m258p36sEE+9s"
    for rules, name in ((SEED, "坎张"), (MCR, "嵌张")):
        assert {"边张", name, "单钓将"}.isdisjoint(fans(hand, rules))
        assert name in fans(hand, rules.having(options={"knitted_wait": True}))
        assert name in fans("11347m258p369sEE+2m", rules)  # a closed wait of the chow beside the lines


def test_g17_what_always_comes_with_a_fan() -> None:
    for hand in ("123m5pEEESSSWWW+5p", "123m55pCCCFFFPP+P", "123345567789m9p+9p"):
        assert "缺一门" not in fans(hand)
        assert "缺一门" in fans(hand, SEED.having(options={"void_counts": True}))
        assert "缺一门" in fans(hand, MCR)
        assert "缺一门" not in fans(hand, MCR.having(options={"void_counts": False}))
    assert "缺一门" in fans("123456m3455789p+5p")


def test_what_is_no_win() -> None:
    for hand in ("147m258p369sESW1m+1m", "1112345678999m+5p"):
        with pytest.raises(NotAWin):
            score(hand)


@pytest.mark.parametrize("rules", [SEED, MCR], ids=lambda rules: rules.id)
def test_the_last_tile_of_a_claimed_hand_is_no_plain_self_draw(rules: Rulebook) -> None:
    """Closed, 不求人 would keep 自摸 out as well."""
    last = fans("(123m)456m789p123s5s+5s", rules, self_draw=True, circumstances=["妙手回春"])
    assert "妙手回春" in last and "自摸" not in last
    assert "自摸" in fans("(123m)456m789p123s5s+5s", rules, self_draw=True)
