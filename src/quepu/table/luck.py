"""The circumstances of a win, derived from what happened: nobody claims them."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.hand import Luck
from quepu.play_rules import TableRules
from quepu.table.events import Event
from quepu.table.view import Board

_KONGS = ("kong", "added", "concealed")
_CLAIMS = ("chow", "pung", "kong")


def luck_of(
    events: Sequence[Event], board: Board, rules: TableRules, seat: int, tile: int, offer: str, missed: bool = False
) -> int:
    """Luck bits of `seat` winning on `tile` now.

    `offer` is "draw" for a self-draw, else what the tile is: "discard", "added", "concealed", "flower" (being robbed)
    or "exhausted" (a drawn hand won by its discards). `missed`: the seat let a win go by after declaring itself ready,
    which takes the declaration back.
    """
    if offer == "exhausted":
        return Luck.OUTER_DISCARDS | Luck.SELF_DRAW
    if offer == "flower":
        return Luck.ROBBED_FLOWER
    luck = 0
    empty = board.left == 0
    if offer == "draw":
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
        if offer in ("added", "concealed"):
            luck |= Luck.ROBBED_KONG
    luck |= _first(events, rules, seat, offer)
    if not missed:
        luck |= _declared(events, board, seat, offer)
    if tile >= 0 and offer != "concealed":
        seen = board.visible()[tile] - (offer in ("discard", "added"))
        if seen == 3:
            luck |= Luck.FOURTH_TILE
        elif seen == 0:
            luck |= Luck.FRESH_TILE
    if rules.flower_wins and offer == "draw" and len(board.flowers[seat]) >= 7 and _just_set_aside(events, seat):
        luck |= Luck.SEVEN_FLOWERS if len(board.flowers[seat]) == 7 else Luck.EIGHT_FLOWERS
    return int(luck)


def kongs_in_a_row(events: Sequence[Event]) -> list[Event]:
    """The kongs whose replacements led to the tile just drawn, latest first; a flower in between cuts the row."""
    made: list[Event] = []
    at = len(events) - 1
    while at > 0 and events[at].e == "replace" and events[at - 1].e in _KONGS:
        made.append(events[at - 1])
        at -= 2
    return made


def _first(events: Sequence[Event], rules: TableRules, seat: int, offer: str) -> int:
    """What holds only at the beginning of a hand."""
    discards = own_discards = own_draws = kongs = own_melds = claims = 0
    last_discarder = -1
    for event in events:
        e = event.e
        if e == "discard":
            discards += 1
            own_discards += event.seat == seat
            last_discarder = event.seat
            if own_discards:
                return 0  # past the first go-round
        elif e == "draw":
            own_draws += event.seat == seat
        elif e in _KONGS or e in _CLAIMS:
            kongs += e in _KONGS
            claims += e in _CLAIMS
            own_melds += event.seat == seat
    luck = 0
    if offer == "draw":
        if seat == 0 and not discards and (rules.heavenly_after_kong or not kongs):
            luck |= Luck.HEAVENLY
        if rules.earthly == "first draw" and seat and own_draws == 1 and not own_melds:
            luck |= Luck.EARTHLY
    elif offer == "discard" and seat and discards == 1 and not own_draws and not own_melds:
        if rules.earthly == "first discard" and last_discarder == 0 and not kongs:
            luck |= Luck.EARTHLY
        luck |= Luck.HUMANLY
    if not claims and own_draws <= 1:
        luck |= Luck.FIRST_ROUND
    return luck


def _declared(events: Sequence[Event], board: Board, seat: int, offer: str) -> int:
    declared = board.declared[seat]
    if not declared:
        return 0
    luck = Luck.READY_AT_DEAL if declared == "deal" else Luck.READY_AT_FIRST
    since = max(i for i, event in enumerate(events) if event.seat == seat and (event.ready or event.e == "ready"))
    later = events[since + 1 :]
    others = sum(event.e == "discard" and event.seat != seat for event in later)
    draws = sum(event.e == "draw" and event.seat == seat for event in later)
    if (offer == "draw" and draws == 1) or (offer == "discard" and others == 1 and not draws):
        luck |= Luck.FIRST_CHANCE
    return luck


def _just_set_aside(events: Sequence[Event], seat: int) -> bool:
    """Whether the seat set a flower aside since its last discard."""
    for event in reversed(events):
        if event.seat == seat:
            if event.e == "flower":
                return True
            if event.e == "discard":
                return False
    return False
