"""A table in which every standard hand wins alike: built in no time, so that reviews can be asked in quick tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from quepu.fast.nearest.gain_files import GainCase, gains_file
from quepu.fast.universe.standard_hands import MELD_SETS
from quepu.rules.rulebook import Rulebook
from quepu.tiles import KINDS

POINTS = 8


def write_flat(book: Rulebook, folder: Path) -> None:
    """Put such tables where the lab looks for them; QUEPU_CACHE must be `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    first, *others = (
        gains_file(book, GainCase(closed, double)) for closed in (True, False) for double in (True, False)
    )
    assert first.is_relative_to(folder)
    first.parent.mkdir(exist_ok=True)  # earlier revisions have a folder of their own
    np.save(first, np.full(KINDS * MELD_SETS, 2 * POINTS | 1, np.uint16))
    for path in others:  # 25 MB once
        path.unlink(missing_ok=True)
        path.hardlink_to(first)
