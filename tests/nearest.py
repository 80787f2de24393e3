"""A plain twin of the distances: breadth-first search over draws, with nothing but the readers to say what is a win."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

from quepu.hands.hand import Hand
from quepu.hands.win import Win
from quepu.shapes import SHAPES


def draws_to_win(hand: Hand, shapes: tuple[str, ...], most: int) -> int:
    """The least number of draws after which some of the tiles are a win; `most` + 1 if it is more than `most`.

    A tile too many can always be discarded, so only what is drawn counts.
    """
    held = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
    size = 14 - 3 * len(hand.melds)
    whole = hand._replace(concealed=(), winning=None).counts()
    for tile in held:
        whole[tile] += 1

    @cache
    def wins(tiles: tuple[int, ...]) -> bool:
        win = Win(hand._replace(concealed=tiles, winning=None))
        return any(SHAPES[shape].read(win) for shape in shapes)

    for n in range(most + 1):
        for drawn in combinations_with_replacement(range(34), n):
            if all(whole[tile] + drawn.count(tile) <= 4 for tile in drawn):
                tiles = tuple(sorted((*held, *drawn)))
                if len(tiles) >= size and any(wins(some) for some in discarded(tiles, len(tiles) - size)):
                    return n
    return most + 1


def discarded(tiles: tuple[int, ...], n: int) -> Iterator[tuple[int, ...]]:
    """Some sorted tiles without n of them, each outcome once."""
    if n == 0:
        yield tiles
        return
    for at, tile in enumerate(tiles):
        if at == 0 or tiles[at - 1] != tile:
            # what is discarded next stands no lower
            yield from ((*tiles[:at], *rest) for rest in discarded(tiles[at + 1 :], n - 1))


def spoilt(rng: random.Random, hand: Hand, n: int) -> Hand:
    """A winning hand with n of its concealed tiles replaced by others, and without one more: thirteen tiles."""
    own = [*hand.concealed, *(() if hand.winning is None else (hand.winning,))]
    rng.shuffle(own)
    n = min(n, len(own))
    own = own[n:]
    counts = hand._replace(concealed=tuple(own), winning=None).counts()
    while n:
        tile = rng.randrange(34)
        if counts[tile] < 4:
            own.append(tile)
            counts[tile] += 1
            n -= 1
    rng.shuffle(own)
    return hand._replace(concealed=tuple(sorted(own[1:])), winning=None)
