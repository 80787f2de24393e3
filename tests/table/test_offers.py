"""What a table remembers of each hand, and offers to several seats: who is waited for, and whose claim counts."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.shapes.readings import wait_planes
from quepu.table import Table, make_wall
from quepu.table.actions import CHOWS, FROM_HAND, KONG, PASS, PUNG, READY, WIN, Action
from quepu.table.judge import Judge
from quepu.table.legal import Offer, State
from quepu.table.luck import BY_DISCARD, BY_OPENING
from quepu.table.position import Position
from quepu.table.ready import WHATEVER
from quepu.table.wall import WallPlan
from tests.books import PLAYED
from tests.table.positions import state
from tests.table.walls import kinds

# ---- caches


@pytest.mark.parametrize(
    ("hand", "melds", "waits"),
    [
        ("123789m123s46pEE", [], ["5p"]),
        ("123789m46pEE", ["123s"], ["5p"]),
        ("789m46pEE", ["123s", "123m"], ["5p"]),
        ("46pEE", ["123s", "123m", "789m"], ["5p"]),
        ("E", ["123s", "123m", "789m", "456p"], ["E"]),
        ("123789m123s46pEEE", [], []),  # fourteen tiles
        ("123789m46pEEE", ["123s"], []),
        ("123789m123s46pE春", [], []),
        ("1112345678999m", [], [f"{rank}m" for rank in range(1, 10)]),
    ],
)
def test_waits_are_those_of_a_hand_of_thirteen_tiles(hand: str, melds: list[str], waits: list[str]) -> None:
    made = state([hand])
    made.position.hand_melds = (tuple(Meld(MeldKind.CHOW, kinds(meld)[0]) for meld in melds), (), (), ())
    made.look(0)
    found = [kind for kind in range(34) if made.waits[0] >> (kind // 9 * 16 + kind % 9) & 1]
    assert found == [kind for name in waits for kind in kinds(name)]
    assert made.kinds[0] == sorted(set(kinds(hand)))
    assert made.discards[0] == [FROM_HAND[kind] for kind in made.kinds[0]]


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_remembered_of_a_hand_is_what_it_is(name: str) -> None:
    """After every event of hands played at random: kinds, discards and waits of each hand of thirteen tiles."""
    rules = book(name)
    for seed in range(2):
        rng = random.Random(seed)
        table = Table(rules, make_wall("remembered", seed, play_rules(rules).table.tiles))
        while table.to_act:
            seat = rng.choice(table.to_act)
            options = table.options(seat)
            table.step(seat, rng.choice([one for one in options if one.do in ("pung", "kong", "added")] or options))
            remembered = table._state
            if table.turn not in table.to_act:
                continue
            for other in range(4):
                hand = table.hands[other]
                assert remembered.kinds[other] == sorted(set(hand))
                assert remembered.discards[other] == [FROM_HAND[kind] for kind in sorted(set(hand))]
                waiting = len(hand) % 3 == 1
                expected = wait_planes(Hand(hand, table.melds[other], luck=WHATEVER), rules.shapes)[0] if waiting else 0
                assert remembered.waits[other] == expected
            copied = remembered.copy()
            assert (copied.waits, copied.kinds, copied.discards, copied.missed, copied.events) == (
                remembered.waits, remembered.kinds, remembered.discards, remembered.missed, remembered.events,
            )  # fmt: skip


def test_a_new_state_knows_of_no_hand() -> None:
    made = State(Position(WallPlan(136)), Judge(book("lingque-29"), play_rules(book("lingque-29"))))
    assert made.waits == [0] * 4
    assert made.missed == [False] * 4
    assert made.kinds == made.discards == [[]] * 4


# ---- offers


def offer(seat: int, most: int = 1) -> Offer:
    """All three others may win, kong and pung; the next one may chow as well."""
    _, _, chow = CHOWS[4][0]
    claims = {(seat + turn) % 4: (WIN, KONG[4], PUNG[4], *([chow] if turn == 1 else []), PASS) for turn in (1, 2, 3)}
    return Offer(BY_DISCARD, claims, seat, 4, most)


def outcome(answers: list[tuple[int, Action]], made: Offer) -> tuple[int, Action] | None:
    """Answer in this order until the offer is settled; return the best claim."""
    for seat, action in answers:
        if made.answer(seat, action):
            return max(made.answers)[1:] if made.answers else None
    raise AssertionError("the offer is still open")


@pytest.mark.parametrize("seat", range(4))
def test_the_highest_claim_counts_and_among_equal_ones_the_nearest(seat: int) -> None:
    _, _, chow = CHOWS[4][0]
    rank = {WIN: 3, KONG[4]: 2, PUNG[4]: 2, chow: 1, PASS: 0}
    for first in (WIN, KONG[4], PUNG[4], chow, PASS):
        for second in (WIN, KONG[4], PUNG[4], PASS):
            for third in (WIN, KONG[4], PUNG[4], PASS):
                answers = [((seat + turn) % 4, one) for turn, one in ((1, first), (2, second), (3, third))]
                best = max(rank[one] for _, one in answers)
                expected = next(answer for answer in answers if rank[answer[1]] == best) if best else None
                for order in permutations(answers):
                    assert outcome(list(order), offer(seat)) == expected


def test_an_offer_waits_only_for_seats_that_can_change_it() -> None:
    made = offer(0)
    assert not made.answer(2, WIN)  # South is nearer
    assert not made.copy().answer(3, PASS)
    assert made.copy().answer(1, PASS) and made.copy().answer(1, WIN)
    nearest = offer(3)
    assert nearest.answer(0, WIN)
    pung = Offer(BY_DISCARD, {1: (CHOWS[4][0][2], PASS), 3: (PUNG[4], PASS)}, 0, 4)
    assert pung.copy().answer(3, PUNG[4])
    assert not pung.copy().answer(1, CHOWS[4][0][2])
    assert not pung.copy().answer(3, PASS)
    assert sorted(pung.claims) == [1, 3] and not pung.answers  # copies are answered apart


def test_several_may_win_where_the_book_says_so() -> None:
    for most, settled in ((1, [True]), (2, [False, True]), (3, [False, False, True])):
        made = offer(0, most)
        assert [made.answer(seat, WIN) for seat in (1, 2, 3)[: len(settled)]] == settled
        assert made.wins == [(seat, WIN) for seat in (1, 2, 3)[:most]]
    made = offer(2, 3)
    for seat, action in ((1, WIN), (0, PUNG[4]), (3, WIN)):
        made.answer(seat, action)
    assert made.wins == [(3, WIN), (1, WIN)]


def test_every_seat_is_asked_whether_it_is_ready() -> None:
    made = Offer(BY_OPENING, {1: (READY, PASS), 3: (READY, PASS)}, 0, None)
    assert not made.answer(3, READY)
    assert made.answer(1, PASS)
    assert [(seat, action) for _, seat, action in made.answers] == [(3, READY)]
    assert (made.tile, made.most, made.chance) == (None, 1, BY_OPENING)
