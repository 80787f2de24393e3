"""With the extra `fast`: points of many hands by one compiled loop a book, from tiles to the best reading.

What differs from book to book is generated: its whole shapes, its rows' conditions (as in
`quepu.fast.compiled.conditions`) and what makes points of them. All else is `quepu.fast.compiled.scorer_loops`,
compiled with it, and two loops compiled once for all.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from quepu.fast.arrays.hand_arrays import Wins, meld_table
from quepu.fast.arrays.sets import RANKS
from quepu.fast.arrays.shapes import OWN as OWN_PLANES
from quepu.fast.arrays.suit_tables import suit
from quepu.fast.arrays.waits import WAIT_PLANES
from quepu.fast.arrays.win_places import cases, choices
from quepu.fast.compiled import reading_loops as numba_loops
from quepu.fast.compiled import scorer_loops as chain_loops
from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.compiled.conditions import HEAD, instructions
from quepu.fast.compiled.readings import suit_arrays, ways_to_stand
from quepu.fast.compiled.scorer_loops import OWN, ROOM, SEAT, WAITS
from quepu.fast.weighing.additive import Straight
from quepu.fast.weighing.product import Multiplied
from quepu.fast.weighing.residue import Accreted
from quepu.hands.hand import Luck
from quepu.hands.planes import ALL_TILES
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import Symbol, Symbols
from quepu.shapes import SHAPES
from quepu.tiles import KINDS

Array = Any
_HANDS = ("t1", "t2", "t3", "t4", "o1", "o2", "o3", "o4", "xp", "k", "kc", "win")
_ROW = {
    **{name: at for at, name in enumerate(_HANDS)},
    **{name: OWN + at for at, name in enumerate(OWN_PLANES)},
    **{name: WAITS + at for at, name in enumerate(WAIT_PLANES)},
    **{name: SEAT + at for at, name in enumerate(("seat", "round", "luck", "flowers"))},
}
"""Rows of planes in a block, as `quepu.fast.compiled.scorer_loops` has them."""
_LEVELS = """
from llvmlite import ir
from numba.core import types


@intrinsic
def levels(_context, counts, row):
    # the tiles held at least once … four times, from a row of counts (uint8 [N, 34], C order): four planes
    def code(context, builder, signature, arguments):
        byte, word, wide = ir.IntType(8), ir.IntType(64), ir.VectorType(ir.IntType(8), 32)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.gep(builder.bitcast(array.data, byte.as_pointer()), [builder.mul(arguments[1], word(34))])
        most = builder.load(builder.bitcast(start, wide.as_pointer()), align=1)
        last = [builder.load(builder.gep(start, [word(at)])) for at in (32, 33)]
        found = []
        for n in (1, 2, 3, 4):
            held = builder.icmp_unsigned(">=", most, ir.Constant(wide, [n] * 32))
            bits = builder.zext(builder.bitcast(held, ir.IntType(32)), word)
            for at, one in zip((32, 33), last):
                here = builder.zext(builder.icmp_unsigned(">=", one, byte(n)), word)
                bits = builder.or_(bits, builder.shl(here, word(at)))
            plane = word(0)
            for suit in range(4):
                lane = builder.and_(builder.lshr(bits, word(9 * suit)), word(0x1FF))
                plane = builder.or_(plane, builder.shl(lane, word(16 * suit)))
            found.append(plane)
        return context.make_tuple(builder, signature.return_type, found)

    return types.UniTuple(types.int64, 4)(counts, row), code


"""
_CALLED = ("read_block", "fours", "fit")
_SELDOM = ("apart", "ways_apart", "ahead")
"""Functions for few hands: inlined it would take twice as long to compile."""
_LUCK = (int(Luck.CLOSED), int(Luck.SELF_DRAW))
_OWN_IMPORTS = re.compile(r"^from quepu\.[\w.]+ import (\([^)]*\)|[^\n(]*)\n", re.M)


@cache
def reading_code() -> CachedCode:
    """The loop that reads a block of hands, for all books."""
    functions = {
        name: what.__module__
        for module in (numba_loops, chain_loops)
        for name, what in vars(module).items()
        if inspect.isfunction(what) and name not in ("chain", "walk", "chosen")
    }
    more = _OWN_IMPORTS.sub("", inspect.getsource(chain_loops)).replace("from __future__ import annotations\n", "")
    text = f"{inspect.getsource(numba_loops)}\n\n{HEAD}{_LEVELS}{more}\n\n"
    for name in functions:
        how = (
            "cache=True, "
            if name in ("read_block", "fours", "fit")
            else ""
            if name in _SELDOM
            else "forceinline=True, "
        )
        text += f"{name} = numba.njit({how}error_model='numpy')({name})\n"
    return CachedCode("readings", text)


_MULTIPLIED = """    words = R.reshape(RESULTS, ROOM)
    relations, values, choices, factor, none = figures
    multiplied(words[:-1, :n], words[-1, :n], relations, values, choices, factor, totals[:n], none)
"""
_PRODUCTS = """    words = R.reshape(RESULTS, ROOM)
    relations, values, choices, factor, none = figures
    factors = factor.reshape(-1)
    few = 0
    for i in range(n):
        totals[i] = R[i] * factors[R[ROOM + i]]
        if R[2 * ROOM + i]:
            for word in range(3, RESULTS):
                words[word, few] = words[word, i]
            words[2, few] = i
            few += 1
    if few:  # what conflicts is weighed choice by choice
        found = np.empty(few, np.int32)
        multiplied(words[3:-1, :few], words[-1, :few], relations, values, choices, factor, found, none)
        for k in range(few):
            totals[words[2, k]] = found[k]
"""
_ACCRETED = """    words = R.reshape(RESULTS, ROOM)
    fields, combinations, tables, memo, seen, none = figures
    totals[:n] = -1
    accreted(words[:-1, :n], words[-1, :n], fields, combinations, tables, memo, seen, totals[:n], none)
"""


class _Tables(NamedTuple):
    """By the keys that are complete, see `chain_loops.read_block`."""

    numbered: Array  # uint16 by key
    sums: Array  # int64 [512]
    entry: Array  # int64 by number
    after: Array  # int32 [numbers, 9]


@cache
def _tables() -> _Tables:
    lookup = suit_arrays().lookup[:, 1]
    complete = np.concatenate([[0], np.flatnonzero((lookup >> numba_loops.ENTRY_NUMBER & numba_loops.SPLITS) > 0)])
    numbered = np.zeros(len(lookup), np.uint16)
    numbered[complete[1:]] = np.arange(1, len(complete))
    broken = next(int(lane.entry[1]) for lane in (suit(),))
    entry = lookup[complete]
    entry[0] = broken
    after = np.zeros((len(complete), 9), np.int32)
    five = 5 ** np.arange(9)
    size = len(suit().entry)
    for rank in range(9):
        key = np.where(complete >= size, complete - size, complete)
        held = np.flatnonzero((key // five[rank] % 5 > 0) & (np.arange(len(complete)) > 0))
        after[held, rank] = lookup[complete[held] - five[rank]] >> numba_loops.AHEAD
    sums = np.array([sum(5**rank for rank in range(9) if lane >> rank & 1) for lane in range(512)], np.int64)
    return _Tables(numbered, sums, entry, after)


@cache
def _cases() -> tuple[Array, int]:
    """The case of each winning tile, last that of none; what a drawn one adds."""
    every, none = np.append(np.arange(KINDS), -1), np.zeros(KINDS + 1, np.int64)
    of_tile = cases(every, none).astype(np.int64)
    return of_tile, int(cases(every, none + int(Luck.SELF_DRAW))[0] - of_tile[0])


def fit(counts: Array, melds: Array | None, winning: Array) -> bool:
    """Whether nothing is wrong with these hands, by loop if that is loaded; False where it cannot be said."""
    code = reading_code()
    melds = np.zeros((0, 0, 2), np.int8) if melds is None else melds
    plain = counts.dtype == np.uint8 and melds.dtype == np.int8 and winning.dtype == np.int64
    if not code.loaded or not plain or not all(x.flags.carray for x in (counts, melds, winning)):
        return False
    return bool(code.functions.fit(counts, melds, winning))


class Chain:
    """The loop of one book; `part` makes points of its readings."""

    def __init__(self, book: Rulebook, part: Straight | Multiplied | Accreted) -> None:
        self.book = book
        self._part = part
        self._ways = ways_to_stand(book.shapes)
        shapes = [(n, SHAPES[name]) for n, name in enumerate(book.shapes)]
        fours = [(shape.fours.form, shape.fours.number, n * RANKS) for n, shape in shapes if shape.fours]
        self._fours = np.array(fours, np.int64).reshape(-1, 3)
        self._wants_waits = not book.reads.isdisjoint(WAIT_PLANES)
        self._code = CachedCode("chain", self._text())

    @classmethod
    def of(cls, book: Rulebook, part: Any) -> Chain | None:
        """It, if the book's shapes and rows can be expressed in symbols."""
        ways = ways_to_stand(book.shapes)
        shapes = [SHAPES[name] for name in book.shapes]
        plain = len(ways) > 0 and ways[0, numba_loops.SINGLE] == 0 and (ways[1:, numba_loops.SINGLE] != 0).all()
        if not isinstance(part, (Straight, Multiplied, Accreted)) or not plain:
            return None
        if any(not (shape.sets or shape.fours or shape.whole) for shape in shapes):
            return None
        try:
            return cls(book, part)
        except (
            TypeError,
            AttributeError,
            ValueError,
            IndexError,
            KeyError,
        ):  # as `quepu.fast.compiled.conditions.expressions`
            return None

    @property
    def compiled(self) -> bool:
        """Whether all of its code is cached."""
        tallied = isinstance(self._part, Straight) or self._part.code.there
        return tallied and self._code.there and reading_code().compiled("read_block")

    def points(self, wins: Wins) -> tuple[Array, Array, Array, Array]:
        """Of each hand whether it is a win, its points and bonus, and whether it is left to be scored otherwise."""
        reading_code().functions  # noqa: B018  # which the loop finds by their modules' names
        if not isinstance(self._part, Straight):
            self._part.code.functions  # noqa: B018
        n = wins.n
        counts = np.require(wins.counts, np.uint8, ("C", "A", "W"))
        melds = np.full((n, 0, 2), -1, np.int8) if wins.meld_array is None else wins.meld_array
        melds = np.require(melds, np.int8, ("C", "A", "W"))
        arrays, more = suit_arrays(), _tables()
        tables = (
            arrays.bits, arrays.five, arrays.start, arrays.lookup, arrays.splits, meld_table(),
            *choices("place" in self.book.reads), *more,
        )  # fmt: skip
        points, bonus = np.empty((2, n), np.int32)
        valid, left = np.zeros((2, n), np.bool_)
        hands = (counts, melds, wins.winning, wins.seat_kind, wins.round_kind, wins.given_luck, wins.flowers)
        self._code.functions.chain(
            hands, tables, self._ways, self._fours, self._wants_waits, _cases(), _LUCK, ALL_TILES, self._figures(),
            points, bonus, valid, left,
        )  # fmt: skip
        if isinstance(self._part, Accreted):
            self._part.totals_found.save(n)
        return valid, points, bonus, left

    def load(self) -> None:
        """Compile it now, or load it from the cache."""
        none = Wins(np.zeros((0, KINDS), np.uint8))
        self.points(none)
        fit(none.counts, None, none.winning)

    # ---- the text

    def _text(self) -> str:
        weigh, results = self._weigh()
        loop = inspect.getsource(chain_loops.chain)
        constants = {name: what for name, what in vars(chain_loops).items() if name.isupper() and isinstance(what, int)}
        lines = [f"{name} = {what}\n" for name, what in {**constants, "RESULTS": results}.items()]
        imports = "from sys import modules\nfrom typing import Any\n\nimport numpy as np\n\n"
        others = [(reading_code(), "read_block")]
        if not isinstance(self._part, Straight):
            others.append((self._part.code, self._part.loop))
        taken = "".join(f"{name} = modules[{code.module!r}].{name}\n" for code, name in others)
        inlined = "".join(f"{name} = numba.njit(forceinline=True)({name})\n" for name in ("wholes", "weigh"))
        made = f"{inlined}chain = numba.njit(error_model='numpy', cache=True)(chain)\n"
        return f"{HEAD}{imports}{taken}{''.join(lines)}\n\n{self._wholes()}\n\n{weigh}\n\n{loop}\n\n{made}"

    def _wholes(self) -> str:
        """The text of the function that reads whole shapes."""
        symbols = Symbols()
        h: Any = symbols.planes
        t1, t2, t3, t4 = numba_loops.without(h.t1, h.t2, h.t3, h.t4, h.win)
        before: Any = h._replace(t1=t1, t2=t2, t3=t3, t4=t4, luck=h.luck & ~int(Luck.CLOSED))
        bare = (h.o1 | h.xp | h.kc) == 0
        there: Any = 0
        found: Any = 0
        in_pair: Any = 0
        readings: list[tuple[int, int, list[Symbol]]] = []
        for n, name in enumerate(self.book.shapes):
            shape = SHAPES[name]
            whole = shape.whole
            if whole is None or shape.sets or shape.fours:
                continue
            there = there | whole.when(h) * (bare if whole.bare else 1) * (1 << len(readings))
            if self._wants_waits:
                more, pairs = shape.waits(before)
                found, in_pair = found | more * bare, in_pair | pairs * bare
            fours, pair, place = (symbol_of(symbols, what(h)) for what in (whole.fours, whole.pair, whole.place))
            readings.append((n, whole.form, [fours | h.xp | h.kc, fours | h.kc, pair, place]))
        text = "def wholes(n, H, whole, index, own, waits, winning, at):\n"
        if not readings:
            return text + "    return at\n"
        line, names = instructions([symbol_of(symbols, x) for x in (there, found, in_pair)], _plane)
        text += f"    for i in range(n):\n        {line}\n"
        text += "".join(f"        whole[{k}, i] = {name}\n" for k, name in enumerate(names))
        text += "    for i in range(n):\n"
        if self._wants_waits:
            text += "        waits[0, i] |= whole[1, i]\n        waits[1, i] |= whole[2, i]\n"
        text += "        if whole[0, i] == 0:\n            continue\n"
        for k, (n, form, made) in enumerate(readings):
            line, (p, pc, pair_plane, place_plane) = instructions(made, _plane)
            text += f"        if whole[0, i] >> {k} & 1:\n            to = i\n            if index[1, i] >= 0:\n"
            text += f"                to = at\n                at += 1\n            if to < {ROOM}:\n"
            text += f"                {line}\n"
            values = ("0", "0", "0", "0", p, pc, pair_plane, str(form), place_plane)
            text += "".join(f"                own[{row}, to] = {value}\n" for row, value in enumerate(values))
            text += f"                index[0, to] = i\n                index[1, to] = {n * RANKS}\n"
        return text + "    return at\n"

    def _weigh(self) -> tuple[str, int]:
        """The text of the function that makes points of readings, and how many results its conditions have."""
        symbols = Symbols()
        product = self._part.product(symbols.planes) if isinstance(self._part, Multiplied) else None
        made = [symbol_of(symbols, x) for x in product or self._part.line(symbols.planes)]
        line, names = instructions(made, _plane)
        text = f"def weigh(n, H, R, figures, totals, more):\n    for i in range(n):\n        {line}\n"
        text += "".join(f"        R[{k * ROOM} + i] = {name}\n" for k, name in enumerate(names))
        if isinstance(self._part, Straight):
            text += "    for i in range(n):\n        total, unmet = R[i], False\n"
            for k, clan in enumerate(self._part.clans):
                text += f"        number = figures[{2 * k}][R[{(2 + k) * ROOM} + i] & {len(clan.number) - 1}]\n"
                text += f"        unmet |= number < 0\n        total += figures[{2 * k + 1}][max(number, 0)]\n"
            if self._part.when_nothing is not None:
                text += f"        total += (total == 0) * {int(self._part.values[self._part.when_nothing])}\n"
            text += f"        totals[i] = -1 if unmet else total\n        more[i] = R[{ROOM} + i]\n"
        elif isinstance(self._part, Multiplied):
            text += _PRODUCTS if product else _MULTIPLIED
        else:
            text += _ACCRETED
        return text, len(made)

    def _figures(self) -> Any:
        part = self._part
        none = np.zeros((0, len(self.book.fans)), np.uint8)
        if isinstance(part, Straight):
            return (0, *(x for clan in part.clans for x in (clan.number, np.array(clan.points or [0], np.int64))))[1:]
        if isinstance(part, Multiplied):
            return (*part.tables, part.factor, none)
        return (*part.tables, part.totals_found.table, part.seen, none)


def symbol_of(symbols: Symbols, x: Any) -> Symbol:
    """An expression, or a number as one."""
    return x if isinstance(x, Symbol) else symbols.const(int(x))


def _plane(name: str) -> str:
    return f"H, {_ROW[name] * ROOM} + i"
