"""A table in which every standard hand wins alike: built in no time, so that reviews can be asked in quick tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from quepu.fast.nearest.gain_files import GainCase, gains_file
from quepu.fast.nearest.join_code import compile_join
from quepu.fast.universe.standard_hands import MELD_SETS
from quepu.folders import cache_folder
from quepu.rules.rulebook import Rulebook
from quepu.tiles import KINDS

POINTS = 8
_OURS = os.environ.get("QUEPU_CACHE")


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


def copy_loops(folder: Path) -> None:
    """Put the loops of all books there as machine code: else each process that is sent there compiles them anew."""
    with pytest.MonkeyPatch.context() as patch:
        if _OURS is None:
            patch.delenv("QUEPU_CACHE", raising=False)
        else:
            patch.setenv("QUEPU_CACHE", _OURS)
        compile_join()
        files = list(cache_folder().glob("join_*.o"))
    for file in files:
        shutil.copyfile(file, folder / file.name)
