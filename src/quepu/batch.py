"""Many hands at once: arrays in, arrays out, equal to `quepu.score` hand by hand.

    from quepu.batch import score_many
    scores = score_many(["11223sCC(NNNN)(123s)+3s", …], rules="lingque-29")
    scores.points, scores.fans                    # int32 [N], uint8 [N, fans of the book]

Work is done in chunks, so memory does not grow with the number of hands beyond the answer itself. The work is done in
`quepu.fast`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from quepu.errors import needs

needs("numpy")

if TYPE_CHECKING:
    from quepu.fast.nearest.many import discards_many, shanten_many, useful_many, waits_many

from quepu.fast.arrays.hand_arrays import HandArrays as Wins  # noqa: E402
from quepu.fast.arrays.hand_lists import from_hands  # noqa: E402
from quepu.fast.plan import Engine  # noqa: E402
from quepu.fast.score_many import score_many  # noqa: E402
from quepu.fast.scores import Scores  # noqa: E402

__all__ = [
    "Engine", "Scores", "Wins", "discards_many", "from_hands", "score_many", "shanten_many", "useful_many",
    "waits_many",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the functions for incomplete hands on first use: a first `score_many` does not wait for them."""
    if name in __all__:
        return getattr(import_module("quepu.fast.nearest.many"), name)
    raise AttributeError(name)
