"""Every winning hand there is, and its score under a book.

`standard_hands` (the standard hands of a state), `hand_index` (looked up suit by suit), `special` and `pairs_and_fours`
(other shapes), `census` (all of them scored by a book), `each_tile`, `each_standard`, `each_special`,
`last_tiles`, `other_waits` (every tile that may have come last), `classes` (readings that score alike),
`spread` (the same work on several processes or a cluster).
"""

from quepu.errors import needs

needs("numpy")
