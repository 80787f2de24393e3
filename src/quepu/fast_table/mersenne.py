"""The generator that `random.Random` is (Mersenne twister), on arrays."""

from __future__ import annotations

from typing import Any

from quepu.fast_table.columns import SEATS

WORDS, LAG = 624, 397
LOW32 = 0xFFFFFFFF


def mixed(words: Any, i: int) -> Any:
    """What the word before number i gives to it."""
    before = int(words[i - 1])
    return before ^ before >> 30


def seeded(words: Any, seed: int) -> None:
    """Set a generator as `random.Random(seed)` does; words: uint32 [625], the last is the place in the others."""
    words[0] = 19650218
    for i in range(1, WORDS):
        words[i] = (1812433253 * mixed(words, i) + i) & LOW32
    low, high = seed & LOW32, seed >> 32 & LOW32
    i, second = 1, False
    for _ in range(WORDS):
        key = high + 1 if second else low
        words[i] = ((int(words[i]) ^ mixed(words, i) * 1664525) + key) & LOW32
        second = high > 0 and not second
        i += 1
        if i == WORDS:
            words[0] = words[WORDS - 1]
            i = 1
    for _ in range(WORDS - 1):
        words[i] = ((int(words[i]) ^ mixed(words, i) * 1566083941) - i) & LOW32
        i += 1
        if i == WORDS:
            words[0] = words[WORDS - 1]
            i = 1
    words[0] = 0x80000000
    words[WORDS] = 0


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


def seed_all(generators: Any, seeds: Any) -> None:
    """Set the generators of all seats: uint32 [tables, 4, 625] by seeds int64 [tables, 4]."""
    for i in range(len(seeds)):
        for seat in range(SEATS):
            seeded(generators[i, seat], seeds[i, seat])
