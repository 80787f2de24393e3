"""Figures of players over many matches: wins, deal-ins, places, fans, opponents; ratings. Needs no server.

figures         numbers about one player that can be added up
log_figures     the figures of logs, read fast, and of score tables; `log_sets` of many files, by player
player_report   figures as a list of players, and as the page of one; ratings with uncertainty (openskill)
mistakes        mistakes found by reviews: by kind, points lost
intervals       shares with confidence intervals
"""
