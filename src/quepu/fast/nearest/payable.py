"""Distance of a hand to the nearest that may *win*, and values of discards; the plain twin is `nearest.on_demand`.

A player who only counts missing tiles often completes a hand below the minimum. Here every decomposed standard hand
is scored once by the book's own rows, for a closed and for an exposed hand; a query then joins, suit by suit, only
the readings near the hand. Melds, kongs and copies that cannot come any more are taken into account. The
table leaves out kongs, 暗刻 of an exposed hand, waits and luck, so a hand may be worth more than it says, but not
less. Special shapes are valued separately.

    value(discard) = sum over targets that do not need it: gain × ways to draw the missing tiles × rate[missing]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, ClassVar
from weakref import ref

import numpy as np

from quepu.errors import Error
from quepu.fast.nearest.gain_files import GainCase, cases
from quepu.fast.nearest.join import Joined, JoinQuery, joiner, prepare_readings
from quepu.fast.nearest.join_code import compile_join
from quepu.fast.nearest.payments import build, file_beside, load_stored, open_table, table, unload
from quepu.fast.nearest.preferences import Preferences, by_pay, compile_features, feature_classes, liking
from quepu.fast.nearest.receipts import DEEPEST, DRAWN_SHARE, FAR, GAIN_PACE, receipt, special_aim, special_ways
from quepu.fast.nearest.receipts import rates as plain_rates
from quepu.fast.nearest.suit_readings import in_wind_order, winds_first
from quepu.fast.result_cache import store
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.compiled_classes import compile_loops
from quepu.fast.universe.hand_index import Array, order
from quepu.fast.universe.standard_hands import MELD_SETS, melds
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.automaton import Tiles, automaton
from quepu.shapes.distance import tiles_of
from quepu.tiles import KINDS

__all__ = ["FAR", "Look", "Payable", "rates"]

_Style = tuple[float, float, Preferences | None]
"""`called`, `opened` and `preferences` of `Payable.look`."""
LOOKS_CACHED = 2048
"""Looks in the cache: the hands of a duplicate match, and several bots at one table, need most of them again."""


@dataclass(frozen=True)
class Look:
    """Result of a query: least missing tiles to a payable hand (FAR if none is left), and the values of discards.

    `values` are those left after each of 34 discards, `total` that of discarding nothing. `by_discard` has the same in
    parts, before distance is weighed: [n, 0] the ways to draw the tiles missing to all payable hands `missing + n`
    tiles away, [n, 1] those ways times the gains of the hands; for each of 34 discards and, last, for none. `useful`
    holds for each discard a mask of the kinds (bit k) that then bring the nearest payable hand nearer, 0 where it is
    no longer as near; `helps` the same for discarding nothing.
    """

    missing: int
    values: Array
    total: float
    useful: Array
    helps: int
    by_discard: Array

    def copies(self, unseen: Array) -> Array:
        """Number of unseen copies of useful tiles that each of 34 discards leaves."""
        found: Array = (self.useful[:, None] >> np.arange(KINDS) & 1) @ np.asarray(unseen)
        return found

    @property
    def reachable(self) -> bool:
        """Whether any of these hands can still be drawn."""
        return bool(self.by_discard.any())

    def best(self, held: Array) -> int:
        """Return the kind in hand whose discard leaves the highest value, lowest kind among equals."""
        return int(np.argmax(np.where(held > 0, self.values, -1.0)))


class Payable:
    """Queries about one book. Tables that are not shipped are built on first use (some ten seconds each) and cached.

    Of several in a process only the one that was used last holds memory for the files it reads (some 90 MB).
    """

    _last: ClassVar[ref[Payable] | None] = None

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.looks_at_round = "round" in book.reads
        self._tables: dict[GainCase, Array] = {}
        self._mixed: dict[tuple[bool, float], Array] = {}
        weak = ref(self)  # in a cycle the tables would stay until the garbage collector finds it

        def look(*given: Any) -> Look:
            alive = weak()
            assert alive is not None  # noqa: S101  # it is called by its own method
            return alive._look(*given)

        self._cached = lru_cache(LOOKS_CACHED)(look)

    def table(self, closed: bool, double_wind: bool = False) -> Array:
        """Return the gains of every standard hand in this state."""
        case = GainCase(closed, double_wind and self.looks_at_round)
        if case not in self._tables:
            self._tables[case] = table(self.book, case)
        return self._tables[case]

    def opened_table(self, share: float, double_wind: bool = False) -> Array:
        """Return `table` for closed hands of which this share will be opened before they are complete: 25 MB more."""
        key = double_wind and self.looks_at_round, share
        if key not in self._mixed:
            closed, exposed = (self.table(state, double_wind) for state in (True, False))
            self._mixed[key] = open_table(closed, exposed, share)
        return self._mixed[key]

    def release(self) -> None:
        """Return the memory of tables that are in files to the system; a query reads them again as needed."""
        for one in (*self._tables.values(), *self._mixed.values()):
            unload(one)

    def _hold_alone(self) -> None:
        last = None if Payable._last is None else Payable._last()
        if last is not self:
            Payable._last = ref(self)
            if last is not None:
                last.release()

    def ready(self) -> bool:
        """Open every table that is in the cache folder; whether these are all: then no query builds one."""
        wanted = cases(self.book)
        for case in wanted:
            if case not in self._tables and (found := load_stored(self.book, case)) is not None:
                self._tables[case] = found
        return len(self._tables) == len(wanted)

    def preparing(self) -> Iterator[float]:
        """Build (or load) every table of this book, some tenths of a second at a time; the share done after each."""
        self.ready()
        missing = [case for case in cases(self.book) if case not in self._tables]
        for number, case in enumerate(missing):
            parts = build(self.book, case)
            while case not in self._tables:
                try:
                    yield (number + next(parts)) / (len(missing) + 0.05)
                except StopIteration as end:
                    self._tables[case] = end.value
        for double_wind in (False, True) if self.looks_at_round else (False,):
            feature_classes(double_wind)  # what styles look up beside the tables, once for all books
            yield len(missing) / (len(missing) + 0.05)
        compile_join()
        _ = self.ordinary_points  # put into its file before bots in many processes need it
        yield 1.0

    def prepare(self) -> None:
        """Do the same in one go, so that processes started next only open the tables."""
        if not self.ready():
            compile_loops(Classes(self.book))
        for _ in self.preparing():
            pass

    @cached_property
    def ordinary_points(self) -> int:
        """Points of an ordinary win: those whose receipt is the mean of exposed hands that may win.

        Hands are weighed by their physical tile sets, doubled for every pung, which is how often hands are made. They
        are written beside the table: working them out takes 100 MB, which a process would hold for good.
        """
        path = file_beside(self.table(False), "ordinary", ".txt")
        try:
            return int(path.read_bytes()) if path is not None else self._ordinary_points()
        except (OSError, ValueError):
            made = self._ordinary_points()
        if path is not None:
            store(path, lambda file: file.write(str(made).encode()))
        return made

    def _ordinary_points(self) -> int:
        gain = (row >> 1 for row in np.asarray(self.table(False)).reshape(KINDS, MELD_SETS))
        sets = melds()
        weight = (sets.weight * 2.0**sets.pungs)[order()]
        rows = [(float(row @ weight), float((row > 0) @ weight)) for row in gain]  # row by row: as floats it is 100 MB
        mean = sum(paid for paid, _ in rows) / max(sum(pays for _, pays in rows), 1.0)
        for points in range(self.book.minimum, 10_000):
            try:
                made = [receipt(self.book, points, drawn) for drawn in (False, True)]
            except Error:
                continue  # no hand is worth so many points
            if (1 - DRAWN_SHARE) * made[0] + DRAWN_SHARE * made[1] >= mean:
                return points
        return self.book.minimum

    def look(
        self,
        hand: Hand,
        unseen: Array,
        extra: int = 0,
        rate: Array | None = None,
        alike: bool = False,
        called: float = 1.0,
        opened: float = 0.0,
        preferences: Preferences | None = None,
    ) -> Look:
        """Find the least distance to a payable hand, and with `rate` the value of every discard.

        `hand` holds the concealed tiles (13 or 14 less three for each meld; its `winning` counts as one of them) and
        the melds; `unseen` (int, 34) the copies of each kind that may still come; with `extra`, targets that many
        tiles farther are summed too. `rate[n]` weighs a target that lacks n tiles;
        `alike` gives all one worth; `called` weighs the third tile of a pung, which anyone's discard may give. With
        `opened`, closed hands two or more tiles away are taken to be opened by claims that often on their way: what
        pays only if closed counts less by so much, special shapes too. With `preferences`, gains are what hands are
        worth to such a player.
        """
        concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
        canonical = hand._replace(concealed=concealed, winning=None)
        could = np.asarray(unseen, np.int64).tobytes()
        rated = None if rate is None else rate.tobytes()
        return self._cached(canonical, could, extra, rated, alike, (called, opened, preferences))

    def _look(self, hand: Hand, unseen: bytes, extra: int, rated: bytes | None, alike: bool, style: _Style) -> Look:
        """Do the same without the cache; a plan of several hands on the same wall repeats many queries."""
        self._hold_alone()
        called, opened, preferences = style
        concealed = hand.concealed
        could = np.frombuffer(unseen, np.int64)
        rate = None if rated is None else np.frombuffer(rated)
        by = winds_first(hand.seat, hand.round if self.looks_at_round else hand.seat)
        own, chows, pungs = in_wind_order(concealed, hand.melds, by)
        tiles = tiles_of(concealed, hand.melds)
        nearest = automaton().missing(tiles.key, tiles.need)  # no payable hand is nearer
        double_wind = hand.seat == hand.round and self.looks_at_round
        if opened and hand.closed and nearest >= 2:
            points = self.opened_table(opened, double_wind)
        else:
            points = self.table(hand.closed, double_wind)
        levels = 0 if rate is None else extra + 1
        liked = None
        if preferences is not None:
            liked = liking(preferences, double_wind) if preferences.likes else by_pay(preferences, points)
        question = JoinQuery(points, np.array(own), could[[*by]], chows, pungs, called, levels, liked)

        def summed(nothing_within: int) -> bool:
            """Return whether farther hands would count: not if a special shape is nearer by more than `extra`."""
            most = nothing_within - extra
            return bool(hand.melds) or most < 0 or not self._special_within(most, tiles, concealed, could)

        cap, found = nearest + extra, Joined(FAR, np.zeros((levels, 2, KINDS + 1)), np.zeros(KINDS, np.int64), 0)
        if summed(nearest - 1):
            found = joiner()(question, cap)
        while (
            found.missing + extra > cap
            and (found.missing < FAR or cap < DEEPEST)
            and summed(min(found.missing - 1, cap))
        ):
            cap = found.missing + extra if found.missing < FAR else cap + 1
            found = joiner()(question, cap)
        useful, helps = found.useful, found.helps
        by_discard = found.by_discard if levels else np.zeros((extra + 1, 2, KINDS + 1))
        if moved := _move_winds(hand.seat, hand.round if self.looks_at_round else hand.seat):
            back, shifts = moved
            by_discard[:, :, 27:31] = by_discard[:, :, back]
            useful = _in_kinds(useful, shifts)
            useful[27:31] = useful[back]
            helps = int(_in_kinds(helps, shifts))
        look = Look(found.missing, np.zeros(KINDS), 0.0, useful, helps, by_discard)
        if not hand.melds:
            look = self._specials(look, concealed, could, extra, opened, preferences)
        if rate is not None and look.missing < FAR:
            # no matrix product: BLAS libraries round each in their own way, and equal discards would differ
            parts = rate[look.missing : look.missing + extra + 1, None] * look.by_discard[:, 0 if alike else 1]
            values = parts.sum(axis=0)
            return Look(look.missing, values[:KINDS], float(values[KINDS]), look.useful, look.helps, look.by_discard)
        return look

    def _special_shapes(self) -> tuple[str, ...]:
        """Return the shapes that are looked at beside the table."""
        return self.book.shapes

    def _special_within(self, most: int, tiles: Tiles, concealed: Sequence[int], unseen: Any) -> bool:
        """Return whether a special shape that pays and can still come lacks so many tiles at most."""
        shapes = (SHAPES[name] for name in self._special_shapes())
        return any(special_aim(self.book, shape, tiles, concealed, unseen, most) is not None for shape in shapes)

    def _specials(
        self, look: Look, concealed: Sequence[int], unseen: Any, extra: int, opened: float,
        preferences: Preferences | None,
    ) -> Look:  # fmt: skip
        """Do the same, then add the special shapes that pay and are as near."""
        tiles = tiles_of(concealed)
        for name in self._special_shapes():
            shape = SHAPES[name]
            aim = special_aim(self.book, shape, tiles, concealed, unseen, look.missing + extra)
            if aim is None:
                continue
            missing, gain, discards, helps = aim
            if preferences is not None:
                gain = gain**preferences.power * 2.0**preferences.special
            useful, all_helps, by_discard = look.useful, look.helps, look.by_discard
            if missing < look.missing:  # nearer than all before: the levels move up
                up = min(look.missing - missing, extra + 1)
                by_discard = np.concatenate([np.zeros((up, 2, KINDS + 1)), by_discard[: extra + 1 - up]])
                useful, all_helps = np.zeros(KINDS, np.int64), 0
            spare = list(discards)
            if missing <= look.missing:
                useful[spare] |= helps
                all_helps |= helps
            nearest = min(look.missing, missing)
            left = [*(tiles.without_tile(kind) for kind in spare), tiles]
            ways = np.array([special_ways(shape, one, unseen, missing) for one in left])
            if missing >= 2:
                ways *= 1 - opened
            by_discard[missing - nearest][:, [*spare, KINDS]] += np.array([1.0, gain])[:, None] * ways
            look = Look(nearest, look.values, look.total, useful, all_helps, by_discard)
        return look


@cache
def _move_winds(seat: int, round_: int) -> tuple[Array, tuple[int, ...]] | None:
    """Return each wind's place in the table's order, and the wind at each place; None if all are in place."""
    by = winds_first(seat, round_)[27:31]
    return None if by == (27, 28, 29, 30) else (27 + np.argsort(by), by)


def _in_kinds(masks: Any, winds: tuple[int, ...]) -> Any:
    """Turn masks of kinds in the order of the table into masks of kinds."""
    moved = sum((masks >> 27 + i & 1) << wind for i, wind in enumerate(winds))
    return masks & ~(0b1111 << 27) | moved


@lru_cache(4096)
def rates(turns: float, unseen_tiles: int, pace: float = GAIN_PACE) -> Array:
    """Return the weight of n missing tiles, 0-16, as an array."""
    return np.array(plain_rates(turns, unseen_tiles, pace))


def compile_queries() -> None:
    """Compile every loop that tables and queries need, or load it from the cache, and build the readings of suits.

    Nothing is scored for that.
    """
    compile_features()
    compile_join()
    prepare_readings()


_TABLES: dict[str, Payable] = {}
_MOST_TABLES = 4


def payable(book: Rulebook) -> Payable:
    """Return the table of this book, one for each fingerprint in a process; only the books used last are cached."""
    found = _TABLES.pop(book.fingerprint, None) or Payable(book)
    while len(_TABLES) >= _MOST_TABLES:
        del _TABLES[next(iter(_TABLES))]
    _TABLES[book.fingerprint] = found
    return found


def release_tables() -> None:
    """Return the memory of all tables that are in files to the system; later look-ups read them again."""
    for found in _TABLES.values():
        found.release()
    if feature_classes.cache_info().currsize:
        for double_wind in (False, True):
            unload(feature_classes(double_wind).numbers)
