"""The public form of the Botzone competitions: planes of a view (int8 [38, 4, 9]) and 235 numbered actions.

Planes: 0 seat wind, 1 round wind, 2-5 own tiles, 6-21 discards of oneself, the next, opposite and previous seat (four
planes each, claimed ones stay), 22-37 their melds. Of four planes the k-th is 1 where there are more than k copies.
Cells are characters 1-9, bamboos, dots, winds and dragons.

Encoders in use redraw planes 2-37 only when the own hand changes, so at a claim they lack everything since: the *stale*
form. Nets trained with them expect it; the *fresh* form shows the table as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.hands.hand import MeldKind
from quepu.table import Action, ActionKind, Event, View
from quepu.table.events import Claimed, Dealt, Discarded, Drawn, KongAdded, KongConcealed, ReplacementDrawn, SeatEvent
from quepu.tiles import FIRST_FLOWER

Freshness = Literal["fresh", "stale"]
PLANES, ROWS, COLUMNS = 38, 4, 9
SHAPE = (PLANES, ROWS, COLUMNS)
ACTIONS = 235
PASS, WIN, DISCARD, CHOW, PUNG, KONG, CONCEALED, ADDED = 0, 1, 2, 36, 99, 133, 167, 201
CELLS: tuple[int, ...] = (*range(9), *range(18, 27), *range(9, 18), *range(27, 34))
"""The cell of each kind: dots and bamboos change places."""
_KINDS = tuple(sorted(range(34), key=CELLS.__getitem__))
_SUITS = (0, 2, 1)  # characters, dots, bamboos
_OF_KIND: dict[ActionKind, int] = {
    ActionKind.DISCARD: DISCARD, ActionKind.PUNG: PUNG, ActionKind.KONG: KONG,
    ActionKind.CONCEALED: CONCEALED, ActionKind.ADDED: ADDED,
}  # fmt: skip
_OWN_CHANGES = (Dealt, Drawn, ReplacementDrawn, Discarded, Claimed, KongAdded, KongConcealed)


def action_number(action: Action) -> int | None:
    """Return the number of an action; None if the form has none for it (flowers, declarations)."""
    do = action.do
    if do is ActionKind.PASS:
        return PASS
    if do is ActionKind.WIN:
        return WIN
    if do is ActionKind.CHOW and action.low is not None:
        suit, rank = divmod(action.low, 9)
        return CHOW + 21 * _SUITS[suit] + 3 * rank + action.tile_kind - action.low
    if do not in _OF_KIND or action.ready or action.tile_kind >= FIRST_FLOWER:
        return None
    return _OF_KIND[do] + CELLS[action.tile_kind]


def number_options(options: Sequence[Action]) -> dict[int, Action]:
    """Return the options by number; of two discards of one kind the one from the hand."""
    found = {}
    for option in options[::-1]:  # a discard as drawn stands behind the one from the hand
        number = action_number(option)
        if number is not None:
            found[number] = option
    return found


def action_of(number: int) -> Action:
    """Return the action of a number; its discard is from the hand, and a win has no tile.

    Raises:
        ValueError: there is no such number.
    """
    if number in (PASS, WIN):
        return Action(ActionKind.PASS if number == PASS else ActionKind.WIN)
    if CHOW <= number < PUNG:
        suit, rest = divmod(number - CHOW, 21)
        low = 9 * _SUITS.index(suit) + rest // 3
        return Action(ActionKind.CHOW, low + rest % 3, low)
    for do, first in _OF_KIND.items():
        if first <= number < first + 34:
            return Action(do, _KINDS[number - first])
    raise ValueError(f"an action of this form is a number from 0 to {ACTIONS - 1}, not {number}")


def action_mask(options: Sequence[Action]) -> NDArray[np.int8]:
    """Return which actions are options."""
    mask = np.zeros(ACTIONS, np.int8)
    mask[list(number_options(options))] = 1
    return mask


class Seen(NamedTuple):
    """Everything that planes show: the winds, the own tiles, and by seat (own first) discards and tiles of melds."""

    seat: int
    round: int
    hand: Counter[int]
    discards: tuple[Counter[int], ...]
    melds: tuple[Counter[int], ...]


def see(view: View, since: Iterable[Event | int] = ()) -> Seen:
    """Return what planes show of a view; `since` are events that they must not show yet (the stale form)."""
    seat, board = view.seat, view.board
    discards = [Counter(kind for kind in river if kind < FIRST_FLOWER) for river in board.rivers]
    melds: list[Counter[int]] = [Counter() for _ in range(4)]
    for owner, of_seat in enumerate(board.melds):
        for shown in of_seat:
            if shown.source is not None and shown.claimed is not None:
                discards[shown.source][shown.claimed] += 1
            if owner == seat or shown.meld.kind is not MeldKind.CONCEALED_KONG:
                melds[owner].update(shown.meld.tiles)
    for event in since:
        if isinstance(event, Discarded) and event.tile < FIRST_FLOWER:
            discards[event.seat][event.tile] -= 1
        elif isinstance(event, Claimed):
            melds[event.seat].subtract(event.meld.tiles)
        elif isinstance(event, KongAdded):
            melds[event.seat][event.tile] -= 1
    hand = Counter(kind for kind in view.tiles if kind < FIRST_FLOWER)
    order = [(seat + step) % 4 for step in range(4)]
    return Seen(seat, board.round, hand, tuple(+discards[at] for at in order), tuple(+melds[at] for at in order))


def to_planes(seen: Seen) -> NDArray[np.int8]:
    """Return the planes."""
    planes = np.zeros((PLANES, ROWS * COLUMNS), np.int8)
    planes[0, CELLS[27 + seen.seat]] = planes[1, CELLS[27 + seen.round]] = 1
    for first, counts in zip(range(2, PLANES, 4), (seen.hand, *seen.discards, *seen.melds), strict=True):
        for kind, copies in counts.items():
            planes[first : first + min(copies, 4), CELLS[kind]] = 1
    return planes.reshape(SHAPE)


def read_planes(planes: NDArray[Any]) -> Seen:
    """Return what planes show.

    Raises:
        ValueError: they have another shape, or no winds.
    """
    if planes.shape != SHAPE:
        raise ValueError(f"planes have the shape {SHAPE}, not {planes.shape}")
    flat = planes.reshape(PLANES, -1)
    winds = [np.flatnonzero(flat[at]) - 27 for at in (0, 1)]
    if any(len(one) != 1 or not 0 <= one[0] < 4 for one in winds):
        raise ValueError("planes 0 and 1 have one wind each")
    counts = [
        +Counter({kind: int(flat[first : first + 4, CELLS[kind]].sum()) for kind in range(34)})
        for first in range(2, PLANES, 4)
    ]
    return Seen(int(winds[0][0]), int(winds[1][0]), counts[0], tuple(counts[1:5]), tuple(counts[5:]))


class Memory:
    """The events since the own hand last changed, for the stale form: `add` each event as the seat sees it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.since: list[Event | int] = []

    def add(self, event: Event | int) -> None:
        """Add an event."""
        if isinstance(event, SeatEvent) and event.seat == self.seat and isinstance(event, _OWN_CHANGES):
            self.since.clear()
        else:
            self.since.append(event)


def observe(view: View, memory: Memory | None = None) -> NDArray[np.int8]:
    """Return the planes of a view: stale with a memory of what happened since the own hand changed, otherwise fresh."""
    return to_planes(see(view, memory.since if memory is not None else ()))
