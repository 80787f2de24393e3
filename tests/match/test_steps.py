"""Steps of a hand: read off a table and played again, the last choice of a seat, and starting from a place in a log."""

from __future__ import annotations

import random
from functools import cache

import pytest

from quepu.errors import Text
from quepu.match import LogWriter, Match, Penalty, Replay, read_log
from quepu.match.log_lines import Step
from quepu.match.starts import StartError, start_in
from quepu.match.steps import follow, last_choice, table_steps
from quepu.rulebooks import book
from quepu.rules.play_rules import SeatWin
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, make_wall
from quepu.table.actions import FLOWER, FROM_HAND, PASS, Action
from quepu.table.events import BarLifted, Barred
from quepu.tiles import PLAIN

DISCARD = FROM_HAND[0]
Did = tuple[int, tuple[object, ...] | bool]
"""A seat and its action without the score, or whether the referee barred it (or lifted that)."""


def play(rules: Rulebook, seed: int, bars: bool = True) -> tuple[Table, list[Did]]:
    """Return a hand of random players, some barred by the referee for a while, and everything that was done."""
    rng, did = random.Random(seed), list[Did]()
    table = deal(rules, seed)
    while table.to_act:
        seat = rng.choice(table.to_act)
        if bars and rng.random() < 0.1:
            seat, barred = rng.randrange(4), rng.random() < 0.6
            if table.position.barred[seat] is not barred:
                did.append((seat, barred))
                table.bar(seat, barred)
            continue
        action = rng.choice(table.options(seat))
        table.step(seat, action)
        did.append((seat, action[:5]))
    return table, did


def deal(rules: Rulebook, seed: int) -> Table:
    flowers = Match(rules).rules.table.flowers
    return Table(rules, make_wall(seed, 1, PLAIN.with_flowers(flowers)), round=seed % 4)


def done_by(step: Step) -> Did:
    if isinstance(step.event, Barred | BarLifted):
        return step.event.seat, isinstance(step.event, Barred)
    assert step.action is not None and step.seat is not None
    return step.seat, step.action[:5]


@pytest.mark.parametrize("name", ["guobiao", "yuque-54", "canton"])
@pytest.mark.parametrize("seed", range(6))
def test_the_steps_of_a_table_are_what_was_done_at_it(name: str, seed: int) -> None:
    rules = book(name)
    table, did = play(rules, seed)
    steps = table_steps(table, deal(rules, seed))
    assert [done_by(step) for step in steps] == did
    again = deal(rules, seed)
    for step in steps:
        assert step.line == 0
        follow(again, step)
    assert (again.events, again.answers, again.ending) == (table.events, table.answers, table.ending)


def test_the_steps_of_an_open_offer_include_the_answers_so_far() -> None:
    """Two of three seats have passed on a discard: both are steps, and the third is still asked."""
    rules = book("yuque-54")
    for seed in range(100):
        table, rng = deal(rules, seed), random.Random(seed)
        while table.to_act and len(table.to_act) < 2:
            table.step(table.to_act[0], rng.choice(table.options(table.to_act[0])))
        if table.to_act:
            break
    table.step(table.to_act[0], PASS)
    before = len(table.answers)
    again = deal(rules, seed)
    steps = table_steps(table, again)
    assert steps[-1][:4] == (0, None, table.answers[-1][1], PASS)
    assert len(again.answers) == before and again.to_act == table.to_act


def test_a_referees_bar_and_its_lifting_are_steps() -> None:
    table = deal(book("yuque-54"), 1)
    follow(table, Step(7, Barred(2)))
    assert [table.position.barred[seat] for seat in range(4)] == [False, False, True, False]
    follow(table, Step(8, BarLifted(2)))
    assert not any(table.position.barred)
    before = table.event_count
    follow(table, Step(9, table.events[0]))
    follow(table, Step(9, None, 0))
    follow(table, Step(9, penalty=Penalty(0, "冲和")))
    assert table.event_count == before, "the dice, and a penalty that bars no seat, change nothing"


@pytest.mark.parametrize(
    ("seats", "last"),
    [
        ([], None), ([(1, DISCARD)], None), ([(0, DISCARD)], 0), ([(0, FLOWER[34])], None), ([(0, None)], None),
        ([(0, DISCARD), (1, DISCARD)], 0), ([(0, PASS), (0, PASS), (1, PASS)], 1),
        ([(0, DISCARD), (0, FLOWER[41]), (2, DISCARD)], 0), ([(None, None), (0, DISCARD), (0, None)], 1),
    ],
)  # fmt: skip
def test_the_last_choice_of_a_seat_is_no_flower_and_no_penalty(
    seats: list[tuple[int | None, Action | None]], last: int | None
) -> None:
    assert last_choice([Step(0, None, seat, action) for seat, action in seats], 0) == last


HOUSE = book("guobiao-mcr").having(settings={"match": (("start", 500),)}, id="house")


@cache
def log_of_three_hands() -> Replay:
    """A log of three hands played at random, each with a fault, where each player begins with 500 points."""
    match, lines = Match(HOUSE), list[str]()
    log = LogWriter(match, lines.append)
    for seed in range(3):
        rng = random.Random(seed)
        table = Table(HOUSE, make_wall(seed), round=0)
        log.hand(seed + 1, match.place, table)
        while table.to_act:
            seat = rng.choice(table.to_act)
            options = table.options(seat)
            table.step(seat, next((one for one in options if one.do == "win"), rng.choice(options)))
        assert table.ending is not None
        won = table.ending._replace(winners=(SeatWin(seed, 8),), self_draw=True, discarder=None)
        match = match.penalise(Penalty(0, "错和")).add_hand(won)
        log.penalty(Penalty(0, "错和"))
        log.result(match.hands[-1].settlement, match.totals)
    return read_log(lines, HOUSE, unfinished=True)


@pytest.mark.parametrize(
    ("hand", "totals"),
    # 8 番 drawn: 16 from each. East, South, West of the hands are the players 0, 2 and 0; faults are left out
    [(1, (500, 500, 500, 500)), (2, (548, 484, 484, 484)), (3, (532, 468, 532, 468))],
)
def test_a_start_in_a_log_has_the_points_of_the_hands_before(hand: int, totals: tuple[int, int, int, int]) -> None:
    log = log_of_three_hands()
    start = start_in(log, hand, 5)
    assert start.totals == totals
    assert start.place == log.hands[hand - 1].place and start.place.dealership == hand - 1
    assert start.table.events == log.hands[hand - 1].table(HOUSE, 5).events
    assert start_in(log, hand, 0).table.event_count == 6, "the dice, four deals and the first draw"


@pytest.mark.parametrize("hand", [0, -1, 4])
def test_a_start_in_a_hand_that_the_log_does_not_have(hand: int) -> None:
    with pytest.raises(StartError) as caught:
        start_in(log_of_three_hands(), hand, None)
    assert caught.value.text == Text(
        f"没有第 {hand} 局：牌谱有 3 局，从 1 数起。", f"there is no hand {hand}: the log has 3 hands, counted from 1."
    )


@pytest.mark.parametrize("hand", [1, 3])
def test_a_start_after_the_last_step_of_a_hand_is_refused(hand: int) -> None:
    log = log_of_three_hands()
    steps = [step for step in log.hands[hand - 1].steps if step.penalty is None]
    last = max(at for at, step in enumerate(steps) if step.action is not None)
    for after in (None, last + 1):
        with pytest.raises(StartError) as caught:
            start_in(log, hand, after)
        assert caught.value.text.zh == "走了这些步，这一局已打完。"
        assert caught.value.text.en == "after this many steps the hand is over."
    assert not start_in(log, hand, last).table.over
