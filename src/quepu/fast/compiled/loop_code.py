"""The loops that score hands as machine code, written out for each book where books differ; they have no plain twin.

What differs are the conditions of its rows and of its whole shapes (as in `fast.compiled.conditions`). The loops that
read hands are compiled once for all books, those that weigh what holds once for each arithmetic.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.shapes import OWN as OWN_PLANES
from quepu.fast.arrays.shapes import WAIT_PLANES
from quepu.fast.compiled import context, reading_loops, scorer_loops, text_loops
from quepu.fast.compiled.code_cache import MachineCode, loops_text
from quepu.fast.compiled.conditions import instructions
from quepu.fast.compiled.context import OWN, ROOM, ROWS, SEAT, WAITS
from quepu.hands.planes import Planes
from quepu.rules.symbols import Symbol

_HANDS = ("t1", "t2", "t3", "t4", "o1", "o2", "o3", "o4", "xp", "k", "kc", "win")
PLANE_ROWS = {
    **{name: at for at, name in enumerate(_HANDS)},
    **{name: OWN + at for at, name in enumerate(OWN_PLANES)},
    **{name: WAITS + at for at, name in enumerate(WAIT_PLANES)},
    **{name: SEAT + at for at, name in enumerate(("seat", "round", "luck", "flowers"))},
}
"""Rows of planes in a block, as `scorer_loops` has them."""

_SELDOM = frozenset((
    "apart", "ways_apart", "ahead", "read_block", "fours", "score_blocks", "weigh_residues", "weigh_products",
    "search_rows", "order_rows", "bound_rest",
))  # fmt: skip
"""Functions that are called seldom or long at work: inlined they would take longer to compile."""
_ENTRIES = {
    "score": "int64(int64, int64, int64, int32, int32, int32, int64)",
    "fit": "int64(int32, int64, int32, int64, int64)",
    "read_texts": "int64(int64, int64, int32, int64, int64)",
    "weigh": "int64(int64, int64, int64, int64, int64, int64, int64)",
    "ask": "int64(int64, int64, int64, int64)",
}
"""Functions that are called by their address, with their types."""


def _machine_code(stem: str, modules: Sequence[ModuleType], *entries: str) -> MachineCode:
    text = loops_text((context, *modules), entries, lambda name: name not in _SELDOM)
    return MachineCode(stem, text, {entry: _ENTRIES[entry] for entry in entries})


@cache
def reading_code() -> MachineCode:
    """Return the loops that read hands and score them, for all books."""
    return _machine_code("readings", (reading_loops, scorer_loops, text_loops), "score", "fit", "read_texts")


@cache
def weighing_code(kernel: ModuleType) -> MachineCode:
    """Return the loop that makes points of what holds, for all books of one arithmetic."""
    return _machine_code("weighing", (kernel,), "weigh")


def asking_code(parts: Mapping[str, Sequence[Symbol]]) -> MachineCode:
    """Return functions that work out expressions for readings whose planes stand in rows, each result in a row."""
    text = ""
    for name, made in parts.items():
        line, results = instructions(made, _plane)
        text += (
            f"def {name}(low, high, h, r):\n    H, R = int64s(h, ({ROWS * ROOM},)), int64s(r, ({len(made) * ROOM},))\n"
        )
        text += f"    for i in range(low, high):\n        {line}\n"
        text += "".join(f"        R[{k * ROOM} + i] = {result}\n" for k, result in enumerate(results))
        text += "    return 0\n\n\n"
    return MachineCode("asking", text, dict.fromkeys(parts, _ENTRIES["ask"]))


def hits_code(made: Sequence[Symbol]) -> MachineCode:
    """Return the function that writes the planes of a reading, in their order, and what holds in it."""
    line, results = instructions(made, lambda name: f"H, {PLANE_ROWS[name]}")
    first = len(Planes._fields)
    text = f"def hits(h, out_at, _low, _high):\n    H = int64s(h, ({ROWS},))\n"
    text += f"    out = int64s(out_at, ({first + 2 * len(made)},))\n    {line}\n    n = {first}\n"
    text += "".join(f"    out[{at}] = H[{PLANE_ROWS[name]}]\n" for at, name in enumerate(Planes._fields))
    for row, result in enumerate(results):
        text += f"    if {result} != 0:\n        out[n], out[n + 1] = {row}, {result}\n        n += 2\n"
    return MachineCode("hits", f"{text}    return n\n", {"hits": _ENTRIES["ask"]})


def fit(counts: NDArray[Any], melds: NDArray[Any] | None, winning: NDArray[Any]) -> bool:
    """Report whether nothing is wrong with these hands, by loop if that is loaded; False if that cannot be said."""
    code = reading_code()
    melds = np.zeros((0, 0, 2), np.int8) if melds is None else melds
    plain = counts.dtype == np.uint8 and melds.dtype == np.int8 and winning.dtype == np.int64
    if not code.loaded or not plain or not all(x.flags.carray for x in (counts, melds, winning)):
        return False
    return bool(
        code.function("fit")(len(counts), address_of(counts), melds.shape[1], address_of(melds), address_of(winning))
    )


def address_of(array: NDArray[Any]) -> ctypes.c_void_p:
    """Return the address of an array's first item."""
    return ctypes.c_void_p(array.ctypes.data)


def _plane(name: str) -> str:
    return f"H, {PLANE_ROWS[name] * ROOM} + i"
