"""广东 at the table: what it asks for, and hands played at random under it."""

from __future__ import annotations

from quepu.match import settle
from quepu.planes import ORPHANS
from quepu.play_rules import Ending, play_rules
from quepu.rulebooks import book
from tests.table.soak import play

CANTON = book("canton")


def test_what_the_table_is_asked() -> None:
    rules = play_rules(CANTON)
    table = rules.table
    assert table.flowers
    assert table.flower_wins
    assert table.outer_discards
    assert table.declares_ready
    assert table.heavenly_after_kong
    assert table.earthly == "first draw"
    assert table.concealed_kong_robbed_by == ORPHANS  # 暗杠除听十三幺者外均不可抢
    assert table.last_discard == {"win"}
    assert rules.zero_sum
    assert rules.match.dealer_repeats == "win or draw"


def test_hands_played_at_random_are_won_by_the_book_and_paid_to_zero() -> None:
    won = flowers = 0
    for hand in range(120):
        table = play(CANTON, "canton", hand)
        ending = table.ending
        assert isinstance(ending, Ending)
        gained = [0, 0, 0, 0]
        for flow in play_rules(CANTON).settle(ending, CANTON):
            gained[flow.payer] -= flow.points
            gained[flow.payee] += flow.points
        assert sum(gained) == 0
        assert list(settle(ending, CANTON, play_rules(CANTON)).seats) == gained
        if ending.winner is None:
            assert gained == [0, 0, 0, 0]
            continue
        won += 1
        assert ending.score is not None
        assert ending.score.can_win
        assert ending.points == ending.score.total
        assert gained[ending.winner] > 0
        flowers += any(line.name in ("无花", "正花", "一台花", "花糊", "七抢一") for line in ending.score.fans)
        dealer = {line.name for line in ending.score.fans} & {"庄家"}
        assert bool(dealer) == (ending.winner == 0)
    assert won > 2
    assert flowers > 0
