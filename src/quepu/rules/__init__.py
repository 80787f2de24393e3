"""Parts that a rulebook is made of, whichever it is.

`rulebook` (books, options, fingerprints), `row` (a fan and its value, in words and in a notebook), `symbols` and
`compiled` (conditions as expressions and as one function), `rulings`, `play_rules` (table, match, payments),
`circumstances` (a book's names for what lies around a win), `diff` (two books compared, for programs and for readers),
`digest` (what a fingerprint is made of), `guide` (what a reader looks up beside the fans), `measured_figures` (what the
lab found out about a book).
"""
