"""What 广东 states a second time: how many patterns the seed lists, and under which worth."""

from __future__ import annotations

ROWS = 149
VALUES = {0: 1, 1: 27, 2: 1, 3: 18, 4: 1, 5: 11, 7: 5, 8: 4, 10: 23, 15: 9, 20: 16, 30: 12, 40: 21}
"""The seed's bullets, and 十八罗汉 whose bullet is lost."""
