"""What a bot thinks of what was played: every decision of a hand valued, graded, and said in words."""

from quepu.review.decisions import Choice, Decision, decisions
from quepu.review.grades import Report, grade, report
from quepu.review.hands import VERSION, review_hand, review_log
from quepu.review.words import reason

__all__ = [
    "VERSION", "Choice", "Decision", "Report", "decisions", "grade", "reason", "report", "review_hand", "review_log",
]  # fmt: skip
