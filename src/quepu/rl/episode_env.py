"""Parts that the AEC and the parallel environment have alike: an episode, its spaces, how it is shown."""

from __future__ import annotations

from copy import deepcopy
from operator import index
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium import spaces

from quepu.rl import action_numbers
from quepu.rl.encodings import EncodingName, encoding_of
from quepu.rl.episode import Episode, Terms
from quepu.rl.rewards import Reward, RewardName
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.table import Table

PLAYERS = tuple(f"player_{player}" for player in range(4))


def spaces_of(encoding: str) -> spaces.Dict:
    """Return what an environment shows in this encoding: observation and action_mask."""
    code = encoding_of(encoding)
    seen = spaces.Box(code.low, code.high, code.shape, code.dtype)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (action_numbers.COUNT,), np.int8)})


class EpisodeEnv:
    """See the module.

    Args:
        rules: an id, alias, TOML file or Rulebook.
        flowers: None plays the book's own set.
        encoding: "counts", "planes" or "tokens".
        reward: "points" (of each hand), "rank" (at the end), or a function of `HandOutcome`.
        match: an episode is a match of so many rounds (True: the book's own), else a hand.
        render_mode: "ansi", or None.

    Raises:
        UnknownName: there is no such book, encoding or reward.
        StartError: flowers or match is nothing that can be.
        ValueError: there is no such render mode.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        rules: str | Rulebook = DEFAULT_RULES,
        flowers: bool | None = None,
        render_mode: str | None = None,
        *,
        encoding: EncodingName = "counts",
        reward: RewardName | Reward = "points",
        match: bool | int = False,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is one of {self.metadata['render_modes']}, not {render_mode!r}")
        self.render_mode = render_mode
        self.episode = Episode(Terms.of(rules, flowers, encoding, reward, match))
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        space, numbers = spaces_of(encoding), spaces.Discrete(action_numbers.COUNT)
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
            ValueError: there is no such agent.
        """
        if agent not in PLAYERS:
            raise ValueError(f"no agent {agent!r}; there are: {', '.join(PLAYERS)}")
        return PLAYERS.index(agent)

    @staticmethod
    def _number(action: Any) -> int:
        """The number of an action.

        Raises:
            ValueError: it is no whole number.
        """
        try:
            return index(action)
        except TypeError:
            raise ValueError(f"an action is a whole number, not {action!r}") from None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what `observe` gives."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Numbers of `quepu.rl.action_numbers`."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """Return what happened so far, a line each."""
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
