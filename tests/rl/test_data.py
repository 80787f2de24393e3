"""Positions as files: what bots decided, what logs say, the same columns."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from quepu.arena import Plan, play_hand
from quepu.bots import make_bot
from quepu.cli import run
from quepu.errors import Error, MissingExtra, missing_extra
from quepu.match import LogWriter, Match, read_log, settle
from quepu.rl import action_numbers
from quepu.rl.data import COLUMNS, DataError, Decisions, from_bots, from_logs, load, save
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import make_wall


def masks(made: Decisions) -> np.ndarray:
    return np.unpackbits(made.columns["mask"], axis=1, count=action_numbers.COUNT)


def test_decisions_of_bots_are_those_of_a_simulation(tmp_path: Path) -> None:
    made = from_bots("lingque-29", ["plain", "random", "random", "random"], 6, seed=3)
    assert set(made.columns) == set(COLUMNS) and len({len(column) for column in made.columns.values()}) == 1
    mask = masks(made)
    assert (mask[np.arange(len(made)), made.columns["action"]] == 1).all()
    assert (mask.sum(axis=1) >= 2).all()
    plan = Plan("lingque-29", ("plain", "random", "random", "random"), 6, 3)
    for hand in range(6):
        (seating,) = plan.seatings(hand)
        bots = [make_bot(plan.levels[who], plan.bot_seed(hand, seat)) for seat, who in enumerate(seating)]
        table = play_hand(plan.book, make_wall(3, hand, plan.tiles), bots, round=hand // 4 % 4)
        assert table.ending is not None
        points = settle(table.ending, plan.book, table.rules).seats
        mine = made.columns["hand"] == hand
        for seat in range(4):
            assert set(made.columns["points"][mine & (made.columns["seat"] == seat)]) <= {points[seat]}
            assert set(made.columns["won"][mine & (made.columns["seat"] == seat)]) <= {table.ending.winner == seat}
    several = from_bots("lingque-29", ["plain", "random", "random", "random"], 6, seed=3, jobs=2)
    assert all(np.array_equal(several.columns[name], made.columns[name]) for name in COLUMNS)
    save(made, tmp_path / "x.npz")
    again = load(tmp_path / "x.npz")
    assert again.about == made.about and again.about["rules"] == "lingque-29"
    assert all(np.array_equal(again.columns[name], made.columns[name]) for name in COLUMNS)
    for wrong in (tmp_path / "x.csv", tmp_path / "none"):
        with pytest.raises(Error):
            save(made, wrong)
    (tmp_path / "y.npz").write_bytes(b"no")
    with pytest.raises(DataError):
        load(tmp_path / "y.npz")


def logged(rules: str, seed: int, hands: int = 3) -> list[str]:
    """A log of some hands of random bots."""
    lines: list[str] = []
    match = Match(book(rules))
    writer = LogWriter(match, lines.append)
    for number in range(1, hands + 1):
        bots = [make_bot("plain", seed + number * 4 + seat) for seat in range(4)]
        wall = make_wall(seed, number, play_rules(match.book).table.tiles)
        table = play_hand(match.book, wall, bots, round=match.place.round_wind)
        writer.hand(number, match.place, table)
        assert table.ending is not None
        match = match.played(table.ending)
        writer.result(match.hands[-1].settlement, match.totals, table.ending)
    writer.end()
    return lines


@pytest.mark.parametrize("rules", ["guobiao-mcr", "canton"])
def test_a_log_gives_the_decisions_of_its_players(rules: str, tmp_path: Path) -> None:
    replay = read_log(logged(rules, 5))
    made = from_logs([replay], "tokens")
    assert made.about["hands"] == 3 and made.about["left_out"] == 0
    mask = masks(made)
    assert (mask[np.arange(len(made)), made.columns["action"]] == 1).all()
    passes = sum(action.do == "pass" for hand in replay.hands for _, _, action in hand.table(replay.book).answers)
    assert (made.columns["action"] == action_numbers.PASS).sum() == passes
    discards = sum(event.tag == "discard" for hand in replay.hands for event in hand.events)
    assert 0 < (made.columns["action"] < action_numbers.CHOW).sum() <= discards
    one, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    one.write_text("\n".join(logged(rules, 6)), "utf-8")
    other.write_text("\n".join(logged("yuque-54", 6, 1)), "utf-8")
    with pytest.raises(DataError):
        from_logs([one, other])


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "p.npz"
    assert run(["data", "-o", str(out), "-n", "2", "-b", "random,random,random,random", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["positions"] == len(load(out)) > 50 and printed["hands"] == 2
    log = tmp_path / "game.jsonl"
    log.write_text("\n".join(logged("guobiao-mcr", 5)), "utf-8")
    assert run(["data", "-o", str(out), "--log", str(log), "--encoding", "planes"]) == 0
    assert load(out).columns["observation"].dtype == np.float32
    assert run(["data", "-o", str(tmp_path / "p.txt")]) == 2
    assert run(["data", "-o", str(out), "--encoding", "words", "-n", "1"]) == 2
    assert run(["data", "-o", str(out), "--log", str(tmp_path / "none")]) == 2


def test_parquet_wants_its_extra(tmp_path: Path) -> None:
    made = from_bots("lingque-29", ["random"] * 4, 1)
    wanted = missing_extra("pyarrow")
    assert wanted is not None and "quepu[parquet]" in str(wanted)
    try:
        from pyarrow import parquet
    except ModuleNotFoundError:
        with pytest.raises(MissingExtra, match="parquet"):
            save(made, tmp_path / "x.parquet")
        return
    save(made, tmp_path / "x.parquet")
    table = parquet.read_table(tmp_path / "x.parquet")
    shape = json.loads(table.schema.metadata[b"quepu"])["shapes"]["observation"]
    flat = np.stack(table["observation"].to_numpy())
    assert np.array_equal(flat.reshape(-1, *shape), made.columns["observation"])
    assert table.num_rows == len(made)
