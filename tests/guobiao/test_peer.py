"""guobiao-mcr gives what PyMahjongGB gives, on generated hands of mixed rarity that show every fan."""

from __future__ import annotations

from collections import Counter

import pytest

from quepu.hands.notation import write
from quepu.rulebooks import book
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from tests.guobiao.peer_totals import read

MCR = book("guobiao-mcr")


def compare(n: int, seed: int) -> tuple[Counter[str], int]:
    """How often each fan was seen, and how often equal totals have different lists."""
    from tests.guobiao.peer import peer

    seen: Counter[str] = Counter()
    lists = 0
    for hand in wins(MCR, n, seed):
        total, fans = peer(hand)
        score = score_hand(hand, MCR)
        mine = {fan.name: fan.count for fan in score.fans}
        assert score.total == total, (write(hand), hand, fans, mine)
        lists += fans != mine
        seen.update(mine)
    return seen, lists


def test_totals_stored_from_it() -> None:
    seen: Counter[str] = Counter()
    for hand, total in read():
        score = score_hand(hand, MCR)
        assert score.total == total, (write(hand), hand.luck, score.explain())
        seen.update(fan.name for fan in score.fans)
    assert [fan.name for fan in MCR.fans if seen[fan.name] < 5] == []


def test_equal_totals() -> None:
    pytest.importorskip("MahjongGB", reason="PyMahjongGB is a second opinion, installed for slow tests")
    seen, lists = compare(3000, seed=1)
    assert len(seen) > 70
    assert lists < 10  # two readings of equal worth


@pytest.mark.slow
@pytest.mark.timeout(7200)  # a million hands, twice
def test_equal_totals_on_a_million_hands() -> None:
    """With melds, kongs, seats, flowers and circumstances; every fan comes up."""
    pytest.importorskip("MahjongGB", reason="PyMahjongGB is a second opinion, installed for slow tests")
    seen: Counter[str] = Counter()
    lists = 0
    for seed in range(100):
        more, unlike = compare(10_000, seed=100 + seed)
        seen += more
        lists += unlike
    assert [fan.name for fan in MCR.fans if seen[fan.name] < 5] == []
    assert lists < 1_000_000 // 1000
