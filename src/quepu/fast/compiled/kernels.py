"""The loops of `quepu.fast.weighing.product_kernel` and `quepu.fast.weighing.residue_kernel`, compiled."""

from __future__ import annotations

import inspect
from functools import cache
from types import ModuleType

from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.compiled.conditions import HEAD

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
