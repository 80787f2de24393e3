"""Names of the columns and codes in the arrays of `quepu.fast.tables.loop`."""

from __future__ import annotations

KINDS, ALL_KINDS, SEATS = 34, 42, 4
# What a table is about to do; after a question put to seats comes its answer.
(
    DEAL, DEALT_FLOWERS, FLOWER, FLOWER_ANSWERED, SEVEN, SEVEN_ANSWERED, OPENING, DRAW, REPLACE, TURN, TURN_ANSWERED,
    CLAIMS, CLAIMS_ANSWERED, ROBBING, ROBBING_ANSWERED, OUTER, OUTER_ANSWERED, OVER,
) = range(18)  # fmt: skip
# Numbers of a table.
(
    PHASE, FRONT, BACK, LEFT, TURN_OF, DRAWN, TILE, DISCARDS, LAST_DISCARDER, KONGS, CLAIMED, KONGS_IN_ROW, LAST_EVENT,
    EVENTS, WINNER, GIVER, WON_TILE, QUESTIONS, DEALING, CONCEALING, WAITING, OFFERED, OFFER_TILE, OFFERER,
) = range(24)  # fmt: skip
SCALARS = 24
QUESTIONS_MOST = 4  # at a time, one a seat
# Numbers of a seat. Declared: on the deal or with the first discard, at so many discards and own draws. Chosen: the
# place of its choice among the options that are being asked about + 1, 0 none yet.
(
    MELDS, FOURS, PUNGS, FLOWERS, OWN_DRAWS, OWN_MELDS, HAS_DISCARDED, WAITS, LEVEL, DECLARED, DISCARDS_THEN,
    DRAWS_THEN, MISSED, SET_ASIDE, NOT_OUTER, CHOSEN,
) = range(16)  # fmt: skip
OF_SEAT = 16
AT_DEAL, AT_FIRST = 1, 2
# Levels of bots; OUTSIDE: whoever plays this seat is asked outside the loop.
RANDOM, CLOSED, PLAIN, GAIN, OUTSIDE = range(5)
# A book's numbers.
(
    SIZE, DEAD, FEEDS, FLOWERS_OUT, KONG_AFTER_CLAIM, KONG_WITHOUT_TILE, CLAIM_CHOW, CLAIM_PUNG, CLAIM_KONG, LAST_CHOW,
    LAST_PUNG, LAST_KONG, ANY_LAST, EARTHLY_DRAW, HEAVENLY_AFTER_KONG, ALL_SHOW, ROUND, CONCEALED_HIDDEN, DECLARES,
    FLOWER_WINS, OUTER_WINS, CONCEALED_ROBBED,
) = range(22)  # fmt: skip
# Events: code, seat, tile (NO_TILE: none), lowest tile of a chow or whether a discard declares, giver, eight bits each.
(E_DRAW, E_REPLACE, E_FLOWER, E_DISCARD, E_DRAWN_DISCARD, E_CHOW, E_PUNG, E_KONG, E_ADDED, E_CONCEALED, E_WIN,
 E_EXHAUSTED, E_SHOW, E_READY) = range(14)  # fmt: skip
NO_TILE = 255
# Chances to win: `quepu.table.luck.Chance`.
BY_DRAW, BY_DISCARD, BY_ADDED, BY_CONCEALED, BY_FLOWER, BY_SEVEN, BY_OUTER = range(7)
# Actions; the third number of a discard is whether it declares the hand ready.
A_DISCARD, A_DRAWN, A_WIN, A_CHOW, A_PUNG, A_KONG, A_ADDED, A_CONCEALED, A_FLOWER, A_READY, A_PASS = range(11)
CHOW, PUNG, KONG, CONCEALED = range(4)
# Places of the bits of luck in the array passed.
(L_SELF_DRAW, L_KONG_DRAW, L_TWO_KONGS, L_THREE_KONGS, L_LAST_DRAW, L_LAST_DISCARD, L_ROBBED_KONG, L_HEAVENLY,
 L_EARTHLY, L_HUMANLY, L_FIRST_ROUND, L_FOURTH, L_FRESH, L_SEVEN_FLOWERS, L_EIGHT_FLOWERS, L_ROBBED_FLOWER, L_OUTER,
 L_READY_AT_DEAL, L_READY_AT_FIRST, L_FIRST_CHANCE) = range(20)  # fmt: skip
