"""Figures read directly from logs equal those of replayed matches; a folder of arbitrary files does not crash."""

import gzip
import json
import shutil

import pytest

from quepu.cli import run
from quepu.figures.intervals import mean, rate
from quepu.figures.log_figures import MatchFigures, Unreadable, read
from quepu.figures.player_report import ratings
from quepu.logs import files
from quepu.match.reader import read_log
from tests.golden.test_logs import LOGS, lines_of, opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("logs")
    for i, path in enumerate(LOGS):
        (made / f"{i:02} {path.name.removesuffix('.gz')}").write_bytes(gzip.decompress(path.read_bytes()))
    return made


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_what_is_read_is_what_was_played(path, tmp_path):
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(lines_of(path)), encoding="utf-8")
    found = read(file)
    assert isinstance(found, MatchFigures)
    replay = opened(path)
    match = replay.match
    assert list(found.totals.values()) == list(match.totals)
    people = list(found.players.values())
    assert [one.hands for one in people] == [len(match.hands)] * 4
    for player, one in enumerate(people):
        mine = [hand for hand in match.hands if hand.ending.winners]
        won = [hand for hand in mine if hand.place.seats[hand.ending.winners[0].seat] == player]
        assert one.wins == len(won)
        assert one.self_draws == sum(hand.ending.discarder is None for hand in won)
        assert one.deal_ins == sum(
            hand.ending.discarder is not None and hand.place.seats[hand.ending.discarder] == player for hand in mine
        )
        assert one.squares == sum(hand.players[player] ** 2 for hand in match.hands)


def test_a_folder_of_logs_in_the_terminal(folder, capsys):
    (folder / "notes.txt").write_text("买菜", encoding="utf-8")
    assert run(["stats", str(folder)]) == 0
    out = capsys.readouterr().out
    assert f"{len(LOGS)} 场" in out
    assert "未读取" in out
    assert run(["stats", str(folder), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["matches"] == len(LOGS)
    assert len(data["unread"]) == 1
    name = data["players"][0]["name"]
    assert run(["stats", str(folder), "--player", name]) == 0
    assert "对手" in capsys.readouterr().out
    capsys.readouterr()
    assert run(["stats", str(folder), "--player", "没有这人"]) == 2
    assert "玩家有：" in capsys.readouterr().err
    assert run(["stats", str(folder), "--player", f"{name}x"]) == 2
    assert f"是不是{name}" in capsys.readouterr().err
    assert run(["stats", str(folder / "nothing")]) == 2
    assert run(["stats", str(folder), "--csv", "-"]) == 0
    assert capsys.readouterr().out.startswith("player,matches")


def test_why_files_were_not_read_is_said_once_with_their_number(folder, tmp_path, capsys):
    made = tmp_path / "logs"
    shutil.copytree(folder, made)
    before = [path for path in made.rglob("*") if path.name == "notes.txt"]
    for number in range(12 - len(before)):
        (made / f"shopping-{number}.txt").write_text("买菜", encoding="utf-8")
    (made / "empty.jsonl").write_text("", encoding="utf-8")
    assert run(["--lang", "en", "stats", str(made)]) == 0
    lines = " ".join(capsys.readouterr().out.split()).split("skipped: ")[1:]
    assert len(lines) == 2
    assert lines[0].startswith("12 files, such as ") and lines[1].strip().endswith(": an empty file.")
    assert run(["stats", str(made), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["unread"]) == 13  # each of them, with its path


def test_what_is_no_log_says_why(tmp_path):
    for name, text in (("a.json", "[1, 2]"), ("b.json", '{"log": 3, "players": 4}'), ("c.txt", ""), ("d.json", "{")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [read(path) for path in files(tmp_path)]
    assert len(found) == 4
    assert all(isinstance(one, Unreadable) and one.why.zh for one in found)


def test_shares_and_means_have_intervals():
    one = rate(5, 20)
    assert (one.share, one.of) == (0.25, 20)
    assert (one.low, one.high) == pytest.approx((0.1119, 0.4687), abs=1e-3)  # Wilson's of 5 in 20
    assert rate(0, 0)[2:] == (0.0, 0.0, 1.0)
    assert rate(0, 10).low == pytest.approx(0.0, abs=1e-9)
    assert rate(10, 10).high == pytest.approx(1.0)
    values = [1, 2, 3, 4]
    found = mean(sum(values), sum(v * v for v in values), 4)
    assert found.mean == 2.5
    assert found.high - found.mean == pytest.approx(1.96 * 1.2909944 / 2, rel=1e-3)


def test_who_wins_more_is_rated_higher_and_more_matches_are_less_uncertain():
    results = [{"甲": 30, "乙": 10, "丙": -10, "丁": -30}] * 6 + [{"甲": 5, "戊": -5, "乙": 0, "丙": 0}]
    found = ratings(results)
    assert max(found, key=lambda name: found[name].mean) == "甲"
    assert found["甲"].deviation < found["戊"].deviation
    assert found["丁"].mean < found["乙"].mean
    assert found["甲"].matches == 7
    even = ratings([{"甲": 0, "乙": 0}])
    assert even["甲"].mean == pytest.approx(even["乙"].mean)


def test_logs_that_break_off_count_as_far_as_they_go(folder):
    path = next(files(folder))
    lines = path.read_text("utf-8").splitlines()
    cut = [i for i, line in enumerate(lines) if line.startswith('{"result"')][1]
    short = folder.parent / "short.jsonl"
    short.write_text("\n".join(lines[: cut + 1]), encoding="utf-8")
    found = read(short)
    assert isinstance(found, MatchFigures)
    assert next(iter(found.players.values())).hands == 2
    assert list(found.totals.values()) == list(read_log(lines[: cut + 1], unfinished=True).match.totals)
