"""What reviews say of hands: the obvious is seen, wins passed up are told, pictures fit, and strong bots agree."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quepu.bots import make_bot
from quepu.match import LogWriter, Match, read_log
from quepu.match.frames import hand_frames
from quepu.match.log import PlayedHand, Replay
from quepu.review import Decision, decisions, grade, reason, report, review_hand
from quepu.review.grades import mistake_of
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, Wall, make_wall
from quepu.tiles import PLAIN
from tests.review.flat import POINTS, write_flat
from tests.table.walls import go, stacked, throw_away

BOOK = book("guobiao")


@pytest.fixture(scope="module", autouse=True)
def flat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Every standard hand is worth the same."""
    folder = tmp_path_factory.mktemp("flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUEPU_CACHE", str(folder))
        patch.setattr("quepu.fast.nearest.payable._TABLES", {})
        write_flat(BOOK, folder)
        yield folder


def written(table: Table, wall: Wall) -> tuple[list[str], Replay]:
    """The log of a hand, and what is read from it."""
    match = Match(table.book)
    lines: list[str] = []
    log = LogWriter(match, lines.append)
    log.hand(1, match.place, table)
    if table.ending is not None:
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals)
        log.end()
    return lines, read_log(lines, unfinished=True)


def hand_of(wall: Wall, *steps: str, on: bool = False) -> PlayedHand:
    table = go(Table(BOOK, wall), *steps)
    return written(throw_away(table) if on else table, wall)[1].hands[0]


READY = stacked(["123456789m1199p", "258m258p258sESWN", "147m147p147sCFPE", "369m369p369sESWN"], "P3s4sS")
"""East is ready for 1p and 9p and draws a white dragon."""


def test_a_ready_hand_thrown_apart_is_a_blunder() -> None:
    good, bad = (decisions(hand_of(READY, step), BOOK)[0] for step in ("E discard P drawn", "E discard 1p"))
    assert grade(good) == "best"
    assert good.choices[0].missing == 1
    assert good.choices[0].useful == (9, 17)
    assert good.choices[0].left == 4
    assert good.choices[0].reach == pytest.approx(POINTS, rel=0.01)
    assert grade(bad) == "blunder"
    assert bad.loss > 0.8
    assert bad.chosen is not None
    assert bad.choices[bad.chosen].missing == 2
    sentence = reason(bad)
    assert sentence.zh.startswith("打一筒：差 2 张可和")
    assert "打白更好：听一筒、九筒，余 4 张" in sentence.zh
    assert "打一筒较慢：离可和远了 1 张。" in sentence.zh
    assert "Better, discard P: waits on 1p 9p, 4 left" in sentence.en
    assert mistake_of(bad) == "speed"
    assert mistake_of(good) is None
    assert bad.insight is not None
    assert bad.insight.cost > 0.5
    first, then = bad.insight.best.by_turn[0], bad.insight.best.by_turn[-1]
    assert first.ready == 1
    assert first.won < then.won == pytest.approx(bad.choices[0].chance, abs=0.002)


def test_a_tile_that_must_come_back_is_one_tile_farther() -> None:
    """Without 5m nothing is near; another 5m and the old wait are two tiles, not three."""
    torn = decisions(hand_of(READY, "E discard 5m"), BOOK)[0]
    assert torn.chosen is not None
    assert torn.choices[torn.chosen].missing == 2
    assert "打五万：差 2 张可和，" in reason(torn).zh
    assert "打五万较慢：离可和远了 1 张。" in reason(torn).zh
    shares = [one.share for one in torn.choices]
    assert shares == sorted(shares, reverse=True)
    assert grade(torn) == "blunder"
    bad = decisions(hand_of(READY, "E discard 9m"), BOOK)[0]  # three more 9m, or none at all
    assert bad.insight is not None
    assert bad.insight.taken.by_turn


def test_a_win_that_was_passed_up_is_a_mistake() -> None:
    wall = stacked(["19m19p19sESWNCFE", "123m456p789sEE77p", "2468m2468p2468sW"], "9m8mP")
    steps = ("E discard 9m drawn", "S discard 8m drawn", "W discard P drawn")
    taken = decisions(hand_of(wall, *steps, "E win"), BOOK)[-1]
    assert (taken.seat, taken.choices[0].points, grade(taken)) == (0, 88, "best")
    passed = next(one for one in decisions(hand_of(wall, *steps, "E pass"), BOOK) if one.choices[0].points is not None)
    assert grade(passed) == "blunder"
    assert reason(passed).zh.startswith("可以和 88 番（十三幺）而没有和；过以后")
    assert reason(passed).en.startswith("A win was passed up: it wins 88 points (Thirteen Orphans); ")
    assert mistake_of(passed) == "missed_win"


def test_a_claim_is_weighed_against_passing() -> None:
    wall = stacked(["147m147p147sESWN", "34m567p11888sCCFF", "258m258p258sESWN"], "2m")
    for step, words in (("S chow 2m 2m", {"best", "good"}), ("S pass", {"slip", "mistake", "blunder"})):
        made = next(one for one in decisions(hand_of(wall, "E discard 2m drawn", step), BOOK) if one.kind == "claim")
        assert made.seat == 1
        assert grade(made) in words, (step, made.choices[:2])


def checked(hand: PlayedHand, rules: Rulebook) -> list[Decision]:
    """The decisions of a hand, each compared with the picture it belongs to."""
    frames = hand_frames(hand, rules).frames
    made = decisions(hand, rules)
    for one in made:
        frame = frames[one.frame]
        assert one.seat in frame.to_act or one.kind == "claim"
        assert 0 <= one.loss <= 1
        shares = [choice.share for choice in one.choices]
        assert shares == sorted(shares, reverse=True)
        if one.kind == "discard":
            held = [*frame.hands[one.seat], *([frame.drawn[1]] if frame.drawn and frame.drawn[0] == one.seat else [])]
            assert {c.action.tile for c in one.choices if c.action.do == "discard"} == set(held)
            assert one.chosen is not None or frame.event is None
            after = frames[one.frame + 1].event
            if one.chosen is not None and after is not None:
                assert after.tag == ("win" if one.choices[one.chosen].points is not None else after.tag)
                assert one.choices[one.chosen].points is not None or after.tile == one.choices[one.chosen].action.tile
        else:
            assert frame.event is not None
            assert frame.event.tag in ("discard", "added", "concealed")
    return made


@pytest.mark.long
@pytest.mark.parametrize("flowers", [False, True])
def test_every_decision_lies_at_its_picture(flowers: bool) -> None:
    rng = random.Random(5)
    wall = make_wall(5, 1, PLAIN.with_flowers(flowers))
    table = Table(BOOK, wall)
    number = 0
    while table.to_act:
        seat = rng.choice(table.to_act)
        options = table.options(seat)
        number += len(options) > 1
        table.step(seat, rng.choice(options))
    replay = written(table, wall)[1]
    made = checked(replay.hands[0], BOOK)
    assert number * 0.7 < len(made) <= number
    reviewed = review_hand(replay.hands[0], BOOK)
    assert json.loads(json.dumps(reviewed)) == reviewed
    assert [line["decisions"] for line in reviewed["seats"]] == [report(made, seat).decisions for seat in range(4)]
    assert "-" not in [line["letter"] for line in reviewed["seats"]]


def test_a_hand_of_which_nothing_is_known_is_not_graded() -> None:
    empty = report([], 0)
    assert (empty.letter, empty.decisions) == ("-", 0)


def test_the_terminal_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from quepu.cli import main

    def printed(*words: str) -> str:
        with contextlib.suppress(SystemExit):
            main(["review", *words])
        return capsys.readouterr().out

    lines, replay = written(go(Table(BOOK, READY), "E discard 5m"), READY)
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    answer: Any = json.loads(printed(str(path), "--json", "--player", "甲"))
    assert answer["hands"][0]["decisions"] == review_hand(replay.hands[0], BOOK)["decisions"]
    assert [line["player"] for line in answer["hands"][0]["seats"]] == [0]
    shown = printed(str(path))
    assert "大失误（" in shown
    assert "听一筒、九筒" in shown
    assert "没有需要选择的地方" in shown  # the others, who only looked on
    assert "0%（0 个决定" not in shown


@pytest.mark.long
def test_reviews_of_a_folder_add_up_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from quepu.cli import main

    def printed(*words: str) -> str:
        with contextlib.suppress(SystemExit):
            main(["stats", str(tmp_path), "--mistakes", *words])
        return capsys.readouterr().out

    lines, replay = written(throw_away(go(Table(BOOK, READY), "E discard 5m")), READY)
    for name in ("one.jsonl", "two.jsonl"):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = review_hand(replay.hands[0], BOOK)
    mine = made["seats"][0]
    added = printed("--player", "甲", "--jobs", "1")
    assert f"复盘了 2 场 2 局，{2 * mine['decisions']} 次选择" in added
    assert "one.jsonl 第 1 局" in added
    people = json.loads(printed("--json"))["players"]
    totals = {one["name"]: one["mistakes"]["guobiao"] for one in people}
    assert {name: one["blunders"] for name, one in totals.items()} == {
        name: 2 * seat["blunders"] for name, seat in zip("甲乙丙丁", made["seats"], strict=True)
    }
    costs = sorted((one["cost"] for one in made["decisions"] if one["seat"] == "E" and one["mistake"]), reverse=True)
    assert totals["甲"]["worst"][0]["cost"] == totals["甲"]["worst"][1]["cost"] == costs[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lingque-29", "guobiao", "yuque-54", "canton"])
def test_strong_bots_agree_with_themselves_and_weak_ones_do_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUEPU_CACHE")
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    rules = book(name)
    levels = ("gain", "plain", "gain", "random")
    bots = [make_bot(level, seat) for seat, level in enumerate(levels)]
    found: list[Decision] = []
    for number in range(1, 9):
        wall = make_wall(9, number, PLAIN)
        table = Table(rules, wall)
        for seat, bot in enumerate(bots):
            bot.begin(rules, seat)
        while table.to_act:
            seat = table.to_act[0]
            table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))
        hand = written(table, wall)[1].hands[0]
        found += checked(hand, rules)
    shares = [report(found, seat).mean_share for seat in range(4)]
    assert min(shares[0], shares[2]) > 0.97
    assert shares[1] < 0.95
    assert shares[3] < 0.7
