"""What a house gives a 番牌 as a pair and as a pung, apart: scored, compared, written and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from quepu.batch import from_hands, score_many
from quepu.errors import OverlayError
from quepu.fast.universe.revised_classes import RevisedClasses
from quepu.fast.universe.valued import HandClassifier, changed_rows
from quepu.hands.notation import parse
from quepu.hands.planes import Planes
from quepu.rulebooks import book, house_rules
from quepu.rules.diff import difference, edition_changes
from quepu.rules.row import value_text
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import row_facts
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from tests.cli.run import outside

PAIR, PUNG = "234m678p345999sC+C", "23499m678p345sCC+C"
BOOKS = ["lingque-29", "lingque-26"]


def house(value: str, name: str = "番牌 中", base: str = "lingque-29") -> Rulebook:
    return house_rules.read(f'base = "{base}"\n[values]\n"{name}" = {value}')


def fu_of_red(rules: Rulebook, hand: str) -> tuple[int, int]:
    line = next(line for line in score_hand(parse(hand), rules).fans if line.name == "番牌 中")
    return line.value["fu"], line.value["fan"]


@pytest.mark.parametrize("base", BOOKS)
@pytest.mark.parametrize(
    ("value", "pair", "pung"),
    [
        ("{ fu = 6, pair_fu = 3 }", (3, 1), (6, 1)),
        ("{ fu = 6 }", (2, 1), (6, 1)),
        ("{ pair_fu = 0 }", (0, 1), (4, 1)),
        ("{ pair_fu = 1000, pair_fan = 2 }", (1000, 2), (4, 1)),
        ("{ fu = 6, fan = 2, pair_fu = 5, pair_fan = 0 }", (5, 0), (6, 2)),
        ("[6, 2]", (2, 1), (6, 2)),
    ],
)
def test_pair_and_pung_have_values_of_their_own(
    base: str, value: str, pair: tuple[int, int], pung: tuple[int, int]
) -> None:
    made = house(value, base=base)
    assert (fu_of_red(made, PAIR), fu_of_red(made, PUNG)) == (pair, pung)
    assert made.fingerprint != book(base).fingerprint


@pytest.mark.parametrize("base", BOOKS)
def test_one_hand_many_and_the_classes_of_the_lab_come_to_the_same(base: str) -> None:
    made = house('{ fu = 6, pair_fu = 3, pair_fan = 2 }\n"门风牌" = { pair_fu = 7 }', base=base)
    hands = [*wins(made, 600, seed=3), parse(PAIR), parse(PUNG)]
    many, classed = score_many(hands, made), HandClassifier(made)
    single = [score_hand(hand, made) for hand in hands]
    assert [one.points for one in single] == many.points.tolist()
    old = HandClassifier(book(base))
    number = classed.classify(from_hands(hands)).classes
    assert [one.points for one in single] == classed.classes.points[number].tolist()
    changed = changed_rows(book(base), made)
    assert changed == {made.index["番牌 中"], made.index["番牌 门风牌"]}
    old = HandClassifier(book(base))
    old.classify(from_hands(hands))
    revised = RevisedClasses(old.classes, made, changed)
    assert revised.points.tolist() == [made.tally(Planes(*row.tolist())).points for row in old.classes.planes]
    worth_more = [a.points > score_hand(hand, book(base)).points for a, hand in zip(single, hands, strict=True)]
    assert sum(worth_more) > 20


def test_python_takes_the_same_parts() -> None:
    base, value = book("lingque-29"), {"fu": 6, "pair_fu": 3}
    by_values, by_fans = base.having(values={"中": value}), base.having(fans={"中": {"value": value}})
    assert by_values.fingerprint == by_fans.fingerprint == house("{ fu = 6, pair_fu = 3 }").fingerprint
    assert by_values.fan("中").parts == {"fu": 6, "fan": 1, "pair_fu": 3, "pair_fan": 1}
    assert base.fan("中").parts == {"fu": 4, "fan": 1, "pair_fu": 2, "pair_fan": 1}
    assert base.fan("三同顺").parts == {"fu": 32, "fan": 4}
    assert book("guobiao").fan("三同刻").parts == {"fan": 16}


def test_both_values_are_shown() -> None:
    base, made = book("lingque-29"), house("{ pair_fu = 3 }")
    assert value_text(made.fan("中").parts, "zh") == "4 副 1 翻（对 3 副 1 翻）"
    assert value_text(made.fan("中").parts, "en") == "4 fu 1 fan (pair 3 fu 1 fan)"
    assert row_facts(made, made.fan("中"))["value"]["pair_fu"] == 3
    (change,) = difference(base, made).changed
    assert change.revalued and change.new.name == "番牌 中"
    assert edition_changes(base, made)["values"][0].zh == "番牌 中 4/1 · 2/1 → 4/1 · 3/1"


def test_the_command_line_shows_both(tmp_path: Path) -> None:
    file = str(tmp_path / "club.toml")
    Path(file).write_text('base = "lingque-29"\n[values]\n"番牌 中" = { fu = 6, pair_fu = 3 }\n', encoding="utf-8")
    assert "6 副 1 翻（对 3 副 1 翻）" in outside("fans", "中", "-r", file).out
    assert "4 副 1 翻（对 2 副 1 翻） → 6 副 1 翻（对 3 副 1 翻）" in outside("diff", "lingque-29", file).out
    rows = [line.split() for line in outside("fans", "-r", file).out.splitlines()]
    at = next(i for i, row in enumerate(rows) if row[:2] == ["番牌", "中"])
    assert (rows[at][2:4], rows[at + 1]) == (["6", "1"], ["对", "3", "1"])


@pytest.mark.parametrize(
    ("value", "name", "zh"),
    [
        ("{ pair = 3 }", "番牌 中", "没有“pair”，可用：fu、fan、pair_fu、pair_fan"),
        ("{ pair_fu = 3 }", "三同顺", "没有“pair_fu”，可用：fu、fan"),
        ("{ pair_fu = -1 }", "番牌 中", "0 到 1000"),
        ("{ pair_fu = 1001 }", "番牌 中", "0 到 1000"),
        ("{ pair_fu = true }", "番牌 中", "{ fu = 4, fan = 1, pair_fu = 2, pair_fan = 1 }"),
        ('{ pair_fu = "3" }', "番牌 中", "{ fu = 4, fan = 1, pair_fu = 2, pair_fan = 1 }"),
        ("[6, 1, 3, 1]", "番牌 中", "或 [4, 1]"),
    ],
)
def test_other_parts_are_refused_with_their_line(value: str, name: str, zh: str) -> None:
    with pytest.raises(OverlayError) as refused:
        house(value, name)
    assert "第 3 行" in refused.value.say("zh") and zh in refused.value.say("zh"), refused.value.say("zh")
