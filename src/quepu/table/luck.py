"""The circumstances of a win, derived from the events instead of being claimed by players."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from quepu.hands.hand import Luck
from quepu.rules.play_rules import TableRules
from quepu.table.events import (
    KONGS,
    ChowClaimed,
    Claimed,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
)
from quepu.table.position import Position


class Chance(Enum):
    """Occasions for a claim or a win, beside a seat's own turn."""

    DRAW = auto()  # the own turn
    DISCARD = auto()
    ADDED_KONG = auto()  # to be robbed
    CONCEALED_KONG = auto()  # to be robbed
    FLOWER = auto()  # the eighth, robbed by the seat with the other seven
    SEVEN_FLOWERS = auto()  # in hands just dealt
    OUTER_DISCARDS = auto()  # an exhausted hand won by its discards
    OPENING = auto()  # declaring the dealt hand ready
    HELD = auto()  # no claim: the table only looks as if claims were open


(BY_DRAW, BY_DISCARD, BY_ADDED_KONG, BY_CONCEALED_KONG, BY_FLOWER, BY_SEVEN_FLOWERS, BY_OUTER_DISCARDS, BY_OPENING,
 BY_HELD) = Chance  # fmt: skip
"""By their own names: looking a member up in its class costs ten times as much."""

ROBBED = frozenset({BY_ADDED_KONG, BY_CONCEALED_KONG, BY_FLOWER})
"""Chances to take a tile that another seat has already put down."""
GIVEN = frozenset({BY_DISCARD}) | ROBBED
"""Chances to win on another seat's tile."""
SHARED = frozenset({BY_DISCARD, BY_ADDED_KONG, BY_CONCEALED_KONG})
"""Chances that several seats may win at once, where the rules allow it."""


def luck_of(
    events: Sequence[Event],
    position: Position,
    rules: TableRules,
    seat: int,
    tile: int | None,
    chance: Chance,
    missed: bool = False,
) -> int:
    """Return the luck bits of `seat` winning on `tile` now.

    `missed`: the seat passed up a win after declaring itself ready, which voids the declaration.
    """
    if chance is BY_OUTER_DISCARDS:
        return Luck.OUTER_DISCARDS | Luck.SELF_DRAW
    if chance is BY_FLOWER:
        return Luck.ROBBED_FLOWER
    luck = 0
    drew = chance is BY_DRAW or chance is BY_SEVEN_FLOWERS
    empty = position.last
    if drew:
        luck = int(Luck.SELF_DRAW)
        made = kongs_in_a_row(events)
        if made:
            luck |= Luck.KONG_DRAW
            if len(made) >= 2:
                luck |= Luck.TWO_KONGS
            if len(made) >= 3:
                luck |= Luck.THREE_KONGS
        if empty:
            luck |= Luck.LAST_DRAW
    else:
        if empty:
            luck |= Luck.LAST_DISCARD
        if chance in ROBBED:
            luck |= Luck.ROBBED_KONG
    discarded = chance is BY_DISCARD
    luck |= _find_first_luck(events, rules, seat, drew, discarded)
    if not missed and position.declared[seat]:
        luck |= _find_declared_luck(events, position.declared[seat], seat, drew, discarded)
    if tile is not None and chance is not BY_CONCEALED_KONG:
        seen = position.visible()[tile] - (discarded or chance is BY_ADDED_KONG)
        if seen == 3:
            luck |= Luck.FOURTH_TILE
        elif seen == 0:
            luck |= Luck.FRESH_TILE
    flowers = len(position.flowers[seat])
    if rules.flower_wins and drew and flowers >= 7 and _just_set_aside(events, seat):
        luck |= Luck.SEVEN_FLOWERS if flowers == 7 else Luck.EIGHT_FLOWERS
    return int(luck)


def kongs_in_a_row(events: Sequence[Event]) -> list[KongClaimed | KongAdded | KongConcealed]:
    """Return the kongs whose replacements led to the tile just drawn, latest first; a flower ends the sequence."""
    made: list[KongClaimed | KongAdded | KongConcealed] = []
    back = reversed(events)
    while isinstance(next(back, None), ReplacementDrawn) and isinstance(kong := next(back, None), KONGS):
        made.append(kong)
    return made


_MELDS = frozenset({ChowClaimed, PungClaimed, *KONGS})


def _find_first_luck(events: Sequence[Event], rules: TableRules, seat: int, drew: bool, discarded: bool) -> int:
    """Return the bits that hold only at the beginning of a hand."""
    discards = kongs = own_melds = claims = 0
    drawn = False
    for event in events:
        kind = type(event)  # quicker than isinstance, which is used only where it is rarely true
        if kind is Discarded:
            if event.seat == seat:  # type: ignore[attr-defined]  # that kind has one
                return 0  # past the first go-round
            discards += 1
        elif kind is Drawn:
            drawn = True
        elif kind in _MELDS:
            kongs += kind in KONGS
            claims += isinstance(event, Claimed)
            own_melds += event.seat == seat  # type: ignore[attr-defined]  # all of them have one
    luck = 0
    if drew:
        if seat == 0 and (rules.heavenly_after_kong or not kongs):
            luck |= Luck.HEAVENLY
        if rules.earthly == "first draw" and seat and drawn and not own_melds:
            luck |= Luck.EARTHLY
    elif discarded and discards == 1:  # the dealer's: nobody else can have drawn or claimed a tile
        if rules.earthly == "first discard" and not kongs:
            luck |= Luck.EARTHLY
        luck |= Luck.HUMANLY
    if not claims:
        luck |= Luck.FIRST_ROUND
    return luck


def _find_declared_luck(events: Sequence[Event], declared: str, seat: int, drew: bool, discarded: bool) -> int:
    luck = Luck.READY_AT_DEAL if declared == "deal" else Luck.READY_AT_FIRST
    since = max(i for i, event in enumerate(events) if _declares(event) and event.seat == seat)  # type: ignore[attr-defined]  # both kinds have one
    later = events[since:]
    others = sum(isinstance(event, Discarded) and event.seat != seat for event in later)
    draws = sum(isinstance(event, Drawn) and event.seat == seat for event in later)
    if (drew and draws == 1) or (discarded and others == 1 and not draws):
        luck |= Luck.FIRST_CHANCE
    return luck


def _declares(event: Event) -> bool:
    return isinstance(event, ReadyDeclared) or (isinstance(event, Discarded) and event.declares)


def _just_set_aside(events: Sequence[Event], seat: int) -> bool:
    """Return whether the seat, which has flowers, has set one aside since its last discard."""
    last = next(e for e in reversed(events) if isinstance(e, FlowerSetAside | Discarded) and e.seat == seat)
    return isinstance(last, FlowerSetAside)
