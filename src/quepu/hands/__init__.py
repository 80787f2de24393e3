"""Hands: tiles as text and as values, tables of one suit, and wins split into groups.

`hand` (tiles, melds, the winning tile, the circumstances), `notation` (text both ways), `suit_tables` (every way to
take one suit apart), `planes` (a reading as integers and the words of conditions), `win` (a complete hand and one
reading of it).
"""
