"""Bots against bots: a hand, a match with its log, or many hands on all cores or a cluster, with equal results.

`simulate` compares players (in a duplicate match on the same walls), `play_duel` two books on the same walls.
"""

from quepu.arena.bot_hand import follow_hand, play_hand
from quepu.arena.bot_match import match
from quepu.arena.counts import Stats
from quepu.arena.plan import Plan, PlanError, Player
from quepu.arena.played_effect import Duel, PlayedSums, play_duel
from quepu.arena.simulate import simulate

__all__ = [
    "Duel",
    "Plan",
    "PlanError",
    "PlayedSums",
    "Player",
    "Stats",
    "follow_hand",
    "match",
    "play_duel",
    "play_hand",
    "simulate",
]
