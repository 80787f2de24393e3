"""Rows and books: names, values in words, relations, revisions, options, and what is looked up by limits."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from tests.books import SMALL

import quepu
from quepu.errors import Text, UnknownName
from quepu.hands.planes import Planes
from quepu.rulebooks import book, books, readings
from quepu.rulebooks.lingque.row import LingqueExtra
from quepu.rules import measured_figures
from quepu.rules.arithmetic import Counted, Tally
from quepu.rules.digest import digest, expression, to_plain
from quepu.rules.guide import Grid, Paragraph, guide
from quepu.rules.measured_figures import Figure, _usual, commonest, figures, measured_in, top_tenth, usual
from quepu.rules.parts import Option, was
from quepu.rules.row import Example, Fan, again, amount, hand, part_unit, split_value, value_text, words
from quepu.rules.row import fan as row_of
from quepu.rules.rulebook import Rulebook

POINTS, FAN = Text("点", "points"), Text("番", "fan")


def named(name: str, **fields: object) -> Fan:
    return replace(SMALL.fans[0], name=name, english=name, **fields)


@pytest.mark.parametrize(
    ("number", "unit", "zh", "en"),
    [
        (0, POINTS, "0 点", "0 points"),
        (1, POINTS, "1 点", "1 point"),
        (2, POINTS, "2 点", "2 points"),
        (1, FAN, "1 番", "1 fan"),
        ("1", POINTS, "1 点", "1 point"),
        ("15-2", POINTS, "15-2 点", "15-2 points"),
        (11, POINTS, "11 点", "11 points"),
    ],
)
def test_a_number_of_a_unit(number: int | str, unit: Text, zh: str, en: str) -> None:
    assert amount(number, unit) == Text(zh, en)


@pytest.mark.parametrize(
    ("value", "zh", "en"),
    [
        ({"fan": 6}, "6 番", "6 fan"),
        ({"fu": 8, "fan": 2}, "8 副 2 翻", "8 fu 2 fan"),
        ({"fu": 4, "fan": 1, "pair_fu": 2, "pair_fan": 0}, "4 副 1 翻（对 2 副 0 翻）", "4 fu 1 fan (pair 2 fu 0 fan)"),
    ],
)
def test_a_value_in_words(value: dict[str, int], zh: str, en: str) -> None:
    assert (value_text(value, "zh"), value_text(value, "en")) == (zh, en)


def test_fan_is_called_as_the_book_calls_it() -> None:
    assert value_text({"fan": 1}, "en", unit=Text("番", "points")) == "1 point"
    assert value_text({"fan": 1}, "en", unit=Text("点", "points")) == "1 fan"
    assert value_text({"fan": 2}, "zh", "15-2") == "15-2 番"
    assert part_unit("fan", {"fu": 1, "fan": 1}, Text("番", "points")) == Text("翻", "fan")
    assert part_unit("points", {"points": 1}) == POINTS and part_unit("own", {"own": 1}) == Text("own", "own")


def test_a_row_is_built_from_words() -> None:
    made = row_of(
        "番",
        5,
        "类",
        "句。",
        lambda h: h.p != 0,
        "a fan",
        example="111m",
        near_miss="222m",
        drops="甲 乙",
        implied="丙",
        aliases="别名 又名",
        conflicts="丁",
    )
    assert made.drops == ("甲", "乙", "丙") and made.implied == ("丙",) and made.conflicts == ("丁",)
    assert made.aliases == ("别名", "又名") and made.example is not None and made.example.hand == "111m"
    assert made.in_words("zh") == made.in_words("en") == "句。"
    told = replace(made, definition="it is so")
    assert (told.in_words("zh"), told.in_words("en")) == ("句。", "it is so")
    assert made.english_and_name == "a fan 番" and replace(made, english="番").english_and_name == "番"
    assert made.parts == {"fan": 5} and made.other_values == {} and made.column("fu") is None
    assert (str(made), repr(made)) == ("番 a fan：句。", "Fan('番', 'a fan', 5 fan)")


def test_columns_of_a_family_in_a_row() -> None:
    rules = book("lingque-29")
    red, plain = rules.fan("中"), rules.fan("三连刻")
    assert red.other_values == {"pair": (2, 1)} and plain.other_values == {}
    assert red.parts == {"fu": 4, "fan": 1, "pair_fu": 2, "pair_fan": 1}
    assert red.own(LingqueExtra) is red.extra and replace(red, extra=None).own(LingqueExtra) == LingqueExtra()
    assert replace(red, extra=5).own(LingqueExtra).pair is None and red.column("pair") == (2, 1)
    assert split_value({"fu": 3}) == {"fu": 3} and split_value(4) == {"fan": 4} and words(["甲 乙"]) == ("甲 乙",)


def test_a_row_of_another_edition_takes_what_it_does_not_say_from_the_first() -> None:
    first = replace(SMALL.fans[0], drops=("四刻",), conflicts=("自摸",), definition="It is won.", aliases=("胡",))
    row = again([first])
    made = row("和牌", 3, "和。")
    assert (made.value, made.sentence, made.definition, made.aliases) == (3, "和。", "It is won.", ("胡",))
    assert (made.drops, made.implied, made.conflicts, made.example) == ((), (), (), None)
    more = row(
        "和牌",
        3,
        "和。",
        drops="甲",
        implied="乙 丙",
        example="11m+1m",
        near_miss=hand("22m+2m", "天和 地和", seat="N"),
    )
    assert (more.drops, more.implied) == (("甲", "乙", "丙"), ("乙", "丙"))
    assert more.example == Example("11m+1m") and more.near_miss == Example("22m+2m", "N", "E", False, ("天和", "地和"))
    assert hand("1m", round="S", self_draw=True, flowers="春 梅").flowers == ("春", "梅")


def test_rows_and_books_in_a_notebook() -> None:
    fan = replace(SMALL.fans[1], name="四<刻", example=Example("111m222m333m444mC+C"), definition="Four of them.")
    for lang, title, said in (
        ("zh", "四&lt;刻</b> 6 番", "四副刻子。"),
        ("en", "四&lt;刻 Four pungs</b> 6 fan", "Four of them."),
    ):
        quepu.language(lang)
        drawn = fan._repr_html_()
        assert title in drawn and said in drawn and drawn.count("<tr>") == 1
        assert ("牌例" in drawn) is (lang == "zh") and ("near miss" in drawn) is False
        assert "<table" not in replace(fan, example=None)._repr_html_()
        assert replace(fan, near_miss=Example("123m456p789sCCEE+E"))._repr_html_().count("<tr>") == 2
        named = replace(SMALL, classes={"二": "second"}, unit=Text("番", "points"))._repr_html_()
        assert ("四刻 Four pungs" in named) is (lang == "en") and ("second" in named) is (lang == "en")
        assert named.count("<tr>") == 4 and ("6 points" if lang == "en" else "6 番") in named


def test_a_name_comes_before_an_alias_and_a_shared_alias_is_refused() -> None:
    rules = replace(
        SMALL, fans=(named("甲", aliases=("丙", "丁")), named("乙", aliases=("丁", "甲")), named("丙", former=("Old",)))
    )
    assert [rules.fan(name).name for name in ("甲", "乙", "丙", "old")] == ["甲", "乙", "丙", "丙"]
    assert [rules.index[name] for name in ("甲", "乙", "丙", "丁")] == [0, 1, 2, 0]
    with pytest.raises(UnknownName, match="“丁”可以指甲、乙，请写明"):
        rules.fan("丁")
    with pytest.raises(UnknownName, match=r"没有“戊”这个番种。$"):
        rules.fan("戊")
    for wrong in (None, 5, ""):
        with pytest.raises(UnknownName):
            rules.fan(wrong)  # type: ignore[arg-type]


def test_relations_as_masks() -> None:
    rules = replace(
        SMALL,
        fans=(
            named("甲", category="一", drops=("*",)),
            named("乙", category="二", drops=("*一", "+丙")),
            named("丙", category="一", drops=("丁", "不在的番")),
            named("丁", category="二", drops=("*二", "甲"), conflicts=("乙",)),
        ),
    )
    assert rules.drops == (0b1110, 0b0001, 0b1000, 0b0011)
    assert rules.conflicts == (0, 0b1000, 0, 0b0010)


@pytest.mark.parametrize(
    ("settings", "cap"),
    [({}, 0), ({"most": 88}, 88), ({"cap": 13}, 13), ({"most": 0, "cap": 13}, 13), ({"most": 88, "cap": 13}, 88)],
)
def test_the_cap_of_a_book(settings: dict[str, int], cap: int) -> None:
    assert replace(SMALL, settings=settings).cap == cap


def test_which_books_count_flowers_and_the_round_wind() -> None:
    assert SMALL.counts_flowers and not replace(SMALL, flower_value=0).counts_flowers
    assert replace(SMALL, flower_value=0, fans=(named("花", when=lambda h: h.flowers != 0),)).counts_flowers
    assert not SMALL.round_wind
    assert replace(SMALL, fans=(named("圈风", when=lambda h: (h.p & h.round) != 0),)).round_wind


@pytest.mark.parametrize("rules", [one for one in books() if one.corrections], ids=lambda one: one.id)
def test_revisions_from_the_first_to_the_present_one(rules: Rulebook) -> None:
    assert rules.revision == len(rules.corrections) + 1
    assert rules.at(rules.revision) is rules
    for number in range(1, rules.revision):
        earlier = rules.at(number)
        assert (earlier.id, earlier.revision) == (f"{rules.id}@{number}", number)
        assert earlier.at(number) is earlier and earlier is rules.at(number)
        assert earlier.corrections == rules.corrections[: number - 1]
        assert f"修订 {number}" in earlier.title.zh and f"revision {number}" in earlier.title.en
    for number in (0, -1, rules.revision + 1):
        with pytest.raises(UnknownName, match=f"没有修订 {number}，现有 1 到 {rules.revision}"):
            rules.at(number)


RULING = re.compile(r"裁定 ?\d|ruling \d|\b(?:LQ|LQ-E|yuque-|[AEGJLNR])\d+\b")


@pytest.mark.parametrize("rules", [*books(), *readings()], ids=lambda one: one.id)
def test_what_readers_are_told_names_no_ruling_by_its_number(rules: Rulebook) -> None:
    told = [correction.text for correction in rules.corrections]
    for section in guide(rules):
        for part in section.parts:
            told += [part.text] if isinstance(part, Paragraph) else [part.note] if isinstance(part, Grid) else []
    assert [one for one in told if one is not None and RULING.search(f"{one.zh} {one.en}")] == []


# ---- options and corrections


def test_which_choices_an_option_takes() -> None:
    def apply(rules: Rulebook, choice: object) -> Rulebook:
        return rules

    switch = Option("a", Text("甲", "a"), (False, True), apply)
    assert [switch.takes(x) for x in (False, True, 0, 1, "True")] == [True, True, False, False, False]
    number = Option("b", Text("乙", "b"), (3, 5), apply, between=(2, 9))
    assert [number.takes(x) for x in (1, 2, 3, 9, 10, True, "3", 2.0)] == [
        False,
        True,
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    few = Option("c", Text("丙", "c"), (3, 5), apply, words=(Text("三", "three"), Text("五", "five")))
    assert [few.takes(x) for x in (3, 5, 4)] == [True, True, False]
    assert few.in_words(5) == Text("五", "five") and few.in_words(4) == Text("4", "4")
    assert switch.in_words(True) == Text("是", "yes") and switch.in_words(False) == Text("否", "no")


def test_a_choice_in_words_is_one_of_the_usual_ones_or_itself() -> None:
    def apply(rules: Rulebook, choice: object) -> Rulebook:
        return rules

    asked: list[object] = []
    free = Option(
        "a", Text("甲", "a"), ("x", True), apply, words=(Text("艾", "ex"), Text("对", "right")), free=asked.append
    )
    assert free.takes("anything") and free.takes(5) and asked == ["anything", 5]
    said = [free.in_words(choice) for choice in ("x", True, "y", False)]
    assert said == [Text("艾", "ex"), Text("对", "right"), Text("y", "y"), Text("否", "no")]


def test_the_state_before_a_correction_goes_with_what_a_house_left_out() -> None:
    before = was(
        values={"四刻": 9, "自摸": 4}, fans={"和牌": {"most": 2}, "四刻": {"english": "x"}}, without=["四刻", "和牌"]
    )
    assert [(fan.name, fan.value) for fan in before(SMALL).fans] == [("自摸", 4)]
    house = SMALL.having(without=["四刻"])
    assert [(fan.name, fan.value) for fan in before(house).fans] == [("自摸", 4)]
    assert was(minimum=7)(house).minimum == 7 and was(fans={"和牌": {"most": 2}})(house).fan("和牌").most == 2
    assert before(SMALL.having(without=["和牌", "自摸"]).having(add=[named("新")])).fans[0].name == "新"


def test_operands_may_be_exchanged_only_where_it_changes_nothing() -> None:
    for one, other in (
        (lambda h: h.p & h.k, lambda h: h.k & h.p),
        (lambda h: h.p | h.k, lambda h: h.k | h.p),
        (lambda h: h.p ^ h.k, lambda h: h.k ^ h.p),
        (lambda h: h.p + h.k, lambda h: h.k + h.p),
        (lambda h: h.p * h.k, lambda h: h.k * h.p),
        (lambda h: h.p == h.k, lambda h: h.k == h.p),
        (lambda h: h.p != h.k, lambda h: h.k != h.p),
    ):
        assert expression(one) == expression(other)
    others = (
        lambda h: h.p - h.k,
        lambda h: h.k - h.p,
        lambda h: h.p << h.k,
        lambda h: h.k << h.p,
        lambda h: h.p >> h.k,
        lambda h: h.k >> h.p,
        lambda h: h.p < h.k,
        lambda h: h.k < h.p,
        lambda h: h.p <= h.k,
        lambda h: h.k <= h.p,
        lambda h: h.p & h.k,
        lambda h: h.p | h.k,
        lambda h: 3,
        lambda h: 4,
        lambda h: h.p,
        lambda h: ~h.p,
    )
    assert len({expression(one) for one in others}) == len(others)
    assert len(digest("x")) == len(expression(others[0])) == 12 and digest("x") != digest("y")
    assert expression(lambda h: 1 if h.p else 0) != expression(lambda h: 1 if h.p else 0)  # it cannot be told


def test_a_tally_shows_its_points_and_its_bonus_if_there_is_one() -> None:
    tally = Tally(5, {"fan": 5}, (Counted(0, 1, {"fan": 5}),), (), Text("5 番", "5 fan"))
    assert repr(tally) == "Tally(5: 5 番; 1 counted, 0 dropped)"
    assert repr(tally._replace(bonus=2)) == "Tally(5, bonus=2: 5 番; 1 counted, 0 dropped)"


def test_plain_data_of_any_value() -> None:
    assert to_plain({"b": 1, "a": 2, "none": None, "off": False, "no": "", "nothing": (), "zero": 0}) == [
        ("a", 2),
        ("b", 1),
        ("zero", 0),
    ]
    assert to_plain(frozenset({3, 1, 2})) == [1, 2, 3] and to_plain((1, [2, (3,)])) == [1, [2, [3]]]
    assert to_plain(Text("甲", "a")) == [("zh", "甲"), ("en", "a")] and to_plain(5) == 5


# ---- figures


@pytest.mark.parametrize("rules", [one for one in quepu.books() if one.play], ids=lambda one: one.id)
def test_a_tenth_of_usual_wins_are_worth_the_top_tenth_or_more(rules: Rulebook) -> None:
    every = [value for value, n in _usual(rules).items() for _ in range(n)]
    least = top_tenth(rules)
    assert least is not None
    assert 10 * sum(value >= least for value in every) >= len(every) > 10 * sum(value > least for value in every)
    assert set(usual(rules)) == {value for value in _usual(rules) if value >= rules.minimum}
    assert list(usual(rules)) == [value for value in _usual(rules) if value >= rules.minimum]


def test_a_book_without_figures_has_none() -> None:
    assert top_tenth(replace(SMALL, family="nowhere")) is None and usual(replace(SMALL, family="nowhere")) == ()
    assert figures(SMALL) == {} and commonest(SMALL) == ()
    shares = figures(book("guobiao"))
    if shares:
        listed = commonest(book("guobiao").at(1))
        held = [figures(book("guobiao").at(1))[name].share or 0 for name in listed]
        assert held == sorted(held, reverse=True)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Files of figures by name, in place of those in the package."""
    found: dict[str, Any] = {}
    monkeypatch.setattr(measured_figures, "_read", found.get)
    return found


@pytest.mark.parametrize(
    ("wins", "least"),
    [
        ({"2": 9, "8": 1}, 8),  # exactly a tenth
        ({"2": 10, "8": 1}, 2),
        ({"2": 19, "8": 1}, 2),
        ({"2": 18, "8": 1, "4": 1}, 4),  # a tenth together
        ({"2": 8, "8": 1}, 8),
        ({"5": 1}, 5),
        ({}, None),
    ],
)
def test_the_top_tenth_of_wins_is_a_tenth_of_them(files: dict[str, Any], wins: dict[str, int], least: int) -> None:
    files["usual"] = {"small": wins}
    assert top_tenth(SMALL) == least


def test_a_book_without_usual_wins_has_those_of_its_family(files: dict[str, Any]) -> None:
    files["usual"] = {"other-small": {"9": 1}, "small-1": {"3": 5, "1": 4, "2": 3}, "small-2": {"7": 1}}
    house = replace(SMALL, id="house", family="small")
    assert usual(house) == (3, 2)  # from its minimum of 2 up, in the order of the file
    assert usual(replace(house, minimum=3)) == (3,) and usual(replace(house, id="small-2")) == (7,)
    assert usual(replace(house, family="none")) == ()


def test_figures_are_those_of_this_very_book(files: dict[str, Any]) -> None:
    state = {"zh": "门清自摸", "en": "closed self-draws"}
    rows = {
        "和牌": {"share": 0.0, "least": None, "least_hand": None},
        "四刻": {"share": 0.25, "least": 6, "least_hand": "1m"},
        "自摸": {"share": 0.5, "least": 2, "least_hand": "2m"},
    }
    files["rarity-small"] = {"fingerprint": SMALL.fingerprint, "state": state, "fans": rows}
    assert figures(SMALL) == {
        "和牌": Figure(None, None, None),
        "四刻": Figure(0.25, 6, "1m"),
        "自摸": Figure(0.5, 2, "2m"),
    }
    assert measured_in(SMALL) == Text("门清自摸", "closed self-draws")
    assert commonest(SMALL) == ("自摸", "四刻", "和牌")
    files["wins-small"] = {"fingerprint": SMALL.fingerprint, "fans": {"自摸": 2, "四刻": 3, "和牌": 1}}
    assert commonest(SMALL) == ("四刻", "自摸", "和牌")
    files["wins-small-people"] = {"fingerprint": SMALL.fingerprint, "fans": {"自摸": 2, "四刻": 1, "和牌": 3}}
    assert commonest(SMALL) == ("和牌", "自摸", "四刻")
    for name in ("wins-small", "wins-small-people", "rarity-small"):
        files[name] = {**files[name], "fingerprint": "of another book"}
    assert commonest(SMALL) == () and figures(SMALL) == {} and measured_in(SMALL) is None


def test_how_often_a_row_holds_in_empty_planes() -> None:
    nothing = Planes(*[0] * len(Planes._fields))
    for rules in books():
        assert dict(rules.detect(nothing)) == {
            i: int(n) for i, fan in enumerate(rules.fans) if (n := fan.when(nothing))
        }
