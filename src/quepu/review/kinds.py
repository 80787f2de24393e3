"""Kinds of mistakes and their names; nothing here needs numpy."""

from __future__ import annotations

from typing import Final, Literal

from quepu.errors import Text

Mistake = Literal["missed_win", "claim", "unpayable", "safety", "speed", "value"]

MISTAKES: Final[dict[Mistake, Text]] = {
    "missed_win": Text("漏和", "missed win"),
    "claim": Text("鸣牌", "claim"),
    "unpayable": Text("不够起和", "below the minimum"),
    "safety": Text("安全", "safety"),
    "speed": Text("速度", "speed"),
    "value": Text("牌值", "value"),
}
