"""An evening at one table: a forgotten hand, a substitute, another name, an early end, and who gives whom how much."""

from __future__ import annotations

import json
import random
from itertools import product
from math import tanh
from pathlib import Path

import pytest

from quepu.errors import Error
from quepu.scorekeeper.club import ClubTable, desk_of, formula, result_of
from quepu.scorekeeper.ledger import fold, with_record
from quepu.scorekeeper.records import BellRecord, EndRecord, HandRecord, PenaltyRecord, SubstituteRecord, TableSpec
from quepu.scorekeeper.transfers import people, summary, transfers
from quepu.tournament.desk_standings import standings
from tests.cli.typed import run

NAMES = ["甲", "乙", "丙", "丁"]
SPEC = TableSpec(rules="lingque-26", names=NAMES)


def win(winner: int, points: int, discarder: int | None = None) -> HandRecord:
    return HandRecord(winner=winner, points=points, discarder=discarder, self_draw=discarder is None)


def test_a_forgotten_hand_is_inserted_anywhere() -> None:
    records = [win(0, 48, 1), win(1, 20, 2)]
    ledger = with_record(SPEC, records, 1, win(2, 30), insert=True)
    assert [row.text.zh[0] for row in ledger.rows] == ["甲", "丙", "乙"]
    assert [row.place.dealership for row in ledger.rows] == [0, 1, 2]
    assert ledger.match.totals == fold(SPEC, [records[0], win(2, 30), records[1]]).match.totals


def test_who_plays_on_for_somebody_begins_from_nought() -> None:
    ledger = fold(SPEC, [win(0, 48, 1), SubstituteRecord(player=1, name="戊"), win(1, 20, 0)])
    assert ledger.match.names == ("甲", "戊", "丙", "丁")
    assert dict(ledger.people) == {"甲": 192 - 40, "乙": -96, "丙": -48 - 20, "丁": -48 - 20, "戊": 80}
    assert sum(ledger.people.values()) == 0
    assert ledger.rows[0].names[1] == "乙"
    with pytest.raises(Error, match="甲 已经在这一场里"):
        fold(SPEC, [SubstituteRecord(player=1, name="甲")])


def test_an_evening_ends_before_the_book_would() -> None:
    ledger = fold(SPEC, [win(0, 48, 1), EndRecord(note="太晚了")])
    assert ledger.over
    assert not ledger.match.over
    with pytest.raises(Error, match="已经结束"):
        with_record(SPEC, [win(0, 48, 1), EndRecord()], 2, win(0, 48, 1))
    assert not fold(SPEC, [win(0, 48, 1)]).over


def test_a_hand_in_play_at_the_bell_is_the_last() -> None:
    spec = TableSpec(rules="guobiao-mil-2025", names=NAMES)
    rung = [win(0, 48, 1), BellRecord()]
    ledger = fold(spec, rung)
    assert ledger.rung
    assert not ledger.over
    assert ledger.rows[1].text.zh == "时间到：再记一盘即结束"
    with pytest.raises(Error, match="记过了"):
        with_record(spec, rung, 2, BellRecord())
    fault = PenaltyRecord(player=2, fault="错和")
    ended = fold(spec, [*rung, fault, win(1, 20)])  # a fault is no hand
    assert ended.over
    assert not ended.rung
    assert not ended.match.over
    assert ended.match.standard_points() == fold(spec, [rung[0], fault, win(1, 20)]).match.standard_points()
    with pytest.raises(Error, match="已经结束"):
        with_record(spec, [*rung, win(1, 20)], 3, win(0, 9))


def test_a_warning_says_so_and_penalties_to_nobody_are_no_pool() -> None:
    spec = TableSpec(rules="guobiao-mil-2025", names=NAMES)
    fault = PenaltyRecord(player=0, fault="空吃碰杠")
    ledger = fold(spec, [fault, fault, win(1, 20, 2)])
    assert [row.text.zh for row in ledger.rows[:2]] == ["甲 空吃碰杠：警告", "甲 空吃碰杠"]
    text = summary(ledger).zh
    assert "给 罚分（不归任何人）" in text
    assert "公池" not in text


def test_the_sixteenth_hand_is_the_last_whatever_rings() -> None:
    spec = TableSpec(rules="guobiao-mil-2025", names=NAMES)
    ledger = fold(spec, [*[win(0, 20)] * 15, BellRecord(), win(1, 20)])
    assert ledger.match.over
    with pytest.raises(Error):
        with_record(spec, [*[win(0, 20)] * 15, BellRecord(), win(1, 20)], 17, win(1, 20))


def fewest(balances: list[int]) -> int:
    """The least number of transfers, by trying every split into groups that sum to nought."""
    left = [n for n in balances if n]
    if not left:
        return 0
    best = len(left) - 1
    for picks in product((0, 1), repeat=len(left) - 1):
        own = [left[0], *(n for n, pick in zip(left[1:], picks, strict=True) if pick)]
        rest = [n for n, pick in zip(left[1:], picks, strict=True) if not pick]
        if rest and sum(own) == 0:
            best = min(best, len(own) - 1 + fewest(rest))
    return best


def test_the_fewest_transfers_bring_everybody_to_nought() -> None:
    rng = random.Random(3)
    for _ in range(150):
        size = rng.randint(2, 7)
        totals = {str(i): rng.choice([-30, -20, -10, 0, 10, 20, 30]) for i in range(size)}
        found = transfers(totals)
        after = dict(totals)
        pool = 0
        for one in found:
            assert one.points > 0
            for name, change in ((one.payer, one.points), (one.payee, -one.points)):
                if name is None:
                    pool += change
                else:
                    after[name] += change
        assert set(after.values()) == {0}
        assert pool == sum(totals.values()) * 1
        assert len(found) == fewest([*totals.values(), -sum(totals.values())])


def test_reduced_scores_have_one_n_and_the_tables_own_parameters() -> None:
    records = [win(0, 48, 1), win(1, 20, 2), win(2, 30)]
    for spec, alpha, scale in (
        (SPEC, 1.0, 480.0),
        (SPEC.model_copy(update={"alpha": 2.0, "scale": 100.0}), 2.0, 100.0),
        (TableSpec(rules="lingque-29", names=NAMES, scale=240), 1.0, 240.0),
    ):
        ledger = fold(spec, records)
        totals = list(ledger.people.values())
        expected = [alpha * sum(tanh((own - other) / (scale * 3**0.5)) for other in totals) for own in totals]
        assert ledger.reduce_scores() == pytest.approx(expected)
        assert formula([result_of(ledger)]) == (alpha, scale)
        club = {
            line.name: line.reduced for line in standings(desk_of("club", [ClubTable("t", 0.0, result_of(ledger))]))
        }
        assert [club[name] for name in NAMES] == pytest.approx(expected)
    assert fold(TableSpec(rules="guobiao", names=NAMES), [win(0, 48, 1)]).reduce_scores() is None


def test_the_summary_has_results_and_settlement() -> None:
    ledger = fold(SPEC.model_copy(update={"title": "周五"}), [win(0, 48, 1), EndRecord()])
    lines = summary(ledger).zh.splitlines()
    assert lines[0].startswith("周五 · 灵雀")
    assert lines[1].startswith("1. 甲 +192")
    assert lines[-3:] == ["乙 给 甲 96", "丙 给 甲 48", "丁 给 甲 48"]
    assert people(ledger)[0].name == "甲"


def test_the_evening_in_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "e.json"
    typed = "和 甲 乙 48\n自摸 丙 30\n插 2 和 丁 甲 24\n改名 乙 小乙\n换 丁 戊\n止 太晚了\n结\n"
    typed += "和 甲 小乙 48\n撤\n再来 丙 戊 甲 小乙\n"
    args = ["--rules", "lingque-26", "--t0", "240", "--alpha", "2"]
    assert run(monkeypatch, typed, "match", str(path), *args) == 2  # a hand after the end is refused, and nothing else
    printed = capsys.readouterr()
    assert printed.err.count("错误") == 1
    assert "已经结束" in printed.err
    assert "给" in printed.out
    assert "+0.6" in printed.out or "约化分数" in printed.out
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored["spec"]["names"] == ["甲", "小乙", "丙", "丁"]
    assert (stored["spec"]["alpha"], stored["spec"]["scale"]) == (2, 240)
    assert [one["kind"] for one in stored["records"]] == ["hand", "hand", "hand", "substitute"]
    assert stored["records"][1]["winner"] == 3
    again = json.loads((tmp_path / "e-2.json").read_text(encoding="utf-8"))
    assert again["spec"]["names"] == ["丙", "戊", "甲", "小乙"]
    assert again["records"] == []
    for bad in ("--t0=0", "--alpha=x"):
        assert run(monkeypatch, "", "match", str(tmp_path / "n.json"), bad) == 2
