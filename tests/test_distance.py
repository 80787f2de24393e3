"""The distance automaton against a breadth-first search and against another program."""

import random
from itertools import product

import pytest

from quepu.distance import (
    DISTANCES,
    automaton,
    missing,
    nearer,
    orphans,
    pairs,
    standard,
    tiles_of,
    useful,
    withal,
    without,
)
from quepu.hand import Hand
from quepu.planes import OUTER
from quepu.suits import honour_splits, suit_splits
from quepu.tiles import BIT

DECK = [kind for kind in range(34) for _ in range(4)]


def test_one_suit_against_every_target() -> None:
    rng = random.Random(5)
    targets = [(key, ways[0].melds, ways[0].pairs) for key, ways in suit_splits().items()]
    digits = [[key // 5**r % 5 for r in range(9)] for key, _, _ in targets]
    for _ in range(12):
        suit = [0] * 9
        for tile in rng.sample([r for r in range(9) for _ in range(4)], rng.randint(1, 13)):
            suit[tile] += 1
        key = sum(n * 5**r for r, n in enumerate(suit))
        least = min(
            sum(max(0, t - h) for t, h in zip(target, suit, strict=True)) + 3 * (4 - melds) + 2 * (1 - pair)
            for target, (_, melds, pair) in zip(digits, targets, strict=True)
        )
        assert automaton().missing(key, 4) == least  # the other suits are empty: every other meld costs all its tiles


def test_honours_alone() -> None:
    table = honour_splits()
    for counts in product(range(3), repeat=7):
        key = sum(n * 5**r for r, n in enumerate(counts))
        whole = table.get(key)
        if whole and whole[0].pairs:
            assert automaton().missing(key << 66, whole[0].melds) == 0


def test_against_another_program() -> None:
    other = pytest.importorskip("mahjong.shanten").Shanten()
    rng = random.Random(1)
    for _ in range(400):
        hand = rng.sample(DECK, rng.choice((13, 14)))
        counts = [hand.count(kind) for kind in range(34)]
        tiles = tiles_of(tuple(hand), 0)
        assert standard(tiles) == other.calculate_shanten_for_regular_hand(counts) + 1
        assert pairs(tiles) == other.calculate_shanten_for_chiitoitsu_hand(counts) + 1
        assert orphans(tiles) == other.calculate_shanten_for_kokushi_hand(counts) + 1


@pytest.mark.parametrize("shapes", [("standard",), ("standard", "pairs", "any_pairs", "orphans", "loose", "knitted")])
def test_one_useful_tile_is_one_step(shapes: tuple[str, ...]) -> None:
    rng = random.Random(2)
    for _ in range(60):
        hand = Hand(tuple(sorted(rng.sample(DECK, 13))))
        now = missing(tiles_of(hand.concealed, 0), shapes)
        helping = set(useful(hand, shapes))
        assert helping
        for kind in range(34):
            if hand.concealed.count(kind) < 4:
                after = missing(tiles_of((*hand.concealed, kind), 0), shapes)
                assert after == now - (kind in helping)


@pytest.mark.slow
def test_the_shipped_automaton_is_the_one_that_is_built() -> None:
    import zlib
    from importlib.resources import files

    from quepu.lab.distance_tables import build

    shipped = (files("quepu") / "data" / "distance.bin").read_bytes()
    assert zlib.decompress(shipped) == zlib.decompress(build())


@pytest.mark.parametrize("melds", range(5))
def test_many_discards_and_draws_at_once_are_each_asked_alone(melds: int) -> None:
    rng = random.Random(melds)
    wall = [kind for kind in range(34) for _ in range(4)]
    for _ in range(30):
        held = sorted(rng.sample(wall, 14 - 3 * melds))
        counts = [held.count(kind) for kind in range(34)]
        whole = tiles_of(tuple(held), melds)
        kinds = sorted(set(held))
        alone = [standard(without(whole, kind, counts)) for kind in kinds]
        assert alone == [standard(tiles_of(tuple(_less(held, kind)), melds)) for kind in kinds]
        assert automaton().discards(whole.key, whole.need, kinds) == alone
        rest = tiles_of(tuple(held[1:]), melds)
        left = [4 - held[1:].count(kind) for kind in range(34)]
        now = standard(rest)
        helping = [k for k in range(34) if left[k] and standard(withal(rest, k)) < now]
        assert automaton().helping(rest.key, rest.need, now, left) == helping


@pytest.mark.parametrize("shape", [name for name in DISTANCES if name != "standard"])
def test_the_kinds_that_bring_a_shape_nearer(shape: str) -> None:
    rng = random.Random(3)
    wall = [kind for kind in range(34) for _ in range(4)]
    outer = [kind for kind in wall if BIT[kind] & OUTER]
    for n in range(60):
        held = rng.sample(outer if n % 3 == 0 else wall, 13)
        held = held[:6] + held[:6] + held[12:] if n % 3 == 1 and len(set(held[:6])) == 6 else held
        tiles = tiles_of(tuple(sorted(held)), 0)
        room = [k for k in range(34) if held.count(k) < 4]
        one_by_one = {k for k in room if DISTANCES[shape](withal(tiles, k)) < DISTANCES[shape](tiles)}
        plane = nearer(shape, tiles)
        assert {k for k in room if BIT[k] & plane} == one_by_one


def _less(held: list[int], kind: int) -> list[int]:
    rest = held[:]
    rest.remove(kind)
    return rest
