"""The gymnasium environment of one learner: gymnasium's own checks, masks, seats, and a learner of another library."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from quepu.errors import Error, UnknownKeyword
from quepu.match.starts import StartError
from quepu.rl import action_numbers, env, gym_env, parallel_env, vec
from quepu.rl.env import PLAYERS
from quepu.rulebooks import book
from tests.books import PLAYED

RANDOM = ("random", "random", "random")


def play(made: Any, seed: int) -> list[tuple[Any, Any, float, bool]]:
    """Random allowed actions to the end: observation, action, reward, whether it was over."""
    rng = np.random.default_rng(seed)
    shown, info = made.reset(seed=seed)
    found: list[tuple[Any, Any, float, bool]] = []
    over = False
    while not over:
        assert np.array_equal(info["action_mask"].astype(bool), made.action_masks())
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        before = shown
        shown, reward, over, cut, info = made.step(action)
        assert not cut and made.observation_space.contains(shown)
        found.append((before, action, reward, over))
    assert info["final"]["over"] and np.flatnonzero(info["action_mask"]).tolist() == [action_numbers.PASS]
    assert sum(one[2] for one in found) == info["final"]["points"][info["player"]]
    return found


@pytest.mark.parametrize("encoding", ["counts", "planes", "tokens"])
@pytest.mark.parametrize("rules", PLAYED)
def test_gymnasium_finds_nothing_wrong(rules: str, encoding: str) -> None:
    made = gymnasium.make(f"quepu/{book(rules).id}-v0", encoding=encoding, bots=RANDOM, masked="timeout")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not explicitly|.*Box observation space")
        check_env(made.unwrapped, skip_render_check=True)


def test_an_episode_is_that_of_the_other_forms() -> None:
    """The learner decides, the bots answer: the same hand as with one table of `vec`."""
    made, many = gym_env("guobiao-mcr", RANDOM), vec("guobiao-mcr", 1, RANDOM, compiled=False)
    played = play(made, 5)
    shown, _ = many.reset(seed=5)
    for before, action, reward, over in played:
        assert np.array_equal(shown["observation"][0], before)
        shown, rewards, ended, _, _ = many.step(np.array([action]))
        assert (rewards[0], ended[0]) == (reward, over)


@pytest.mark.parametrize("seat", range(4))
def test_the_learner_sits_where_it_is_told(seat: int) -> None:
    made = gym_env("lingque-29", RANDOM, seat)
    other = env("lingque-29")
    for seed in range(3):
        shown, info = made.reset(seed=seed)
        assert info["player"] == seat
        other.reset(seed=seed)
        assert shown[3].argmax() == 27 + seat  # the own wind
    assert {gym_env("lingque-29", RANDOM).reset(seed=1)[1]["player"]} < set(range(4)) and len(PLAYERS) == 4


def test_places_go_round_without_a_seat() -> None:
    made = gym_env("canton", RANDOM)
    made.reset(seed=1)
    assert {made.reset()[1]["player"] for _ in range(4)} == {0, 1, 2, 3}


def test_masked_actions_are_refused_or_those_of_who_does_not_answer() -> None:
    made = gym_env("canton", RANDOM)
    _, info = made.reset(seed=2)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    before = made.episode.table.event_count
    with pytest.raises(ValueError, match=r'not allowed: .*masked="timeout"'):
        made.step(wrong)
    assert made.episode.table.event_count == before
    lenient = gym_env("canton", RANDOM, masked="timeout")
    lenient.reset(seed=2)
    drawn = lenient.episode.table.drawn
    lenient.step(wrong)
    events = lenient.episode.table.events[before:]
    assert drawn is None or (events[0].tile, events[0].as_drawn) == (drawn, True)
    for _ in range(3):
        made.reset()
        while not made.over:  # sampling knows the mask
            made.step(made.action_space.sample())
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        made.step(0)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_gymnasium_stacks_them_with_a_legal_action_at_every_step(mode: AutoresetMode) -> None:
    stacked = gymnasium.make_vec(
        "quepu/canton-v0", num_envs=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, bots=RANDOM
    )
    _, infos = stacked.reset(seed=1)
    masks, ends = infos["action_mask"], 0
    while ends < 4:
        _, _, over, _, infos = stacked.step(masks.argmax(axis=1))
        masks = infos["action_mask"]
        ends += over.sum()
        assert masks.any(axis=1).all()
        if mode is not AutoresetMode.SAME_STEP:
            assert (masks[over].nonzero()[1] == action_numbers.PASS).all()
        if mode is AutoresetMode.DISABLED and over.any():
            _, infos = stacked.reset(options={"reset_mask": over})
            masks = np.where(over[:, None], infos["action_mask"], masks)


def test_a_hand_that_is_over_allows_a_pass_alone() -> None:
    made = gym_env("canton", RANDOM)
    _, info = made.reset(seed=2)
    over = False
    while not over:
        _, _, over, _, info = made.step(int(info["action_mask"].argmax()))
    assert (
        np.flatnonzero(info["action_mask"]).tolist()
        == np.flatnonzero(made.action_masks()).tolist()
        == [action_numbers.PASS]
    )
    assert made.action_space.sample() == action_numbers.PASS


def test_what_cannot_be_is_a_sentence() -> None:
    for wrong in ({"seat": 4}, {"seat": True}, {"bots": "plain"}, {"bots": ("plain",)}, {"masked": "never"}):
        with pytest.raises(Error):
            gym_env("canton", **wrong)
    with pytest.raises(ValueError, match="render_mode"):
        gym_env("canton", render_mode="human")
    assert gym_env("canton", render_mode="rgb_array").render() is None  # make_vec_env of SB3 always asks for it
    with pytest.raises(Error):
        gym_env("canton", RANDOM).reset(seed="a")  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [gym_env, env, parallel_env, vec])
def test_a_negative_seed_is_refused_and_changes_nothing(make: Any) -> None:
    made, other = (make("canton", **({"compiled": False} if make is vec else {})) for _ in range(2))
    for one in (made, other):
        one.reset(seed=3)
    for wrong in (-1, [3, -1]) if make is vec else (-1,):
        given = [*wrong, *[0] * 6] if isinstance(wrong, list) else wrong
        with pytest.raises(StartError) as caught:
            made.reset(seed=given)
        assert caught.value.say("en") == "seed must be 0 or more, not -1."
    made.reset()
    other.reset()
    episodes = [one.episodes[0] if make is vec else one.episode for one in (made, other)]
    assert episodes[0].table.events == episodes[1].table.events


def test_it_travels_and_tells_what_happened() -> None:
    made = gym_env("yuque-54", RANDOM, render_mode="ansi")
    made.reset(seed=3)
    made.step(made.action_space.sample())
    again = pickle.loads(pickle.dumps(made))
    assert len(pickle.dumps(made.action_space)) < 500 and again.episode.allows(int(again.action_space.sample()))
    assert made.render() == again.render() and "draws" in (made.render() or "")
    taken = int(np.flatnonzero(made.action_masks())[0])
    assert np.array_equal(made.step(taken)[0], again.step(taken)[0])


def test_a_match_goes_on_to_its_end() -> None:
    made = gym_env("lingque-29", RANDOM, 1, match=1, reward="rank")
    made.reset(seed=4)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = made.step(int(made.action_masks().argmax()))
        total += reward
    assert total in (-3, -2, -1, 0, 1, 2, 3) and len(info["final"]["totals"]) == 4


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
@pytest.mark.parametrize("encoding", ["counts", "tokens"])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_vector_resets_when_it_is_told(
    mode: Any, encoding: Any, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown at the end of an episode is `final_obs` of a vector that deals anew at once."""
    if compiled:
        from tests.fast_loops import interpret_vector

        interpret_vector(monkeypatch)
    options = {"encoding": encoding, "compiled": compiled}
    once, many = (
        vec("guobiao", 2, autoreset_mode="same_step", **options),
        vec("guobiao", 2, autoreset_mode=mode, **options),
    )
    shown, other = once.reset(seed=3)[0], many.reset(seed=3)[0]
    rng = np.random.default_rng(1)
    ended = 0
    while ended < 3:
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in shown["action_mask"]])
        shown, rewards, over, _, infos = once.step(actions)
        other, rewards_too, over_too, _, infos_too = many.step(actions)
        assert np.array_equal(rewards, rewards_too) and np.array_equal(over, over_too)
        assert ("final_obs" in infos) == bool(over.any()) and "final_obs" not in infos_too
        for i in np.flatnonzero(over):
            ended += 1
            assert infos["final_info"][i] == infos_too["final_info"][i]
            last = infos["final_obs"][i]
            assert np.array_equal(last["observation"], other["observation"][i])
            assert (
                np.flatnonzero(other["action_mask"][i]).tolist() == np.flatnonzero(last["action_mask"]).tolist() == [82]
            )
        if over.any() and mode == "disabled":
            with pytest.raises(RuntimeError, match="reset_mask"):
                many.step(np.array([82, 82]))
            other = many.reset(options={"reset_mask": over})[0]
        elif over.any():  # tables where nothing ended wait for the others
            return
        assert np.array_equal(shown["observation"], other["observation"])
        assert np.array_equal(shown["action_mask"], other["action_mask"])


def test_next_step_deals_at_the_step_after_an_end() -> None:
    many = vec("canton", 2, autoreset_mode="next_step")
    shown, _ = many.reset(seed=1)
    rng, over = np.random.default_rng(1), np.zeros(2, bool)
    for _ in range(300):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in shown["action_mask"]])
        shown, rewards, now, _, _ = many.step(actions)
        assert not rewards[over].any() and not now[over].any()
        over = now
    for wrong in ("never", 5):
        with pytest.raises(Error, match="autoreset_mode"):
            vec("canton", 2, autoreset_mode=wrong)  # type: ignore[arg-type]
    with pytest.raises(Error, match="reset_mask"):
        many.reset(options={"reset_mask": np.zeros(2, bool)})


def test_gymnasium_s_wrappers_take_a_vector_that_resets_at_the_next_step() -> None:
    from gymnasium.wrappers.vector import FlattenObservation, RecordEpisodeStatistics

    made = RecordEpisodeStatistics(FlattenObservation(vec("canton", 2, autoreset_mode="next_step")))
    shown, _ = made.reset(seed=1)
    assert shown.shape == (2, 70 * 42 + 153)
    for _ in range(100):
        actions = shown[:, :153].argmax(axis=1)  # the mask comes first, by its name
        shown = made.step(actions)[0]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_maskable_ppo_learns_from_it() -> None:
    sb3 = pytest.importorskip("sb3_contrib", reason="Stable-Baselines3 needs torch")
    from stable_baselines3.common.env_util import make_vec_env

    made = gymnasium.make("quepu/yuque-54-v0", bots=RANDOM)
    many = make_vec_env("quepu/yuque-54-v0", n_envs=2, env_kwargs={"bots": RANDOM})
    model = sb3.MaskablePPO("MlpPolicy", many, n_steps=64, batch_size=64, seed=1, device="cpu")
    model.learn(384)
    shown, info = made.reset(seed=1)
    action, _ = model.predict(shown, action_masks=info["action_mask"])
    assert info["action_mask"][int(action)]


@pytest.mark.parametrize(
    ("make", "given", "near"),
    [
        (vec, "encodin", "encoding"), (gym_env, "seats", "seat"), (env, "rewards", "reward"),
        (parallel_env, "rulez", "rules"), (vec, "autoreset", "autoreset_mode"),
    ],
)  # fmt: skip
def test_a_wrong_option_gets_a_suggestion(make: Any, given: str, near: str) -> None:
    with pytest.raises(UnknownKeyword) as caught:
        make(**{given: 1})
    assert caught.value.say("en").endswith(f"unexpected keyword argument {given!r}; did you mean {near}?")
    assert f"unexpected keyword argument {given!r}" in caught.value.say("zh")  # TorchRL looks for Python's own phrase
    assert caught.value.say("zh").endswith(f"是不是{near}？")


def test_gymnasium_passes_on_what_is_wrong_with_an_option() -> None:
    with pytest.raises(TypeError, match="seat"):
        gymnasium.make("quepu/guobiao-mcr-v0", seats=1)
