"""Grade a seat for a hand: the mean value of its choices relative to the best, a letter, and its mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quepu.errors import Text
from quepu.review import MISTAKES, Mistake
from quepu.review.confidence import CostInterval, cost_interval
from quepu.review.insight import mistake
from quepu.review.rated_decisions import Decision

SLIP, MISTAKE, BLUNDER = 0.06, 0.15, 0.35
"""Shares of the best choice's value from which a loss is a slip, a mistake, a blunder."""
SLIGHT = 0.01
"""A choice that costs less than this share of a win is at most a slip, however little the hand was worth."""

WORDS = {
    "best": Text("最佳", "best"),
    "good": Text("不错", "good"),
    "slip": Text("次选", "second best"),
    "mistake": Text("失误", "mistake"),
    "blunder": Text("大失误", "blunder"),
    "lost": Text("做不成可和的牌", "nothing within reach"),
}
EQUAL = Text("差不多", "about equal")
"""Instead of a lesser grade whose cost is within the noise."""
_POSSIBLE = {"mistake": Text("可能失误", "possible mistake"), "blunder": Text("可能大失误", "possible blunder")}
"""The same for a large loss: it may be about equal."""
_LETTERS = ((0.97, "A"), (0.92, "B"), (0.84, "C"), (0.0, "D"))


class Report(NamedTuple):
    """Grades of a seat for a hand: number of graded decisions, mean share of the best value, mistakes, blunders.

        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hand = read_log("match.jsonl").hands[0]
        >>> from quepu.review import decisions
        >>> made = report(decisions(hand, played.book, only=0), seat=0)
        >>> made.letter, made.decisions, made.mistakes, made.blunders
        ('C', 10, 0, 2)

    `cost` are the points that all choices together lost on the average; `kinds` counts mistakes and blunders by kind.
    """

    seat: int
    decisions: int
    mean_share: float
    mistakes: int
    blunders: int
    cost: float
    kinds: dict[Mistake, int]

    @property
    def letter(self) -> str:
        """A to D; - if nothing could be graded."""
        if not self.decisions:
            return "-"
        return next(letter for least, letter in _LETTERS if self.mean_share >= least)


def grade(decision: Decision) -> str:
    """Return the grade of a decision, a key of `WORDS`.

    Examples:
        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hand = read_log("match.jsonl").hands[0]
        >>> from quepu.review import decisions
        >>> [grade(decision) for decision in decisions(hand, played.book, only=0)][:3]
        ['blunder', 'best', 'best']
    """
    if decision.lost or decision.chosen is None:
        return "lost"
    if decision.chosen == 0:
        return "best"
    loss = decision.loss
    if loss < SLIP:
        return "good"
    if loss < MISTAKE or _slight(decision):
        return "slip"
    return "mistake" if loss < BLUNDER else "blunder"


def interval_of(decision: Decision) -> CostInterval | None:
    """Return the interval of a choice's cost; None if it cannot be judged."""
    if decision.lost or decision.chosen is None or decision.insight is None:
        return None
    best = decision.choices[0]
    if not decision.chosen:
        return CostInterval(0.0, 0.0)
    certain = best.points is not None
    return cost_interval(decision.book, decision.insight.cost, best.expected, certain)


def word_of(decision: Decision) -> Text:
    """Return the grade in words: "about equal" or "possible" if its cost is within the noise."""
    word, interval = grade(decision), interval_of(decision)
    if word in ("best", "lost") or interval is None or interval.sure:
        return WORDS[word]
    return _POSSIBLE.get(word, EQUAL)


def _slight(decision: Decision) -> bool:
    best, seen = decision.choices[0], decision.insight
    return best.points is None and seen is not None and seen.cost < SLIGHT * best.reach


def mistake_of(decision: Decision) -> Mistake | None:
    """Return the kind of mistake; None for a choice that was at least good, or cannot be judged."""
    if decision.insight is None or not decision.chosen or grade(decision) not in ("slip", "mistake", "blunder"):
        return None
    return mistake(decision.choices, decision.chosen, decision.insight)


def report(made: Sequence[Decision], seat: int) -> Report:
    """Return the report of a seat.

    Examples:
        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hand = read_log("match.jsonl").hands[0]
        >>> from quepu.review import decisions
        >>> report(decisions(hand, played.book, only=0), seat=0).kinds
        {'unpayable': 1, 'speed': 1}
    """
    graded = [one for one in made if one.seat == seat and not one.lost and one.chosen is not None]
    mean_share = sum(1.0 - one.loss for one in graded) / len(graded) if graded else 0.0
    words = [grade(one) for one in graded]
    bad = [mistake_of(one) for one, word in zip(graded, words, strict=True) if word in ("mistake", "blunder")]
    kinds = {kind: bad.count(kind) for kind in MISTAKES if kind in bad}
    cost = sum(one.insight.cost for one in graded if one.insight is not None)
    return Report(seat, len(graded), mean_share, words.count("mistake"), words.count("blunder"), cost, kinds)
