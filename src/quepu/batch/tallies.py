"""The loops of `quepu.batch.tally_loops`, compiled."""

from __future__ import annotations

import inspect
from functools import cache

from quepu.batch import tally_loops
from quepu.batch.code_cache import CachedCode

_LOOPS = ("multiplied", "accreted")


@cache
def loops() -> CachedCode:
    """The loops, as text for numba."""
    functions = [name for name, what in vars(tally_loops).items() if inspect.isfunction(what)]
    text = inspect.getsource(tally_loops) + "\n\nimport numba\n\n"
    for name in functions:  # inlined, since a call hands over every field of every array
        text += f"{name} = numba.njit({'cache' if name in _LOOPS else 'forceinline'}=True)({name})\n"
    return CachedCode("tallies", text)
