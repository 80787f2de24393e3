"""Score hands by one compiled loop a book, from tiles to the best reading; the plain twin is `quepu.scoring.score`.

The parts that differ from book to book are generated: its whole shapes, its rows' conditions (as in
`fast.compiled.conditions`) and the weighing. All else is `scorer_loops`, compiled with it, and two loops compiled once
for all books.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays, meld_table
from quepu.fast.arrays.hand_lists import from_hands
from quepu.fast.arrays.readings import one
from quepu.fast.arrays.sets import RANKS
from quepu.fast.arrays.shapes import WAIT_PLANES
from quepu.fast.arrays.win_places import choices
from quepu.fast.compiled import context as places
from quepu.fast.compiled import reading_loops
from quepu.fast.compiled.code_cache import MachineCode
from quepu.fast.compiled.conditions import expressions
from quepu.fast.compiled.context import BONUS_BITS, ROOM, ROWS
from quepu.fast.compiled.loop_code import PLANE_ROWS, address_of, asking_code, hits_code, reading_code, weighing_code
from quepu.fast.compiled.suit_arrays import circumstance_numbers, complete_keys, suit_arrays, ways_to_stand
from quepu.fast.weighing import Weighing
from quepu.fast.weighing.additive import AdditiveWeighing
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.hands.hand import Hand, Luck, flower_plane
from quepu.hands.planes import Planes
from quepu.rules.arithmetic import Counted, Listing, Tally
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import Symbol, Symbols
from quepu.shapes import SHAPES

Known = tuple[int, int, Any]
"""Points and bonus of a hand, and what holds in its best reading, or counts."""
_OTHERWISE, _UNMET = -2, -3
"""Results of a hand that has to be scored in another way, and of one of figures that were not met yet."""
_BONUS = (1 << BONUS_BITS) - 1
_PLANES = len(Planes._fields)


class Found(NamedTuple):
    """The best reading of each hand, as the loop finds it."""

    points: NDArray[np.int32]
    bonus: NDArray[np.int32]
    valid: NDArray[np.bool_]  # whether it is a win
    left: NDArray[np.uint8]  # why a hand must be scored in another way (`places.UNMET`, `MANY`), or 0
    planes: NDArray[np.int64]  # of the best reading: [ROWS, N], or [ROWS, 0] if they were not requested
    counts: NDArray[np.uint8]  # how often each row counts: [N, rows], or [0, rows] if that was not requested


class BestPlanes:
    """The planes of each hand's best reading, by their names; zeros where the hand is not a win."""

    ROWS = PLANE_ROWS

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
        self.weighing = weighing
        self._wants_waits = not book.reads.isdisjoint(WAIT_PLANES)
        self._wholes = [
            (n, shape.whole)
            for n, shape in enumerate(SHAPES[name] for name in book.shapes)
            if shape.whole is not None and not shape.sets and not shape.fours
        ]
        line = expressions(weighing.loop_line)
        if line is None:
            raise TypeError(book.id)
        self._asking = asking_code({"line": line, **self._whole_parts()})
        count_line = expressions(weighing.count_line) if isinstance(weighing, AdditiveWeighing) else line
        self._counting = asking_code({"line": count_line}) if count_line and count_line is not line else None
        self._hits: MachineCode | None = None
        self._listing = book.arithmetic if isinstance(book.arithmetic, Listing) else None
        if self._listing is None:
            held = expressions(lambda h: [fan.when(h) for fan in book.fans])
            if held is None:
                raise TypeError(book.id)
            self._hits = hits_code(held)
        most = 2 * places.MOST_COUNTED if self._hits is None else _PLANES + 2 * len(book.fans)
        self._room = ctypes.c_int64 * (1 + most)
        self._results = max(len(line), len(count_line or ()))
        self._weighing = weighing_code(weighing.kernel)
        self._with_counts = False

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

    # ---- code

    def _codes(self, fans: bool) -> list[MachineCode]:
        counting = [self._counting] if fans and self._counting is not None else []
        return [reading_code(), self._weighing, self._asking, *([self._hits] if fans and self._hits else []), *counting]

    def compiled(self, fans: bool) -> bool:
        """Report whether all code is cached, that of fan counts too if `fans`."""
        return all(code.there for code in self._codes(fans))

    def loaded(self, fans: bool) -> bool:
        """Report whether this process has all code ready, that of fan counts too if `fans`."""
        return all(code.loaded for code in self._codes(fans))

    def steps(self, fans: bool) -> list[Callable[[], None]]:
        """Return the steps to compile all code, or to load it from the cache; nothing is scored."""
        reading, weighing, *asking = self._codes(fans)
        return [reading.load, weighing.load, *(code.load for code in asking)]

    # ---- the context

    @cached_property
    def _context(self) -> NDArray[np.int64]:
        """The words that the loops read (see `scorer_loops`), with the addresses of functions but those for counts."""
        arrays = suit_arrays()
        of_tile, drawn, closed, drawn_luck, every_tile = circumstance_numbers()
        fours = [
            (shape.fours.form, shape.fours.number, n * RANKS)
            for n, shape in enumerate(SHAPES[name] for name in self.book.shapes)
            if shape.fours
        ]
        wholes = [(whole.form, n * RANKS) for n, whole in self._wholes]
        words, block = np.int64, places.BLOCK
        one = [np.zeros(size, kind) for size, kind in ((34, np.uint8), (8, np.int8), *((1, words),) * 5)]
        one += [np.zeros(1, kind) for kind in (np.int32, np.int32, np.uint8, np.uint8)] + [np.zeros((ROWS, 1), words)]
        one += [np.zeros(len(self.book.fans), np.uint8)] * (self._listing is not None)
        one_hand = np.zeros(places.BLOCK_WORDS, words)
        one_hand[:2], one_hand[places.FAN_NUMBER] = (1, 4), len(self.book.fans)
        one_hand[2 : 2 + len(one)] = [x.ctypes.data for x in one]
        self._one = one_hand, one
        whole_rows = 3 + 4 * len(wholes)
        number, place, loses = choices("place" in self.book.reads)
        numbered, sums, of_key, after = complete_keys()
        named: dict[str, Any] = dict(  # noqa: C408
            LINE=self._asking.address("line"), COUNT_LINE=0, WEIGH=self._weighing.address("weigh"),
            WHOLES=self._asking.address("wholes") if wholes else 0,
            WHOLE_PLANES=self._asking.address("whole_planes") if wholes else 0,
            WANTS_WAITS=int(self._wants_waits), DRAWN=drawn, CLOSED_BIT=closed, DRAWN_LUCK=drawn_luck,
            ALL_TILES=every_tile, BITS=arrays.bits, FIVE=arrays.five, START=arrays.start, LOOKUP=arrays.lookup,
            SPLIT_PLANES=arrays.splits, OF_MELD=meld_table(), CASE_OF=of_tile, PLACE_NUMBER=number, PLACE=place,
            LOSES=loses, NUMBERED=numbered, SUMS=sums, OF_KEY=of_key, AFTER=after,
            WAYS=ways_to_stand(self.book.shapes), FOUR_SHAPES=np.array(fours, words).reshape(-1, 3),
            WHOLE_SHAPES=np.array(wholes, words).reshape(-1, 2), H=np.zeros((ROWS, ROOM), words),
            RESULTS=np.zeros((self._results, ROOM), words), BEST_PLANES=np.zeros((ROWS, ROOM), words),
            CASE=np.zeros(block, words), HAND_NUMBERS=np.zeros((2, block), np.uint8), INDEX=np.zeros((2, ROOM), words),
            SCRATCH=np.zeros((11, block + 1), words), WHOLE=np.zeros((whole_rows, ROOM), words),
            TOTALS=np.zeros(ROOM, np.int32), MORE=np.zeros(ROOM, np.int32), BEST=np.zeros(block, words),
            FOURS_ROOM=np.zeros(block + 8, words), ONE=one_hand,
        )  # fmt: skip
        entries = {getattr(places, name): entry for name, entry in named.items()}
        entries |= dict(enumerate(self.weighing.context, places.FIGURES))
        context = np.zeros((max(entries) + 1, places.ENTRY_WORDS), words)
        for at, entry in entries.items():
            if isinstance(entry, np.ndarray):
                if not entry.flags.carray:
                    entry = entries[at] = np.require(entry, None, ("C", "A", "W"))  # noqa: PLW2901
                context[at, 0] = entry.ctypes.data
                context[at, 1 : 1 + entry.ndim] = entry.shape
            else:
                context[at, 0] = entry
        context[places.SELF, 0] = context.ctypes.data
        self._entries = entries  # whose memory it points to
        return context

    def _words_for(self, fans: bool) -> NDArray[np.int64]:
        context = self._context
        if fans and not self._with_counts:
            code = self._counting or self._asking
            context[places.COUNT_LINE, 0] = code.address("line")
            if self._hits is not None:
                context[places.HITS, 0] = self._hits.address("hits")
            self._with_counts = True
        return context

    @cached_property
    def _score(self) -> Callable[..., int]:
        return reading_code().function("score")

    @cached_property
    def _context_at(self) -> ctypes.c_void_p:
        return address_of(self._context)

    # ---- scoring

    def score(self, wins: HandArrays, planes: bool, fans: bool) -> Found:
        """Find the best reading of each hand, with its planes if `planes` and counts of rows if `fans`."""
        n, rows = wins.n, len(self.book.fans)
        self._words_for(fans)
        counts = np.require(wins.counts, np.uint8, ("C", "A", "W"))
        melds = np.zeros((n, 0, 2), np.int8) if wins.meld_array is None else wins.meld_array
        melds = np.require(melds, np.int8, ("C", "A", "W"))
        points, bonus = np.empty((2, n), np.int32)
        found = Found(
            points, bonus, np.zeros(n, np.bool_), np.zeros(n, np.uint8), np.zeros((ROWS, n if planes else 0), np.int64),
            np.zeros((n if fans else 0, rows), np.uint8),
        )  # fmt: skip
        columns = wins.winning, wins.seat_kind, wins.round_kind, wins.given_luck, wins.flowers
        arrays = [counts, melds, *columns, *found]
        block = [
            n,
            melds.shape[1],
            *(array.ctypes.data if array.size or at < 11 else 0 for at, array in enumerate(arrays)),
        ]
        words = np.array([*block, rows], np.int64)
        self._score(self._context_at, address_of(words), None, 0, 0, 0, None)
        if isinstance(self.weighing, ResidueWeighing):
            self.weighing.save_totals(n)
        return found

    def score_one(self, hand: Hand) -> Known | None:
        """Score one hand, or return None if it has to be scored in another way (or is not a win)."""
        held = self._room()
        found = self._score_one(hand, held)
        if found == _UNMET and self.meet(from_hands([hand])):
            found = self._score_one(hand, held)
        return (found >> BONUS_BITS, found & _BONUS, held) if found >= 0 else None

    def tally(self, known: Known) -> Tally | None:
        """Return the tally of the best reading of a hand that was scored; None if only its lines are known."""
        if self._hits is None:
            return None
        held = known[2]
        words = held[1 : 1 + held[0]]
        h = Planes._make(words[:_PLANES])
        return self.book.tally_hits(tuple(zip(words[_PLANES::2], words[_PLANES + 1 :: 2], strict=True)), h)

    def counted(self, known: Known) -> Sequence[Counted] | None:
        """Return the lines of a hand that was scored; None if its tally is known."""
        if self._listing is None:
            return None
        held = known[2]
        words = held[1 : 1 + held[0]]
        return self._listing.list_counted(self.book, zip(words[::2], words[1::2], strict=True))

    def meet(self, wins: HandArrays) -> bool:
        """Learn figures of these hands that were not met before; report whether all of them can then be scored."""
        if not isinstance(self.weighing, AdditiveWeighing):
            return False
        while True:
            found = self.score(wins, planes=True, fans=False)
            unmet = np.flatnonzero(found.left == places.UNMET)
            if not unmet.size:
                return not found.left.any()
            h = BestPlanes(found.planes)
            for at in unmet.tolist():
                self.weighing.meet(one(h, at))

    def _score_one(self, hand: Hand, room: Any) -> int:
        concealed, melds, winning, seat, round, luck, flowers = hand
        try:
            tiles = bytes((winning, seat, round, *concealed, *sum(melds, ())))  # type: ignore[arg-type]
        except (TypeError, ValueError):  # no winning tile, or numbers that are no kinds
            return _OTHERWISE
        if not self._with_counts:
            self._words_for(fans=True)
        number = len(concealed) | len(melds) << 8
        return self._score(self._context_at, None, tiles, number, luck, flower_plane(flowers) if flowers else 0, room)

    def _whole_parts(self) -> dict[str, list[Symbol]]:
        """Return whether each whole shape is there, with waits and waits of the pair; the planes of their readings."""
        if not self._wholes:
            return {}
        symbols = Symbols()
        h: Any = symbols.planes
        t1, t2, t3, t4 = reading_loops.without(h.t1, h.t2, h.t3, h.t4, h.win)
        before: Any = h._replace(t1=t1, t2=t2, t3=t3, t4=t4, luck=h.luck & ~int(Luck.CLOSED))
        bare = (h.o1 | h.xp | h.kc) == 0
        there: Any = 0
        found: Any = 0
        in_pair: Any = 0
        planes: list[Any] = []
        for k, (n, whole) in enumerate(self._wholes):
            there = there | whole.when(h) * (bare if whole.bare else 1) * (1 << k)
            if self._wants_waits:
                more, pairs = SHAPES[self.book.shapes[n]].waits(before)
                found, in_pair = found | more * bare, in_pair | pairs * bare
            fours, pair, place = (symbol_of(symbols, what(h)) for what in (whole.fours, whole.pair, whole.place))
            planes += [fours | h.xp | h.kc, fours | h.kc, pair, place]
        parts = {"wholes": [there, found, in_pair], "whole_planes": planes}
        return {name: [symbol_of(symbols, x) for x in made] for name, made in parts.items()}


def symbol_of(symbols: Symbols, x: Any) -> Symbol:
    """Return an expression as it is, or a number as one."""
    return x if isinstance(x, Symbol) else symbols.const(int(x))
