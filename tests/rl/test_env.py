"""PettingZoo's own contract tests for every rulebook, and that masks are the table's options."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from pettingzoo.test import api_test, seed_test

from quepu.rl import action_numbers, env, parallel_env
from tests.books import PLAYED


@pytest.mark.parametrize("rules", PLAYED)
def test_pettingzoo_contract(rules: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the contract test warns about styles of observation
        api_test(env(rules), num_cycles=150, verbose_progress=False)
        seed_test(lambda: env(rules), num_cycles=60)


@pytest.mark.parametrize("rules", PLAYED)
def test_walls_of_a_match_do_not_depend_on_what_is_played(rules: str) -> None:
    seen: list[list[object]] = []
    for choose in (np.argmax, lambda mask: len(mask) - 1 - np.argmax(mask[::-1])):
        made = env(rules, match=2)
        made.reset(seed=7)
        walls = [made.table.wall]
        while len(walls) < 3:
            made.step(int(choose(made.observe(made.agent_selection)["action_mask"])))
            if made.table.wall != walls[-1]:
                walls.append(made.table.wall)
        seen.append(walls)
    assert seen[0] == seen[1]


def test_masks_are_the_tables_options_and_rewards_its_settlement() -> None:
    rng = np.random.default_rng(3)
    made = env("lingque-29")
    for _ in range(3):
        made.reset(seed=int(rng.integers(1000)))
        total = dict.fromkeys(made.possible_agents, 0.0)
        for agent in made.agent_iter():
            seen, reward, over, _, _ = made.last()
            total[agent] += reward
            if over:
                made.step(None)
                continue
            seat = made.possible_agents.index(agent)
            options = made.table.options(seat)
            assert set(np.flatnonzero(seen["action_mask"])) == {action_numbers.number(option) for option in options}
            assert not any(made.observe(other)["action_mask"].any() for other in made.agents if other != agent)
            made.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        assert sum(total.values()) == 0


def test_a_masked_action_is_refused() -> None:
    made = env("lingque-29")
    made.reset(seed=1)
    mask = made.observe(made.agent_selection)["action_mask"]
    with pytest.raises(ValueError, match="not allowed"):
        made.step(int(np.flatnonzero(mask == 0)[0]))


def test_calls_out_of_turn_say_what_to_do() -> None:
    made = env("lingque-29")
    for call in (lambda: made.step(0), lambda: made.observe("player_0")):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            call()
    for round in (4, -1, "E"):
        with pytest.raises(ValueError, match=r"0 东|0 East"):
            made.reset(seed=1, options={"round": round})
    for make in (env, parallel_env):
        with pytest.raises(ValueError, match="render_mode is one of"):
            make("lingque-29", render_mode="human")
    made.reset(seed=1, options={"round": 3})
    for _ in made.agent_iter():
        seen, _, over, _, _ = made.last()
        made.step(None if over else int(np.flatnonzero(seen["action_mask"])[0]))
    with pytest.raises(RuntimeError, match="this hand is over"):
        made.step(None)


def test_every_action_number_has_a_name() -> None:
    assert len(action_numbers.names()) == action_numbers.COUNT
    assert len(set(action_numbers.names())) == action_numbers.COUNT


def test_an_environment_is_a_value() -> None:
    """It says what it is, travels, and equals one in which the same was done."""
    made, other = env("guobiao"), env("guobiao")
    assert repr(made) == "MahjongEnv('guobiao', flowers=True)" and str(made)
    assert repr(env("guobiao", flowers=False)) == "MahjongEnv('guobiao', flowers=False)"
    assert made == other and hash(made) == hash(other) and made != env("canton") and made != 5
    for one in (made, other):
        one.reset(seed=7)
    assert made == other
    for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert again == made and hash(again) == hash(made) and again.agent_selection == made.agent_selection
    made.step(int(made.last()[0]["action_mask"].argmax()))
    assert made != other and hash(made) == hash(other)
    assert made != again
    again.step(int(again.last()[0]["action_mask"].argmax()))
    assert made == again
