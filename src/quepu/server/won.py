"""A win at a table as a question that can be asked again: its text and all that lay around it, in the book's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quepu.hand import Luck
from quepu.notation import write
from quepu.rulebook import Rulebook
from quepu.scoring import Score
from quepu.table.view import Set
from quepu.tiles import EAST, FLOWERS, WINDS

_GIVERS = "-RAL"


def won_hand(score: Score | None, book: Rulebook, sets: Sequence[Set]) -> dict[str, Any] | None:
    """What `quepu.exchange` would be asked for this score, or None where it is no win on a tile.

    `sets` are the winner's melds as they lie on the table, in the order of the hand's.
    """
    if score is None or score.hand.winning is None:
        return None
    hand = score.hand
    luck = hand.luck & ~int(Luck.SELF_DRAW)
    names = [name for name, bits in book.circumstances.items() if (own := bits & ~Luck.SELF_DRAW) and own & luck == own]
    seat = hand.seat - EAST
    counted = book.flower_value or "flowers" in book.reads  # a table may play with flowers that its book ignores
    flowers = hand.flowers if counted and isinstance(hand.flowers, tuple) else ()
    return {
        "hand": write(hand),
        "seat": WINDS[seat],
        "round": WINDS[hand.round - EAST],
        "self_draw": bool(hand.luck & Luck.SELF_DRAW),
        "circumstances": names,
        "flowers": [FLOWERS[number] for number in flowers],
        "givers": "".join("-" if one.source < 0 else _GIVERS[(one.source - seat) % 4] for one in sets),
    }
