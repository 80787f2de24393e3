"""灵雀 第二十六版: the 76 番种 in the book's order."""

from __future__ import annotations

from quepu.rulebooks.lingque.v26 import early, late

FANS = early.ROWS + late.ROWS
