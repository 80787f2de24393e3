"""国标 at the table: payments, seats and what may be done when."""

from __future__ import annotations

import pytest

from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, SeatWin, play_rules

RULES = {name: play_rules(book(name)) for name in ("guobiao", "guobiao-mcr")}


def paid(ending: Ending) -> list[int]:
    """What each seat gains, the same under both books."""
    gains = []
    for name, rules in RULES.items():
        seats = [0, 0, 0, 0]
        for payment in rules.settle(ending, book(name)):
            assert payment.points > 0
            assert payment.why.zh
            assert payment.why.en
            seats[payment.payer] -= payment.points
            seats[payment.payee] += payment.points
        gains.append(seats)
    assert gains[0] == gains[1]
    assert sum(gains[0]) == 0
    return gains[0]


def test_settlement() -> None:
    """(底分 + 基本分) * 3 by self-draw; 底分 * 3 + 基本分 by discard; the robbed one pays as the discarder."""
    assert paid(Ending((SeatWin(2, 24),), self_draw=True)) == [-32, -32, 96, -32]
    assert paid(Ending((SeatWin(0, 24),), discarder=3)) == [48, -8, -8, -32]
    assert paid(Ending((SeatWin(1, 8),), discarder=0, robbed=True)) == [-16, 32, -8, -8]
    assert paid(Ending()) == [0, 0, 0, 0]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_kong_after_a_claim_and_last_discard_only_to_win(rules) -> None:  # type: ignore[no-untyped-def]
    assert not rules.table.kong_after_claim
    assert rules.table.last_discard == {"win"}
    assert not rules.table.kong_without_replacement
    assert rules.table.flowers
    assert not rules.table.flowers_replaced
    assert rules.table.dead_wall == 0


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_seats_change_by_round(rules) -> None:  # type: ignore[no-untyped-def]
    assert rules.match.rounds == 4
    assert rules.match.dealer_repeats == "never"
    seats = [0, 1, 2, 3]  # the wind at which each player begins the round
    seen = [seats]
    for n in range(3):
        move = rules.match.moves[n % len(rules.match.moves)]
        seats = [move[wind] for wind in seats]
        seen.append(seats)
    assert seen == [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 0, 1], [2, 3, 1, 0]]
    assert all(sorted(winds) == [0, 1, 2, 3] for winds in zip(*seen, strict=True))  # every wind once
