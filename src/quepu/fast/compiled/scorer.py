"""Score hands by one compiled loop a book, from tiles to the best reading; the plain twin is `quepu.scoring.score`.

The parts that differ from book to book are generated: its whole shapes, its rows' conditions (as in
`fast.compiled.conditions`) and the weighing. All else is `scorer_loops`, compiled with it, and two loops compiled once
for all books.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays, meld_table
from quepu.fast.arrays.sets import RANKS
from quepu.fast.arrays.shapes import OWN as OWN_PLANES
from quepu.fast.arrays.shapes import WAIT_PLANES
from quepu.fast.arrays.suit_tables import suit
from quepu.fast.arrays.win_places import cases, choices
from quepu.fast.compiled import reading_loops, scorer_loops
from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.compiled.conditions import HEAD, compiled_conditions, instructions
from quepu.fast.compiled.scorer_loops import OWN, ROOM, ROWS, SEAT, WAITS
from quepu.fast.compiled.suit_arrays import suit_arrays, ways_to_stand
from quepu.fast.weighing import Weighing
from quepu.fast.weighing.additive import AdditiveWeighing
from quepu.fast.weighing.product import ProductWeighing
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.hands.hand import Luck
from quepu.hands.planes import ALL_TILES
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import Symbol, Symbols
from quepu.shapes import SHAPES
from quepu.tiles import KINDS

_HANDS = ("t1", "t2", "t3", "t4", "o1", "o2", "o3", "o4", "xp", "k", "kc", "win")
_ROW = {
    **{name: at for at, name in enumerate(_HANDS)},
    **{name: OWN + at for at, name in enumerate(OWN_PLANES)},
    **{name: WAITS + at for at, name in enumerate(WAIT_PLANES)},
    **{name: SEAT + at for at, name in enumerate(("seat", "round", "luck", "flowers"))},
}
"""Rows of planes in a block, as `scorer_loops` has them."""
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
_LOOPS = ("read_block", "fours", "fit")
_SELDOM = ("apart", "ways_apart", "ahead")
"""Functions for few hands: inlined it would take twice as long to compile."""
_LUCK = (int(Luck.CLOSED), int(Luck.SELF_DRAW))
_OWN_IMPORTS = re.compile(r"^from quepu\.[\w.]+ import (\([^)]*\)|[^\n(]*)\n", re.M)


@cache
def reading_code() -> CachedCode:
    """Return the loop that reads a block of hands, for all books."""
    names = [
        name
        for module in (reading_loops, scorer_loops)
        for name, what in vars(module).items()
        if inspect.isfunction(what) and what.__module__ == module.__name__ and name != "score_blocks"
    ]
    more = _OWN_IMPORTS.sub("", inspect.getsource(scorer_loops)).replace("from __future__ import annotations\n", "")
    text = f"{inspect.getsource(reading_loops)}\n\n{HEAD}{_LEVELS}{more}\n\n"
    for name in names:
        how = "cache=True, " if name in _LOOPS else "" if name in _SELDOM else "forceinline=True, "
        text += f"{name} = numba.njit({how}error_model='numpy')({name})\n"
    return CachedCode("readings", text)


_PRODUCT_KERNEL = """    words = R.reshape(RESULTS, ROOM)
    product, none = figures
    weigh_products(words[:-1, :n], words[-1, :n], product, totals[:n], none)
"""
_PRODUCT = """    words = R.reshape(RESULTS, ROOM)
    product, none = figures
    factors = product[3].reshape(-1)
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
        weigh_products(words[3:-1, :few], words[-1, :few], product, found, none)
        for k in range(few):
            totals[words[2, k]] = found[k]
"""
_RESIDUE = """    words = R.reshape(RESULTS, ROOM)
    residue, none = figures
    totals[:n] = -1
    weigh_residues(words[:-1, :n], words[-1, :n], residue, totals[:n], none)
"""


class _Complete(NamedTuple):
    """Tables by the keys that are complete, see `scorer_loops.read_block`."""

    numbered: NDArray[Any]  # uint16 by key
    sums: NDArray[Any]  # int64 [512]
    entry: NDArray[Any]  # int64 by number
    after: NDArray[Any]  # int32 [numbers, 9]


@cache
def _complete() -> _Complete:
    lookup = suit_arrays().lookup[:, 1]
    complete = np.concatenate([[0], np.flatnonzero((lookup >> reading_loops.ENTRY_NUMBER & reading_loops.SPLITS) > 0)])
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
        after[held, rank] = lookup[complete[held] - five[rank]] >> reading_loops.AHEAD
    sums = np.array([sum(5**rank for rank in range(9) if lane >> rank & 1) for lane in range(512)], np.int64)
    return _Complete(numbered, sums, entry, after)


@cache
def _circumstances() -> tuple[Any, ...]:
    """Return the `circumstances` of `scorer_loops.score_blocks`."""
    every, none = np.append(np.arange(KINDS), -1), np.zeros(KINDS + 1, np.int64)
    of_tile = cases(every, none).astype(np.int64)
    drawn = int(cases(every, none + int(Luck.SELF_DRAW))[0] - of_tile[0])
    return of_tile, drawn, *_LUCK, ALL_TILES


def fit(counts: NDArray[Any], melds: NDArray[Any] | None, winning: NDArray[Any]) -> bool:
    """Report whether nothing is wrong with these hands, by loop if that is loaded; False if that cannot be said."""
    code = reading_code()
    melds = np.zeros((0, 0, 2), np.int8) if melds is None else melds
    plain = counts.dtype == np.uint8 and melds.dtype == np.int8 and winning.dtype == np.int64
    if not code.loaded or not plain or not all(x.flags.carray for x in (counts, melds, winning)):
        return False
    return bool(code.functions.fit(counts, melds, winning))


class Found(NamedTuple):
    """The best reading of each hand, as the loop finds it."""

    points: NDArray[np.int32]
    bonus: NDArray[np.int32]
    valid: NDArray[np.bool_]  # whether it is a win
    left: NDArray[np.bool_]  # hands that must be scored in another way
    planes: NDArray[np.int64]  # of the best reading: [ROWS, N], or [ROWS, 0] if they were not requested


class BestPlanes:
    """The planes of each hand's best reading, by their names; zeros where the hand is not a win."""

    ROWS = _ROW

    def __init__(self, rows: NDArray[np.int64]) -> None:
        self.rows = rows

    def __getattr__(self, name: str) -> NDArray[np.int64]:
        try:
            row: NDArray[np.int64] = self.rows[self.ROWS[name]]
        except KeyError:
            raise AttributeError(name) from None
        return row


class CompiledScorer:
    """The loops of one book; its `weighing` makes points of readings."""

    def __init__(self, book: Rulebook, weighing: Weighing) -> None:
        self.book = book
        self._weighing = weighing
        shapes = [(n, SHAPES[name]) for n, name in enumerate(book.shapes)]
        fours = [(shape.fours.form, shape.fours.number, n * RANKS) for n, shape in shapes if shape.fours]
        self._wants_waits = not book.reads.isdisjoint(WAIT_PLANES)
        self._shapes = ways_to_stand(book.shapes), np.array(fours, np.int64).reshape(-1, 3), self._wants_waits
        self._code = CachedCode("scorer", self._text())
        self._counts = compiled_conditions(weighing.count_line)

    @classmethod
    def of(cls, book: Rulebook, weighing: Weighing | None) -> CompiledScorer | None:
        """Build it, or return None if the book's shapes or rows cannot be expressed in symbols."""
        ways = ways_to_stand(book.shapes)
        shapes = [SHAPES[name] for name in book.shapes]
        single = reading_loops.SINGLE
        plain = len(ways) > 0 and ways[0, single] == 0 and (ways[1:, single] != 0).all()
        if weighing is None or not plain or any(not (x.sets or x.fours or x.whole) for x in shapes):
            return None
        try:
            return cls(book, weighing)
        except (TypeError, AttributeError, ValueError, IndexError, KeyError):  # as `conditions.expressions`
            return None

    def compiled(self, fans: bool) -> bool:
        """Report whether all code is cached, that of fan counts too if `fans`."""
        kernels = isinstance(self._weighing, AdditiveWeighing) or self._weighing.code.there
        counts = not fans or (self._counts is not None and self._counts.compiled)
        return kernels and counts and self._code.there and reading_code().compiled("read_block")

    def loaded(self, fans: bool) -> bool:
        """Report whether this process has all code ready, that of fan counts too if `fans`."""
        ready = self._code.loaded and bool(self._code.functions.score_blocks.signatures)
        return ready and (not fans or (self._counts is not None and self._counts.loaded))

    def steps(self, fans: bool) -> list[Callable[[], None]]:
        """Return the steps to compile all code, or to load it from the cache; nothing is scored."""
        none = HandArrays(np.zeros((0, KINDS), np.uint8))
        hands = self._hands(none)
        steps = [
            lambda: reading_code().compile("fit", hands[0], np.zeros((0, 0, 2), np.int8), none.winning),
            lambda: self._functions().score_blocks.compile(_types(*self._arguments(none, planes=False))),
        ]
        if fans and self._counts is not None:
            steps.append(self._counts.load)
        return steps

    @property
    def counts_fans(self) -> bool:
        """Whether fan counts can be compiled."""
        return self._counts is not None

    def score(self, wins: HandArrays, planes: bool) -> Found:
        """Find the best reading of each hand, with its planes if `planes`."""
        arguments = self._arguments(wins, planes)
        self._functions().score_blocks(*arguments)
        if isinstance(self._weighing, ResidueWeighing):
            self._weighing.save_totals(wins.n)
        return Found(*arguments[-1])

    def counts(self, planes: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return how often each row counts in best readings with these planes: uint8 [N, rows]."""
        if self._counts is None:
            raise ValueError(self.book.id)
        h = BestPlanes(planes)
        return self._weighing.counts(self._counts(h, planes.shape[1]), h)

    def _functions(self) -> Any:
        reading_code().functions  # noqa: B018  # which the loop finds by their modules' names
        if not isinstance(self._weighing, AdditiveWeighing):
            self._weighing.code.functions  # noqa: B018
        return self._code.functions

    def _hands(self, wins: HandArrays) -> tuple[NDArray[Any], ...]:
        counts = np.require(wins.counts, np.uint8, ("C", "A", "W"))
        melds = np.full((wins.n, 0, 2), -1, np.int8) if wins.meld_array is None else wins.meld_array
        melds = np.require(melds, np.int8, ("C", "A", "W"))
        return counts, melds, wins.winning, wins.seat_kind, wins.round_kind, wins.given_luck, wins.flowers

    def _arguments(self, wins: HandArrays, planes: bool) -> tuple[Any, ...]:
        arrays = suit_arrays()
        tables = (
            arrays.bits, arrays.five, arrays.start, arrays.lookup, arrays.splits, meld_table(),
            *choices("place" in self.book.reads), *_complete(),
        )  # fmt: skip
        points, bonus = np.empty((2, wins.n), np.int32)
        valid, left = np.zeros((2, wins.n), np.bool_)
        found = points, bonus, valid, left, np.zeros((ROWS, wins.n if planes else 0), np.int64)
        return self._hands(wins), tables, self._shapes, _circumstances(), self._figures(), found

    # ---- the text

    def _text(self) -> str:
        weigh, results = self._weigh()
        loop = inspect.getsource(scorer_loops.score_blocks)
        constants = {name: x for name, x in vars(scorer_loops).items() if name.isupper() and isinstance(x, int)}
        lines = [f"{name} = {what}\n" for name, what in {**constants, "RESULTS": results}.items()]
        imports = "from sys import modules\nfrom typing import Any\n\nimport numpy as np\n\n"
        others = [(reading_code(), "read_block")]
        if not isinstance(self._weighing, AdditiveWeighing):
            others.append((self._weighing.code, self._weighing.kernel_name))
        taken = "".join(f"{name} = modules[{code.module!r}].{name}\n" for code, name in others)
        inlined = "".join(f"{name} = numba.njit(forceinline=True)({name})\n" for name in ("wholes", "weigh"))
        made = f"{inlined}score_blocks = numba.njit(error_model='numpy', cache=True)(score_blocks)\n"
        return f"{HEAD}{imports}{taken}{''.join(lines)}\n\n{self._wholes()}\n\n{weigh}\n\n{loop}\n\n{made}"

    def _wholes(self) -> str:
        """Write the function that reads whole shapes."""
        symbols = Symbols()
        h: Any = symbols.planes
        t1, t2, t3, t4 = reading_loops.without(h.t1, h.t2, h.t3, h.t4, h.win)
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
        text = "def wholes(n, planes, block, winning, at):\n    (H, whole), (index, own, waits) = planes, block\n"
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
        """Write the function that makes points of readings; return it and how many results its conditions have."""
        symbols, weighing = Symbols(), self._weighing
        product = weighing.product(symbols.planes) if isinstance(weighing, ProductWeighing) else None
        made = [symbol_of(symbols, x) for x in product or weighing.line(symbols.planes)]
        line, names = instructions(made, _plane)
        text = f"def weigh(n, H, R, figures, totals, more):\n    for i in range(n):\n        {line}\n"
        text += "".join(f"        R[{k * ROOM} + i] = {name}\n" for k, name in enumerate(names))
        if isinstance(weighing, AdditiveWeighing):
            text += "    for i in range(n):\n        total, unmet = R[i], False\n"
            for k, clan in enumerate(weighing.clans):
                text += f"        number = figures[{2 * k}][R[{(2 + k) * ROOM} + i] & {len(clan.number) - 1}]\n"
                text += f"        unmet |= number < 0\n        total += figures[{2 * k + 1}][max(number, 0)]\n"
            if weighing.when_nothing is not None:
                text += f"        total += (total == 0) * {int(weighing.values[weighing.when_nothing])}\n"
            text += f"        totals[i] = -1 if unmet else total\n        more[i] = R[{ROOM} + i]\n"
        elif isinstance(weighing, ProductWeighing):
            text += _PRODUCT if product else _PRODUCT_KERNEL
        else:
            text += _RESIDUE
        return text, len(made)

    def _figures(self) -> Any:
        weighing = self._weighing
        if isinstance(weighing, AdditiveWeighing):
            clans = weighing.clans
            return (0, *(x for clan in clans for x in (clan.number, np.array(clan.points or [0], np.int64))))[1:]
        return weighing.figures_of_kernel, np.zeros((0, len(self.book.fans)), np.uint8)


def _types(*arguments: Any) -> tuple[Any, ...]:
    from numba import typeof

    return tuple(map(typeof, arguments))


def symbol_of(symbols: Symbols, x: Any) -> Symbol:
    """An expression, or a number as one."""
    return x if isinstance(x, Symbol) else symbols.const(int(x))


def _plane(name: str) -> str:
    return f"H, {_ROW[name] * ROOM} + i"
