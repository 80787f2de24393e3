"""Where episodes begin and what they go on from; what cannot be is refused in a sentence and changes nothing."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.wrappers.vector import DictInfoToList

from quepu.arena import match
from quepu.errors import Error, UnknownName
from quepu.match import read_log
from quepu.match.starts import StartError
from quepu.rl import env, parallel_env, vec
from quepu.rl.env import MahjongEnv
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from tests.books import MANY_HANDS

HOUSE = 'base = "lingque-29"\ntitle = "本社"\nminimum = 2\n'


def play(made: MahjongEnv, hands: int | None = None, seed: int = 0) -> list[dict[str, Any]]:
    """Choose at random until so many hands (None: the episode) are over; what was said of each."""
    infos: list[dict[str, Any]] = []
    rng = np.random.default_rng(seed)
    while not made.episode.over and len(infos) != hands:
        before = made.infos["player_0"]
        made.step(int(rng.choice(np.flatnonzero(made.observe(made.agent_selection)["action_mask"]))))
        if made.infos["player_0"] and made.infos["player_0"] is not before:
            infos.append(made.infos["player_0"])
            assert len(infos) < MANY_HANDS, "the dealer never leaves"
    return infos


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "game.jsonl"
    match("guobiao-mcr", ["plain"] * 4, seed=3, rounds=1, log=str(path))
    return path


def test_the_points_of_a_log_stay_in_its_episode(log: Path) -> None:
    made, fresh = env("guobiao-mcr", match=1), env("guobiao-mcr", match=1)
    made.reset(seed=1, options={"log": log, "hand": 4})
    totals = read_log(log.read_text("utf-8").splitlines()).match.hands
    before = [sum(hand.players[player] for hand in totals[:3]) for player in range(4)]
    assert any(before)
    first = play(made, 1)[0]
    assert list(first["totals"]) == [a + b for a, b in zip(before, first["points"], strict=True)]
    made.reset(seed=1)
    fresh.reset(seed=1)
    assert [one["totals"] for one in play(made)] == [one["totals"] for one in play(fresh)]


def test_the_points_that_a_match_begins_with_are_counted_to_its_end() -> None:
    made = env("guobiao-mcr", match=1, reward="rank")
    made.reset(seed=5, options={"scores": (0, 0, 0, 100)})
    infos = play(made)
    sums = np.cumsum([one["points"] for one in infos], axis=0) + np.array([0, 0, 0, 100])
    assert [list(one["totals"]) for one in infos] == sums.tolist()
    alone = env("guobiao-mcr")
    alone.reset(seed=5, options={"scores": (1, 2, 3, -6)})
    (info,) = play(alone)
    assert list(info["totals"]) == [a + b for a, b in zip((1, 2, 3, -6), info["points"], strict=True)]


def test_a_hand_alone_has_the_place_of_its_log(log: Path) -> None:
    replay = read_log(log.read_text("utf-8").splitlines())
    made = env("guobiao-mcr")
    for number, hand in enumerate(replay.hands, 1):
        made.reset(options={"log": replay, "hand": number})
        numbers = made.observe("player_0")["observation"]
        assert made.episode.seats == (0, 1, 2, 3)
        (info,) = play(made)
        assert info["place"] == hand.place.name
        assert info["winners"] == list(info["ending"].seats)  # players are called as their seats
        assert info["winner"] == next(iter(info["winners"]), None)
        assert numbers.shape == (70, 42)
    west = Table(book("guobiao-mcr"), make_wall(1), round=2)
    made.reset(options={"table": west})
    assert play(made)[0]["place"] == "W1"


@pytest.mark.parametrize("seed", ["a", 1.5, True])
def test_a_seed_that_is_none_is_a_sentence(seed: Any) -> None:
    made = env("canton")
    made.reset(seed=1)
    before = made.observe("player_0")["observation"].copy()
    for one in (made, parallel_env("canton"), vec("canton", 2)):
        with pytest.raises(StartError, match="seed"):
            one.reset(seed=seed)
    assert np.array_equal(made.observe("player_0")["observation"], before)
    made.reset(seed=np.int64(1), options={"scores": np.array([1, 2, 3, -6])})  # type: ignore[arg-type]
    assert made.episode.scores == (1, 2, 3, -6)


def test_seeds_of_any_kind_deal_the_same_walls() -> None:
    made = vec("canton", 2)
    listed = made.reset(seed=[1, 2])[0]["observation"].copy()
    for seeds in (np.array([1, 2]), (1, np.int64(2)), 1, np.int32(1)):
        assert np.array_equal(made.reset(seed=seeds)[0]["observation"], listed)
    for wrong in ([1], [1, 2, 3], "ab", [1.5, 2], 2.5):
        with pytest.raises(StartError):
            made.reset(seed=wrong)


def test_whoever_acts_acts_in_what_is_sampled() -> None:
    """Others hold other tiles there and may be asked too; before, they were asked first."""
    made, compared = env("canton"), 0
    for seed in range(12):
        made.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not made.episode.over:
            agent = made.agent_selection
            if made.episode.table.offered[1] is not None:
                for number in range(3):
                    other = made.sampled(agent, number)
                    assert other.agent_selection == agent
                    mine, theirs = made.observe(agent), other.observe(agent)
                    assert np.array_equal(mine["action_mask"], theirs["action_mask"])
                    assert np.array_equal(mine["observation"], theirs["observation"])
                    compared += len(other.table.to_act) > 1 == len(made.table.to_act)
                    other.step(int(rng.choice(np.flatnonzero(theirs["action_mask"]))))
            made.step(int(rng.choice(np.flatnonzero(made.observe(agent)["action_mask"]))))
    assert compared > 3


def test_a_copy_is_played_on_by_itself() -> None:
    made = env("yuque-54")
    made.reset(seed=2)
    other = copy.copy(made)
    before = made.observe("player_0")["observation"].copy()
    play(other)
    assert not made.episode.over and np.array_equal(made.observe("player_0")["observation"], before)


def test_a_wrong_action_moves_no_table() -> None:
    made = vec("lingque-29", 2, compiled=False)
    with pytest.raises(RuntimeError, match="reset"):
        made.step(np.array([0, 0]))
    shown, _ = made.reset(seed=4)
    before = shown["observation"].copy()
    legal = shown["action_mask"].argmax(axis=1)
    for wrong in ([legal[0], 152], [legal[0], 999], [legal[0], -1], legal[:1], [*legal, 0], legal + 0.5):
        with pytest.raises(ValueError, match="action"):
            made.step(np.asarray(wrong))
        assert [one.table.event_count for one in made.episodes] == [one.table.event_count for one in vec_of(4)]
    assert np.array_equal(made.shown["observation"], before)


def vec_of(seed: int) -> Any:
    made = vec("lingque-29", 2, compiled=False)
    made.reset(seed=seed)
    return made.episodes


def test_runs_share_no_wall_if_their_seeds_are_as_far_apart_as_there_are_tables() -> None:
    """As gymnasium does it, table i has the seed + i: the runs of neighbouring seeds share all but two walls."""

    def walls(seeds: Iterable[Any]) -> set[Any]:
        made = vec("lingque-29", 8, compiled=False)
        found = set()
        for seed in seeds:
            made.reset(seed=seed)
            found |= {tuple(one.table.wall) for one in made.episodes}
        return found

    assert len(walls(range(1, 11))) == 17
    assert len(walls(range(1, 81, 8))) == 80
    spawned = [np.random.SeedSequence(seed) for seed in range(1, 11)]
    assert len(walls(spawned)) == 80 and walls(spawned) == walls(spawned)


def test_the_wrapper_of_gymnasium_reads_the_infos() -> None:
    made = DictInfoToList(vec("canton", 2))
    shown, listed = made.reset(seed=1)
    rng, ended = np.random.default_rng(1), 0
    while not ended:
        mask = shown["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(one)) for one in mask])
        shown, _, over, _, listed = made.step(actions)
        assert [("final_info" in one) for one in listed] == over.tolist()
        ended = sum("final_info" in one and len(one["final_info"]["points"]) for one in listed)


@pytest.mark.parametrize("make", [env, parallel_env])
def test_calls_before_a_deal_and_strangers_get_a_sentence(make: Any) -> None:
    made = make("guobiao")
    calls = [made.state, lambda: made.table]
    if make is env:
        calls += [lambda: made.sampled("player_0", 1), made.last, lambda: made.observe("player_0")]
    for call in calls:
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            call()
    if make is env:
        made.reset(seed=1)
        for call in (lambda: made.observe("player_9"), lambda: made.sampled("player_9", 1)):
            with pytest.raises(ValueError, match="player_0, player_1"):
                call()
        with pytest.raises(ValueError, match="whole number"):
            made.step(3.7)


@pytest.mark.parametrize(
    "options",
    [
        {"scores": (1, 2, 3)}, {"scores": []}, {"scores": np.array([1, 2])}, {"scores": (1 << 40, 0, 0, 0)},
        {"scores": 5}, {"scores": (0.5, 0, 0, 0)}, {"scroes": (0, 0, 0, 0)},
        {"wall": 5}, {"table": 5}, {"log": 3}, {"hand": 2}, {"steps": 3}, {"log": "/nowhere/x.jsonl"}, {"log": ""},
        {"round": 1, "table": Table(book("guobiao"), make_wall(1))}, {"round": 1.5},
    ],
)  # fmt: skip
def test_a_start_that_cannot_be_is_a_sentence_and_changes_nothing(options: dict[str, Any]) -> None:
    made = env("guobiao", match=1)
    made.reset(seed=1)
    play(made, 2)
    before = (made.episode.place, made.episode.scores, made.episode.seed, made.episode.dealt, made.table.event_count)
    with pytest.raises(Error) as refused:
        made.reset(seed=2, options=options)
    assert refused.value.text.zh and refused.value.text.en
    after = (made.episode.place, made.episode.scores, made.episode.seed, made.episode.dealt, made.table.event_count)
    assert after == before


def test_a_log_that_cannot_be_is_a_sentence(log: Path) -> None:
    made = env("guobiao-mcr")
    for options in ({"log": log, "hand": 0}, {"log": log, "hand": 99}, {"log": log, "steps": -1}):
        with pytest.raises(StartError):
            made.reset(options=options)
    with pytest.raises(StartError, match="scores"):
        made.reset(options={"log": log, "scores": (1, 0, 0, -1)})
    made.reset(options={"log": "\ufeff" + log.read_text("utf-8")})
    assert made.table.book.id == "guobiao-mcr"


@pytest.mark.parametrize(
    "terms",
    [{"flowers": "no"}, {"match": 1.5}, {"match": -1}, {"match": "all"}, {"encoding": ["counts"]}, {"reward": []}],
)
def test_terms_that_cannot_be_are_a_sentence(terms: dict[str, Any]) -> None:
    with pytest.raises((StartError, UnknownName)):
        env("guobiao", **terms)
    assert env("guobiao", match=np.True_).episode.terms.rounds == env("guobiao", match=True).episode.terms.rounds == 4


def test_a_log_of_house_rules_is_played_on_under_them(tmp_path: Path) -> None:
    rules, log = tmp_path / "club.toml", tmp_path / "club.jsonl"
    rules.write_text(HOUSE, encoding="utf-8")
    match(str(rules), ["plain"] * 4, seed=1, rounds=1, log=str(log))
    made = env(str(rules))
    made.reset(options={"log": log, "hand": 2})
    assert len(play(made)) == 1
    with pytest.raises(StartError, match="本社"):
        env("lingque-29").reset(options={"log": log})
