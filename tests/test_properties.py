"""What must hold of every book for any hand, any end of a hand and any play: properties, searched by hypothesis."""

from __future__ import annotations

import json
import random
import re
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.errors import NotAWin
from quepu.hands.hand import Hand, Luck, Meld
from quepu.hands.notation import parse, write
from quepu.match import settle
from quepu.rulebooks import book, book_ids
from quepu.rulebooks import readings as other_readings
from quepu.rules.play_rules import SEATS, Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import Score, score_hand
from quepu.table import Table, make_wall
from quepu.table.event_json import read_event
from quepu.table.position import Position, apply
from quepu.table.wall import WallPlan
from tests.books import PLAYED

BOOKS = [book(name) for name in book_ids()]
A_SUIT = re.compile("[筒饼索条萬]|万子|红")
"""What the sentence of a fan has that names tiles of one suit (or their colour)."""
EVERY_SUIT = list(permutations(range(3)))


def drawn_win(rules: Rulebook, seed: int) -> Hand:
    """A legal win of this book."""
    return next(iter(wins(rules, 1, seed=seed)))


def with_suits(hand: Hand, order: tuple[int, ...]) -> Hand:
    """The hand with its three suits in another order."""

    def to(kind: int) -> int:
        return order[kind // 9] * 9 + kind % 9 if kind < 27 else kind

    assert hand.winning is not None
    return hand._replace(
        concealed=tuple(sorted(map(to, hand.concealed))),
        melds=tuple(Meld(meld.kind, to(meld.tile)) for meld in hand.melds),
        winning=to(hand.winning),
    )


def lines(score: Score) -> tuple[int, list[tuple[str, int]]]:
    """Points, and the fans with their counts."""
    return score.points, sorted((line.name, line.count) for line in score.fans)


def names_a_suit(rules: Rulebook, score: Score) -> bool:
    """Whether a fan that holds in some reading names a suit."""
    held = {row for reading in score.readings for row, _ in rules.detect(reading.h)}
    return any(A_SUIT.search(rules.fans[row].sentence) for row in held)


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.id)
def test_suits_are_alike_where_no_fan_names_one(rules: Rulebook) -> None:
    compared = []

    @given(seed=st.integers(0, 10**9), order=st.sampled_from(EVERY_SUIT))
    @settings(max_examples=40, deadline=None)
    def look(seed: int, order: tuple[int, ...]) -> None:
        hand = drawn_win(rules, seed)
        before = score_hand(hand, rules)
        try:
            after = score_hand(with_suits(hand, order), rules)
        except NotAWin:  # a shape of tiles of certain suits
            assert names_a_suit(rules, before)
            return
        if not names_a_suit(rules, before) and not names_a_suit(rules, after):
            assert lines(before) == lines(after)
            compared.append(seed)

    look()
    assert len(compared) > 10


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.id)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_a_hand_written_and_read_again_scores_the_same(rules: Rulebook, seed: int) -> None:
    hand = drawn_win(rules, seed)
    again = parse(write(hand))
    assert (again.concealed, again.melds, again.winning) == (hand.concealed, hand.melds, hand.winning)
    same = again._replace(seat=hand.seat, round=hand.round, luck=hand.luck, flowers=hand.flowers)
    assert score_hand(same, rules) == score_hand(hand, rules)


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.id)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_no_reading_is_worth_more_than_the_one_taken(rules: Rulebook, seed: int) -> None:
    score = score_hand(drawn_win(rules, seed), rules)
    best = max(tally.points + tally.bonus for tally in score.tallies)
    assert score.tally.points + score.tally.bonus == best
    assert score.total == best + rules.flower_value * score.hand.flower_count
    assert score.can_win == (score.points >= rules.minimum)


# ---- payments


def houses(rules: Rulebook) -> list[Rulebook]:
    """A book as it is, and with each choice of each of its options."""
    made = [rules.having(options={one.key: choice}) for one in rules.options for choice in one.choices[1:]]
    return [rules, *made]


PAYING = [pytest.param(one, id=one.id) for one in (*map(book, PLAYED), *other_readings()) if one.play]


@st.composite
def endings(draw: st.DrawFn) -> Ending:
    """Any end of a hand that can be: who won, on whose tile, for how much, and who gave the tiles of the melds."""
    winner = draw(st.one_of(st.none(), st.integers(0, 3)))
    if winner is None:
        return Ending()
    others = [seat for seat in range(SEATS) if seat != winner]
    discarder = draw(st.one_of(st.none(), st.sampled_from(others)))
    given_by = draw(st.lists(st.sampled_from(others), max_size=4))
    supplied = [given_by.count(seat) for seat in range(SEATS)]
    if discarder is not None:
        supplied[discarder] += 1
    luck = draw(st.sampled_from([0, int(Luck.KONG_DRAW), int(Luck.KONG_DRAW | Luck.TWO_KONGS | Luck.THREE_KONGS)]))
    counts = supplied[0], supplied[1], supplied[2], supplied[3]
    luck = (luck | int(Luck.SELF_DRAW)) if discarder is None else 0
    return Ending(
        (SeatWin(winner, 2 * draw(st.integers(1, 60)), counts, luck),), discarder is None, discarder,
        robbed=discarder is not None and draw(st.booleans()),
        kong_feeder=draw(st.sampled_from([None, *others])) if discarder is None and luck else None,
    )  # fmt: skip


@pytest.mark.parametrize("rules", PAYING)
def test_payments_add_up_and_the_winner_gains(rules: Rulebook) -> None:
    every = houses(rules)

    @given(at=st.integers(0, len(every) - 1), ending=endings(), more=st.integers(1, 20))
    @settings(max_examples=100, deadline=None)
    def pay(at: int, ending: Ending, more: int) -> None:
        house = every[at]
        own = play_rules(house)
        paid = settle(ending, house, own)
        assert sum(paid.seats) + paid.pool == 0
        assert not own.zero_sum or paid.pool == 0
        if not ending.winners:
            return
        won = paid.seats[ending.winners[0].seat]
        assert won > 0 or ending.winners[0].points < 3, "one table of Hong Kong pays nothing below 3"
        assert all(gain <= 0 for seat, gain in enumerate(paid.seats) if seat != ending.winners[0].seat)
        win = ending.winners[0]
        larger = ending._replace(winners=(win._replace(points=win.points + 2 * more),))
        assert settle(larger, house, own).seats[ending.winners[0].seat] >= won

    pay()


# ---- events


def playthrough(name: str, seed: int, keen: bool) -> Table:
    """A hand of play whose seats choose at random; `keen` ones take every win, kong and pung."""
    rules = book(name)
    rng = random.Random(seed)
    table = Table(rules, make_wall("property", seed, play_rules(rules).table.tiles))
    while table.to_act:
        seat = rng.choice(table.to_act)
        options = table.options(seat)
        wanted = [one for one in options if one.do in ("win", "kong", "added", "concealed", "pung", "ready", "flower")]
        table.step(seat, rng.choice(wanted if keen and wanted else options))
    return table


FOLLOWS = {
    "dice": {"deal"}, "exhausted": {"show"}, "show": {"show"}, "win": {"show"},
    "draw": {"discard", "flower", "concealed", "added", "win"}, "replace": {"discard", "flower", "concealed", "added",
                                                                           "win", "replace", "draw", "ready"},
    "chow": {"discard", "concealed", "added"}, "pung": {"discard", "concealed", "added"},
    "discard": {"draw", "chow", "pung", "kong", "win", "exhausted"}, "kong": {"replace", "exhausted"},
    "added": {"replace", "win", "exhausted"}, "concealed": {"replace", "win", "exhausted"},
    "flower": {"replace", "exhausted", "win", "flower"}, "ready": {"ready", "draw"},
    "deal": {"deal", "draw", "flower", "ready", "win"},
}  # fmt: skip
"""Which event may come after which; after `exhausted`, a win by discards too."""


@pytest.mark.parametrize("name", PLAYED)
@given(seed=st.integers(0, 10**6), keen=st.booleans())
@settings(max_examples=12, deadline=None)
def test_events_are_the_state_and_come_in_order(name: str, seed: int, keen: bool) -> None:
    table = playthrough(name, seed, keen)
    events = table.events
    plan = table.position.plan
    position = Position(WallPlan(plan.size, plan.dead, plan.feeds), table.position.round)
    for number, event in enumerate(events):
        assert read_event(json.loads(json.dumps(event.to_json()))) == event
        apply(position, event)
        counted = [sum(1 for kind in position.hands[seat] if kind < 34) for seat in range(SEATS)]
        assert all(0 <= n <= 14 for n in counted)
        if number + 1 < len(events):
            follows = FOLLOWS[event.tag] | ({"win"} if event.tag == "exhausted" else set())
            assert events[number + 1].tag in follows, (event.tag, events[number + 1].tag)
    assert position == table.position
    assert [event.tag for event in events[:5]] == ["dice", "deal", "deal", "deal", "deal"]
    ends = [event.tag for event in events if event.tag in ("win", "exhausted")]
    assert ends in (["win"], ["exhausted"], ["exhausted", "win"])
    assert position.over


def test_no_example_is_timed() -> None:
    assert settings.default is not None
    assert settings.default.deadline is None
