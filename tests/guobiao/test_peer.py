"""guobiao-mcr gives what PyMahjongGB gives, on generated hands of mixed rarity that show every fan."""

from __future__ import annotations

from collections import Counter

import pytest

from quepu.generate import wins
from quepu.notation import write
from quepu.rulebooks import book
from quepu.scoring import score_hand

pytest.importorskip("MahjongGB", reason="a second opinion: pip install quepu[peers]")
from tests.guobiao.peer import peer  # it needs what the line above asks for


def compare(n: int, seed: int) -> tuple[Counter[str], int]:
    """How often each fan was seen, and how often equal totals have different lists."""
    mcr = book("guobiao-mcr")
    seen: Counter[str] = Counter()
    lists = 0
    for hand in wins(mcr, n, seed):
        total, fans = peer(hand)
        score = score_hand(hand, mcr)
        mine = {fan.name: fan.count for fan in score.fans}
        assert score.total == total, (write(hand), hand, fans, mine)
        lists += fans != mine
        seen.update(mine)
    return seen, lists


def test_equal_totals() -> None:
    seen, lists = compare(3000, seed=1)
    assert len(seen) > 70
    assert lists < 10  # two readings of equal worth


@pytest.mark.slow
def test_equal_totals_on_every_fan() -> None:
    seen: Counter[str] = Counter()
    lists = 0
    for seed in range(20):
        more, unlike = compare(11_000, seed=100 + seed)
        seen += more
        lists += unlike
    assert [fan.name for fan in book("guobiao-mcr").fans if seen[fan.name] < 5] == []
    assert lists < 220_000 // 1000
