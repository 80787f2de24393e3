"""Tournaments and club nights: seating over all rounds, and the records of the tournament desk.

schedule, search, seat_balance, designs   whole schedules, and single rounds by standings
duplicate, walls                          trays of own walls and IMPs; the same shared walls at all tables
seat_list                                 seating that an organiser provides
desk_records, desk_log                    the desk's records, and its log, in which they are corrected and undone
desk, desk_state, desk_corrections        records folded into rounds, results and penalties
desk_draw, desk_standings, desk_words     draws of the desk, standings, the history in words
"""

from quepu.tournament.schedule import Quality, Round, Schedule, make_schedule, next_round

__all__ = ["Quality", "Round", "Schedule", "make_schedule", "next_round"]
