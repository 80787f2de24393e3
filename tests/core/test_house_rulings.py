"""Rulings in a file of house rules (`house_rulings`): what they keep, and both sides of every limit."""

from __future__ import annotations

import pytest

from quepu.errors import OverlayError, Text
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read

WON = "123m456p789sEECC+C"
HAND = f'{{ hand = "{WON}", points = 100 }}'


def ruling(id: str = "X1", *, hands: str = "", **more: str) -> str:
    lines = {"id": f'"{id}"', "question": '"问"', "answer": '"答"'} | more
    body = "".join(f"{key} = {value}\n" for key, value in lines.items() if value)
    return f"[[rulings]]\n{body}" + (f"hands = [{hands}]\n" if hands else "")


def house(*rulings: str) -> str:
    return 'base = "lingque-29"\n' + "".join(rulings)


def test_a_ruling_keeps_everything_that_is_written() -> None:
    hand = f'{{ hand = "{WON}", seat = "N", round = "S", self_draw = true, circumstances = ["海底捞月"], points = 7 }}'
    made = read(
        house(
            ruling(
                question='{ zh = "问一", en = "one?" }',
                answer='{ en = "yes" }',
                sentence='"喜相逢与镜同互斥"',
                hands=f"{hand}, {HAND.replace('points', 'total')}",
            ),
            ruling("X2"),
        )
    )
    first, second, *rest = made.rulings
    assert (first.id, first.question, first.answer) == ("X1", Text("问一", "one?"), Text("yes", "yes"))
    assert first.sentence == "喜相逢与镜同互斥"
    (example, points, measure), (plain, other, whole) = first.hands
    assert (example.hand, example.seat, example.round, example.self_draw) == (WON, "N", "S", True)
    assert (example.circumstances, points, measure, whole) == (("海底捞月",), 7, "points", "total")
    assert (plain.seat, plain.round, plain.self_draw, plain.circumstances, other) == ("E", "E", False, (), 100)
    assert (second.id, second.question, second.sentence, second.hands) == ("X2", Text("问", "问"), "", ())
    assert rest == list(book("lingque-29").rulings)


def test_a_ruling_takes_the_place_of_the_books_own() -> None:
    own = book("lingque-29").rulings
    made = read(house(ruling(own[1].id)))
    assert made.rulings[0].answer == Text("答", "答")
    assert made.rulings[1:] == (own[0], *own[2:])


@pytest.mark.parametrize(
    ("good", "bad", "zh"),
    [
        ([ruling(f"X{n}") for n in range(30)], [ruling(f"X{n}") for n in range(31)], "裁定最多 30 条"),
        ([ruling("X1"), ruling("X2")], [ruling("X0"), ruling("X1"), ruling("X1")], "裁定“X1”写了两次"),
        ([ruling("X" * 40)], [ruling("X" * 41)], "每条裁定要有 id"),
        ([ruling()], [ruling(id="")], "每条裁定要有 id"),
        ([ruling()], [ruling(note='"x"')], "裁定没有“note”，可用：id question sentence answer hands"),
        ([ruling()], [ruling(question="")], "裁定“X1”的 question 应是一段文字"),
        ([ruling()], [ruling(answer="")], "裁定“X1”的 answer 应是一段文字"),
        ([ruling()], [ruling(answer="3")], "裁定“X1”的 answer 应是一段文字"),
        ([ruling(answer='{ zh = "是" }')], [ruling(answer='{ de = "ja" }')], "answer 应是一段文字"),
        ([ruling(sentence=f'"{"句" * 400}"')], [ruling(sentence=f'"{"句" * 401}"')], "sentence 应是文字"),
        ([ruling()], [ruling(sentence="3")], "sentence 应是文字"),
        ([ruling()], [ruling() + 'hands = "x"\n'], "hands 应是牌例的列表"),
        ([ruling(hands=", ".join([HAND] * 20))], [ruling(hands=", ".join([HAND] * 21))], "牌例最多 20 手"),
        (
            [ruling(hands=HAND)],
            [ruling(hands='"x"')],
            "牌例应写：hand, seat, round, self_draw, circumstances, flowers, points, total",
        ),
        ([ruling(hands=HAND)], [ruling(hands="{ points = 3 }")], "牌例应写：hand"),
        ([ruling(hands=HAND)], [ruling(hands=HAND.replace("}", ", luck = 1 }"))], "牌例应写：hand"),
        ([ruling(hands=HAND)], [ruling(hands=HAND.replace(", points = 100", ""))], "应写 points"),
        ([ruling(hands=HAND.replace("100", "0"))], [ruling(hands=HAND.replace("100", "-1"))], "应写 points"),
        (
            [ruling(hands=HAND.replace("100", "1000000"))],
            [ruling(hands=HAND.replace("100", "1000001"))],
            "应写 points",
        ),
        ([ruling(hands=HAND)], [ruling(hands=HAND.replace("}", ', seat = "R" }'))], "seat、round 是 E、S、W、N 之一"),
        ([ruling(hands=HAND)], [ruling(hands=HAND.replace("}", ', round = "e" }'))], "seat、round 是 E、S、W、N 之一"),
        ([ruling(hands=HAND)], [ruling(hands=HAND.replace("}", ", self_draw = 1 }"))], "self_draw 是 true 或 false"),
        (
            [ruling(hands=HAND.replace("}", ", circumstances = [] }"))],
            [ruling(hands=HAND.replace("}", ', circumstances = "海底捞月" }'))],
            "flowers 是名称的列表",
        ),
        (
            [ruling(hands=HAND.replace("}", ', circumstances = ["海底捞月"] }'))],
            [ruling(hands=HAND.replace("}", ', circumstances = ["海底捞月", "花糊", "天糊"] }'))],
            "没有“花糊”这种情形",
        ),
        ([ruling(hands=HAND)], [ruling(hands=HAND.replace("EECC+C", "EECCX+C"))], "裁定“X1”的牌例：第 "),
    ],
)
def test_both_sides_of_a_limit(good: list[str], bad: list[str], zh: str) -> None:
    read(house(*good))
    with pytest.raises(OverlayError) as refused:
        read(house(*bad))
    assert zh in refused.value.say("zh")
    assert not any("一" <= char <= "鿿" for char in refused.value.say("en") if char not in "海底捞月花糊天")


def test_the_first_unknown_circumstance_is_named_in_both_languages() -> None:
    hand = HAND.replace("}", ', circumstances = ["海底捞月", "花糊", "天糊"] }')
    with pytest.raises(OverlayError) as refused:
        read(house(ruling(hands=hand)))
    assert "没有“花糊”这种情形" in refused.value.say("zh")
    assert "there is no circumstance '花糊'." in refused.value.say("en")
