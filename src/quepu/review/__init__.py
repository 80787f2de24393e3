"""Review of played hands by a bot: every decision valued, graded, and explained in words."""

from quepu.review.decisions import Decision, RatedAction, decisions
from quepu.review.grades import Report, grade, report
from quepu.review.hands import VERSION, review_hand, review_log
from quepu.review.words import reason

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
