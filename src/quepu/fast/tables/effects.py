"""Effects of draws, flowers, melds, claims and ends on the arrays of a table."""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.columns import (
    A_CHOW,
    A_PUNG,
    ALL_SHOW,
    BACK,
    BY_ADDED,
    BY_CONCEALED,
    CHOW,
    CLAIMED,
    DEAD,
    DECLARED,
    DRAWN,
    E_CHOW,
    E_DRAW,
    E_EXHAUSTED,
    E_FLOWER,
    E_KONG,
    E_PUNG,
    E_REPLACE,
    E_SHOW,
    E_WIN,
    FEEDS,
    FLOWERS,
    FRONT,
    GIVER,
    KINDS,
    KONG,
    KONGS,
    LEFT,
    MELDS,
    NO_TILE,
    NOT_OUTER,
    OUTER,
    OUTER_WINS,
    OVER,
    OWN_DRAWS,
    OWN_MELDS,
    PHASE,
    PUNG,
    PUNGS,
    SEATS,
    SET_ASIDE,
    SIZE,
    TURN_OF,
    WINNER,
    WON_TILE,
)
from quepu.fast.tables.tiles import add_tile, happened, look, take_tile


def draw(i: int, tables: Any, rules: Any, from_tail: bool) -> Any:
    """Draw the next tile for the seat whose turn it is; false where there is none."""
    scalars, of_seat, order = tables[0], tables[1], tables[7]
    now = scalars[i]
    seat, size = now[TURN_OF], rules[SIZE]
    if from_tail:
        if not (now[BACK] < rules[DEAD] if rules[FEEDS] else now[LEFT] > 0):
            return False
        tile = int(order[i, max(size - now[BACK] - (0 if now[BACK] & 1 else 2), now[FRONT])])
        now[BACK] += 1
        if not rules[FEEDS]:
            now[LEFT] -= 1
        happened(i, tables, E_REPLACE, seat, tile, 0, 0)
    else:
        if not now[LEFT]:
            return False
        place = now[FRONT] + (1 if now[BACK] & 1 and now[FRONT] == size - now[BACK] - 1 else 0)
        tile = int(order[i, place])
        now[FRONT] += 1
        now[LEFT] -= 1
        of_seat[i, seat, OWN_DRAWS] += 1
        happened(i, tables, E_DRAW, seat, tile, 0, 0)
    now[DRAWN] = tile
    add_tile(i, tables, seat, tile)
    return True


def set_aside(i: int, tables: Any, seat: int, flower: int) -> None:
    """Put a flower beside the hand."""
    scalars, of_seat = tables[0], tables[1]
    take_tile(i, tables, seat, flower, 1)
    of_seat[i, seat, FLOWERS] |= 1 << flower - KINDS
    of_seat[i, seat, SET_ASIDE] = 1
    scalars[i, DRAWN] = -1
    happened(i, tables, E_FLOWER, seat, flower, 0, 0)


def add_meld(i: int, tables: Any, seat: int, kind: int, low: int, source: int) -> None:
    """Add a meld to a hand; source: who gave a tile for it, -1 nobody."""
    of_seat, melds, lists, visible = tables[1], tables[3], tables[4], tables[5]
    at = of_seat[i, seat, MELDS]
    melds[i, seat, at, 0], melds[i, seat, at, 1], melds[i, seat, at, 2] = kind, low, source
    of_seat[i, seat, MELDS] += 1
    of_seat[i, seat, OWN_MELDS] += 1
    of_seat[i, seat, DECLARED] = 0
    if kind == CHOW:
        for k in range(low, low + 3):
            visible[i, k] += 1
    else:
        visible[i, low] += 3 if kind == PUNG else 4
    if kind == PUNG:
        lists[i, seat, 1, of_seat[i, seat, PUNGS]] = low
        of_seat[i, seat, PUNGS] += 1


def claim(i: int, tables: Any, suits: Any, do: int, seat: int, tile: int, low: int, giver: int) -> None:
    """A discard is claimed for a meld."""
    scalars, visible = tables[0], tables[5]
    visible[i, tile] -= 1
    tables[1][i, giver, NOT_OUTER] = 1
    scalars[i, TURN_OF], scalars[i, DRAWN] = seat, -1
    scalars[i, CLAIMED] += 1
    if do == A_CHOW:
        for kind in range(low, low + 3):
            if kind != tile:
                take_tile(i, tables, seat, kind, 1)
        add_meld(i, tables, seat, CHOW, low, giver)
        happened(i, tables, E_CHOW, seat, tile, low, giver)
    elif do == A_PUNG:
        take_tile(i, tables, seat, tile, 2)
        add_meld(i, tables, seat, PUNG, tile, giver)
        happened(i, tables, E_PUNG, seat, tile, 0, giver)
    else:
        take_tile(i, tables, seat, tile, 3)
        add_meld(i, tables, seat, KONG, tile, giver)
        scalars[i, KONGS] += 1
        happened(i, tables, E_KONG, seat, tile, 0, giver)
    look(i, tables, suits, seat)


def end(i: int, tables: Any, rules: Any, winner: int) -> None:
    """The hand is over: hands are shown."""
    scalars = tables[0]
    for seat in range(SEATS):
        if rules[ALL_SHOW] or seat == winner:
            happened(i, tables, E_SHOW, seat, 0, 0, 0)
    scalars[i, WINNER], scalars[i, PHASE] = winner, OVER


def won(i: int, tables: Any, rules: Any, seat: int, tile: int, giver: int, chance: int) -> None:
    """A win on this tile (-1: none); giver: -1 nobody. Of a robbed kong there remains what it was made of."""
    scalars, of_seat, melds = tables[0], tables[1], tables[3]
    if chance == BY_ADDED:
        for j in range(of_seat[i, giver, MELDS]):
            if melds[i, giver, j, 0] == KONG and melds[i, giver, j, 1] == tile:
                melds[i, giver, j, 0] = PUNG
    elif chance == BY_CONCEALED:
        tables[2][i, giver, tile] += 3
        of_seat[i, giver, MELDS] -= 1  # the last one
    scalars[i, GIVER], scalars[i, WON_TILE] = giver, tile
    happened(i, tables, E_WIN, seat, tile if tile >= 0 else NO_TILE, 0, giver + 1)
    end(i, tables, rules, seat)


def exhausted(i: int, tables: Any, rules: Any) -> None:
    """Nobody can draw."""
    happened(i, tables, E_EXHAUSTED, 0, 0, 0, 0)
    if rules[OUTER_WINS]:
        tables[0][i, PHASE] = OUTER
    else:
        end(i, tables, rules, -1)
