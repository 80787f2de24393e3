"""Stored discards: the rows against the logs, answers against plain loops, damaged stores, filters that are refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from quepu.cli import run
from quepu.errors import Error, HandError, UnknownName
from quepu.explorer import filters
from quepu.explorer.rows import BITS, HALF, discards, write_matches
from quepu.explorer.store import Store
from quepu.match.frames import hand_frames
from quepu.match.imports import read_any
from quepu.table.events import Discarded
from quepu.tiles import KINDS, NAMES

pytest.importorskip("duckdb")

Row = dict[str, Any]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_LANG", "en")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    write_matches(folder, "guobiao-mcr", ["plain", "closed", "plain", "random"], 14, 5)
    return folder


@pytest.fixture(scope="module")
def rows(logs: Path) -> list[Row]:
    return list(discards(logs, jobs=1))


@pytest.fixture(scope="module")
def store(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    discards(logs, jobs=1).to_parquet(folder / "one.parquet")
    return folder


def counts(row: Row) -> list[int]:
    """The copies of each kind in the hand."""
    return [
        row["low" if kind < HALF else "high"] >> BITS * (kind if kind < HALF else kind - HALF) & 7
        for kind in range(KINDS)
    ]


def test_rows_are_the_discards_of_the_logs(logs: Path, rows: list[Row]) -> None:
    found = iter(rows)
    for path in sorted(logs.iterdir()):
        replay = read_any(path.read_text(encoding="utf-8")).replay
        for hand in replay.hands:
            frames = hand_frames(hand, replay.book).frames
            discarded = [event for event in hand.events if isinstance(event, Discarded) and event.tile < KINDS]
            taken = 0
            for number, event in enumerate(discarded):
                row = next(found)
                assert (row["file"], row["hand"], row["seat"]) == (str(path), hand.number, event.seat)
                assert (row["tile"], row["as_drawn"] or not event.as_drawn) == (event.tile, True)
                before, after = frames[row["frame"]], frames[row["frame"] + 1]
                assert after.event == event
                held = counts(row)
                assert sum(held) + 3 * row["melds"] == 14
                assert held[event.tile] > 0
                for by in (1, 2, 3):
                    other = (event.seat + by) % 4
                    assert row[f"shown{by}"] == len(before.board.melds[other])
                    gone = [one.tile for one in discarded[:number] if one.seat == other]
                    assert row[f"river{by}"] == sum({1 << kind for kind in gone})
                    assert row[f"early{by}"] == sum({1 << kind for kind in gone[:6]})
                assert row["won"] is (event.seat in hand.ending.seats)
                taken += row["took"] > 0
                if row["took"]:
                    assert event is discarded[-1]
                    assert hand.ending.discarder == event.seat
                    assert (event.seat + row["took"]) % 4 in hand.ending.seats
                    assert row["cost"] == -row["gain"] > 0
            assert taken == (hand.ending.discarder is not None and not hand.ending.robbed)
    assert next(found, None) is None


PLAIN: dict[str, Callable[[Row, int], bool]] = {
    "turn>=10": lambda row, by: row["turn"] >= 10,
    "left<50": lambda row, by: row["left"] < 50,
    "tile=1m,9p": lambda row, by: NAMES[row["tile"]] in ("1m", "9p"),
    "tile!=E": lambda row, by: NAMES[row["tile"]] != "E",
    "drawn=yes": lambda row, by: row["as_drawn"],
    "melds=0": lambda row, by: row["melds"] == 0,
    "holds=EE": lambda row, by: counts(row)[27] >= 2,
    "holds!=1m9s": lambda row, by: not (counts(row)[0] and counts(row)[26]),
    "dragons>=3": lambda row, by: sum(counts(row)[31:]) >= 3,
    "winds=1": lambda row, by: sum(counts(row)[27:31]) == 1,
    "shown>=2": lambda row, by: row[f"shown{by}"] >= 2,
    "early=4m": lambda row, by: bool(row[f"early{by}"] >> 3 & 1),
    "river!=4m5m": lambda row, by: row[f"river{by}"] >> 3 & 3 != 3,
    "won=no": lambda row, by: not row["won"],
    "seat=S": lambda row, by: row["seat"] == 1,
    "player=closed": lambda row, by: row["player"] == "closed",
    "rules=国标": lambda row, by: row["rules"] == "guobiao",
}


def cases(rows: list[Row], terms: tuple[str, ...]) -> Iterator[tuple[Row, int]]:
    opponents = (1, 2, 3) if any(term.startswith(("shown", "early", "river")) for term in terms) else (0,)
    return ((row, by) for row in rows for by in opponents if all(PLAIN[term](row, by) for term in terms))


def test_every_term_and_every_pair_counts_as_a_plain_loop_does(rows: list[Row], store: Path) -> None:
    opened = Store(store, threads=1)
    for terms in ((), *((term,) for term in PLAIN), *combinations(PLAIN, 2)):
        expected = list(cases(rows, terms))
        answer = opened.ask(filters.read(" ".join(terms)), examples=0)
        found = answer.groups[0] if answer.groups else None
        assert (found.cases if found else 0) == len(expected), terms
        if found is not None:
            taken = [row for row, by in expected if row["took"] and by in (0, row["took"])]
            assert found.taken["cases"] == len(taken), terms
            assert found.cost["mean"] == pytest.approx(sum(row["cost"] for row in taken) / len(expected)), terms
            assert found.won["cases"] == sum(row["won"] for row, _ in expected), terms
            assert found.gain["mean"] == pytest.approx(sum(row["gain"] for row, _ in expected) / len(expected)), terms
            assert found.hands == len({(row["file"], row["hand"]) for row, _ in expected}), terms
    opened.close()


def test_groups_add_up_and_examples_open_in_the_replay(
    rows: list[Row], store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = Store(store, threads=1)
    for by in ("turn", "tile", "melds", "left", "rules", "player", "seat", "shown"):
        answer = opened.ask(filters.read("shown>=1"), by)
        assert sum(group.cases for group in answer.groups) == len(list(cases_of_shown(rows)))
    answer = opened.ask(filters.read("turn>=3 turn<=4"), "tile", examples=3)
    assert len(answer.examples) == 3
    for one in answer.examples:
        assert run(["replay", one.file, "--hand", str(one.hand), "--frame", str(one.frame + 1)]) == 0
        assert one.player in capsys.readouterr().out
    opened.close()


def test_the_printed_answer_is_valid_by_its_schema(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.cli.test_json_schemas import check

    for line in (["shown>=2", "--by", "tile"], ["holds=CC"], ["turn>=99"]):
        assert run(["explore", str(store), *line, "--json"]) == 0
        check("explore", json.loads(capsys.readouterr().out))


def cases_of_shown(rows: list[Row]) -> Iterator[Row]:
    return (row for row in rows for by in (1, 2, 3) if row[f"shown{by}"] >= 1)


def test_the_exact_chance_is_that_of_fourteen_tiles(store: Path) -> None:
    """Of a pair of one kind: one minus the chances of none and of one copy."""
    from math import comb

    opened = Store(store)
    exact = opened.ask(filters.read("holds=CC"), examples=0).exact
    none, one = comb(132, 14) / comb(136, 14), 4 * comb(132, 13) / comb(136, 14)
    assert exact == pytest.approx(1 - none - one)
    both = opened.ask(filters.read("holds=C holds=F"), examples=0).exact
    neither = 1 - 2 * comb(132, 14) / comb(136, 14) + comb(128, 14) / comb(136, 14)
    assert both == pytest.approx(neither)
    assert opened.ask(filters.read("holds=CC turn>=2"), examples=0).exact is None
    opened.close()


def test_damaged_files_are_named_and_left_out(store: Path, rows: list[Row], tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    good = (store / "one.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(good)
    (tmp_path / "b.parquet").write_bytes(good[: len(good) // 2])
    (tmp_path / "c.parquet").write_text("hello", encoding="utf-8")
    parquet.write_table(pyarrow.table({"turn": [1]}), tmp_path / "d.parquet")
    middle = bytearray(good)
    middle[100 : len(good) // 2] = bytes(len(good) // 2 - 100)
    (tmp_path / "e.parquet").write_bytes(bytes(middle))
    opened = Store(tmp_path)
    answer = opened.ask(filters.read(""), "turn")
    assert sum(group.cases for group in answer.groups) == answer.rows == len(rows)
    names = {Path(one.path).name: one.why.en for one in answer.unread}
    assert set(names) == {"b.parquet", "c.parquet", "d.parquet", "e.parquet"}
    assert names["d.parquet"].startswith("columns are missing: file, hand,")
    opened.close()
    only = tmp_path / "only"
    only.mkdir()
    (only / "c.parquet").write_text("hello", encoding="utf-8")
    nothing = Store(only)
    assert nothing.ask(filters.read("")).groups == []
    nothing.close()


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("turn", "cannot read 'turn'"),
        ("turn>=10 and tile=1m", "cannot read 'and'"),
        ("trun>=10", "no term 'trun'; there are: turn."),
        ("seat=ES", "seat=ES: expected E, S, W or N, not 'ES'."),
        ("seat=,", "seat=: expected E, S, W or N, not ''."),
        ("turn>=ten", "turn>=ten: expected a whole number"),
        ("turn>=99999999999", "turn>=99999999999: expected a whole number"),
        ("tile>=1m", "tile>=1m: this takes = or !=, not >=."),
        ("tile=1z9", "tile=1z9: not a tile:"),
        ("holds=CCCCC", "holds=CCCCC: "),
        ("drawn=maybe", "drawn=maybe: expected yes or no"),
        ("seat=Q", "seat=Q: expected E, S, W or N"),
        ("rules=poker", "rules=poker: no rulebook 'poker'."),
        ("turn>=1 " * 21, "at most 20 terms."),
        ("1=1; DROP TABLE x", "cannot read 'DROP TABLE x'"),
    ],
)
def test_a_filter_that_cannot_be_read_says_why(text: str, starts: str) -> None:
    with pytest.raises(Error) as wrong:
        filters.read(text)
    assert str(wrong.value).startswith(starts)


def test_values_never_become_part_of_a_query() -> None:
    text = "player=x');DROP"
    (condition,) = filters.read(text).conditions
    assert condition.values == ("x');DROP",)
    assert "DROP" not in condition.sql


def test_chinese_names_mean_the_same() -> None:
    assert filters.read("亮出>=2 巡>=10 早打=四万 打=一万") == filters.read("shown>=2 turn>=10 early=四万 tile=一万")


def test_stores_that_cannot_be_asked_are_refused(store: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(HandError):
            Store(path)
    opened = Store(store)
    with pytest.raises(UnknownName):
        opened.ask(filters.read(""), "trun")
    with pytest.raises(HandError):
        opened.ask(filters.read("turn>=1"), "shown")
    opened.close()


@pytest.mark.parametrize("name", ["broken.parquet", "notes.txt"])
def test_a_store_without_a_readable_file_is_refused(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("not a table", "utf-8")
    assert run(["--lang", "en", "explore", str(tmp_path / name)]) == 2
    assert f"{name}: not a Parquet file, or damaged.\n" in capsys.readouterr().err


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_rows_of_unreadable_logs_do_not_replace_a_table(
    tmp_path: Path, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "night.jsonl").write_text("", "utf-8")
    out = tmp_path / f"rows.{end}"
    out.write_text("an earlier table", "utf-8")
    line = ["data", "--log", str(tmp_path / "night.jsonl"), "--rows", "discards", "-o", str(out)]
    assert run(["--lang", "en", *line]) == 2
    assert "night.jsonl: line 1: the log is empty" in capsys.readouterr().err
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["night.jsonl", out.name]
    assert out.read_text("utf-8") == "an earlier table"


def test_discards_that_bots_play_are_those_of_this_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["data", "--rows", "discards", "-r", "lingque", "-b", "random,random,random,random", "-n", "1"]
    printed = []
    for seed, end in (("1", "csv"), ("2", "csv"), ("1", "csv"), ("1", "txt")):
        code = run([*line, "--seed", seed, "-o", str(tmp_path / f"rows.{end}"), "--json"])
        printed.append(json.loads(capsys.readouterr().out))
        assert code == (2 if end == "txt" else 0)
    assert printed[0] == printed[2]
    assert {log.name for log in (tmp_path / "rows.logs").iterdir()} == {"match-1.jsonl", "match-2.jsonl"}
    files = {line.split(",")[0] for line in (tmp_path / "rows.csv").read_text("utf-8-sig").splitlines()[1:]}
    assert {Path(file).name for file in files} == {"match-1.jsonl"}


@pytest.mark.parametrize("players", [200, 201, 250])
def test_the_largest_of_many_groups_are_listed_and_the_others_counted(
    store: Path, tmp_path: Path, players: int
) -> None:
    """Each player N has N + 1 discards; names with numbers are in their natural order."""
    import pyarrow as pa
    from pyarrow import parquet

    rows = parquet.read_table(store / "one.parquet")
    names = [f"p{at}" for at in range(players) for _ in range(at + 1)]
    taken = rows.take([at % rows.num_rows for at in range(len(names))])
    column = taken.schema.get_field_index("player")
    kind = taken.schema.field("player").type
    parquet.write_table(taken.set_column(column, "player", pa.array(names).cast(kind)), tmp_path / "many.parquet")
    opened = Store(tmp_path)
    try:
        answer = opened.ask(filters.read(""), "player", 0)
    finally:
        opened.close()
    assert [group.group for group in answer.groups] == [f"p{at}" for at in range(players - 200, players)]
    assert answer.more == answer.to_json("en")["more"] == players - 200
