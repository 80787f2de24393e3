"""A PettingZoo environment for every rulebook (extra `[rl]`): `quepu.rl.env("lingque-29")`."""

from quepu.errors import needs

needs("numpy", "pettingzoo", "gymnasium")

from quepu.rl.env import MahjongEnv, env  # noqa: E402

__all__ = ["MahjongEnv", "env"]
