"""Payments of every standard hand under a book, as a cached table; the plain twin is `nearest.receipts.paid_for`.

The hands are in the order of `fast.nearest.join`. They are scored here by the book's own rows, some ten seconds a
table; `quepu.fast.nearest.payable` selects those near a hand.
"""

from __future__ import annotations

import mmap
from collections.abc import Generator
from pathlib import Path

import numpy as np

from quepu.fast import result_cache
from quepu.fast.nearest.gain_files import GainCase, gains_file, shipped_file
from quepu.fast.nearest.gain_packing import unpack
from quepu.fast.nearest.receipts import DRAWN_SHARE, LEAST_RECEIPT, receipt
from quepu.fast.universe.census import classify_by_pair
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.hand_index import Array, order
from quepu.fast.universe.standard_hands import MELD_SETS, STATES, Universe
from quepu.rules.rulebook import Rulebook
from quepu.tiles import EAST, KINDS

Parts = Generator[float, None, Array]
"""Work done in parts of some tenths of a second: yields the share done after each, and returns the result."""


def gains(book: Rulebook, case: GainCase) -> Parts:
    """Return every standard hand in the order of the index: uint16 [34 * 366 528].

    0: it may not win; else twice the expected receipt in points, plus one where a discard is enough.
    """
    done = 0
    out = np.zeros((KINDS, MELD_SETS), np.float32)
    by_discard = np.zeros((KINDS, MELD_SETS), np.bool_)
    for drawn, share in ((False, 1 - DRAWN_SHARE), (True, DRAWN_SHARE)):
        state = STATES[f"{'closed' if case.closed else 'open'}-{'draw' if drawn else 'discard'}"]
        classes = Classes(book)
        universe = Universe(state, EAST, EAST if case.double_wind else EAST + 1)
        if not case.closed:  # a meld was claimed, but not all of them need be: 全求人 must not count
            universe.base = universe.base._replace(o1=0, o2=0, o3=0, o4=0, xp=0)
        for kind, index, numbers in classify_by_pair(classes, universe, compiling=False):
            receipts = _receipts(classes, book, drawn)[numbers]
            out[kind, index] += share * receipts
            if not drawn:
                by_discard[kind, index] = receipts > 0
            done += 1
            yield done / (2 * KINDS)
    mine = np.minimum(np.ceil(out[:, order()]), 32767).astype(np.uint16) * 2
    return (mine | by_discard[:, order()]).reshape(-1)


def _receipts(classes: Classes, book: Rulebook, drawn: bool) -> Array:
    """Return the winner's receipts, float32 by class."""
    pays: dict[int, float] = {}
    out = np.zeros(len(classes), np.float32)
    for i, (points, bonus) in enumerate(zip(classes.points.tolist(), classes.bonus.tolist(), strict=True)):
        if points >= book.minimum:
            if points + bonus not in pays:
                pays[points + bonus] = receipt(book, points + bonus, drawn)
            out[i] = max(pays[points + bonus], LEAST_RECEIPT)
    return out


def table(book: Rulebook, case: GainCase) -> Array:
    """Do the same as `gains`, from the cache folder if it was computed before."""
    found = load_stored(book, case)
    return whole(build(book, case)) if found is None else found


def load_stored(book: Rulebook, case: GainCase) -> Array | None:
    """Load a table from the cache folder or the package; None: it was never made, or was cut short by a crash."""
    path = gains_file(book, case)
    found = _open(path)
    if found is None and (made := unpack(shipped_file(book, case))) is not None:
        result_cache.store(path, lambda file: np.save(file, made))
        found = _open(path)
        if found is None:  # no folder to put it into
            return made
    return found


def _open(path: Path) -> Array | None:
    try:
        found: Array = np.load(path, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        return None
    result_cache.mark_used(path)
    return found


def unload(table: Array) -> None:
    """Return the pages of a table that is in a file to the system; any that is read later comes from there again."""
    pages = table.base
    if isinstance(pages, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        pages.madvise(mmap.MADV_DONTNEED)


def build(book: Rulebook, case: GainCase) -> Parts:
    """Make a table and put it into the cache folder, from where it is read as others read it."""
    made = yield from gains(book, case)
    result_cache.store(gains_file(book, case), lambda file: np.save(file, made))
    found = load_stored(book, case)
    return made if found is None else found


def whole(parts: Parts) -> Array:
    """Return what work done a part at a time returns, done at once."""
    while True:
        try:
            next(parts)
        except StopIteration as end:
            made: Array = end.value
            return made


def file_beside(table: Array, what: str, suffix: str) -> Path | None:
    """Return the file for results that follow from a table alone, or None if the table came from no file."""
    if not isinstance(table, np.memmap) or not isinstance(table.filename, (str, Path)):
        return None
    path = Path(table.filename)
    version = result_cache.source_print()
    return path.with_name(f"{path.stem.removesuffix(version)}{what}-{version}{suffix}")


def open_table(closed: Array, exposed: Array, share: float) -> Array:
    """Do the same as `mix`; for tables from files the result is in a file, too, which all processes share."""
    path = file_beside(closed, f"opened{share:g}", ".npy")
    if path is None:
        return mix(np.asarray(closed), np.asarray(exposed), share)
    try:
        found: Array = np.load(path, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        made = mix(np.asarray(closed), np.asarray(exposed), share)
        result_cache.store(path, lambda file: np.save(file, made))
        try:
            found = np.load(path, mmap_mode="r")
        except (OSError, ValueError, EOFError):
            return made
    result_cache.mark_used(path)
    return found


def mix(closed: Array, exposed: Array, share: float) -> Array:
    """Return the gains of closed hands of which this share will have been opened by claims before they are complete."""
    made = np.empty_like(closed)
    for at in range(0, len(closed), MELD_SETS):  # a part at a time: as floats all of it is 100 MB
        one, other = closed[at : at + MELD_SETS], exposed[at : at + MELD_SETS]
        pays = np.ceil((1 - share) * (one >> 1) + share * (other >> 1)).astype(np.uint16)
        made[at : at + MELD_SETS] = pays << 1 | (one | other) & 1
    return made
