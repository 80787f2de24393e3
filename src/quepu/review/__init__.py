"""Review of played hands by a bot: every decision valued, graded, and explained in words.

Its parts need numpy and are imported when they are used: a server that only looks for reviews does without.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from quepu.review.grades import Report, grade, report
    from quepu.review.hands import review_hand, review_log
    from quepu.review.rated_decisions import Decision, RatedAction, decisions
    from quepu.review.words import reason

VERSION: Final = 2
"""Goes up when values or shapes change: what is stored of an older one is worked out anew."""
_PARTS: Final = {
    "Decision": "rated_decisions", "RatedAction": "rated_decisions", "decisions": "rated_decisions", "Report": "grades",
    "grade": "grades", "report": "grades", "review_hand": "hands", "review_log": "hands", "reason": "words",
}  # fmt: skip

__all__ = [
    "VERSION",
    "Decision",
    "RatedAction",
    "Report",
    "decisions",
    "grade",
    "reason",
    "report",
    "review_hand",
    "review_log",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _PARTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PARTS[name]}"), name)
