"""Every decomposed standard hand there is, on ints one by one and on arrays: the same points and the same fans."""

from __future__ import annotations

from itertools import repeat

import numpy as np
import pytest

from quepu.fast.universe.census import CHUNK, classify
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.standard_hands import DECOMPOSED, STATES, Universe
from quepu.fast.weighing.additive import AdditiveWeighing
from quepu.hands.planes import Planes
from quepu.rulebooks import book


@pytest.mark.slow
def test_ints_and_arrays_agree_on_the_whole_universe() -> None:
    """国标: the single scorer's way, classes by signature, and the weighing by sums, hand by hand."""
    rules = book("guobiao-mcr")
    universe = Universe(STATES["closed-discard"])
    classes = Classes(rules)
    made = classify(classes, universe)
    tallies = [(t.points, t.bonus, tuple(sorted(c[:2] for c in t.counted))) for t in classes.tallies]
    weighing = AdditiveWeighing(rules, rules.arithmetic)
    seen = 0
    for kind, index, numbers in made:
        for at in range(0, len(index), CHUNK):
            some, mine = index[at : at + CHUNK], numbers[at : at + CHUNK]
            h = universe.block(kind, some)
            sums = weighing.weigh(h, len(some), fans=True)
            assert np.array_equal(sums.points, classes.points[mine])
            assert np.array_equal(sums.counts, classes.counts[mine])
            fields = (getattr(h, name) for name in Planes._fields)
            rows = zip(*(x.tolist() if isinstance(x, np.ndarray) else repeat(int(x)) for x in fields), strict=False)
            for row, number in zip(rows, mine.tolist(), strict=False):
                tally = rules.tally(Planes._make(row))
                assert (tally.points, tally.bonus, tuple(sorted(c[:2] for c in tally.counted))) == tallies[number], row
                seen += 1
    assert seen == DECOMPOSED
