"""Distance of a hand to one that may win under a book, and what that hand would be paid.

`payable` (distance and acceptance), `join` and `join_loops` (payable hands put together suit by suit),
`payments` (what every standard hand pays), `gain_files` (where such tables are cached), `shipped_gains` (those that the
package carries), `pair_distance` (special shapes as aims). In plain Python, without tables: `on_demand`, from
`suit_readings`. What both stand on: `receipts` (what a win pays), `rates` (weights of distances), `wind_order` (one
table for every seat).
"""
