"""The distance automaton against a breadth-first search and against another program."""

import random
from itertools import product

import pytest

from quepu.distance import automaton, missing, orphans, pairs, standard, tiles_of, useful
from quepu.hand import Hand
from quepu.suits import honour_splits, suit_splits

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
