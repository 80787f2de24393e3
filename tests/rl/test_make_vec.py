"""`gymnasium.make_vec`: tables of `vec` in the form of gymnasium's own stack of `gym_env`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

import gymnasium
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from quepu.errors import Error, UnknownKeyword
from quepu.match.starts import StartError
from quepu.rl import gym_env, vec
from quepu.rl.single_vector import SingleVectorEnv
from tests.fast_loops import interpret_vector

RANDOM = ("random", "random", "random")
ID = "quepu/canton-v0"


def same(one: Any, other: Any) -> bool:
    """Whether infos are the same, with their types."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, np.ndarray) and one.dtype != object:
        return bool(one.dtype == other.dtype and np.array_equal(one, other))
    if isinstance(one, np.ndarray):
        return other.dtype == object and all(same(*pair) for pair in zip(one, other, strict=True))
    return bool(one == other)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("seat", [None, 2])
def test_it_is_what_gymnasium_stacks(mode: AutoresetMode, seat: int | None) -> None:
    stacked = gymnasium.make_vec(
        ID, num_envs=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, bots=RANDOM, seat=seat
    )
    many = gymnasium.make_vec(
        ID, num_envs=3, vectorization_mode="vector_entry_point", autoreset_mode=mode, bots=RANDOM, seat=seat
    )
    assert isinstance(many, SingleVectorEnv) and many.metadata["autoreset_mode"] is mode
    for space in ("observation_space", "single_observation_space", "action_space"):
        assert getattr(many, space) == getattr(stacked, space)
    expected, infos = stacked.reset(seed=1)
    shown, found = many.reset(seed=1)
    rng, ends = np.random.default_rng(1), 0
    while ends < 4:
        assert np.array_equal(shown, expected) and shown.dtype == expected.dtype and same(found, infos)
        assert np.array_equal(many.action_masks(), found["action_mask"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in found["action_mask"]])
        expected, rewards, over, cut, infos = stacked.step(actions)
        shown, paid, ended, ended_early, found = many.step(actions)
        for one, other in ((rewards, paid), (over, ended), (cut, ended_early)):
            assert one.dtype == other.dtype and np.array_equal(one, other)
        ends += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            assert same(found, infos)
            expected, infos = stacked.reset(options={"reset_mask": over})
            shown, found = many.reset(options={"reset_mask": over})
            assert np.array_equal(found["action_mask"][over], infos["action_mask"][over])
            infos = found  # gymnasium says nothing about the other tables


def test_it_is_what_make_vec_makes_and_wrappers_of_gymnasium_read_it() -> None:
    many = gymnasium.make_vec(ID, num_envs=2, bots=RANDOM)
    assert isinstance(many, SingleVectorEnv) and many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert many.spec is not None and many.spec.kwargs["rules"] == "canton"
    counted = RecordEpisodeStatistics(many)
    _, infos = counted.reset(seed=3)
    over = np.zeros(2, np.bool_)
    while not over.any():
        _, _, over, _, infos = counted.step(infos["action_mask"].argmax(axis=1))
    i = int(over.argmax())
    assert infos["episode"]["r"][i] == infos["final"]["points"][i][infos["player"][i]]


def ended(bots: tuple[str, str, str], won: bool) -> dict[str, Any]:
    """Return the last info of a hand that somebody won, or nobody."""
    made = gym_env("canton", bots)
    for seed in range(100):
        _, info = made.reset(seed=seed)
        while not made.over:
            _, _, _, _, info = made.step(int(info["action_mask"].argmax()))
        if bool(info["final"]["winners"]) is won:
            return info
    raise AssertionError


def test_a_won_and_a_drawn_hand_may_end_in_the_same_step() -> None:
    won, drawn = ended(("plain", "plain", "plain"), True), ended(RANDOM, False)
    assert won["final"]["winner"] == won["final"]["winners"][0] and drawn["final"]["winner"] == -1
    many = gymnasium.vector.VectorEnv()
    many.num_envs = 3
    infos = many._add_info(many._add_info({}, won, 0), drawn, 1)
    assert infos["final"]["winner"].tolist() == [won["final"]["winner"], -1, 0]


def test_learners_of_vec_sit_where_they_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    interpret_vector(monkeypatch)
    for compiled in (False, True):
        many = vec("canton", 2, RANDOM, seat=3, compiled=compiled)
        shown, infos = many.reset(seed=4)
        rng = np.random.default_rng(2)
        ends = 0
        while ends < 3:
            assert infos["player"].tolist() == [3, 3]
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in shown["action_mask"]])
            shown, _, over, _, infos = many.step(actions)
            ends += int(over.sum())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"seat": 4}, "seat is 0 East … 3 North or None, not 4"), ({"num_envs": 0}, "at least one table"),
        ({"masked": "timeout"}, "needs vectorization_mode=\"sync\""), ({"bots": "plain"}, "bots takes three"),
        ({"rules": "cantno"}, "canton"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_a_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Error) as caught:
        SingleVectorEnv(**given)
    assert sentence in caught.value.say("en")


def test_a_wrong_option_gets_a_suggestion_and_learners_everywhere_have_no_seat() -> None:
    with pytest.raises(UnknownKeyword) as caught:
        gymnasium.make_vec(ID, num_envs=2, seats=1)
    assert "did you mean seat?" in caught.value.say("en")
    with pytest.raises(StartError, match="seat"):
        vec("canton", 2, seat=1)
