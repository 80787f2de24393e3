"""The lessons of a book: the sections each one covers, how it is passed, and the hand that is counted."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from quepu.errors import NotAWin, Text
from quepu.rules.guide import Shown, guide
from quepu.rules.measured_figures import figures
from quepu.rules.row import Example
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example
from quepu.scoring.score import Score
from quepu.server.practice.questions import kinds_of

_USUAL_GROUPS = 5
_FANS = range(3, 6)
"""The number of fans in the counted hand: enough for several steps, few enough to grasp."""


class Lesson(NamedTuple):
    """A lesson: `sections` of the rules by key, those that the book has; `kind` of the questions that pass it.

    If `kind` is "", the lesson is passed by reading it.
    """

    key: str
    title: Text
    lead: Text
    sections: tuple[str, ...]
    kind: str = ""

    @property
    def passed_by(self) -> str:
        """The kind under which its answers are stored: a right one passes the lesson."""
        return self.kind or self.key


LESSONS: Final = (
    Lesson(
        "tiles",
        Text("认牌", "The tiles"),
        Text("用哪些牌，怎么发到手上。", "Which tiles there are, and how they are dealt."),
        ("tiles", "deal"),
    ),
    Lesson(
        "shape",
        Text("和牌的样子", "The shape of a win"),
        Text("十四张凑成什么样才算和。", "What fourteen tiles have to be to win."),
        ("terms", "win"),
    ),
    Lesson(
        "counting",
        Text("算一手牌", "Counting a hand"),
        Text("先看怎么算，再一个番一个番地算一手，最后自己算一手。",
             "How points are counted; then one hand, one fan at a time; then a hand of your own."),
        ("points",),
        "points",
    ),
    Lesson(
        "waits",
        Text("听牌", "Waits"),
        Text("再来一张就和，叫听牌。逐一想：加上哪一张，整手就成和牌的样子？",
             "A hand that wins with one more tile is ready. Which tiles would complete it?"),
        ("ready",),
        "waits",
    ),
    Lesson(
        "paying",
        Text("谁给谁", "Who pays whom"),
        Text("和了以后四家各收付多少。", "What each of the four gains or loses after a win."),
        ("payment",),
        "pays",
    ),
    Lesson(
        "manners",
        Text("上桌的规矩", "At the table"),
        Text("怎么行牌、打几局，错了怎么办。", "How play goes round, how long a match is, the price of a mistake."),
        ("play", "match", "faults"),
    ),
)  # fmt: skip

READINGS: Final = tuple(lesson.key for lesson in LESSONS if not lesson.kind)
"""Lessons that are passed by reading them."""


def lessons_of(book: Rulebook) -> tuple[Lesson, ...]:
    """Return the lessons of a book: those with a section of its rules or a question."""
    there = {section.key for section in guide(book)}
    kinds = kinds_of(book)
    return tuple(
        lesson for lesson in LESSONS if (lesson.kind in kinds if lesson.kind else there & set(lesson.sections))
    )


@lru_cache(maxsize=64)
def find_counted_hand(book: Rulebook) -> tuple[Example, Score] | None:
    """Return the example that is counted step by step; None for a book without a winning one.

    Of its examples with four melds and a pair, a few fans and no reading of ours behind them, the one whose rarest fan
    is the commonest by the lab's figures; the hands beside its fans where the rules show none such.
    """
    shown = [part for one in guide(book) for part in one.parts if isinstance(part, Shown)]
    doubtful = {part.example for part in shown if part.ruling}
    hands = [*(part.example for part in shown), *(fan.example for fan in book.fans if fan.example is not None)]
    measured = figures(book)
    best: tuple[tuple[bool, float], Example, Score] | None = None
    for example in dict.fromkeys(one for one in hands if one not in doubtful):
        try:
            score = score_example(example, book)
        except NotAWin:
            continue
        if not score.can_win or len(score.best.groups) != _USUAL_GROUPS or not score.fans:
            continue
        shares = [measured[fan.name].share or 0.0 for fan in score.fans if fan.name in measured]
        rank = (len(score.fans) in _FANS, min(shares, default=0.0))
        if best is None or rank > best[0]:
            best = (rank, example, score)
    return None if best is None else best[1:]
