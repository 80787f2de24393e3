"""The League's fourteen clauses of 2025 on hands that show them, and the European and Japanese readings."""

from __future__ import annotations

from typing import Any

import pytest

import quepu
from quepu.errors import OverlayError
from quepu.match.match import Match
from quepu.match.penalties import Penalty
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rules.diff import difference
from quepu.rules.guide import Paragraph, guide
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from tests.guobiao.test_rulings import NATURE

MIL, EMA, JMSA = book("guobiao-mil-2025"), book("guobiao-ema"), book("guobiao-jmsa")


def fans(hand: str, rules: Rulebook = MIL, **given: Any) -> dict[str, int]:
    return {fan.name: fan.count for fan in quepu.score(hand, rules=rules, **given).fans}


def test_clause_1() -> None:
    for name, hand in NATURE.items():
        found = fans(hand, self_draw=True)
        assert name in found
        assert found["自摸"] == 1
        assert "不求人" not in found


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("223344446688sF+F", "绿一色"),
        ("1199m1199p1199s1m+1m", "清幺九"), ("EESSWWNNCCFFP+P", "字一色"), ("1199m1199pEESSC+C", "混幺九"),
        ("1133446677889m+9m", "清一色"), ("7788m7788p77889s+9s", "全大"), ("4455m4455p44556s+6s", "全中"),
        ("1122m1122p11223s+3s", "全小"), ("6677m7788p77889s+9s", "大于五"), ("1122m1133p11224s+4s", "小于五"),
        ("112233p4455s668s+8s", "推不倒"), ("1122335577mEEC+C", "混一色"),
        ("1133m55p77sEECCF+F", "五门齐"), ("11115577m229sEE+9s", "四归一"), ("2244m5577p22668s+8s", "断幺"),
        ("113355m1155779p+9p", "缺一门"), ("1133m5577p22669s+9s", "无字"),
    ],
)  # fmt: skip
def test_clause_2(hand: str, name: str) -> None:
    found = fans(hand)
    assert found.get("七对") == 1, found
    assert name in found


def test_clause_3() -> None:
    for hand, name in (
        ("EEESSSWWWCCCF+F", "字一色"), ("111999m1pEEECCC+1p", "混幺九"), ("111999m111999p1s+1s", "清幺九"),
    ):  # fmt: skip
        found = fans(hand)
        assert name in found
        assert "碰碰和" not in found


def test_clause_4() -> None:
    assert {"明暗杠": 1}.items() <= fans("123m456p9s[EEEE](1111s)+9s").items()
    assert [MIL.fan(name).value for name in ("明暗杠", "双暗杠", "双明杠")] == [5, 6, 4]


def test_clause_5() -> None:
    for hand in ("5m(1111m)[EEEE][9999p][CCCC]+5m", "222m5p[1111m][EEEE](9999p)+5p", "123m456p9s[EEEE][1111s]+9s"):
        found = fans(hand)
        assert sum(name.endswith("杠") for name in found) == 1, found
        assert sum(name.endswith("暗刻") for name in found) <= 1, found
    assert "双暗刻" not in fans("123m456p9s[EEEE][1111s]+9s")


def test_clause_6() -> None:
    for kong, name in (("[EEEE]", "暗杠"), ("(EEEE)", "明杠")):
        found = fans(f"123456m789p5s{kong}+5s", self_draw=True, circumstances=["杠上开花", "妙手回春"])
        assert {"杠上开花", "妙手回春", name} <= found.keys()
        assert "自摸" not in found
    assert "全求人" in fans("5m(123m)(456p)(789s)(EEEE)+5m")


def test_clause_7() -> None:
    for hand, name in (
        ("123m55pCCCFFFPP+P", "大三元"), ("123m456pCCCFFFP+P", "小三元"), ("123m5pEEESSSWWW+5p", "三风刻"),
        ("222233334444m5p+5p", "一色四同顺"), ("111222333444m5p+5p", "一色四节高"),
        ("123234345456m9p+9p", "一色四步高"),
    ):  # fmt: skip
        found = fans(hand)
        assert {name, "缺一门"} <= found.keys(), found
    assert "缺一门" not in fans("123345p456888sP+P")


def test_clause_8() -> None:
    found = fans("123mEEESSSWWWN+N", seat="S", round="W")
    assert {"小四喜", "门风刻", "圈风刻"} <= found.keys()
    assert "幺九刻" not in found
    found = fans("999m5mEEESSSWWW+5m", seat="S", round="W")
    assert {"三风刻", "门风刻", "圈风刻"} <= found.keys()
    assert found["幺九刻"] == 1  # 999m alone
    assert {"门风刻", "圈风刻", "幺九刻"}.isdisjoint(fans("5mEEESSSWWWNNN+5m"))
    assert "箭刻" not in fans("123m456pCCCFFFP+P")
    assert fans("EEESSSWWWCCCF+F").get("箭刻") == 1
    assert "幺九刻" not in fans("EEESSSWWWCCCF+F")


def test_clause_9() -> None:
    assert {"组合龙", "平和"} <= fans("1147m258p123369s+1m").keys()
    assert "单钓将" in fans("3669m258p147s(999p)+6m")


def test_clause_10() -> None:
    for hand in ("5666m123p456789s+5m", "2345m123p456789s+5m", "3334m789s(2222m)(5555m)+4m"):
        assert {"边张", "嵌张", "单钓将"}.isdisjoint(fans(hand))
    assert sum(name in fans("12m45699p789sEEE+3m") for name in ("边张", "嵌张", "单钓将")) == 1


def test_clause_11() -> None:
    pairs = ("一般高", "喜相逢", "连六", "老少副")

    def two(hand: str) -> int:
        found = fans(hand)
        return sum(found.get(name, 0) for name in pairs)

    assert two("456789m4567899p+9p") == 3
    assert two("1234567899m123p+9m") == 1
    assert two("123234345456m9p+9p") == 0
    assert two("123m123p123sEEE9s+9s") == 0  # 三色三同顺 has taken all three
    assert two("123456m123pEEE9s+9s") == 2


def test_clause_12() -> None:
    counted = {rank: fans(f"1112345678999m+{rank}m").get("幺九刻", 0) for rank in range(1, 10)}
    assert counted == {1: 0, 2: 1, 3: 0, 4: 0, 5: 1, 6: 0, 7: 0, 8: 1, 9: 0}


def test_clause_13() -> None:
    assert "混一色" in fans("5mEEESSSWWWNNN+5m")
    assert "字一色" in fans("CEEESSSWWWNNN+C")
    assert "混一色" not in fans("223344666888sF+F")
    assert "清一色" in fans("2223334446688s+8s")


def test_clause_14() -> None:
    assert "双同刻" not in fans("111999m111999p1s+1s")
    assert "三同刻" in fans("111999m111p111s9p+9p")


def test_referee_of_the_league() -> None:
    match = Match(MIL)
    assert match.penalise(Penalty(0, "错和")).totals == (-40, 0, 0, 0)
    for _ in range(5):
        match = match.penalise(Penalty(1, "空吃碰杠"))
    assert match.totals == (0, -110, 0, 0)  # a warning, 10, 20, 40, 40
    assert len(match.rules.faults) == 17


def test_europe_counts_a_fully_concealed_hand() -> None:
    for hand in NATURE.values():
        found = fans(hand, EMA, self_draw=True)
        assert found.get("不求人") == 1
        assert "自摸" not in found


def test_japan_counts_no_five_types_beside_seven_pairs() -> None:
    assert "五门齐" in fans("1133m55p77sEECCF+F")
    assert "五门齐" not in fans("1133m55p77sEECCF+F", JMSA)


def test_japan_pays_88_fan_at_most() -> None:
    flows = play_rules(JMSA).settle(Ending((SeatWin(0, 120),), self_draw=True), JMSA)
    assert [flow.points for flow in flows] == [96, 96, 96]
    assert "封顶 88" in flows[0].why.zh
    assert [f.points for f in play_rules(MIL).settle(Ending((SeatWin(0, 120),), self_draw=True), MIL)] == [128] * 3


def test_the_cap_of_japan_is_told_wherever_the_book_is() -> None:
    """In a score that it cuts, in the rules, the rulings, the difference to the League's book and the book's facts."""
    hand = "111m999m111p999p1s+1s"
    score = quepu.score(hand, JMSA)
    assert score.points == 129
    assert "封顶：只付 88 番" in score.explain("zh") and "capped: 88 points are paid" in score.explain("en")
    assert "封顶" not in quepu.score(hand, MIL).explain("zh")
    small = quepu.score("123m456p3377s(678s)+7s", JMSA)
    assert "封顶" not in small.explain("zh")
    for rules, there in ((JMSA, True), (MIL, False)):
        words = [part.text.zh for section in guide(rules) for part in section.parts if isinstance(part, Paragraph)]
        assert any("超过 88 番" in text for text in words) == there
        assert any("88" in ruling.answer.zh for ruling in rules.rulings) == there
    assert difference(MIL, JMSA).options["cap"] == (0, 88)
    assert (MIL.cap, JMSA.cap) == (0, 88)


def test_a_score_as_data_says_how_much_is_paid() -> None:
    """Only of a book with a cap; flowers are inside it, and a score at the cap is paid whole."""
    orphans = "19m19p19sESWNCFP+P"
    assert quepu.score(orphans, JMSA).to_json()["paid"] == 88
    drawn = quepu.score(orphans, JMSA, self_draw=True).to_json()
    assert (drawn["points"], drawn["paid"]) == (89, 88)
    flowers = quepu.score(orphans, JMSA, flowers=2)
    assert (flowers.points, flowers.total, flowers.to_json()["paid"]) == (88, 90, 88)
    assert "capped: 88 points are paid" in flowers.explain("en")
    small = quepu.score("123m456p3377s(678s)+7s", JMSA)
    assert small.to_json()["paid"] == small.total < 88
    assert "paid" not in quepu.score(orphans, MIL).to_json()
    assert quepu.score(orphans, MIL.having(options={"cap": 50})).to_json()["paid"] == 50
    (wait,) = (one for one in quepu.waits("19m19p19sESWNCFP", JMSA).waits if str(one).startswith("P"))
    assert wait.to_json()["self_draw"]["paid"] == 88 < wait.to_json()["self_draw"]["total"]


def test_the_former_name_of_the_cap_is_told_the_new_one() -> None:
    """A new file is refused with the name; recorded games keep theirs, with the same book."""
    text = 'base = "guobiao"\n[options]\n{} = 50\n'
    with pytest.raises(OverlayError, match="第 3 行：选项“most”现在叫“cap”。"):
        read(text.format("most"))
    old, new = read(text.format("most"), recorded=True), read(text.format("cap"))
    assert old.cap == new.cap == 50 and old.fingerprint == new.fingerprint
    for capped in (new, book("canton").having(options={"cap": 50})):
        assert [option.key for option in capped.options if capped.choice(option) == 50] == ["cap"]
