"""A hand or a match of any rulebook as a PettingZoo AEC environment.

Agents `player_0` … `player_3` begin at East, South, West and North. Observations are what a player sees and no more
(`quepu.rl.encodings`); beside them stands the mask of the actions that are allowed now (`quepu.rl.action_numbers`).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from pettingzoo import AECEnv

from quepu.rl import action_numbers
from quepu.rl.encodings import EncodingName
from quepu.rl.episode_env import PLAYERS, EpisodeEnv
from quepu.rl.rewards import Reward, RewardName
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES


class MahjongEnv(EpisodeEnv, AECEnv[str, dict[str, Any], int]):
    """See the module; its arguments are those of `EpisodeEnv`."""

    metadata: ClassVar[dict[str, Any]] = {"name": "quepu_v2", "render_modes": ["ansi"], "is_parallelizable": False}

    def _value(self) -> tuple[Any, ...]:
        """Return what it is: its terms, and where in which hand of which seed it stands."""
        rewards = getattr(self, "rewards", None)  # an AECEnv has none before `reset`
        return type(self), self.render_mode, self.episode, self.agents, rewards

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, MahjongEnv) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.episode.terms, self.render_mode))  # what never changes

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: the wall of `seed`, then of each following hand of that seed; `options` are those of `Start`.

        Raises:
            StartError: the options contradict each other or the book.
        """
        self.episode.begin(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._rewarded = False
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = PLAYERS[self.episode.acting]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what the agent sees, and which actions it may take now.

        Raises:
            RuntimeError: no hand was dealt yet.
            ValueError: there is no such agent.
        """
        self._need_a_hand()
        player = self._player(agent)
        if agent == self.agent_selection and not self.episode.over:
            mask = self.episode.mask()
        else:
            mask = np.zeros(action_numbers.COUNT, np.int8)
        return {"observation": self.episode.observe(player), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what the selected agent sees, was given since it acted, and whether its episode is over.

        Raises:
            RuntimeError: no hand was dealt yet.
        """
        self._need_a_hand()
        seen: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return seen

    def step(self, action: int | None) -> None:
        """Let the selected agent act.

        Raises:
            ValueError: the action is masked.
            RuntimeError: no hand is being played.
        """
        self._need_a_hand()
        if not self.agents:
            raise RuntimeError("this hand is over: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        ended = self.episode.step(-1 if action is None else self._number(action))
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        rewards = self.rewards
        if self._rewarded:
            self.rewards = rewards = dict.fromkeys(PLAYERS, 0.0)
            self._rewarded = False
        if ended is not None:
            self._rewarded = True
            outcome, reward = ended
            for player, one in enumerate(PLAYERS):
                rewards[one] = reward[player]
                self.infos[one] = outcome.info()
                self.terminations[one] = outcome.over
                self._cumulative_rewards[one] += reward[player]
            self.agent_selection = self.agents[0] if outcome.over else PLAYERS[self.episode.acting]
        else:
            self.agent_selection = PLAYERS[self.episode.acting]

    def sampled(self, agent: str, seed: int) -> MahjongEnv:
        """A copy in which what the agent cannot see lies otherwise, as it also might (determinisation); seeded.

        Where the agent is selected here, it is there; others, who hold other tiles, may be asked other things.

        Raises:
            Error: the hand is over, or others are to answer and the agent is not.
            RuntimeError: no hand was dealt yet.
            ValueError: there is no such agent.
        """
        self._need_a_hand()
        player = self._player(agent)
        made = object.__new__(type(self))
        made.__dict__.update(vars(self))
        made.episode = self.episode.sampled(player, seed)
        made.agents = self.agents[:]
        made.rewards, made._cumulative_rewards = dict(self.rewards), dict(self._cumulative_rewards)
        made.terminations, made.truncations = dict(self.terminations), dict(self.truncations)
        made.infos = dict(self.infos)
        made.agent_selection = PLAYERS[made.episode.acting]
        return made


def env(
    rules: str | Rulebook = DEFAULT_RULES,
    flowers: bool | None = None,
    render_mode: str | None = None,
    *,
    encoding: EncodingName = "counts",
    reward: RewardName | Reward = "points",
    match: bool | int = False,
) -> MahjongEnv:
    """A hand (or, with `match`, a match) of this rulebook as an environment; see `EpisodeEnv`."""
    return MahjongEnv(rules, flowers, render_mode, encoding=encoding, reward=reward, match=match)
