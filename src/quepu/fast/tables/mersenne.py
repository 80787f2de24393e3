"""The Mersenne twister on arrays; the plain twin is `random.Random`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

WORDS, LAG = 624, 397
LOW32 = 0xFFFFFFFF
LANES = 64
"""Generators that are set at once, at most."""
SEEDING_ROOM = WORDS * LANES + 2 * LANES + WORDS


def seed_lanes(block: Any, low: Any, odd: Any, empty: Any) -> None:
    """Set some generators as `random.Random(seed)` does, side by side, so that one instruction serves several.

    block: uint32 [624 * lanes], word by word, the generators' side by side; low, odd: uint32 [lanes], mixed into the
    words of even and of odd steps; empty: see `blank`.
    """
    lanes = len(low)  # not a constant, or the compiler would write each lane out
    for i in range(WORDS):
        for g in range(lanes):
            block[i * lanes + g] = empty[i]
    i = 1
    for step in range(2 * WORDS - 1):
        before, here, key = block[(i - 1) * lanes :], block[i * lanes :], odd if step & 1 else low
        if step < WORDS:
            for g in range(lanes):
                word = int(before[g])
                here[g] = ((int(here[g]) ^ (word ^ word >> 30) * 1664525) + int(key[g])) & LOW32
        else:
            for g in range(lanes):
                word = int(before[g])
                here[g] = ((int(here[g]) ^ (word ^ word >> 30) * 1566083941) - i) & LOW32
        i += 1
        if i == WORDS:
            last = block[(WORDS - 1) * lanes :]
            for g in range(lanes):
                block[g] = last[g]
            i = 1
    for g in range(lanes):
        block[g] = 0x80000000


def blank(words: Any) -> None:
    """Set words to what every generator begins with: uint32 [624]."""
    words[0] = 19650218
    for i in range(1, WORDS):
        before = int(words[i - 1])
        words[i] = (1812433253 * (before ^ before >> 30) + i) & LOW32


def next_word(words: Any) -> Any:
    """The next 32 bits; a word of the state is renewed when it is come to."""
    i = int(words[WORDS])
    after = i + 1 if i + 1 < WORDS else 0
    y = int(words[i]) & 0x80000000 | int(words[after]) & 0x7FFFFFFF
    x = int(words[i + LAG if i + LAG < WORDS else i + LAG - WORDS]) ^ y >> 1
    if y & 1:
        x ^= 0x9908B0DF
    words[i] = x
    words[WORDS] = after
    x ^= x >> 11
    x ^= x << 7 & 0x9D2C5680
    x ^= x << 15 & 0xEFC60000
    return x ^ x >> 18


def uniform(words: Any) -> Any:
    """The next number from 0 to 1, as `random.Random.random` gives it."""
    a, b = next_word(words) >> 5, next_word(words) >> 6
    return (a * 67108864.0 + b) / 9007199254740992.0


def seed_all(generators_at: Any, seeds_at: Any, number: Any, room_at: Any) -> Any:
    """Set generators by their seeds.

    Args:
        generators_at: address of uint32 [n, 625], the last is the place in the others.
        seeds_at: address of int64 [n].
        number: n.
        room_at: address of uint32 [624 * LANES + 2 * LANES + 624], to work in.
    """
    generators, seeds = uint32s(generators_at, (number, WORDS + 1)), int64s(seeds_at, (number,))
    room, lanes = uint32s(room_at, (SEEDING_ROOM,)), min(LANES, number)
    block, low, odd = room[: WORDS * lanes], room[WORDS * LANES :][:lanes], room[WORDS * LANES + LANES :][:lanes]
    empty = room[WORDS * LANES + 2 * LANES :]
    blank(empty)
    for first in range(0, number, LANES):
        for g in range(lanes):
            seed = seeds[min(first + g, number - 1)]
            low[g] = seed & LOW32
            odd[g] = (seed >> 32 & LOW32) + 1 if seed >> 32 & LOW32 else seed & LOW32
        seed_lanes(block, low, odd, empty)
        for g in range(min(lanes, number - first)):
            words = generators[first + g]
            for i in range(WORDS):
                words[i] = block[i * lanes + g]
            words[WORDS] = 0
    return 0
