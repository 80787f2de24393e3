"""Score a hand and explain the score.

`score` (detect, combine, the best reading), `occurrences` (which groups make a fan), `explain` (a score as text),
`waits` (waits with points, what to discard), `completion` (is this a win, and which tile completed it), `keywords` and
`signatures` (seat, winds and circumstances of a hand given as text), `samples` (random legal wins), `describe` (a book
and its fans as plain data), `lookup` (fans and rulings by what a user types), `booklet` (a book typeset for paper).
"""
