"""The names that `import quepu` gives stay what they are, whatever has been imported since."""

import pickle

import pytest

import quepu
from quepu.tiles import SOUTH


def test_calling_a_function_does_not_replace_it_by_a_module():
    """`quepu.waits` was once also a module: the first call put that in the function's place."""
    for _ in range(2):
        assert quepu.waits("123m456p789sCCEE", rules="guobiao").missing == 1
        assert quepu.discards("123m456p789sCCEES", rules="guobiao")[0].discard == SOUTH
    for name in ("parse", "score", "waits", "discards", "write", "book", "books"):
        assert callable(getattr(quepu, name)), name


@pytest.mark.parametrize(
    "ask",
    [
        lambda: quepu.score_many("123m456p789sCCEE+E"),
        lambda: quepu.score_many(quepu.parse("123m456p789sCCEE+E")),
        lambda: quepu.waits("123m456p789sCCEE", seen=[34]),
        lambda: quepu.waits("123m456p789sCCEE", seen=[-1]),
        lambda: quepu.waits("123m456p789sCCEE", seen="CCC"),
        lambda: quepu.waits("123m456p789sCCEES"),
        lambda: quepu.waits("123m456p789sCCEE+S"),
        lambda: quepu.discards("123m456p789sCCEE"),
        lambda: quepu.waits("123m456p789sCCEE", self_draw=True, circumstances=["河底捞鱼"]),
        lambda: quepu.waits("123m456p789sCCEE", circumstances=["岭上开花"]),  # no kong
    ],
)
def test_a_slip_in_a_call_gets_one_sentence(ask):
    with pytest.raises(quepu.HandError) as caught:
        ask()
    assert caught.value.say("zh").endswith("。")


def test_a_refusal_travels_between_processes():
    with pytest.raises(quepu.NotationError) as caught:
        quepu.parse("1122x")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.text, again.at, str(again)) == (
        quepu.NotationError, caught.value.text, 4, str(caught.value),
    )  # fmt: skip


@pytest.mark.parametrize("ask", [quepu.score, quepu.waits, quepu.discards])
@pytest.mark.parametrize("given", [None, 5, b"123m", ["123m"]])
def test_what_is_no_text_is_no_hand(ask, given):
    with pytest.raises(quepu.NotationError, match="应是一段文字"):
        ask(given)


@pytest.mark.parametrize(
    ("rules", "zh", "en"),
    [
        ("guobiao", "差 5 番起和（起和 8 番）", "5 fan short of the minimum of 8"),
        ("lingque-29", "差 8 点起和（起和 10 点）", "8 points short of the minimum of 10"),
    ],
)
def test_what_is_short_is_told_in_the_unit_of_the_book(rules, zh, en):
    score = quepu.score("234m(678p)(345s)(111p)7s+7s", rules)
    assert (score.explain().splitlines()[-1], score.explain("en").splitlines()[-1]) == (zh, en)
