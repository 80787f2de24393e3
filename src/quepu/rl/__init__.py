"""A PettingZoo environment for every rulebook (extra `[rl]`): `quepu.rl.env("lingque-29")`."""

from quepu.rl.env import MahjongEnv, env

__all__ = ["MahjongEnv", "env"]
