"""Every winning hand there is, and its score under a book.

`standard_hands` (the standard hands of a state), `hand_index` (looked up suit by suit), `special` (other
shapes), `each_tile` (every tile that may have come last), `classes` (readings that score alike), `classed` (all
hands of a state in classes), `census` and `valued` (their values under a book).
"""

from quepu.errors import needs

needs("numpy")
