"""Several winners on one tile (一炮多响): who may win, when the table waits, what follows, and that it reads back."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from quepu.match import Match, settle
from quepu.match.log import LogWriter
from quepu.match.reader import read_log
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, make_wall
from quepu.table.actions import PASS, ActionKind
from quepu.table.events import Won
from quepu.table.facts import Fact
from quepu.table.referee import reconstruct
from tests.table.follower import Follower
from tests.table.walls import go, stacked

HANDS = ["5p147m258sESWNCF", "123789m123s46pEE", "222333m789s46p99s", "456m456s77s789s46p"]
"""South, West and North wait for 5p."""


def house(most: int, **options: object) -> Rulebook:
    return book("canton").having(id=f"winners-{most}", options={"winners": most, "flowers": False, **options})


def dealt(most: int) -> Table:
    return go(Table(house(most), stacked(HANDS, "9m")), "E discard 5p")


def win_or_pass(table: Table, order: tuple[int, ...], winners: set[int]) -> list[int]:
    """Answer in this order as far as the table asks; return the seats that were asked."""
    asked = []
    for seat in order:
        if seat in table.to_act and not table.over:
            options = table.options(seat)
            table.step(seat, options[0] if seat in winners else PASS)
            asked.append(seat)
    return asked


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("declaring", [{1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}])
def test_the_nearest_win_in_whatever_order_they_answer(most: int, declaring: set[int]) -> None:
    for order in permutations((1, 2, 3)):
        table = dealt(most)
        asked = win_or_pass(table, order, declaring)
        assert table.ending is not None
        assert table.ending.seats == tuple(sorted(declaring))[:most]
        assert [event.seat for event in table.events if isinstance(event, Won)] == list(table.ending.seats)
        assert table.ending.discarder == 0
        # a seat is asked until as many nearer ones have won
        for at, seat in enumerate(order):
            nearer = [other for other in order[:at] if other < seat and other in declaring]
            assert seat in asked or len(nearer) >= most


def test_the_default_is_the_nearest_alone() -> None:
    assert play_rules(book("canton")).table.most_winners == 1
    assert house(1).fingerprint == book("canton").having(options={"flowers": False}).fingerprint
    assert len({house(most).fingerprint for most in (1, 2, 3)}) == 3


def test_both_winners_are_paid_by_the_discarder_and_shown() -> None:
    table = dealt(3)
    win_or_pass(table, (1, 2, 3), {1, 3})
    assert table.ending is not None
    first, second = table.ending.winners
    paid = settle(table.ending, table.book, table.rules)
    assert [flow[:2] for flow in paid.payments] == [(0, 1), (0, 3)]
    assert paid.seats == (-paid.seats[1] - paid.seats[3], paid.seats[1], 0, paid.seats[3])
    assert first.score is not None
    assert second.score is not None
    assert (first.points, second.points) == (first.score.total, second.score.total)
    assert first.supplied == second.supplied == (1, 0, 0, 0)
    assert [event.seat for event in table.events if event.tag == "show"] == [1, 3]
    assert sum(table.position.tiles()) + len(table.undrawn()) == 136


def test_a_pung_gives_way_to_wins_and_several_rob_a_kong() -> None:
    hands = ["5p147m258sESWNCF", "123789m123s46pEE", "55p28m37s2899mWN", "456m456s77s789s46p"]
    table = go(Table(house(3), stacked(hands, "9m")), "E discard 5p", "W pung 5p")
    win_or_pass(table, (1, 3), {1, 3})
    assert table.ending is not None
    assert table.ending.seats == (1, 3)

    robbed = ["5p147m258sESWNCF", "55p1m36s289mSSWWN", "222333m789s46p99s", "456m456s77s789s46p"]
    table = Table(house(2), stacked(robbed, "9mEEE5p"))
    go(table, "E discard 5p", "W pass", "N pass", "S pung 5p", "S discard W")
    while not table.over:
        seat = table.to_act[0]
        options = table.options(seat)
        added = next((one for one in options if one.do is ActionKind.ADDED), None)
        wins = [one for one in options if one.do is ActionKind.WIN]
        table.step(seat, wins[0] if wins else added or (PASS if PASS in options else options[-1]))
    assert table.ending is not None
    assert table.ending.seats == (2, 3)
    assert table.ending.robbed
    assert table.ending.discarder == 1


@pytest.mark.parametrize("number", range(40))
def test_random_play_with_three_winners_holds_every_promise_of_a_table(number: int) -> None:
    table = Table(house(3, minimum=0), make_wall("several", number), round=number % 4)
    follower, rng = Follower(table), random.Random(number)
    while table.to_act:
        seat = rng.choice(table.to_act)
        options = table.options(seat)
        best = options[0]
        table.step(seat, best if best.do is ActionKind.WIN else rng.choice(options))
        follower.check()
    follower.check_end()


def test_a_log_with_several_winners_reads_back() -> None:
    table = dealt(3)
    win_or_pass(table, (3, 1, 2), {1, 3})
    lines: list[str] = []
    match = Match(table.book)
    writer = LogWriter(match, lines.append)
    writer.hand(1, match.place, table)
    assert table.ending is not None
    after = match.add_hand(table.ending)
    writer.result(settle(table.ending, match.book, match.rules), after.totals, table.ending)
    for replay in (read_log(lines, table.book, unfinished=True), read_log(lines, unfinished=True)):
        (hand,) = replay.hands
        assert hand.ending is not None
        assert [win[:2] for win in hand.ending.winners] == [win[:2] for win in table.ending.winners]
        assert replay.match.totals == after.totals
        assert replay.problems == ()
        assert hand.events == table.events


def test_what_was_seen_is_enough_to_reconstruct_it() -> None:
    table = dealt(3)
    win_or_pass(table, (1, 2, 3), {1, 2, 3})
    facts = [Fact.of(event) for event in table.events if event.tag in ("deal", "draw", "discard", "win")]
    shown = {event.seat: event.tiles for event in table.events if event.tag == "show"}
    facts = [fact._replace(tiles=shown[fact.by]) if fact.event is Won else fact for fact in facts]
    made = reconstruct(table.book, facts, flowers=False)
    assert made.problems == ()
    assert made.ending is not None
    assert table.ending is not None
    assert made.ending.seats == (1, 2, 3)
    assert [win.points for win in made.ending.winners] == [win.points for win in table.ending.winners]
