"""Parts of any rulebook.

`rulebook` (books, options, fingerprints), `row` (a fan and its value, in words and in a notebook), `symbols` and
`compiled` (conditions as expressions and as one function), `rulings`, `play_rules` (table, match, payments),
`circumstances` (a book's names for the circumstances of a win), `diff` (two books compared, for programs and for
readers), `digest` (the input of a fingerprint), `guide` (the rules in words), `measured_figures` (the lab's figures of
a book).
"""
