"""Places in the words that compiled loops are passed: a context of a book, a block of hands. It has no plain twin."""

from __future__ import annotations

BONUS_BITS = 24  # of the word that holds points and bonus of one hand
BLOCK, ROOM = 256, 704  # hands, readings
MOST_COUNTED = 32  # rows that count in one hand
UNMET, MANY = 1, 2  # why a hand is left: a reading of a figure that was not met yet, or more than there is room for
# Rows of planes behind the twelve that are filled by hand: nine of each reading, waits, circumstances.
OWN, WAITS, SEAT, ROUND, LUCK, FLOWERS, ROWS = 12, 21, 24, 25, 26, 27, 28

# A context has four words for each entry, an address and its dimensions, or a number. First the addresses of the
# context and of functions: what a book's conditions give of readings for points and for counts, what they give of whole
# shapes and of their planes, and the weighing; then numbers.
ENTRY_WORDS = 4
SELF, LINE, COUNT_LINE, WHOLES, WHOLE_PLANES, WEIGH, WANTS_WAITS, DRAWN, CLOSED_BIT, DRAWN_LUCK, ALL_TILES = range(11)
# Tables of reading, of shapes and circumstances.
BITS, FIVE, START, LOOKUP, SPLIT_PLANES, OF_MELD = range(11, 17)
PLACE_NUMBER, PLACE, LOSES, NUMBERED, SUMS, OF_KEY, AFTER = range(17, 24)
WAYS, FOUR_SHAPES, WHOLE_SHAPES, CASE_OF = range(24, 28)
# Room to work in: planes, results, the best readings' planes; of hands and readings; the block of one hand.
H, RESULTS, BEST_PLANES, CASE, HAND_NUMBERS, INDEX, SCRATCH, WHOLE, TOTALS, MORE, BEST, FOURS_ROOM = range(28, 40)
ONE = 40
HITS = 41  # the address of a function: what holds in a reading
FIGURES = 42  # from here on those of the weighing

# A block of hands: how many, melds of each at most; addresses of counts, melds, winning tiles, seats, rounds, luck,
# flowers, of points, bonus, whether a win, why left; of planes [ROWS, N] and counts of rows [N, rows], or 0; the number
# of rows.
HANDS, MELD_SLOTS, COUNTS, MELDS_OF, WINNING, SEATS, ROUNDS, LUCKS, FLOWERS_OF, POINTS, BONUS, VALID, LEFT = range(13)
PLANES, FANS, FAN_NUMBER, BLOCK_WORDS = range(13, 17)
