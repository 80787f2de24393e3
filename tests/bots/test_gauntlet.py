"""A gauntlet: fixed anchors on the same walls, resumed and widened with equal results, and guests that fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from quepu.arena import Plan, PlanError, simulate
from quepu.arena.gauntlet import Gauntlet, GauntletRecord, Mean, run_gauntlet
from quepu.errors import Error
from tests.cli.run import outside

RULES = "guobiao-mcr"
SMALL = Gauntlet(RULES, ("random",), 2, 7, anchors=("plain", "closed"))


def test_a_meeting_is_what_simulate_says_of_the_same_walls() -> None:
    record = run_gauntlet(SMALL)
    plan = Plan(RULES, ("plain", "plain", "random", "random"), 2, 7, True, False, own_walls=True)
    (line,) = simulate(plan).to_json()["differences"]
    found = record.mean("random", "plain")
    assert found is not None and line["better"] == "plain"
    assert found.value == pytest.approx(-line["net_a_hand"]) and found.error == pytest.approx(line["se"])
    assert [round(Mean(0, 1, walls).half or 0, 2) for walls in (6, 11, 41, 10**6)] == [2.55, 2.23, 2.02, 1.96]
    back = record.mean("plain", "random")
    assert back is not None and back.value == -found.value
    whole = record.overall("random")
    closed = record.mean("random", "closed")
    assert whole is not None and closed is not None
    assert whole.value == pytest.approx((found.value + closed.value) / 2)
    assert record.hands() == 3 * 6 * 2


def test_a_run_goes_on_with_more_walls_and_more_bots(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    run_gauntlet(SMALL, file=file)
    wider = Gauntlet(RULES, ("random", "people"), 3, 7, anchors=("plain", "closed"))
    played: list[int] = []
    resumed = run_gauntlet(Gauntlet(RULES, ("random",), 3, 7, anchors=("plain", "closed")), file=file,
                           progress=lambda _, whole: played.append(whole))  # fmt: skip
    assert played == [3] * 3  # the third wall of three pairs
    assert len(list(GauntletRecord(wider, file).missing())) == 2 * 2
    fresh = run_gauntlet(Gauntlet(RULES, ("random",), 3, 7, anchors=("plain", "closed")), jobs=2)
    assert [row | {"faults": 0} for row in resumed.to_json()["bots"]] == fresh.to_json()["bots"]


def test_a_record_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    run_gauntlet(Gauntlet(RULES, (), 1, 7, anchors=("plain", "closed")), file=file)
    with pytest.raises(PlanError, match=r"seed|种子"):
        GauntletRecord(Gauntlet(RULES, (), 1, 8, anchors=("plain", "closed")), file)
    with pytest.raises(PlanError, match=r"seed|种子"):
        GauntletRecord(Gauntlet("lingque-29", (), 1, 7, anchors=("plain", "closed")), file)
    for text in ("", "[]", "{}", '{"quepu": "gauntlet", "fingerprint": 1, "seed": 7, "pairs": [3]}'):
        file.write_text(text, "utf-8")
        with pytest.raises(PlanError, match=r"not a record|不是"):
            GauntletRecord(SMALL, file)


@pytest.mark.parametrize("wrong", [("plain",), ("random", "random"), ("best",), ("botzone:",)])
def test_a_bot_takes_part_once_and_exists(wrong: tuple[str, ...]) -> None:
    with pytest.raises(Error):
        Gauntlet(RULES, wrong)


def test_a_guest_that_fails_is_counted(tmp_path: Path) -> None:
    guest = tmp_path / "guest.py"
    guest.write_text("print('NONSENSE')", "utf-8")
    record = tmp_path / "record.json"
    run_gauntlet(
        Gauntlet(RULES, (f"botzone:{sys.executable} {guest}",), 1, 7, anchors=("plain", "closed")), file=record
    )
    data = run_gauntlet(
        Gauntlet(RULES, (f"botzone:{sys.executable} {guest}",), 1, 7, anchors=("plain", "closed")), file=record
    ).to_json()
    assert [row["faults"] > 0 for row in data["bots"]] == [row["bot"].startswith("botzone:") for row in data["bots"]]


@pytest.mark.long
def test_the_command_writes_a_page_in_both_languages(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for lang in ("zh", "en"):
        done = outside("gauntlet", "-n", "1", "-b", "random", "--page", str(page), "--json", "--lang", lang)
        assert done.code == 0 and len(json.loads(done.out)["bots"]) == 5
        assert page.read_text("utf-8").count("| `") == 5
    assert outside("gauntlet", "-n", "1", "--page", str(tmp_path / "page.txt")).code == 2
