"""A win at a table as a request for its score: its text and all that lay around it, in the book's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quepu.json_lines.answers import request_of
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score
from quepu.table.open_melds import OpenMeld
from quepu.tiles import EAST

_GIVERS = "-RAL"


def won_hand(score: Score | None, book: Rulebook, sets: Sequence[OpenMeld]) -> dict[str, Any] | None:
    """The request to `quepu.json_lines.answers` for this score, or None where it is no win on a tile.

    `sets` are the winner's melds as they lie on the table, in the order of the hand's.
    """
    if score is None or score.hand.winning is None:
        return None
    hand = score.hand
    counted = book.counts_flowers  # a table may play with flowers that its book ignores
    request = request_of(hand, book)
    if not counted or not isinstance(request["flowers"], list):
        request["flowers"] = []
    seat = hand.seat - EAST
    return request | {
        "givers": "".join("-" if one.source is None else _GIVERS[(one.source - seat) % 4] for one in sets)
    }
