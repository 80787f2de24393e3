"""Names of the columns, codes and entries in the memory of `quepu.fast.tables.memory`. They have no plain twin."""

from __future__ import annotations

KINDS, ALL_KINDS, SEATS = 34, 42, 4
# What a table is about to do; after a question put to seats comes its answer.
(
    DEAL, DEALT_FLOWERS, FLOWER, FLOWER_ANSWERED, SEVEN, SEVEN_ANSWERED, OPENING, DRAW, REPLACE, TURN, TURN_ANSWERED,
    CLAIMS, CLAIMS_ANSWERED, ROBBING, ROBBING_ANSWERED, OUTER, OUTER_ANSWERED, OVER, RESUMED,
) = range(19)  # fmt: skip
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
# Levels of bots; OUTSIDE: whoever plays this seat is asked outside the loop; AIMED: `gain` that goes for one fan.
RANDOM, CLOSED, PLAIN, GAIN, OUTSIDE, AIMED = range(6)
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

MOST_EVENTS, MOST_OPTIONS = 512, 64
# Entries of the context, each the address and dimensions of an array, or a number. First the arrays of tables: numbers
# of each table (SCALARS), of each seat (OF_SEAT), tiles held, melds, fours and pungs in the order they came, tiles that
# lie open, generators, walls, events, options offered to a seat that is played from outside.
(
    AT_NUMBERS, AT_SEATS, AT_COUNTS, AT_MELDS, AT_LISTS, AT_VISIBLE, AT_GENERATORS, AT_WALLS, AT_LOG, AT_OFFERED,
) = range(10)  # fmt: skip
# Questions whether hands may win: tiles, melds, numbers (seat, tile, circumstances, flowers, forms of which the hand
# must have one), answers.
AT_HANDS, AT_HAND_MELDS, AT_WORDS, AT_ANSWERS = range(10, 14)
# The book: its numbers, bits of circumstances; the address of `quepu.fast.nearest.distance`.
AT_RULES, AT_LUCK, FAR = range(14, 17)
# Room for options of four seats, how many there are; tiles held, missing after discards, unseen by kind.
AT_OPTIONS, AT_OPTION_NUMBERS, AT_HELD, AT_LACKS, AT_UNSEEN = range(17, 22)
# For seats that `gain` plays: addresses of its functions; gains of closed and other hands, then where the round wind is
# the own; readings of suits, where classes begin, where halves begin and how wide they are, ways to draw, least missing
# tiles by class; whether gains depend on the round; special shapes: their parts, gains, ways to come.
GAIN_TURN, GAIN_CLAIM, AT_GAINS = 22, 23, 24
AT_READINGS, AT_STARTS, AT_JOINS, AT_CHOOSE, AT_LEAST_BY_CLASS = range(28, 33)
READS_ROUND, AT_SPECIALS, AT_SPECIAL_GAINS, AT_SPECIAL_WAYS = range(33, 37)
# Its values of discards, last of none; and room to work in (see `quepu.fast.tables.aim_tables`).
AT_VALUES = 37
(
    ROOM_SUMS, ROOM_FOUND, ROOM_DISTANCE, ROOM_ORDERED, ROOM_BEGINS, ROOM_LEAST, ROOM_SLACK, ROOM_LANES, ROOM_COULD,
    ROOM_ROWS, ROOM_NUMBERS, ROOM_PAIRS, ROOM_WAYS, ROOM_TALLIES, ROOM_AT, ROOM_PLACES, ROOM_SHARES, ROOM_HALVES,
    ROOM_ONES, ROOM_OTHERS, ROOM_OWN, ROOM_WINDS, ROOM_NEAR, ROOM_NEXT, ROOM_LEFT, ROOM_HELD, ROOM_SINGLE,
    ROOM_DRAWN, ROOM_TWICE,
) = range(38, 67)  # fmt: skip
# For a seat that goes for one fan: gains of hands that have it, as AT_GAINS, and of special shapes that have it.
AT_AIMED, AT_AIMED_SPECIALS = 67, 71
ENTRIES, ENTRY_WORDS = 72, 4
