"""What 国标 states a second time: how many fans the seed lists, and under which worth."""

from __future__ import annotations

ROWS = {"guobiao": 81, "guobiao-mcr": 82}
VALUES = {88: 7, 64: 6, 48: 2, 32: 3, 24: 9, 16: 6, 12: 5, 8: 10, 6: 6, 4: 4, 2: 10, 1: 13}
"""How many fans the seed lists under each worth; 暗杠 (2) is the one that it names and does not list."""
