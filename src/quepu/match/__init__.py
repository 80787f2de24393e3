"""Hands in sequence: seats and dealers, payments, penalties, standings, and the log of everything."""

from quepu.match.log import LogError, LogWriter, Replay
from quepu.match.match import Match, MatchHand, Standing
from quepu.match.penalties import Penalty, bars
from quepu.match.reader import read_log
from quepu.match.seats import RoundPosition
from quepu.match.settle import SettleError, Settlement, settle

__all__ = [
    "LogError",
    "LogWriter",
    "Match",
    "MatchHand",
    "Penalty",
    "Replay",
    "RoundPosition",
    "SettleError",
    "Settlement",
    "Standing",
    "bars",
    "read_log",
    "settle",
]
