"""灵雀 第二十九版: the 74 番种 in the book's order."""

from __future__ import annotations

from quepu.rulebooks.lingque.v29 import luck, relations, sets, tiles

FANS = luck.ROWS + sets.ROWS + tiles.ROWS + relations.ROWS
