"""What the seed says by example (examples.toml)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import quepu

FILE = Path(quepu.__file__).parent / "rulebooks" / "guobiao" / "examples.toml"
EXAMPLES: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["example"]
CASES = [pytest.param(e, rules, id=f"{rules}-{e['at']}") for e in EXAMPLES for rules in ("guobiao", "guobiao-mcr")]


@pytest.mark.parametrize(("example", "rules"), CASES)
def test_example(example: dict[str, Any], rules: str) -> None:
    circumstances = {
        key: example[key] for key in ("seat", "round", "self_draw", "circumstances", "flowers") if key in example
    }
    score = quepu.score(example["hand"], rules=rules, **circumstances)
    assert "、".join(map(str, score.fans)) == example[rules]["fans"]
    assert score.points == example[rules]["fan"]
    if "without" in example:
        assert example["without"] not in {fan.name for fan in score.fans}
    elif rules == "guobiao":
        shown = example["at"].partition("：")[0]
        if shown in quepu.book(rules).index:
            assert quepu.book(rules).fan(shown).name in {fan.name for fan in score.fans}
