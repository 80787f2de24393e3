"""Hands of books with fewer kinds of tiles, or without claimed chows, against counts made another way."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import comb, prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from quepu.errors import HandError
from quepu.fast.universe.classed import Classed, class_universe, conditions_of
from quepu.fast.universe.classed_cache import shipped_file
from quepu.fast.universe.limits import EVERY, Limits, limits_of
from quepu.fast.universe.standard_hands import STATES, Universe
from quepu.fast.universe.valued import census_of, valued
from quepu.hands.notation import parse_part
from quepu.hands.planes import HONOUR_TILES
from quepu.lab.find_hand import Wanted, find_hands, find_nearest
from quepu.lab.formula_hands import formula_hands
from quepu.lab.pairing import ClassPairs, pair_up
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from quepu.tiles import BIT, PLAIN
from tests.fast.universe.pairs_by_hand import pair_by_hand
from tests.tuidaohu import BOOK as PUSH_OVER

PACKAGE = Path(__file__).parents[3] / "examples" / "packages" / "quepu-sichuan" / "src"
CLOSED = STATES["closed-discard"]
SUIT = range(9)


@pytest.fixture(scope="module")
def sichuan() -> Iterator[Rulebook]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PACKAGE))
        yield importlib.import_module("quepu_sichuan").BOOK


@pytest.fixture(scope="module")
def closed(sichuan: Rulebook) -> Classed:
    return class_universe(conditions_of(sichuan), CLOSED)


# ---- a twin that knows suits as lists of numbers

Groups = tuple[int, ...]


def suit_hands() -> dict[Groups, tuple[int, int]]:
    """The tiles of one suit that are up to four melds and a pair at most: copies of each rank, and (melds, pairs)."""
    groups = [Counter({rank: 3}) for rank in SUIT] + [Counter({rank + n: 1 for n in range(3)}) for rank in range(7)]
    found: dict[Groups, tuple[int, int]] = {}
    for pair in (None, *SUIT):
        for melds in range(5):
            for some in combinations_with_replacement(groups, melds):
                copies = sum(some, Counter() if pair is None else Counter({pair: 2}))
                if max(copies.values(), default=0) <= 4:
                    found[tuple(copies[rank] for rank in SUIT)] = (melds, int(pair is not None))
    return found


class Suits(NamedTuple):
    """What some suits of a hand have in them."""

    tiles: int = 0
    melds: int = 0
    pairs: int = 0
    fours: int = 0
    used: int = 0
    standard: bool = True  # each is melds and a pair at most
    pungs: bool = True  # each is pungs and a pair at most
    twos: bool = True  # each kind is there twice or not at all

    def beside(self, other: Suits) -> Suits:
        sums = (one + two for one, two in zip(self[:5], other[:5], strict=True))
        return Suits(*sums, *(one and two for one, two in zip(self[5:], other[5:], strict=True)))

    @property
    def points(self) -> int | None:
        """What it is worth in 四川, concealed and won on a discard, from the sentences of its rows; None: no win."""
        one_suit, ways = 2 * (self.used == 1), []
        if self.standard and (self.melds, self.pairs) == (4, 1):
            ways.append(one_suit + self.pungs + self.fours)
        if self.twos:
            ways.append(one_suit + 2)
        if self.tiles != 14 or not ways:
            return None
        return 0 if self.used == 3 else 1 << min(4, max(ways))


def counted_by_suits() -> dict[int, tuple[int, int]]:
    """Hands and tile sets of 四川 by points: one suit beside another, no hand ever built."""
    standard, twos = suit_hands(), set(product((0, 2), repeat=9))
    lane: dict[Suits, tuple[int, int]] = {}
    for copies in standard.keys() | twos:
        pungs = set(copies) <= {0, 2, 3} and copies.count(2) < 2
        suit = Suits(sum(copies), *standard.get(copies, (0, 0)), copies.count(4), int(any(copies)),
                     copies in standard, pungs, copies in twos)  # fmt: skip
        add(lane, suit, 1, prod(comb(4, n) for n in copies))
    whole = {Suits(): (1, 1)}
    for _ in range(3):
        joined: dict[Suits, tuple[int, int]] = {}
        for (some, (hands, sets)), (suit, more) in product(whole.items(), lane.items()):
            if some.tiles + suit.tiles <= 14:
                add(joined, some.beside(suit), hands * more[0], sets * more[1])
        whole = joined
    found: dict[int, tuple[int, int]] = {}
    for suits, both in whole.items():
        if suits.points is not None:
            add(found, suits.points, *both)
    return found


def add(sums: dict[Any, tuple[int, int]], key: Any, hands: int, sets: int) -> None:
    before = sums.get(key, (0, 0))
    sums[key] = before[0] + hands, before[1] + sets


def by_points(rules: Rulebook, classed: Classed) -> dict[int, tuple[int, int]]:
    census = census_of(valued(rules, classed))
    hands, sets = (census.whole.by_class(name) for name in ("hands", "sets"))
    every = np.unique(census.points[hands > 0]).tolist()
    return {p: (int(hands[census.points == p].sum()), int(sets[census.points == p].sum())) for p in every}


def test_points_of_108_tiles_are_those_counted_by_suits(sichuan: Rulebook, closed: Classed) -> None:
    twin = counted_by_suits()
    assert by_points(sichuan, closed) == twin
    assert set(twin) == {0, 1, 2, 4, 8, 16}


def test_seven_pairs_of_27_kinds_are_this_many(closed: Classed) -> None:
    readings = closed.parts["pairs"].readings
    assert (int(readings[:, 1].sum()), int(readings[:, 2].sum())) == (comb(27, 7), comb(27, 7) * 6**7)


def test_without_claimed_chows_claimed_hands_are_pungs(sichuan: Rulebook) -> None:
    """Four claimed melds are 对对胡, of one suit 清一色 too; a pung can be dealt in four ways, a pair in six."""
    one = comb(9, 4) * 5
    two = comb(18, 4) * 14 - 2 * one
    hands = {8: 3 * one, 2: 3 * two, 0: comb(27, 4) * 23 - 3 * one - 3 * two}
    found = by_points(sichuan, class_universe(conditions_of(sichuan), STATES["single-open"]))
    assert found == {points: (n, n * 4**4 * 6) for points, n in hands.items()}


@pytest.mark.parametrize(("key", "same"), [("open-discard", "pungs-open"), ("pungs-hidden", "closed-discard")])
def test_chows_that_cannot_be_claimed_are_concealed(key: str, same: str) -> None:
    every = [class_universe(conditions_of(PUSH_OVER), STATES[one]) for one in (key, same)]
    assert by_points(PUSH_OVER, every[0]) == by_points(PUSH_OVER, every[1])
    planes = Universe(STATES[key], limits=limits_of(PUSH_OVER)).base
    assert not any(np.any(plane) for plane in (planes.o1, planes.o2, planes.o3, planes.o4))


def ways_to_make(*, chows: bool, kongs: bool) -> int:
    """Ways to make four melds and a pair of 27 kinds: rank after rank, by the chows that reach into the next ones."""
    suit: Counter[tuple[int, int]] = Counter()
    state: Counter[tuple[int, int, int, int]] = Counter({(0, 0, 0, 0): 1})
    for rank in SUIT:
        after: Counter[tuple[int, int, int, int]] = Counter()
        for (one_before, two_before, melds, pairs), n in state.items():
            for begun, pung, pair in product(range(5 if chows and rank < 7 else 1), (0, 1), (0, 1)):
                tiles = one_before + two_before + begun + (4 if kongs else 3) * pung + 2 * pair
                if tiles <= 4:
                    after[begun, one_before, melds + begun + pung, pairs + pair] += n
        state = after
    for (_, _, melds, pairs), n in state.items():
        suit[melds, pairs] += n
    return sum(
        a[1] * b[1] * c[1]
        for a, b, c in product(suit.items(), repeat=3)
        if (a[0][0] + b[0][0] + c[0][0], a[0][1] + b[0][1] + c[0][1]) == (4, 1)
    )


@pytest.mark.parametrize(
    "key", ["closed-discard", "open-discard", "kongs", "single-closed", "single-open", "pungs-hidden"]
)
def test_all_readings_are_within_the_limits(sichuan: Rulebook, key: str) -> None:
    held = STATES[key]
    universe, met = Universe(held, limits=limits_of(sichuan)), 0
    for kind, index in universe.pairs():
        h = universe.block(kind, index)
        assert not (h.t1 >> 48).any()
        assert not (key == "single-open" and h.c1.any())
        met += len(index)
    assert met == ways_to_make(chows=key != "single-open", kongs=held.kongs)


# ---- other parts of the lab


def test_a_draft_is_compared_over_the_hands_of_its_book(sichuan: Rulebook) -> None:
    draft = sichuan.having(values={"根": 2})
    pairs = pair_up(sichuan, draft, CLOSED)
    assert int(pairs.hands.sum()) == sum(hands for hands, _ in counted_by_suits().values())
    by_hand = pair_by_hand(sichuan, draft, CLOSED)
    assert changes(by_hand) == changes(pairs)


def changes(pairs: ClassPairs) -> Counter[tuple[int, int]]:
    found = Counter[tuple[int, int]]()
    for old, new, hands in zip(pairs.points(0).tolist(), pairs.points(1).tolist(), pairs.hands.tolist(), strict=True):
        found[old, new] += hands
    return found


def test_books_of_other_tiles_are_not_compared(sichuan: Rulebook) -> None:
    with pytest.raises(HandError, match=r"108 张.*136 张"):
        pair_up(sichuan, replace(sichuan, tiles=PLAIN), CLOSED)
    with pytest.raises(HandError, match=r"每种 4 张.*每种 3 张"):
        limits_of(replace(sichuan, tiles=sichuan.tiles._replace(copies=3)))


def test_a_formula_is_asked_about_hands_of_the_book_only(sichuan: Rulebook) -> None:
    found = formula_hands(sichuan, lambda h: h.t1 & HONOUR_TILES, CLOSED)
    assert (found.readings, found.of) == (0, ways_to_make(chows=True, kongs=False))


def test_hands_are_found_and_the_nearest_has_no_tile_that_the_book_lacks(sichuan: Rulebook) -> None:
    assert find_hands(sichuan, CLOSED, fans=["七对"], least=16).hands == 3 * comb(9, 7)
    found = find_nearest(sichuan, CLOSED, Wanted(("七对",)), parse_part("112233445566mEE"), 30)
    assert (found.away, found.hands) == (2, 27 - 6)
    assert {one.into for one in found.examples} == {(kind, kind) for kind in range(6, 27)}
    found = find_nearest(sichuan, CLOSED, Wanted(("对对胡",)), parse_part("111222333444mEE"), 30)
    assert (found.away, found.hands) == (2, 27 - 4)


def test_what_is_shipped_belongs_to_books_of_136_tiles(sichuan: Rulebook) -> None:
    own = conditions_of(sichuan)
    assert own.digest != own._replace(limits=EVERY).digest
    assert not own.cover(own._replace(limits=EVERY), CLOSED)
    assert not shipped_file(own.digest, CLOSED).is_file()


def test_limits_are_those_of_tiles_and_table(sichuan: Rulebook) -> None:
    assert limits_of(sichuan) == limits_of(PUSH_OVER) == Limits(sum(BIT[kind] for kind in range(27)), chows=False)
    assert {limits_of(book(name)) for name in book_ids()} == {EVERY}
