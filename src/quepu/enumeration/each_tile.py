"""Each concealed tile in turn the one that won: what fans about the wait and the winning tile are measured by.

In the other states no winning tile is named. Here a hand is counted once for every kind of tile that may have come
last, and its weight is the number of physical tile sets times the copies of that tile: all (tile set, last tile).
Where the tile stands, what it leaves concealed and what the waits were is decided by the single scorer's own rules
(`quepu.hands.win.placed` as a table, the suit tables of waits).

Nearly every hand is counted on arrays, with the part of its signature that no winning tile changes computed once. Hands
with several readings, and hands whose thirteen tiles may have waited for another shape too, are settled as `score_many`
settles them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quepu.batch.engine import Engine
from quepu.batch.readings import read
from quepu.batch.wins import Wins
from quepu.enumeration.each_special import special_closed
from quepu.enumeration.each_standard import standard_closed, standard_open
from quepu.enumeration.last_tiles import CHUNK, Add, Gathering, Progress
from quepu.enumeration.pairs_and_fours import counts_of, is_standard, is_tabulated
from quepu.enumeration.special import special_wins, ways
from quepu.enumeration.universe import HandState, Universe
from quepu.hands.planes import ALL_TILES, STANDARD, count
from quepu.shapes import SHAPES

Array = Any


def count_each(
    engine: Engine, state: HandState, shapes: list[str], add: Add, also: Add, *, seat: int, round: int,
    tiles: int = ALL_TILES, progress: Progress | None = None,
) -> None:  # fmt: skip
    """Count every hand of a state of this kind out of these tiles, in the shapes that can win in it."""
    universe = Universe(state, seat, round)
    aside: list[Array] = []
    mine, others = Gathering(add), Gathering(also)
    if state.chows_open:
        standard_open(engine, universe, tiles, mine.add, progress)
    else:
        aside.append(standard_closed(engine, universe, tiles, mine.add, progress))

    def wins() -> Iterator[tuple[Wins, Array]]:
        for shape in shapes:
            if is_tabulated(SHAPES[shape]):
                aside.append(special_closed(engine, shape, state, tiles, others.add, seat, round))
            elif not SHAPES[shape].plain:
                for some, weight in special_wins(shape, state, seat, round):
                    few = np.flatnonzero((some.t1 & ~tiles == 0) & ~is_standard(some.keys))
                    melds = None if some.meld_array is None else some.meld_array[few]
                    yield with_tiles(Wins(some.counts[few], melds), weight[few], state, seat, round)
        keys = np.unique(np.concatenate([np.zeros((4, 0), np.int64), *aside], axis=1), axis=1)
        for at in range(0, keys.shape[1], CHUNK // 4):
            counts = counts_of(keys[:, at : at + CHUNK // 4])
            yield with_tiles(Wins(counts), ways(counts), state, seat, round)

    settle(engine, wins(), mine.add, others.add)
    mine.close()
    others.close()


def settle(engine: Engine, wins: Iterator[tuple[Wins, Array]], add: Add, also: Add) -> None:
    """Count hands with their winning tiles named as `score_many` settles them; other shapes go to `also`."""
    for some, weight in wins:
        found = read(some, engine.book.shapes, engine.book.reads)
        n = len(found.of)
        numbers = engine.classes.classify(found.h, n)
        pungs = np.broadcast_to(count(found.h.p), (n,))
        settled = engine.settle(some)
        best = settled.best[settled.valid]
        form = np.broadcast_to(found.h.form, (n,))
        for which, to in ((form == STANDARD, add), (form != STANDARD, also)):
            at = np.flatnonzero(which)
            to("readings", numbers[at], pungs[at])
            to("reading_sets", numbers[at], pungs[at], weight[found.of[at]])
            of = best[which[best]]
            to("hands", numbers[of], pungs[of])
            to("sets", numbers[of], pungs[of], weight[found.of[of]])


def with_tiles(wins: Wins, weight: Array, state: HandState, seat: int, round: int) -> tuple[Wins, Array]:
    """Hands once for every kind of concealed tile that may have come last, their weights times its copies."""
    rows, kinds = np.nonzero(wins.counts)
    melds = None if wins.meld_array is None else wins.meld_array[rows]
    copies = wins.counts[rows, kinds].astype(np.int64)
    return Wins(wins.counts[rows], melds, kinds, seat, round, state.luck), weight[rows] * copies
