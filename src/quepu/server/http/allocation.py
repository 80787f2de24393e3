"""Memory that is freed goes back to the machine, not to a store that the C library has for what may come.

Left to itself glibc raises, with each large block that is freed, the size from which on blocks are mapped on their own,
and has a store for each thread: what one visitor sent would count as used for days.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""What `mallopt` of glibc calls these settings."""
_LARGE = 128 << 10
"""Bytes from which on a block is mapped on its own; also free bytes at the end of a store that are given back."""
_STORES = 2
"""Stores that threads share; Python's small objects have one of their own."""


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
