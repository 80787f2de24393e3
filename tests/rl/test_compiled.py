"""Compiled tables show, allow and pay what the others do, number for number."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from quepu.errors import Error
from quepu.fast.compiled.code_cache import installed
from quepu.fast.tables import code, fast_tables, stepped
from quepu.match.starts import StartError
from quepu.rl import vec
from quepu.rulebooks import book, book_ids
from tests.fast_loops import interpret_vector

NAMES = [name for name in book_ids() if book(name).play and code.missing(book(name)) is None]
BOTS = ("plain", "random", "closed")


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loops as Python runs them."""
    interpret_vector(monkeypatch)


def the_same(name: str, n: int, hands: int, eager: float = 0.0, **options: Any) -> None:
    """Both forms with the same choices, until so many hands are over; eager: how often what is claimed is preferred."""
    slow, quick = (vec(name, n, compiled=compiled, **options) for compiled in (False, True))
    shown, begun = slow.reset(seed=7)
    other, begun_too = quick.reset(seed=7)
    assert np.array_equal(begun["player"], begun_too["player"])
    rng, ended = np.random.default_rng(5), 0
    while ended < hands:
        assert np.array_equal(shown["action_mask"], other["action_mask"])
        for i in range(n):
            assert np.array_equal(shown["observation"][i], other["observation"][i]), (i, ended)
        actions = np.array([choose(mask, rng, eager) for mask in shown["action_mask"]])
        shown, rewards, over, _, infos = slow.step(actions)
        other, rewards_too, over_too, _, infos_too = quick.step(actions)
        assert np.array_equal(rewards, rewards_too)
        assert np.array_equal(over, over_too)
        assert np.array_equal(infos["player"], infos_too["player"])
        assert np.array_equal(infos["rewards"], infos_too["rewards"])
        assert [*infos.get("final_info", ())] == [*infos_too.get("final_info", ())]
        ended += int(over.sum())


def choose(mask: Any, rng: Any, eager: float) -> int:
    allowed = np.flatnonzero(mask)
    special = allowed[allowed >= 42]
    if len(special) and rng.random() < eager:
        return int(special[int(rng.integers(len(special)))])
    return int(allowed[int(rng.integers(len(allowed)))])


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("eager", [0.0, 0.9])
@pytest.mark.parametrize("name", NAMES)
def test_the_same_at_every_decision(name: str, eager: float) -> None:
    the_same(name, 2, 3, eager)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", ["lingque-29", "guobiao"])
def test_the_same_beside_bots_and_as_planes(name: str) -> None:
    the_same(name, 2, 3, 0.5, bots=BOTS, encoding="planes", reward="rank", seat=2)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("eager", [pytest.param(0.0, marks=pytest.mark.long), 0.9])
@pytest.mark.parametrize("name", NAMES)
def test_the_same_as_tokens(name: str, eager: float) -> None:
    the_same(name, 2, 3, eager, encoding="tokens")


@pytest.mark.usefixtures("interpreted")
def test_the_same_as_tokens_beside_bots() -> None:
    the_same("guobiao", 2, 4, 0.5, bots=BOTS, encoding="tokens")


@pytest.mark.long
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", NAMES)
def test_the_same_in_many_hands(name: str) -> None:
    the_same(name, 4, 40, 0.7)
    the_same(name, 4, 20, 0.7, bots=BOTS)
    the_same(name, 4, 20, 0.7, encoding="tokens")


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.skipif(not installed(), reason="needs the extra fast")
@pytest.mark.parametrize("name", NAMES)
def test_the_same_compiled(name: str) -> None:
    the_same(name, 16, 400, 0.6)
    the_same(name, 16, 200, 0.6, bots=BOTS, encoding="planes")
    the_same(name, 16, 200, 0.6, encoding="tokens")


@pytest.mark.usefixtures("interpreted")
def test_what_compiled_tables_have_not_is_a_sentence() -> None:
    for wrong in (
        {"bots": ("gain", "plain", "plain")}, {"reward": lambda outcome: outcome.points}, {"match": True},
    ):  # fmt: skip
        with pytest.raises(StartError):
            vec("lingque-29", 2, compiled=True, **wrong)
    made = vec("lingque-29", 2, compiled=True)
    with pytest.raises(RuntimeError, match="reset"):
        made.step(np.array([0, 0]))
    with pytest.raises(StartError):
        made.reset(options={"round": 1})
    made.reset(seed=1)
    with pytest.raises(ValueError, match="not allowed"):
        made.step(np.array([152, 152]))
    with pytest.raises(ValueError, match="actions are int"):
        made.step(np.array([0]))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", [0, 10**13, 1 << 70])
def test_bots_of_any_seed_are_the_same(seed: int) -> None:
    slow, quick = (vec("lingque-29", 2, bots=("random",) * 3, compiled=compiled) for compiled in (False, True))
    shown, other = slow.reset(seed=seed)[0], quick.reset(seed=seed)[0]
    rng = np.random.default_rng(2)
    for _ in range(60):
        assert np.array_equal(shown["observation"], other["observation"])
        assert np.array_equal(shown["action_mask"], other["action_mask"])
        actions = np.array([choose(mask, rng, 0.0) for mask in shown["action_mask"]])
        shown, other = slow.step(actions)[0], quick.step(actions)[0]


@pytest.mark.usefixtures("interpreted")
def test_seeds_go_on_where_none_is_given() -> None:
    made = vec("canton", 2, compiled=True)
    first = made.reset(seed=3)[0]["observation"].copy()
    second = made.reset()[0]["observation"].copy()
    assert not np.array_equal(first, second)
    assert np.array_equal(made.reset(seed=3)[0]["observation"], first)
    assert np.array_equal(made.reset()[0]["observation"], second)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("encoding", [pytest.param("counts", marks=pytest.mark.long), "tokens"])
def test_a_pickle_plays_on_alike(encoding: str) -> None:
    made = vec("lingque-29", 2, compiled=True, bots=BOTS, encoding=encoding)
    shown, _ = made.reset(seed=4)
    rng = np.random.default_rng(1)
    for _ in range(30):
        shown = made.step(np.array([choose(mask, rng, 0.5) for mask in shown["action_mask"]]))[0]
    other = pickle.loads(pickle.dumps(made))
    for _ in range(60):
        assert np.array_equal(made.shown["observation"], other.shown["observation"])
        actions = np.array([choose(mask, rng, 0.5) for mask in made.shown["action_mask"]])
        assert made.step(actions)[1].tolist() == other.step(actions)[1].tolist()


def test_without_numba_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_tables, "installed", lambda: False)
    with pytest.raises(Error, match="quepu\\[fast\\]"):
        vec("lingque-29", 2, compiled=True)


@pytest.mark.usefixtures("interpreted")
def test_gain_is_refused_where_it_is_not_compiled() -> None:
    with pytest.raises(Error, match="closed, plain"):
        stepped.SteppedTables("lingque-29", 1, 144, "gain")
