"""Grades of a seat for a hand: the mean value of its choices against the best ones, a letter, and its mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quepu.errors import Text
from quepu.review.rated_decisions import Decision

SLIP, MISTAKE, BLUNDER = 0.06, 0.15, 0.35
"""What a choice may give away before it is a slip, a mistake, a blunder: parts of the best choice's value."""

WORDS = {
    "best": Text("最佳", "best"),
    "good": Text("不错", "good"),
    "slip": Text("次选", "second best"),
    "mistake": Text("失误", "mistake"),
    "blunder": Text("大失误", "blunder"),
    "lost": Text("无牌可求", "nothing in reach"),
}
_LETTERS = ((0.97, "A"), (0.92, "B"), (0.84, "C"), (0.0, "D"))


class Report(NamedTuple):
    """Grades of a seat for a hand: number of graded decisions, mean share of the best value, mistakes, blunders."""

    seat: int
    decisions: int
    mean_share: float
    mistakes: int
    blunders: int

    @property
    def letter(self) -> str:
        """A to D; - where nothing could be graded."""
        if not self.decisions:
            return "-"
        return next(letter for least, letter in _LETTERS if self.mean_share >= least)


def grade(decision: Decision) -> str:
    """A key of `WORDS` for what was chosen."""
    if decision.lost or decision.chosen is None:
        return "lost"
    if decision.chosen == 0:
        return "best"
    loss = decision.loss
    if loss < SLIP:
        return "good"
    return "slip" if loss < MISTAKE else "mistake" if loss < BLUNDER else "blunder"


def report(made: Sequence[Decision], seat: int) -> Report:
    """How a seat played."""
    graded = [one for one in made if one.seat == seat and not one.lost and one.chosen is not None]
    mean_share = sum(1.0 - one.loss for one in graded) / len(graded) if graded else 0.0
    words = [grade(one) for one in graded]
    return Report(seat, len(graded), mean_share, words.count("mistake"), words.count("blunder"))
