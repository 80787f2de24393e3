"""Hands never seen before: `score_many` beside PyMahjongGB in the same run, book by book.

Nothing may be learnt from the hands: every measurement takes other ones, in every run others (some of what was met is
kept on disk), after a few hundred that load tables and compiled code. Of each book five lots are scored, in turn with
PyMahjongGB on MCR hands; the middle ratio is given.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from batch import _given, _question
from rows import Row

from quepu.batch import from_hands, score_many
from quepu.fast.compiled.code_cache import installed
from quepu.hands.notation import write
from quepu.rulebooks import book, book_ids
from quepu.scoring.samples import wins

HANDS, PEERS_HANDS, LOTS = 40_000, 12_000, 5
SEED = time.time_ns() >> 20 & 0xFFFFFFF


def measure() -> Iterator[Row]:
    """A row for each book and way."""
    from MahjongGB import MahjongFanCalculator

    questions = [_question(hand) for hand in wins(book("guobiao-mcr"), PEERS_HANDS, seed=7)]

    def every() -> None:
        for question in questions:  # its answers are not kept, which would cost it more
            MahjongFanCalculator(*question)

    def peer() -> float:
        return _spent(every)

    peer()
    load = os.getloadavg()[0]
    for fast in (False, True) if installed() else (False,):
        for name in book_ids():
            yield _row(name, "arrays to points", fast, peer)
    for what in ("Hands", "texts"):
        yield _row("guobiao-mcr", what, False, peer)
    yield Row("load of the machine, two cores", f"{load:.0f} to {os.getloadavg()[0]:.0f}", "")


def _row(name: str, what: str, fast: bool, peer: Callable[[], float]) -> Row:
    rules = book(name)
    times, ratios = [], []
    for lot in range(LOTS + 1):
        hands = list(wins(rules, HANDS if lot else 300, seed=SEED + 10 * lot + 5 * fast + (what == "texts")))
        given: Any = [write(hand) for hand in hands] if what == "texts" else hands
        beside: dict[str, Any] = {}
        if what not in ("Hands", "texts"):
            arrays = from_hands(hands)
            given, beside = arrays.counts, _given(arrays)
        spent = _spent(partial(score_many, given, rules, fans=False, reading=False, fast=fast, **beside))
        if lot:
            times.append(spent / len(hands))
            ratios.append(peer() / PEERS_HANDS / times[-1])
    return Row(
        f"{name}: {what}, {'numba' if fast else 'numpy'}",
        f"{median(times) * 1e6:.2f} µs",
        f"{median(ratios):.1f} × PyMahjongGB in the same run ({min(ratios):.1f} to {max(ratios):.1f})",
    )


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
