"""Logs as tables: rows of matches, hands and decisions agree with the matches that were played."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import quepu
from quepu import logs
from quepu.arena import match
from quepu.match import read_log
from quepu.match.mjai_export import to_mjai
from quepu.tiles import FLOWERS_ENGLISH, NAMES

TILE = (*NAMES, *FLOWERS_ENGLISH)
PLAYERS = ("plain", "plain", "random", "closed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("logs")
    for i, rules in enumerate(("guobiao", "lingque-29", "canton")):
        match(rules, PLAYERS, seed=i, rounds=1, log=made / f"{i}.jsonl")
    (made / "note.txt").write_text("bought milk\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def replays(folder: Path) -> list[quepu.match.Replay]:
    return [read_log(folder / f"{i}.jsonl") for i in range(3)]


def test_a_row_for_each_match(folder, replays):
    rows = logs.matches(folder)
    for row, replay in zip(rows, replays, strict=True):
        assert row["players"] == list(replay.match.names) and row["totals"] == list(replay.match.totals)
        assert (row["rules"], row["hands"], row["finished"]) == (replay.book.id, len(replay.match.hands), True)
        assert tuple(row) == rows.columns
    assert [(Path(one.path).name, one.why.en) for one in rows.unread] == [
        ("note.txt", "line 1: this is neither a log of quepu nor a record of Botzone, 雀渣 (tziakcha),"
                     " open_mahjong_unity or mjai.")
    ]  # fmt: skip


def test_a_folder_is_read_without_hidden_folders_and_environments(folder, tmp_path):
    log = (folder / "0.jsonl").read_bytes()
    for name in ("b/one.jsonl", "a.jsonl", ".venv/two.jsonl", "b/.git/three.jsonl", "env/lib/four.jsonl", "b/c/d.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(log)
    (tmp_path / "env" / "pyvenv.cfg").write_text("", encoding="utf-8")
    rows = logs.matches(tmp_path)
    assert [Path(row["file"]).relative_to(tmp_path).as_posix() for row in rows] == [
        "a.jsonl",
        "b/c/d.txt",
        "b/one.jsonl",
    ]
    assert rows.unread == [] and len(list(logs.matches(tmp_path / ".venv"))) == 1


def test_the_gains_of_hands_add_up_to_the_totals(folder, replays):
    rows = list(logs.hands(folder))
    assert len(rows) == sum(len(replay.hands) for replay in replays)
    for i, replay in enumerate(replays):
        start = replay.match.rules.match.start
        totals = dict.fromkeys(replay.match.names, start)
        for row in rows:
            if row["file"].endswith(f"{i}.jsonl"):
                for name, gain in zip(row["players"], row["paid"], strict=True):
                    totals[name] += gain
                assert (row["ending"] == "drawn") == (not row["winners"])
                assert row["replayed"] and len(row["points"]) == len(row["winners"])
                assert (row["discarder"] is None) == (row["ending"] in ("drawn", "self_draw"))
        assert totals == dict(zip(replay.match.names, replay.match.totals, strict=True))
    won = [row for row in rows if row["winners"]]
    assert won and all(row["fans"] for row in won)


def test_decisions_are_those_of_the_hands(folder, replays):
    rows = [row for row in logs.decisions(folder) if row["file"].endswith("0.jsonl")]
    for hand in replays[0].hands:
        mine = [row for row in rows if row["hand"] == hand.number]
        assert [row["n"] for row in mine] == list(range(len(mine)))
        discards = [("ESWN"[event.seat], TILE[event.tile]) for event in hand.events if event.tag == "discard"]
        chosen = [row for row in mine if row["action"] == "discard"]
        assert [(row["seat"], row["tile"]) for row in chosen] == discards
        assert sum(row["action"] == "win" for row in mine) >= len(hand.ending.winners)
        for row in chosen:
            assert row["options"] > 0
            if " " not in row["concealed"] and row["drawn"] not in FLOWERS_ENGLISH:
                tiles = quepu.parse_tiles(row["concealed"]) + quepu.parse_tiles(row["drawn"] or "")
                assert len(tiles) + 3 * row["melds"].count("(") + 3 * row["melds"].count("[") == 14
                assert row["tile"] in {str(tile) for tile in tiles}
    assert {"discard", "pass"} <= {row["action"] for row in rows}


def test_frames_and_files_have_the_same_rows(folder, tmp_path):
    from pyarrow import parquet

    for made in (logs.matches(folder), logs.hands(folder), logs.decisions(folder)):
        rows = list(made)
        assert made.to_arrow().to_pylist() == rows
        assert made.to_polars().to_dicts() == rows
        assert len(made.to_pandas()) == len(rows) and tuple(made.to_pandas()) == made.columns
        path = tmp_path / "rows.parquet"
        assert made.to_parquet(path) == len(rows)
        assert parquet.read_table(path).to_pylist() == rows
        assert [one.name for one in tmp_path.iterdir()] == ["rows.parquet"]
    with pytest.raises(quepu.HandError, match="missing"):
        logs.hands(folder).to_parquet(tmp_path / "missing" / "rows.parquet")


def test_several_processes_keep_the_order_and_tell_how_far_they_are(folder):
    paths = [folder / f"{i % 3}.jsonl" for i in range(9)]
    done: list[int] = []
    shared = list(logs.hands(paths, jobs=2, progress=done.append))
    assert shared == list(logs.hands(paths, jobs=1)) and done == list(range(1, 10))


def test_other_programs_records_are_rows_too(folder, replays, tmp_path):
    (tmp_path / "g.json").write_text("\n".join(to_mjai(replays[0])), encoding="utf-8")
    row = next(iter(logs.matches(tmp_path)))
    assert row["source"] == "mjai" and row["hands"] == len(replays[0].hands)
    assert list(logs.decisions(tmp_path))


def test_decisions_under_unknown_rules_are_left_out(tmp_path):
    house = quepu.book("lingque-29").having(minimum=16, id="house")
    match(house, PLAYERS, seed=3, rounds=1, log=tmp_path / "house.jsonl")
    known, unknown = (list(logs.decisions(tmp_path, rules=rules)) for rules in (house, None))
    assert len(known) > 100 and unknown == []
    assert not any(row["replayed"] for row in logs.hands(tmp_path))


def test_nothing_there_and_no_rows(tmp_path):
    with pytest.raises(quepu.HandError, match="nothing"):
        logs.hands(tmp_path / "nothing")
    with pytest.raises(quepu.HandError, match="jobs"):
        logs.hands(tmp_path, jobs=-1)
    empty = logs.decisions(tmp_path)
    assert list(empty) == [] and empty.to_arrow().num_rows == 0 and empty.to_polars().columns == list(empty.columns)


def test_the_command_line_writes_a_table(folder, tmp_path, capsys):
    from quepu.cli import run

    for name, read in (("matches", logs.matches), ("hands", logs.hands)):
        out = tmp_path / f"{name}.csv"
        assert run(["data", "--log", str(folder), "--rows", name, "-o", str(out), "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        with out.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        expected = list(read(folder))
        assert said["rows"] == len(rows) == len(expected) and len(said["unread"]) == 1
        assert [row["players"] for row in rows] == [" ".join(row["players"]) for row in expected]
    out = tmp_path / "hands.parquet"
    assert run(["data", "--log", str(folder), "--rows", "hands", "-o", str(out)]) == 0
    assert out.exists() and "17" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--rows", "hands"], "--log"), (["--rows", "games", "--log", "."], "games"),
        (["--rows", "hands", "--log", ".", "--seed", "2"], "--seed"),
        (["--rows", "hands", "--log", ".", "-o", "x.npz"], ".parquet"),
    ],
)  # fmt: skip
def test_the_command_line_says_what_a_table_cannot_have(args, sentence, tmp_path, monkeypatch, capsys):
    from quepu.cli import run

    monkeypatch.chdir(tmp_path)
    assert run(["--lang", "en", "data", *args]) == 2
    assert sentence in capsys.readouterr().err


# ---- read_log


def test_a_log_is_a_path_a_file_a_text_or_lines(folder, replays):
    path = folder / "0.jsonl"
    text = path.read_text("utf-8")
    with path.open(encoding="utf-8") as file:
        for given in (path, str(path), file, text, text.splitlines(), io.StringIO(text), "\ufeff" + text):
            assert read_log(given).match == replays[0].match


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (b"x", "not a bytes"), (None, "not a NoneType"), (5, "not a int"), ("no/such.jsonl", "no/such.jsonl"),
        (json.dumps({"logs": []}), "the first line of a quepu log was expected here"), ([], "the log is empty"),
        ("", "cannot read"),
    ],
    ids=repr,
)  # fmt: skip
def test_read_log_says_what_it_expected(given, sentence):
    with pytest.raises(quepu.Error) as caught:
        read_log(given)
    assert sentence in caught.value.say("en")


def test_a_log_has_a_short_repr(replays):
    assert repr(replays[0]) == "Replay('guobiao': plain 1, plain 2, random, closed, 4 hands)"
    assert all(repr(hand).startswith(f"PlayedHand({n}: ") for n, hand in enumerate(replays[0].hands, 1))
    assert max(len(repr(hand)) for hand in replays[0].hands) < 60
    assert len(repr(logs.hands([]))) < 200


@pytest.mark.parametrize("table", [logs.MATCH, logs.HAND, logs.DECISION], ids=["matches", "hands", "decisions"])
def test_sql_takes_every_column_without_quotes(table):
    duckdb = pytest.importorskip("duckdb", reason="the extra [explorer] is not installed")
    with duckdb.connect() as database:
        database.sql(f"create table kept as select {', '.join(f'1 as {name}' for name in table)}")
        for name in table:
            assert database.sql(f"select {name} from kept where {name} = 1").fetchall() == [(1,)]
