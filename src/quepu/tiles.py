"""The 34 kinds of tile and the 8 flowers.

A kind is a small integer: 0-8 characters 1-9 (m), 9-17 dots (p), 18-26 bamboo (s), 27-33 the honours
E S W N C F P (東 南 西 北 中 發 白). The flowers 34-41 are never part of a hand; they are counted beside it.

A plane is a 64-bit word with a lane of 16 bits for each suit: m at bit 0, p at 16, s at 32, honours at 48;
bit r of a lane stands for rank r + 1. `BIT[kind]` is the kind's place in a plane.
"""

from __future__ import annotations

KINDS = 34
SUITS = "mps"
HONOURS = "ESWNCFP"
WINDS = "ESWN"
WINDS_CHINESE = "东南西北"
"""Winds as seats and rounds are spoken of (a tile is 東)."""

EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE = range(27, 34)

FLOWERS = ("春", "夏", "秋", "冬", "梅", "兰", "竹", "菊")
FLOWERS_ENGLISH = ("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum")
FIRST_FLOWER = KINDS

NAMES = tuple(f"{r}{s}" for s in SUITS for r in range(1, 10)) + tuple(HONOURS)
"""The short name of each kind, as the notation writes it: 1m … 9s, E S W N C F P."""

CHINESE = tuple(f"{r}{s}" for s in "万筒索" for r in "一二三四五六七八九") + tuple("東南西北中發白")
"""The spoken name of each kind: 一万 … 九索, 東 南 西 北 中 發 白."""

UNICODE = tuple(
    chr(c)
    for c in (
        *range(0x1F007, 0x1F010),  # characters
        *range(0x1F019, 0x1F022),  # dots
        *range(0x1F010, 0x1F019),  # bamboo
        *range(0x1F000, 0x1F007),  # E S W N, red, green, white
    )
)
"""The Unicode mahjong tile of each kind."""

BIT = tuple(1 << (kind // 9 * 16 + kind % 9) for kind in range(KINDS))
"""The place of each kind in a plane."""

KIND = {bit: kind for kind, bit in enumerate(BIT)}


def suit(kind: int) -> int:
    """0 characters, 1 dots, 2 bamboo, 3 honours."""
    return kind // 9


def rank(kind: int) -> int:
    """1-9 for number tiles; 1-7 for E S W N C F P."""
    return kind % 9 + 1


def kinds_of(plane: int) -> list[int]:
    """The kinds whose bits are set in a plane, in order."""
    found = []
    while plane:
        low = plane & -plane
        found.append(KIND[low])
        plane ^= low
    return found
