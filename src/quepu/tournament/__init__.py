"""Tournaments and club nights: who sits with whom, and where, over all rounds."""

from quepu.tournament.schedule import Quality, Round, Schedule, make_schedule, next_round

__all__ = ["Quality", "Round", "Schedule", "make_schedule", "next_round"]
