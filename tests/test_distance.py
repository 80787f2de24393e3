"""The distance automaton against a breadth-first search and against another program."""

import dataclasses
import random
from collections.abc import Iterator
from itertools import product

import pytest

from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.notation import parse
from quepu.hands.planes import HONOUR_TILES, OUTER
from quepu.hands.suit_tables import honour_splits, suit_splits
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import deal, wins
from quepu.shapes import SHAPES, orphans, pairs, standard
from quepu.shapes.automaton import automaton
from quepu.shapes.distance import (
    hand_missing,
    missing,
    tiles_of,
    useful,
)
from quepu.shapes.knitted import KNITTED_LINES
from quepu.tiles import BIT, kinds_of
from tests.nearest import draws_to_win, spoilt
from tests.test_books import ALL_BOOKS

DECK = [kind for kind in range(34) for _ in range(4)]


@pytest.mark.long
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
        tiles = tiles_of(tuple(hand))
        assert standard.SHAPE.distance(tiles) == other.calculate_shanten_for_regular_hand(counts) + 1
        assert pairs.SHAPE.distance(tiles) == other.calculate_shanten_for_chiitoitsu_hand(counts) + 1
        assert orphans.SHAPE.distance(tiles) == other.calculate_shanten_for_kokushi_hand(counts) + 1


@pytest.mark.parametrize("shapes", [("standard",), ("standard", "pairs", "any_pairs", "orphans", "loose", "knitted")])
def test_one_useful_tile_is_one_step(shapes: tuple[str, ...]) -> None:
    rng = random.Random(2)
    for _ in range(60):
        hand = Hand(tuple(sorted(rng.sample(DECK, 13))))
        now = missing(tiles_of(hand.concealed), shapes)
        helping = set(useful(hand, shapes))
        assert helping
        for kind in range(34):
            if hand.concealed.count(kind) < 4:
                after = missing(tiles_of((*hand.concealed, kind)), shapes)
                assert after == now - (kind in helping)


@pytest.mark.slow
def test_the_shipped_automaton_is_the_one_that_is_built() -> None:
    import zlib
    from importlib.resources import files

    from quepu.lab.distance_tables import build

    shipped = (files("quepu") / "data" / "distance.bin").read_bytes()
    assert zlib.decompress(shipped) == zlib.decompress(build())


@pytest.mark.parametrize("melds", range(5))
def test_many_discards_and_draws_at_once_are_each_counted_alone(melds: int) -> None:
    rng = random.Random(melds)
    chows = tuple(Meld(MeldKind.CHOW, 3 * start) for start in range(melds))  # the kinds that are left in plenty
    wall = [kind for kind in range(9, 34) for _ in range(4)]
    for _ in range(30):
        held = sorted(rng.sample(wall, 14 - 3 * melds))
        whole = tiles_of(held, chows)
        kinds = sorted(set(held))
        alone = [standard.SHAPE.distance(whole.without_tile(kind)) for kind in kinds]
        assert alone == [standard.SHAPE.distance(tiles_of(_less(held, kind), chows)) for kind in kinds]
        assert automaton().discards(whole.key, whole.need, kinds) == alone
        rest = tiles_of(held[1:], chows)
        left = [0 if kind < 9 else 4 - held[1:].count(kind) for kind in range(34)]
        now = standard.SHAPE.distance(rest)
        helping = [k for k in range(34) if left[k] and standard.SHAPE.distance(rest.with_tile(k)) < now]
        assert automaton().helping(rest.key, rest.need, now, left) == helping


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "standard"])
def test_the_kinds_that_bring_a_shape_nearer(shape: str) -> None:
    rng = random.Random(3)
    wall = [kind for kind in range(34) for _ in range(4)]
    outer = [kind for kind in wall if BIT[kind] & OUTER]
    for n in range(60):
        held = rng.sample(outer if n % 3 == 0 else wall, 13)
        held = held[:6] + held[:6] + held[12:] if n % 3 == 1 and len(set(held[:6])) == 6 else held
        tiles = tiles_of(tuple(sorted(held)))
        room = [k for k in range(34) if held.count(k) < 4]
        one_by_one = {k for k in room if SHAPES[shape].distance(tiles.with_tile(k)) < SHAPES[shape].distance(tiles)}
        plane = SHAPES[shape].helping(tiles)
        assert {k for k in room if BIT[k] & plane} == one_by_one


def near_wins(rules: Rulebook, n: int, seed: int) -> Iterator[Hand]:
    """Hands of thirteen tiles not far from a win in every shape of a book in turn, and some that are far from any."""
    rng = random.Random(seed)
    of_tiles = [shape for shape in rules.shapes if shape not in ("scattered", "outside")]  # those need a circumstance
    sources = [wins(dataclasses.replace(rules, shapes=(shape,)), n, seed) for shape in of_tiles]
    if "scattered" in rules.shapes:
        sources.append(in_the_first_round(rng))
    for i in range(n):
        if i % 10 == 9:
            yield deal(rng)
        else:
            win = next(sources[i % len(sources)])
            luck = win.luck & Luck.FIRST_ROUND
            yield spoilt(rng, win, rng.choice((0, 1, 1, 1, 2, 2, 3, 4)))._replace(luck=luck)


def in_the_first_round(rng: random.Random) -> Iterator[Hand]:
    while True:
        kinds = rng.sample(kinds_of(rng.choice(KNITTED_LINES) | HONOUR_TILES), 13)
        yield Hand(tuple(sorted(kinds)), winning=rng.choice(kinds), luck=Luck.FIRST_ROUND)


def check_by_drawing(rules: Rulebook, hands: int, seed: int, far: int) -> None:
    """Distances and useful tiles against a search of one draw, of two for every `far`-th hand."""
    for i, hand in enumerate(near_wins(rules, hands, seed)):
        most = 2 if i % far == 0 else 1
        found = hand_missing(hand, rules.shapes)
        assert min(found, most + 1) == draws_to_win(hand, rules.shapes, most), hand
        if found <= most:
            held = hand.counts()
            after = {k: hand._replace(winning=k) for k in range(34) if held[k] < 4}
            nearer = [k for k, drawn in after.items() if draws_to_win(drawn, rules.shapes, found - 1) < found]
            assert useful(hand, rules.shapes) == nearer, hand


@pytest.mark.parametrize("hands", [20, pytest.param(120, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", ALL_BOOKS, ids=lambda rules: rules.id)
def test_distances_are_those_of_a_search_by_drawing(rules: Rulebook, hands: int) -> None:
    check_by_drawing(rules, hands, seed=21, far=12)


@pytest.mark.slow
@pytest.mark.timeout(3600)  # a search by drawing takes minutes in a book of many shapes
@pytest.mark.parametrize("rules", ALL_BOOKS, ids=lambda rules: rules.id)
def test_two_thousand_distances_are_those_of_a_search_by_drawing(rules: Rulebook) -> None:
    check_by_drawing(rules, 2000, seed=22, far=10)


@pytest.mark.parametrize(
    ("name", "text", "steps"),
    [
        ("canton", "1479m12589p136sE", 2),  # 9s, and thirteen orphans of another kind wait for thirteen tiles
        ("yuque-54", "12456789m77p[3333m]", 2),  # 3m would complete it, but all four lie in the kong
        ("lingque-29", "12456789m77p[3333m]", 2),
        ("canton", "1111m2222p333p44s+5s", 1),
        ("guobiao", "47m258p369s55s(111m)", 1),
        ("guobiao", "47m258p369s55s(1111m)", 3),  # or more: 1m cannot come
    ],
)
def test_hands_that_were_counted_nearer_or_farther(name: str, text: str, steps: int) -> None:
    rules = next(rules for rules in ALL_BOOKS if rules.id == name)
    assert min(hand_missing(parse(text), rules.shapes), 3) == draws_to_win(parse(text), rules.shapes, 2) == steps


def _less(held: list[int], kind: int) -> list[int]:
    rest = held[:]
    rest.remove(kind)
    return rest
