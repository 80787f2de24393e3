"""A hand or a match of any rulebook as a PettingZoo environment, one agent after another or all at once.

Agents `player_0` … `player_3` begin at East, South, West and North. An observation has all that a player sees and
nothing else (`quepu.rl.encodings`), and the mask of the legal actions (`quepu.rl.action_numbers`).
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from inspect import signature
from operator import index
from typing import Any, ClassVar, Self, Unpack

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from quepu.errors import UnknownKeyword, unknown_keywords
from quepu.rl import action_numbers
from quepu.rl.encodings import encoding_of
from quepu.rl.episode import DEFAULT_TERMS, Episode, TermOptions, Terms
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES, showing
from quepu.table import Table

Seen = dict[str, dict[str, Any]]
PLAYERS = tuple(f"player_{player}" for player in range(4))
_NUMBER = {agent: player for player, agent in enumerate(PLAYERS)}


def spaces_of(encoding: str) -> spaces.Dict:
    """Return the observation space of an environment in this encoding: observation and action_mask."""
    code = encoding_of(encoding)
    seen = spaces.Box(code.low, code.high, code.shape, code.dtype)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (action_numbers.COUNT,), np.int8)})


def render_mode_of(render_mode: str | None) -> str | None:
    """Return a render mode, if there is one of this name.

    Raises:
        ValueError: there is none.
    """
    if render_mode not in (None, "ansi"):
        raise ValueError(f"render_mode is one of ['ansi'], not {render_mode!r}")
    return render_mode


def check_options(name: str, given: Iterable[str], environment: type) -> None:
    """Check the names of the options that an environment takes by name alone.

    Raises:
        UnknownKeyword: it does not have one of them; the error lists similar ones, and has Python's own phrase in both
            languages: by it, TorchRL's `GymEnv` notices that it is to leave out `frameskip`.
    """
    unknown = [option for option in given if option not in DEFAULT_TERMS]
    if unknown:
        zh, en = unknown_keywords(name, unknown, signature(environment).parameters).text
        raise UnknownKeyword(f"unexpected keyword argument {unknown[0]!r}：{zh}", en)


class EpisodeEnv:
    """Base of both forms: an episode, its spaces, how it is shown.

    Args:
        rules: an id, alias, TOML file or Rulebook.
        flowers: None plays the book's own set.
        render_mode: "ansi", or None.
        encoding: "counts", "planes" or "tokens".
        reward: "points" (of each hand), "rank" (at the end), or a function of `HandOutcome`.
        match: an episode is a match of so many rounds (True: the book's own), else a hand.

    Raises:
        UnknownName: the book, encoding or reward does not exist.
        StartError: flowers or match is invalid.
        ValueError: the render mode does not exist.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    @showing(TermOptions, DEFAULT_TERMS)
    def __init__(
        self,
        rules: str | Rulebook = DEFAULT_RULES,
        flowers: bool | None = None,
        render_mode: str | None = None,
        **options: Unpack[TermOptions],
    ) -> None:
        check_options("env", options, type(self))
        super().__init__()
        self.render_mode = render_mode_of(render_mode)
        terms = Terms.of(rules, flowers, **options)
        self.episode = Episode(terms)
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        space, numbers = spaces_of(terms.encoding), spaces.Discrete(action_numbers.COUNT)
        self.observation_spaces = dict.fromkeys(PLAYERS, space)
        self.action_spaces = dict.fromkeys(PLAYERS, numbers)

    def __repr__(self) -> str:
        terms = self.episode.terms
        more = f", match={terms.rounds}" if terms.rounds else ""
        more += f", encoding={terms.encoding!r}" if terms.encoding != "counts" else ""
        return f"{type(self).__name__}({terms.book.id!r}, flowers={bool(terms.tiles.flowers)}{more})"

    def __copy__(self) -> Self:
        """A copy that is played on by itself."""
        return deepcopy(self)

    @property
    def book(self) -> Rulebook:
        """The rulebook."""
        return self.episode.terms.book

    @property
    def table(self) -> Table:
        """The hand being played.

        Raises:
            RuntimeError: no hand was dealt yet.
        """
        self._need_a_hand()
        return self.episode.table

    def _need_a_hand(self) -> None:
        if not self.episode.begun:
            raise RuntimeError("no hand was dealt yet: call reset()")

    @staticmethod
    def _player(agent: str) -> int:
        """The number of an agent.

        Raises:
            ValueError: the agent does not exist.
        """
        if agent not in _NUMBER:
            raise ValueError(f"no agent {agent!r}; there are: {', '.join(PLAYERS)}")
        return _NUMBER[agent]

    @staticmethod
    def _number(action: Any) -> int:
        """The number of an action.

        Raises:
            ValueError: it is not a whole number.
        """
        try:
            return index(action)
        except TypeError:
            raise ValueError(f"an action is a whole number, not {action!r}") from None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of `observe`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Numbers of `quepu.rl.action_numbers`."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """Return the events so far, one per line."""
        return "\n".join(event.text().en for event in self.table.events)

    def close(self) -> None:
        """Nothing to close."""

    def state(self) -> np.ndarray[Any, Any]:
        """All four observations together: [4, …].

        Raises:
            RuntimeError: no hand was dealt yet.
        """
        self._need_a_hand()
        return np.stack([self.episode.observe(player) for player in range(4)])


class MahjongEnv(EpisodeEnv, AECEnv[str, dict[str, Any], int]):
    """A PettingZoo AEC environment; its arguments are those of `EpisodeEnv`.

    Examples:
        >>> import quepu.rl
        >>> made = quepu.rl.env("guobiao-mcr")
        >>> made.reset(seed=7)
        >>> made.agent_selection, made.observe(made.agent_selection)["action_mask"].shape
        ('player_0', (153,))
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "quepu_v2", "render_modes": ["ansi"], "is_parallelizable": False}

    def _value(self) -> tuple[Any, ...]:
        """Return the state: the terms, and the position in a hand of a seed."""
        rewards = getattr(self, "rewards", None)  # an AECEnv has none before `reset`
        return type(self), self.render_mode, self.episode, self.agents, rewards

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, MahjongEnv) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.episode.terms, self.render_mode))  # the immutable part

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
        """Return the agent's observation and its legal actions.

        Raises:
            RuntimeError: no hand has been dealt.
            ValueError: the agent does not exist.
        """
        episode = self.episode
        if not episode.begun:
            self._need_a_hand()
        player = self._player(agent)
        if agent == self.agent_selection and not episode.over:
            mask = episode.mask()
        else:
            mask = np.zeros(action_numbers.COUNT, np.int8)
        return {"observation": episode.observe(player), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return the selected agent's observation, its reward since its last action, and whether its episode is over.

        Raises:
            RuntimeError: no hand has been dealt.
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
        """Return a copy with the tiles hidden from the agent dealt at random (determinisation), by a seed.

        Where the agent is selected here, it is there; others, who hold other tiles, may be asked other things.

        Raises:
            Error: the hand is over, or others are to answer and the agent is not.
            RuntimeError: no hand has been dealt.
            ValueError: the agent does not exist.
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


class ParallelMahjongEnv(EpisodeEnv, ParallelEnv[str, dict[str, Any], int]):
    """A PettingZoo parallel environment; its arguments are those of `EpisodeEnv`.

        >>> import quepu.rl
        >>> made = quepu.rl.parallel_env("guobiao-mcr")
        >>> shown, infos = made.reset(seed=7)
        >>> sorted(shown)
        ['player_0', 'player_1', 'player_2', 'player_3']

    Everybody acts at every step: who is not to act passes. Where several may claim a discard they answer at once.
    """

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
        return self._observe(), {agent: {} for agent in self.agents}

    def _observe(self) -> Seen:
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
        """Play the actions of all agents whose turn it is; those of others are ignored.

        Raises:
            ValueError: an action is masked, or missing for an agent whose turn it is.
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
                raise ValueError(
                    f"action {number} of {PLAYERS[player]} is not allowed: choose one that action_mask allows"
                )
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
        seen = self._observe()
        if episode.over:
            self.agents = []
        return seen, rewards, over, dict.fromkeys(PLAYERS, False), infos

    def _answer(self, actions: dict[str, int], player: int) -> int:
        if PLAYERS[player] not in actions:
            raise ValueError(f"{PLAYERS[player]} is to act and said nothing")
        return self._number(actions[PLAYERS[player]])


env, parallel_env = MahjongEnv, ParallelMahjongEnv
