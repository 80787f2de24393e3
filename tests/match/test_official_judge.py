"""Hands with own walls before the platform's own judge, built from its public source: `QUEPU_JUDGE` is its path.

It answers one JSON on standard input with one on standard output, and replays the whole hand each time.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter

import pytest

from quepu.arena import play_hand
from quepu.bots import LEVELS
from quepu.match import LogWriter, Match, read_log
from quepu.match.botzone_export import to_botzone
from quepu.match.seats import ORIGIN
from quepu.rulebooks import book
from quepu.table import Table, make_wall

JUDGE = os.environ.get("QUEPU_JUDGE", "")
HANDS = int(os.environ.get("QUEPU_JUDGE_HANDS", "200"))
MCR = book("guobiao-mcr")


def record_of(table: Table, round: int) -> dict[str, object]:
    """The platform's record of a finished hand."""
    match = Match(MCR, ("a", "b", "c", "d"), 4, first=ORIGIN._replace(round=round + 1))
    lines: list[str] = []
    log = LogWriter(match, lines.append, own_walls=True)
    log.hand(1, match.place, table)
    assert table.ending is not None
    after = match.add_hand(table.ending)
    log.result(after.hands[-1].settlement, after.totals, table.ending)
    return to_botzone(read_log(lines, unfinished=True))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not JUDGE, reason="QUEPU_JUDGE does not name a judge")
@pytest.mark.parametrize("level", LEVELS)
def test_the_official_judge_accepts_every_answer_and_pays_the_same(level: str) -> None:
    ends: Counter[str] = Counter()
    for seed in range(HANDS):
        table = play_hand(MCR, make_wall(seed, 0, own=True), [level] * 4, round=seed % 4, seed=seed)
        data = record_of(table, seed % 4)
        logs = data["logs"]
        assert isinstance(logs, list)
        given = json.dumps({"initdata": data["initdata"], "log": logs[:-1]})
        done = subprocess.run(
            [JUDGE], input=given, capture_output=True, text=True, check=True, timeout=60
        )  # named by who runs the test
        answer, own = json.loads(done.stdout), logs[-1]["output"]
        assert answer["command"] == "finish", (seed, answer)
        assert answer["display"]["action"] == own["display"]["action"], (seed, answer)
        assert answer["content"] == own["content"], (seed, answer)
        assert answer["display"].get("fanCnt") == own["display"].get("fanCnt"), (seed, answer)
        ends[answer["display"]["action"]] += 1
    assert set(ends) <= {"HU", "HUANG"}
    print(f"{level}: {HANDS} hands, {ends['HU']} won, {ends['HUANG']} drawn")
