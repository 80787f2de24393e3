"""Positions as files: what bots decided, what logs say, the same columns."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from quepu.arena import Plan, play_hand
from quepu.arena.plan import seat_bot
from quepu.bots import make_bot
from quepu.cli import run
from quepu.errors import Error, MissingExtra, UnknownKeyword, missing_extra
from quepu.match import LogWriter, Match, read_log, settle
from quepu.match.botzone_export import to_botzone
from quepu.rl import action_numbers, data, log_data
from quepu.rl.data import COLUMNS, DataError, Decisions, from_bots, from_logs, load, save, write_bots, write_logs
from quepu.rulebooks import find_book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, View, make_wall


def masks(made: Decisions) -> np.ndarray:
    return np.unpackbits(made.columns["mask"], axis=1, count=action_numbers.COUNT)


def test_an_unknown_option_is_refused_by_the_name_of_the_function(tmp_path: Path) -> None:
    unknown: dict[str, int] = {"job": 2}
    four = ["random"] * 4
    with pytest.raises(UnknownKeyword) as caught:
        from_bots("guobiao-mcr", four, 1, **unknown)  # type: ignore[arg-type]
    assert caught.value.text.en == "from_bots got an unexpected keyword argument 'job'; did you mean jobs?"
    with pytest.raises(UnknownKeyword, match="write_bots"):
        write_bots(tmp_path / "a.npz", "guobiao-mcr", four, 1, **unknown)  # type: ignore[arg-type]


def test_decisions_of_bots_are_those_of_a_simulation(tmp_path: Path) -> None:
    made = from_bots("lingque-29", ["plain", "random", "random", "random"], 6, seed=3)
    assert set(made.columns) == set(COLUMNS) and len({len(column) for column in made.columns.values()}) == 1
    mask = masks(made)
    assert (mask[np.arange(len(made)), made.columns["action"]] == 1).all()
    assert (mask.sum(axis=1) >= 2).all()
    plan = Plan("lingque-29", ("plain", "random", "random", "random"), 6, 3)
    for hand in range(6):
        (seating,) = plan.seatings(hand)
        bots = [seat_bot(plan.levels[who], plan.bot_seed(hand, seat)) for seat, who in enumerate(seating)]
        table = play_hand(plan.book, make_wall(3, hand, plan.tiles), bots, round=hand // 4 % 4)
        assert table.ending is not None
        points = settle(table.ending, plan.book, table.rules).seats
        mine = made.columns["hand"] == hand
        for seat in range(4):
            assert set(made.columns["points"][mine & (made.columns["seat"] == seat)]) <= {points[seat]}
            assert set(made.columns["won"][mine & (made.columns["seat"] == seat)]) <= {seat in table.ending.seats}
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
    match = Match(find_book(rules))
    writer = LogWriter(match, lines.append)
    for number in range(1, hands + 1):
        bots = [make_bot("plain", seed + number * 4 + seat) for seat in range(4)]
        wall = make_wall(seed, number, play_rules(match.book).table.tiles)
        table = play_hand(match.book, wall, bots, round=match.place.round_wind)
        writer.hand(number, match.place, table)
        assert table.ending is not None
        match = match.add_hand(table.ending)
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


HOUSE = 'base = "guobiao"\nminimum = 6\n'


def written(folder: Path, name: str, rules: str, seed: int, hands: int = 2) -> Path:
    """A log of bots in a file."""
    path = folder / name
    path.write_text("\n".join(logged(rules, seed, hands)), "utf-8")
    return path


def test_logs_under_house_rules_need_their_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "club.toml"
    rules.write_text(HOUSE, "utf-8")
    log, out = written(tmp_path, "club.jsonl", str(rules), 5), tmp_path / "o.npz"
    assert run(["data", "-o", str(out), "--log", str(log), "-r", str(rules), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["hands"] == 2 and printed["left_out"] == 0 and printed["rules"] == "club"
    assert printed["positions"] == len(load(out)) > 20
    assert run(["--lang", "en", "data", "-o", str(out), "--log", str(log)]) == 0
    shown = capsys.readouterr().out
    assert "2 hands skipped" in shown and "club" in shown and "--rules" in shown


@pytest.mark.parametrize("options", [["-b", "plain,plain,plain,plain"], ["-n", "3"], ["--seed", "1"], ["--no-flowers"]])
def test_what_bots_would_play_does_not_go_with_logs(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out = written(tmp_path, "a.jsonl", "canton", 5, 1), tmp_path / "o.npz"
    assert run(["--lang", "en", "data", "-o", str(out), "--log", str(log), *options]) == 2
    named = {"-b": "--bots", "-n": "--hands"}.get(options[0], options[0])
    assert named in capsys.readouterr().err and not out.exists()


def test_logs_of_every_kind_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Other programs' records, logs that break off, folders: what `quepu stats` reads."""
    folder = tmp_path / "logs"
    folder.mkdir()
    whole = written(folder, "a.jsonl", "guobiao-mcr", 5, 3)
    lines = whole.read_text("utf-8").splitlines()
    last = max(i for i, line in enumerate(lines) if line.startswith('{"hand"'))
    (folder / "b.jsonl").write_text("\n".join([*lines[: last + 30], lines[last + 30][:9]]), "utf-8")
    (folder / "c.json").write_text(json.dumps(to_botzone(read_log(lines), 1)), "utf-8")
    (folder / "notes.txt").write_text("hello", "utf-8")
    (folder / "not-a-log.csv").write_text("1,2", "utf-8")
    alone = from_logs(whole)
    assert alone.about["hands"] == 3
    assert from_logs(str(folder / "b.jsonl")).about["hands"] == 2
    assert from_logs(folder / "b.jsonl").about["left_out"] == 1
    assert from_logs(folder / "c.json").about["hands"] == 1
    made = from_logs([folder])
    assert (made.about["logs"], made.about["hands"]) == (3, 6)
    assert [path for path, _ in made.about["unread"]] == [str(folder / "notes.txt")]
    assert np.array_equal(made.columns["observation"][: len(alone)], alone.columns["observation"])
    assert run(["--lang", "en", "data", "-o", str(tmp_path / "o.npz"), "--log", str(folder)]) == 0
    assert "notes.txt" in capsys.readouterr().out
    with pytest.raises(DataError) as several:
        from_logs([whole, written(tmp_path, "y.jsonl", "yuque-54", 6, 1)])
    assert "a.jsonl" in several.value.say("en") and "y.jsonl" in several.value.say("en")
    (tmp_path / "bad.jsonl").write_text("hello\n", "utf-8")
    assert run(["--lang", "en", "data", "-o", str(tmp_path / "o.npz"), "--log", str(whole), "--log",
                str(tmp_path / "bad.jsonl")]) == 2  # fmt: skip
    assert "bad.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_on_disk_are_what_memory_has(jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "CHUNK", 2)
    made = from_bots("yuque-54", ["random"] * 4, 7, seed=3, encoding="tokens")
    about = write_bots(tmp_path / "x.npz", "yuque-54", ["random"] * 4, 7, seed=3, encoding="tokens", jobs=jobs)
    again = load(tmp_path / "x.npz")
    assert again.about == made.about and about == {**made.about, "positions": len(made)}
    assert all(np.array_equal(again.columns[name], made.columns[name]) for name in COLUMNS)
    assert all(again.columns[name].dtype == made.columns[name].dtype for name in COLUMNS)
    monkeypatch.setattr(log_data, "MOST_ROWS", 10)
    logs = [written(tmp_path, f"{seed}.jsonl", "yuque-54", seed) for seed in (1, 2)]
    from_memory = from_logs(logs)
    write_logs(tmp_path / "l.npz", logs)
    again = load(tmp_path / "l.npz")
    assert all(np.array_equal(again.columns[name], from_memory.columns[name]) for name in COLUMNS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.jsonl", "2.jsonl", "l.npz", "x.npz"]


def test_memory_does_not_grow_with_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "CHUNK", 2)

    def peak(hands: int) -> int:
        tracemalloc.start()
        try:
            write_bots(tmp_path / "x.npz", "yuque-54", ["random"] * 4, hands, encoding="planes")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2)
    few, many = peak(4), peak(24)
    assert many < 1.6 * few


def test_what_was_played_before_ctrl_c_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def stopping(_total: int) -> Iterator[Callable[[int], None]]:
        def advance(done: int) -> None:
            if done >= stop:
                raise KeyboardInterrupt

        yield advance

    monkeypatch.setattr(data, "CHUNK", 2)
    monkeypatch.setattr("quepu.cli.screen.meter", stopping)
    out, bots = tmp_path / "x.npz", "random,random,random,random"
    stop = 4
    assert run(["--lang", "en", "data", "-o", str(out), "-n", "8", "-b", bots]) == 130
    assert "4 hands" in (printed := capsys.readouterr()).out and "interrupted" in printed.err
    made = load(out)
    assert made.about["partial"] is True and made.about["hands"] == 4
    whole = from_bots("lingque-29", ["random"] * 4, 4)
    assert np.array_equal(made.columns["observation"], whole.columns["observation"])
    stop = 1
    logs = [argument for seed in (1, 2) for argument in ("--log", str(written(tmp_path, f"{seed}.jsonl", "canton", 1)))]
    assert run(["data", "-o", str(out), *logs]) == 130
    assert load(out).about["logs"] == 1


def test_bots_of_one_s_own_have_names_in_the_file(tmp_path: Path) -> None:
    class Mine:
        def __init__(self, seed: int) -> None:
            self.inner = make_bot("random", seed)

        def begin(self, book: Rulebook, seat: int) -> None:
            self.inner.begin(book, seat)

        def act(self, view: View, options: Sequence[Action]) -> Action:
            return self.inner.act(view, options)

    made = from_bots("lingque-29", [Mine, "random", "random", make_bot("random", 1)], 1)
    assert made.about["bots"] == ["Mine", "random", "random", "RandomBot"]
    save(made, tmp_path / "x.npz")
    assert load(tmp_path / "x.npz").about == made.about


@pytest.mark.parametrize("kind", ["empty", "cut", "npy", "zip", "other", "folder"])
def test_a_file_that_is_none_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    save(from_bots("lingque-29", ["random"] * 4, 1), path)
    whole = path.read_bytes()
    if kind == "npy":
        path = tmp_path / "x.npy"
        np.save(path, np.zeros(3))
    elif kind == "other":
        np.savez(path, x=np.zeros(3))
    elif kind == "folder":
        path = tmp_path
    else:
        path.write_bytes({"empty": b"", "cut": whole[: len(whole) // 2], "zip": whole[:200] + whole[300:]}[kind])
    with pytest.raises(Error) as refused:
        load(path)
    assert path.name in refused.value.say("en")
    with pytest.raises(Error) as missing:
        load(tmp_path / "none.npz")
    assert "cannot read" in missing.value.say("en")


def test_a_file_is_there_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, path = from_bots("guobiao", ["random"] * 4, 2, seed=1), tmp_path / "made.npz"
    save(made, path)
    before = path.read_bytes()

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("numpy.lib.format.write_array_header_1_0", stopped)
    for target in (path, tmp_path / "new.npz"):
        with pytest.raises(KeyboardInterrupt):
            save(made, target)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["made.npz"]


def test_decisions_print_in_a_line() -> None:
    made = from_bots("yuque-54", ["random"] * 4, 1)
    assert repr(made) == f"Decisions('yuque-54': {len(made)} decisions, counts)"
