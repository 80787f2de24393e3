"""The same as a PettingZoo parallel environment: everybody acts at every step; who is not to act passes.

Where several may claim a discard they answer at once, as at a table.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from pettingzoo import ParallelEnv

from quepu.rl import action_numbers
from quepu.rl.encodings import EncodingName
from quepu.rl.episode_env import PLAYERS, EpisodeEnv
from quepu.rl.rewards import Reward, RewardName
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES

Seen = dict[str, dict[str, Any]]


class ParallelMahjongEnv(EpisodeEnv, ParallelEnv[str, dict[str, Any], int]):
    """See the module; its arguments are those of `EpisodeEnv`."""

    metadata: ClassVar[dict[str, Any]] = {"name": "quepu_parallel_v2", "render_modes": ["ansi"]}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ParallelMahjongEnv):
            return NotImplemented
        return (self.episode, self.agents) == (other.episode, other.agents)

    def __hash__(self) -> int:
        return hash(self.episode.terms)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, dict[str, Any]]]:
        """Deal; `options` are those of `quepu.rl.episode.Start`.

        Raises:
            StartError: the options contradict each other or the book.
        """
        self.episode.begin(seed, options)
        self.agents = self.possible_agents[:]
        return self._seen(), {agent: {} for agent in self.agents}

    def _seen(self) -> Seen:
        episode = self.episode
        to_act = {episode.seats[seat] for seat in episode.table.to_act} if not episode.over else set()
        found = {}
        for player, agent in enumerate(PLAYERS):
            if player in to_act:
                mask = episode.mask(player)
            else:
                mask = np.zeros(action_numbers.COUNT, np.int8)
                mask[action_numbers.PASS] = 1
            found[agent] = {"observation": episode.observe(player), "action_mask": mask}
        return found

    def step(
        self, actions: dict[str, int]
    ) -> tuple[Seen, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Let all who are to act do so; what the others say is left alone.

        Raises:
            ValueError: an action is masked, or somebody who is to act said nothing.
            RuntimeError: no hand is being played.
        """
        episode = self.episode
        if not self.agents:
            raise RuntimeError("no hand is being played: call reset()")
        table, seats = episode.table, episode.seats
        waiting = table.to_act
        answers = [(player, self._answer(actions, player)) for player in (seats[seat] for seat in waiting)]
        for player, number in answers:
            if number not in episode.options(player):
                raise ValueError(f"action {number} of {PLAYERS[player]} is not allowed: see action_mask")
        ended, before = None, table.event_count
        for seat, (player, number) in zip(waiting, answers, strict=True):
            if table.event_count == before and seat in table.to_act:  # the same choice is still open
                ended = episode.step(number, player)
        rewards = dict.fromkeys(PLAYERS, 0.0)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in PLAYERS}
        if ended is not None:
            outcome, reward = ended
            rewards = dict(zip(PLAYERS, reward, strict=True))
            infos = {agent: outcome.info() for agent in PLAYERS}
        over = dict.fromkeys(PLAYERS, episode.over)
        seen = self._seen()
        if episode.over:
            self.agents = []
        return seen, rewards, over, dict.fromkeys(PLAYERS, False), infos

    def _answer(self, actions: dict[str, int], player: int) -> int:
        if PLAYERS[player] not in actions:
            raise ValueError(f"{PLAYERS[player]} is to act and said nothing")
        return self._number(actions[PLAYERS[player]])


def parallel_env(
    rules: str | Rulebook = DEFAULT_RULES,
    flowers: bool | None = None,
    render_mode: str | None = None,
    *,
    encoding: EncodingName = "counts",
    reward: RewardName | Reward = "points",
    match: bool | int = False,
) -> ParallelMahjongEnv:
    """A hand or match of this rulebook as a parallel environment; see `EpisodeEnv` for the options."""
    return ParallelMahjongEnv(rules, flowers, render_mode, encoding=encoding, reward=reward, match=match)
