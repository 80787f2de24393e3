"""What 国标 states a second time: how many fans the seed lists, and under which worth."""

from __future__ import annotations

ROWS = {"guobiao": 81, "guobiao-mcr": 82}
VALUES = {88: 7, 64: 6, 48: 2, 32: 3, 24: 9, 16: 6, 12: 5, 8: 10, 6: 6, 4: 4, 2: 10, 1: 13}
"""How many fans the seed lists under each worth; 暗杠 (2) is the one that it names and does not list."""
JOINS = {
    "一色四同顺", "一色四节高", "一色四步高", "一色三同顺", "一色三节高", "清龙", "一色三步高", "三同刻", "花龙",
    "三色三同顺", "三色三节高", "三色三步高", "双同刻", "一般高", "喜相逢", "连六", "老少副",
}  # fmt: skip
"""Fans of two to four sets by how their numbers stand to each other: what 套算一次 is about."""
