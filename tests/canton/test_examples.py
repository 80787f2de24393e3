"""Every example hand of the seed, as the seed writes it, shows its pattern; but for two, which rulings explain."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.errors import NotAWin
from quepu.hands.hand import FLOWER_NUMBER
from quepu.hands.notation import parse
from quepu.rulebooks import book, canton
from tests.canton.seed import split

EXAMPLES: list[dict[str, Any]] = tomllib.loads(
    Path(canton.__file__).with_name("examples.toml").read_text(encoding="utf-8")
)["example"]
SHOWN = [pytest.param(e, id=f"{i}-{e['fan']}") for i, e in enumerate(EXAMPLES) if "hand" in e]


def test_the_seed_has_129_examples_of_which_two_cannot_show_their_pattern() -> None:
    assert len(EXAMPLES) == 129
    assert len(SHOWN) == 127
    assert [(e["fan"], e["ruling"]) for e in EXAMPLES if "hand" not in e] == [("三色连刻", "E2"), ("全不靠", "E1")]
    assert sum(not split(e["said"])[0] for e in EXAMPLES) == 3  # flowers alone
    assert {e["fan"] for e in EXAMPLES} <= {fan.name for fan in book("canton").fans}


@pytest.mark.parametrize("example", SHOWN)
def test_the_example_shows_its_pattern(example: dict[str, Any]) -> None:
    kinds, winning, flowers = split(example["said"])
    hand = parse(example["hand"])
    if kinds:  # the hand laid out is the hand that the seed writes
        assert [hand.counts()[kind] for kind in range(34)] == [kinds.count(kind) for kind in range(34)]
        assert winning is None or hand.winning == winning
    assert sorted(FLOWER_NUMBER[name] for name in example.get("flowers", ())) == sorted(flowers)
    circumstances = example.get("circumstances", [])
    score = quepu.score(
        example["hand"], rules="canton", seat="S", circumstances=circumstances, flowers=example.get("flowers", ())
    )
    assert example["fan"] in {line.name for line in score.fans}, score.explain()


def test_e1_the_second_example_of_quanbukao_uses_one_line_in_two_suits() -> None:
    text = next(e["said"] for e in EXAMPLES if e.get("ruling") == "E1")
    assert split(text)[0] == split("一筒四筒七筒四索七索六万九万东南西北中发白")[0]
    with pytest.raises(NotAWin):  # 147 in dots and 47 in bamboo
        quepu.score("69m147p47sESWNCF+P", rules="canton")


def test_e2_the_tiles_of_sanselianke_are_lost_but_for_its_pair() -> None:
    text = next(e["said"] for e in EXAMPLES if e.get("ruling") == "E2")
    assert Counter(split(text)[0]) == {30: 3, 31: 2}
    score = quepu.score("333m444p555sNNNC+C", rules="canton")
    assert "三色连刻" in {line.name for line in score.fans}
