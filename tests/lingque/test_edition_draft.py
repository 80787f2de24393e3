"""The draft that makes v29 out of v26 by what a workshop can change: it scores every hand there is as v29 does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from quepu.fast.universe.standard_hands import STATES
from quepu.lab.pairing import pair_up
from quepu.rulebooks import book, house_rules

DRAFT = Path(__file__).parent / "v26_to_v29.toml"


@pytest.mark.slow
@pytest.mark.parametrize("state", ["closed-discard", "open-discard", "kongs"])
def test_the_draft_scores_as_the_edition_does(state: str) -> None:
    draft, edition = house_rules.load(DRAFT), book("lingque-29")
    pairs = pair_up(draft, edition, STATES[state])
    assert int(pairs.hands.sum()) > 9_000_000
    assert np.array_equal(pairs.points(0), pairs.points(1))
    before = pair_up(book("lingque-26"), edition, STATES[state])  # which v26 itself does not
    assert not np.array_equal(before.points(0), before.points(1))
