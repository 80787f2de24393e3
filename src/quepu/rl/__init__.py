"""Environments for learning, for every rulebook (extra `[rl]`).

`env` is a PettingZoo AEC environment, `parallel_env` the parallel form; for gymnasium `gym_env` is one learner against
bots (also registered: `gymnasium.make("quepu/guobiao-mcr-v0")`; `gymnasium.make_vec` makes many), and `vec` has many
tables at once, with numba compiled ones.
`observe` encodes the view of a seat at any table; docs/guide/environments.md explains the encodings.
"""

from quepu.errors import needs

needs("numpy", "pettingzoo", "gymnasium", extra="rl")

from quepu.rl.encodings import ENCODINGS  # noqa: E402
from quepu.rl.env import MahjongEnv, ParallelMahjongEnv, env, parallel_env  # noqa: E402
from quepu.rl.rewards import HandOutcome  # noqa: E402
from quepu.rl.single import SingleMahjongEnv, gym_env, register_ids  # noqa: E402
from quepu.rl.single_vector import SingleVectorEnv  # noqa: E402
from quepu.rl.vector import MahjongVectorEnv, vec  # noqa: E402
from quepu.rl.writer import observe  # noqa: E402

__all__ = [
    "ENCODINGS",
    "HandOutcome",
    "MahjongEnv",
    "MahjongVectorEnv",
    "ParallelMahjongEnv",
    "SingleMahjongEnv",
    "SingleVectorEnv",
    "env",
    "gym_env",
    "observe",
    "parallel_env",
    "vec",
]

register_ids()
