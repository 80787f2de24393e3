"""A formula is the same condition written in Chinese, in English and as Python."""

from __future__ import annotations

import pytest
from tests.core.test_written_conditions import BOOKS, WRITTEN, hands

from quepu.hands import planes
from quepu.hands.hand import Luck
from quepu.rulebooks import book
from quepu.rules.digest import expression
from quepu.rules.formula import parse_formula
from quepu.rules.formula_python import write_python
from quepu.rules.formula_tree import write_formula
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


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("has(pungs&honours) and not closed", "有(刻子 & 字牌) 且 非 门清的", "has(pungs & honours) and not closed"),
        ("(有(风牌)或有(箭牌))且有(万子)", "(有(风牌) 或 有(箭牌)) 且 有(万子)",
         "(has(winds) or has(dragons)) and has(characters)"),
        ("只有(19m | 东 除 1m)", "只有(19m | 东 除 1m)", "only(19m | E without 1m)"),
        ("个数(刻子)-(1+1)>=2", "个数(刻子) - (1 + 1) >= 2", "count(pungs) - (1 + 1) >= 2"),
        ("番牌 中", None, None),
    ],
)  # fmt: skip
def test_a_formula_is_written_with_the_brackets_it_needs(text: str, zh: str | None, en: str | None) -> None:
    rules = book("lingque-29")
    if zh is None:
        assert write_formula(parse_formula('"番牌 中"', rules).tree, "en") == '"番牌 中"'
        return
    tree = parse_formula(text, rules).tree
    assert (write_formula(tree, "zh"), write_formula(tree, "en")) == (zh, en)


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
