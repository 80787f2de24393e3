"""灵雀 第二十九版: the 74 番种 in the book's order."""

from __future__ import annotations

from quepu.rulebooks.lingque.v29 import circumstance_fans, pung_and_honour_fans, relation_fans, suit_and_rank_fans

FANS = circumstance_fans.ROWS + pung_and_honour_fans.ROWS + suit_and_rank_fans.ROWS + relation_fans.ROWS
