"""The loops of `quepu.batch.multiplying_loop` and `quepu.batch.accreting_loop`, compiled."""

from __future__ import annotations

import inspect
from functools import cache
from types import ModuleType

from quepu.batch.code_cache import CachedCode
from quepu.batch.fused import HEAD

_LOWEST_BIT = """def lowest_bit(x):
    return count((x & -x) - 1)


"""


@cache
def loops(module: ModuleType, loop: str) -> CachedCode:
    """The text of a module for numba, of which `loop` is called."""
    functions = [name for name, what in vars(module).items() if inspect.isfunction(what)]
    text = f"{inspect.getsource(module)}\n\n{HEAD}{_LOWEST_BIT}"
    for name in functions:  # inlined, since a call hands over every field of every array
        text += f"{name} = numba.njit({'cache' if name == loop else 'forceinline'}=True)({name})\n"
    return CachedCode("tallies", text)
