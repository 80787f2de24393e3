"""Memory of a server process: Python's collector of cycles goes by the clock, and what is freed goes to the machine.

Left to itself the collector looks when so many more objects have come than gone; at a server where as many go as come
that is seldom, and then it looks at all that came meanwhile while every table waits. Most things are freed without it.

Left to itself glibc raises, with each large block that is freed, the size from which on blocks are mapped on their own,
and has a store for each thread: what one visitor sent would count as used for days.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys

STEP = 0.2
"""Seconds between two looks at what is new: a few milliseconds each under load."""
_COUNTED = 300
"""Looks at what is new to one count of all there is: a minute."""
_SELDOM = 9000
"""Looks at what is new to one at everything, at the least: half an hour."""
_GROWN = 1_000_000
"""Objects more than after the last look at everything, before there is another one: some hundred MiB."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""What `mallopt` of glibc calls these settings."""
_LARGE = 128 << 10
"""Bytes from which on a block is mapped on its own; also free bytes at the end of a store that are given back."""
_STORES = 2
"""Stores that threads share; Python's small objects have one of their own."""


async def collect_by_the_clock(step: float = STEP, counted: int = _COUNTED, grown: int = _GROWN) -> None:
    """Collect until cancelled; then the collector is again as it was."""
    gc.disable()
    _look_at_everything()
    looks, then, most = 0, 0, gc.get_freeze_count() + grown
    try:
        while True:
            await asyncio.sleep(step)
            looks += 1
            gc.collect(0)
            gc.freeze()  # what is still there stays a while: the next look is at what is new alone
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
    """Set that for this process; whether its C library is one that can be set so."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    settings = ((_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _LARGE), (_ARENA_MAX, _STORES))
    were_set: int = sum(mallopt(name, value) for name, value in settings)  # 1 for each
    return were_set == len(settings)
