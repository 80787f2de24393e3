"""What `quepu diff` tells of the table, and the cards of payments of 国标 and 广东."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from quepu.errors import Text
from quepu.rulebooks import book, books, house_rules, readings
from quepu.rules.diff import Difference, difference
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook


def test_a_difference_lists_seven_pairs_and_conditions() -> None:
    found = difference(book("guobiao"), book("guobiao-mcr"))
    changed = {change.new.name: change for change in found.changed}
    for name in ("字一色", "清幺九", "混幺九"):
        assert changed[name].redefined
        assert "七对" in changed[name].new.sentence
    assert changed["单钓将"].reread
    assert [change.what for change in found.play] == ["concealed_kongs_hidden"]


def test_a_difference_lists_what_the_table_does_otherwise() -> None:
    found = {one.what: one for one in difference(book("guobiao-mcr"), book("guobiao-mil-2025")).play}
    assert "赔各家" in found["错和"].old.zh
    assert "不归任何人" in found["错和"].new.zh
    tables = {one.what for one in difference(book("guobiao"), book("canton")).play}
    assert {"kong_without_replacement", "dealer_repeats", "declares_ready", "诈糊"} <= tables
    assert difference(book("canton"), book("canton")).to_json()["play"] == []


def test_faults_are_told_with_price_receiver_and_bar() -> None:
    house = house_rules.read(
        'base = "guobiao"\n[penalties]\n"错和" = { points = 20, barred = false }\n"提前摸牌" = { again = [1, 2] }\n'
        '"相公" = { barred = false }\n"迟到" = false\n"打喷嚏" = 1\n'
    )
    found = {one.what: one[1:] for one in difference(book("guobiao"), house).play}
    assert found == {
        "错和": (
            Text("错和", "false win"),
            Text("10（赔各家）、停和", "10 (to each other player), dead hand"),
            Text("20（赔各家）", "20 (to each other player)"),
        ),
        "提前摸牌": (
            Text("提前摸牌", "draw out of turn"),
            Text("警告，再犯 5、10、20（不归任何人）", "a warning, then 5, 10, 20 (paid to nobody)"),
            Text("警告，再犯 1、2（不归任何人）", "a warning, then 1, 2 (paid to nobody)"),
        ),
        "相公": (Text("相公", "wrong number of tiles"), Text("0、停和", "0, dead hand"), Text("0", "0")),
        "迟到": (Text("迟到", "late"), Text("10（不归任何人）", "10 (paid to nobody)"), Text("无", "none")),
        "打喷嚏": (Text("打喷嚏", "打喷嚏"), Text("无", "none"), Text("1（赔各家）", "1 (to each other player)")),
    }


def test_settings_are_told_by_the_words_of_their_option_or_by_their_own() -> None:
    """After a setting of the table, which is told elsewhere, the others are told all the same."""
    rules = book("guobiao")
    house = replace(
        rules, settings={"table": (), "residues": (), **rules.settings, "most": 50, "shouted": True, "zzz": 5}
    )
    found = {one.what: (one.label, one.old, one.new) for one in difference(rules, house).play}
    cap = Text("封顶：付钱最多算几番，0 为不封顶", "cap: the most fan that are paid, 0 for all of them")
    none, fifty = Text("无", "none"), Text("50", "50")
    assert found == {
        "most": (cap, none, fifty),
        "shouted": (Text("shouted", "shouted"), none, Text("是", "yes")),
        "zzz": (Text("zzz", "zzz"), none, Text("5", "5")),
    }
    penalties = {one.what: one for one in difference(rules, book("canton")).play}["penalties"]
    assert penalties[1:] == (Text("罚例", "penalties"), Text("1998 年竞赛规则", "the rules of 1998"), none)


@pytest.mark.parametrize("played", [True, False])
def test_a_book_without_a_table_has_no_play_to_compare(played: bool) -> None:
    rules = book("guobiao")
    rules = replace(rules, guide="")  # whose words fill in rules of the table
    paper = replace(rules, play="")
    old, new = (rules, paper) if played else (paper, rules)
    assert difference(old, new).play == difference(paper, paper).play == ()


@cache
def of_books(old: Rulebook, new: Rulebook) -> Difference:
    """Return the difference of two books, which several tests look at."""
    return difference(old, new)


def listed(old: Rulebook, new: Rulebook, found: Difference | None = None) -> set[str]:
    """The settings and rules that a difference lists, by key."""
    found = found or difference(old, new)
    former = {option.key: option.former for option in new.options}
    return {one.what for one in found.play} | set(found.options) | {former[key] for key in found.options}


EVERY = [*books(), *readings()]


@pytest.mark.parametrize("rules", EVERY, ids=lambda one: one.id)
def test_any_one_setting_that_is_changed_shows_in_the_difference(rules: Rulebook) -> None:
    options = {option.key: option for option in rules.options}
    for key, value in {**rules.settings, "most": rules.settings.get("most", 0)}.items():
        other: Any = not value if isinstance(value, bool) else f"{value}0"
        if key in options:
            other = next((choice for choice in options[key].choices if choice != value), other)
        elif isinstance(value, int) and not isinstance(value, bool):
            other = value + 50
        changed = replace(rules, settings={**rules.settings, key: other})
        assert key in listed(rules, changed), (key, other)
    assert not listed(rules, rules)


@pytest.mark.parametrize("rules", EVERY, ids=lambda one: one.id)
def test_any_option_that_is_chosen_shows_in_the_difference(rules: Rulebook) -> None:
    for option in rules.options:
        for choice in option.choices:
            if choice != rules.choice(option):
                assert option.key in listed(rules, rules.having(options={option.key: choice}))


@pytest.mark.parametrize("old", EVERY, ids=lambda one: one.id)
def test_every_setting_in_which_two_books_differ_shows_in_the_difference(old: Rulebook) -> None:
    for new in EVERY:
        keys = {*old.settings, *new.settings}
        different = {key for key in keys if old.settings.get(key) != new.settings.get(key)}
        empty = {key for key in different if not old.settings.get(key) and not new.settings.get(key)}
        assert different - empty <= listed(old, new, of_books(old, new)), (old.id, new.id)


@pytest.mark.parametrize("name", ["guobiao", "guobiao-mcr", "guobiao-jmsa", "canton"])
def test_the_card_is_what_is_paid(name: str) -> None:
    rules = book(name)
    table = play_rules(rules).quick_table
    assert table is not None
    for fan, each, drawn, discarder, other, all_in in table(100).rows:
        flows = play_rules(rules).settle(Ending((SeatWin(1, fan),), self_draw=True), rules)
        assert {flow.points for flow in flows if flow.payer != 0} == {each}
        assert drawn == 3 * each
        flows = play_rules(rules).settle(Ending((SeatWin(1, fan),), discarder=2), rules)
        paid = {flow.payer: flow.points for flow in flows}
        assert (paid[2], paid.get(3, 0)) == (discarder, other)
        assert all_in == discarder + 2 * other


def test_the_card_follows_the_options() -> None:
    house = book("canton").having(id="house", options={"payment": "doubling", "discard": "full", "cap": 10, "base": 2})
    made = play_rules(house).quick_table
    assert made is not None
    rows = {row[0]: row for row in made(13).rows}
    assert rows[3][3] == 4 * 8 * 2
    assert rows[13] == (13, *rows[10][1:])
    assert made(None).note is not None


@pytest.mark.parametrize("old", EVERY, ids=lambda one: one.id)
def test_plain_data_names_a_fan_as_before_only_if_it_was_renamed(old: Rulebook) -> None:
    names = {fan.name for fan in old.fans}
    for new in EVERY:
        for row in of_books(old, new).to_json()["changed"]:
            assert row["name"] in {fan.name for fan in new.fans}
            assert row["renamed_from"] is None if row["name"] in names else row["renamed_from"] in names
