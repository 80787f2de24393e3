"""Hidden hands as they are assumed to be: ready, or holding all of a kind."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rulebooks import book
from quepu.shapes.readings import wait_planes
from quepu.table.sampling import Assumed, Hidden, SampleError, _nearly_complete, deal
from quepu.tiles import FIRST_FLOWER
from tests.table.walls import kinds

BOOK = book("lingque-29")


def anew(pool: str, hands: dict[int, int], assumed: Assumed, seed: int, melds: int = 0) -> list[list[int]]:
    """Deal a pool into hands of these sizes, and the rest; `melds` chows lie before each seat."""
    tiles = Counter(kinds(pool))
    places, first = {}, 0
    for seat, size in hands.items():
        places[seat] = range(first, first + size)
        first += size
    total = tiles.total()
    order = [-1] * total
    hidden = Hidden(places, range(first, total))
    shown = (Meld(MeldKind.CHOW, 18),) * melds
    deal(order, tiles.copy(), hidden, random.Random(seed), assumed, BOOK, [shown] * 4)
    assert Counter(order) == tiles
    return [[order[at] for at in own] for own in (*places.values(), range(first, total))]


def test_a_kind_that_the_others_hold_is_in_their_hands() -> None:
    spread = set()
    for seed in range(30):
        one, two, three, rest = anew("1111m5555pEEEWWWN春", {0: 1, 2: 4, 3: 5}, Assumed(held=(0,)), seed)
        assert 0 not in rest and 34 in rest
        spread.add((one.count(0), two.count(0), three.count(0)))
    assert len(spread) > 5
    one, two, _ = anew("1111m5p", {0: 1, 2: 3}, Assumed(held=(0,)), 1)
    assert (one, two) == ([0], [0] * 3)
    with pytest.raises(SampleError, match="放不下"):
        anew("1111mE", {0: 1, 2: 2}, Assumed(held=(0,)), 1)
    assert anew("E", {0: 1}, Assumed(held=(0,)), 1) == [[27], []]
    for seed in range(8):
        ready, other, _ = anew("11m23p4567sEE", {0: 1, 1: 5}, Assumed(frozenset({0}), (0,)), seed, melds=4)
        assert 0 not in ready and other.count(0) == 2


@pytest.mark.parametrize(
    ("pool", "size", "melds"),
    [("111222333444m55566p", 13, 0), ("111222333444m55566p春夏秋", 14, 0), ("111222333m11155p", 10, 1), ("11p5m", 1, 4),
     ("11p5m", 2, 4), ("123m11pW春夏秋", 4, 3), ("123m11pW春夏秋", 5, 3)],
)  # fmt: skip
def test_a_hand_assumed_ready_waits_for_a_tile(pool: str, size: int, melds: int) -> None:
    """Its first tiles are ready, the one drawn since is any that is left, and flowers stay in the wall."""
    for seed in range(6):
        hand, _ = anew(pool, {2: size}, Assumed(frozenset({2})), seed, melds=melds)
        ready = sorted(hand[: 13 - 3 * melds])
        shown = (Meld(MeldKind.CHOW, 18),) * melds
        assert wait_planes(Hand(tuple(ready), shown), BOOK.shapes)[0]
        assert max(hand) < FIRST_FLOWER and len(hand) == size


def test_a_hand_assumed_ready_needs_tiles_for_it() -> None:
    with pytest.raises(SampleError, match="报听"):
        anew("147m258p369sESWNC", {1: 13}, Assumed(frozenset({1})), 1)
    with pytest.raises(ValueError, match="shorter"):
        anew("111222333444m55566p", {1: 15}, Assumed(frozenset({1})), 1)
    with pytest.raises(ValueError, match="longer"):
        deal([0] * 3, Counter({0: 3}), Hidden({}, range(2)), random.Random(1), Assumed(), BOOK, [()] * 4)


def start(kind: int) -> bool:
    """Whether a chow starts at this kind: 1 to 7 of a suit."""
    return kind < 27 and kind % 9 + 1 <= 7


@pytest.mark.parametrize("kind", range(34))
def test_a_set_is_a_chow_of_one_suit_or_a_pung(kind: int) -> None:
    pair = 31 if kind < 28 else 0
    run = Counter({kind: 1, (kind + 1) % 34: 1, (kind + 2) % 34: 1})
    run[pair] += 2
    made = [hand for seed in range(60) if (hand := _nearly_complete(run, 1, random.Random(seed))) is not None]
    assert bool(made) is start(kind)
    whole = Counter({kind: 3, pair: 2})
    lost = set()
    for seed in range(60):
        hand = _nearly_complete(whole, 1, random.Random(seed))
        if hand is not None:
            assert len(hand) == 4 and hand == sorted(hand)
            (gone,) = (whole - Counter(hand)).elements()
            lost.add(gone)
    assert lost == {kind, pair}


def test_seven_of_ten_sets_are_chows_where_both_can_be_made() -> None:
    pool = Counter({0: 3, 1: 1, 2: 1, 31: 2})
    made = [hand for seed in range(400) if (hand := _nearly_complete(pool, 1, random.Random(seed))) is not None]
    chows = sum(1 in hand or 2 in hand for hand in made)
    assert 0.6 < chows / len(made) < 0.8
