"""Many tables side by side as one gymnasium vector environment.

Each table stops where a learner is to act; `infos["player"]` says who that is. With `bots` one learner plays against
them, at another place each episode; without, the learners are all four. What happens at a table whose episode is over
depends on `autoreset_mode` ("same_step" deals anew at once); `infos["final_info"][i]` has how it ended (None at the
other tables; `_final_info` says which), and with "same_step" `infos["final_obs"][i]` what its learner saw last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from quepu.bots.protocol import BotMaker, make_bot
from quepu.match.starts import StartError
from quepu.rl import action_numbers
from quepu.rl.encodings import Array, encoding_of
from quepu.rl.env import check_options, spaces_of
from quepu.rl.episode import DEFAULT_TERMS, Episode, TermOptions, Terms
from quepu.rl.episode_start import check_seed
from quepu.rl.rewards import HandOutcome
from quepu.rl.tables import OTHER_SEATS, CompiledTables, PlainTables, Tables, allow_pass, is_compiled, lacking
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES, showing

Shown = dict[str, Array]
Autoreset = Literal["same_step", "next_step", "disabled"]
_MODES = {mode.name.lower(): mode for mode in AutoresetMode}


Seeds = int | Sequence[int | None] | Array | np.random.SeedSequence | None
"""Seeds of tables: one number, one for each table, or the numbers that a seed sequence generates."""


def seeds_of(seed: Seeds, n: int) -> list[int | None]:
    """Return the seed of each of n tables: the i-th of those given, or one number + i; None deals on.

    A seed sequence generates numbers of its own, so that runs with neighbouring seeds have no walls in common.

    Raises:
        StartError: they are not one for each table, or not whole numbers from 0.
    """
    if seed is None:
        return [None] * n
    if isinstance(seed, np.random.SeedSequence):
        return [int(one) >> 1 for one in seed.generate_state(n, np.uint64)]
    if (isinstance(seed, Sequence) and not isinstance(seed, str)) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != n:
            raise StartError(
                f"{n} 张桌要 {n} 个种子，不是 {len(seed)} 个。", f"{n} tables take {n} seeds, not {len(seed)}."
            )
        return [None if one is None else check_seed(one) for one in seed]
    return [check_seed(seed) + i for i in range(n)]


def other_seats(bots: Sequence[BotMaker] | None) -> tuple[BotMaker, ...] | None:
    """Check the bots of the seats that the learner does not have; None: learners have all four.

    Raises:
        StartError: they are not three.
        Error: one of them is not a bot and does not make one.
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
    for one in bots or ():
        make_bot(one)  # what cannot be made is refused here, not by `reset`
    return None if bots is None else tuple(bots)


def check_seat(seat: object) -> None:
    """Check the learner's seat.

    Raises:
        StartError: it is neither a seat nor None.
    """
    if seat not in (None, 0, 1, 2, 3) or isinstance(seat, bool):
        raise StartError(
            f"seat 是 0 东 … 3 北或 None，不是 {seat!r}。", f"seat is 0 East … 3 North or None, not {seat!r}."
        )


def _actions_of(actions: Array | Sequence[int], n: int) -> Array:
    """Return the actions of n tables: int64 [n].

    Raises:
        ValueError: there is not one whole number for each table.
    """
    given = np.asarray(actions)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise ValueError(f"actions are int [{n}], not {given.dtype} of shape {list(given.shape)}")
    return np.ascontiguousarray(given, np.int64)


def _mode_of(name: str | AutoresetMode) -> AutoresetMode:
    mode = _MODES.get(name) if isinstance(name, str) else name
    if not isinstance(mode, AutoresetMode):
        listed = ", ".join(_MODES)
        raise StartError(f"autoreset_mode 是：{listed}。", f"autoreset_mode is one of: {listed}; not {name!r}.")
    return mode


class MahjongVectorEnv(VectorEnv[Shown, Array, Array]):
    """See the module.

        >>> import quepu.rl
        >>> made = quepu.rl.vec("guobiao-mcr", 4, bots=("random", "random", "random"), compiled=False)
        >>> shown, infos = made.reset(seed=7)
        >>> shown["observation"].shape, shown["action_mask"].shape, infos["player"].shape
        ((4, 70, 42), (4, 153), (4,))

    Args:
        rules: an id, alias, TOML file or Rulebook.
        n: number of tables.
        bots: None, or three for the other seats: levels, or classes or functions that make a bot (`BotMaker`).
        flowers, encoding, reward, match: as in `quepu.rl.env.EpisodeEnv`.
        seat: with bots, the learner's seat, 0 East … 3 North (in a match, the first one); None: another seat each
            episode.
        compiled: True plays on compiled tables (the extra `fast`; the first use of a book compiles for a while), False
            on tables of plain Python, None on compiled ones if they can do everything required and were compiled
            before. The numbers are the same. Compiled tables have hands from seeds, the rewards "points" and "rank",
            and the bots "random", "closed" and "plain".
        copy: return new arrays from every call. Without it observations, masks and `infos["player"]` are the same
            arrays every time, overwritten by the next `step` or `reset`: faster, if you copy all you keep.
        autoreset_mode: when a table whose episode is over is dealt again: "same_step", "next_step" (its action is then
            ignored) or "disabled" (`reset(options={"reset_mask": bool [n]})` does it), as in gymnasium.

    `step` takes int [n] and returns observations {"observation": [n, …], "action_mask": int8 [n, 153]}, the rewards of
    the players who acted (with bots: the learner's since the last action), terminations, truncations (never) and infos:
    "player" [n], "rewards" [n, 4] of all players.

    Raises:
        UnknownName: the book, encoding, reward or bot does not exist.
        StartError: bots, seat, flowers or match are invalid, n is 0, or compiled tables cannot do this.
        NotABot: one of the bots is neither a bot nor makes one.
    """

    @showing(TermOptions, DEFAULT_TERMS)
    def __init__(
        self,
        rules: str | Rulebook = DEFAULT_RULES,
        n: int = 8,
        bots: Sequence[BotMaker] | None = None,
        flowers: bool | None = None,
        *,
        seat: int | None = None,
        compiled: bool | None = None,
        copy: bool = True,
        autoreset_mode: Autoreset | AutoresetMode = "same_step",
        **options: Unpack[TermOptions],
    ) -> None:
        check_options("vec", options, MahjongVectorEnv)
        if n < 1:
            raise StartError(f"至少要一张桌，不能是 {n} 张。", f"there must be at least one table, not {n}.")
        self._mode = _mode_of(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode, "render_modes": []}
        self.bots = other_seats(bots)
        check_seat(seat)
        if seat is not None and bots is None:
            raise StartError(
                "没有 bots 时四家都在学，不能给 seat。", "without bots the learners have all four seats: give no seat."
            )
        self.terms = Terms.of(rules, flowers, **options)
        missing = lacking(self.terms, self.bots)
        if compiled and missing is not None:
            raise missing
        self._may_change = compiled is None
        if compiled or (compiled is None and missing is None and n > 1 and is_compiled(self.terms)):
            self._tables: Tables = CompiledTables(self.terms, n, self.bots, seat)
        else:
            self._tables = PlainTables(self.terms, n, self.bots, seat)
        self.num_envs, self.copy, self._seat = n, copy, seat
        self.single_observation_space = spaces_of(self.terms.encoding)
        self.single_action_space = spaces.Discrete(action_numbers.COUNT)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._seen, self._mask = self._arrays()
        self._players: Array = np.zeros(n, np.int64)
        self._over: Array = np.zeros(n, np.bool_)

    def _arrays(self) -> tuple[Array, Array]:
        code, n = encoding_of(self.terms.encoding), self.num_envs
        return np.empty((n, *code.shape), code.dtype), np.empty((n, action_numbers.COUNT), np.int8)

    def __repr__(self) -> str:
        more = ", compiled=True" if isinstance(self._tables, CompiledTables) else ""
        return f"MahjongVectorEnv({self.terms.book.id!r}, n={self.num_envs}{more})"

    @property
    def episodes(self) -> list[Episode]:
        """The episodes at tables of plain Python.

        Raises:
            AttributeError: the tables are compiled.
        """
        if not isinstance(self._tables, PlainTables):
            raise AttributeError("compiled tables have no episodes; make the environment with compiled=False")
        return self._tables.episodes

    @property
    def shown(self) -> Shown:
        """Observations at this moment, of each table."""
        seen, mask = self._arrays() if self.copy else (self._seen, self._mask)
        self._tables.show(seen, mask, self._players)
        for i in self._over.nonzero()[0].tolist():
            self._players[i] = player = self._last_player[i]
            self._tables.show_end(i, int(player), seen[i])
            allow_pass(mask[i])
        return {"observation": seen, "action_mask": mask}

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Shown, dict[str, Any]]:
        """Deal at every table: table i from `seed` + i, from the i-th seed, or from the i-th of a seed sequence.

        `options` are those of `quepu.rl.episode_start.Start` (tables of plain Python have them), and "reset_mask",
        bool [n]: deal at these tables only.

        Raises:
            StartError: the options contradict each other or the book.
        """
        own = dict(options or {})
        some = self._read_mask(own.pop("reset_mask", None))
        seeds = seeds_of(seed, self.num_envs)
        if own and self._may_change and not isinstance(self._tables, PlainTables):
            if len(some) < self.num_envs:
                raise StartError(
                    "自选起点要用 compiled=False 的牌桌。", "a custom start needs tables with compiled=False."
                )
            self._tables = PlainTables(self.terms, self.num_envs, self.bots, self._seat)
        self._deal(some, seeds, own)
        return self.shown, self._infos()

    def _read_mask(self, mask: Any) -> list[int]:
        if mask is None:
            return list(range(self.num_envs))
        given = np.asarray(mask)
        if given.shape != (self.num_envs,) or given.dtype != np.bool_ or not given.any():
            raise StartError(
                f"reset_mask 是 bool [{self.num_envs}]，至少一个为真。",
                f"reset_mask is bool [{self.num_envs}] with at least one table.",
            )
        chosen: list[int] = given.nonzero()[0].tolist()
        return chosen

    def _deal(self, some: Iterable[int], seeds: Sequence[int | None] = (), options: Any = None) -> None:
        """Begin episodes at some tables, and others where one ends before a learner can act."""
        again = list(some)
        self._over[again] = False
        while again:
            for i in again:
                self._tables.begin(i, seeds[i] if seeds else None, options)
            again = list(self._tables.go_on(again, np.zeros((self.num_envs, 4), np.float32)))
            seeds = ()

    def step(self, actions: Array) -> tuple[Shown, Array, Array, Array, dict[str, Any]]:
        """Let the learner of every table act.

        Raises:
            ValueError: an action is masked, or there is not one for each table; then nothing was done at any of them.
            RuntimeError: no hand was dealt yet, or an episode is over and has to be reset.
        """
        n, tables = self.num_envs, self._tables
        if not tables.begun:
            raise RuntimeError("no hand was dealt yet: call reset()")
        given = _actions_of(actions, n)
        ended: list[int] = self._over.nonzero()[0].tolist()
        if ended and self._mode is AutoresetMode.DISABLED:
            raise RuntimeError(f'the episode at table {ended[0]} is over: call reset(options={{"reset_mask": …}})')
        gains = np.zeros((n, 4), np.float32)
        actors = self._players.copy()
        outcomes = tables.act(given, [i for i in range(n) if not self._over[i]] if ended else range(n), gains)
        self._deal(ended)
        rewards, over = gains[np.arange(n), actors], np.zeros(n, np.bool_)
        over[list(outcomes)] = True
        last: dict[int, Shown] = {}
        if self._mode is AutoresetMode.SAME_STEP:
            last = {i: self._end(i, int(actors[i])) for i in outcomes}
            self._deal(outcomes)
        else:
            self._over, self._last_player = over.copy(), actors
        shown = self.shown
        return shown, rewards, over, np.zeros(n, np.bool_), self._infos(gains, outcomes, last)

    _last_player: Array
    """Who acted last at tables whose episode is over."""

    def _end(self, i: int, player: int) -> Shown:
        """Return the last observation of a player at table i."""
        code = encoding_of(self.terms.encoding)
        seen: Array = np.zeros(code.shape, code.dtype)
        mask: Array = np.zeros(action_numbers.COUNT, np.int8)
        self._tables.show_end(i, player, seen)
        allow_pass(mask)
        return {"observation": seen, "action_mask": mask}

    def _infos(
        self, gains: Array | None = None, outcomes: Mapping[int, HandOutcome] | None = None, last: Any = None
    ) -> dict[str, Any]:
        """Return the infos of all tables, with a mask `_name` for each name, as gymnasium reads them."""
        n = self.num_envs
        every = np.ones(n, np.bool_)
        infos: dict[str, Any] = {"player": self._players.copy() if self.copy else self._players, "_player": every}
        if gains is not None:
            infos |= {"rewards": gains, "_rewards": every}
        final = {i: outcome.info() for i, outcome in (outcomes or {}).items()}
        for name, values in (("final_info", final), ("final_obs", last)):
            if values:
                infos[name], infos["_" + name] = np.full(n, None, object), np.zeros(n, np.bool_)
                for i, value in values.items():
                    infos[name][i], infos["_" + name][i] = value, True
        return infos

    def close(self, **_: Any) -> None:
        """Nothing to close."""


vec = MahjongVectorEnv
