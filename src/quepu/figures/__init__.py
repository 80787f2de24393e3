"""Figures of players over many matches: wins, deal-ins, places, fans, opponents; ratings. Needs no server.

figures     what one player did, as numbers that can be added up
tables      the figures of a score table
logs        folders of logs, read fast
rating      ratings with their uncertainty (openskill)
mistakes    what reviews found: mistakes by kind, points lost
rates       shares with the interval in which they lie
"""
