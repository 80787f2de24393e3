"""Many tables side by side, compiled: `MahjongVectorEnv` with the same walls, numbers and arrays, many times as fast.

The course of a hand, what is seen and what may be done are worked out by `quepu.fast.tables`,
`quepu.rl.compiled_board` and `quepu.rl.compiled_tokens` (numba: the extra `fast`). An episode is one hand from a seed.
"""

from __future__ import annotations

import hashlib
import inspect
import random
from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from quepu.bots.protocol import BotMaker
from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.tables import columns
from quepu.fast.tables.fast_tables import NUMBERED, OUTSIDE
from quepu.fast.tables.stepped import BOTS, SteppedTables
from quepu.match.seats import ORIGIN
from quepu.match.settle import settle
from quepu.match.starts import StartError
from quepu.rl import action_numbers, board_writer, compiled_board, compiled_tokens, encodings, layout, tokens
from quepu.rl.encodings import Array, EncodingName, encoding_of
from quepu.rl.episode import Terms
from quepu.rl.episode_env import spaces_of
from quepu.rl.rewards import HandOutcome, Reward, RewardName, reward_of
from quepu.rl.tokens import CODES
from quepu.rl.vector import actions_of, bot_seed, infos_of, other_seats, seeds_of, shown_in
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.table import events, make_wall
from quepu.table.actions import ActionKind
from quepu.table.wall import WallPlan, dealt_places

Shown = dict[str, Array]
_EVENTS = (
    events.Drawn, events.ReplacementDrawn, events.FlowerSetAside, events.Discarded, events.Discarded,
    events.ChowClaimed, events.PungClaimed, events.KongClaimed, events.KongAdded, events.KongConcealed, events.Won,
    events.Exhausted, events.HandShown, events.ReadyDeclared,
)  # fmt: skip
_CODES = np.array([CODES[event] for event in _EVENTS], np.int64)
"""The code of each event of the loop."""
_DOES = (
    ActionKind.DISCARD, ActionKind.DISCARD, ActionKind.WIN, ActionKind.CHOW, ActionKind.PUNG, ActionKind.KONG,
    ActionKind.ADDED, ActionKind.CONCEALED, ActionKind.FLOWER, ActionKind.READY, ActionKind.PASS,
)  # fmt: skip
_ACTIONS = np.array([tokens.ACTION_CODES[do] for do in _DOES], np.int64)
"""The number in a token of each action of the loop."""
_BEGUN = np.array([CODES[events.DiceThrown], CODES[events.Dealt]], np.int64)
_DEALT_AT = np.array([dealt_places(seat) for seat in range(4)], np.int64)


def _code_of(module: ModuleType, called: tuple[str, ...]) -> CachedCode:
    """The functions of a module as text for numba; `called`: by Python."""
    modules = (columns, layout, board_writer, action_numbers, tokens)  # whose numbers are constants of the text
    digest = hashlib.sha256("".join(map(inspect.getsource, modules)).encode()).hexdigest()
    functions = [name for name, what in vars(module).items() if inspect.isfunction(what)]
    made = "".join(
        f"{name} = numba.njit(_nrt=False, error_model='numpy', {how}=True)({name})\n"
        for name, how in ((name, "cache" if name in called else "forceinline") for name in functions)
    )
    source = inspect.getsource(module).partition("from __future__ import annotations\n")[2]
    return CachedCode("board", f"# {digest}\nimport numba\n{source}\n\n{made}")


@cache
def board_code() -> CachedCode:
    """The functions of `quepu.rl.compiled_board` as text for numba."""
    return _code_of(compiled_board, ("begin", "show", "masks", "choose", "to_planes"))


@cache
def token_code() -> CachedCode:
    """Those of `quepu.rl.compiled_tokens`."""
    return _code_of(compiled_tokens, ("begin", "show", "answer"))


def board_functions() -> Any:
    """The first, compiled."""
    return board_code().functions


def token_functions() -> Any:
    """The second, compiled."""
    return token_code().functions


class _Tokens(NamedTuple):
    """Tokens that the seats of n tables have seen, for `quepu.rl.compiled_tokens`."""

    rows: Array
    notes: Array

    @classmethod
    def of(cls, n: int) -> _Tokens:
        """Those of tables where nothing was dealt yet."""
        return cls(
            np.zeros((n, 4, *encoding_of("tokens").shape), np.uint8), np.zeros((n, compiled_tokens.NOTES), np.int64)
        )


class CompiledVectorEnv(VectorEnv[Shown, Array, Array]):
    """See the module; what `step` and `reset` give is what `MahjongVectorEnv` gives.

    Args:
        rules: an id, alias, TOML file or Rulebook.
        n: how many tables.
        bots: None, or three levels ("random", "closed", "plain") for the other seats.
        copy: as in `MahjongVectorEnv`: return new arrays from every call.
        flowers: as in `quepu.rl.episode_env.EpisodeEnv`.
        encoding: "counts", "planes" or "tokens".
        reward: "points" or "rank".
        match: none.

    Raises:
        HandError: numba is not installed, or the book has shapes that the loop does not know.
        StartError: something was asked for that only tables that are not compiled have.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        rules: str | Rulebook = DEFAULT_RULES,
        n: int = 8,
        bots: Sequence[BotMaker] | None = None,
        flowers: bool | None = None,
        *,
        encoding: EncodingName = "counts",
        reward: RewardName | Reward = "points",
        match: bool | int = False,
        copy: bool = True,
    ) -> None:
        levels = other_seats(bots)
        self.bots = None if levels is None else tuple(one for one in levels if isinstance(one, str) and one in BOTS)
        if self.bots != levels:
            names = ", ".join(BOTS)
            raise StartError(f"编译的牌桌上机器人是：{names}。", f"bots at compiled tables are: {names}.")
        if match:
            raise StartError("编译的牌桌只打一局。", "compiled tables play single hands.")
        if not isinstance(reward, str):
            raise StartError("编译的牌桌，奖励是 points 或 rank。", "rewards of compiled tables are points or rank.")
        self.terms = Terms.of(rules, flowers, encoding, reward)
        self.num_envs = n
        self.copy = copy
        self.single_observation_space = spaces_of(encoding)
        self.single_action_space = spaces.Discrete(action_numbers.COUNT)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._reward = reward_of(reward)
        self._tables = SteppedTables(self.terms.book, n, len(self.terms.tiles.tiles))
        self._code = board_functions()
        table = self._tables.rules.table
        plan = WallPlan.of(table, len(self.terms.tiles.tiles))
        self._feeds = int(plan.feeds)
        self._left = plan.size - plan.dealt - plan.dead
        self._hidden = int(table.concealed_kongs_hidden)
        self._rows: Array = np.zeros((n, board_writer.ALL_ROWS, layout.WIDTH), np.int16)
        self._notes: Array = np.zeros((n, compiled_board.NOTES), np.int64)
        self._seen_rows = np.stack(board_writer.ROWS_SEEN[self._hidden]).astype(np.int64)
        code = encoding_of(encoding)
        self._shown: Array = np.zeros((n, *code.shape), code.dtype)
        self._seen: Array = self._shown
        if encoding == "planes":
            self._seen = np.zeros((n, layout.ROWS, layout.WIDTH), np.int16)
        self._tokens = _Tokens.of(n) if encoding == "tokens" else None
        self._mask: Array = np.zeros((n, action_numbers.COUNT), np.int8)
        self._actors: Array = np.zeros(n, np.int64)
        self._places: Array = np.zeros(n, np.int64)
        self._players: Array = np.zeros(n, np.int64)
        self._seeds: list[int | None] = [None] * n
        self._dealt, self._begun = [0] * n, [0] * n

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_code"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._code = board_functions()

    def __repr__(self) -> str:
        return f"CompiledVectorEnv({self.terms.book.id!r}, n={self.num_envs})"

    @property
    def shown(self) -> Shown:
        """Observations at this moment, of each table."""
        return shown_in(self._shown, self._mask, self.copy)

    def reset(
        self, *, seed: int | Sequence[int | None] | Array | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Shown, dict[str, Any]]:
        """Deal at every table: table i from `seed` + i (or the i-th seed).

        Raises:
            StartError: there are options.
        """
        if options:
            raise StartError("编译的牌桌只从种子开始。", "compiled tables begin from seeds alone.")
        for i, own in enumerate(seeds_of(seed, self.num_envs)):
            if own is not None or self._seeds[i] is None:
                self._seeds[i] = random.SystemRandom().randrange(1 << 31) if own is None else own
                self._dealt[i] = self._begun[i] = 0
            self._deal(i)
        self._show(self._tables.go_on())
        return self.shown, infos_of(self._players, copy=self.copy)

    def _deal(self, i: int) -> None:
        """Deal the next wall of the seed at table i."""
        seed = self._seeds[i] or 0
        wall = make_wall(seed, self._dealt[i], self.terms.tiles)
        self._dealt[i] += 1
        number, self._begun[i] = self._begun[i], self._begun[i] + 1
        levels, seeds = np.full(4, NUMBERED.index(OUTSIDE)), None
        if self.bots is not None:
            seeds = np.zeros(4, np.int64)
            for step, level in enumerate(self.bots, 1):
                seat = (number + step) % 4
                levels[seat] = NUMBERED.index(level)
                seeds[seat] = bot_seed(seed, number, step)
        self._tables.deal(i, np.array(wall.order(), np.uint8), seeds, levels)
        dice, tables = np.array(wall.dice, np.int64), self._tables.arrays
        if self._tokens is not None:
            token_functions().begin(i, tables, *self._tokens, dice, _BEGUN, _DEALT_AT)
        else:
            self._code.begin(i, tables, self._rows, self._notes, dice, self._left, _BEGUN[1], _DEALT_AT)

    def _show(self, over: Sequence[int]) -> None:
        """Deal anew where a hand is over, and write what is seen."""
        while over:
            for i in over:
                self._deal(i)
            over = self._tables.go_on()
        tables = self._tables.arrays
        if self._tokens is not None:
            token_functions().show(tables, *self._tokens, _CODES, self._hidden, self._shown)
            self._code.masks(tables, self._mask, self._players)
        else:
            rules = _CODES, self._feeds, self._hidden, self._seen_rows
            self._code.show(tables, self._rows, self._notes, *rules, self._seen, self._mask, self._players)
        if self.terms.encoding == "planes":
            self._code.to_planes(self._seen, *encodings.PLAN, self._shown)

    def step(self, actions: Array) -> tuple[Shown, Array, Array, Array, dict[str, Any]]:
        """Let the learner of every table act.

        Raises:
            ValueError: an action is masked, or there is not one for each table.
            RuntimeError: no hand was dealt yet.
        """
        n = self.num_envs
        if self._seeds[0] is None:
            raise RuntimeError("no hand was dealt yet: call reset()")
        given = actions_of(actions, n)
        tables, actors, places = self._tables.arrays, self._actors, self._places
        wrong = self._code.choose(tables, self._rows, given, actors, places)
        if wrong >= 0:
            raise ValueError(f"action {given[wrong]} is not allowed: see action_mask")
        if self._tokens is not None:
            token_functions().answer(tables, actors, places, *self._tokens, _ACTIONS)
        rewards, terminated = np.zeros(n, np.float32), np.zeros(n, np.bool_)
        gains = np.zeros((n, 4), np.float32)
        final: dict[int, dict[str, Any]] = {}
        over = self._tables.go_on()
        for i in over:
            outcome = self._outcome(i)
            gains[i] = self._reward(outcome)
            rewards[i] = gains[i, actors[i]]
            terminated[i] = True
            final[i] = outcome.info()
        self._show(over)
        infos = infos_of(self._players, gains, final, copy=self.copy)
        return self.shown, rewards, terminated, np.zeros(n, np.bool_), infos

    def _outcome(self, i: int) -> HandOutcome:
        ending = self._tables.ending(i)
        settled = settle(ending, self.terms.book, self._tables.rules).seats
        return HandOutcome(ending, settled, settled, ORIGIN, True, None)

    def close(self, **_: Any) -> None:
        """Nothing to close."""
