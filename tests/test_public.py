"""The names that `import quepu` gives stay what they are, whatever has been imported since."""

import inspect
import pickle
import pydoc

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
    "call",
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
def test_a_slip_in_a_call_gets_one_sentence(call):
    with pytest.raises(quepu.HandError) as caught:
        call()
    assert caught.value.say("zh").endswith("。")


def test_a_refusal_travels_between_processes():
    with pytest.raises(quepu.NotationError) as caught:
        quepu.parse("1122x")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.text, again.at, str(again)) == (
        quepu.NotationError, caught.value.text, 4, str(caught.value),
    )  # fmt: skip


@pytest.mark.parametrize("call", [quepu.score, quepu.waits, quepu.discards])
@pytest.mark.parametrize("given", [None, 5, b"123m", ["123m"]], ids=repr)
def test_what_is_no_text_is_no_hand(call, given):
    with pytest.raises(quepu.NotationError, match="应是一段文字"):
        call(given)


@pytest.mark.parametrize(
    ("rules", "zh", "en"),
    [
        ("guobiao", "差 5 番起和（起和 8 番）", "5 points short of the minimum of 8"),
        ("lingque-29", "差 8 点起和（起和 10 点）", "8 points short of the minimum of 10"),
    ],
)
def test_what_is_short_is_given_in_the_unit_of_the_book(rules, zh, en):
    score = quepu.score("234m(678p)(345s)(111p)7s+7s", rules)
    assert (score.explain().splitlines()[-1], score.explain("en").splitlines()[-1]) == (zh, en)


@pytest.mark.parametrize("given", [None, 5, b"canton", []], ids=repr)
def test_what_is_no_name_is_no_book(given):
    with pytest.raises(quepu.UnknownName, match="规则应是"):
        quepu.score("123m456p789sCCEE+E", given)


@pytest.mark.parametrize("seen", [None, 5, ["1m"], [1.5], [34]])
def test_what_is_no_tile_was_not_seen(seen):
    with pytest.raises(quepu.HandError, match="seen"):
        quepu.waits("123m456p789sCCEE", seen=seen)


@pytest.mark.parametrize(
    ("called", "sentence"),
    [
        (lambda: quepu.score("123m456p789sCCEE+E", sead="S"), "did you mean seat"),
        (lambda: quepu.waits("123m456p789sCCEE", circumstance=[]), "did you mean circumstances?"),
        (lambda: quepu.discards("123m456p789sCCEES", seeen="E"), "did you mean seen"),
        (lambda: quepu.shanten("123m456p789sCCEE", rule="guobiao"), "did you mean rules?"),
        (lambda: quepu.score_many(["123m456p789sCCEE+E"], wining=3), "did you mean winning?"),
        (lambda: quepu.book("guobiao").having(options={"flower": 1}), "has no option"),
    ],
)
def test_an_unknown_keyword_names_those_like_it(called, sentence):
    with pytest.raises(quepu.UnknownName) as caught:
        called()
    assert sentence in caught.value.say("en")
    assert caught.value.say("zh").endswith(("？", "。"))


def test_a_keyword_like_none_names_them_all():
    with pytest.raises(quepu.UnknownName) as caught:
        quepu.score("123m456p789sCCEE+E", foo=1)
    assert caught.value.say("en").startswith(
        "score got an unexpected keyword argument 'foo'; there are: hand, rules, seat, "
    )
    assert "是不是" not in caught.value.say("zh") and caught.value.say("zh").endswith("。")


@pytest.mark.parametrize("lang", ["fr", "", "法", 3])
def test_an_explanation_is_in_a_language_that_there_is(lang):
    score = quepu.score("123m456p789sCCEE+E")
    with pytest.raises(quepu.UnknownName, match="zh"):
        score.explain(lang)
    assert score.explain("en_GB") == score.explain("en") != score.explain("zh")


@pytest.mark.parametrize("function", [quepu.score, quepu.waits, quepu.discards, quepu.completion, quepu.shanten])
def test_completion_and_help_show_every_keyword(function):
    parameters = inspect.signature(function).parameters
    names = ["hand", "rules", "seat", "round", "self_draw", "circumstances", "flowers"]
    assert list(parameters) == (names if function not in (quepu.waits, quepu.discards) else [*names, "seen"])
    plain = {name: one.default for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY}
    hand = {quepu.score: "123m456p789sCCEE+E", quepu.discards: "123m456p789sCCEES"}
    text = hand.get(function, "123m456p789sCCEE" + "E" * (function is quepu.completion))
    assert function(text, "guobiao", **plain) == function(text, "guobiao")
    assert "self_draw: 'bool' = False" in pydoc.render_doc(function)


@pytest.mark.parametrize("call", [quepu.score, quepu.waits, quepu.discards, quepu.shanten])
@pytest.mark.parametrize("given", [{"seat": "S"}, {"self_draw": True}, {"circumstances": ["抢杠和"]}, {"flowers": 2}])
def test_keywords_beside_a_hand_are_refused(call, given):
    with pytest.raises(quepu.HandError, match=next(iter(given))):
        call(quepu.parse("123m456p789sCCEE+E"), "guobiao", **given)
    with pytest.raises(quepu.HandError, match=next(iter(given))):
        quepu.score_many([quepu.parse("123m456p789sCCEE+E")], "guobiao", **given)


@pytest.mark.parametrize(
    "given",
    [
        {"seat": "S", "round": "南", "self_draw": True},
        {"self_draw": True, "circumstances": ["Last Tile Draw"], "flowers": ["春"]},
        {"flowers": 3, "seat": "W"},
    ],
)
def test_many_texts_take_the_keywords_of_one(given):
    hands = ["123m456p789sSSEE+E", "12x", "234m(678p)(345s)(111p)7s+7s"]
    scores = quepu.score_many(hands, "guobiao", **given)
    one = quepu.score(hands[0], "guobiao", **given)
    assert (scores.points[0], scores.total[0]) == (one.points, one.total)
    assert scores.valid.tolist() == [True, False, True]
    assert str(scores.errors[1]) == "第 3 个字符：不认识“x”。"


def test_an_array_takes_the_words_of_a_text():
    import numpy as np

    hand = quepu.parse("123m456p789sSSEE+E")
    counts = np.array([hand.counts()])
    scores = quepu.score_many(counts, "guobiao", winning=27, seat="S", round="S", self_draw=True, flowers=["春"])
    one = quepu.score("123m456p789sSSEE+E", "guobiao", seat="S", round="S", self_draw=True, flowers=["春"])
    assert (scores.points[0], scores.total[0]) == (one.points, one.total)


@pytest.mark.parametrize("name", ["Full Flush", "full flush", " FULL FLUSH", "清一色"])
def test_a_fan_has_both_its_names_in_any_case(name):
    assert quepu.book("guobiao").fan(name).name == "清一色"


@pytest.mark.parametrize("name", ["last tile draw", "LAST TILE DRAW", "妙手回春"])
def test_a_circumstance_has_both_its_names_in_any_case(name):
    score = quepu.score("123m456p789sCCEE+E", "guobiao", self_draw=True, circumstances=[name])
    assert "妙手回春" in {fan.name for fan in score.fans}


def test_every_circumstance_has_an_english_name():
    from quepu.rules.circumstances import luck_of, spellings

    for book in quepu.books():
        english = {name: spelling for spelling, name in spellings(book).items() if spelling.isascii()}
        assert set(book.circumstances) <= set(english), book.id
        assert all(luck_of([english[name]], book)[0][0] == name for name in book.circumstances)


def test_a_file_of_house_rules_is_a_book_everywhere(tmp_path):
    file = tmp_path / "club.toml"
    file.write_text('base = "guobiao"\nminimum = 12\n', encoding="utf-8")
    path, hand = str(file), "123m456p789sCCEE"
    assert quepu.book(path).minimum == 12
    assert quepu.score(hand + "+E", path).minimum == 12
    assert quepu.waits(hand, path).waits[0].scores[0].minimum == 12
    assert quepu.discards(hand + "S", path)[0].outlook.waits[0].scores[0].minimum == 12
    assert quepu.shanten(hand, path) == 0
    assert quepu.score_many([hand + "+E"], path).book.minimum == 12


def test_honours_by_number_in_both_orders():
    assert str(quepu.parse("123m456p789s5577z")) == str(quepu.parse("123m456p789sCCPP"))
    assert quepu.parse("123m456p789s5577z", honours="riichi") == quepu.parse("123m456p789sPPCC")
    assert quepu.parse_tiles("1234567z", honours="riichi") == quepu.parse_tiles("ESWNPFC")
    with pytest.raises(quepu.UnknownName, match="japanese"):
        quepu.parse("55z", honours="japanese")
