"""Figures of players over many matches: wins, deal-ins, places, fans, opponents; ratings. Needs no server.

figures what one player did, as numbers that can be added up
log_figures     the figures of logs, read fast, and of score tables; `log_sets` of many files, by who is who
player_report   figures as a list of players, and as the page of one; ratings with their uncertainty (openskill)
mistakes        what reviews found: mistakes by kind, points lost
intervals       shares with the interval in which they lie
"""
