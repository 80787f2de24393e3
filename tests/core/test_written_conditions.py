"""Every condition of three books written in words: the words say what the rows say, in Chinese and in English."""

from __future__ import annotations

import re
from operator import index

import pytest

from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rules.condition_trial import shown_hands
from quepu.rules.formula import parse_formula
from quepu.rules.formula_words import OPERATORS, OTHER_NAMES, words
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook
from quepu.rules.written_formulas import family_formulas, written_condition, written_formulas
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings

BOOKS = ("guobiao", "lingque-29", "yuque-54")
WRITTEN = {name: family_formulas(book(name).guide) for name in BOOKS}
CANNOT = {
    "guobiao": ["胡绝张"],  # reads the table: whether the other three copies are to be seen
    "lingque-29": ["镜数"],  # asks for another way to take the same hand apart, not for this reading
    "yuque-54": [],
}


def hands(rules: Rulebook, n: int, seed: int) -> list[Planes]:
    """Readings of the hands that show and nearly show each fan, and of random wins."""
    found = list(shown_hands(rules))
    for hand in wins(rules, n, seed):
        found += [reading.h for reading in readings(hand, rules.shapes)]
    return found


def times(fan: Fan, h: Planes) -> int:
    n = index(fan.when(h))
    n = n.bit_count() if fan.of == EACH else n
    return min(n, fan.most) if fan.most > 1 else int(n != 0)


def differing(rules: Rulebook, sample: list[Planes], translate: bool = False) -> list[str]:
    found = []
    for name, text in WRITTEN[rules.id].items():
        fan = rules.fan(name)
        others = rules.having(without=[name])  # a fan is not written by its own name
        written = parse_formula(english(text) if translate else text, others)
        mine = [index(written(h)) for h in sample]
        counted = [min(n, fan.most) if fan.most > 1 else int(n != 0) for n in mine]
        if counted != [times(fan, h) for h in sample]:
            found.append(name)
    return found


def english(text: str) -> str:
    """The formula with every Chinese word in English."""
    names = {word.zh: word.en for word in words().values()}
    names |= {other: words()[name].en for other, name in OTHER_NAMES.items()}
    names |= {
        "且": "and",
        "或": "or",
        "非": "not",
        "除": "without",
    }
    listed = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(listed, lambda found: f" {names[found[0]]} ", text)


@pytest.mark.parametrize("name", BOOKS)
def test_every_condition_is_written_or_has_a_reason_why_not(name: str) -> None:
    assert {*WRITTEN[name]} | {*CANNOT[name]} == {fan.name for fan in book(name).fans}
    assert not {*WRITTEN[name]} & {*CANNOT[name]}


def test_a_formula_is_given_only_for_the_edition_in_which_it_holds() -> None:
    changed = [fan for fan in WRITTEN["lingque-29"] if fan not in written_formulas(book("lingque-26"))]
    assert {"混一色", "缺一门", "五门齐"} <= {*changed}
    assert len(changed) < 20
    assert {*written_formulas(book("guobiao-mcr"))} >= {"清一色", "碰碰和", "嵌张"}
    assert written_formulas(book("canton")) == {}


def test_formulas_of_a_house_and_of_renamed_fans() -> None:
    text = "有(三色相连(刻子, 3))"
    house = read(f'base = "lingque-29"\n[changes."天和"]\nwhen = "{text}"\n[aliases]\n"三连刻" = "连三刻"\n')
    found = written_formulas(house)
    assert found["天和"] == text and found["连三刻"] == WRITTEN["lingque-29"]["三连刻"] and "三连刻" not in found
    assert {*found} >= {fan.name for fan in house.fans} - {"镜数"} - {"天和", "连三刻"}
    own, other = written_condition(house, "天和"), written_condition(house, "三连刻")  # by its former name
    assert own is house.fan("天和").when and written_condition(house, "镜数") is None
    assert other is not None and other.text == found["连三刻"]
    row = written_condition(book("lingque-29"), "三连刻")
    assert row is not None and row.text == WRITTEN["lingque-29"]["三连刻"] and not row.fans
    assert written_condition(book("canton"), "平糊") is None and family_formulas("") == {}


@pytest.mark.parametrize("name", BOOKS)
def test_the_words_say_what_the_rows_say(name: str) -> None:
    rules = book(name)
    sample = hands(rules, 400, 1)
    assert differing(rules, sample) == []
    assert sum(not any(fan.when(h) for h in sample) for fan in rules.fans) <= 1  # 无番和 never holds by itself


@pytest.mark.parametrize("name", BOOKS)
def test_the_words_are_the_same_in_english(name: str) -> None:
    rules = book(name)
    assert differing(rules, hands(rules, 20, 2), translate=True) == []
    assert set(OPERATORS.values()) == {"and", "or", "not", "without"}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_the_words_say_what_the_rows_say_of_every_hand(name: str) -> None:
    """Every way to take a standard hand apart, closed and melded, as arrays."""
    import numpy as np

    from quepu.fast.universe.standard_hands import STATES, Universe

    rules = book(name)
    written = {fan: parse_formula(text, rules.having(without=[fan])) for fan, text in WRITTEN[name].items()}
    for state in ("closed-discard", "open-draw", "kongs"):
        universe = Universe(STATES[state])
        for kind, melds in universe.pairs():
            h = universe.block(kind, melds)
            for fan, condition in written.items():
                row = np.asarray(rules.fan(fan).when(h)) != 0
                assert np.array_equal(np.broadcast_to(np.asarray(condition(h)) != 0, row.shape), row), (state, fan)
