"""丁8: the equivalent points of table 2 tell exactly which hands reach ten points."""

from __future__ import annotations

from quepu.rulebooks import book
from quepu.rules.guide import Grid, find_section
from quepu.scoring.samples import wins
from quepu.scoring.score import Score, score_hand

BOOK = book("lingque-29")
TABLE = next(part for part in find_section(BOOK, "ten").parts if isinstance(part, Grid))
EQUIVALENT = {row[i].zh: int(row[i + 1].zh) for row in TABLE.rows for i in (0, 2)}


def equivalent(score: Score) -> int:
    """The sum of table 2 over what counts; 番牌 by whether they are pungs."""
    total = 0
    for line in score.fans:
        name = line.name
        if name.startswith("番牌"):
            name = "番牌刻" if line.value["fu"] == 4 else "番牌对"
        total += EQUIVALENT[name] * line.count
    return total


def reaches(score: Score) -> bool:
    """The three conditions of 丁8, in its other words."""
    if any(line.value["fan"] >= 3 or (line.value["fu"], line.value["fan"]) == (8, 2) for line in score.fans):
        return True
    if sum(line.name.startswith("番牌") and line.value["fu"] == 4 for line in score.fans) >= 2:
        return True
    return equivalent(score) >= 10


def test_equivalent_points_agree_with_the_arithmetic() -> None:
    hands = wins(BOOK, 2500, seed=8)
    scores = [score_hand(hand, BOOK) for hand in hands]
    small = [score for score in scores if score.points < 30]
    assert len(small) > 300
    assert {score.can_win for score in small} == {True, False}
    for score in small:
        assert reaches(score) == (score.points >= 10), score.explain()
