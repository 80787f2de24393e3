"""Review played hands by a bot: rate every decision, grade it, and explain it in words.

`valuation` is shared by hints at the table and advice on discards; `aimed_hands` are hands that a choice leads to,
`turns` its chances turn by turn, `insight` the reasons behind a mistake, `reliability` whether predicted chances come
true.

Its parts need numpy and are imported on use: a server that only looks up reviews does without.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final, Literal

from quepu.errors import Text

if TYPE_CHECKING:
    from quepu.review.encoded import review_hand, review_log
    from quepu.review.grades import Report, grade, report
    from quepu.review.rated_decisions import Decision, decisions
    from quepu.review.sentences import reason
    from quepu.review.valuation import RatedAction, rate_options


Mistake = Literal["missed_win", "claim", "unpayable", "safety", "speed", "value"]
"""The kind of a mistake: a key of `MISTAKES`."""

MISTAKES: Final[dict[Mistake, Text]] = {
    "missed_win": Text("漏和", "missed win"),
    "claim": Text("鸣牌", "claim"),
    "unpayable": Text("不够起和", "below the minimum"),
    "safety": Text("安全", "safety"),
    "speed": Text("速度", "speed"),
    "value": Text("牌值", "value"),
}
"""The kinds of mistakes and their names."""

VERSION: Final = 7
"""Increased when values or formats change: reviews of an older version are computed again."""
_PARTS: Final = {
    "Decision": "rated_decisions", "RatedAction": "valuation", "decisions": "rated_decisions", "Report": "grades",
    "grade": "grades", "report": "grades", "review_hand": "encoded", "review_log": "encoded", "reason": "sentences",
    "rate_options": "valuation",
}  # fmt: skip

__all__ = [
    "MISTAKES",
    "VERSION",
    "Decision",
    "Mistake",
    "RatedAction",
    "Report",
    "decisions",
    "grade",
    "rate_options",
    "reason",
    "report",
    "review_hand",
    "review_log",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _PARTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PARTS[name]}"), name)
