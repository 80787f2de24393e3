"""Readings against a plain recursive search, and waits against trying every tile."""

import random

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.hands.win import CHOW, PAIR, PUNG
from quepu.shapes import SHAPES
from quepu.shapes.readings import list_waits, readings

DECK = [kind for kind in range(34) for _ in range(4)]


def plain(tiles: list[int], need: int, paired: bool = False) -> list[tuple[tuple[int, int], ...]]:
    """Every way to take sorted tiles apart, by always using the lowest tile."""
    if not tiles:
        return [()] if need == 0 and paired else []
    first, found = tiles[0], []
    if not paired and tiles.count(first) >= 2:
        rest = tiles[2:] if tiles[1] == first else tiles
        found += [((PAIR, first), *more) for more in plain(rest, need, True)]
    if need and tiles.count(first) >= 3:
        found += [((PUNG, first), *more) for more in plain(tiles[3:], need - 1, paired)]
    if need and first < 27 and first % 9 < 7 and first + 1 in tiles and first + 2 in tiles:
        rest = list(tiles)
        for tile in (first, first + 1, first + 2):
            rest.remove(tile)
        found += [((CHOW, first), *more) for more in plain(rest, need - 1, paired)]
    return found


def random_win(rng: random.Random) -> Hand:
    while True:
        suit = rng.choice((list(range(34)), list(range(9)), [*range(9, 18), *range(27, 34)]))
        parts: list[tuple[int, ...]] = []
        for _ in range(4):
            kind = rng.choice(suit)
            chow = kind < 27 and kind % 9 < 7 and rng.random() < 0.6
            parts.append((kind, kind + 1, kind + 2) if chow else (kind,) * 3)
        pair = rng.choice(suit)
        tiles = [t for part in parts for t in part] + [pair, pair]
        if max(tiles.count(t) for t in tiles) <= 4:
            break
    melds = tuple(
        Meld(MeldKind.CHOW if len(set(part)) > 1 else MeldKind.PUNG, part[0])
        for part in parts[: rng.choice((0, 0, 1, 2))]
    )
    rest = [t for part in parts[len(melds) :] for t in part] + [pair, pair]
    winning = rng.choice(rest)
    rest.remove(winning)
    return Hand(tuple(sorted(rest)), melds, winning)


def test_every_decomposition_and_place() -> None:
    rng = random.Random(3)
    for _ in range(600):
        hand = random_win(rng)
        tiles = sorted((*hand.concealed, hand.winning or 0))
        expected = set()
        for parts in plain(tiles, 4 - len(hand.melds)):
            for i, (kind, tile) in enumerate(parts):
                inside = range(tile, tile + 3) if kind == CHOW else (tile,)
                if hand.winning in inside:
                    expected.add((tuple(sorted(parts)), parts[i]))
        found = set()
        for reading in readings(hand, ("standard",)):
            own = reading.groups[: len(reading.groups) - len(hand.melds)]
            parts = tuple(sorted((g.kind, g.tile) for g in own))
            won = [(g.kind, g.tile) for g in own if g.won]
            assert len(won) == 1, (hand, reading.text())
            found.add((parts, won[0]))
        # two places of equal effect in one decomposition (123 and 345 finished by 3 at the open end) are one reading
        assert found <= expected
        assert {parts for parts, _ in found} == {parts for parts, _ in expected}
        assert {(parts, won[0]) for parts, won in found} == {(parts, won[0]) for parts, won in expected}


def test_waits_are_the_tiles_that_win() -> None:
    rng = random.Random(4)
    shapes = tuple(SHAPES)[:6]
    hands = [random_win(rng)._replace(winning=None) for _ in range(150)]
    hands += [Hand(tuple(sorted(rng.sample(DECK, 13)))) for _ in range(50)]
    for hand in hands:
        counts = hand.counts()
        wins = [k for k in range(34) if counts[k] < 4 and readings(hand._replace(winning=k), shapes)]
        assert list_waits(hand, shapes) == wins
