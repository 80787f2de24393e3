"""The generator that `random.Random` is (Mersenne twister), on arrays."""

from __future__ import annotations

from typing import Any

WORDS, LAG = 624, 397
LOW32 = 0xFFFFFFFF


def seeded(words: Any, seeds: Any, empty: Any) -> None:
    """Set some generators as `random.Random(seed)` does, side by side, which is quicker than one by one.

    words: uint32 [generators, 625], the last is the place in the others; seeds: int64 [generators]; empty: see `blank`.
    """
    number = len(words)
    for g in range(number):
        for i in range(WORDS):
            words[g, i] = empty[i]
    i = 1
    for step in range(WORDS):
        for g in range(number):
            before = int(words[g, i - 1])
            high = seeds[g] >> 32 & LOW32
            key = high + 1 if step & 1 and high > 0 else seeds[g] & LOW32
            words[g, i] = ((int(words[g, i]) ^ (before ^ before >> 30) * 1664525) + key) & LOW32
        i += 1
        if i == WORDS:
            for g in range(number):
                words[g, 0] = words[g, WORDS - 1]
            i = 1
    for _ in range(WORDS - 1):
        for g in range(number):
            before = int(words[g, i - 1])
            words[g, i] = ((int(words[g, i]) ^ (before ^ before >> 30) * 1566083941) - i) & LOW32
        i += 1
        if i == WORDS:
            for g in range(number):
                words[g, 0] = words[g, WORDS - 1]
            i = 1
    for g in range(number):
        words[g, 0] = 0x80000000
        words[g, WORDS] = 0


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


def seed_all(generators: Any, seeds: Any, empty: Any) -> None:
    """Set the generators of all seats: uint32 [tables, 4, 625] by seeds int64 [tables, 4]; empty: uint32 [624]."""
    blank(empty)
    for i in range(len(seeds)):
        seeded(generators[i], seeds[i], empty)
