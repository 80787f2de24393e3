"""Find and score the nearest hands that may win, without tables: the plain twin of `nearest.payable`.

In a browser there is no numpy, and no room for tables. Here the readings of each suit are sorted by how many tiles they
lack, and hands are put together from them distance by distance until some may win. Those alone are scored, by the
book's own rows: some hundreds for a usual hand, tens of thousands for a hopeless one. The answers are those
of `payable.Payable.look`, to the last digit; slow tests compare the two. Only if more than `MOST_HANDS` are near, those
that are drawn in the fewest ways are left out. The limit is a number of hands, not a time, so bots play alike on every
machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import ceil
from struct import pack, unpack
from typing import NamedTuple

from quepu.fast.nearest.receipts import (
    DEEPEST,
    DRAWN_SHARE,
    FAR,
    LEAST_RECEIPT,
    SpecialAim,
    receipt,
    special_aim,
    special_ways,
)
from quepu.fast.nearest.suit_readings import NearLane, NearPart, in_wind_order, rows_of, winds_first
from quepu.hands.hand import Hand, Luck
from quepu.hands.planes import STANDARD, Planes
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES, Shape
from quepu.shapes.automaton import Tiles, automaton
from quepu.shapes.distance import tiles_of
from quepu.tiles import BIT, EAST, KINDS

MOST_HANDS = 30_000
"""Most hands that one look scores: a second of Python if none of them is remembered."""
_MOST_GAINS = 100_000
"""Hands of a book and state whose gains are remembered, some 12 MB: the next turn needs most of them again."""
_MOST_PAID = 32767
_BOOKS = 4


@dataclass(frozen=True)
class NearLook:
    """The numbers of `payable.Look` as plain lists, for each of 34 discards and for discarding nothing."""

    missing: int
    values: Sequence[float]
    total: float
    useful: Sequence[int]
    helps: int
    reachable: bool

    def copies(self, unseen: Sequence[int]) -> list[int]:
        """Number of unseen copies of useful tiles that each of 34 discards leaves."""
        return [sum(unseen[kind] for kind in range(KINDS) if mask >> kind & 1) for mask in self.useful]


class PayableOnDemand:
    """Queries about one book; see `payable.Payable`, which answers them from tables."""

    def __init__(self, book: Rulebook, most: int = MOST_HANDS) -> None:
        self.book = book
        self.most = most
        self.looks_at_round = "round" in book.reads
        self._gains: dict[tuple[bool, bool], Gains] = {}

    def gains(self, closed: bool, double_wind: bool) -> Gains:
        """Return the gains of the hands of a state."""
        case = closed, double_wind and self.looks_at_round
        if case not in self._gains:
            self._gains[case] = Gains(self.book, *case)
        return self._gains[case]

    def look(self, hand: Hand, unseen: Sequence[int], extra: int, rate: Sequence[float]) -> NearLook:
        """Find the least distance to a payable hand and the value of every discard; takes what `Payable.look` takes."""
        concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
        tiles = tiles_of(concealed, hand.melds)
        nearest = automaton().missing(tiles.key, tiles.need)  # no payable hand of sets is nearer
        shapes = [] if hand.melds else [SHAPES[name] for name in self.book.shapes]
        aims = {
            shape.name: aim
            for shape in shapes
            if (aim := special_aim(self.book, shape, tiles, concealed, unseen, nearest + extra))
        }
        by = winds_first(hand.seat, hand.round if self.looks_at_round else hand.seat)
        own, chows, pungs = in_wind_order(concealed, hand.melds, by)
        lanes = [
            NearLane(s, own[9 * s : 9 * s + 9], [unseen[k] for k in by[9 * s : 9 * s + 9]], chows[s], pungs[s])
            for s in range(4)
        ]
        farthest = min([DEEPEST, *(aim.missing + extra for aim in aims.values())])
        gains = self.gains(hand.closed, hand.seat == hand.round)
        missing, levels = levels_from(lanes, gains, nearest, extra, farthest, self.most)
        for shape in shapes:  # as near as the sets that pay
            if shape.name not in aims and missing < FAR:
                aim = special_aim(self.book, shape, tiles, concealed, unseen, missing + extra)
                if aim is not None:
                    aims[shape.name] = aim
        found = [
            (aims[shape.name], _ways(shape, aims[shape.name], tiles, unseen)) for shape in shapes if shape.name in aims
        ]
        return _weigh(missing, [level.of_kinds(by) for level in levels], found, extra, rate)


@lru_cache(_BOOKS)
def payable_on_demand(book: Rulebook) -> PayableOnDemand:
    """Return the queries of this book; only the books used last are remembered."""
    return PayableOnDemand(book)


# ---- payments of a hand


class Gains(dict[int, int]):
    """The expected receipt of each hand (by the rows of its lanes), 0 if it may not win; scored when first read."""

    def __init__(self, book: Rulebook, closed: bool, double_wind: bool) -> None:
        super().__init__()
        self._book = book
        self._closed = closed
        self._winds = BIT[EAST], BIT[EAST if double_wind else EAST + 1]
        self._paid: dict[tuple[int, int, bool], float] = {}

    def __missing__(self, hand: int) -> int:
        if len(self) >= _MOST_GAINS:
            self.clear()
        given, drawn = (self._receipt(h, self_draw) for h, self_draw in self._win(hand))
        # in single precision, in which the tables are made
        made = _single(_single(1 - DRAWN_SHARE) * given), _single(_single(DRAWN_SHARE) * drawn)
        gain = self[hand] = min(ceil(_single(sum(made))), _MOST_PAID)
        return gain

    def _win(self, hand: int) -> Iterator[tuple[Planes, bool]]:
        """Return the planes of the hand won by a discard, which finished its lowest pung, and by a draw."""
        rows = rows_of(hand)
        c1, c2, c3, c4, p = map(_beside, *(row.planes for row in rows))
        t1, t2, t3, t4 = map(_beside, *(row.levels for row in rows))
        pair = _beside(*(row.pair for row in rows))
        luck = int(Luck.CLOSED) if self._closed else 0
        for self_draw in (False, True):
            own = 0 if not self._closed else p if self_draw else p & (p - 1)
            drawn = int(Luck.SELF_DRAW) if self_draw else 0
            yield (
                Planes(
                    c1, c2, c3, c4, 0, 0, 0, 0, p, 0, own, 0, 0, pair, t1, t2, t3, t4,
                    STANDARD, *self._winds, 0, 0, 0, 0, luck | drawn, 0,
                ),
                self_draw,
            )  # fmt: skip

    def _receipt(self, h: Planes, self_draw: bool) -> float:
        tally = self._book.tally(h)
        if tally.points < self._book.minimum:
            return 0.0
        case = tally.points, tally.bonus, self_draw
        if case not in self._paid:
            paid = receipt(self._book, tally.points + tally.bonus, self_draw)
            self._paid[case] = _single(max(paid, LEAST_RECEIPT))
        return self._paid[case]


def _beside(m: int, p: int, s: int, z: int) -> int:
    """Return four lanes as a plane."""
    return m | p << 16 | s << 32 | z << 48


def _single(x: float) -> float:
    found: float = unpack("f", pack("f", x))[0]
    return found


# ---- whole hands


class HandsAt:
    """The hands at one distance that may win: sums of gains and what they lack, by the kinds they have to spare."""

    def __init__(self) -> None:
        self.sums: dict[int, float] = {}
        self.lack: dict[int, int] = {}

    def add(self, blocks: Sequence[Block], most: int, gains: Gains) -> int:
        """Add the hands of these blocks, at most so many; return their number.

        Where there are more, the ways of those left out are taken to pay as much as the others on the average.
        """
        sums, lack = self.sums, self.lack
        hands, drawn, seen = sum(len(left) * len(right) for left, right in blocks), 1, 1
        if hands > most:
            hands = most
            drawn, seen, some = _most_likely(blocks, most)
        else:
            some = ((one, other) for left, right in blocks for one in left for other in right)
        for one, other in some:
            gain = gains[one.number | other.number]
            if gain:
                spare = one.spare | other.spare
                sums[spare] = sums.get(spare, 0) + one.ways * other.ways * gain
                lack[spare] = lack.get(spare, 0) | one.lack | other.lack
        if drawn > seen:
            self.sums = {spare: added * drawn / seen for spare, added in sums.items()}
        return hands

    def of_kinds(self, by: Sequence[int]) -> ByDiscard:
        """Return the same by discard; `by` is the kind at each place."""
        sums, useful, helps = [0.0] * (KINDS + 1), [0] * KINDS, 0
        for spare, added in self.sums.items():
            lack = sum(1 << kind for i, kind in enumerate(by) if self.lack[spare] >> i & 1)
            helps |= lack
            sums[KINDS] += added
            for i, kind in enumerate(by):
                if spare >> i & 1:
                    sums[kind] += added
                    useful[kind] |= lack
        return ByDiscard(sums, useful, helps)


Block = tuple[Sequence[NearPart], Sequence[NearPart]]
"""Left and right halves: each of these with each of those is a hand."""


def _most_likely(blocks: Sequence[Block], most: int) -> tuple[int, int, Iterator[tuple[NearPart, NearPart]]]:
    """Return the ways to draw any hand of these blocks, those of the `most` likeliest hands, and these hands."""
    number: Counter[int] = Counter()  # of hands with so many ways
    for left, right in blocks:
        others = Counter(other.ways for other in right)
        for ways, n in Counter(one.ways for one in left).items():
            for more, m in others.items():
                number[ways * more] += n * m
    least, seen, room = 0, 0, most
    for least in sorted(number, reverse=True):
        if number[least] >= room:
            break
        room -= number[least]
        seen += least * number[least]
    return sum(ways * n for ways, n in number.items()), seen + least * room, _with_ways(blocks, least, room)


def _with_ways(blocks: Sequence[Block], least: int, room: int) -> Iterator[tuple[NearPart, NearPart]]:
    """Return the hands with more ways than `least`, and the first `room` of those with as many."""
    for left, right in blocks:
        ordered = sorted(right, key=lambda other: -other.ways)
        for one in left:
            for other in ordered:
                ways = one.ways * other.ways
                if ways < least or (ways == least and not room):
                    break
                room -= ways == least
                yield one, other


class ByDiscard(NamedTuple):
    """Worth after each discard (the last: none), and masks of the kinds that are lacked then."""

    sums: list[float]
    useful: list[int]
    helps: int


def _classes() -> Iterator[tuple[int, int, int, int]]:
    """Classes of four lanes (2 * melds + pairs) that make four melds and a pair."""
    for melds in product(range(5), repeat=4):
        if sum(melds) == 4:
            for pair in range(4):
                m, p, s, z = (2 * n + (i == pair) for i, n in enumerate(melds))
                yield m, p, s, z


_WHOLE = tuple(_classes())


class Halves:
    """Two lanes side by side."""

    def __init__(self, one: NearLane, two: NearLane) -> None:
        self._one, self._two = one, two
        self._parts: dict[tuple[int, int, int], list[NearPart]] = {}

    def least(self, a: int, b: int) -> int:
        """Return the least missing tiles of two classes, FAR or more if one cannot come."""
        return self._one.least(a) + self._two.least(b)

    def parts(self, a: int, b: int, far: int) -> list[NearPart]:
        """Return the readings of two classes that lack so many tiles together."""
        found = self._parts.get((a, b, far))
        if found is None:
            one, two = self._one, self._two
            found = self._parts[a, b, far] = [
                x.beside(y)
                for u in range(one.least(a), far - two.least(b) + 1)
                for x in one.parts(a, u)
                for y in two.parts(b, far - u)
            ]
        return found


def levels_from(
    lanes: Sequence[NearLane], gains: Gains, nearest: int, extra: int, farthest: int, most: int = MOST_HANDS
) -> tuple[int, list[HandsAt]]:
    """Return the least distance of a hand that may win (FAR: none within `farthest`), and the levels from there on.

    None is nearer than `nearest`. At most `most` hands are visited, at most half of those that remain at a distance
    behind which there are others: near ones come first.
    """
    m, p, s, z = lanes
    left, right = Halves(m, p), Halves(s, z)
    classes = sorted((m.bound(a) + p.bound(b) + s.bound(c) + z.bound(d), a, b, c, d) for a, b, c, d in _WHOLE)
    missing, levels = FAR, [HandsAt() for _ in range(extra + 1)]
    for away in range(nearest, farthest + 1):
        if away > missing + extra:
            break
        level = HandsAt() if missing == FAR else levels[away - missing]
        blocks = [
            (one, right.parts(c, d, away - u))
            for bound, a, b, c, d in classes
            if bound <= away
            for u in range(left.least(a, b), away - right.least(c, d) + 1)
            if (one := left.parts(a, b, u))
        ]
        most -= level.add(blocks, most if away == min(missing + extra, farthest) else most // 2, gains)
        if missing == FAR and level.sums:
            missing, levels[0] = away, level
    return missing, levels


def _ways(shape: Shape, aim: SpecialAim, tiles: Tiles, unseen: Sequence[int]) -> dict[int, float]:
    """Return the ways to a special shape after each discard that leaves it as near, and after none (KINDS)."""
    left = {kind: tiles.without_tile(kind) for kind in aim.discards} | {KINDS: tiles}
    return {kind: special_ways(shape, one, unseen, aim.missing) for kind, one in left.items()}


def _weigh(
    missing: int, levels: list[ByDiscard], specials: Sequence[tuple[SpecialAim, dict[int, float]]], extra: int,
    rate: Sequence[float],
) -> NearLook:  # fmt: skip
    """Return the result for hands of sets from `missing` on, and special shapes."""
    best = min([missing, *(aim.missing for aim, _ in specials)])
    reachable = missing <= best + extra < FAR
    sums = [[0.0] * (KINDS + 1) for _ in range(extra + 1)]
    useful, helps = [0] * KINDS, 0
    for n in range(extra + 1 - (missing - best)):
        sums[missing - best + n] = levels[n].sums
    if missing == best:
        useful, helps = levels[0].useful, levels[0].helps
    for aim, ways in specials:
        if aim.missing > best + extra:
            continue
        reachable = reachable or any(ways.values())
        for kind, each in ways.items():
            sums[aim.missing - best][kind] += aim.gain * each
        if aim.missing == best:
            helps |= aim.helps
            for kind in aim.discards:
                useful[kind] |= aim.helps
    if best >= FAR:
        return NearLook(FAR, [0.0] * KINDS, 0.0, useful, helps, reachable=False)
    values = [sum(rate[best + n] * sums[n][kind] for n in range(extra + 1)) for kind in range(KINDS + 1)]
    return NearLook(best, values[:KINDS], values[KINDS], useful, helps, reachable)
