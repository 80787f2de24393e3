"""The seed's worked examples and printed figures, hand by hand (examples.toml)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.rulebooks.yuque import YUQUE_54
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from tests.yuque import stated
from tests.yuque.helpers import score

FILE = Path(quepu.__file__).parent / "rulebooks" / "yuque" / "examples.toml"
EXAMPLES: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["example"]
EACH = [pytest.param(e, id=f"{e['at']}-{e['hand']}") for e in EXAMPLES]


@pytest.mark.parametrize("example", EACH)
def test_an_example_is_announced_as_it_says(example: dict[str, Any]):
    found = score(
        example["hand"], example.get("seat", "E"), example.get("self_draw", False), *example.get("circumstances", ())
    )
    expected = example["yuque-54"]
    assert "、".join(line.name for line in found.fans) == expected["fans"]
    assert [line.value["fan"] * line.count for line in found.fans] == expected["adds"]
    assert found.parts["fan"] == sum(expected["adds"]) == expected["fan"]
    assert found.points == expected["points"] == expected["fan"] ** 2
    if "printed" in expected:
        assert expected["printed"]["fan"] != expected["fan"]
        assert expected["ruling"] in {ruling.id for ruling in YUQUE_54.rulings}


def test_every_row_of_table_two_but_value_tile_and_closed_hand_shows_its_hand():
    shown = {e["shows"] for e in EXAMPLES if e["at"] == "表 II"}
    table = {fan.name for fan in YUQUE_54.fans if not fan.own(YuqueExtra).number.startswith("0")}
    assert table - shown == stated.WITHOUT_EXAMPLE
    assert shown <= table


def test_the_worked_example_step_by_step():
    """释疑:计番流程: 4, then 6, 23, and at last 28 番."""
    found = score("11223sCC(NNNN)(123s)+3s", "N", True, "岭上开花")
    reasons = {YUQUE_54.fans[c.row].name: c.note for c in found.tally.counted}
    assert reasons["混带幺"].zh == "对“三同顺”的剩余数 3/5：(7-2)×3/5=3"
    assert reasons["混一色:索"].zh == "对“三同顺”的剩余数 3/5：(9-2)×3/5=4.2→4，4-2=2"
    assert all(reasons[name] is None for name in ("杠", "岭上开花", "番牌:门风牌", "番牌:中", "三同顺", "番刻"))
    assert [(YUQUE_54.fans[d.row].name, d.why.zh) for d in found.tally.dropped] == [("一般高", "含于“三同顺”")]


def test_the_announcement_reads_as_the_book_has_it():
    """报番: each fan with what it adds, 番刻 last with their number, then the points won and lost."""
    found = score("111999m123sSSSC+C", "S", True)
    announced, ending = found.tally.steps
    assert announced.zh == "报番：三暗刻 5；番牌:门风牌 1；番牌:中 1；幺九三刻 3；混带幺 2；番刻(3 副) 6"
    assert ending.zh == "18 番自摸 324 · 54（点）"
    assert "18 番自摸 324 · 54（点）" in found.explain()
    assert "residue 2/5 after three terminal or honour pungs" in found.explain("en")


def test_a_loss_of_nothing_is_left_out_of_the_announcement():
    assert score("123m(345m)99p678s56p+7p").tally.steps[1].zh == "0 番铳和 0（点）"
    assert score("123m(345m)99p678s56p+7p").can_win
    assert score("123m345m99p678s56p+7p").tally.steps[1].zh == "2 番铳和 4 · 2（点）"
    other = YUQUE_54.having(options={"self_draw": "winner_gains"})
    assert score("111999m123sSSSC+C", "S", True, rules=other).tally.steps[1].zh == "18 番自摸 378（点）"


def test_the_explanation_says_which_groups_were_taken_and_which_pungs_are_counted():
    def explained(hand: str, *keys: str) -> dict[str, Any]:
        answer = score(hand).to_json(explain=True)
        text = [group["text"] for group in answer["groups"]]
        return {
            fan["name"]: fan.get("note") if "note" in keys else [" ".join(text[i] for i in at) for at in fan["groups"]]
            for fan in answer["counted"]
        }

    assert explained("(123m)(456m)(456m)(789m)5s+5s", "note") == {
        "一气贯通": None,
        "一般高": "对“一气贯通”的剩余数 1/2：5×1/2=2.5→2（凑偶）",
        "数同": "对“一气贯通”的剩余数 2/5：9×2/5=3.6→4",
    }
    assert explained("(123m)(456m)(456m)(789m)5s+5s")["一气贯通"] == ["(123m) (456m) (789m)"]
    assert explained("(CCC)(222m)456p67s99m+8s") == {"番牌:中": ["(CCC)"], "番刻": ["(CCC)"]}
    assert explained("222m(222p)(222s)(234s)9p+9p")["番刻"] == ["222m", "(222p)", "(222s)"]


def test_of_equal_totals_the_fewest_fans_are_announced():
    """四暗刻 10, 清幺九 17 rather than 四暗刻 10, 镜同 7, 清幺九 10."""
    found = score("111m999m111p999p1s+1s", "E", True)
    assert found.parts["fan"] == 35
    assert [line.name for line in found.fans] == ["四暗刻", "清幺九", "番刻"]
    why = {fan["name"]: fan["why"] for fan in found.to_json(explain=True)["suppressed"]}
    assert why["镜同"] == "若计 7，“清幺九”由 17 减为 10，总番不增"


def test_a_fan_that_rounds_to_nothing_shows_its_sum():
    why = {fan["name"]: fan["why"] for fan in score("222m555p888s345m1s+1s").to_json(explain=True)["suppressed"]}
    assert why["门前清"] == "对“三暗刻”的剩余数 1/4：2×1/4=0.5→0（凑偶），不增番"


def test_sums_are_equations_or_show_their_rounding():
    """Every note of a sum is true word by word, on many hands."""
    for hand in wins(YUQUE_54, 1500, seed=61):
        for fan in score_hand(hand, YUQUE_54).to_json(explain=True)["counted"]:
            for one in re.findall(r"[0-9()×/.-]+[=≈][0-9.→]+", fan.get("note", "").replace("（凑偶）", "")):
                left, sign, right = re.split("([=≈])", one)
                exact, *rounded = right.split("→")
                value = eval(left.replace("×", "*"), {})  # digits and signs only, see the pattern
                assert abs(value - float(exact)) < (0.006 if sign == "≈" else 1e-9), one
                assert not rounded or int(rounded[0]) == round(value), one
