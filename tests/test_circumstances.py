"""Circumstances by the book's names, and their contradictions."""

from __future__ import annotations

from dataclasses import replace

import pytest

import quepu
from quepu.errors import Error, HandError, UnknownName
from quepu.hands.hand import Luck
from quepu.hands.notation import parse
from quepu.rulebooks import book as a_book
from quepu.rules import play_rules
from quepu.rules.circumstances import luck_of, situate
from quepu.rules.play_rules import MatchRules, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import flower_numbers, wind
from tests.books import SMALL

CLOSED = "123m456p789sCEEE+C"
KONG = "123m456pCCEE(9999s)+E"
TWO_KONGS = "123mCCEE(9999s)[SSSS]+E"
OPEN = "123m456pCCEE(789s)+E"
SINGLE = "12m456pCCEEE(789s)+3m"


@pytest.mark.parametrize(
    ("hand", "seat", "self_draw", "names", "luck"),
    [
        (CLOSED, "E", True, ["天和"], Luck.HEAVENLY | Luck.SELF_DRAW),
        (CLOSED, "S", False, ["地和"], Luck.EARTHLY),
        (KONG, "北", True, ["岭上开花", "海底捞月"], Luck.KONG_DRAW | Luck.LAST_DRAW | Luck.SELF_DRAW),
        (TWO_KONGS, "w", True, ["连杠开花"], Luck.KONG_DRAW | Luck.TWO_KONGS | Luck.SELF_DRAW),
        (OPEN, "E", True, ["妙手回春"], Luck.LAST_DRAW | Luck.SELF_DRAW),
        (SINGLE, "E", False, ["河底捞鱼", "和绝张"], Luck.LAST_DISCARD | Luck.FOURTH_TILE),
        (SINGLE, "S", False, ["抢杠和"], Luck.ROBBED_KONG),
        (OPEN, "E", False, ["自摸"], Luck.SELF_DRAW),
        (KONG, "E", False, [" 生张 "], Luck.FRESH_TILE),
        (OPEN, "E", False, [], 0),
    ],
)
def test_names_become_luck(hand: str, seat: str, self_draw: bool, names: list[str], luck: int) -> None:
    made = situate(parse(hand), SMALL, seat=seat, self_draw=self_draw, circumstances=names)
    assert made.luck == luck
    assert made.seat == wind(seat)


@pytest.mark.parametrize(
    ("hand", "seat", "self_draw", "names", "zh", "en"),
    [
        (CLOSED, "S", True, ["天和"], "“天和”只属于庄家", "belongs to the dealer"),
        (OPEN, "E", True, ["天和"], "不能有副露", "no melds"),
        (CLOSED, "E", False, ["天和"], "请注明自摸", "needs a self-drawn win"),
        (CLOSED, "E", False, ["地和"], "只属于闲家", "other players"),
        (CLOSED, "S", True, ["地和"], "不能同时是自摸", "cannot be a self-draw"),
        (OPEN, "S", False, ["地和"], "不能有副露", "no melds"),
        (OPEN, "S", False, ["人和"], "不能有副露", "no melds"),
        (CLOSED, "E", False, ["海底捞月"], "请注明自摸", "needs a self-drawn win"),
        (CLOSED, "E", True, ["河底捞鱼"], "不能同时是自摸", "cannot be a self-draw"),
        (SINGLE, "E", True, ["抢杠"], "不能同时是自摸", "cannot be a self-draw"),
        (CLOSED, "E", False, ["抢杠"], "自己手里不能还有", "cannot hold one more"),
        (CLOSED, "E", True, ["岭上开花"], "牌里没有杠", "needs a kong"),
        (KONG, "E", True, ["连杠开花"], "两个杠", "two kongs"),
        (KONG, "E", False, ["岭上开花"], "请注明自摸", "needs a self-drawn win"),
        (CLOSED, "E", False, ["和绝张"], "手里不能还有", "none can be concealed"),
        ("123m456pCC23s(123s)+1s", "E", False, ["生张"], "自己的副露里却有它", "an exposed meld holds one"),
        (OPEN, "S", False, ["天听"], "不能有明的副露", "exposed melds"),
        (CLOSED, "E", False, ["天听"], "只属于闲家", "other players"),
        (CLOSED, "E", False, ["人和"], "只属于闲家", "other players"),
        (SINGLE, "E", False, ["抢杠", "河底捞鱼"], "没有补牌就不能开杠", "no kong without a tile"),
        (CLOSED, "E", True, ["天和", "海底捞月"], "“天和”和“海底捞月”不能同时发生", "cannot happen together"),
        (SINGLE, "E", False, ["生张", "和绝张"], "不能同时发生", "cannot happen together"),
        (SINGLE, "E", True, ["海底捞月", "河底捞鱼"], "", "cannot"),
        (CLOSED, "E", False, ["海底捞鱼"], "没有“海底捞鱼”这种和牌情形，是不是海底捞月、河底捞鱼？", "did you mean"),
        (CLOSED, "E", False, ["xyz"], "可用：天和、地和", "there are"),
        (CLOSED, "E", False, [5], "没有“5”", "'5'"),
        (CLOSED, "X", False, [], "没有“X”这个风位", "no wind 'X'"),
        (CLOSED, 1, False, [], "没有“1”这个风位", "no wind 1"),
        (CLOSED, "E", "yes", [], "true 或 false", "true or false"),
        (CLOSED, "E", False, "天和", "名称的列表", "a list of names"),
        (CLOSED, "E", False, None, "名称的列表", "a list of names"),
    ],
)
def test_contradictions_are_refused(hand: str, seat: str, self_draw: bool, names: list[str], zh: str, en: str) -> None:
    with pytest.raises(Error) as caught:
        situate(parse(hand), SMALL, seat=seat, self_draw=self_draw, circumstances=names)
    assert zh in caught.value.say("zh")
    assert en in caught.value.say("en")


@pytest.mark.parametrize(
    ("name", "en"), [("xyz", "there are: heavenly hand, "), ("杠上", "did you mean win on a replacement tile")]
)
def test_an_english_refusal_names_circumstances_in_english(name: str, en: str) -> None:
    with pytest.raises(UnknownName) as caught:
        situate(parse(CLOSED), a_book("lingque-29"), circumstances=[name])
    assert en in caught.value.say("en")


class TestTable:
    """What the book's table rules decide."""

    @pytest.fixture
    def book(self, monkeypatch: pytest.MonkeyPatch) -> Rulebook:
        table = TableRules(earthly="first draw", heavenly_after_kong=True)
        rules = PlayRules(table=table, match=MatchRules(), settle=lambda ending, book: ())
        monkeypatch.setattr(play_rules, "play_rules", lambda book: rules)
        return replace(SMALL, play="somewhere")

    def test_earthly_may_be_a_self_draw(self, book: Rulebook) -> None:
        assert situate(parse(CLOSED), book, seat="S", self_draw=True, circumstances=["地和"]).self_draw
        with pytest.raises(HandError, match="请注明自摸"):
            situate(parse(CLOSED), book, seat="S", circumstances=["地和"])

    def test_heavenly_may_follow_a_concealed_kong(self, book: Rulebook) -> None:
        hand = parse("123m456pCCEE[9999s]+E")
        with pytest.raises(HandError, match="不能有副露或杠"):
            situate(hand, SMALL, self_draw=True, circumstances=["天和"])
        assert situate(hand, book, self_draw=True, circumstances=["天和"]).luck & Luck.HEAVENLY
        with pytest.raises(HandError, match="不能有副露"):
            situate(parse(OPEN), book, self_draw=True, circumstances=["天和"])


@pytest.mark.parametrize("writing", ["S", "s", "south", "South", "南", " 南 "])
def test_winds(writing: str) -> None:
    assert wind(writing) == 28


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ((), ()), (None, ()), (3, 3), ("3", 3), ("春梅", (0, 4)), ("梅, 春", (0, 4)), (["春", "蘭"], (0, 5)),
        ("spring,plum", (0, 4)), ("Spring plum", (0, 4)), ("🀦🀢", (0, 4)), ("", ()), (["🀩"], (3,)),
    ],
)  # fmt: skip
def test_flowers(given: object, numbers: object) -> None:
    assert flower_numbers(given) == numbers


@pytest.mark.parametrize(
    "given", [9, -1, True, "12", "春春", ["春", "春"], "龙", ["x"], [None], 2.5, {"a": 1}, "99999999999999"]
)
def test_no_such_flowers(given: object) -> None:
    with pytest.raises(Error):
        flower_numbers(given)


def test_a_book_without_flowers_refuses_them() -> None:
    book = replace(SMALL, flower_value=0)
    with pytest.raises(HandError, match="不用花牌"):
        situate(parse(CLOSED), book, flowers="春")
    assert situate(parse(CLOSED), SMALL, flowers="春").flowers == (0,)


def test_other_names_become_the_books_own() -> None:
    assert luck_of([" 抢杠和 "], SMALL) == [("抢杠", int(Luck.ROBBED_KONG))]
    with pytest.raises(UnknownName):
        luck_of([""], SMALL)


@pytest.mark.parametrize(
    ("text", "luck", "zh"),
    [
        ("147m258p369sESWN+C", Luck.SELF_DRAW | Luck.KONG_DRAW, "需要先开杠"),
        ("123m456p3377s(678s)+7s", Luck.FOURTH_TILE, "另外三张都已亮明"),
        ("123m456p3377s(678s)+7s", Luck.LAST_DRAW, "只在自摸时成立"),
        ("123m456p3377s(678s)+7s", Luck.SELF_DRAW | Luck.LAST_DISCARD, "不能同时是自摸"),
        ("123m456p3377s(678s)+7s", Luck.ROBBED_KONG, "自己手里不能还有"),
    ],
)
def test_a_hand_with_impossible_luck_is_refused_as_its_text_is(text: str, luck: Luck, zh: str) -> None:
    rules = quepu.book("guobiao-mcr")
    hand = quepu.parse(text)._replace(luck=int(luck))
    with pytest.raises(quepu.HandError, match=zh) as refused:
        quepu.score(hand, rules)
    names = [name for name, bits in rules.circumstances.items() if bits & luck & ~Luck.SELF_DRAW]
    with pytest.raises(quepu.HandError) as of_text:
        quepu.score(text, rules, self_draw=bool(luck & Luck.SELF_DRAW), circumstances=names)
    assert refused.value.text == of_text.value.text
    assert quepu.score(hand._replace(luck=int(luck & Luck.SELF_DRAW)), rules).points > 0
