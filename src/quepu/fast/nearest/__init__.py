"""Distance of a hand to one that may win under a book, and the payment of that hand.

`payable` (distance and acceptance), `join`, `join_loops` and `join_code` (payable hands put together suit by suit),
`payments` (of every standard hand), `gain_files` and `ship` (the files of such tables), `preferences` (styles). In
plain Python, without tables: `on_demand`, from `suit_readings`. Both use `receipts` (payments of a win, weights of
distances, special shapes as aims).
"""
