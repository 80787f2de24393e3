"""The Mersenne twister on arrays; the plain twin is `random.Random`."""

from __future__ import annotations

from typing import Any

WORDS, LAG = 624, 397
LOW32 = 0xFFFFFFFF
LANES = 16
"""Generators that are set at once."""


def seeded(block: Any, low: Any, odd: Any, empty: Any) -> None:
    """Set LANES generators as `random.Random(seed)` does, side by side, so that one instruction serves them all.

    block: uint32 [624 * LANES], word by word, the generators' side by side; low, odd: uint32 [LANES], what the words of
    even and of odd steps are mixed with; empty: see `blank`.
    """
    for i in range(WORDS):
        for g in range(LANES):
            block[i * LANES + g] = empty[i]
    i = 1
    for step in range(WORDS):
        at = i * LANES
        key = odd if step & 1 else low
        for g in range(LANES):
            before = int(block[at - LANES + g])
            block[at + g] = ((int(block[at + g]) ^ (before ^ before >> 30) * 1664525) + int(key[g])) & LOW32
        i += 1
        if i == WORDS:
            for g in range(LANES):
                block[g] = block[(WORDS - 1) * LANES + g]
            i = 1
    for _ in range(WORDS - 1):
        at = i * LANES
        for g in range(LANES):
            before = int(block[at - LANES + g])
            block[at + g] = ((int(block[at + g]) ^ (before ^ before >> 30) * 1566083941) - i) & LOW32
        i += 1
        if i == WORDS:
            for g in range(LANES):
                block[g] = block[(WORDS - 1) * LANES + g]
            i = 1
    for g in range(LANES):
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


def seed_all(generators: Any, seeds: Any, room: Any) -> None:
    """Set generators by their seeds.

    Args:
        generators: uint32 [n, 625], the last is the place in the others.
        seeds: int64 [n].
        room: see `quepu.fast.tables.fast_tables.room_to_seed`.
    """
    block, low, odd, empty = room
    blank(empty)
    last = len(seeds) - 1
    for first in range(0, last + 1, LANES):
        for g in range(LANES):
            seed = seeds[min(first + g, last)]
            low[g] = seed & LOW32
            odd[g] = (seed >> 32 & LOW32) + 1 if seed >> 32 & LOW32 else seed & LOW32
        seeded(block, low, odd, empty)
        for g in range(min(LANES, last + 1 - first)):
            words = generators[first + g]
            for i in range(WORDS):
                words[i] = block[i * LANES + g]
            words[WORDS] = 0
