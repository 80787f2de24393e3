"""Tables of `vec` as a vector environment of Stable-Baselines3 (extra `[sb3]`; a torch for CPUs is enough).

    from sb3_contrib import MaskablePPO
    from quepu.rl import vec
    from quepu.rl.sb3 import SB3VecEnv
    tables = SB3VecEnv(vec("yuque-54", 16, bots=("plain", "plain", "plain")))
    MaskablePPO("MlpPolicy", tables, device="cpu").learn(100_000)

`examples/maskable_ppo.py` starts from an imitation of `plain`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import needs

needs("stable_baselines3", extra="sb3")

from gymnasium.vector import AutoresetMode  # noqa: E402
from stable_baselines3.common.vec_env import VecEnv  # noqa: E402

from quepu.match.starts import StartError  # noqa: E402
from quepu.rl.encodings import Array  # noqa: E402
from quepu.rl.env import spaces_of  # noqa: E402
from quepu.rl.vector import MahjongVectorEnv, Shown  # noqa: E402


class SB3VecEnv(VecEnv):
    """Adapt tables with one learner each to Stable-Baselines3.

        >>> from quepu.rl import vec
        >>> tables = SB3VecEnv(vec("guobiao-mcr", 2, bots=("random", "random", "random")))
        >>> tables.reset().shape, tables.action_masks().shape
        ((2, 70, 42), (2, 153))

    An observation is the array of the encoding, [n, …]; `action_masks` returns the legal actions, bool [n, 153], as
    MaskablePPO of sb3-contrib asks for them. At the end of an episode, the info of its table has "final" (how it
    ended, as in `vec`) and "terminal_observation". For rewards and lengths of episodes in SB3's log, wrap it in
    SB3's `VecMonitor`.

    Args:
        tables: from `quepu.rl.vec`, with `bots` (one learner against three bots), "same_step" and copies.

    Raises:
        StartError: the tables have four learners, are not dealt again at once, or reuse their arrays.
    """

    def __init__(self, tables: MahjongVectorEnv) -> None:
        if tables.bots is None:
            raise StartError(
                'Stable-Baselines3 每桌学一家：vec(…, bots=("plain", "plain", "plain"))。',
                'Stable-Baselines3 trains one learner per table: vec(…, bots=("plain", "plain", "plain")).',
            )
        if tables.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP or not tables.copy:
            raise StartError(
                "Stable-Baselines3 要 autoreset_mode 为 same_step、copy 为 True 的牌桌（vec 的默认值）。",
                "Stable-Baselines3 needs tables with autoreset_mode same_step and copy True, the defaults of vec.",
            )
        self.tables = tables
        self._shown: Shown = {}
        self._actions: Array = np.zeros(tables.num_envs, np.int64)
        super().__init__(tables.num_envs, spaces_of(tables.terms.encoding)["observation"], tables.single_action_space)

    def __repr__(self) -> str:
        return f"SB3VecEnv({self.tables!r})"

    def reset(self) -> Array:
        """Deal at every table, with the seeds and options given by `seed` and `set_options`; return observations.

        Raises:
            StartError: the options differ between tables, contradict each other or the book.
        """
        options = self._options[0]
        if any(one is not options and one != options for one in self._options):
            raise StartError("各桌的 options 要相同。", "the options must be the same at all tables.")
        seeds = None if self._seeds[0] is None else self._seeds
        self._shown, infos = self.tables.reset(seed=seeds, options=options or None)
        self.reset_infos = [{"player": int(player)} for player in infos["player"]]
        self._reset_seeds()
        self._reset_options()
        return self._shown["observation"]

    def step_async(self, actions: Array) -> None:
        """Keep an action for each table until `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, NDArray[np.bool_], list[dict[str, Any]]]:
        """Let the learners act; return observations, rewards, which episodes ended, and an info for each table.

        Raises:
            ValueError: an action is masked.
            RuntimeError: no hand was dealt yet.
        """
        self._shown, rewards, over, _, infos = self.tables.step(self._actions)
        found: list[dict[str, Any]] = [{"player": int(player)} for player in infos["player"]]
        for i in np.flatnonzero(over).tolist():
            last = infos["final_obs"][i]["observation"]
            found[i] |= {
                "final": infos["final_info"][i], "terminal_observation": last, "TimeLimit.truncated": False,
            }  # fmt: skip
        return self._shown["observation"], rewards, over, found

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of the learner at each table: bool [n, 153].

        Raises:
            RuntimeError: no hand was dealt yet.
        """
        if not self._shown:
            raise RuntimeError("no hand was dealt yet: call reset()")
        return self._shown["action_mask"].astype(np.bool_)

    def close(self) -> None:
        """Close the tables."""
        self.tables.close()

    def _numbers(self, indices: int | Iterable[int] | None) -> list[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return an attribute of the tables, once for each table.

        Raises:
            AttributeError: they have no such attribute.
        """
        found = self.action_masks if attr_name == "action_masks" else getattr(self.tables, attr_name)
        return [found for _ in self._numbers(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Refuse: attributes belong to all tables together.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"{attr_name} cannot be set at single tables; set it on `tables`")

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **options: Any
    ) -> list[Any]:
        """Return what a method returns for each table; only `action_masks` is there.

        Raises:
            AttributeError: any other method.
        """
        if method_name != "action_masks":
            raise AttributeError(f"tables have no method {method_name} of their own; call it on `tables`")
        masks = self.action_masks()
        return [masks[i] for i in self._numbers(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None) -> list[bool]:
        """Return False for each table."""
        return [False for _ in self._numbers(indices)]

    def get_images(self) -> Sequence[None]:
        """Return None for each table: tables draw no pictures."""
        return [None] * self.num_envs
