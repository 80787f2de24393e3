"""Schedules in which no two players meet twice, built from small algebra.

Players are numbers 0 … n-1; a round is a list of tables of four. Two constructions:

- *Columns*: four columns of k players each. In round t the table i takes the players i + s(t) of the columns, with
  one shift s(t) a column, in an abelian group of order k. Two players meet twice only if two rounds shift two columns
  against each other by the same amount, so the shifts are a difference matrix, found by a short search. When columns
  can be split into tables themselves, further rounds are played inside them.
- *Bose*: players are the members of a field of q = 4t + 1 three times over, and one more; q = 5 and 13 give 16 and
  40 players. One round is written down by powers of a primitive element and the field's additive group turns it
  on. In q rounds every two players meet exactly once.
- *Rotation*: one round or two, found once by search (`_ROTATED`), in which every difference of two players occurs at
  most once; the others turn them on by one place. They reach the greatest number of rounds there can be, (n - 1) // 3,
  where columns cannot. The two of 32 players also stay the same under a map of order four, which made the search short.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

SEATS: Final = 4
Tables = list[list[int]]
_Shifts = tuple[int, int, int, int]

# players: (turning places, the first rounds, four players a table); players who turn come first, then those who stay
_ROTATED: Final[dict[int, tuple[int, str]]] = {
    24: (
        7,
        "0 1 5 9  2 17 19 20  3 13 16 21  4 10 18 23  6 11 15 22  7 8 12 14",
    ),
    28: (
        9,
        "0 4 12 24  1 11 14 15  2 17 25 27  3 10 20 21  5 6 8 18  7 9 16 23  13 19 22 26",
    ),
    32: (
        5,
        "5 14 16 30  0 22 28 31  1 4 13 17  7 8 24 26  2 19 20 21  9 10 12 23  3 11 25 29  6 15 18 27  "
        "0 21 29 30  5 12 18 31  2 3 6 9  11 19 23 27  7 17 20 22  4 10 14 24  8 13 25 28  1 15 16 26",
    ),
    36: (
        11,
        "0 11 19 20  1 15 29 31  2 6 12 18  3 26 27 30  4 5 7 25  8 21 22 34  9 16 24 33  10 14 32 35  13 17 23 28",
    ),
    44: (
        13,
        "0 6 24 26  1 2 29 31  3 22 35 42  4 21 28 39  5 7 10 19  8 18 30 41  9 16 27 32  11 13 36 43  12 25 "
        "33 40  14 15 17 23  20 34 37 38",
    ),
}


class _Field(NamedTuple):
    """A prime field and a primitive element of it."""

    prime: int
    primitive: int


_BOSE: Final = {16: _Field(5, 2), 40: _Field(13, 2)}


def without_repeats(players: int, rounds: int, rng: random.Random) -> list[Tables] | None:
    """Build rounds in which no two players meet twice, or return None if these constructions have none.

    `players` is a multiple of four. The columns of the first construction never meet while they last: players whose
    numbers are equal modulo 4 sit apart.
    """
    if players in _BOSE and players // SEATS <= rounds <= _BOSE[players].prime:
        return _bose(_BOSE[players], rounds)
    found = _columns(players, rounds, rng)
    if found is None and players in _ROTATED and rounds <= _count_rotated(players):
        found = _rotate(players, rounds)
    return found


def _columns(players: int, rounds: int, rng: random.Random) -> list[Tables] | None:
    size = players // SEATS
    shifts = _shifts(size, min(rounds, size), rng.randrange(8))
    if shifts is None:
        return None
    order, columns = shifts
    add = _addition(order)
    found = [
        [[SEATS * add[i][shift] + column for column, shift in enumerate(four)] for i in range(size)] for four in columns
    ]
    if len(found) < rounds:
        if size % SEATS:
            return None
        inside = without_repeats(size, rounds - len(found), rng)
        if inside is None:
            return None
        found += [
            [[SEATS * place + column for place in four] for column in range(SEATS) for four in tables]
            for tables in inside
        ]
    return found


@lru_cache(64)
def _shifts(size: int, rounds: int, start: int) -> tuple[tuple[int, ...], list[_Shifts]] | None:
    """Return a group of order `size` (its cyclic factors) and the shifts of the four columns in each round."""
    for attempt in range(40):
        rng = random.Random(start + 8 * attempt)
        for factors in _groups(size):
            found = _difference_matrix(factors, rounds, rng)
            if found is not None:
                return factors, found
    return None


def _difference_matrix(factors: tuple[int, ...], rounds: int, rng: random.Random) -> list[_Shifts] | None:
    """Search for columns (0, a, b, c) such that each of a, b, c, b-a, c-a, c-b takes every value at most once."""
    subtract = _subtraction(factors)
    size = len(subtract)
    used: list[set[int]] = [{0} for _ in range(6)]
    columns = [(0, 0, 0, 0)]
    steps = 0

    def extend() -> bool:
        nonlocal steps
        if len(columns) == rounds:
            return True
        free = [a for a in range(size) if a not in used[0]]
        rng.shuffle(free)
        for a in free[:2]:
            second = [b for b in range(size) if b not in used[1] and subtract[b][a] not in used[3]]
            rng.shuffle(second)
            for b in second:
                third = [
                    c
                    for c in range(size)
                    if c not in used[2] and subtract[c][a] not in used[4] and subtract[c][b] not in used[5]
                ]
                rng.shuffle(third)
                for c in third:
                    steps += 1
                    if steps > 4000:
                        return False
                    values = (a, b, c, subtract[b][a], subtract[c][a], subtract[c][b])
                    for taken, value in zip(used, values, strict=True):
                        taken.add(value)
                    columns.append((0, a, b, c))
                    if extend():
                        return True
                    columns.pop()
                    for taken, value in zip(used, values, strict=True):
                        taken.discard(value)
        return False

    return columns if extend() else None


def _groups(order: int) -> Iterator[tuple[int, ...]]:
    """Yield the abelian groups of this order, each as the orders of its cyclic factors."""
    powers: dict[int, int] = {}
    left, prime = order, 2
    while left > 1:
        while left % prime == 0:
            powers[prime] = powers.get(prime, 0) + 1
            left //= prime
        prime += 1
    choices = [[tuple(prime**e for e in parts) for parts in _partitions(e, e)] for prime, e in powers.items()]
    for chosen in product(*choices):
        yield tuple(factor for part in chosen for factor in part)


def _partitions(total: int, most: int) -> Iterator[list[int]]:
    if total == 0:
        yield []
    for first in range(min(total, most), 0, -1):
        for rest in _partitions(total - first, first):
            yield [first, *rest]


@lru_cache(64)
def _addition(factors: Sequence[int]) -> list[list[int]]:
    """Return the addition table of a product of cyclic groups, its members numbered; 0 is neutral."""
    members = list(product(*(range(factor) for factor in factors)))
    number = {member: i for i, member in enumerate(members)}
    return [
        [number[tuple((x + y) % m for x, y, m in zip(one, other, factors, strict=True))] for other in members]
        for one in members
    ]


@lru_cache(64)
def _subtraction(factors: Sequence[int]) -> list[list[int]]:
    """Return the subtraction table: row a, column b holds a - b."""
    add = _addition(factors)
    minus = [row.index(0) for row in add]
    return [[row[minus[b]] for b in range(len(add))] for row in add]


def _bose(field: _Field, rounds: int) -> list[Tables]:
    """Build rounds after R. C. Bose (1942): player 3x + j is member x of copy j, the last one stays."""
    prime, step = field.prime, (field.prime - 1) // 4
    power = [pow(field.primitive, i, prime) for i in range(prime - 1)]

    def seat(member: int, copy: int) -> int:
        return 3 * (member % prime) + copy % 3

    return [
        [[seat(turn, 0), seat(turn, 1), seat(turn, 2), 3 * prime]]
        + [
            [
                seat(power[i] + turn, copy),
                seat(power[i + 2 * step] + turn, copy),
                seat(power[i + step] + turn, copy + 1),
                seat(power[i + 3 * step] + turn, copy + 1),
            ]
            for i in range(step)
            for copy in range(3)
        ]
        for turn in range(rounds)
    ]


def _count_rotated(players: int) -> int:
    """Return how many rounds the turning of the first ones gives."""
    places, text = _ROTATED[players]
    return places * len(text.split()) // players


def _rotate(players: int, rounds: int) -> list[Tables]:
    places, text = _ROTATED[players]
    words = [int(word) for word in text.split()]
    turning = players // places * places

    def turn(player: int, by: int) -> int:
        return player if player >= turning else player - player % places + (player % places + by) % places

    found = [
        [[turn(player, by) for player in words[i : i + SEATS]] for i in range(start, start + players, SEATS)]
        for start in range(0, len(words), players)
        for by in range(places)
    ]
    return found[:rounds]
