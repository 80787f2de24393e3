"""Every name is found as it is written in Taiwan and in Hong Kong: fans, circumstances, books, sections, levels, words.

`tests/scripts.tsv` has the forms, as OpenCC (Apache-2.0) writes them: s2t, s2tw and s2hk. With `opencc` installed,
`python -m tests.test_scripts` writes it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.bots.protocol import LEVELS, level_key
from quepu.errors import Error, UnknownName
from quepu.folding import fold, natural_order, one_script
from quepu.rulebooks import book, books, readings
from quepu.rules.circumstances import luck_of, spellings
from quepu.rules.formula import parse_formula
from quepu.rules.formula_words import OPERATORS, TRUTH, words
from quepu.rules.guide import find_section, guide
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.lookup import find_fan, in_category
from quepu.table.facts import _WORDS as FACT_WORDS
from quepu.tiles import CHINESE, FLOWERS, Tile

FORMS = Path(__file__).with_name("scripts.tsv")
DIRECTIONS = ("s2t", "s2tw", "s2hk")
EVERY = (*books(), *readings())
SCOREKEEPER = [
    "和",
    "胡",
    "自摸",
    "流局",
    "荒牌",
    "罚",
    "座",
    "换",
    "接替",
    "止",
    "到此为止",
    "铃",
    "时间到",
    "已弥补",
    "弥补",
    "给",
    "赔",
    "供",
    "听",
    "花",
    "见",
    "放杠",
    "点杠",
    "抢杠",
    "无",
    "没有",
    "番",
    "点",
    "分",
    "帮助",
    "表",
    "榜",
    "撤",
    "删",
    "改",
    "插",
    "改名",
    "结",
    "结算",
    "再来",
    "免",
    "罚例",
    "局",
    "完",
    "桌",
    "弃",
    "放弃",
    "摸切",
    "手切",
    "报听",
]
SHELL = [
    "规则",
    "门风",
    "自风",
    "圈风",
    "场风",
    "点和",
    "点炮",
    "情形",
    "花牌",
    "番种",
    "详略",
    "重置",
    "英文",
    "中文",
    "状态",
    "帮助",
    "退出",
]


def of_book(rules: Rulebook) -> Iterator[str]:
    """Every Chinese name by which something of a book is asked for."""
    for fan in rules.fans:
        yield from (fan.name, *fan.aliases, fan.category)
    yield from (*rules.circumstances, *rules.near, *rules.near.values(), *rules.aliases, rules.title.zh)
    yield from (section.title.zh for section in guide(rules))
    for fault in play_rules(rules).faults if rules.play else ():
        yield from (fault.key, *fault.names)


def every_name() -> list[str]:
    """All names, once."""
    found = [name for rules in EVERY for name in of_book(rules)]
    found += [level.name.zh for level in LEVELS.values()]
    found += [*words(), *OPERATORS, *SCOREKEEPER, *SHELL, *CHINESE, *FLOWERS]
    found += [word for written in FACT_WORDS.values() for word in written]
    return sorted({name for name in found if not name.isascii()})


@cache
def forms() -> dict[str, tuple[str, ...]]:
    """Each name with its forms, its own among them."""
    with FORMS.open(encoding="utf-8", newline="") as file:
        return {row[0]: tuple(dict.fromkeys(row)) for row in csv.reader(file, delimiter="\t")}


def test_the_table_has_every_name() -> None:
    missing = [name for name in every_name() if name not in forms()]
    assert not missing, "run python -m tests.test_scripts"
    assert sum(len(each) > 1 for each in forms().values()) > 400


@pytest.mark.slow
def test_the_table_is_what_opencc_writes() -> None:
    pytest.importorskip("opencc")
    assert written() == FORMS.read_text(encoding="utf-8")


def test_forms_fold_to_one_and_keep_their_length() -> None:
    for name, each in forms().items():
        for form in each:
            assert fold(form) == fold(name), form
            assert len(one_script(form)) == len(form)
    assert fold(" 槓上開花 ") == "杠上开花"
    assert fold("断么") == fold("斷么") == fold("断幺")
    assert fold("番牌：門風牌") == "番牌:门风牌"
    assert fold("ＭＣＲ") == "mcr"


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.id)
def test_names_of_a_book_stay_apart(rules: Rulebook) -> None:
    names = {fold(fan.name) for fan in rules.fans}
    assert len(names) == len(rules.fans)


def outcome(action: Any) -> Any:
    """What an entry point gives: an answer, or that it refuses (two fans of 广东 share an alias)."""
    try:
        return action()
    except Error:
        return None


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.id)
def test_fans_are_found(rules: Rulebook) -> None:
    for name in {name for fan in rules.fans for name in (fan.name, *fan.aliases)}:
        wanted = outcome(lambda name=name: rules.fan(name))
        for form in forms()[name] if not name.isascii() else ():
            assert outcome(lambda form=form: rules.fan(form)) is wanted, form
            assert outcome(lambda form=form: find_fan(rules, form)) is outcome(
                lambda name=name: find_fan(rules, name)
            ), form
    for fan in rules.fans:
        for form in forms().get(fan.category, ()):
            assert fan in in_category(rules, form)


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.id)
def test_circumstances_are_found(rules: Rulebook) -> None:
    for name in ("自摸", *rules.circumstances, *rules.near):
        for form in forms()[name] if not name.isascii() else ():
            assert luck_of([form], rules) == luck_of([name], rules)
            assert spellings(rules)[fold(form)] == spellings(rules)[fold(name)]


def test_books_and_sections_are_found() -> None:
    for rules in EVERY:
        for alias in rules.aliases:
            for form in forms()[alias] if not alias.isascii() else ():
                assert book(form) is rules
        for section in guide(rules):
            for form in forms()[section.title.zh]:
                assert find_section(rules, form).key == section.key
    assert book("國標@1").id == "guobiao@1"
    assert quepu.score("123m456m789m11p23s+4s", rules="國標").book.id == "guobiao"


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.id)
def test_formulas_name_fans_and_circumstances(rules: Rulebook) -> None:
    """In quotes and bare, as the simplified name does; a name that begins another word is read alike as well."""

    def meaning(formula: str) -> Any:
        made = outcome(lambda: parse_formula(formula, rules))
        return made and ([fan.name for fan in made.fans], sorted(bits for _, bits in made._luck))

    for name in {*(name for fan in rules.fans for name in (fan.name, *fan.aliases)), *rules.circumstances}:
        for form in forms()[name] if not name.isascii() else ():
            if re.fullmatch(r"[中發发白]", form) or outcome(lambda name=name: rules.fan(name)) is None:
                continue  # tiles as well, or the alias of two fans: which one is meant is another matter
            assert meaning(form) == meaning(name), form
            assert meaning(f"非 “{form}”") == meaning(f"非 “{name}”"), form


def test_words_of_formulas() -> None:
    rules = book("lingque")
    for word, what in words().items():
        if what.gives is TRUTH and not what.takes and not word.isascii():
            for form in forms()[word]:
                assert parse_formula(form, rules) is not None
    both = "有(相連(刻子, 3)) 且 沒有(么九牌)", "有(相连(刻子, 3)) 且 没有(幺九牌)"
    example = rules.fan("三连刻").example
    assert example is not None
    for hand in (example.hand, "111222333m(444p)9s+9s"):
        planes = quepu.score(hand, rules=rules).best.h
        assert parse_formula(both[0], rules)(planes) == parse_formula(both[1], rules)(planes)
    wrong = "清一色 且 雙暗刻 且 甚麼"
    with pytest.raises(Error) as refused:
        parse_formula(wrong, rules)
    assert refused.value.at == wrong.index("甚")  # places are those of the text that was typed


def test_levels_tiles_and_flowers() -> None:
    for key, level in LEVELS.items():
        for form in (*forms()[level.name.zh], level.name.en, level.name.en.upper()):
            assert level_key(form) == key
    assert level_key("nobody") == "nobody"
    for kind, name in enumerate((*CHINESE, *FLOWERS)):
        for form in forms()[name]:
            assert Tile(form) == kind, form
    hand = quepu.score("123m456m789m11p23s+4s", flowers="春夏秋冬梅蘭竹菊", rules="廣東").hand
    assert hand.flower_count == 8


def test_suggestions_cross_scripts() -> None:
    with pytest.raises(UnknownName, match="岭上开花"):
        book("lingque").fan("嶺上開")


def test_a_name_as_it_stands_goes_before_another_that_folds_alike() -> None:
    """A house of old may have both; each is found by its own name."""
    both = book("lingque").having(add=[replace(book("lingque").fan("四杠"), name="四槓")])
    assert both.fan("四杠").name == "四杠"
    assert both.fan("四槓").name == "四槓"
    assert both.fan(" 四槓 ").name == "四杠"  # not as it stands: the book's own


def written() -> str:
    """The table as OpenCC writes it."""
    import opencc

    convert = [opencc.OpenCC(direction).convert for direction in DIRECTIONS]
    return "".join("\t".join([name, *(one(name) for one in convert)]) + "\n" for name in every_name())


if __name__ == "__main__":
    FORMS.write_text(written(), encoding="utf-8")


def test_names_with_numbers_are_in_natural_order() -> None:
    names = ["", "9", "10", "Ann", "ann2", "Ａnn10", "选手", "选手3", "选手3b", "选手10", "选手" + "9" * 5000]
    for rotated in range(len(names)):
        assert sorted([*names[rotated:], *names[:rotated]], key=natural_order) == names
    assert natural_order("a") != natural_order("A")
