"""The rules of every book in words: complete in both languages, filled in from the book, every hand scored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quepu import rulebooks as families
from quepu.errors import NotAWin, Text, UnknownName
from quepu.rulebooks import book, books
from quepu.rules.guide import Grid, Paragraph, Section, Shown, examples, facts, find_section, guide
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example

BOOKS = [pytest.param(b, id=b.id) for b in books() if b.guide]
CHINESE = re.compile("[一-鿿]")


def texts(section: Section) -> list[Text]:
    """Every text of a section in both languages."""
    found = [section.title]
    for part in section.parts:
        if isinstance(part, Paragraph):
            found.append(part.text)
        elif isinstance(part, Grid):
            found += [part.title, *part.heads, *(cell for row in part.rows for cell in row)]
        else:
            found.append(part.label)
    return found


@pytest.mark.parametrize("rules", BOOKS)
def test_a_book_says_how_it_is_played(rules: Rulebook) -> None:
    keys = [section.key for section in guide(rules)]
    assert len(set(keys)) == len(keys)
    assert {"about", "tiles", "deal", "play", "win", "points", "match", "payment", "faults", "examples"} <= set(keys)


@pytest.mark.parametrize("rules", BOOKS)
def test_every_text_is_there_in_both_languages_and_filled_in(rules: Rulebook) -> None:
    for section in guide(rules):
        assert section.parts, section.key
        for text in texts(section):
            assert bool(text.zh) == bool(text.en), (section.key, text)
            assert not set("{}$\\") & set(text.zh + text.en), (section.key, text)
        for part in section.parts:
            if isinstance(part, Paragraph):
                assert re.search("[a-z]{2}", part.text.en), part.text.en
                assert CHINESE.search(part.text.zh), part.text.zh
            if isinstance(part, Grid):
                assert {len(row) for row in part.rows} == {len(part.heads)}, part.title


@pytest.mark.parametrize("rules", BOOKS)
def test_rulings_that_a_text_names_are_the_books(rules: Rulebook) -> None:
    ids = {ruling.id for ruling in rules.rulings}
    for section in guide(rules):
        assert {part.ruling for part in section.parts if not isinstance(part, Grid) and part.ruling} <= ids


@pytest.mark.parametrize("rules", BOOKS)
def test_hands_of_the_guide_are_scored(rules: Rulebook) -> None:
    """What the book prints beside a hand is what it is worth now, or a ruling says why not."""
    shown = [part for section in guide(rules) for part in section.parts if isinstance(part, Shown)]
    assert len(shown) >= 40
    for part in shown:
        try:
            score = score_example(part.example, rules)
        except NotAWin:
            assert part.ruling, part.label
            continue
        printed = re.fullmatch(r"计 (.+)，共 (?:(\d+) 副 )?(\d+) [翻番](?: (\d+) 点)?。", part.sentence)
        if printed and not part.ruling:
            listed = [
                name for name in printed[1].split("、") if name != "番刻"
            ]  # which 玉雀 prints without their number
            assert sorted(listed) == sorted(str(fan) for fan in score.fans if fan.name != "番刻"), part.label
            assert score.parts["fan"] == int(printed[3]), part.label
            assert printed[4] is None or score.points == int(printed[4]), part.label


def test_a_house_rule_reads_right() -> None:
    house = book("lingque").having(id="house", minimum=14, flower_value=3)
    win, tiles = find_section(house, "win"), find_section(house, "tiles")
    assert "不小于 14 点" in win.parts[0].text.zh
    assert "每张另计 3 点" in tiles.parts[1].text.zh
    assert (
        "三" in find_section(book("lingque"), "ten").title.zh or "五种" in find_section(book("lingque"), "ten").title.zh
    )
    with pytest.raises(UnknownName):
        find_section(house, "ten")  # the five ways are about ten points


@pytest.mark.parametrize("rules", BOOKS)
def test_figures_are_the_books_values(rules: Rulebook) -> None:
    """A figure that a text fills in changes with the book's value."""
    figures = facts(rules)
    assert figures["minimum"] == rules.minimum
    house = rules.having(id="house", minimum=rules.minimum + 3)
    before, after = (" ".join(t.zh for s in guide(b) for t in texts(s)) for b in (rules, house))
    assert before != after
    assert re.search(rf"(?<!\d){rules.minimum + 3}(?!\d)", after)


def test_a_section_is_found_by_key_title_or_part_of_either() -> None:
    rules = book("lingque")
    assert find_section(rules, "deal") == find_section(rules, "配牌") == find_section(rules, "掷骰")
    with pytest.raises(UnknownName) as error:
        find_section(rules, "丁")
    assert "丁5" in error.value.text.zh and "这一节，可选：" in error.value.text.zh  # several have it
    with pytest.raises(UnknownName) as error:
        find_section(rules, "没有的")
    assert "这一节，现有：" in error.value.text.zh
    assert all(section.key in error.value.text.en for section in guide(rules))


@pytest.mark.parametrize("rules", BOOKS)
def test_the_table_of_faults_says_what_each_costs_whom_and_whether_the_hand_is_dead(rules: Rulebook) -> None:
    sections = {section.key: section for section in guide(rules)}
    grids = [part for section in sections.values() for part in section.parts if isinstance(part, Grid)]
    stated = play_rules(rules).faults
    (grid,) = (one for one in grids if one.title.zh == "罚例") if stated else (None,)
    if grid is None:
        return
    assert len(grid.rows) == len(stated)
    for (name, _, price, where, then), fault in zip(grid.rows, stated, strict=True):
        assert (name, price) == (fault.name, fault.price)
        assert ("停和陪打" in then.zh, "dead hand" in then.en) == (fault.barred, fault.barred)
        assert bool(where.zh) == bool(where.en) == bool(fault.points or fault.again)


@pytest.mark.parametrize("rules", BOOKS)
def test_examples_are_chosen_by_the_reader_and_stand_in_order(rules: Rulebook) -> None:
    path = Path(families.__file__).parent / rules.family / "examples.toml"
    every = examples(path, lambda _: True, rules)
    assert every and examples(path, lambda _: False, rules) == ()
    labels = [part.label.zh for part in every if isinstance(part, Shown)]
    numbers = [int(label[2:]) for label in labels if label.startswith("例 ")]
    assert numbers == sorted(numbers)
    with_flowers = examples(path, lambda entry: "flowers" in entry, rules)
    assert set(with_flowers) <= set(every)
    assert all(isinstance(part, Paragraph) or part.example.flowers for part in with_flowers)
    elsewhere = [part for part in examples(path, lambda _: True, rules, "W") if isinstance(part, Shown)]
    here = [part for part in every if isinstance(part, Shown)]
    seats = {(one.example.seat, two.example.seat) for one, two in zip(here, elsewhere, strict=True)}
    assert ("E", "W") in seats and all(b in (a, "W") for a, b in seats)
