"""Endings of hands of `FastTables`, each once, for their settlement; the plain twin is `quepu.table.Table.ending`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.tables.fast_tables import FastTables
from quepu.hands.hand import Luck
from quepu.rules.play_rules import Ending, ReadyValue, SeatWin
from quepu.table.events import KongClaimed, Won
from quepu.table.luck import kongs_in_a_row

Array = NDArray[Any]
_NONE = -1


def endings(played: FastTables) -> tuple[list[Ending], Array]:
    """The endings of hands, without what only words need (robbed, score), and the place of each hand's."""
    luck, feeders = played.luck, np.full(len(played.order), _NONE)
    for i in np.flatnonzero(luck & int(Luck.KONG_DRAW)).tolist():
        feeders[i] = feeder(played, i)
    columns = (played.winners, played.points, played.givers, feeders, luck, *played.supplied.T, *_ready(played).T)
    rows, which = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return [_make_ending(*row) for row in rows.tolist()], which.reshape(-1)


def _ready(played: FastTables) -> Array:
    """Worth of each hand that is ready and not the winner's, where the book pays it; -1 else: int64 [N, 4]."""
    found = np.full((len(played.order), 4), _NONE)
    if played.rules.ready_value is not None:
        for i in range(len(found)):
            found[i] = [_NONE if value is None else value for value in ready_of(played, i)]
    return found


def ready_of(played: FastTables, i: int) -> tuple[int | None, int | None, int | None, int | None]:
    """The same of table i, with None for -1."""
    value_of, winner = played.rules.ready_value, int(played.winners[i])
    if value_of is None:
        return None, None, None, None
    a, b, c, d = (
        _worth(value_of, played, i, seat) if may_be and seat != winner else None
        for seat, may_be in enumerate(played.may_be_ready(i))
    )
    return a, b, c, d


def _worth(value_of: ReadyValue, played: FastTables, i: int, seat: int) -> int | None:
    hand, seen = played.shown(i, seat)
    value = value_of(hand, played.book, seen)
    return None if value is None else value.points


def feeder(played: FastTables, i: int) -> int:
    """Return who discarded the tile of an exposed kong among those just before the win of table i."""
    events = played.events(i)
    at = next(at for at, event in enumerate(events) if isinstance(event, Won))
    row = kongs_in_a_row(events[:at])
    return next((kong.giver for kong in row if isinstance(kong, KongClaimed)), _NONE)


def _make_ending(winner: int, points: int, giver: int, feeder: int, luck: int, *seats: int) -> Ending:
    a, b, c, d, *values = seats
    ready = tuple(_or_none(value) for value in values)
    if winner == _NONE:
        return Ending(ready=(ready[0], ready[1], ready[2], ready[3]))
    return Ending(
        (SeatWin(winner, points, (a, b, c, d), luck),),
        self_draw=giver == _NONE,
        discarder=_or_none(giver),
        kong_feeder=_or_none(feeder),
        ready=(ready[0], ready[1], ready[2], ready[3]),
    )


def _or_none(number: int) -> int | None:
    return None if number == _NONE else number
