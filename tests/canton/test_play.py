"""广东 at the table: what it asks for, and hands played at random under it."""

from __future__ import annotations

from quepu.hands.planes import ORPHANS
from quepu.match import settle
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, play_rules
from quepu.table import Table
from tests.table.soak import play
from tests.table.walls import go, settle_offer, stacked, throw_away

CANTON = book("canton")


def test_what_the_table_does() -> None:
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
    assert table.kong_without_replacement  # else nobody could rob one on the last tile
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
        if not ending.winners:
            assert gained == [0, 0, 0, 0]
            continue
        won += 1
        win = ending.winners[0]
        assert win.score is not None
        assert win.score.can_win
        assert win.points == win.score.total
        assert gained[win.seat] > 0
        flowers += any(line.name in ("无花", "正花", "一台花", "花糊", "七抢一") for line in win.score.fans)
        dealer = {line.name for line in win.score.fans} & {"庄家"}
        assert bool(dealer) == (win.seat == 0)
    assert won > 2
    assert flowers > 0


def last_tile_kong() -> Table:
    """South waits for 1p; West, with a pung of it, has drawn the fourth as the last tile of the wall."""
    hands = ["1p46m47p258sEWNCF", "123789m23p789sSS", "11p258m28s469sWNP", "137m147s258pWNPF"]
    table = settle_offer(Table(CANTON, stacked(hands, "3m", last="1p")))
    go(table, "E discard 1p", "W pung 1p", "W discard 2m", "N chow 2m 1m", "N discard 7m")
    while table.board.left:
        settle_offer(throw_away(settle_offer(table), 1))
    assert (table.turn, table.drawn) == (2, 9)
    return table


def test_a_kong_on_the_empty_wall_is_robbed_or_ends_the_hand() -> None:
    table = go(last_tile_kong(), "W added 1p")
    other = table.copy()
    ending = go(table, "S win").ending
    assert ending is not None
    assert ending.winners[0].score is not None
    assert "万炮齐发" in {line.name for line in ending.winners[0].score.fans}
    assert (ending.winners[0].seat, ending.discarder, ending.robbed) == (1, 2, True)
    go(other, "S pass")
    assert other.ending is not None
    assert not other.ending.winners
    assert [event.tag for event in other.events[-2:]] == ["added", "exhausted"]
