"""Any bot, any book: it answers with an option, and the hand ends. Contract tests for every level."""

from __future__ import annotations

import pytest

from quepu.arena import Plan, play_hand, simulate
from quepu.arena.simulate import PlanError, play
from quepu.bots import LEVELS, make_bot
from quepu.errors import UnknownName
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import make_wall
from quepu.tiles import PLAIN
from tests.test_books import ALL_BOOKS

LIGHT = [name for name, level in LEVELS.items() if not level.heavy]


@pytest.mark.parametrize("level", LIGHT)
@pytest.mark.parametrize("rulebook", [pytest.param(b, id=b.id) for b in ALL_BOOKS if b.play])
def test_light_bots_play_hands_to_the_end(level: str, rulebook: Rulebook) -> None:
    flowers = play_rules(rulebook).table.flowers
    for number in range(4):
        bots = [make_bot(level, seat) for seat in range(4)]
        table = play_hand(rulebook, make_wall(3, number, PLAIN.with_flowers(flowers)), bots)
        assert table.over
        assert table.ending is not None


def test_a_bot_is_the_same_for_the_same_seed() -> None:
    rulebook = book("lingque-29")
    for level in LIGHT:
        played = [
            play_hand(rulebook, make_wall(5), [make_bot(level, seat) for seat in range(4)]).events for _ in range(2)
        ]
        assert played[0] == played[1]


def test_unknown_level_is_a_sentence() -> None:
    with pytest.raises(UnknownName, match="没有机器人级别“plian”。是不是plain？现有：random,") as caught:
        make_bot("plian")
    assert caught.value.say("en").startswith("no bot level 'plian'; did you mean plain? levels: random, ")
    with pytest.raises(UnknownName, match="没有机器人级别“best”。现有"):
        make_bot("best")


def test_a_closed_bot_never_claims() -> None:
    rulebook = book("lingque-29")
    for number in range(8):
        table = play_hand(rulebook, make_wall(7, number), [make_bot("closed", seat) for seat in range(4)])
        assert not any(event.tag in ("chow", "pung", "kong") for event in table.events)


def test_plain_bots_win_far_more_than_random_ones() -> None:
    stats = play(Plan("lingque-29", ("plain",) * 4, 30, seed=2), 0, 30)
    assert stats.hands == 30
    assert stats.drawn < 12
    wild = play(Plan("lingque-29", ("random",) * 4, 30, seed=2), 0, 30)
    assert wild.drawn > 20


@pytest.mark.parametrize("all_seatings", [False, True])
def test_same_result_whatever_the_number_of_jobs(all_seatings: bool) -> None:
    plan = Plan("lingque-29", ("plain", "random", "plain", "random"), 12, seed=4, all_seatings=all_seatings)
    alone, shared = simulate(plan, jobs=1), simulate(plan, jobs=2)
    assert alone.to_json() == shared.to_json()
    assert alone.hands == 12 * (6 if all_seatings else 1)
    assert sum(player.net for player in alone.players) == 0


def test_duplicate_compares_levels_on_the_same_walls() -> None:
    plan = Plan("lingque-29", ("plain", "plain", "random", "random"), 6, seed=1, all_seatings=True)
    answer = simulate(plan).to_json()["differences"]
    assert len(answer) == 1
    assert answer[0]["walls"] == 6
    assert (answer[0]["better"], answer[0]["than"]) == ("plain", "random")
    assert answer[0]["net_a_hand"] > 0
    assert answer[0]["low95"] <= answer[0]["net_a_hand"] <= answer[0]["high95"]


@pytest.mark.parametrize("levels", [("plain",) * 3, ("plain",) * 5])
def test_four_bots_are_needed(levels: tuple[str, ...]) -> None:
    with pytest.raises(PlanError, match="四个机器人"):
        Plan("lingque-29", levels, 10)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["lingque-29", "guobiao-mcr"])
def test_the_heavy_bots_beat_the_plain_ones(rules: str) -> None:
    for better, worse in (("gain", "plain"), ("steps", "plain")):
        answer = simulate(Plan(rules, (better, better, worse, worse), 30, seed=6, all_seatings=True)).to_json()
        line = answer["differences"][0]
        sign = 1 if line["better"] == better else -1
        assert sign * line["net_a_hand"] > 0
