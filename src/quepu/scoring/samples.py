"""Random legal wins of mixed rarity for any rulebook: for tests, benches, practice pages and the lab. Seeded, no numpy.

Plain shuffling hardly ever meets a rare fan, so each hand is built in a style (one suit, pungs, stairs of chows,
seven pairs …) and then given melds, kongs, seats, circumstances and flowers that do not contradict each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.planes import OUTER
from quepu.hands.win import Win
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.shape import Part
from quepu.tiles import CHOW_STARTS, KINDS, PLAIN, TileSet, kinds_of

ALL_KINDS = tuple(range(KINDS))
NUMBERS = tuple(range(27))
HONOURS = tuple(range(27, 34))
OUTER_KINDS = tuple(kinds_of(OUTER))


def _chow(start: int) -> Part:
    return (start, start + 1, start + 2)


def _pool(rng: random.Random, pool: tuple[int, ...], chows: float) -> list[Part]:
    """Make four melds and a pair out of some kinds; `chows` is how strongly chows are preferred."""
    starts = [k for k in pool if k in CHOW_STARTS and k + 1 in pool and k + 2 in pool]
    parts: list[Part] = []
    for _ in range(4):
        if starts and rng.random() < chows:
            parts.append(_chow(rng.choice(starts)))
        else:
            parts.append((rng.choice(pool),) * 3)
    return [*parts, (rng.choice(pool),) * 2]


def _any(rng: random.Random) -> list[Part]:
    return _pool(rng, ALL_KINDS, 0.65)


def _flush(rng: random.Random) -> list[Part]:
    suit = rng.randrange(3) * 9
    return _pool(rng, tuple(range(suit, suit + 9)), 0.65)


def _half_flush(rng: random.Random) -> list[Part]:
    suit = rng.randrange(3) * 9
    return _pool(rng, (*range(suit, suit + 9), *HONOURS), 0.5)


def _two_suits(rng: random.Random) -> list[Part]:
    out = rng.randrange(3) * 9
    return _pool(rng, tuple(k for k in NUMBERS if not out <= k < out + 9), 0.7)


def _pungs(rng: random.Random) -> list[Part]:
    return _pool(rng, rng.choice((ALL_KINDS, NUMBERS, OUTER_KINDS)), 0.0)


def _honours(rng: random.Random) -> list[Part]:
    return _pool(rng, rng.choice((HONOURS, (*HONOURS, rng.randrange(27)), (*HONOURS, 0, 8, 9, 17, 18, 26))), 0.0)


def _terminals(rng: random.Random) -> list[Part]:
    return _pool(rng, OUTER_KINDS[:6], 0.0)


def _outside(rng: random.Random) -> list[Part]:
    starts = [k for k in CHOW_STARTS if k % 9 in (0, 6)]
    outer = OUTER_KINDS if rng.random() < 0.5 else OUTER_KINDS[:6]
    parts = [_chow(rng.choice(starts)) if rng.random() < 0.7 else (rng.choice(outer),) * 3 for _ in range(4)]
    return [*parts, (rng.choice(outer),) * 2]


def _ranks(rng: random.Random) -> list[Part]:
    """Use a few neighbouring ranks in any suits."""
    low, width = rng.randrange(7), rng.choice((2, 3, 3, 4))
    return _pool(rng, tuple(k for k in NUMBERS if low <= k % 9 < low + width), 0.6)


def _relate(rng: random.Random) -> list[Part]:
    """Make related melds: equal, stepping, through the suits."""
    same_suit, pung = rng.random() < 0.5, rng.random() < 0.3
    step, n = rng.choice((0, 0, 1, 2, 3)), rng.choice((2, 3, 3, 4))
    high = 9 if pung else 7
    low = rng.randrange(max(1, high - step * (n - 1)))
    suits = [rng.randrange(3)] * n if same_suit else [(rng.randrange(3) + i) % 3 for i in range(n)]
    parts: list[Part] = []
    for i in range(n):
        kind = 9 * suits[i] + min(low + step * i, high - 1)
        parts.append((kind,) * 3 if pung else _chow(kind))
    filler = _pool(rng, ALL_KINDS if rng.random() < 0.5 else tuple(range(9 * suits[0], 9 * suits[0] + 9)), 0.6)
    return parts + filler[n:]


def _twins(rng: random.Random) -> list[Part]:
    """Make two pairs of chows, in one suit or mirrored in two."""
    a, b = rng.choice(CHOW_STARTS), rng.choice(CHOW_STARTS)
    if rng.random() < 0.5:
        a, b = a % 9, rng.choice((a % 9, (a + 3) % 9 if a % 9 < 4 else a % 9 - 3, b % 9))
        b = min(b, 6)
        one, two = rng.sample((0, 9, 18), 2)
        if rng.random() < 0.5:
            two = one
        parts = [_chow(one + a), _chow(one + b), _chow(two + a), _chow(two + b)]
    else:
        parts = [_chow(a), _chow(a), _chow(b), _chow(b)]
    return [*parts, (rng.choice(ALL_KINDS),) * 2]


def _nine_gates(rng: random.Random) -> list[Part]:
    suit = rng.randrange(3) * 9
    return [tuple(suit + r for r in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, rng.randrange(9)))]


def _themes(rng: random.Random) -> list[Part]:
    """Use the few kinds that famous fans consist of: green, upright, even, five in every set, winds, dragons."""
    theme = rng.randrange(7)
    if theme == 0:
        return _pool(rng, (19, 20, 21, 23, 25, 32), 0.6)
    if theme == 1:
        return _pool(rng, (*range(9, 14), 16, 17, 19, *range(21, 24), 25, 26, 33), 0.6)
    if theme == 2:
        return _pool(rng, tuple(k for k in NUMBERS if k % 9 % 2), 0.0)
    if theme == 3:
        fives = [(_chow(s * 9 + rng.choice((2, 3, 4))) if rng.random() < 0.8 else (s * 9 + 4,) * 3) for s in range(3)]
        return [*fives, _chow(rng.randrange(3) * 9 + rng.choice((2, 3, 4))), (rng.randrange(3) * 9 + 4,) * 2]
    if theme == 4:
        rest = _pool(rng, rng.choice((HONOURS, ALL_KINDS)), 0.5)
        return [*((k,) * 3 for k in rng.sample(range(27, 31), 3)), *rest[3:]]
    if theme == 5:
        a, b, c = rng.sample(range(31, 34), 3)
        rest = _pool(rng, ALL_KINDS, 0.6)
        rest[:2] = [(a,) * 3, (b,) * 3]
        rest[2 if rng.random() < 0.5 else 4] = (c, c)
        rest[2] = (c,) * 3 if len(rest[2]) == 2 else rest[2]
        return rest
    one, two, three = rng.choice(((0, 0, 0), (9, 9, 9), (18, 18, 18), (0, 9, 18), (9, 18, 0), (0, 18, 9)))
    return [_chow(one), _chow(one + 6), _chow(two), _chow(two + 6), (three + 4,) * 2]


STYLES: tuple[tuple[int, Callable[[random.Random], list[Part]]], ...] = (
    (28, _any), (8, _flush), (9, _half_flush), (6, _two_suits), (9, _pungs), (4, _honours), (2, _terminals),
    (8, _outside), (5, _ranks), (12, _relate), (6, _twins), (1, _nine_gates), (3, _themes),
)  # fmt: skip


def _legal(tiles: list[int], copies: tuple[int, ...]) -> bool:
    return all(tiles.count(kind) <= copies[kind] for kind in set(tiles))


def _meld(rng: random.Random, parts: list[Part]) -> tuple[list[int], tuple[Meld, ...]]:
    """Lay out some parts as melds, and turn some pungs into kongs if the fourth tile is free."""
    tiles = [tile for part in parts for tile in part]
    openness = rng.choice((0.0, 0.0, 0.3, 0.6, 1.0))
    konging = rng.choice((0.0, 0.0, 0.2, 0.9))
    melds: list[Meld] = []
    own: list[int] = []
    for part in parts:
        pung = len(part) == 3 and part[0] == part[1]
        free = pung and tiles.count(part[0]) == 3
        if free and rng.random() < konging:
            melds.append(Meld(MeldKind.KONG if rng.random() < openness else MeldKind.CONCEALED_KONG, part[0]))
        elif len(part) == 3 and rng.random() < openness:
            melds.append(Meld(MeldKind.PUNG if pung else MeldKind.CHOW, part[0]))
        else:
            own += part
    return own, tuple(melds)


def _luck(rng: random.Random, luck_bits: int, hand: Hand) -> int:
    """Choose circumstances among those of the book (`luck_bits`) that fit the hand and each other."""
    luck = Luck.SELF_DRAW if rng.random() < 0.45 else Luck(0)
    if rng.random() < 0.6:
        return int(luck)
    drawn = bool(luck)
    alone = hand.winning is not None and hand.counts()[hand.winning] == 1
    wishes: list[tuple[Luck, bool]] = [
        (Luck.KONG_DRAW, drawn and any(m.kind >= MeldKind.KONG for m in hand.melds)),
        (Luck.LAST_DRAW, drawn),
        (Luck.LAST_DISCARD, not drawn),
        (Luck.ROBBED_KONG, not drawn and alone),
        (Luck.FOURTH_TILE, alone),
    ]
    for wish, fits in wishes:
        if fits and luck_bits & wish and rng.random() < 0.35:
            luck |= wish
    if not hand.melds and not luck & ~Luck.SELF_DRAW and rng.random() < 0.3:
        first = Luck.HEAVENLY if hand.seat == 27 else Luck.EARTHLY
        if luck_bits & first and (drawn if first is Luck.HEAVENLY else not drawn):
            luck |= first
    return int(luck)


def win(rng: random.Random, book: Rulebook) -> Hand:
    """Return one winning hand of the book's tiles under its shapes (its points may be below the minimum)."""
    luck_bits = 0
    for bits in book.circumstances.values():
        luck_bits |= bits
    special = [shape for shape in map(SHAPES.__getitem__, book.shapes) if shape.share]
    shares = [shape.share for shape in special]
    while True:
        roll = rng.random() * (100 + sum(shares))
        melds: tuple[Meld, ...] = ()
        shape = rng.choices(special, shares)[0] if roll >= 100 else None
        if shape is None:
            parts = rng.choices([s for _, s in STYLES], [w for w, _ in STYLES])[0](rng)
        else:
            parts = shape.sample(rng)
        if shape is None or shape.sets is not None:
            if not _legal([tile for part in parts for tile in part], book.tiles.counts):
                continue
            own, melds = _meld(rng, parts)
        else:
            own = [tile for part in parts for tile in part]
        if not _legal(own + [tile for meld in melds for tile in meld.tiles], book.tiles.counts):
            continue
        winning = own.pop(rng.randrange(len(own)))
        hand = Hand(tuple(sorted(own)), melds, winning, rng.randrange(27, 31), rng.randrange(27, 31))
        flowers = tuple(sorted(rng.sample(range(8), rng.choice((0, 0, 0, 1, 2, 4)))))
        hand = hand._replace(luck=_luck(rng, luck_bits, hand), flowers=flowers)
        complete = Win(hand)
        if any(SHAPES[shape].read(complete) for shape in book.shapes):
            return hand


def wins(book: Rulebook, n: int, seed: int = 0) -> Iterator[Hand]:
    """Yield `n` winning hands, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(n):
        yield win(rng, book)


def deal(rng: random.Random, n: int = 13, of: TileSet = PLAIN) -> Hand:
    """Return a random hand of 13 tiles of a set, or of 14 with the last as winning tile; half lean to one suit."""
    suit = rng.randrange(3) * 9
    lean = rng.random() < 0.5
    weights = [4.0 if lean and suit <= kind < suit + 9 else 1.0 for kind in ALL_KINDS]
    tiles: list[int] = []
    while len(tiles) < n:
        kind = rng.choices(ALL_KINDS, weights)[0]
        if tiles.count(kind) < of.counts[kind]:
            tiles.append(kind)
    winning = tiles.pop() if n == 14 else None
    return Hand(tuple(sorted(tiles)), (), winning, rng.randrange(27, 31), rng.randrange(27, 31))
