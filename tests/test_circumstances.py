"""Circumstances by the book's names, and their contradictions."""

from __future__ import annotations

from dataclasses import replace

import pytest

import quepu
from quepu import NotAWin
from quepu.errors import Error, HandError, UnknownName
from quepu.hands.hand import Luck
from quepu.hands.notation import parse
from quepu.rulebooks import book as a_book
from quepu.rulebooks import books
from quepu.rules import play_rules
from quepu.rules.circumstances import (
    english_name,
    luck_of,
    refuse_beside_hand,
    refuse_impossible,
    refuse_named,
    refuse_other_tiles,
    situate,
    typed_name,
)
from quepu.rules.play_rules import MatchRules, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import wind
from quepu.tiles import PLAIN
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

    def test_a_hand_that_waits_is_asked_about_wins_that_its_circumstances_allow(self, book: Rulebook) -> None:
        """A circumstance of self-drawn wins alone means that only those are considered."""
        for rules, drawn in (
            (book, {"岭上开花", "海底捞月", "天和", "地和"}),
            (SMALL, {"岭上开花", "海底捞月", "天和"}),
        ):
            for name in ("岭上开花", "海底捞月", "天和", "地和", "人和", "河底捞鱼", "抢杠", "和绝张", "生张"):
                hand = parse("123m456pCCEE[9999s]" if name == "岭上开花" else "123m456p789sCEEE")
                seat = "S" if name in ("地和", "人和") else "E"
                made = situate(hand, rules, seat=seat, circumstances=[name], waiting=True)
                assert made.self_draw is (name in drawn), name
                assert made.luck & ~Luck.SELF_DRAW == rules.circumstances[name]
        assert not situate(parse("123m456p789sCEEE"), book, waiting=True).luck
        with pytest.raises(HandError, match="请注明自摸"):
            situate(parse(KONG), SMALL, circumstances=["岭上开花"])

    def test_heavenly_may_follow_a_concealed_kong(self, book: Rulebook) -> None:
        hand = parse("123m456pCCEE[9999s]+E")
        with pytest.raises(HandError, match="不能有副露或杠"):
            situate(hand, SMALL, self_draw=True, circumstances=["天和"])
        assert situate(hand, book, self_draw=True, circumstances=["天和"]).luck & Luck.HEAVENLY
        with pytest.raises(HandError, match="不能有副露"):
            situate(parse(OPEN), book, self_draw=True, circumstances=["天和"])


def test_a_book_without_flowers_refuses_them() -> None:
    book = replace(SMALL, flower_value=0)
    with pytest.raises(HandError, match="不用花牌"):
        situate(parse(CLOSED), book, flowers="春")
    assert situate(parse(CLOSED), SMALL, flowers="春").flowers == (0,)
    assert situate(parse(CLOSED), book).flowers == ()
    reading = replace(book, fans=(*book.fans, replace(book.fans[0], name="花", when=lambda h: h.flowers != 0)))
    assert situate(parse(CLOSED), reading, flowers="春").flowers == (0,)


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


LUCK = [bit.name for bit in Luck if bit not in (Luck.SELF_DRAW, Luck.CLOSED)]
EVERY = replace(SMALL, circumstances={name: int(Luck[name]) for name in LUCK}, near={})
"""A book with a name for every circumstance."""
NEVER_TOGETHER = """
KONG_DRAW LAST_DISCARD ROBBED_KONG HEAVENLY EARTHLY HUMANLY ROBBED_FLOWER OUTER_DISCARDS
LAST_DRAW LAST_DISCARD ROBBED_KONG HEAVENLY EARTHLY FIRST_ROUND HUMANLY ROBBED_FLOWER OUTER_DISCARDS
LAST_DISCARD ROBBED_KONG HEAVENLY EARTHLY FIRST_ROUND TWO_KONGS THREE_KONGS HUMANLY ROBBED_FLOWER OUTER_DISCARDS
ROBBED_KONG HEAVENLY EARTHLY FRESH_TILE TWO_KONGS THREE_KONGS HUMANLY ROBBED_FLOWER OUTER_DISCARDS
HEAVENLY EARTHLY FOURTH_TILE TWO_KONGS THREE_KONGS READY_AT_DEAL READY_AT_FIRST HUMANLY ROBBED_FLOWER OUTER_DISCARDS
EARTHLY TWO_KONGS THREE_KONGS READY_AT_FIRST HUMANLY ROBBED_FLOWER OUTER_DISCARDS
FOURTH_TILE FRESH_TILE HUMANLY ROBBED_FLOWER OUTER_DISCARDS
FRESH_TILE ROBBED_FLOWER OUTER_DISCARDS
FIRST_ROUND ROBBED_FLOWER OUTER_DISCARDS
TWO_KONGS HUMANLY ROBBED_FLOWER OUTER_DISCARDS
THREE_KONGS HUMANLY ROBBED_FLOWER OUTER_DISCARDS
READY_AT_DEAL READY_AT_FIRST OUTER_DISCARDS
READY_AT_FIRST HUMANLY OUTER_DISCARDS
FIRST_CHANCE OUTER_DISCARDS
HUMANLY ROBBED_FLOWER OUTER_DISCARDS
SEVEN_FLOWERS EIGHT_FLOWERS ROBBED_FLOWER OUTER_DISCARDS
EIGHT_FLOWERS ROBBED_FLOWER OUTER_DISCARDS
ROBBED_FLOWER OUTER_DISCARDS
"""
"""Circumstances and those below them that never come with them: each pair stands here once."""
HANDS = (
    CLOSED, "123m[8888s][7777s][9999s]C+C", SINGLE, "123m(8888s)(7777s)[9999s]C+C",
    "12m(8888s)(7777s)[9999s]CC+3m", "123m456p789sCEEE",
)  # fmt: skip


def is_possible(*names: str) -> bool:
    """Whether these circumstances come together in some hand."""
    for hand in HANDS:
        for seat in "ES":
            for drawn in (True, False):
                for flowers in (0, 7, 8):
                    try:
                        situate(parse(hand), EVERY, seat=seat, self_draw=drawn, circumstances=names, flowers=flowers)
                    except HandError:
                        continue
                    return True
    return False


def test_which_circumstances_never_come_together() -> None:
    lines = [line.split() for line in NEVER_TOGETHER.strip().splitlines()]
    never = {frozenset((one, two)) for one, *rest in lines for two in rest}
    for i, one in enumerate(LUCK):
        for two in LUCK[:i]:
            assert is_possible(one, two) is is_possible(two, one) is (frozenset((one, two)) not in never), (one, two)


def refusal(hand: str, name: str, **given: object) -> str:
    """Return the sentence that refuses a circumstance, or nothing."""
    try:
        situate(parse(hand), EVERY, circumstances=[name], **given)  # type: ignore[arg-type]
    except HandError as error:
        return error.say("zh")
    return ""


def test_how_many_flowers_and_kongs_a_circumstance_needs() -> None:
    for name, fits in (("SEVEN_FLOWERS", (7, 8)), ("EIGHT_FLOWERS", (8,)), ("ROBBED_FLOWER", (7, 8))):
        for flowers in range(9):
            assert (refusal(CLOSED, name, flowers=flowers) == "") is (flowers in fits), (name, flowers)
    kongs = ("(9999s)", "[8888s]", "(7777s)", "[1111p]")
    for n in range(5):
        rest = "123m456m789m123p"[: 4 * (4 - n)].replace("123p", "333p")
        hand = f"{''.join(kongs[:n])}{rest}C+C"
        for name, least in (("KONG_DRAW", 1), ("TWO_KONGS", 2), ("THREE_KONGS", 3)):
            assert (refusal(hand, name, self_draw=True) == "") is (n >= least), (name, n)
    pung = "123m456p789sC(EEE)+C"
    assert "需要先开杠" in refusal(pung, "KONG_DRAW", self_draw=True)


def test_how_many_copies_of_the_winning_tile_a_circumstance_leaves() -> None:
    for hand, robbed, fourth, fresh in (
        ("123m456p789s12mCC+3m", False, False, True),
        ("456p789s12mCC(234p)+3m", True, True, True),
        ("123m456p789sCEEE+C", False, False, True),
        ("456p789s12mCC(123m)+3m", False, True, False),
        ("456p12mCC(333m)(789s)+3m", False, True, False),
    ):
        for name, good in (("ROBBED_KONG", robbed), ("FOURTH_TILE", fourth), ("FRESH_TILE", fresh)):
            assert (refusal(hand, name) == "") is good, (hand, name)


def test_what_stands_beside_a_hand_that_has_its_own() -> None:
    nothing = {"seat": None, "self_draw": False, "circumstances": (), "names": [], "text": "", "flowers": 0}
    refuse_beside_hand({})
    refuse_beside_hand(nothing)
    for key, value in (("seat", "E"), ("self_draw", True), ("circumstances", ["天和"]), ("flowers", 1)):
        with pytest.raises(HandError, match=f"不能再给 {key}；"):
            refuse_beside_hand({**nothing, key: value})
    with pytest.raises(HandError, match="不能再给 seat、flowers；"):
        refuse_beside_hand({**nothing, "seat": "E", "flowers": 2})


def test_tiles_that_are_not_in_the_game() -> None:
    rules = replace(SMALL, tiles=PLAIN._replace(kinds=tuple(range(27))))
    refuse_other_tiles(parse("123456789m11p11s+1s"), rules)
    refuse_other_tiles(parse("12m456p789s11s222s+3m"), rules)
    refuse_other_tiles(parse("12m456p789s11s222s"), rules)  # one that waits has no winning tile
    for text, said in (
        ("123m456p789s11sEE+E", "东"), ("123m45p11s(CCC)(FFF)+6p", "中、发"), ("123m456p789s1122s+P", "白"),
    ):  # fmt: skip
        with pytest.raises(HandError, match=f"没有{said}这样的牌"):
            refuse_other_tiles(parse(text), rules)


@pytest.mark.parametrize("rules", [*books(), SMALL], ids=lambda one: one.id)
def test_every_spelling_of_a_circumstance_is_read(rules: Rulebook) -> None:
    for name, bits in rules.circumstances.items():
        english = english_name(name, rules)
        for spelling in (
            name,
            f" {name} ",
            english,
            english.upper(),
            english.replace(" ", "-"),
            typed_name(name, rules).en,
        ):
            assert luck_of([spelling], rules) == [(name, int(bits))], spelling
    for near, name in rules.near.items():
        assert luck_of([near], rules)[0][0] == name
    for drawn in ("自摸", "self_draw", "self-draw", "Self Draw"):
        assert luck_of([drawn], rules)[0][1] & Luck.SELF_DRAW


def test_only_a_win_by_flowers_needs_no_winning_tile() -> None:
    waiting = "159m2468p37sEWCF"
    found = quepu.score(waiting, "canton", circumstances=["花糊"], flowers="春夏秋冬梅兰菊")
    assert [fan.name for fan in found.fans] == ["花糊", "庄家"] and found.can_win
    for rules in ("canton", "guobiao"):
        with pytest.raises(NotAWin, match="没写和张"):
            quepu.score(waiting, rules)
    with pytest.raises(NotAWin, match="不"):
        quepu.score(f"{waiting}+1m", "canton")


def test_only_circumstances_that_hold_as_a_whole_are_asked_about() -> None:
    """连杠开花 is a kong draw after two kongs: a hand with one kong has the first without the second."""
    hand, drawn = parse(KONG), Luck.SELF_DRAW | Luck.KONG_DRAW
    for luck in (0, Luck.SELF_DRAW, drawn):
        refuse_impossible(hand._replace(luck=int(luck)), SMALL)
    for luck, said in ((Luck.KONG_DRAW, "请注明自摸"), (drawn | Luck.TWO_KONGS, "“连杠开花”需要两个杠")):
        with pytest.raises(HandError, match=said):
            refuse_impossible(hand._replace(luck=int(luck)), SMALL)
    unnamed = replace(SMALL, circumstances={"杠后自摸": Luck.KONG_DRAW | Luck.SELF_DRAW})
    refuse_impossible(hand._replace(luck=int(Luck.LAST_DRAW)), unnamed)  # it has no name for this
    with pytest.raises(HandError, match="“杠后自摸”只在自摸时成立"):
        refuse_impossible(hand._replace(luck=int(Luck.KONG_DRAW)), unnamed)
    refuse_named(["抢杠"], parse(SINGLE), SMALL)
    with pytest.raises(HandError, match="需要先开杠"):
        refuse_named(["岭上开花"], parse(SINGLE)._replace(luck=int(drawn)), SMALL)
    with pytest.raises(UnknownName):
        refuse_named(["没有"], hand, SMALL)


def test_names_of_circumstances_are_those_of_the_book() -> None:
    assert luck_of(["self-draw", "SELF DRAW"], SMALL) == [("自摸", int(Luck.SELF_DRAW))] * 2
    rows = (
        replace(SMALL.fans[0], name="抢杠", english="Robbing a Kong", former=("抢",)),
        replace(SMALL.fans[1], former=("四",)),
    )
    rules = replace(SMALL, fans=rows, near={"Last Draw": "海底捞月", "妙手": "海底捞月"})
    for written in ("抢", "robbing a kong", "Robbing-a-Kong"):
        assert luck_of([written], rules) == [("抢杠", int(Luck.ROBBED_KONG))]
    assert [english_name(name, rules) for name in ("抢杠", "海底捞月", "天和")] == [
        "Robbing a Kong",
        "Last Draw",
        "天和",
    ]
    assert typed_name("抢杠", rules) == ("抢杠", "robbing-a-kong") and typed_name("天和", rules) == ("天和", "天和")
    for wrong in ("四", "四刻"):
        with pytest.raises(UnknownName):
            luck_of([wrong], rules)
    with pytest.raises(UnknownName) as refused:
        luck_of(["xyz"], replace(SMALL, circumstances={}, near={}))
    assert refused.value.text == ("小书没有“xyz”这种和牌情形。", "Small book has no circumstance 'xyz'.")
