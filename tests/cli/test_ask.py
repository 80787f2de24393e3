"""`quepu ask`: two actions compared, of a hand and of a log; bad questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.test_review import LOG

HAND = "123m456p789sCCE5s2m"


def test_a_hand_is_asked_about(quepu: Any) -> None:
    result = quepu("ask", HAND, "--instead", "2m", "--playouts", "0")
    assert result.code == 0
    assert "打东" in result.out and "打二万" in result.out
    found = quepu("ask", HAND, "-i", "2m", "-p", "0", "--gone", "C", "--json").json
    assert found["other"]["choice"]["tile"] == "2m"
    assert found["verdict"] is None
    assert found["sentences"][0]["en"].startswith("Assumed: the other seats hold every C")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((HAND, "-i", "9p"), "手里没有九筒，可以：打"),
        ((HAND, "-i", "5s5s"), "“5s5s”不是一个动作"),
        ((HAND, "-i", "2m5s"), "“2m5s”不是一个动作"),
        ((HAND, "-i", "吃34p"), "“吃34p”不是一个动作"),
        ((HAND, "-i", "碰5s9p"), "“碰5s9p”不是一个动作"),
        ((HAND, "-i", "吃345p"), "现在不能“吃"),
        ((HAND, "-i", "碰555p"), "现在不能“碰"),
        ((HAND, "-i", "pass"), "现在不能“过”"),
        (("night.jsonl",), "night.jsonl"),
        (("logs/night.jsonl",), "没有这个文件或目录"),
        ((HAND, "-i", "2m", "--seen", "1111m"), "手牌与已见牌合计有 5 张一万"),
        ((HAND, "-i", "2m", "--ready", "X"), "不是座位"),
        ((HAND, "-i", "2m", "--ready", "E"), "只能假设别家听牌"),
        (("123m456p789sCCE5s",), "14 张"),
        ((HAND, "--of", "2m", "-i", "2m"), "两边都是“打二万”"),
    ],
)
def test_a_bad_question_is_refused_in_a_sentence(quepu: Any, given: tuple[str, ...], words: str) -> None:
    result = quepu("ask", *given, "-p", "0")
    assert result.code == 2
    assert words in result.err


def test_a_log_is_asked_about_at_its_steps(quepu: Any, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(LOG), "utf-8")
    result = quepu("ask", str(log), "--at", "2", "-i", "C", "-p", "0", "--json")
    assert result.json["other"]["choice"]["tile"] == "C"
    assert quepu("ask", str(log), "--at", "900", "-i", "C").code == 2
    assert quepu("ask", str(log), "--hand", "4", "-i", "C").code == 2
