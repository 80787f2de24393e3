"""How far a hand is from the nearest hand that may *win* under a book, exactly, and what each discard keeps.

A player who only counts missing tiles often completes a hand below the minimum. Here every decomposed standard hand
is scored once by the book's own rows, for a closed and for an exposed hand; a question then joins, suit by suit, only
the readings near the hand. Copies that cannot come any more, melds and kongs are respected. Not in the table, so that
a hand can only be worth more: kongs, 暗刻 of an exposed hand, waits and luck. Special shapes stand beside it.

    value(discard) = sum over targets that do not need it: gain × ways to draw what is missing × rate[missing]
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb
from pathlib import Path

import numpy as np

from quepu.batch.classes import Classes
from quepu.distance import DISTANCES, Tiles, tiles_of
from quepu.generate import SPECIAL
from quepu.hand import Hand, MeldKind
from quepu.lab.census import classify
from quepu.lab.lanes import JOINTS, Array, Half, Joint, Lane, bases, half, lane, order, rest
from quepu.lab.universe import MELD_SETS, STATES, Universe
from quepu.play_rules import Ending, play_rules
from quepu.rulebook import Rulebook
from quepu.scoring import best_points
from quepu.tiles import EAST, KINDS

DRAWN_SHARE = 0.3  # of wins, those by self-draw: what measured play shows
FAR = 99


@dataclass(frozen=True)
class Lie:
    """What a table of gains is made for: nothing exposed or all, own wind the round wind or not."""

    closed: bool
    double_wind: bool

    @property
    def name(self) -> str:
        """For the file."""
        return f"{'closed' if self.closed else 'exposed'}{'-double' if self.double_wind else ''}"


def receipt(book: Rulebook, points: int, self_draw: bool) -> float:
    """What the winner is paid for so many points, as the book settles; the points themselves if it has no table."""
    if not book.play:
        return float(points)
    rules = play_rules(book)
    ending = Ending(winner=1, points=points, self_draw=self_draw, discarder=None if self_draw else 3)
    paid = 0
    for payment in rules.settle(ending, book):
        paid += payment.points * ((payment.payee == 1) - (payment.payer == 1))
    return float(paid)


def gains(book: Rulebook, lie: Lie) -> Array:
    """Every standard hand in the order of the index: uint16 [34 * 366 528].

    0: it may not win; else twice the expected receipt in points, plus one where a discard is enough.
    """
    out = np.zeros((KINDS, MELD_SETS), np.float32)
    by_discard = np.zeros((KINDS, MELD_SETS), np.bool_)
    for drawn, share in ((False, 1 - DRAWN_SHARE), (True, DRAWN_SHARE)):
        state = STATES[f"{'closed' if lie.closed else 'open'}-{'draw' if drawn else 'discard'}"]
        classes = Classes(book)
        universe = Universe(state, EAST, EAST if lie.double_wind else EAST + 1)
        if not lie.closed:  # something was claimed, nobody knows what: no fan of claims (全求人) may count on it
            universe.base = universe.base._replace(o1=0, o2=0, o3=0, o4=0, xp=0)
        for kind, index, numbers in classify(classes, universe):
            worth = _receipts(classes, book, drawn)[numbers]
            out[kind, index] += share * worth
            if not drawn:
                by_discard[kind, index] = worth > 0
    mine = np.minimum(np.ceil(out[:, order()]), 32767).astype(np.uint16) * 2
    return (mine | by_discard[:, order()]).reshape(-1)


def _receipts(known: Classes, book: Rulebook, drawn: bool) -> Array:
    """By class; a win that pays nothing is still a win."""
    pays: dict[int, float] = {}
    out = np.zeros(len(known), np.float32)
    for i, (points, bonus) in enumerate(zip(known.points.tolist(), known.bonus.tolist(), strict=True)):
        if points >= book.minimum:
            if points + bonus not in pays:
                pays[points + bonus] = receipt(book, points + bonus, drawn)
            out[i] = max(pays[points + bonus], 0.1)
    return out


def cache_folder() -> Path:
    """Where tables are kept between runs: $QUEPU_CACHE, or the user's cache folder."""
    if folder := os.environ.get("QUEPU_CACHE"):
        return Path(folder)
    from platformdirs import user_cache_path

    return user_cache_path("quepu")


@lru_cache(16)
def _table(book: Rulebook, lie: Lie) -> Array:
    kept = cache_folder() / f"payable2-{book.id}-{book.fingerprint}-{lie.name}.npy"
    if kept.exists():
        try:
            return np.load(kept, mmap_mode="r")
        except (OSError, ValueError):
            kept.unlink(missing_ok=True)  # cut short by a crash: make it again
    made = gains(book, lie)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_name(f"{kept.name}.{os.getpid()}.npy")
        np.save(part, made)
        part.replace(kept)
    except OSError:
        pass  # a read-only home costs the time to make it again, nothing else
    return made


def _unary(count: Array) -> int:
    return sum(1 << 9 * n + r for r, have in enumerate(count) for n in range(min(4, int(have))))


_CHOOSE = np.array([[comb(u, k) for k in range(5)] for u in range(5)], float)


@dataclass(frozen=True)
class Look:
    """An answer: least missing tiles to a payable hand (FAR if none is left), and what it is all worth.

    `values` are the worth that each of 34 discards keeps, `total` that of discarding nothing.
    """

    missing: int
    values: Array
    total: float

    def best(self, held: Array) -> int:
        """The kind in hand worth most to discard (the highest value kept), lowest kind among equals."""
        return int(np.argmax(np.where(held > 0, self.values, -1.0)))


class Payable:
    """Questions about one book. Tables are built on first use (some ten seconds each) and kept on disk."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.looks_at_round = "round" in book.reads
        self._special: dict[str, float] = {}

    def table(self, closed: bool, double_wind: bool = False) -> Array:
        """Gains of every standard hand in this state."""
        return _table(self.book, Lie(closed, double_wind and self.looks_at_round))

    def prepare(self) -> None:
        """Build (or find) every table of this book now, so that processes started next only open them."""
        for closed in (True, False):
            for double_wind in {False, self.looks_at_round}:
                self.table(closed, double_wind)

    def special_gain(self, shape: str) -> float:
        """What the plainest hands of a special shape are worth: the least of forty, 0 if that is below the minimum."""
        if shape not in self._special:
            import random

            rng = random.Random(9)
            least = FAR * 1000
            for _ in range(40):
                tiles = sorted(SPECIAL[shape][1](rng))
                hand = Hand(tuple(tiles[:-1]), (), tiles[-1], 28, 27)
                points = best_points(hand, self.book)
                least = min(least, points if points is not None else 0)
            pays = receipt(self.book, least, False) if least >= self.book.minimum else 0.0
            self._special[shape] = max(pays, 0.1) if least >= self.book.minimum else 0.0
        return self._special[shape]

    def look(
        self,
        hand: Hand,
        unseen: Array,
        extra: int = 0,
        rate: Array | None = None,
        start: int = 2,
        alike: bool = False,
    ) -> Look:
        """Least distance to a payable hand, and with `rate` the value of every discard.

        `hand` holds the concealed tiles (13 or 14 less three for each meld; its `winning` counts as one of them) and
        the melds; `unseen` (int, 34) the copies of each kind that may still come; with `extra`, targets that many
        tiles farther are summed too. `rate[n]` weighs a target that lacks n tiles; `alike` gives all one worth.
        """
        order = _winds_first(hand.seat, hand.round if self.looks_at_round else hand.seat)
        own, fixed_chows, fixed_pungs, concealed = _laid_out(hand, order)
        could = np.asarray(unseen, np.int64)[order]
        points = self.table(hand.closed, hand.seat == hand.round)
        lanes = (lane(9), lane(9), lane(9), lane(7))
        kept = [np.zeros(len(x.cls)) for x in lanes]
        best, cap = FAR, start
        while True:
            best = self._within(points, lanes, own, could, fixed_chows, fixed_pungs, cap, rate, kept, alike)
            if best < FAR and cap >= best + extra:
                break
            if best == FAR and cap >= 14:
                break
            cap = best + extra if best < FAR else cap + 1
            kept = [np.zeros(len(x.cls)) for x in lanes]
        values = np.concatenate([kept[s] @ (own[9 * s : 9 * s + x.ranks] > x.count) for s, x in enumerate(lanes)])
        back = np.zeros(KINDS)
        back[order] = values
        total = float(kept[0].sum())
        if not hand.melds:
            best, more = self._specials(concealed, np.asarray(unseen), best, extra, rate, back, alike)
            total += more
        return Look(best, back, total)

    def _within(
        self, points: Array, lanes: tuple[Lane, ...], own: Array, could: Array, chows: list[int], pungs: list[int],
        cap: int, rate: Array | None, kept: list[Array], alike: bool,
    ) -> int:  # fmt: skip
        near = [
            _near(x, own[9 * s : 9 * s + x.ranks], could[9 * s : 9 * s + x.ranks], chows[s], pungs[s], cap)
            for s, x in enumerate(lanes)
        ]
        left, right = half(9), half(7)
        best = FAR
        for joint in JOINTS:
            one = _pairs(left, joint, near[0], near[1], cap, 0)
            two = _pairs(right, rest(joint), near[2], near[3], cap, 18) if one else None
            if one is None or two is None:
                continue
            width = right.size[4 - joint[0]]
            places = bases()[joint[0]] + one[0] * width + one[5] * MELD_SETS
            beside = two[0] + two[5] * MELD_SETS
            for level in range(int(one[1][0]), cap + 1):
                lo, hi = np.searchsorted(one[1], [level, level + 1])
                end = int(np.searchsorted(two[1], cap - level, "right"))
                if lo == hi or not end:
                    continue
                value = points[places[lo:hi, None] + beside[None, :end]]
                paid = value > 0
                if not paid.any():
                    continue
                best = min(best, level + int(two[1][:end][paid.any(0)].min()))
                if rate is not None:
                    weight = one[2][lo:hi, None] * (two[2][:end] * rate[level + two[1][:end]]) * _weight(value, alike)
                    across, down = weight.sum(1), weight.sum(0)
                    np.add.at(kept[0], one[3][lo:hi], across)
                    np.add.at(kept[1], one[4][lo:hi], across)
                    np.add.at(kept[2], two[3][:end], down)
                    np.add.at(kept[3], two[4][:end], down)
        return best

    def _specials(
        self, concealed: tuple[int, ...], unseen: Array, best: int, extra: int, rate: Array | None, values: Array,
        alike: bool,
    ) -> tuple[int, float]:  # fmt: skip
        """The least distance with the special shapes that pay, and their worth; what discards keep goes to `values`."""
        total = 0.0
        for shape in self.book.shapes:
            if shape not in SPECIAL or shape not in DISTANCES:
                continue
            gain = self.special_gain(shape)
            missing = DISTANCES[shape](tiles_of(concealed, 0))
            if not gain or missing > best + extra or not _reachable(DISTANCES[shape], concealed, unseen, missing):
                continue
            best = min(best, missing)
            if rate is not None:
                weight = (1.0 if alike else gain) * float(rate[missing])
                total += _keep_special(DISTANCES[shape], concealed, unseen, missing, weight, values)
        return best, total


def _reachable(distance: Callable[[Tiles], int], concealed: tuple[int, ...], unseen: Array, missing: int) -> bool:
    """Whether tiles that can still come complete the shape: any that helps is taken, until none is needed."""
    held, left = list(concealed), unseen.tolist()
    for need in range(missing, 0, -1):
        nearer = next((k for k in range(KINDS) if left[k] > 0 and distance(tiles_of((*held, k), 0)) < need), None)
        if nearer is None:
            return False
        held.append(nearer)
        left[nearer] -= 1
    return True


def _keep_special(
    distance: Callable[[Tiles], int],
    concealed: tuple[int, ...],
    unseen: Array,
    missing: int,
    gain: float,
    values: Array,
) -> float:
    """Add its worth to every discard after which the shape is as near; the worth of discarding nothing is returned.

    The ways to draw the missing tiles are counted as if any useful tiles would do together: a good guess, not exact.
    """
    helping = [
        int(unseen[k]) for k in range(KINDS) if unseen[k] > 0 and distance(tiles_of((*concealed, k), 0)) < missing
    ]
    if missing and not helping:
        return 0.0
    each = sum(helping) / max(1, len(helping))
    worth = gain * comb(max(len(helping), missing), missing) * each**missing
    for kind in set(concealed):
        after = list(concealed)
        after.remove(kind)
        if distance(tiles_of(tuple(after), 0)) == missing:
            values[kind] += worth
    return worth


def _winds_first(seat: int, round_: int) -> Array:
    """A permutation of the kinds that puts the own wind first among the winds and the round wind second."""
    winds = [seat] + ([round_] if round_ != seat else [])
    winds += [wind for wind in range(27, 31) if wind not in winds]
    return np.array([*range(27), *winds, 31, 32, 33])


def _laid_out(hand: Hand, order: Array) -> tuple[Array, list[int], list[int], tuple[int, ...]]:
    """Counts with melds (a kong as three) in the table's order; fixed chows (unary) and pungs per lane; own tiles."""
    concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
    counts = np.bincount(concealed, minlength=KINDS) if concealed else np.zeros(KINDS, np.int64)
    at = {int(kind): i for i, kind in enumerate(order)}
    chows, pungs = [[0] * 9 for _ in range(4)], [0, 0, 0, 0]
    for kind, tile in hand.melds:
        s, r = divmod(at[tile], 9)
        if kind == MeldKind.CHOW:
            counts[tile : tile + 3] += 1
            chows[s][r] += 1
        else:
            counts[tile] += 3
            pungs[s] |= 1 << r
    return counts[order], [_unary(np.array(c)) for c in chows], pungs, concealed


def _weight(value: Array, alike: bool) -> Array:
    """The worth of targets: their receipt, or one for each (less where only a draw wins)."""
    if alike:
        return np.where(value & 1, 1.0, (value > 0) * DRAWN_SHARE)
    return value >> 1


Near = list[tuple[Array, Array, Array]]


def _near(of: Lane, own: Array, could: Array, chows: int, pungs: int, cap: int) -> Near:
    """Per class the readings at most `cap` tiles away: row, missing, ways to draw what is missing."""
    have, reach = _unary(own), _unary(own + could)
    fit = (of.tiles & ~reach) == 0
    if chows:
        fit &= (of.chows & chows) == chows
    if pungs:
        fit &= (of.planes[:, 4] & pungs) == pungs
    missing = np.bitwise_count(of.tiles & ~have)
    row = np.flatnonzero(fit & (missing <= cap))
    lack = np.maximum(of.count[row] - own.astype(np.int8), 0)
    ways = _CHOOSE[np.minimum(could, 4)][np.arange(of.ranks), lack].prod(1)
    cut = np.searchsorted(of.cls[row], np.arange(11))
    far = missing[row].astype(np.int64)
    return [(row[i:j], far[i:j], ways[i:j]) for i, j in pairwise(cut)]


def _pairs(which: Half, joint: Joint, one: Near, two: Near, cap: int, first_kind: int) -> list[Array] | None:
    """Joined readings of two lanes, nearest first: number in the half, missing, ways, row of each lane, pair's kind."""
    parts = []
    left, right = which.left, which.right
    for a, b, first in which.parts[joint]:
        (i, m, w), (j, n, v) = one[a], two[b]
        if len(i) and len(j):
            total = m[:, None] + n
            x, y = np.nonzero(total <= cap)
            number = first + left.bare[i[x]] * right.size(b - b % 2) + right.bare[j[y]]
            pair = left.pair[i[x]] + first_kind if a % 2 else right.pair[j[y]] + first_kind + 9 if b % 2 else 0 * x
            parts.append((number, total[x, y], w[x] * v[y], i[x], j[y], pair))
    if not parts:
        return None
    whole = [np.concatenate(p) for p in zip(*parts, strict=True)]
    if not len(whole[0]):
        return None
    by_distance = np.argsort(whole[1], kind="stable")
    return [p[by_distance] for p in whole]


def rates(turns: float, unseen_tiles: int, pace: float = 0.2, start: float = 0.5) -> Array:
    """The weight of n missing tiles, 0-16. A low pace plays best: rounds end long before the wall does."""
    out = [1.0]
    for n in range(16):
        out.append(out[-1] * max(turns * pace + start - n, 0.35) / max(unseen_tiles - n, 5))
    return np.array(out)
