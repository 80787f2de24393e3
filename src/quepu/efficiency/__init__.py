"""Distance of a hand to one that may win under a book, and what that hand would be paid.

`payable` (distance and acceptance), `join` and `join_compiled` (payable hands put together suit by suit),
`payments` (what every standard hand pays), `gain_files` (where such tables are cached), `pair_distance` (special
shapes as aims).
"""
