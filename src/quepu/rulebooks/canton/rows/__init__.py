"""The patterns of 广东, one module for each stretch of values."""

from quepu.rulebooks.canton.rows import eight_ten, fifteen, five_seven, forty, thirty, three_four, twenty, up_to_two

ROWS = (
    *up_to_two.ROWS,
    *three_four.ROWS,
    *five_seven.ROWS,
    *eight_ten.ROWS,
    *fifteen.ROWS,
    *twenty.ROWS,
    *thirty.ROWS,
    *forty.ROWS,
)
"""All 149, in the seed's order."""
