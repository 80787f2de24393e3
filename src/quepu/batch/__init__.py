"""Many hands at once: arrays in, arrays out, equal to `quepu.score` hand by hand.

    from quepu.batch import score_many
    scores = score_many(["11223sCC(NNNN)(123s)+3s", …], rules="lingque-29")
    scores.points, scores.fans                    # int32 [N], uint8 [N, fans of the book]

Work is done in chunks, so memory does not grow with the number of hands beyond the answer itself.

    given                                   keywords of `quepu.score` for many hands
    scores                                  the public function: input checked, chunks, several cores
    notebook                                its answer as a notebook shows it
    engine                                  one chunk: read, detect, combine, choose the best reading
    each_hand, texts                        texts and Hands, checked and read at once
    wins, tables                            hands as arrays; tables of a suit by its key
    readings, shapes, sets, waits,          every reading of a hand, in the order of `quepu.shapes.readings`
      win_place_table
    classes, plane_cache, occurrence_hash   conditions on arrays, the arithmetic once for each signature
    held, straight                          points without signatures, where an arithmetic only adds up
    multiplied                              the same where it multiplies
    taped, tape_steps                       the same expressions for many readings, step by step in narrow arrays
    accreted, concerns, countings           the same where it adds by residues
    revised_classes                         classes by the figures of a changed book, all at once
    numba_loops, numba_readings, fused,     all of it as loops that numba compiles, and the files they are cached in
      machine_code, multiplying_loop,
      accreting_loop, tallies, code_cache
    chained, chain_loops                    points alone, one compiled loop a book
    totals                                  what related rows add up to, shipped or cached
"""

from __future__ import annotations

from quepu.errors import needs

needs("numpy")

from quepu.batch.engine import Engine  # noqa: E402
from quepu.batch.scores import Scores, score_many  # noqa: E402
from quepu.batch.wins import Wins, from_hands  # noqa: E402

__all__ = ["Engine", "Scores", "Wins", "from_hands", "score_many"]
