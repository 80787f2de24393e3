"""The 34 kinds of tile and the 8 flowers.

A kind is a small integer: 0-8 characters 1-9 (m), 9-17 dots (p), 18-26 bamboo (s), 27-33 the honours
E S W N C F P (東 南 西 北 中 發 白). The flowers 34-41 are never part of a hand; they are counted beside it.

A plane is a 64-bit word with a lane of 16 bits for each suit: m at bit 0, p at 16, s at 32, honours at 48;
bit r of a lane stands for rank r + 1. `BIT[kind]` is the kind's place in a plane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from quepu.errors import NotationError
from quepu.folding import fold

KINDS = 34
SUITS = "mps"
HONOURS = "ESWNCFP"
WINDS = "ESWN"
WINDS_CHINESE = "东南西北"
WINDS_ENGLISH = ("East", "South", "West", "North")
"""Winds as names of seats and rounds (the tile is 東)."""

EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE = range(27, 34)

CHOW_STARTS = tuple(kind for kind in range(EAST) if kind % 9 < 7)
"""The kinds at which a chow can start: 1 to 7 of each suit."""

FLOWERS = ("春", "夏", "秋", "冬", "梅", "兰", "竹", "菊")
FLOWERS_ENGLISH = ("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum")
FIRST_FLOWER = KINDS

NAMES = tuple(f"{r}{s}" for s in SUITS for r in range(1, 10)) + tuple(HONOURS)
"""The short name of each kind, as the notation writes it: 1m … 9s, E S W N C F P."""

CHINESE = tuple(f"{r}{s}" for s in "万筒索" for r in "一二三四五六七八九") + tuple("東南西北中發白")
"""The spoken name of each kind: 一万 … 九索, 東 南 西 北 中 發 白."""
SIMPLIFIED = tuple(name.translate(str.maketrans("東發", "东发")) for name in CHINESE)
"""The same in simplified characters, like the rest of a sentence."""

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
"""The bit of each kind in a plane."""

KIND = {bit: kind for kind, bit in enumerate(BIT)}


class TileSet(NamedTuple):
    """The tiles of a game: `copies` of each of `kinds`, and one of each of `flowers` (kinds 34-41)."""

    kinds: tuple[int, ...] = tuple(range(KINDS))
    copies: int = 4
    flowers: tuple[int, ...] = ()

    @property
    def tiles(self) -> tuple[int, ...]:
        """Every tile, kind by kind."""
        return _tiles(self)

    @property
    def size(self) -> int:
        """The number of tiles."""
        return self.copies * len(self.kinds) + len(self.flowers)

    @property
    def counts(self) -> tuple[int, ...]:
        """Copies of each of the 34 kinds."""
        return _counts(self)

    def with_flowers(self, flowers: bool | None) -> TileSet:
        """Return the same tiles with the eight flowers or without; None: unchanged."""
        if flowers is None or flowers is bool(self.flowers):
            return self
        return self._replace(flowers=tuple(range(KINDS, KINDS + len(FLOWERS))) if flowers else ())

    @classmethod
    def of(cls, tiles: Iterable[int]) -> TileSet | None:
        """Return the set that these tiles are, in any order; None if they are not a complete set."""
        have = Counter(tiles)
        kinds = tuple(sorted(kind for kind in have if kind < KINDS))
        found = cls(kinds, have[kinds[0]] if kinds else 0, tuple(sorted(kind for kind in have if kind >= KINDS)))
        return (
            found if have == Counter(found.tiles) and all(0 <= kind < KINDS + len(FLOWERS) for kind in have) else None
        )


@lru_cache(64)
def _tiles(tiles: TileSet) -> tuple[int, ...]:
    return (*(kind for kind in tiles.kinds for _ in range(tiles.copies)), *tiles.flowers)


@lru_cache(64)
def _counts(tiles: TileSet) -> tuple[int, ...]:
    return tuple(tiles.copies * (kind in tiles.kinds) for kind in range(KINDS))


PLAIN = TileSet()
"""136 tiles: four of each of the 34 kinds."""
FLOWERED = PLAIN.with_flowers(True)
"""144 tiles: the same with the eight flowers."""


def suit(kind: int) -> int:
    """Return the suit: 0 characters, 1 dots, 2 bamboo, 3 honours."""
    return kind // 9


def rank(kind: int) -> int:
    """Return the rank: 1-9 for suited tiles; 1-7 for E S W N C F P."""
    return kind % 9 + 1


def kinds_of(plane: int) -> list[int]:
    """List the kinds whose bits are set in a plane, in order."""
    found = []
    while plane:
        low = plane & -plane
        found.append(KIND[low])
        plane ^= low
    return found


class Tile(int):
    """A kind of tile that prints as it is written: an int (0-33, flowers 34-41) whose `str` is `3m`, `E` or `春`.

    It can be used wherever a kind is expected: `BIT[Tile("E")]`, `Tile("E") == EAST`.

        >>> Tile("東"), int(Tile("3m")), f"{Tile(27)}"
        (Tile('E'), 2, 'E')

    Raises:
        NotationError: the tile is unknown.
    """

    __slots__ = ()

    def __new__(cls, tile: int | str) -> Tile:
        """Return the tile of a kind, or of a name: 3m, 三万, E, 東, a Unicode tile, 春, spring."""
        kind = tile
        if isinstance(tile, str):
            kind = _TILE_KINDS.get(tile.strip().casefold(), _TILE_KINDS.get(fold(tile), -1))
        if not isinstance(kind, int) or not 0 <= kind < len(_TILE_NAMES):
            raise NotationError(f"“{tile}”不是一张牌。", f"{str(tile)!r} is not one tile.")
        return int.__new__(cls, kind)

    def __str__(self) -> str:
        return _TILE_NAMES[int(self)]

    def __repr__(self) -> str:
        return f"Tile({str(self)!r})"

    def __reduce__(self) -> tuple[type[Tile], tuple[int]]:
        return Tile, (int(self),)

    @property
    def chinese(self) -> str:
        """The spoken name: 三万, 東, 春."""
        return (*CHINESE, *FLOWERS)[int(self)]

    @property
    def unicode(self) -> str:
        """The Unicode mahjong tile (春 is the first of the seasons there, 梅 of the plants)."""
        flower = int(self) - FIRST_FLOWER
        return UNICODE[int(self)] if flower < 0 else chr(0x1F022 + (flower + 4) % 8)

    @property
    def suit(self) -> int:
        """0 characters, 1 dots, 2 bamboo, 3 honours, 4 flowers."""
        return 4 if self >= FIRST_FLOWER else suit(int(self))

    @property
    def rank(self) -> int:
        """1-9 for suited tiles; 1-7 for E S W N C F P; 1-8 for flowers."""
        return int(self) - FIRST_FLOWER + 1 if self >= FIRST_FLOWER else rank(int(self))


_TILE_NAMES: Final = (*NAMES, *FLOWERS)
_TILE_KINDS: Final = {
    name.casefold(): kind
    for names in (_TILE_NAMES, (*CHINESE, *FLOWERS_ENGLISH), UNICODE, tuple("东南西北中发白"))
    for kind, name in enumerate(names, EAST if names[0] == "东" else 0)
}
TILES: Final = tuple(Tile(kind) for kind in range(len(_TILE_NAMES)))
"""Every kind as a value that prints, flowers last."""
