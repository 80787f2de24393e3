"""One hand of any rulebook as a PettingZoo AEC environment.

An episode is one hand. Agents `player_0` … `player_3` are the seats East, South, West, North. The reward comes at the
end: what the book's settlement gives or takes. Observations are what the seat's `View` knows, as counts of tiles.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from quepu.match.settle import settle
from quepu.rl import actions
from quepu.rulebooks import named
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, View, make_wall
from quepu.tiles import KINDS

ROWS = 12
"""Rows of an observation: own tiles; the drawn tile; the tile offered; melds of the four seats from the own one on;
rivers of the four seats from the own one on; scalars (tiles left, own seat, round, who offers, flowers of each)."""


def observe(view: View) -> np.ndarray[Any, np.dtype[np.int8]]:
    """A view as int8 [12, 34]; see ROWS. The last row holds scalars in its first places."""
    seen = np.zeros((ROWS, KINDS), np.int8)
    board, me = view.board, view.seat
    for kind in view.hand:
        if kind < KINDS:
            seen[0, kind] += 1
    if view.drawn is not None and view.drawn < KINDS:
        seen[1, view.drawn] = 1
    if board.offer is not None and board.offer < KINDS:
        seen[2, board.offer] = 1
    for step in range(4):
        seat = (me + step) % 4
        for shown in board.melds[seat]:
            for kind in () if shown.hidden else shown.meld.tiles:
                seen[3 + step, kind] += 1
        for kind in board.rivers[seat]:
            if kind < KINDS:
                seen[7 + step, kind] += 1
    offerer = (board.offerer - me) % 4 if board.offerer is not None else 4
    flowers = [len(board.flowers[(me + step) % 4]) for step in range(4)]
    scalars = [min(board.left, 127), me, board.round, offerer, *flowers]
    seen[11, : len(scalars)] = scalars
    return seen


class MahjongEnv(AECEnv[str, dict[str, Any], int]):
    """See the module. `rules` is an id, alias, TOML file or Rulebook; `flowers` None plays the book's own set."""

    metadata: ClassVar[dict[str, Any]] = {"name": "quepu_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, rules: str | Rulebook = "lingque-29", flowers: bool | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is one of {self.metadata['render_modes']}, not {render_mode!r}")
        self.book = rules if isinstance(rules, Rulebook) else named(rules)
        self.rules = play_rules(self.book)
        self.tiles = self.rules.table.tiles.with_flowers(flowers)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(4)]
        self.agents: list[str] = []
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 127, (ROWS, KINDS), np.int8),
                "action_mask": spaces.Box(0, 1, (actions.COUNT,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(actions.COUNT) for agent in self.possible_agents}
        self._dealt = 0
        self._seed: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "rules"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.rules = play_rules(self.book)

    def _value(self) -> tuple[Any, ...]:
        """What it is: the book and its tiles, and where in which hand of which seed it stands."""
        now = (self._seed, self._dealt, getattr(self, "table", None), getattr(self, "agents", []))
        return type(self), self.book, self.tiles, self.render_mode, *now, getattr(self, "rewards", None)

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, MahjongEnv) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.book, self.tiles, self.render_mode))  # what never changes

    def __repr__(self) -> str:
        return f"MahjongEnv({self.book.id!r}, flowers={bool(self.tiles.flowers)})"

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What `observe` gives."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Numbers of `quepu.rl.actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand: the wall of `seed`, then of each following hand of that seed; `options["round"]` is its wind.

        Raises:
            ValueError: the round is none of 0 East … 3 North.
        """
        round = (options or {}).get("round", 0)
        if round not in range(4):
            raise ValueError(f"round is 0 East … 3 North, not {round!r}")
        if seed is not None or self._seed is None:
            self._seed = seed if seed is not None else int(np.random.default_rng().integers(1 << 31))
            self._dealt = 0
        wall = make_wall(self._seed, self._dealt, self.tiles)
        self._dealt += 1
        self.table = Table(self.book, wall, round=int(round), rules=self.rules)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._next()

    def _next(self) -> None:
        if self.table.to_act:
            self.agent_selection = self.possible_agents[self.table.to_act[0]]
            return
        ending = self.table.ending
        assert ending is not None  # noqa: S101  # nobody is asked any more
        settled = settle(ending, self.book, self.rules)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(settled.seats[seat])
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """The seat's view and which actions it may take now.

        Raises:
            RuntimeError: no hand was dealt yet.
        """
        self._need_a_hand()
        seat = self.possible_agents.index(agent)
        mask = np.zeros(actions.COUNT, np.int8)
        if seat in self.table.to_act and agent == self.agent_selection:
            mask[list(actions.numbered(self.table.options(seat)))] = 1
        return {"observation": observe(self.table.view(seat)), "action_mask": mask}

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
        seat = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0.0
        chosen = actions.numbered(self.table.options(seat)).get(int(action) if action is not None else -1)
        if chosen is None:
            raise ValueError(f"action {action} is not allowed: see action_mask")
        self._clear_rewards()
        self.table.step(seat, chosen)
        self._next()
        self._accumulate_rewards()

    def _need_a_hand(self) -> None:
        if not hasattr(self, "table"):
            raise RuntimeError("no hand was dealt yet: call reset()")

    def render(self) -> str:
        """What happened so far, a line each."""
        return "\n".join(event.text().en for event in self.table.events)

    def close(self) -> None:
        """Nothing to close."""

    def state(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """All four views together: int8 [4, 12, 34]."""
        return np.stack([observe(self.table.view(seat)) for seat in range(4)])


def env(rules: str | Rulebook = "lingque-29", **options: Any) -> MahjongEnv:
    """A hand of this rulebook as an environment."""
    return MahjongEnv(rules, **options)
