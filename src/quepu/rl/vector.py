"""Many tables side by side as one gymnasium vector environment.

Each table stops where a learner is to act; `infos["player"]` says who that is. With `bots` one learner plays against
them, at another place each episode; without, the learners are all four. A table whose episode is over is dealt anew at
once (same-step autoreset): `terminations` is true there, what is shown is the new one's, `infos["final_info"][i]` has
how the old one ended (None at the other tables; `_final_info` says which).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from quepu.bots.protocol import Bot, BotMaker, make_bot
from quepu.match.starts import StartError
from quepu.rl import action_numbers
from quepu.rl.encodings import Array, EncodingName, encoding_of
from quepu.rl.episode import Episode, Terms
from quepu.rl.episode_env import spaces_of
from quepu.rl.episode_start import whole
from quepu.rl.rewards import Reward, RewardName
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES

Shown = dict[str, Array]
OTHER_SEATS = 3


def seeds_of(seed: int | Sequence[int | None] | Array | None, n: int) -> list[int | None]:
    """The seed of each of n tables: the i-th of those given, or one number + i; None deals on.

    Raises:
        StartError: they are not one for each table, or no whole numbers.
    """
    if seed is None:
        return [None] * n
    if (isinstance(seed, Sequence) and not isinstance(seed, str)) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != n:
            raise StartError(
                f"{n} 张桌要 {n} 个种子，不是 {len(seed)} 个。", f"{n} tables take {n} seeds, not {len(seed)}."
            )
        return [None if one is None else whole(one, "seed") for one in seed]
    return [whole(seed, "seed") + i for i in range(n)]


def other_seats(bots: Sequence[BotMaker] | None) -> tuple[BotMaker, ...] | None:
    """Check the bots of the seats that the learner does not have; None: learners have all four.

    Raises:
        StartError: they are not three.
    """
    if isinstance(bots, str):
        raise StartError(
            f'bots 是另外三家，如 ("{bots}", "{bots}", "{bots}")，不是一个名字 {bots!r}。',
            f'bots takes three, such as ("{bots}", "{bots}", "{bots}"), not the single name {bots!r}.',
        )
    if bots is not None and len(bots) != OTHER_SEATS:
        raise StartError(
            f"bots 是另外三家，要三个，给了 {len(bots)} 个。",
            f"bots takes three, one for each other seat, not {len(bots)}.",
        )
    return None if bots is None else tuple(bots)


def bot_seed(seed: int, number: int, step: int) -> int:
    """The seed of the bot `step` places after the learner, in a table's episode of this number: what int64 holds."""
    return (seed * 1_000_003 + number * 4 + step) % (1 << 63)


def actions_of(actions: Array | Sequence[int], n: int) -> Array:
    """The actions of n tables: int64 [n].

    Raises:
        ValueError: there is not one whole number for each table.
    """
    given = np.asarray(actions)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise ValueError(f"actions are int [{n}], not {given.dtype} of shape {list(given.shape)}")
    return np.ascontiguousarray(given, np.int64)


def shown_in(seen: Array, mask: Array, copy: bool) -> Shown:
    """Return observations and masks by gymnasium's names, in new arrays if asked for."""
    return {"observation": seen.copy() if copy else seen, "action_mask": mask.copy() if copy else mask}


def infos_of(
    players: Array,
    rewards: Array | None = None,
    final: Mapping[int, dict[str, Any]] | None = None,
    *,
    copy: bool = True,
) -> dict[str, Any]:
    """The infos of n tables; beside each array stands, with `_` before its name, which tables have something there.

    So gymnasium's wrappers read them. `final` has how the episodes of some tables ended.
    """
    every = np.ones(len(players), np.bool_)
    infos: dict[str, Any] = {"player": players.copy() if copy else players, "_player": every}
    if rewards is not None:
        infos |= {"rewards": rewards, "_rewards": every}
    if final:
        ended, there = np.full(len(players), None, object), np.zeros(len(players), np.bool_)
        for i, info in final.items():
            ended[i], there[i] = info, True
        infos |= {"final_info": ended, "_final_info": there}
    return infos


class MahjongVectorEnv(VectorEnv[Shown, Array, Array]):
    """See the module.

    Args:
        rules: an id, alias, TOML file or Rulebook.
        n: how many tables.
        bots: None, or three for the other seats: levels, or classes or functions that make a bot (`BotMaker`).
        flowers, encoding, reward, match: as in `quepu.rl.episode_env.EpisodeEnv`.
        copy: return new arrays from every call. Without it observations, masks and `infos["player"]` are the same
            arrays every time, overwritten by the next `step` or `reset`: faster, for those who copy what is to last.

    `step` takes int [n] and returns observations {"observation": [n, …], "action_mask": int8 [n, 153]}, the rewards of
    whoever acted (with bots: all the learner's since his last action), terminations, truncations (never) and infos:
    "player" [n], "rewards" [n, 4] of all players.

    Raises:
        UnknownName: there is no such book, encoding, reward or bot.
        StartError: bots, flowers or match cannot be so.
        NotABot: something among the bots is not a bot and does not make one.
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
        self.bots = other_seats(bots)
        for one in self.bots or ():
            make_bot(one)  # what cannot be made is refused here, not by `reset`
        terms = Terms.of(rules, flowers, encoding, reward, match)
        self.num_envs = n
        self.copy = copy
        self.episodes = [Episode(terms) for _ in range(n)]
        self.single_observation_space = spaces_of(encoding)
        self.single_action_space = spaces.Discrete(action_numbers.COUNT)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        code = encoding_of(encoding)
        self._seen: Array = np.zeros((n, *code.shape), code.dtype)
        self._mask: Array = np.zeros((n, action_numbers.COUNT), np.int8)
        self._players: Array = np.zeros(n, np.int64)
        self._begun = [0] * n
        self._seats: list[dict[int, Bot]] = [{} for _ in range(n)]
        self._tables: list[Any] = [None] * n

    def __repr__(self) -> str:
        return f"MahjongVectorEnv({self.episodes[0].terms.book.id!r}, n={self.num_envs})"

    @property
    def shown(self) -> Shown:
        """Observations at this moment, of each table."""
        return shown_in(self._seen, self._mask, self.copy)

    def reset(
        self, *, seed: int | Sequence[int | None] | Array | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Shown, dict[str, Any]]:
        """Deal at every table: table i from `seed` + i (or the i-th seed); `options` are those of `Start`.

        Raises:
            StartError: the options contradict each other or the book.
        """
        for i, own in enumerate(seeds_of(seed, self.num_envs)):
            if own is not None:
                self._begun[i] = 0
            self._begin(i, own, options)
            self._show(i)
        return self.shown, infos_of(self._players, copy=self.copy)

    def _begin(self, i: int, seed: int | None = None, options: dict[str, Any] | None = None) -> Array:
        """A new episode that waits for a learner; what was won before he could act."""
        episode = self.episodes[i]
        gains = np.zeros(4, np.float32)
        while True:
            episode.begin(seed, options)
            self._seat_bots(i)
            self._begun[i] += 1
            ended = self._play_bots(i, gains)
            if not ended:
                return gains
            seed = None

    def _seat_bots(self, i: int) -> None:
        self._seats[i] = {}
        if self.bots is None:
            return
        episode, number = self.episodes[i], self._begun[i]
        learner = number % 4
        for step, level in enumerate(self.bots, 1):
            own = bot_seed(episode.seed or 0, number, step)
            self._seats[i][(learner + step) % 4] = make_bot(level, own)
        self._tables[i] = None

    def _play_bots(self, i: int, gains: Array) -> dict[str, Any] | None:
        """Let bots act until a learner is to; how the episode ended, if it did."""
        episode, bots = self.episodes[i], self._seats[i]
        while bots and episode.acting in bots:
            table = episode.table
            if self._tables[i] is not table:
                self._tables[i] = table
                for player, bot in bots.items():
                    bot.begin(table.book, episode.seat_of(player))
            player, seat = episode.acting, table.to_act[0]
            action = bots[player].act(table.view(seat), table.options(seat))
            ended = episode.act(action, player)
            if ended is not None:
                outcome, reward = ended
                gains += reward
                if outcome.over:
                    return outcome.info()
        return None

    def _show(self, i: int) -> None:
        episode = self.episodes[i]
        player = self._players[i] = episode.acting
        episode.observe(int(player), self._seen[i])
        episode.mask(None, self._mask[i])

    def step(self, actions: Array) -> tuple[Shown, Array, Array, Array, dict[str, Any]]:
        """Let the learner of every table act.

        Raises:
            ValueError: an action is masked, or there is not one for each table; then nothing was done at any of them.
            RuntimeError: no hand was dealt yet.
        """
        n = self.num_envs
        if not self.episodes[0].begun:
            raise RuntimeError("no hand was dealt yet: call reset()")
        given = actions_of(actions, n).tolist()
        for mask, action in zip(self._mask, given, strict=True):
            if not (0 <= action < action_numbers.COUNT and mask[action]):
                raise ValueError(f"action {action} is not allowed: see action_mask")
        rewards, over = np.zeros(n, np.float32), np.zeros(n, np.bool_)
        gains = np.zeros((n, 4), np.float32)
        final: dict[int, dict[str, Any]] = {}
        for i, episode in enumerate(self.episodes):
            actor = int(self._players[i])
            ended = episode.step(given[i])
            info = None
            if ended is not None:
                gains[i] += ended[1]
                info = ended[0].info() if ended[0].over else None
            if info is None:
                info = self._play_bots(i, gains[i])
            rewards[i] = gains[i, actor]
            if info is not None:
                over[i] = True
                final[i] = info
                self._begin(i)
            self._show(i)
        infos = infos_of(self._players, gains, final, copy=self.copy)
        return self.shown, rewards, over, np.zeros(n, np.bool_), infos

    def close(self, **_: Any) -> None:
        """Nothing to close."""


def vec(
    rules: str | Rulebook = DEFAULT_RULES,
    n: int = 8,
    bots: Sequence[BotMaker] | None = None,
    flowers: bool | None = None,
    *,
    compiled: bool = False,
    encoding: EncodingName = "counts",
    reward: RewardName | Reward = "points",
    match: bool | int = False,
    copy: bool = True,
) -> VectorEnv[Shown, Array, Array]:
    """`n` tables of this rulebook side by side; see `MahjongVectorEnv`, and `CompiledVectorEnv` for `compiled`.

    Raises:
        StartError: there is no table, or `compiled` tables lack what is asked for.
    """
    if n < 1:
        raise StartError(f"至少要一张桌，不能是 {n} 张。", f"there must be at least one table, not {n}.")
    if compiled:
        from quepu.rl.compiled_vector import CompiledVectorEnv

        return CompiledVectorEnv(rules, n, bots, flowers, encoding=encoding, reward=reward, match=match, copy=copy)
    return MahjongVectorEnv(rules, n, bots, flowers, encoding=encoding, reward=reward, match=match, copy=copy)
