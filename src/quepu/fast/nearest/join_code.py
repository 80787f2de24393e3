"""The loops of `join_loops` as machine code; the plain twin is `nearest.join`, on arrays.

A bot that has to compile the loops thinks for seconds. Asking whether they are compiled needs neither numpy nor numba.
"""

from __future__ import annotations

from functools import cache

from quepu.fast.compiled.code_cache import MachineCode, installed, loops_text
from quepu.fast.nearest import join_loops as loops

ENTRIES = ("measure", "join")
"""Functions that are called by their address, with the address of the words."""


@cache
def join_code() -> MachineCode:
    """Return the loops, for all books."""
    return MachineCode("join", loops_text((loops,), ENTRIES), dict.fromkeys(ENTRIES, "int64(int64)"))


def compiled() -> bool:
    """Report whether the next process only loads them; True without numba, where nothing is compiled."""
    return not installed() or join_code().there


def compile_join() -> None:
    """Compile the loops, or load them from the cache; without numba there is nothing to do."""
    if installed():
        join_code().load()
