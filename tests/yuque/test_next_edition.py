"""The next edition of 玉雀 in one file: six fans of v54 written back, and every key that an edition needs."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import quepu
from quepu.errors import OverlayError
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import load, read
from quepu.rules.diff import difference
from quepu.rules.guide import Grid, guide
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from tests.editions import EVERY_STATE, differing_hands, differing_rows, differing_states, more_than_text
from tests.yuque.helpers import added

FILE = Path(__file__).parents[2] / "examples" / "house" / "yuque-54-six-fans-again.toml"
V54 = 'base = "yuque-54"\n'
SIX = ("小三元", "清一色:索", "三同顺", "一气贯通", "三连刻", "幺九四刻")


def renamed() -> Rulebook:
    """The same file, five of its fans under names that the matrix of v54 does not know."""
    head, _, rest = FILE.read_text(encoding="utf-8").partition("\n[fans.")
    for name in SIX:
        if name != "清一色:索":
            rest = rest.replace(f'"{name}"', f'"{name}二"')
    return read(f"{head}\n[fans.{rest}")


# ---- v54 again


def test_the_file_makes_the_rows_of_v54_and_only_text_differs() -> None:
    made, v54 = load(FILE), book("yuque-54")
    assert differing_rows(made, v54) == []
    assert more_than_text(made, v54) == []
    assert set(SIX) <= {fan.name for fan in made.fans}
    without = v54.having(without=SIX)
    assert next(differing_hands(without, v54, 0))


def test_the_file_scores_every_conformance_case_and_random_wins_as_v54_does() -> None:
    assert list(differing_hands(load(FILE), book("yuque-54"), 600)) == []


def test_the_file_says_every_residue_itself() -> None:
    """Under other names nothing comes from the matrix of v54; only what the file says can."""
    made, v54 = renamed(), book("yuque-54")
    assert not set(SIX) - {"清一色:索"} & {fan.name for fan in made.fans}
    for hand in wins(v54, 500, 5):
        one, other = score_hand(hand, made), score_hand(hand, v54)
        assert one.total == other.total
        assert sorted(fan.name.removesuffix("二") for fan in one.fans) == sorted(fan.name for fan in other.fans)


@pytest.mark.long
def test_the_file_scores_every_hand_of_a_state_as_v54_does() -> None:
    assert differing_states(load(FILE), book("yuque-54"), ["open-discard"]) == []


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_file_scores_every_hand_of_every_state_as_v54_does() -> None:
    assert differing_states(load(FILE), book("yuque-54"), EVERY_STATE) == []


# ---- keys


def test_a_new_fan_takes_priority_groups_and_residues() -> None:
    text = (
        '[fans."二步高"]\nwhen = "有(相连(顺子, 2))"\nvalue = 4\nof = 2\npriority = 1\n'
        'class = "连顺、连刻"\nconflicts = ["三步高"]\n[residues."二步高"]\n"混一色" = 4\n'
        '"一般高" = { left = 1, why = { zh = "改一副即成。", en = "One change does it." } }\n'
    )
    house = read(V54 + text)
    hand = "123m234m(PPP)444m9m+9m"
    with_it, without = (added(quepu.score(hand, rules)) for rules in (house, "yuque-54"))
    assert (with_it["二步高"], with_it["混一色:萬"]) == (4, round((9 - 2) * 4 / 5) - 2)
    assert without["混一色:萬"] == round((9 - 2) * 4 / 5) - 2  # 番牌:白 leaves 4/5 as well
    plain = "123m234m(EEE)444m9m+9m"
    half = [added(quepu.score(plain, rules, seat="S"))["混一色:萬"] for rules in (house, "yuque-54")]
    assert half[0] < half[1]
    grids = {part.title.zh: part for section in guide(house) for part in section.parts if isinstance(part, Grid)}
    assert ("二步高", "混一色 4/5、一般高 1/2") in [(row[0].zh, row[1].zh) for row in grids["剩余数"].rows]
    assert "改一副即成。" in [row[0].zh for row in grids["理由"].rows]


def test_residues_of_the_book_are_changed_or_taken_away() -> None:
    house = read(V54 + '[residues."三同顺"]\n"混带幺" = 5\n"喜相逢" = false\n"数同" = 1\n')
    cells = {one.what: (one.old.zh, one.new.zh) for one in difference(book("yuque-54"), house).figures}
    assert cells == {
        "三同顺 → 混带幺": ("3/5", "5/5"),
        "三同顺 → 喜相逢": ("1/2", "2/2"),
        "三同顺 → 数同": ("2/5", "1/5"),
    }
    assert house.fingerprint != book("yuque-54").fingerprint
    assert pickle.loads(pickle.dumps(house)).fingerprint == house.fingerprint


def test_priority_groups_cut_and_what_is_taken_off_are_changed() -> None:
    house = read(V54 + '[changes."混带幺"]\ncut = 0\noff = 1\npriority = 6\ngroups = 4\nserves = true\n')
    cells = {
        one.what.split()[1]: one.new.zh for one in difference(book("yuque-54"), house).figures if one.what[0] == "混"
    }
    assert cells | {"cut": "0", "off": "1", "priority": "6", "groups": "4", "serves": "是"} == cells
    hand = "123m789s(EEE)WWWC+C"
    assert added(quepu.score(hand, house, seat="S"))["混带幺"] == 7 - 1
    assert added(quepu.score(hand, "yuque-54", seat="S"))["混带幺"] in (5, 7)


def test_the_order_inside_a_priority_is_an_option() -> None:
    v54 = book("yuque-54")
    highest, written = (v54.having(options={"order": order}) for order in ("highest", "book"))
    totals = [tuple(score_hand(hand, rules).total for rules in (v54, written, highest)) for hand in wins(v54, 1500, 2)]
    assert all(low <= middle <= high for low, middle, high in totals)
    assert any(low < high for low, _, high in totals)


@pytest.mark.parametrize(
    ("text", "line", "zh"),
    [
        ('[residues."没有的"]\n"混一色" = 3', 3, "没有“没有的”这个番种"),
        ('[residues."三同顺"]\n"混一" = 3', 3, "没有“混一”这个番种。是不是混一色"),
        ('[residues."三同顺"]\n"混一色" = 6', 3, "“混一色”涉及 5 组，剩下的应是 0 到 5，或 false"),
        ('[residues."三同顺"]\n"混一色" = { left = 3, reason = "" }', 3, "应写作 { left = 组数, why = 理由 }"),
        ('[residues]\n"三同顺" = 3', 3, "“三同顺”应是一张表"),
        ('[fans."顺刻"]\nwhen = "有(顺子 & 刻子)"\nvalue = 3\nof = 2', 5, "由 2 副组成"),
        ('[fans."乙"]\nwhen = "有(顺子)"\nvalue = 3\npriority = -1', 5, "priority 应是 0 到 1000"),
        ('[fans."乙"]\nwhen = "有(顺子)"\nvalue = 3\nserves = 1', 5, "serves 应是 true 或 false"),
    ],
)
def test_mistakes_have_their_line(text: str, line: int, zh: str) -> None:
    with pytest.raises(OverlayError) as caught:
        read(V54 + text)
    assert f"第 {line} 行" in caught.value.say("zh")
    assert zh in caught.value.say("zh")


def test_a_book_without_residues_says_so() -> None:
    with pytest.raises(OverlayError, match="不按剩余数叠加"):
        read('base = "lingque-29"\n[residues."三同顺"]\n"混一色" = 3')
