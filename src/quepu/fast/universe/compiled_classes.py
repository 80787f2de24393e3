"""Every hand of a universe to its class in one compiled loop; the twin is `universe.classes`, on arrays.

What melds alone or pungs and pair alone decide of a signature is summed before, once for each of them. The conditions
that are left are written as `quepu.fast.compiled.conditions` writes them, but what melds alone decide in those is
worked out before too. They are asked for a block of meld sets at a time, a loop that the compiler turns into vectors; a
second one looks the sums up in the table of classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from textwrap import indent
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import WAIT_PLANES
from quepu.fast.compiled.code_cache import CachedCode, installed
from quepu.fast.compiled.conditions import CompiledConditions, instructions
from quepu.fast.universe.classes import Column, Signatures
from quepu.fast.universe.standard_hands import Universe
from quepu.hands.planes import SINGLE, STANDARD, Planes
from quepu.rules.symbols import Symbol, Symbols, is_truth, nodes

Array = NDArray[Any]
U64 = np.uint64
_FOLD = 29
_ROOM = 1 << 14
_BLOCK = 256
_LEAST = 4
"""Operations on melds alone that are worked out before, once for all pairs: fewer cost less than to load the result."""
_WITH_PAIR = {
    "pair": ("bit", ()),
    "t1": ("t1_of | bit", ("t1",)),
    "t2": ("t2_of | bit", ("t2",)),
    "t3": ("t3_of | t1_of & bit", ("t1", "t3")),
    "t4": ("t4_of | t2_of & bit", ("t2", "t4")),
}
"""Planes that the pair changes: what they are, and the planes of the melds in that (see `Universe.block`)."""

LOOK_UP = """        at = total >> numba.uint64(shift)
        number = ids[at]
        while number >= 0 and hashes[at] != total:
            at = at + numba.uint64(1) & mask
            number = ids[at]
        if number < 0:
            if new == len(first):
                return row, new
            number = before + new
            hashes[at], ids[at] = total, number
            first[new], met[new] = i, total
            new += 1
"""
"""Of a loop over rows: the class number of the signature `total` of `i`; it returns where there is no more room."""
_HEAD = """@numba.njit(cache=True)
def run(bit, begin, index, numbers, first, met, before, start, pungs, which, more, hashes, ids, shift, mask, planes):
    new, row = 0, begin
    sums = np.empty({block}, np.int64)
    while row < len(index):
        low = index[row] // {block} * {block}
        some = planes[low * {planes} : (low + {block}) * {planes}]
        for j in range({block}):
"""
_END = """            sums[j] = {result}
        while row < len(index) and index[row] < low + {block}:
            i = index[row]
            total = start[i] + pungs[which[i]] + numba.uint64(sums[i - low])
            if len(more):
                total += more[row]
{look_up}            numbers[row] = number
            row += 1
    return row, new
"""


Layout = tuple[tuple[str, int | str], ...]
"""Planes that are a number for all readings, or the same array as another plane."""
_NO_TILE: Layout = (("form", STANDARD), *((name, 0) for name in ("win", "place", *WAIT_PLANES)))
_ON_PAIR: Layout = (("form", STANDARD), ("win", "pair"), ("place", SINGLE))
"""Planes that are alike in all hands of a universe: no winning tile is named, or it is that of the pair."""


def _sum_of(columns: tuple[Column, ...], layout: Layout = (), symbols: Symbols | None = None) -> Symbol:
    """Return the share of these columns in the hash of a signature, as `Signatures.hash` adds it."""
    symbols = symbols or Symbols()
    h = symbols.planes
    h = h._replace(**{name: getattr(h, what) if isinstance(what, str) else what for name, what in layout})
    return hash_of(columns, symbols, h)


def hash_of(columns: tuple[Column, ...], symbols: Symbols, h: Planes) -> Symbol:
    """Return the share of these columns in the hash of these planes, as `Signatures.hash` adds it."""
    total: Any = 0
    for condition, _, times in columns:
        x: Any = condition(h)
        total = total + (x if is_truth(x) else x ^ x >> _FOLD) * int(times)
    return total if isinstance(total, Symbol) else symbols.const(int(total))


class Parted(NamedTuple):
    """Columns of signatures by the planes that decide them."""

    of_melds: tuple[Column, ...]
    of_pungs: tuple[Column, ...]  # of pungs and the pair
    others: tuple[Column, ...]
    of_waits: tuple[Column, ...]  # in hands won on their pair, those that look at what else would have won


def part_columns(columns: Sequence[Column], *, on_pair: bool) -> Parted:
    """Sort columns by the planes that decide them; in hands won on their pair melds do not decide the winning tile."""
    found = Parted((), (), (), ())._asdict()
    for column in columns:
        waits = on_pair and not column.reads.isdisjoint(WAIT_PLANES)
        melds = column.of_melds and not (on_pair and "win" in column.reads)
        kind = "of_waits" if waits else "of_melds" if melds else "of_pungs" if column.of_pungs else "others"
        found[kind] += (column,)
    return Parted(**found)


def _apart(made: Symbol, symbols: Symbols) -> tuple[Symbol, list[Symbol]]:
    """This expression with its parts that melds alone decide as planes (`melds0` …), and those parts."""
    every = nodes([made])
    alone = {x: x.op == "const" or (x.op == "plane" and x.args[0] not in _WITH_PAIR) for x in every}
    for x in every:
        if x.op not in ("const", "plane"):
            alone[x] = all(alone[part] for part in x.args)
    parts: dict[Symbol, Symbol] = {}
    now: dict[Symbol, Symbol] = {}

    def made_of(x: Symbol) -> Symbol:
        if x.op in ("const", "plane"):
            return x
        if x not in now:
            if alone[x] and x.size > 2 * _LEAST:
                now[x] = parts.setdefault(x, symbols.plane(f"melds{len(parts)}"))
            else:
                now[x] = symbols.make(x.op, *map(made_of, x.args))
        return now[x]

    return made_of(made), list(parts)


class Added(NamedTuple):
    """Parts of signatures that are worked out outside the loop."""

    start: Array  # of the melds
    pungs: Array  # `pungs[which]`: of pungs and pair
    which: Array
    more: Array  # of columns that are not in the loop, for each of the meld sets (empty: there are none)


class UniverseLoop:
    """The loops for the conditions of some classes: from meld sets and a pair to class numbers.

    What columns of waits add is not in them.
    """

    def __init__(self, parts: Parted, on_pair: bool) -> None:
        layout = _ON_PAIR if on_pair else _NO_TILE
        self._of_melds, self._of_pungs = (
            CompiledConditions([_sum_of(some, layout)]) for some in (parts.of_melds, parts.of_pungs)
        )
        symbols = Symbols()
        made, apart = _apart(_sum_of(parts.others, layout, symbols), symbols)
        self._apart = CompiledConditions(apart) if apart else None
        line, (result,) = instructions([made])
        looked = list(dict.fromkeys(x.args[0] for x in nodes([made]) if x.op == "plane"))
        self._planes = sorted({of for name in looked for of in _WITH_PAIR.get(name, ("", (name,)))[1]})
        loads = [f"{name}_of = some[{at * _BLOCK} + j]" for at, name in enumerate(self._planes)]
        loads += [f"{name} = {_WITH_PAIR.get(name, (f'{name}_of', ()))[0]}" for name in looked]
        text = _HEAD.format(block=_BLOCK, planes=len(self._planes))
        text += "".join(f"            {line}\n" for line in [*loads, line])
        text += _END.format(block=_BLOCK, result=result, look_up=indent(LOOK_UP, "    "))
        self._code = CachedCode("universe", "import numpy as np\n\n\n" + text)

    @property
    def compiled(self) -> bool:
        """Whether they were compiled before, in this process or another."""
        others = (self._of_melds, self._of_pungs, self._apart)
        return self._code.there and all(one is None or one.compiled for one in others)

    def load(self) -> None:
        """Compile them now, or load them from the cache."""
        for one in (self._of_melds, self._of_pungs, self._apart):
            if one is not None:
                one.load()
        self._code.functions.run(
            1, 0, *(np.zeros(0, kind) for kind in (np.int32, np.int32, np.int32, U64)), 0,
            *(np.zeros(0, kind) for kind in (U64, U64, np.int64, U64, U64, np.int32)), 48, U64(1),
            np.zeros(0, np.int64),
        )  # fmt: skip

    def start(self, universe: Universe) -> Array:
        """Return the melds' share of a signature: uint64 [meld sets]."""
        return self._of_melds(universe.base, len(universe.pungs))[0].view(U64)

    def pungs(self, universe: Universe, kind: int, index: Array) -> Array:
        """Return the share of these meld sets' pungs and this pair: uint64."""
        return self._of_pungs(universe.block(kind, index), len(index))[0].view(U64)

    def columns(self, universe: Universe) -> Array:
        """The planes of the melds that the loop reads, a block of meld sets after another: int64."""
        n = len(universe.pungs)
        apart = self._apart(universe.base, n) if self._apart is not None else []
        made = {f"melds{at}": plane for at, plane in enumerate(apart)}
        whole = n // _BLOCK * _BLOCK
        found = np.zeros((n // _BLOCK + 1, len(self._planes), _BLOCK), np.int64)
        for at, name in enumerate(self._planes):
            plane = made[name] if name in made else np.broadcast_to(getattr(universe.base, name), (n,))
            found[:-1, at] = plane[:whole].reshape(-1, _BLOCK)
            found[-1, at, : n - whole] = plane[whole:]
        return found.reshape(-1)

    def numbers(
        self, classes: Signatures, planes: Array, bit: int, index: Array, added: Added, settle: Callable[[Array], None]
    ) -> Array:
        """Return the class numbers (int32) of these meld sets with the pair of this bit; `settle` takes up new ones."""
        start, pungs, which, more = added
        numbers, first, met = np.empty(len(index), np.int32), np.empty(_ROOM, np.int32), np.empty(_ROOM, U64)
        begin = 0
        while begin < len(index):
            hashes, ids, bits = classes.index.room_for(_ROOM)
            before = len(classes.index.hashes)
            begin, new = self._code.functions.run(
                bit, begin, index, numbers, first, met, before, start, pungs, which, more, hashes, ids,
                64 - bits,
                U64((1 << bits) - 1), planes,
            )  # fmt: skip
            if new:
                classes.index.placed(met[:new])
                settle(first[:new])
        return numbers


@lru_cache(32)
def _write(parts: Parted, on_pair: bool) -> UniverseLoop | None:
    try:
        return UniverseLoop(parts, on_pair)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return None  # something in it cannot be expressed in symbols


def universe_loop(classes: Signatures, universe: Universe, *, compiling: bool = True) -> UniverseLoop | None:
    """The loops for these classes in this universe; None where there are none, or they would have to be compiled."""
    if not installed():
        return None
    on_pair = universe.state.on_pair
    loop = _write(part_columns(classes.columns[: classes.first], on_pair=on_pair), on_pair)
    return loop if loop is not None and (compiling or loop.compiled) else None


def compile_loops(classes: Signatures) -> None:
    """Have the loops of these classes compiled (or loaded), which takes seconds the first time.

    They are those of all states in which no tile is named.
    """
    parts = part_columns(classes.columns[: classes.first], on_pair=False)
    if installed() and (loop := _write(parts, False)) is not None:
        loop.load()


def layout_of(h: Planes) -> Layout:
    """The layout of readings given as arrays."""
    found: list[tuple[str, int | str]] = []
    first: dict[int, str] = {}
    for name, plane in zip(Planes._fields, h, strict=True):
        if not isinstance(plane, np.ndarray):
            found.append((name, int(plane)))
        elif first.setdefault(id(plane), name) != name:
            found.append((name, first[id(plane)]))
    return tuple(found)


@lru_cache(32)
def _fold(columns: tuple[Column, ...], layout: Layout) -> CompiledConditions | None:
    try:
        return CompiledConditions([_sum_of(columns, layout)])
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return None


def classify_compiled(classes: Signatures, h: Any, n: int) -> Array:
    """As `Signatures.classify`, compiled; of `Planes` what those decide that are alike for all is folded."""
    layout = layout_of(h) if isinstance(h, Planes) else ()
    loop = _fold(tuple(classes.columns[: classes.first]), layout) if installed() else None
    if loop is None:
        return classes.classify(h, n)
    return classes.numbers(classes.hash(h, classes.columns[classes.first :], loop(h, n)[0].view(U64)), h)
