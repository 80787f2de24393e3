"""The parallel and vector forms, matches, rewards, and where an episode may begin."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from pettingzoo.test import parallel_api_test

from quepu.bots import make_bot
from quepu.errors import Error, UnknownName
from quepu.match import LogWriter, Match, read_log
from quepu.rl import HandOutcome, MahjongEnv, MahjongVectorEnv, action_numbers, env, parallel_env, vec
from quepu.rl.env import PLAYERS
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from tests.books import PLAYED
from tests.fast_loops import interpret_vector


def finish(made: MahjongEnv, seed: int = 0) -> list[float]:
    """Random play to the end; what each player was rewarded with."""
    rng = np.random.default_rng(seed)
    total = [0.0] * 4
    for agent in made.agent_iter():
        seen, reward, over, _, _ = made.last()
        total[PLAYERS.index(agent)] += reward
        made.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return total


@pytest.mark.parametrize("rules", PLAYED)
def test_the_parallel_form_keeps_the_contract(rules: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(parallel_env(rules), num_cycles=60)
    first, second = (parallel_env(rules) for _ in range(2))  # PettingZoo's own test of seeds knows no masks here
    seen, other = first.reset(seed=8)[0], second.reset(seed=8)[0]
    for _ in range(40):
        taken = {agent: int(one["action_mask"].argmax()) for agent, one in seen.items()}
        for agent, one in seen.items():
            assert all(np.array_equal(one[key], other[agent][key]) for key in one)
        if first.agents:
            seen, other = first.step(taken)[0], second.step(taken)[0]


def test_all_who_may_claim_answer_at_once() -> None:
    made = parallel_env("guobiao-mcr")
    rng = np.random.default_rng(2)
    several = 0
    for seed in range(12):
        seen, _ = made.reset(seed=seed)
        while made.agents:
            several += len(made.episode.table.to_act) > 1
            for seat, agent in enumerate(made.agents):
                only_passes = np.flatnonzero(seen[agent]["action_mask"]).tolist() == [action_numbers.PASS]
                assert only_passes == (seat not in made.episode.table.to_act)
            taken = {agent: int(rng.choice(np.flatnonzero(one["action_mask"]))) for agent, one in seen.items()}
            seen, rewards, _, _, infos = made.step(taken)
        assert sum(rewards.values()) == 0 and infos["player_0"]["over"]
    assert several
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        made.step({})
    made.reset(seed=1)
    with pytest.raises(ValueError, match="not allowed"):
        made.step(dict.fromkeys(PLAYERS, action_numbers.PASS))
    with pytest.raises(ValueError, match="said nothing"):
        made.step({})
    again = pickle.loads(pickle.dumps(made))
    assert again == made and hash(again) == hash(made)


def test_a_vector_is_its_tables() -> None:
    """Each of the tables goes its own way as a single environment does, and a new hand follows the old one."""
    n = 5
    many = vec("lingque-29", n, encoding="counts")
    shown, infos = many.reset(seed=10)
    assert many.observation_space.contains(shown)
    singles = [env("lingque-29") for _ in range(n)]
    for i, one in enumerate(singles):
        one.reset(seed=10 + i)
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(150):
        taken = np.array([rng.choice(np.flatnonzero(mask)) for mask in shown["action_mask"]])
        for i, one in enumerate(singles):
            assert PLAYERS[infos["player"][i]] == one.agent_selection
            last = one.observe(one.agent_selection)
            assert np.array_equal(shown["observation"][i], last["observation"])
            assert np.array_equal(shown["action_mask"][i], last["action_mask"])
            one.step(int(taken[i]))
        shown, rewards, over, cut, infos = many.step(taken)
        assert not cut.any()
        for i, one in enumerate(singles):
            assert list(infos["rewards"][i]) == list(one.rewards.values())
            assert bool(over[i]) == one.episode.over
            if over[i]:
                ends += 1
                assert infos["final_info"][i] == one.infos["player_0"]
                one.reset()
    assert ends >= n and rewards.shape == (n,)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("n", [0, -1])
def test_no_tables_are_refused(n: int, compiled: bool) -> None:
    with pytest.raises(Error, match=f"(?s)一张桌.*{n}"):
        vec("canton", n, compiled=compiled)


def test_a_learner_against_bots() -> None:
    many = vec("guobiao-mcr", 2, bots=("plain", "random", "random"))
    shown, infos = many.reset(seed=4)
    first = infos["player"].copy()
    rng = np.random.default_rng(1)
    learners: set[int] = set()
    rewarded = 0.0
    for _ in range(120):
        learners |= set(infos["player"].tolist())
        shown, rewards, _, _, infos = many.step(
            np.array([rng.choice(np.flatnonzero(mask)) for mask in shown["action_mask"]])
        )
        rewarded += abs(rewards).sum()
    assert learners == {0, 1, 2, 3} and rewarded > 0
    again = vec("guobiao-mcr", 2, bots=("plain", "random", "random"))
    assert np.array_equal(again.reset(seed=4)[1]["player"], first)
    travelled = pickle.loads(pickle.dumps(many))
    assert isinstance(travelled, MahjongVectorEnv) and np.array_equal(
        travelled.shown["action_mask"], many.shown["action_mask"]
    )


def test_a_match_is_all_its_hands() -> None:
    made = env("lingque-29", match=1, reward="rank")
    made.reset(seed=3)
    total = finish(made)
    assert sorted(total) == [-3, -1, 1, 3] or sum(total) == pytest.approx(0)
    hands: list[HandOutcome] = []

    def counted(outcome: HandOutcome) -> tuple[float, float, float, float]:
        hands.append(outcome)
        return (1.0, 0.0, 0.0, -1.0)

    made = env("lingque-29", match=1, reward=counted)
    made.reset(seed=3)
    assert finish(made) == [len(hands), 0, 0, -len(hands)]
    assert len(hands) >= 4 and [hand.over for hand in hands] == [False] * (len(hands) - 1) + [True]
    totals = [0] * 4
    for hand in hands:
        totals = [a + b for a, b in zip(totals, hand.points, strict=True)]
        assert list(hand.totals) == totals
    with pytest.raises(UnknownName):
        env(reward="glory")  # type: ignore[arg-type]
    with pytest.raises(UnknownName):
        env(encoding="tensors")  # type: ignore[arg-type]


def test_info_says_how_it_ended() -> None:
    for seed in range(60):
        made = env("guobiao-mcr", match=False)
        made.reset(seed=seed)
        table = made.table
        from quepu.bots import make_bot

        bots = [make_bot("plain", seat) for seat in range(4)]
        for seat, bot in enumerate(bots):
            bot.begin(made.book, seat)
        while not made.episode.over:
            seat = table.to_act[0]
            chosen = bots[seat].act(table.view(seat), table.options(seat))
            made.step(action_numbers.number(chosen))
        info = made.infos["player_2"]
        assert info["ending"] == table.ending and info["points"] == tuple(made.rewards.values())
        if info["winner"] is not None:
            assert info["score"].points == table.ending.winners[0].score.points > 0  # type: ignore[union-attr]
            return
    raise AssertionError("nobody won")


def test_begins_where_it_is_given_to(tmp_path: Path) -> None:
    made = env("lingque-29", match=1)
    wall = make_wall(77, 3, made.episode.terms.tiles)
    made.reset(options={"wall": wall})
    assert made.table.wall == wall
    made.step(int(made.last()[0]["action_mask"].argmax()))
    stands = made.table.copy()
    other = env("lingque-29")
    other.reset(seed=1, options={"table": stands, "scores": (5, -5, 0, 0)})
    assert other.table == stands and other.table is not stands
    totals = finish(other)
    assert [a + b for a, b in zip(totals, (5, -5, 0, 0), strict=True)] == list(
        other.infos.get("player_0", {}).get("totals", [])
    ) or not other.agents

    lines: list[str] = []
    match = Match(book("lingque-29"), rounds=1)
    writer = LogWriter(match, lines.append, seed=9)
    for number in (1, 2):
        table = Table(match.book, make_wall(9, number), round=match.place.round_wind)
        writer.hand(number, match.place, table)
        while table.to_act:
            table.step(table.to_act[0], table.options(table.to_act[0])[-1])
        assert table.ending is not None
        match = match.add_hand(table.ending)
        writer.result(match.hands[-1].settlement, match.totals, table.ending)
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    replay = read_log(lines, unfinished=True)
    for log in (file, str(file), "\n".join(lines), replay):
        made.reset(options={"log": log, "hand": 2, "steps": 30})
        assert made.table == replay.hands[1].table(replay.book, 30)
    finish(made)
    for wrong in (
        {"log": file, "hand": 3}, {"log": file, "hand": 1, "steps": 9999}, {"log": file, "wall": wall},
        {"table": table}, {"wal": wall},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r".") as refused:
            made.reset(options=wrong)
        assert isinstance(refused.value, Error)
    with pytest.raises(Error):
        env("canton").reset(options={"log": file})


def test_a_copy_with_other_hidden_tiles_can_be_played_on() -> None:
    made = env("yuque-54")
    made.reset(seed=5)
    for _ in range(12):
        made.step(int(made.last()[0]["action_mask"].argmax()))
    agent = made.agent_selection
    other = made.sampled(agent, 3)
    assert np.array_equal(other.observe(agent)["observation"], made.observe(agent)["observation"])
    assert other.table.hands != made.table.hands
    before = copy.deepcopy(made)
    finish(other)
    assert made == before
    assert other.table.over and not made.table.over


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (("plain",), "bots takes three, one for each other seat, not 1."),
        ("plain", """bots takes three, such as ("plain", "plain", "plain"), not the single name 'plain'."""),
        (("plain", "plain", "grandmaster"), "bot"),
        (("plain", "plain", 5), "bot"),
        (("plain", "plain", dict), "bot"),
        (("plain", "plain", lambda seed, more: None), "bot"),
    ],
)
def test_wrong_bots_are_refused_before_a_hand_is_dealt(bots: Any, sentence: str, compiled: bool) -> None:
    with pytest.raises(Error) as wrong:
        vec("guobiao", 2, bots, compiled=compiled)
    assert sentence in wrong.value.say("en")


class Seedless:
    """Bot whose class takes no seed, as in the tutorial."""

    def begin(self, book: Any, seat: int) -> None:
        """Nothing to remember."""

    def act(self, view: Any, options: Any) -> Any:
        return options[-1]


def test_bots_may_be_classes_with_or_without_a_seed() -> None:
    many = vec("guobiao", 2, (Seedless, Seedless, lambda seed: Seedless()))
    shown, _ = many.reset(seed=1)
    for _ in range(10):
        shown = many.step(shown["action_mask"].argmax(axis=1))[0]
    assert isinstance(make_bot(Seedless), Seedless)


def rollout(many: Any, steps: int) -> tuple[list[Any], list[Any]]:
    """What a rollout list has: arrays as they were given, and copies made at that moment."""
    returned, copies = [], []
    shown, infos = many.reset(seed=3)
    for _ in range(steps):
        now = [shown["observation"], shown["action_mask"], infos["player"], infos.get("rewards", np.zeros(1))]
        returned.append(now)
        copies.append([one.copy() for one in now])
        shown, _, _, _, infos = many.step(shown["action_mask"].argmax(axis=1))
    return returned, copies


def lasting(many: Any) -> list[bool]:
    """Whether observations, masks, players and rewards of a rollout are still what they were."""
    returned, copies = rollout(many, 12)
    return [
        all(np.array_equal(one[at], other[at]) for one, other in zip(returned, copies, strict=True)) for at in range(4)
    ]


@pytest.mark.parametrize("encoding", ["counts", "planes", "tokens"])
@pytest.mark.parametrize("compiled", [False, True])
def test_what_a_vector_gives_lasts(encoding: str, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if compiled:
        interpret_vector(monkeypatch)
    many = vec("lingque-29", 3, compiled=compiled, encoding=encoding)
    assert lasting(many) == [True] * 4
    shown = many.shown
    shown["action_mask"][:] = 1  # a caller's own: it allows nothing
    with pytest.raises(ValueError, match="not allowed"):
        many.step(np.full(3, action_numbers.COUNT - 1))
    quick = vec("lingque-29", 3, compiled=compiled, encoding=encoding, copy=False)
    assert lasting(quick) == [False, False, False, True]
    assert quick.shown["observation"] is quick.shown["observation"]
