"""Tournaments and club nights: seating over all rounds, and the records of the tournament desk.

schedule, search, seat_balance, designs   whole schedules, and single rounds by standings
duplicate, walls                          trays of own walls and IMPs; the same shared walls at all tables
desk_records, desk                        the desk: its records, folded into rounds, results and standings
"""

from quepu.tournament.schedule import Quality, Round, Schedule, make_schedule, next_round

__all__ = ["Quality", "Round", "Schedule", "make_schedule", "next_round"]
