"""One arena: matches with a log, any book and any bots, comparisons on the same walls, records to go on from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from quepu.arena import Duel, Plan, PlanError, follow_hand, match, play_duel, play_hand, simulate
from quepu.arena.seat_value import play_seats
from quepu.bots import make_bot
from quepu.bots.simple import PlainBot, RandomBot
from quepu.cli import run
from quepu.errors import Error
from quepu.match import read_log
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, NotAllowed, Table, View, Wall, make_wall


class Last:
    """A bot of one's own: always the last option."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def begin(self, book: Rulebook, seat: int) -> None:
        """Nothing to prepare."""

    def act(self, view: View, options: Sequence[Action]) -> Action:
        return options[-1]


@pytest.mark.parametrize("rules", ["lingque-29", "yuque-54", "guobiao-mcr"])
def test_a_match_writes_a_log_that_stands(rules: str, tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    played = match(rules, ["random", Last, RandomBot(3), "random"], seed=5, rounds=1, log=file)
    assert played.over and played.names == ("random 1", "Last", "RandomBot", "random 4")
    replay = read_log(file.read_text("utf-8").splitlines())
    assert replay.finished and not replay.problems
    assert replay.match.totals == played.totals and len(replay.hands) == len(played.hands)
    again = match(rules, ["random", Last, RandomBot(3), "random"], seed=5, rounds=1)
    assert again.totals == played.totals


def test_house_rules_and_their_values_are_books_too(tmp_path: Path) -> None:
    toml = tmp_path / "house.toml"
    toml.write_text('base = "guobiao-mcr"\nminimum = 1\n', "utf-8")
    by_file = simulate(Plan(str(toml), ("random",) * 4, 8, 2))
    by_value = simulate(Plan(book("guobiao-mcr").having(minimum=1), ("random",) * 4, 8, 2), jobs=2)
    assert by_file.to_json()["players"] == by_value.to_json()["players"]
    assert match(str(toml), ["random"] * 4, rounds=1).over
    with pytest.raises(PlanError):
        match("canton", ["random"] * 3)
    with pytest.raises(Error, match=r"写不了|cannot write"):
        match("lingque-29", ["random"] * 4, rounds=1, log=tmp_path / "none" / "x")


def test_own_bots_are_compared_on_the_same_walls() -> None:
    plan = Plan("lingque-29", (Last, Last, PlainBot, PlainBot), 4, 1, all_seatings=True)
    one, two = simulate(plan), simulate(plan, jobs=2)
    assert one.to_json() == two.to_json()
    (line,) = one.to_json()["differences"]
    assert {line["better"], line["than"]} == {"Last", "PlainBot"}
    assert line["low95"] <= line["net_a_hand"] <= line["high95"]
    assert [row["level"] for row in one.rows()] == ["Last", "Last", "PlainBot", "PlainBot"]
    stats = simulate(Plan("lingque-29", ("random",) * 4, 1))  # a name with a colon is a name
    stats.compare([("exec:x", 3, 1), ("plain", -3, 3)])
    assert stats.to_json()["differences"][0]["better"] == "exec:x"


def test_a_run_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    first = Plan("lingque-29", ("random", "random", Last, Last), 3, 4, all_seatings=True)
    whole = Plan("lingque-29", ("random", "random", Last, Last), 9, 4, all_seatings=True)
    simulate(first, file=file)
    assert simulate(whole, file=file).to_json() == simulate(whole).to_json()
    stored = file.read_text("utf-8")
    assert simulate(whole, file=file).to_json() == simulate(whole).to_json() and file.read_text("utf-8") == stored
    with pytest.raises(PlanError):
        simulate(Plan("canton", ("random",) * 4, 9, 4), file=file)
    file.write_text("{}", "utf-8")
    with pytest.raises(PlanError):
        simulate(whole, file=file)
    assert (
        run(["simulate", "-b", "random,random,random,random", "-n", "3", "--resume", str(tmp_path / "r"), "--json"])
        == 0
    )
    assert (tmp_path / "r").exists()


def test_verdict_of_a_log_of_the_arena(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    match("yuque-54", ["plain", "random", "random", "random"], seed=1, rounds=1, log=file)
    assert run(["verify", str(file)]) == 0


@pytest.mark.slow
def test_two_workers_of_a_cluster_give_the_same(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    plan = Plan("guobiao-mcr", ("plain", "plain", "random", "random"), 40, 3, all_seatings=True)
    duel = Duel("guobiao-mcr", "guobiao", ("plain",) * 4, 40)
    file = tmp_path / "run.json"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    ) as cluster:
        address = cluster.scheduler_address
        simulate(Plan("guobiao-mcr", plan.levels, 10, 3, all_seatings=True), cluster=address, file=file)
        there = simulate(plan, cluster=address, file=file)
        there_too = play_duel(duel, cluster=address)
    assert there.to_json() == simulate(plan).to_json()
    assert there_too.to_json() == play_duel(duel).to_json()


class Lonely:
    """The bot of the tutorial: it takes no seed."""

    def begin(self, book: Rulebook, seat: int) -> None:
        """Nothing to remember."""

    def act(self, view: View, options: Sequence[Action]) -> Action:
        for option in options:
            if option.do in ("win", "pass"):
                return option
        discards = [option for option in options if option.do == "discard"]
        return min(discards or options, key=lambda option: view.hand.count(option.tile or 0))


class Forgetful(Lonely):
    def act(self, view: View, options: Sequence[Action]) -> Action:
        super().act(view, options)
        return None  # type: ignore[return-value]


class Cheat(Lonely):
    def act(self, view: View, options: Sequence[Action]) -> Action:
        return Action("win")


def test_a_hand_takes_the_arguments_of_the_arena() -> None:
    wall = make_wall(1)
    table = play_hand("mcr", wall, ["plain", Lonely, Lonely(), "random"], seed=2)
    assert table.over and table.book is book("guobiao-mcr")
    bots = [make_bot("plain", 8), Lonely(), Lonely(), make_bot("random", 11)]
    assert play_hand(book("guobiao-mcr"), wall, bots).events == table.events
    assert simulate(Plan("lingque-29", (Lonely, "random", "random", Lonely), 2)).hands == 2


def test_a_hand_is_followed_decision_by_decision() -> None:
    wall, players = make_wall(3), ["plain", "random", "plain", "random"]
    again = Table(book("lingque-29"), wall, round=2)
    for table, seat, action in follow_hand("lingque-29", wall, players, round=2, seed=5):
        assert table.events == again.events and action in again.options(seat)
        again.step(seat, action)
    assert again.over and again.events == play_hand("lingque-29", wall, players, round=2, seed=5).events


def test_a_bot_that_plays_nothing_allowed_is_named() -> None:
    for bot, what in ((Forgetful, "None"), (Cheat(), "和")):
        with pytest.raises(NotAllowed, match=f"机器人 {getattr(bot, '__name__', 'Cheat')}（东家）.*{what}") as wrong:
            play_hand("guobiao", make_wall(1), [bot, "random", "random", "random"])
        assert wrong.value.say("en").startswith("bot ") and "(East): " in wrong.value.say("en")


@pytest.mark.parametrize(
    "player", [5, object(), lambda: None, lambda seed: seed, lambda seed, more: Lonely(), Wall, dict]
)
def test_what_is_no_bot_is_refused(player: Any) -> None:
    with pytest.raises(PlanError, match=r"不是机器人|不止一个种子"):
        match("guobiao", [player, "random", "random", "random"])


def test_a_hand_takes_four() -> None:
    with pytest.raises(PlanError, match="一桌四家，给了 3 个"):
        play_hand("guobiao", make_wall(1), ["random"] * 3)


def test_a_record_may_be_named_by_a_text(tmp_path: Path) -> None:
    plan = Plan("lingque-29", ("random",) * 4, 2)
    assert simulate(plan, file=str(tmp_path / "s")).hands == 2
    assert play_duel(Duel("guobiao", "guobiao-mcr", ("random",) * 4, 2), file=str(tmp_path / "d")).walls == 2
    assert play_seats("lingque-29", "random", 2, 1, str(tmp_path / "p")).sums.hands == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["d", "p", "s"]


RECORDS = ("simulate -b {0}", "lab duel guobiao guobiao-mcr -b {0}", "lab seats lingque-29 -b random")


@pytest.mark.parametrize("line", RECORDS)
def test_a_record_of_more_than_is_wanted_says_so(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = line.format("random,random,random,random").split()
    file = str(tmp_path / "r")
    assert run([*words, "-n", "4", "--resume", file]) == 0
    assert "记录" not in capsys.readouterr().err
    assert run([*words, "-n", "3", "--resume", file]) == 0
    assert "记录里已有 4，多于 -n 要的 3" in capsys.readouterr().err


@pytest.mark.parametrize("line", RECORDS)
def test_a_record_that_cannot_be_written_is_refused_before_playing(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = line.format("random,random,random,random").split()
    for file in (tmp_path / "none" / "x", tmp_path):
        assert run([*words, "-n", "1000000", "--resume", str(file)]) == 2
        printed = capsys.readouterr().err
        assert f"写不了 {file}：" in printed and ".part" not in printed
