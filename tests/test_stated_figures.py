"""What the rules texts say of an example, a table or a count stands beside it: every book, both languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from quepu.hands.notation import parse
from quepu.rulebooks import book, books, readings
from quepu.rules.circumstances import situate
from quepu.rules.guide import Grid, Paragraph, Section, Shown, guide
from quepu.rules.row import split_value
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example
from quepu.shapes.readings import readings as taken_apart

EVERY = [pytest.param(one, id=one.id) for one in (*books(), *readings())]
LANGUAGES = ("zh", "en")


class Said(NamedTuple):
    """A paragraph in one language, and the section that it stands in."""

    text: str
    section: Section
    part: Paragraph


def paragraphs(rules: Rulebook, lang: str) -> Iterator[Said]:
    for section in guide(rules):
        for part in section.parts:
            if isinstance(part, Paragraph):
                yield Said(part.text.say(lang), section, part)


def grids(section: Section) -> list[Grid]:
    return [part for part in section.parts if isinstance(part, Grid)]


def examples(rules: Rulebook) -> dict[int, Shown]:
    """Numbered hands of a book."""
    found = {}
    for section in guide(rules):
        for part in section.parts:
            if isinstance(part, Shown) and (number := re.fullmatch(r"例 (\d+)", part.label.zh)):
                found[int(number[1])] = part
    return found


def rows(section: Section) -> dict[str, list[str]]:
    """Rows of a section's tables by what stands first in them."""
    return {row[0].zh: [cell.zh for cell in row] for grid in grids(section) for row in grid.rows}


EXAMPLE = re.compile(r"例 ?(\d+)|[Ee]xamples? (\d+)")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rules", EVERY)
def test_an_example_that_a_sentence_names_is_there(rules: Rulebook, lang: str) -> None:
    numbered = examples(rules)
    for text, _, part in paragraphs(rules, lang):
        for found in EXAMPLE.finditer(text):
            number = int(found[1] or found[2])
            there = number in numbered or (part.ruling and "没有这样的牌" in part.text.zh)
            assert there, text


FAN_OF_EXAMPLE = (
    re.compile(r"例 (\d+) .*?(?:应计|只有) (\d+) 翻"),
    re.compile(r"[Ee]xample (\d+) .*?(\d+) fan (?:only|by the table)"),
)
HIGHEST = (
    re.compile(r"最大翻数为 (?:[\d+]+=)?(\d+) （([^）]+)）"),
    re.compile(r"(\d+)(?: fan)?(?: at most)? \((\S+?)\)"),
)


@pytest.mark.parametrize(("lang", "at"), [("zh", 0), ("en", 1)])
def test_figures_of_an_example_are_those_it_scores(lang: str, at: int) -> None:
    seen = 0
    for rules in (book("lingque-26"), book("lingque-29")):
        for text, _, _ in paragraphs(rules, lang):
            if claim := FAN_OF_EXAMPLE[at].search(text):
                score = score_example(examples(rules)[int(claim[1])].example, rules)
                assert score.parts["fan"] == int(claim[2]), text
                counted = {line.name: line.value["fan"] for line in score.fans}
                for fan, names in HIGHEST[at].findall(text):
                    if names in counted:
                        assert counted[names] == int(fan), text
                seen += 1
    assert seen == 3


@pytest.mark.parametrize("rules", [book("lingque-26"), book("lingque-29")], ids=lambda one: one.id)
def test_the_first_way_is_the_one_that_the_sentence_says(rules: Rulebook) -> None:
    (claim,) = (one for one in paragraphs(rules, "zh") if "按第一种拆解方式计算" in one.text)
    number, name, fu = re.findall(r"例 (\d+) 中，按第一种拆解方式计算，可以多计(\S+?)的 (\d+) 副", claim.text)[0]
    english = next(one.text for one in paragraphs(rules, "en") if "the first has" in one.text)
    assert f"example {number} the first has {fu} fu more for {name}" in english
    # drawn, so that no pung is concealed in one way and finished by a discard in the other
    hand = situate(parse(examples(rules)[int(number)].example.hand), rules, self_draw=True)
    (grid,) = grids(claim.section)
    sums = []
    for row in grid.rows:
        ways = [one for one in taken_apart(hand, rules.shapes, rules.reads) if one.text() == row[1].zh]
        tallies = [rules.tally(one.h) for one in ways]
        best = max(tallies, key=lambda tally: tally.points)
        sums.append({rules.fans[one.row].name: one.value["fu"] * one.times for one in best.counted})
    assert sums[0][name] == int(fu)
    assert {key: value for key, value in sums[0].items() if key != name} == sums[1]


POINTS_OF_FAN = (re.compile(r"“([^“”]+)”的“点数”仍记为 ?(\d+) ?点"), re.compile(r"(\S+) is still listed with (\d+)"))


@pytest.mark.parametrize(("lang", "at"), [("zh", 0), ("en", 1)])
def test_points_that_a_sentence_gives_a_fan_stand_in_its_table(lang: str, at: int) -> None:
    seen = 0
    for rules in books():
        for text, section, _ in paragraphs(rules, lang):
            for name, points in POINTS_OF_FAN[at].findall(text):
                assert rows(section)[name][-1] == points, text
                same = [row[0] for row in rows(section).values() if row[-1] == points]
                assert same[0] == name
                seen += 1
    assert seen == 1


COUNTS = (
    re.compile(r"(\d+) 个番种|番种 (\d+) 种|(\d+) 种牌型"),
    re.compile(r"(\d+) (?:fans|patterns)\b"),
)
TABLE_ROWS = (re.compile(r"共 (\d+) 行"), re.compile(r"has (\d+) rows"))


@pytest.mark.parametrize(("lang", "at"), [("zh", 0), ("en", 1)])
@pytest.mark.parametrize("rules", EVERY)
def test_counts_of_fans_and_rows(rules: Rulebook, lang: str, at: int) -> None:
    about = [one.text for one in paragraphs(rules, lang) if one.section.key == "about"]
    counts = [int(next(filter(None, found))) for text in about for found in map(_groups, COUNTS[at].finditer(text))]
    assert counts
    assert set(counts) == {len(rules.fans)}
    for text in about:
        for number in TABLE_ROWS[at].findall(text):
            (summary,) = (section for section in guide(rules) if section.key == "summary")
            assert len(grids(summary)[0].rows) == int(number)


def _groups(found: re.Match[str]) -> tuple[str, ...]:
    return found.groups()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_tiles_of_guobiao_add_up(lang: str) -> None:
    section = next(section for section in guide(book("guobiao")) if section.key == "tiles")
    kinds, pictures, tiles = re.findall(r"\d+", section.parts[0].text.zh)  # type: ignore[union-attr]
    english = section.parts[0].text.en  # type: ignore[union-attr]
    assert set(re.findall(r"\d+", english)) == {kinds, pictures, tiles}
    (grid,) = grids(section)
    counts = [int(re.findall(r"\d+", row[-1].say(lang))[-1]) for row in grid.rows]
    assert sum(counts) == int(tiles) == book("guobiao").tiles.size + 8
    flowers = counts[-1]
    assert (sum(counts) - flowers) // 4 + flowers == int(pictures)


EQUATION = re.compile(r"(?<![\w.²√])([\d(][\d+\-×*/ ().]*[+\-×*/][\d+\-×*/ ().]*\d\)?) ?= ?(\d+)(?![\d./×*²])")


def value(text: str) -> Fraction:
    """A sum as 玉雀 reckons: each product rounded, half to even (of whole numbers nothing is rounded)."""

    def of(node: Any) -> Fraction:
        if isinstance(node, ast.Constant):
            return Fraction(str(node.value))
        assert isinstance(node, ast.BinOp)
        one, two = of(node.left), of(node.right)
        match node.op:
            case ast.Add():
                return one + two
            case ast.Sub():
                return one - two
            case ast.Mult():
                return Fraction(round(one * two))
            case _:
                return one / two

    return of(ast.parse(text.replace("×", "*").strip(), mode="eval").body)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sums_come_out(lang: str) -> None:
    seen = 0
    for param in EVERY:
        (rules,) = param.values
        texts = [one.text for one in paragraphs(rules, lang)]  # type: ignore[arg-type]
        cells = [cell.say(lang) for one in guide(rules) for grid in grids(one) for row in grid.rows for cell in row]  # type: ignore[arg-type]
        for text in (*texts, *cells):
            for left, right in EQUATION.findall(text):
                sums = left.removeprefix("(") if left.count("(") > left.count(")") else left
                assert value(sums) == int(right), text
                seen += 1
    assert seen >= 15


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rules", EVERY)
def test_a_printed_hand_comes_to_what_is_printed(rules: Rulebook, lang: str) -> None:
    """Or a ruling says why not."""
    units = r"(\d+) (副|翻|番|点)" if lang == "zh" else r"(\d+) (fu|fan|points)\b"
    keys = {"副": "fu", "翻": "fan", "番": "fan"}
    for section in guide(rules):
        for part in section.parts:
            if not isinstance(part, Shown) or part.ruling:
                continue
            printed = part.printed.say(lang)
            score = score_example(part.example, rules)
            figures = dict(score.parts) | {"点": score.points, "points": score.points}
            total = re.split("，共|书上作|: |prints", printed)[-1]
            for number, unit in re.findall(units, total):
                assert figures.get(keys.get(unit, unit), score.points) == int(number), (part.label.zh, printed)


VALUED = (
    re.compile(r"某个 (\d+) 副 (\d+) 翻的番种（([^）]+)）"),
    re.compile(r"A fan of (\d+) fu and (\d+) fan \(([^)]+)\)"),
)


@pytest.mark.parametrize(("lang", "at"), [("zh", 0), ("en", 1)])
def test_fans_of_a_value_are_all_that_have_it(lang: str, at: int) -> None:
    for rules in (book("lingque-26"), book("lingque-29")):
        (claim,) = (found[0] for one in paragraphs(rules, lang) if (found := VALUED[at].findall(one.text)))
        fu, fan, names = claim
        worth = {row.name for row in rules.fans if split_value(row.value) == {"fu": int(fu), "fan": int(fan)}}
        assert set(re.split("、|, ", names)) == worth


def test_equivalent_points_are_the_products() -> None:
    rules = book("lingque-29")
    section = next(one for one in guide(rules) if one.key == "ten")
    seen = set()
    for row in grids(section)[0].rows:
        for name, points in ((row[0].zh, row[1].zh), (row[2].zh, row[3].zh)):
            seen.add(name)
            short = {"番牌刻": {"fu": 4, "fan": 1}, "番牌对": {"fu": 2, "fan": 1}}
            worth = short[name] if name in short else split_value(rules.fan(name).value)
            more = 4 if name == "门前清" else 0  # it brings the closed jump along
            assert int(points) == worth["fu"] * worth["fan"] + more, name
    small = {row.name for row in rules.fans if row.value.fu * row.value.fan < 10 and not row.name.startswith("番牌")}
    assert seen - {"番牌刻", "番牌对"} == small


def test_fan_that_the_sentence_about_usual_hands_gives() -> None:
    rules = book("lingque-26")
    (text,) = (one.text for one in paragraphs(rules, "zh") if one.text.startswith("一般的和牌翻数"))
    highest, fan, *two, lower = re.findall(r"除(\S+?)有 (\d) 翻，(\S+?)和(\S+?)只有 (\d) 翻外", text)[0]
    assert rules.fan(highest).value.fan == int(fan)
    assert {rules.fan(name).value.fan for name in two} == {int(lower)}


WORDS = {
    "0": "zero nought", "1": "one once first single a", "2": "two twice second both", "3": "three third thirds",
    "4": "four fourth", "5": "five fifth", "6": "six", "7": "seven", "8": "eight", "12": "twelve twelfth",
    "13": "thirteen thirteenth", "14": "fourteen",
}  # fmt: skip
BARE = re.compile(r"(?<![\w.\-])\d+(?![\w.\-]|\^)")


@pytest.mark.parametrize("rules", EVERY)
def test_english_has_the_numbers_of_the_chinese(rules: Rulebook) -> None:
    """At the least those that are costs, points, fan and minima: a number before one of the units."""
    for text, _, part in paragraphs(rules, "zh"):
        english = part.text.en.lower()
        numbers = set(re.findall(r"\d+", english))
        for number in re.findall(r"(\d+) ?(?:番|副|翻|点|分|墩|圈)", text):
            spelled = WORDS.get(number, "").split()
            there = number in numbers or any(re.search(rf"\b{word}\b", english) for word in spelled)
            assert there, (number, text, english)
        if "若为 0" in text:
            assert re.search(r"\b(0|zero)\b", english)
