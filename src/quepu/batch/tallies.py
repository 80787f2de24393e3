"""The loops of `quepu.batch.tally_loops`, compiled."""

from __future__ import annotations

import inspect
from functools import cache

from quepu.batch import tally_loops
from quepu.batch.code_cache import CachedCode
from quepu.batch.fused import HEAD

_LOOPS = ("multiplied", "accreted")
_LOWEST_BIT = """def lowest_bit(x):
    return count((x & -x) - 1)


"""


@cache
def loops() -> CachedCode:
    """The loops, as text for numba."""
    functions = [name for name, what in vars(tally_loops).items() if inspect.isfunction(what)]
    text = f"{inspect.getsource(tally_loops)}\n\n{HEAD}{_LOWEST_BIT}"
    for name in functions:  # inlined, since a call hands over every field of every array
        text += f"{name} = numba.njit({'cache' if name in _LOOPS else 'forceinline'}=True)({name})\n"
    return CachedCode("tallies", text)
