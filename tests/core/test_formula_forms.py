"""A formula is the same condition written in Chinese, in English (`formula_tree`) and Python (`formula_python`)."""

from __future__ import annotations

import pytest
from tests.core.test_written_conditions import BOOKS, WRITTEN, hands

from quepu.errors import OverlayError
from quepu.hands import planes
from quepu.hands.hand import Luck
from quepu.rulebooks import book
from quepu.rules.digest import expression
from quepu.rules.formula import parse_formula
from quepu.rules.formula_python import write_python
from quepu.rules.formula_tree import Node, write_formula
from quepu.rules.formula_words import words
from quepu.tiles import BIT, EAST, GREEN, NORTH, RED, SOUTH, WEST, WHITE

HONOURS = {"EAST": EAST, "SOUTH": SOUTH, "WEST": WEST, "NORTH": NORTH, "RED": RED, "GREEN": GREEN, "WHITE": WHITE}


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_written_condition_is_the_same_in_either_language(name: str, lang: str) -> None:
    rules = book(name)
    for fan, text in WRITTEN[name].items():
        formula = parse_formula(text, rules)
        written = write_formula(formula.tree, lang)
        assert expression(parse_formula(written, rules)) == expression(formula), (fan, written)
        assert write_formula(parse_formula(written, rules).tree, lang) == written  # and is not written longer each time
        if lang == "zh":
            assert written.replace(" ", "").isascii() is False


def test_a_formula_is_written_with_the_brackets_it_needs() -> None:
    for text, zh, en in (
        ("has(pungs&honours) and not closed", "有(刻子 & 字牌) 且 非 门清的", "has(pungs & honours) and not closed"),
        (
            "(有(风牌)或有(箭牌))且有(万子)",
            "(有(风牌) 或 有(箭牌)) 且 有(万子)",
            "(has(winds) or has(dragons)) and has(characters)",
        ),
        ("只有(19m | 东 除 1m)", "只有(19m | 东 除 1m)", "only(19m | E without 1m)"),
        ("个数(刻子)-(1+1)>=2", "个数(刻子) - (1 + 1) >= 2", "count(pungs) - (1 + 1) >= 2"),
        ("1>2 or 2>1 and 1=1 or 3!=4", "1 > 2 或 2 > 1 且 1 = 1 或 3 != 4", "1 > 2 or 2 > 1 and 1 = 1 or 3 != 4"),
        ("1>2 or (2>1 or 1=1)", "1 > 2 或 (2 > 1 或 1 = 1)", "1 > 2 or (2 > 1 or 1 = 1)"),
        ("1>2 and (2>1 or 1=1)", "1 > 2 且 (2 > 1 或 1 = 1)", "1 > 2 and (2 > 1 or 1 = 1)"),
        ("非(非 有(刻子))", "非 (非 有(刻子))", "not (not has(pungs))"),
        (
            "非(1=2)且非(自摸的且有(牌))",
            "非 1 = 2 且 非 (自摸的 且 有(牌))",
            "not 1 = 2 and not (drawn and has(tiles))",
        ),
        ("1+2-3 <= 4-(5+6)", "1 + 2 - 3 <= 4 - (5 + 6)", "1 + 2 - 3 <= 4 - (5 + 6)"),
        ("个数(牌&(刻子 除 字牌))>1", "个数(牌 & (刻子 除 字牌)) > 1", "count(tiles & (pungs without honours)) > 1"),
        ("有(1m|258p|9s|东|发|P)", "有(1m | 258p | 9s | 东 | 发 | 白)", "has(1m | 258p | 9s | E | F | P)"),
        ("有(987s|南|西|N|中)", "有(789s | 南 | 西 | 北 | 中)", "has(789s | S | W | N | C)"),
        (
            "有(相连(刻子,3,1))且几对顺子(3)>1",
            "有(相连(刻子, 3, 1)) 且 几对顺子(3) > 1",
            "has(in_a_row(pungs, 3, 1)) and chow_pairs(3) > 1",
        ),
        ("只有(序数(2580))", "只有(序数(2580))", "only(rank(2580))"),
        ('"番牌 中" 且 三连刻 且 抢杠', '"番牌 中" 且 三连刻 且 抢杠', '"番牌 中" and 三连刻 and 抢杠'),
    ):
        rules = book("lingque-29")
        tree = parse_formula(text, rules).tree
        assert (write_formula(tree, "zh"), write_formula(tree, "en")) == (zh, en)


def test_a_fan_that_is_called_as_a_word_is_written_in_quotes() -> None:
    for text in ('"三元牌" 且 有(三元牌)', "三元牌 且 有(箭牌)"):
        tree = parse_formula(text, book("canton")).tree
        assert write_formula(tree, "zh") == '"三元牌" 且 有(箭牌)'
        assert write_formula(tree, "en") == '"三元牌" and has(dragons)'


def test_a_formula_in_python() -> None:
    for text, code in (
        ("有(刻子)", "h.p != 0"),
        ("有(刻子 & 字牌)", "(h.p & HONOUR_TILES) != 0"),
        ("有(字牌)", "(h.t1 & HONOUR_TILES) != 0"),  # tiles that are named: those in the hand
        ("没有(门风牌)", "(h.t1 & h.seat) == 0"),
        ("个数(听的牌 & 字牌)", "count(h.waits & HONOUR_TILES)"),  # which are not all in the hand
        ("个数(字牌 & 听的牌)", "count(HONOUR_TILES & h.waits)"),
        ("个数(字牌 | 万子)", "count(h.t1 & (HONOUR_TILES | LANE))"),
        ("只有(字牌)", "only(h, HONOUR_TILES)"),
        ("只有(筒子)", "only(h, LANE << 16)"),
        ("有(刻子 & 索子)", "(h.p & (LANE << 32)) != 0"),
        ("有(刻子 除 (字牌 | 1m))", '(h.p ^ (h.p & (HONOUR_TILES | (ranks("1") & LANE)))) != 0'),
        ("有(相连(刻子, 3, 2))", "run(h.p, 3, 2) != 0"),
        ("有(相连(258p, 3))", 'run(h.t1 & (ranks("258") & LANE << 16), 3) != 0'),
        ("只有(79s)", 'only(h, ranks("79") & LANE << 32)'),
        ("只有(东 | 白)", "only(h, BIT[EAST] | BIT[WHITE])"),
        ("有(刻子 & 发)", "(h.p & BIT[GREEN]) != 0"),
        ("有(刻子 & 序数(2580))", '(h.p & ranks("258")) != 0'),
        ("相同(镜像(刻子), 刻子)", "mirrored(h.p) ^ h.p == 0"),
        ("相同(刻子 & 万子, 绕雀头镜像(刻子))", "(h.p & LANE) ^ mirror_about_pair(h.p, h.pair) == 0"),
        ("算一次(有(刻子)) + 1", "(((h.p != 0) != 0) * 1) + 1"),
        ("自摸的 且 非 门清的", "lucky(h, Luck.SELF_DRAW) & (lucky(h, Luck.CLOSED) == 0)"),
        ("自摸的 或 标准形", "lucky(h, Luck.SELF_DRAW) | is_form(h, STANDARD)"),
        ("边张的 或 几对顺子(3) = 2", "(h.place & EDGE != 0) | (couples(h, 3) == 2)"),
        ("个数(刻子) - 1 >= 2", "(count(h.p) - 1) >= 2"),
        ("个数(刻子) + 1", "count(h.p) + 1"),
        ("个数(刻子) - 1", "most(0, count(h.p) - 1)"),  # a fan never holds less than 0 times
        ("个数(刻子) != 个数(各副杠)", "count(h.p) != count(h.k)"),
        ("三连刻 且 抢杠", "(fan 三连刻) & (fan 抢杠)"),
        ("非 三连刻", "(fan 三连刻) == 0"),
        ("非 岭上开花", "lucky(h, luck 岭上开花) == 0"),
    ):
        rules = book("lingque-29").having(without=["岭上开花"])
        tree = parse_formula(text, rules).tree
        assert write_python(tree, lambda name: f"fan {name}", lambda name: f"luck {name}") == code


def test_a_formula_of_named_numbers_is_not_about_a_hand() -> None:
    with pytest.raises(OverlayError, match="“f0”不是牌的条件") as refused:
        write_python(Node("name", "f0"), str, str)
    assert refused.value.say("en") == "'f0' is not about a hand."


@pytest.mark.parametrize("name", BOOKS)
def test_every_written_condition_is_the_same_in_python(name: str) -> None:
    rules = book(name)
    names = {key: getattr(planes, key) for key in dir(planes)} | HONOURS | {"BIT": BIT, "Luck": Luck}
    sample = hands(rules, 30, 3)
    names["holds"] = lambda fan, h: rules.fan(fan).when(h) != 0
    for fan, text in WRITTEN[name].items():
        formula = parse_formula(text, rules)
        code = write_python(
            formula.tree, lambda other: f"holds({other!r}, h)", lambda luck: f"{int(rules.circumstances[luck])}"
        )
        condition = eval(f"lambda h: {code}", dict(names))
        if expression(condition) != expression(formula):  # a number: how often
            assert [condition(h) for h in sample] == [formula(h) for h in sample], (fan, code)


def test_every_word_can_be_written_in_python() -> None:
    from quepu.rules.formula_python import _CODE

    assert {*_CODE} | {"序数"} == {word.zh for word in words().values()}
