"""Tournaments and club nights: who sits with whom, and where, over all rounds; what is written at their desk.

schedule, search, seat_balance, designs   whole schedules, and single rounds by standings
desk_records, desk                        the desk: its records, folded into rounds, results and standings
"""

from quepu.tournament.schedule import Quality, Round, Schedule, make_schedule, next_round

__all__ = ["Quality", "Round", "Schedule", "make_schedule", "next_round"]
