"""Many hands at once: arrays in, arrays out, equal to `quepu.score` hand by hand.

    from quepu.batch import score_many
    scores = score_many(["11223sCC(NNNN)(123s)+3s", …], rules="lingque-29")
    scores.points, scores.fans                    # int32 [N], uint8 [N, fans of the book]

numpy is imported here and in `quepu.lab`, nowhere else. Work is done in chunks, so memory does not grow with the
number of hands beyond the answer itself.
"""

from __future__ import annotations

from quepu.batch.engine import Engine
from quepu.batch.many import Scores, score_many
from quepu.batch.wins import Wins, from_hands

__all__ = ["Engine", "Scores", "Wins", "from_hands", "score_many"]
