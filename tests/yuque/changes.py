"""d(a, b) by changing hands: a second way to the matrix, from the sentence that defines it.

    若一副牌已计番种 a,可计番种 b … 则任一个满足番种 a 且不满足番种 b 的和牌 K 至多改变 d 次牌便能同时满足二者

A hand is what a asks for (its *anchor*) and free groups. One change gives one group new tiles; in the anchor the groups
that a ties by rank or by suit follow it and cost nothing more. `least_changes` looks at every hand that so many changes
lead to; d is the most that any K needs. By ruling yuque-6 only changes to b's own groups count: the side conditions
of 幺九三刻 and 幺九四刻 (共三个; 雀头不为幺九牌) are left out, and beside them the pair may become anything.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np

from quepu.hands.planes import HONOUR_TILES, LANE, OUTER, STANDARD, TERMINALS, Planes, count
from quepu.rulebooks.yuque import YUQUE_54
from quepu.tiles import BIT, EAST

Array = Any
Melds = tuple[int, ...]
CHOWS = 21  # a meld is a number: 0-20 a chow by suit and start, 21-54 a pung by kind; a pair is its kind
MELDS = 55
Condition = Callable[[Planes], Any]


def chow(suit: int, start: int) -> int:
    return 7 * suit + start


def pung(kind: int) -> int:
    return CHOWS + kind


CHOW_BIT = np.array([BIT[m // 7 * 9 + m % 7] for m in range(CHOWS)] + [0] * 34, np.int64)
PUNG_BIT = np.array([0] * CHOWS + list(BIT), np.int64)
PAIR_BIT = np.array(BIT, np.int64)


def planes(melds: Array, pairs: Array) -> tuple[Planes, Array]:
    """The planes of many hands of four melds [n, 4] and a pair [n], and which of them hold no five of a kind."""
    zero = np.zeros(len(pairs), np.int64)
    c, t, p = [zero] * 5, [zero] * 6, zero
    legal = np.ones(len(pairs), bool)

    def put(bits: Array, times: int) -> None:
        for _ in range(times):
            for n in range(5, 1, -1):
                t[n] = t[n] | t[n - 1] & bits
            t[1] = t[1] | bits

    for slot in range(4):
        chows, pungs = CHOW_BIT[melds[:, slot]], PUNG_BIT[melds[:, slot]]
        for n in range(4, 1, -1):
            c[n] = c[n] | c[n - 1] & chows
        c[1] = c[1] | chows
        legal &= (p & pungs) == 0
        p = p | pungs
        put(chows | chows << 1 | chows << 2, 1)
        put(pungs, 3)
    pair = PAIR_BIT[pairs]
    put(pair, 2)
    legal &= t[5] == 0
    blank = Planes(*[zero] * len(Planes._fields))
    h = blank._replace(
        c1=c[1], c2=c[2], c3=c[3], c4=c[4], p=p, pair=pair, t1=t[1], t2=t[2], t3=t[3], t4=t[4],
        form=zero + STANDARD, seat=zero + BIT[EAST],
    )  # fmt: skip
    return h, legal


def condition(name: str) -> Condition:
    """A row's own condition, without the side conditions that cost no change."""
    if name == "幺九三刻":
        return lambda h: count(h.p & OUTER) >= 3
    if name == "幺九四刻":
        return lambda h: count(h.p & OUTER) == 4
    return YUQUE_54.fan(name).when


# ---- what a fan about every group allows


def _fits(tiles: int, whole: bool) -> tuple[list[int], list[int]]:
    """Melds and pairs with a tile (or, `whole`, nothing but tiles) of a plane."""
    melds = []
    for meld in range(MELDS):
        bits = int(PUNG_BIT[meld])
        if meld < CHOWS:
            bits = int(CHOW_BIT[meld]) * 7
        if (bits & ~tiles == 0) if whole else (bits & tiles):
            melds.append(meld)
    return melds, [kind for kind in range(34) if BIT[kind] & tiles]


ALLOWED: dict[str, tuple[list[int], list[int]]] = {
    "混带幺": _fits(OUTER, False),
    "清带幺": _fits(TERMINALS, False),
    "混幺九": _fits(OUTER, True),
    "清幺九": _fits(TERMINALS, True),
    "字一色": _fits(HONOUR_TILES, True),
    "清一色:索": _fits(LANE << 32, True),
    "混一色:索": _fits(LANE << 32 | HONOUR_TILES, True),
    "数同": _fits(LANE | LANE << 16 | LANE << 32, True),
}
EVERYTHING = (list(range(MELDS)), list(range(34)))


# ---- anchors: the groups that a fan asks for, and what they may become


@dataclass(frozen=True)
class Anchor:
    """The melds (and perhaps the pair) a fan asks for, and every other choice of them with its cost in changes."""

    melds: Melds
    pair: int | None
    others: tuple[tuple[int, Melds], ...]


Contents = dict[Any, Melds]


def moving(contents: Contents, cost: Callable[[Any, Any], int]) -> Callable[[random.Random], Anchor]:
    """Anchors given as named contents, with the cost of going from one name to another."""

    def drawn(rng: random.Random) -> Anchor:
        name = rng.choice(list(contents))
        others = [(cost(name, other), melds) for other, melds in contents.items() if other != name]
        return Anchor(contents[name], None, tuple(others))

    return drawn


def together(contents: Contents) -> Callable[[random.Random], Anchor]:
    """All groups tied: any other content is one change away."""
    return moving(contents, lambda a, b: 1)


def couples(contents: Contents) -> Callable[[random.Random], Anchor]:
    """Two couples, each tied within itself and free of the other."""
    both = {(a, b): contents[a] + contents[b] for a in contents for b in contents if a <= b}

    def cost(here: Any, there: Any) -> int:
        straight = (here[0] != there[0]) + (here[1] != there[1])
        return min(straight, (here[0] != there[1]) + (here[1] != there[0]))

    return moving(both, cost)


def fixed(*choices: tuple[Melds, int | None]) -> Callable[[random.Random], Anchor]:
    """Named tiles: nothing moves without losing the fan."""
    return lambda rng: Anchor(*rng.choice(choices), ())


def runs(make: Callable[[int, int], int], n: int, step: int, ranks: int) -> Contents:
    """n melds of one suit, `step` apart."""
    return {
        (s, r): tuple(make(s, r + step * i) for i in range(n)) for s in range(3) for r in range(ranks - step * (n - 1))
    }


def across(make: Callable[[int, int], int], suits: tuple[int, ...], ranks: int) -> Contents:
    """One rank in these suits."""
    return {(suits, r): tuple(make(s, r) for s in suits) for r in range(ranks)}


def two_suits(make: Callable[[int, int], int], ranks: int) -> Contents:
    return {k: v for pair in combinations(range(3), 2) for k, v in across(make, pair, ranks).items()}


def number_pung(suit: int, rank: int) -> int:
    return pung(9 * suit + rank)


def _pure_chains() -> Callable[[random.Random], Anchor]:
    contents = {
        (s, a, b): (chow(s, a), chow(s, a + 3), chow(s, b), chow(s, b + 3))
        for s in range(3)
        for a in range(4)
        for b in range(a, 4)
    }

    def cost(here: Any, there: Any) -> int:
        (s, *x), (z, *y) = here, there
        ranks = min((x[0] != y[0]) + (x[1] != y[1]), (x[0] != y[1]) + (x[1] != y[0]))
        return max(ranks, int(s != z))  # the four share a suit: whoever moves takes it along

    return moving(contents, cost)


def _twins() -> Callable[[random.Random], Anchor]:
    kinds = [(chow, r) for r in range(7)] + [(number_pung, r) for r in range(9)]
    contents: Contents = {
        (suits, (i, j)): tuple(kinds[k][0](s, kinds[k][1]) for s in suits for k in (i, j))
        for suits in combinations(range(3), 2)
        for i in range(16)
        for j in range(i, 16)
        if i != j or i < 7
    }

    def cost(here: Any, there: Any) -> int:
        def apart(a: tuple[int, int], b: tuple[int, int]) -> int:
            return min((a[0] != b[0]) + (a[1] != b[1]), (a[0] != b[1]) + (a[1] != b[0]))

        # one meld may change its rank with its twin and its suit with its neighbour at once
        return max(apart(here[0], there[0]), apart(here[1], there[1]))

    return moving(contents, cost)


WINDS, DRAGONS = (27, 28, 29, 30), (31, 32, 33)
_WIND3 = [tuple(map(pung, some)) for some in combinations(WINDS, 3)]
ANCHORS: dict[str, Callable[[random.Random], Anchor]] = {
    "大四喜": fixed((tuple(map(pung, WINDS)), None)),
    "小四喜": fixed(*((tuple(pung(w) for w in WINDS if w != pair), pair) for pair in WINDS)),
    "三风刻": fixed(*((some, None) for some in _WIND3)),
    "大三元": fixed((tuple(map(pung, DRAGONS)), None)),
    "小三元": fixed(*((tuple(pung(d) for d in DRAGONS if d != pair), pair) for pair in DRAGONS)),
    "番牌:中": fixed(((pung(31),), None), ((), 31)),
    "番牌:门风牌": fixed(((pung(EAST),), None), ((), EAST)),
    "一气贯通": together(runs(chow, 3, 3, 7)),
    "三色贯通": fixed(
        *((tuple(chow(s, 3 * i) for i, s in enumerate(order)), None) for order in permutations(range(3)))
    ),
    "清双龙会": _pure_chains(),
    "双龙会": couples(runs(chow, 2, 3, 7)),
    "四步高": together(runs(chow, 4, 1, 7)),
    "三步高": together(runs(chow, 3, 1, 7)),
    "四连环": together(runs(chow, 4, 2, 7)),
    "三连环": together(runs(chow, 3, 2, 7)),
    "四连刻": together(runs(number_pung, 4, 1, 9)),
    "三连刻": together(runs(number_pung, 3, 1, 9)),
    "三色连刻": together({r: tuple(number_pung(s, r + s) for s in range(3)) for r in range(7)}),
    "四同顺": together({m: (m,) * 4 for m in range(CHOWS)}),
    "三同顺": together({m: (m,) * 3 for m in range(CHOWS)}),
    "二般高": couples({m: (m,) * 2 for m in range(CHOWS)}),
    "一般高": together({m: (m,) * 2 for m in range(CHOWS)}),
    "三色同顺": together(across(chow, (0, 1, 2), 7)),
    "二相逢": couples(two_suits(chow, 7)),
    "喜相逢": together(two_suits(chow, 7)),
    "三色同刻": together(across(number_pung, (0, 1, 2), 9)),
    "二同刻": couples(two_suits(number_pung, 9)),
    "双同刻": together(two_suits(number_pung, 9)),
    "镜同": _twins(),
}
"""Fans that ask for some groups. The others (数同, 幺九三刻, 混带幺 …) tie nothing: all five groups are free."""


# ---- hands


@dataclass(frozen=True)
class Start:
    """A hand K: an anchor and free groups."""

    anchor: Anchor
    melds: Melds
    pair: int

    @property
    def free(self) -> int:
        return len(self.melds)


def draw(a: str, rng: random.Random) -> Start:
    """A random hand around a's anchor; whether a holds (and no five of a kind) is for the caller to ask."""
    if a in ANCHORS:
        anchor = ANCHORS[a](rng)
        melds = tuple(rng.randrange(MELDS) for _ in range(4 - len(anchor.melds)))
        return Start(anchor, melds, rng.randrange(34) if anchor.pair is None else anchor.pair)
    nothing = Anchor((), None, ())
    if a == "数同":
        return Start(nothing, *_mirrored(rng))
    if a in ("幺九三刻", "幺九四刻"):
        outer = ALLOWED["混幺九"][0]
        melds = [rng.choice(outer) for _ in range(3 if a == "幺九三刻" else 4)]
        melds += [rng.randrange(CHOWS) for _ in range(4 - len(melds))]
        return Start(nothing, tuple(melds), rng.randrange(34))
    melds, pairs = ALLOWED[a]
    return Start(nothing, tuple(rng.choice(melds) for _ in range(4)), rng.choice(pairs))


def _mirrored(rng: random.Random) -> tuple[Melds, int]:
    n, melds = rng.randrange(9), []
    while len(melds) < 4:
        suit, make, width = rng.randrange(3), *rng.choice(((chow, 2), (number_pung, 0)))
        low = rng.randrange(9 - width)
        high = 2 * n - low - width
        if 0 <= high <= 8 - width:
            melds += [make(suit, low)] if high == low else [make(suit, low), make(suit, high)]
    return tuple(melds[:4]), rng.randrange(3) * 9 + n


def hands(start: Start, changes: int, b: str) -> Iterator[tuple[Array, Array]]:
    """Every hand exactly so many changes away (fewer may do for some), as blocks of melds [n, 4] and pairs [n].

    A free group is changed into what b allows; one that is left must be allowed itself.
    """
    allowed = ALLOWED.get(b, EVERYTHING)
    free_pair = start.anchor.pair is None and b in ("幺九三刻", "幺九四刻")
    may = (set(allowed[0]), set(allowed[1]))
    contents = [(0, start.anchor.melds), *start.anchor.others]
    slots = list(range(start.free)) + ([4] if start.anchor.pair is None and not free_pair else [])
    if start.anchor.pair is not None and start.anchor.pair not in may[1]:
        return
    for cost in range(min(changes, 2) + 1):
        anchors = [m for c, m in contents if c == cost and may[0] >= set(m)]
        if not anchors or changes - cost > len(slots):
            continue
        for some in combinations(slots, changes - cost):
            rest = [slot for slot in slots if slot not in some]
            if any((start.pair not in may[1]) if s == 4 else (start.melds[s] not in may[0]) for s in rest):
                continue
            choices: list[Any] = [range(len(anchors))]
            choices += [allowed[0] if slot in some else [start.melds[slot]] for slot in range(start.free)]
            choices.append(allowed[1] if free_pair or 4 in some else [start.pair])
            grid = np.meshgrid(*(np.array(list(choice)) for choice in choices), indexing="ij")
            flat = [axis.ravel() for axis in grid]
            table = np.array(anchors, np.int64).reshape(len(anchors), len(anchors[0]))
            melds = np.concatenate(
                [table[flat[0]], np.stack(flat[1:-1], 1) if start.free else table[flat[0]][:, :0]], 1
            )
            yield melds, flat[-1]


def reached(start: Start, changes: int, a: str, b: str) -> bool:
    """Whether some hand exactly so many changes away has both fans."""
    first, then = condition(a), condition(b)
    for melds, pairs in hands(start, changes, b):
        for at in range(0, len(pairs), 1 << 17):
            h, legal = planes(melds[at : at + (1 << 17)], pairs[at : at + (1 << 17)])
            if np.any(legal & (np.asarray(first(h)) != 0) & (np.asarray(then(h)) != 0)):
                return True
    return False


def holds(start: Start, a: str, b: str) -> tuple[bool, bool]:
    """Whether the hand is legal with a, and whether it has b."""
    melds = np.array([start.anchor.melds + start.melds], np.int64)
    h, legal = planes(melds, np.array([start.pair]))
    return bool(legal[0] and np.asarray(condition(a)(h))[0]), bool(np.asarray(condition(b)(h))[0])


def least_changes(start: Start, a: str, b: str, most: int) -> int:
    """How many changes this hand needs to have both fans; `most` + 1 if more than `most`."""
    return next((n for n in range(1, most + 1) if reached(start, n, a, b)), most + 1)


def starts(a: str, b: str, n: int, rng: random.Random, pool: int) -> list[Start]:
    """Of a pool of hands with a and without b, the n with the most groups that b does not allow."""
    found: list[Start] = []
    for _ in range(10 * pool):
        start = draw(a, rng)
        with_a, with_b = holds(start, a, b)
        if with_a and not with_b:
            found.append(start)
            if len(found) == pool:
                break
    allowed = ALLOWED.get(b, EVERYTHING)
    may = (set(allowed[0]), set(allowed[1]))

    def bad(start: Start) -> int:
        free = sum(meld not in may[0] for meld in start.melds) + (start.pair not in may[1])
        return free + len(set(start.anchor.melds) - may[0])

    return sorted(found, key=bad, reverse=True)[:n]


def most_changes(a: str, b: str, expected: int, tries: int, pool: int = 0) -> int:
    """d(a, b) over so many random hands K (the worst of a pool), looked for up to one change more than expected.

    0 where a always has b.
    """
    rng = random.Random(f"{a}{b}")
    worst = starts(a, b, tries, rng, pool or 6 * tries)
    return max((least_changes(start, a, b, expected) for start in worst), default=0)
