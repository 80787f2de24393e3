"""The encoding `tokens`: all that a seat has seen of a hand, in order, uint8 [512, 6]; unused rows are zero.

A token is (what, seat, tile + 1, lowest tile of a chow + 1, giver, mark). Seats are 1 oneself, 2 the next to play, 3
opposite, 4 the one before, 0 nobody. What others draw has tile 0. `what` is one of `NAMES`; a mark is 1 as drawn,
2 declaring ready. The first tokens are the place ("place": seat + 1, round wind + 1, round, dealership, repeat), the
points of each seat ("points": seat, sign, three bytes) and the dice ("dice": the first, and the four in the rest). A
dealt tile is a token of its own; a pass, and any answer of one's own, is "answer" with the action in the last place.
"""

from __future__ import annotations

from quepu.table.actions import ActionKind
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)

MOST, FIELDS = 512, 6

_EVENTS = (
    DiceThrown, Dealt, Drawn, ReplacementDrawn, FlowerSetAside, Discarded, ReadyDeclared, ChowClaimed, PungClaimed,
    KongClaimed, KongAdded, KongConcealed, Won, Exhausted, HandShown, Barred, BarLifted,
)  # fmt: skip
CODES: dict[type[Event], int] = {kind: code for code, kind in enumerate(_EVENTS, 1)}
"""The number of each kind of event."""
PLACE, POINTS, ANSWER, OFFER = range(len(_EVENTS) + 1, len(_EVENTS) + 5)
NAMES = ("", *(kind.tag for kind in _EVENTS), "place", "points", "answer", "offer")
"""What each first number of a token means."""
ACTION_CODES = {do: n for n, do in enumerate(ActionKind, 1)}
"""The number of each action in an answer."""
PASSED = ACTION_CODES[ActionKind.PASS]

# Words of what happens, beside those of `quepu.fast.tables.columns`: dice (eight bits each), a tile dealt, a seat
# barred or free again, an answer (seat, tile + 1, lowest tile + 1, action).
E_DICE, E_DEAL, E_BARRED, E_FREED, E_ANSWER = range(14, 19)
OF_LOOP = (
    Drawn, ReplacementDrawn, FlowerSetAside, Discarded, Discarded, ChowClaimed, PungClaimed, KongClaimed, KongAdded,
    KongConcealed, Won, Exhausted, HandShown, ReadyDeclared, DiceThrown, Dealt, Barred, BarLifted,
)  # fmt: skip
WORD_CODES = (*map(CODES.__getitem__, OF_LOOP), ANSWER)
"""The number in a token of the event of each word."""
