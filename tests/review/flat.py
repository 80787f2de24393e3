"""A table in which every standard hand wins alike: built in no time, so that reviews can be asked in quick tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from quepu.efficiency.gain_files import GainCase, gains_file
from quepu.enumeration.universe import MELD_SETS
from quepu.rules.rulebook import Rulebook
from quepu.tiles import KINDS

WORTH = 8


def write_flat(book: Rulebook, folder: Path) -> None:
    """Put such tables where the lab looks for them; QUEPU_CACHE must be `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for closed in (True, False):
        for double in (True, False):
            path = gains_file(book, GainCase(closed, double))
            assert path.is_relative_to(folder)
            path.parent.mkdir(exist_ok=True)  # earlier revisions have a folder of their own
            np.save(path, np.full(KINDS * MELD_SETS, 2 * WORTH | 1, np.uint16))
