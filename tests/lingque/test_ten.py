"""丁8: the equivalent points of table 2 tell exactly which hands reach ten points."""

from __future__ import annotations

from quepu.rulebooks import book
from quepu.rules.guide import Grid, find_section
from quepu.scoring.samples import wins
from quepu.scoring.score import Score, score_hand
from tests.lingque.stated import EQUIVALENT

BOOK = book("lingque-29")


def test_table_2_has_every_fan_that_needs_others_for_ten_points() -> None:
    """As the book prints it, and no row is missing: 副 and 翻 of each are too few."""
    table = next(part for part in find_section(BOOK, "ten").parts if isinstance(part, Grid))
    shown = {row[i].zh: int(row[i + 1].zh) for row in table.rows for i in (0, 2)}
    assert shown == EQUIVALENT
    few = {row.name for row in BOOK.fans if row.value.fan < 3 and row.value != (8, 2)}
    assert {name for name in few if not name.startswith("番牌")} | {"番牌刻", "番牌对"} == set(EQUIVALENT)


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
