"""Names of the columns and codes in the arrays of `quepu.fast_table.loop`."""

from __future__ import annotations

KINDS, ALL_KINDS, SEATS = 34, 42, 4
# What a table is about to do.
DEAL, DRAW, REPLACE, TURN, TURN_ANSWERED, CLAIMS, CLAIMS_ANSWERED, ROBBING, ROBBING_ANSWERED, OVER = range(10)
# Numbers of a table.
(
    PHASE, FRONT, BACK, LEFT, DEALT, TURN_OF, DRAWN, TILE, DISCARDS, LAST_DISCARDER, KONGS, CLAIMED, KONGS_IN_ROW,
    LAST_EVENT, EVENTS, WINNER, GIVER, WON_TILE, QUESTIONS, DEALING,
) = range(20)  # fmt: skip
SCALARS = 20
# Numbers of a seat.
MELDS, FOURS, PUNGS, FLOWERS, OWN_DRAWS, OWN_MELDS, HAS_DISCARDED, WAITS, KEY = range(9)
OF_SEAT = 13
# A book's numbers.
(
    SIZE, DEAD, FEEDS, FLOWERS_OUT, KONG_AFTER_CLAIM, KONG_WITHOUT_TILE, CLAIM_CHOW, CLAIM_PUNG, CLAIM_KONG, LAST_CHOW,
    LAST_PUNG, LAST_KONG, ANY_LAST, EARTHLY_DRAW, HEAVENLY_AFTER_KONG, ALL_SHOW, ROUND,
) = range(17)  # fmt: skip
# Events: code, seat, tile, lowest tile of a chow, giver, eight bits each.
(E_DRAW, E_REPLACE, E_FLOWER, E_DISCARD, E_DRAWN_DISCARD, E_CHOW, E_PUNG, E_KONG, E_ADDED, E_CONCEALED, E_WIN,
 E_EXHAUSTED, E_SHOW) = range(13)  # fmt: skip
# Actions, by rank among claims.
A_DISCARD, A_DRAWN, A_WIN, A_CHOW, A_PUNG, A_KONG, A_ADDED, A_CONCEALED, A_FLOWER, A_PASS = range(10)
CHOW, PUNG, KONG, CONCEALED = range(4)
# Places of the bits of luck in the array passed.
(L_SELF_DRAW, L_KONG_DRAW, L_TWO_KONGS, L_THREE_KONGS, L_LAST_DRAW, L_LAST_DISCARD, L_ROBBED_KONG, L_HEAVENLY,
 L_EARTHLY, L_HUMANLY, L_FIRST_ROUND, L_FOURTH, L_FRESH) = range(13)  # fmt: skip
