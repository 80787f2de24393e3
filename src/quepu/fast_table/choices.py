"""The bot of a seat, and its choices."""

from __future__ import annotations

from typing import Any

from quepu.fast_table.allowed import chosen
from quepu.fast_table.columns import GAIN, LEVEL, RANDOM, TURN_OF
from quepu.fast_table.gain import gain_claim, gain_turn
from quepu.fast_table.plain import plain_claim, plain_turn


def on_turn(i: int, tables: Any, rules: Any, suits: Any, far: Any, rooms: Any, number: int) -> Any:
    """The option that the bot takes whose turn it is: its place among them."""
    seat = tables[0][i, TURN_OF]
    level = tables[1][i, seat, LEVEL]
    if level == RANDOM:
        return chosen(i, tables, seat, number)
    if level == GAIN:
        return gain_turn(i, tables, far, rooms, number)
    return plain_turn(i, tables, rules, suits, far, rooms, number)


def on_claim(i: int, tables: Any, suits: Any, far: Any, rooms: Any, seat: int, options: Any, number: int) -> Any:
    """The option that a bot takes which may claim something: its place among them, a pass last."""
    level = tables[1][i, seat, LEVEL]
    if level == RANDOM:
        return chosen(i, tables, seat, number)
    if level == GAIN:
        return gain_claim(i, tables, far, rooms, seat, options, number)
    return plain_claim(i, tables, suits, far, rooms, seat, options, number)
