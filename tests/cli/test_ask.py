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


def test_melds_of_other_seats_are_seen(quepu: Any) -> None:
    def lefts(*melds: str) -> dict[str, int]:
        options = [part for one in melds for part in ("--melds", one)]
        found = quepu("ask", "123m4466p789sCCE", "--offered", "4p", "-p", "0", *options, "--json").json
        return {one["tile"]: one["left"] for one in found["gained"] + found["lost"]}

    assert lefts()["6p"] == 2
    assert lefts("W=(EEE)", "南=(678p)")["6p"] == 1
    assert "6p" not in lefts("W=(EEE)", "S=(678p)", "S=(567p)")


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
        ((HAND, "--melds", "(123m)"), "“(123m)”没有写明是哪一家的副露"),
        ((HAND, "--melds", "E=(123m)"), "东家是自己"),
        ((HAND, "--melds", "X=(123m)"), "“X”不是座位"),
        ((HAND, "--melds", "S=123m"), "“123m”不是副露"),
        ((HAND, "--melds", "S=(EEEEE)"), "\n  (EEEEE)\n  ^"),
        ((HAND, "--melds", "S=(EEEE)"), "手牌与已见牌合计有 5 张东"),
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
    for option, value in (("--melds", "S=(123m)"), ("--offered", "4p"), ("--giver", "W"), ("--seen", "4p")):
        refused = quepu("ask", str(log), "--at", "2", "-i", "C", option, value)
        assert refused.code == 2 and f"{option} 只用于一手牌" in refused.err
