"""Bots against bots: single hands, and any number of them on all cores or a cluster, with the same result."""

from quepu.arena.hand import play_hand
from quepu.arena.simulate import Plan, simulate
from quepu.arena.stats import Stats

__all__ = ["Plan", "Stats", "play_hand", "simulate"]
