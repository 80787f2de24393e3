"""A player for playthroughs: wins, kongs, claims and discards by the tiles alone, always the same way."""

from __future__ import annotations

from quepu.shapes.automaton import automaton
from quepu.table import Action, Table
from quepu.table.actions import PASS
from quepu.table.position import KEY


def missing(key: int, melds: int) -> int:
    return automaton().missing(key, 4 - melds)


def choose(table: Table, seat: int, greedy: bool = True) -> Action:
    """Win if it can be; kong if it costs nothing; claim if it brings the hand nearer; discard what is least missed.

    A `greedy` player also claims where the hand comes no nearer, which makes more kongs and more 包牌.
    """
    options = table.options(seat)
    melds = len(table.melds[seat])
    key = table.position.keys[seat]
    now = missing(
        key + (KEY[table.drawn] if table.drawn is not None and table.drawn < 34 and seat == table.turn else 0), melds
    )
    best: tuple[int, int] | None = None
    chosen = options[0]
    for at, option in enumerate(options):
        do, tile = option.do, option.tile
        if do in ("win", "flower"):
            return option
        if do in ("added", "concealed", "kong"):
            return option
        if do == "ready":
            return option
        if do == "pung":
            value = missing(key - 2 * KEY[tile], melds + 1) - greedy
        elif do == "chow":
            value = missing(key - sum(KEY[k] for k in option.run if k != tile), melds + 1)
        elif option == PASS:
            value = now
        elif tile >= 34:
            continue
        else:
            value = 2 * missing(key + (KEY[table.drawn] if table.drawn is not None else 0) - KEY[tile], melds)
        if best is None or (value, at) < best:
            best = (value, at)
            chosen = option
    return chosen


def play(table: Table) -> Table:
    """The whole hand; the seat asked first answers first."""
    while table.to_act:
        seat = table.to_act[0]
        table.step(seat, choose(table, seat))
    return table
