"""Many hands at once: arrays in, arrays out, equal to `quepu.score` hand by hand.

    from quepu.batch import score_many
    scores = score_many(["11223sCC(NNNN)(123s)+3s", …], rules="lingque-29")
    scores.points, scores.fans                    # int32 [N], uint8 [N, fans of the book]

Work is done in chunks, so memory does not grow with the number of hands beyond the answer itself.

    many                                    the door: what was given is looked at, chunks, several cores
    engine                                  one chunk: read, detect, combine, take the best reading
    wins, tables                            hands as arrays; what is known of the tiles of a suit, by key
    readings, shapes, sets, placing, waits  every reading of a hand, in the order of `quepu.readings`
    classes, known, lying                   conditions asked on arrays, the arithmetic once for each signature
    straight                                points without signatures, where an arithmetic only adds up
    walk, walking, fused, kept              the same as loops that numba compiles, and where these are kept
"""

from __future__ import annotations

from quepu.batch.engine import Engine
from quepu.batch.many import Scores, score_many
from quepu.batch.wins import Wins, from_hands

__all__ = ["Engine", "Scores", "Wins", "from_hands", "score_many"]
