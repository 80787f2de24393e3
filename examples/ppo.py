"""A small PPO that ends above `plain`: it rates options by what they leave, against three `plain`, on the same walls.

python examples/ppo.py [BOOK] [UPDATES] [FILE.npz]      two minutes of a core with 16 updates

The network (option_network.py) first imitates some hands of `plain`, then plays. `quepu.bots.option_form` writes what
it sees: for each option the distance and the worth of the nearest hands that may win, useful tiles, dangers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from option_network import Array, OptionNetwork, chances, select

from quepu.arena import follow_hand
from quepu.bots import make_bot
from quepu.bots.option_form import OptionForm, distinct
from quepu.rl import MahjongVectorEnv, action_numbers, vec
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table, make_wall

PLAIN = ("plain", "plain", "plain")
TABLES, STEPS = 32, 64
SCALE = 1 / 32
"""Rewards are points times this."""


class Decisions(NamedTuple):
    """What was seen at some decisions: the rows of all options, where each decision begins, and the row taken."""

    rows: Array
    starts: Array
    taken: Array

    @classmethod
    def of(cls, seen: Sequence[Array], taken: Sequence[int]) -> Decisions:
        """Return decisions from the rows of each, and the option taken."""
        counts = np.array([len(rows) for rows in seen])
        starts = np.cumsum(counts) - counts
        return cls(np.concatenate(seen), starts, starts + np.array(taken))

    def some(self, which: Array) -> Decisions:
        """Return some of these decisions."""
        rows, starts, _ = select(self.rows, self.starts, which)
        return Decisions(rows, starts, starts + self.taken[which] - self.starts[which])


def taught(name: str, teacher: str, hands: int, first: int = 0) -> Decisions:
    """Return the decisions of four equal bots over some hands, the first from this seed."""
    rules, seen, taken = book(name), [], []
    form = OptionForm(rules)
    for seed in range(first, first + hands):
        for table, seat, chosen in follow_hand(rules, make_wall(seed), [teacher] * 4, round=seed % 4, seed=seed):
            some = distinct(table.options(seat))
            if len(some) > 1:
                seen.append(form.observe(table.view(seat), some))
                taken.append([one[:3] + one[4:5] for one in some].index(chosen[:3] + chosen[4:5]))
    return Decisions.of(seen, taken)


def imitate(decisions: Decisions, passes: int = 10) -> OptionNetwork:
    """Return a network that does as the decisions did: cross entropy, 128 decisions at a time."""
    rng, network = np.random.default_rng(1), OptionNetwork(1)
    for number in range(passes):
        for which in np.array_split(rng.permutation(len(decisions.taken)), max(1, len(decisions.taken) // 128)):
            rows, starts, taken = decisions.some(which)
            wrong = chances(network.rate(rows), starts)
            wrong[taken] -= 1
            still = np.zeros(len(which), np.float32)
            network.learn(rows, starts, wrong / len(which), still, 2e-3 * (1 - number / passes))
    return network


# ---- at the tables

Policy = Callable[[Table, int], Action]
"""Chooses at a table for a seat."""


def seat_at(tables: MahjongVectorEnv, policy: Policy) -> Array:
    """Return the action of the learner at every table."""
    at = [episode.table for episode in tables.episodes]
    return np.array([action_numbers.number(policy(table, table.to_act[0])) for table in at])


def level(name: str, rules: Rulebook) -> Policy:
    """Return a level as a policy; levels remember nothing, so one bot for each seat plays at all tables."""
    bots = [make_bot(name, seat) for seat in range(4)]
    for seat, bot in enumerate(bots):
        bot.begin(rules, seat)
    return lambda table, seat: bots[seat].act(table.view(seat), table.options(seat))


def likeliest(network: OptionNetwork, form: OptionForm) -> Policy:
    """Return the policy that takes the option rated highest."""

    def act(table: Table, seat: int) -> Action:
        options = distinct(table.options(seat))
        return options[int(network.rate(form.observe(table.view(seat), options)).argmax())]

    return act


def play(name: str, policy: Policy, hands: int, seed: int = 10_000_000, tables: int = 20) -> Array:
    """Return the points of hands against three `plain` on fixed walls."""
    made = vec(name, tables, bots=PLAIN, flowers=False, compiled=False)
    made.reset(seed=seed)
    found: list[list[float]] = [[] for _ in range(tables)]
    while min(map(len, found)) < hands // tables:
        _, rewards, over, _, _ = made.step(seat_at(made, policy))
        for i in np.flatnonzero(over):
            found[i].append(float(rewards[i]))
    return np.array([own[: hands // tables] for own in found]).reshape(-1)


def mean(points: Array) -> str:
    """Return a mean with its 95% interval."""
    return f"{points.mean():+.2f} ± {1.96 * points.std() / np.sqrt(len(points)):.2f}"


# ---- PPO


class Run(NamedTuple):
    """What was gathered: decisions in the order [step, table], their chances and values, rewards, ends of hands."""

    decisions: Decisions
    chance: Array
    value: Array
    reward: Array
    over: Array


def gather(network: OptionNetwork, form: OptionForm, tables: MahjongVectorEnv, rng: np.random.Generator) -> Run:
    """Play some steps at all tables, options drawn by their chances."""
    seen: list[Array] = []
    taken: list[int] = []
    shares, values, rewards, ends = [], [], [], []
    for step in range(STEPS + 1):
        options = [distinct(one.table.options(one.table.to_act[0])) for one in tables.episodes]
        rows = [
            form.observe(one.table.view(one.table.to_act[0]), some)
            for one, some in zip(tables.episodes, options, strict=True)
        ]
        whole, starts, _ = Decisions.of(rows, [0] * len(rows))
        values.append(network.value(whole, starts))
        if step == STEPS:
            break
        parts = np.split(chances(network.rate(whole), starts), starts[1:])
        places = [int(min((part.cumsum() < rng.random() * part.sum()).sum(), len(part) - 1)) for part in parts]
        shares += [part[place] for part, place in zip(parts, places, strict=True)]
        seen, taken = seen + rows, taken + places
        chosen = [action_numbers.number(some[place]) for some, place in zip(options, places, strict=True)]
        _, reward, over, _, _ = tables.step(np.array(chosen))
        rewards.append(reward * SCALE)
        ends.append(over)
    return Run(Decisions.of(seen, taken), np.array(shares), np.stack(values), np.stack(rewards), np.stack(ends))


def advantages(run: Run, decay: float = 0.95) -> Array:
    """Return generalised advantage estimates without discount: [steps, tables]."""
    found = np.zeros_like(run.reward)
    carried = np.zeros(run.reward.shape[1])
    for t in reversed(range(len(found))):
        goes_on = 1 - run.over[t]
        carried = run.reward[t] + goes_on * (run.value[t + 1] + decay * carried) - run.value[t]
        found[t] = carried
    return found


def improve(network: OptionNetwork, run: Run, rng: np.random.Generator, rate: float, value_only: bool) -> None:
    """Make the clipped update, three passes over what was gathered."""
    gain = advantages(run)
    target = (gain + run.value[:-1]).reshape(-1)
    gain = ((gain - gain.mean()) / (gain.std() + 1e-6)).reshape(-1)
    for _ in range(3):
        for which in np.array_split(rng.permutation(len(target)), max(1, len(target) // 256)):
            rows, starts, taken = run.decisions.some(which)
            likely = chances(network.rate(rows), starts)
            ratio = likely[taken] / run.chance[which]
            free = np.where(gain[which] > 0, ratio < 1.15, ratio > 0.85) * (not value_only)
            push = free * ratio * gain[which]
            by_ratings = likely * np.repeat(push, np.diff(np.append(starts, len(rows))))
            by_ratings[taken] -= push
            by_values = (network.value(rows, starts) - target[which]) * 0.5
            network.learn(
                rows, starts, (by_ratings / len(which)).astype(np.float32),
                (by_values / len(which)).astype(np.float32), rate,
            )  # fmt: skip


def main(name: str, updates: int, hands: int, lessons: int, file: str = "") -> None:
    """Learn, measure on the same walls as `plain` and the imitation, and write a file for `net:FILE`."""
    rng, rules = np.random.default_rng(5), book(name)
    form = OptionForm(rules)
    first = imitate(taught(name, "plain", lessons))
    network = first.copy()
    policies = {"plain": level("plain", rules), "imitation": likeliest(first, form)}
    before = {one: play(name, policy, hands) for one, policy in policies.items()}
    for one, points in before.items():
        print(f"{one} against three plain: {mean(points)} points a hand, {len(points)} hands", flush=True)
    tables = vec(name, TABLES, bots=PLAIN, flowers=False, compiled=False)
    tables.reset(seed=1)
    for update in range(1, updates + 1):
        run = gather(network, form, tables, rng)
        improve(network, run, rng, 1e-3 * (1 - 0.8 * update / updates), value_only=update <= max(1, updates // 10))
        if update % max(1, updates // 2) == 0:
            points = play(name, likeliest(network, form), hands)
            print(f"PPO after {update * TABLES * STEPS:,} decisions: {mean(points)}")
            for one, other in before.items():
                print(f"    above {one} on the same walls: {mean(points - other)}", flush=True)
    if file:
        network.save(file)


if __name__ == "__main__":
    many = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    chosen = sys.argv[1] if len(sys.argv) > 1 else "guobiao-mcr"
    main(chosen, many, 25 * many, min(100, 8 * many), *sys.argv[3:4])
