"""Every part of a shape against brute force: the readers say what is a win, all else must agree with them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np

from quepu.fast.arrays.hand_lists import from_hands
from quepu.fast.arrays.readings import read as read_many
from quepu.fast.universe.special import counts_of, is_tabulated, special_wins, tabulate
from quepu.fast.universe.standard_hands import STATES
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.planes import Planes
from quepu.hands.win import Win
from quepu.shapes import Shape
from quepu.shapes.distance import tiles_of
from quepu.shapes.readings import readings, wait_planes
from quepu.tiles import BIT
from tests.nearest import draws_to_win, spoilt

EVERY = frozenset(Planes._fields)


def some_wins(shape: Shape, n: int, seed: int) -> Iterator[Hand]:
    """Wins as the shape itself makes them, with melds where it allows any, in a circumstance that it needs."""
    rng = random.Random(seed)
    luck = Luck(shape.needs & -shape.needs)
    while n:
        parts = shape.sample(rng)
        tiles = [tile for part in parts for tile in part]
        assert len(tiles) == 14
        if max(Counter(tiles).values()) > 4:
            continue
        melds: list[Meld] = []
        for part in parts:
            if shape.sets and len(part) == 3 and len(melds) < shape.melds and rng.random() < 0.3:
                melds.append(Meld(MeldKind.CHOW if part[0] < part[1] else MeldKind.PUNG, part[0]))
                for tile in part:
                    tiles.remove(tile)
            elif shape.fours and part[1:] == part[:2] and tiles.count(part[0]) == 3 and rng.random() < 0.3:
                melds.append(Meld(MeldKind.CONCEALED_KONG, part[0]))
                tiles = [tile for tile in tiles if tile != part[0]]
        winning = tiles.pop(rng.randrange(len(tiles)))
        yield Hand(tuple(sorted(tiles)), tuple(melds), winning, luck=luck)
        n -= 1


def check(shape: Shape, hands: int = 60, far: int = 12) -> None:
    """Every part of a registered shape; `far` of the hands are searched two draws deep."""
    wins = list(some_wins(shape, hands, 31))
    rng = random.Random(32)
    near = [spoilt(rng, win, rng.choice((0, 0, 1, 1, 2, 3))) for win in wins]
    check_words(shape)
    check_readings(shape, wins)
    check_waits(shape, near)
    if not shape.boundless:
        check_distances(shape, near, far)
        check_enumeration(shape, wins)
    check_arrays(shape, wins, near)


def check_words(shape: Shape) -> None:
    assert any("一" <= char <= "鿿" for char in shape.words.zh)
    assert shape.words.en
    assert shape.words.en.isascii()


def check_readings(shape: Shape, wins: list[Hand]) -> None:
    assert len({hand.concealed for hand in wins}) > 1 or len(set(wins)) < 3, "samples are all alike"
    for hand in wins:
        found = shape.read(Win(hand, EVERY))
        assert found, hand
        assert {reading.h.form for reading in found} == {shape.form}
        for reading in found:
            tiles = Counter(tile for group in reading.groups for tile in group.tiles)
            assert [tiles[kind] for kind in range(34)] == hand.counts(), reading.text()
        assert len(hand.melds) <= shape.melds
        assert shape.allows(len(hand.melds), len(set(np.flatnonzero(hand._replace(winning=None).counts()))))
        if shape.may_win is not None:
            assert shape.may_win(found[0].h)


def check_waits(shape: Shape, near: list[Hand]) -> None:
    for hand in near:
        held = hand.counts()
        wins = sum(BIT[k] for k in range(34) if held[k] < 4 and shape.read(Win(hand._replace(winning=k))))
        live = wait_planes(hand, (shape.name,))[0]
        assert live == (0 if shape.boundless else wins), hand


def check_distances(shape: Shape, near: list[Hand], far: int) -> None:
    for i, hand in enumerate(near):
        tiles = tiles_of(hand.concealed, hand.melds, int(hand.luck))
        most = 2 if i < far else 1
        found = shape.distance(tiles)
        assert min(found, most + 1) == draws_to_win(hand, (shape.name,), most), hand
        assert shape.at_least is None or shape.at_least(tiles) <= found
        one_by_one = sum(bit for kind, bit in tiles.free_kinds() if shape.distance(tiles.with_tile(kind)) < found)
        free = sum(bit for _, bit in tiles.free_kinds())
        assert shape.helping(tiles) & free == one_by_one, hand


def check_enumeration(shape: Shape, wins: list[Hand]) -> None:
    assert sum((shape.sets is not None, is_tabulated(shape), shape.tile_sets is not None)) == 1, "one way to enumerate"
    if is_tabulated(shape):
        kinds = sorted(np.flatnonzero(wins[0].counts()).tolist())
        kinds = sorted({*kinds, *range(9, 9 + max(0, 5 - len(kinds)))})
        found = {tuple(row) for chunk in tabulate(shape, kinds) for row in counts_of(chunk.keys)[:, kinds].tolist()}
        every = (counts for counts in product(range(5), repeat=len(kinds)) if sum(counts) == 14)
        assert found == {counts for counts in every if shape.read(Win(of_counts(kinds, counts, shape)))}
    elif not shape.plain:
        luck = shape.needs & -shape.needs
        state = STATES["closed-discard"]._replace(luck=luck)
        listed = np.concatenate([wins.counts for wins, _ in special_wins(shape.name, state, 27, 27)])
        assert len(np.unique(listed, axis=0)) == len(listed)
        rows = set(map(bytes, listed.astype(np.uint8)))
        for hand in wins:
            if not hand.melds:
                assert bytes(np.array(hand.counts(), np.uint8)) in rows
        for row in listed[:: 1 + len(listed) // 200].tolist():
            assert shape.read(Win(of_counts(list(range(34)), tuple(row), shape)))


def of_counts(kinds: list[int], counts: tuple[int, ...], shape: Shape) -> Hand:
    tiles = tuple(kind for kind, n in zip(kinds, counts, strict=True) for _ in range(n))
    return Hand(tiles, luck=Luck(shape.needs & -shape.needs))


def check_arrays(shape: Shape, wins: list[Hand], near: list[Hand]) -> None:
    """The same readings, with what was waited for, from many hands at once."""
    lost = [hand._replace(winning=0) for hand in near if hand.counts()[0] < 4]
    given = [*wins, *lost]
    many = read_many(from_hands(given), (shape.name,), EVERY)
    order = np.lexsort((many.rank, many.of))
    columns = [np.broadcast_to(getattr(many.h, name), (len(many.of),))[order].tolist() for name in Planes._fields]
    found: dict[int, list[tuple[int, ...]]] = {}
    for i, *row in zip(many.of[order].tolist(), *columns, strict=True):
        found.setdefault(i, []).append(tuple(row))
    for i, hand in enumerate(given):
        alone = [tuple(map(int, reading.h)) for reading in readings(hand, (shape.name,), EVERY)]
        assert found.get(i, []) == alone, hand
