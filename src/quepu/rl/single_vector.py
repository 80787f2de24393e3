"""The vector form of `gym_env`: what `gymnasium.make_vec("quepu/guobiao-mcr-v0", 16)` makes.

    import gymnasium, quepu.rl
    many = gymnasium.make_vec("quepu/guobiao-mcr-v0", num_envs=16)
    observations, infos = many.reset(seed=7)
    many.step(infos["action_mask"].argmax(axis=1))

The tables are those of `quepu.rl.vec`; observations and infos are those of many `gym_env` side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from quepu.bots.protocol import BotMaker
from quepu.match.starts import StartError
from quepu.rl.encodings import Array
from quepu.rl.env import check_options
from quepu.rl.episode import DEFAULT_TERMS, TermOptions
from quepu.rl.rewards import stackable
from quepu.rl.vector import Autoreset, MahjongVectorEnv, Seeds, Shown
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES, showing


class SingleVectorEnv(VectorEnv[Array, Array, Array]):
    """Many tables with one learner each, in the form of gymnasium's own vector environments.

        >>> import gymnasium, quepu.rl
        >>> made = gymnasium.make_vec("quepu/guobiao-mcr-v0", num_envs=4, bots=("random", "random", "random"))
        >>> observations, infos = made.reset(seed=7)
        >>> observations.shape, infos["action_mask"].shape, infos["player"].shape
        ((4, 70, 42), (4, 153), (4,))

    Observations are arrays [n, …]; the legal actions are in `infos["action_mask"]`, int8 [n, 153], and the learners in
    `infos["player"]`, [n]. How an episode ended is in `infos["final"]`, by name and with masks; with "same_step" it is
    in `infos["final_info"]["final"]`, and `infos["final_obs"]` has the last observations. "winner" is -1 if nobody won.

    Args:
        num_envs: number of tables.
        rules, bots, seat, flowers, encoding, reward, match: as in `quepu.rl.gym_env`.
        compiled, autoreset_mode: as in `quepu.rl.vec`; as everywhere in gymnasium, "next_step" is the default.

    Raises:
        UnknownName: the book, encoding, reward or bot does not exist.
        StartError: bots, seat, flowers or match are invalid, num_envs is 0, or compiled tables cannot do this.
        NotABot: one of the bots is neither a bot nor makes one.
    """

    @showing(TermOptions, DEFAULT_TERMS)
    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Rulebook = DEFAULT_RULES,
        bots: Sequence[BotMaker] = ("plain", "plain", "plain"),
        seat: int | None = None,
        flowers: bool | None = None,
        *,
        masked: Literal["refuse", "timeout"] = "refuse",
        compiled: bool | None = None,
        autoreset_mode: Autoreset | AutoresetMode = "next_step",
        **options: Unpack[TermOptions],
    ) -> None:
        check_options("make_vec", options, SingleVectorEnv)
        if masked != "refuse":
            raise StartError(
                f'masked={masked!r} 要 vectorization_mode="sync"。',
                f'masked={masked!r} needs vectorization_mode="sync".',
            )
        self.tables = MahjongVectorEnv(
            rules, num_envs, bots, flowers, seat=seat, compiled=compiled, autoreset_mode=autoreset_mode, **options
        )  # fmt: skip
        self.num_envs = num_envs
        self.metadata = self.tables.metadata
        self.single_observation_space = self.tables.single_observation_space["observation"]
        self.single_action_space = self.tables.single_action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = self.tables.action_space
        self._players: Array = np.zeros(num_envs, np.int64)

    def __repr__(self) -> str:
        return f"SingleVectorEnv({self.tables!r})"

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Deal at every table, as `quepu.rl.vec` does.

        Raises:
            StartError: a seed is negative, or the options contradict each other or the book.
        """
        shown, infos = self.tables.reset(seed=seed, options=options)
        return shown["observation"], self._infos(shown, infos)

    def step(self, actions: Array) -> tuple[Array, NDArray[np.float64], Array, Array, dict[str, Any]]:
        """Let the learner of every table act.

        Raises:
            ValueError: an action is masked, or there is not one for each table; then nothing was done at any of them.
            RuntimeError: no hand was dealt yet, or an episode is over and has to be reset.
        """
        actors = self._players
        shown, rewards, over, cut, infos = self.tables.step(actions)
        found = self._infos(shown, infos)
        for i in np.flatnonzero(over).tolist():
            final = {"final": stackable(infos["final_info"][i])}
            if "final_obs" in infos:
                last = infos["final_obs"][i]
                about = {"action_mask": last["action_mask"], "player": int(actors[i])} | final
                found = self._add_info(found, {"final_obs": last["observation"], "final_info": about}, i)
            else:
                found = self._add_info(found, final, i)
        return shown["observation"], rewards.astype(np.float64), over, cut, found

    def _infos(self, shown: Shown, infos: dict[str, Any]) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        self._players = infos["player"]
        return {
            "action_mask": shown["action_mask"], "_action_mask": every, "player": infos["player"],
            "_player": every.copy(),
        }  # fmt: skip

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of the learner at each table: bool [n, 153]."""
        legal: NDArray[np.bool_] = self.tables.shown["action_mask"].astype(np.bool_)
        return legal

    def close(self, **_: Any) -> None:
        """Nothing to close."""
