"""Memory of a server process: garbage collection by the clock, and freed memory returned to the system.

By default, the collector runs once allocations exceed deallocations by a threshold; on a busy server that is rare, and
each run then pauses every table. Most objects are freed without it.

By default, glibc raises the mmap threshold with each large block freed, and has an arena per thread, so that one
visitor's data would count as used for days.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys

STEP = 0.2
"""Seconds between collections of the youngest generation: a few milliseconds each under load."""
_COUNTED = 300
"""Young collections per count of all objects: about a minute."""
_SELDOM = 9000
"""Young collections per full collection, at least: half an hour."""
_GROWN = 1_000_000
"""Growth in objects since the last full collection that triggers another one: about 100 MiB."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Parameters of glibc's `mallopt`."""
_LARGE = 128 << 10
"""Block size in bytes from which glibc uses mmap; also the free bytes at the top of the heap that are returned."""
_STORES = 2
"""Number of malloc arenas shared by threads; Python's small objects have their own allocator."""


async def collect_by_the_clock(step: float = STEP, counted: int = _COUNTED, grown: int = _GROWN) -> None:
    """Collect by the clock until cancelled; then restore the collector."""
    gc.disable()
    _look_at_everything()
    looks, then, most = 0, 0, gc.get_freeze_count() + grown
    try:
        while True:
            await asyncio.sleep(step)
            looks += 1
            gc.collect(0)
            gc.freeze()  # survivors are likely to stay: later collections skip them
            if looks % counted == 0 and (looks - then >= _SELDOM or gc.get_freeze_count() > most):
                _look_at_everything()
                then, most = looks, gc.get_freeze_count() + grown
    finally:
        gc.enable()
        gc.unfreeze()


def _look_at_everything() -> None:
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def give_back_what_is_freed() -> bool:
    """Configure this for the process; return whether its C library supports it."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    settings = ((_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _LARGE), (_ARENA_MAX, _STORES))
    were_set: int = sum(mallopt(name, value) for name, value in settings)  # 1 for each success
    return were_set == len(settings)
