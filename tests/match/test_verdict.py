"""Hands of a log judged by other rules: those that come to something else, and nothing else, are named."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from quepu import parse
from quepu.errors import Text
from quepu.match import LogWriter, Match, Replay, read_log
from quepu.match.log import LogProblem, PlayedHand
from quepu.match.verdict import alike, as_then, ending_of, judge, points_of, unlike
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, SeatWin
from quepu.scoring.score import score_hand
from quepu.table import Table, make_wall
from quepu.table.events import (
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    KongAdded,
    KongConcealed,
    ReplacementDrawn,
    Won,
)
from quepu.tiles import PLAIN
from tests.books import PLAYED
from tests.match.test_log import forged, play_match
from tests.table.players import choose


@cache
def played(name: str) -> Replay:
    """A few hands of players who win when they can, read back from their log."""
    match, lines = Match(book(name)), list[str]()
    log = LogWriter(match, lines.append, seed=11)
    for n in range(1, 9):
        tiles = PLAIN.with_flowers(match.rules.table.flowers)
        table = Table(match.book, make_wall(11, n, tiles), round=match.place.round_wind)
        log.hand(n, match.place, table)
        while table.to_act:
            seat = table.to_act[0]
            table.step(seat, choose(table, seat))
        assert table.ending is not None
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals)
    return read_log(lines, unfinished=True)


def won(replay: Replay) -> list[PlayedHand]:
    return [hand for hand in replay.hands if hand.ending is not None and hand.ending.winners]


def with_hand(replay: Replay, **changes: object) -> Replay:
    """The log with its first won hand changed, and no other."""
    return replace(replay, hands=[replace(won(replay)[0], **changes)])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PLAYED)
def test_a_log_comes_to_the_same_by_its_own_rules(name: str) -> None:
    replay = played(name)
    assert won(replay) and judge(replay, replay.book) == []


@pytest.mark.parametrize("name", PLAYED)
def test_a_hand_that_is_worth_something_else_says_what(name: str) -> None:
    replay = played(name)
    numbers = {fan.name: fan.value + 1 for fan in replay.book.fans if isinstance(fan.value, int)}
    dearer = replay.book.having(values=numbers or {fan.name: (99, 9) for fan in replay.book.fans})
    found = {one.hand: one for one in judge(replay, dearer)}
    for hand in won(replay):
        assert hand.ending is not None and hand.ending.winners[0].score is not None
        now, then = score_hand(hand.ending.winners[0].score.hand, dearer).total, hand.ending.winners[0].points
        if now != then:
            one = found.pop(hand.number)
            assert (one.line, one.then, one.now) == (hand.line, then, now)
            assert one.text == Text(f"今天计 {now}，当时 {then}。", f"it scores {now} today, {then} then.")
    assert not found


@pytest.mark.parametrize("name", PLAYED)
def test_a_hand_below_the_minimum_of_today_is_named_though_it_is_worth_the_same(name: str) -> None:
    replay = played(name)
    scores = [hand.ending.winners[0].score for hand in won(replay) if hand.ending]
    most = max(score.points for score in scores if score)
    assert judge(replay, replay.book.having(minimum=min(most, replay.book.minimum), id="same")) == []
    found = judge(replay, replay.book.having(minimum=most + 1, id="higher"))
    assert [one.hand for one in found] == [hand.number for hand in won(replay)]
    for one in found:
        assert one.now == one.then
        assert f"不够起和的 {most + 1}" in one.text.zh and f"below the minimum of {most + 1}" in one.text.en


def test_a_hand_that_is_no_win_today_says_so() -> None:
    replay = played("lingque-29")
    shapeless = replace(replay.book, shapes=("orphans",))
    found = judge(replay, shapeless)
    assert [(one.hand, one.now) for one in found] == [(hand.number, None) for hand in won(replay)]
    assert all(one.text.zh.startswith("今天不能和：") and f"当时 {one.then}" in one.text.zh for one in found)
    assert all(one.text.en.startswith("no win today, ") for one in found)


def test_other_payments_for_the_same_points_are_named() -> None:
    replay = played("yuque-54")
    other = replay.book.having(options={"self_draw": "winner_gains"}, id="other")
    # a sixth of three points rounds to nothing, and nothing moves either way
    self_drawn = [hand for hand in won(replay) if hand.ending and hand.ending.self_draw]
    drawn = [hand for hand in self_drawn if hand.ending and hand.ending.winners[0].points > 3]
    found = judge(replay, other)
    assert drawn and [one.hand for one in found] == [hand.number for hand in drawn]
    assert {one.text.zh for one in found} == {"今天的收付与当时不同。"}
    assert all(one.then == one.now for one in found)


def test_payments_differ_by_payer_payee_and_points_alone() -> None:
    replay = played("lingque-29")
    paid = won(replay)[0].payments
    reworded = tuple(payment._replace(why=Text("别的", "other")) for payment in paid)
    assert judge(with_hand(replay, payments=reworded), replay.book) == []
    for other in (
        paid[:-1],
        (*paid[:-1], paid[-1]._replace(points=paid[-1].points + 1)),
        (*paid[:-1], paid[-1]._replace(payer=paid[-1].payee, payee=paid[-1].payer)),
    ):
        assert [one.text.zh for one in judge(with_hand(replay, payments=other), replay.book)] == [
            "今天的收付与当时不同。"
        ]
        assert not alike(paid, other)
    assert alike(paid, reworded) and alike((), ())


def test_a_hand_that_is_not_settled_or_cannot_be_replayed_is_not_judged() -> None:
    replay = played("lingque-29")
    higher = replay.book.having(minimum=10**6, id="higher")
    problem = LogProblem(0, Text("坏", "broken"))
    assert judge(with_hand(replay), higher)
    assert judge(with_hand(replay, ending=None), higher) == []
    assert judge(with_hand(replay, problem=problem), higher) == []
    told = won(replay)[0].ending
    assert told is not None
    assert judge(with_hand(replay, ending=told._replace(winners=(told.winners[0]._replace(score=None),))), higher) == []


def test_how_a_hand_ended_is_known_from_its_events() -> None:
    for name in PLAYED:
        for hand in played(name).hands:
            assert hand.ending is not None
            data = {"won": {"points": hand.ending.winners[0].points}} if hand.ending.winners else {}
            found = ending_of(hand.events, data)
            wins = tuple(SeatWin(*win[:2]) for win in hand.ending.winners)
            assert found == Ending(wins, *hand.ending[1:4])
            assert points_of(data) == tuple(win.points for win in wins)


@pytest.mark.parametrize(
    ("events", "ending"),
    [
        ([], Ending()),
        ([Discarded(0, 5), Exhausted()], Ending()),
        ([Discarded(3, 4), Discarded(0, 5), Won(1, 5, 0)], Ending((SeatWin(1, 8),), discarder=0)),
        ([Discarded(3, 4), KongAdded(0, 5), Won(1, 5, 0)], Ending((SeatWin(1, 8),), discarder=0, robbed=True)),
        ([KongConcealed(0, 5), Won(1, 5, 0)], Ending((SeatWin(1, 8),), discarder=0, robbed=True)),
        ([FlowerSetAside(0, 40), Won(1, None, 0)], Ending((SeatWin(1, 8),), discarder=0, robbed=True)),
        ([KongAdded(2, 5), Discarded(0, 5), Won(1, 5, 0)], Ending((SeatWin(1, 8),), discarder=0)),
        ([Discarded(0, 5), Drawn(1, 4), Won(1, 4)], Ending((SeatWin(1, 8),), True)),
        ([KongAdded(1, 5), ReplacementDrawn(1, 4), Won(1, 4)], Ending((SeatWin(1, 8),), True)),
        ([FlowerSetAside(1, 40), Won(1)], Ending((SeatWin(1, 8),), True)),  # the seventh or eighth of the own flowers
        ([KongAdded(0, 5), Won(1, 5, 0), Won(3, 5, 0)],
         Ending((SeatWin(1, 8), SeatWin(3, 9)), discarder=0, robbed=True)),
    ],
)  # fmt: skip
def test_how_a_hand_ended_by_its_last_events(events: list[Event], ending: Ending) -> None:
    data = {"won": {"points": 8}, "also": [{"points": 9}]}
    assert ending_of(events, data) == ending


def test_the_points_of_a_win_that_a_log_does_not_name_are_nought() -> None:
    """A log of format 1 has none, and a damaged one may have too few."""
    events = [Discarded(0, 5), Won(1, 5, 0), Won(3, 5, 0)]
    for data, points in (({}, [0, 0]), ({"won": {"points": "8"}}, [8, 0])):
        assert [win.points for win in ending_of(events, data).winners] == points
    assert points_of({"also": [{"points": 9}]}) == ()
    assert points_of({"won": {"points": 8}, "also": [{"points": 9}, {"points": 7}]}) == (8, 9, 7)


TWO = Ending((SeatWin(1, 8), SeatWin(3, 9)), discarder=0)


@pytest.mark.parametrize(
    ("ending", "data", "zh", "en"),
    [
        (TWO, {"won": {"points": 8}, "also": [{"points": 10}]}, "今天计 8、9，当时 8、10。",
         "it scores 8、9 today, 8、10 then."),
        (TWO, {"won": {"points": 8}, "also": [{"points": 9}]}, "今天计 8、9，当时的收付不同。",
         "it scores 8、9 today, as then, but the payments differ."),
        (Ending(), {"won": {"points": 8}}, "流局的收付与今天的算法不同。",
         "today's rules give other payments for a hand without a winner."),
    ],
)  # fmt: skip
def test_several_wins_that_differ_are_listed(ending: Ending, data: dict[str, Any], zh: str, en: str) -> None:
    assert unlike(ending, data) == (zh, en)


def test_wins_keep_the_points_of_then_each_by_itself() -> None:
    score = score_hand(parse("123m456m789m123sE+E"), book("lingque-29"))
    wins = tuple(win._replace(score=score) for win in TWO.winners)
    told = TWO._replace(winners=wins)
    assert as_then(told, {"won": {"points": 8}, "also": [{"points": 9}]}) == told
    assert as_then(told, {"won": {"points": 7}}).winners == (SeatWin(1, 7), wins[1])
    assert as_then(told, {"won": {"points": 8}, "also": [{"points": 10}]}).winners == (wins[0], SeatWin(3, 10))


def test_a_drawn_hand_with_other_payments_is_named_without_points() -> None:
    replay = played("yuque-54")
    drawn = replace(replay.hands[0], ending=Ending(ready=(49, None, None, None)), payments=())
    (one,) = judge(replace(replay, hands=[drawn]), replay.book)
    assert one[:4] == (drawn.number, drawn.line, 0, 0)
    assert one.text == Text("今天的收付与当时不同。", "today's rules give other payments.")


def test_a_hand_that_today_refuses_to_settle_says_why() -> None:
    """Odd points, which 灵雀 does not know, and nothing to score them again by."""
    replay = played("lingque-29")
    hand = replace(won(replay)[0], ending=Ending((SeatWin(1, 31),), self_draw=True))
    (one,) = judge(replace(replay, hands=[hand]), replay.book)
    assert one[:4] == (hand.number, hand.line, 31, 31) and "偶数" in one.text.zh


def test_a_settlement_that_differs_says_in_what() -> None:
    ending, nothing = Ending((SeatWin(1, 24),)), Ending()
    assert unlike(ending, {"won": {"points": 30}})[0] == "今天计 24，当时 30。"
    assert unlike(ending, {"won": {"points": 24}})[0] == "今天计 24，当时的收付不同。"
    assert unlike(ending, {})[0] == "今天计 24，当时的收付不同。"
    assert unlike(nothing, {})[0] == "流局的收付与今天的算法不同。"
    replay = played("lingque-29")
    told = won(replay)[0].ending
    assert told is not None
    win = told.winners[0]
    assert as_then(told, {}) == as_then(told, {"won": {"points": win.points}}) == told
    other = as_then(told, {"won": {"points": win.points + 2}}).winners[0]
    assert (other.points, other.score, other.seat) == (win.points + 2, None, win.seat)


def test_logs_with_every_way_to_end_were_looked_at() -> None:
    endings = [hand.ending for name in PLAYED for hand in played(name).hands if hand.ending is not None]
    assert {ending.self_draw for ending in endings if ending.winners} == {True, False}
    assert any(not ending.winners for ending in endings)


def test_a_log_keeps_its_own_words_for_payments_that_today_has_others_for() -> None:
    _, lines = play_match("canton", 3)
    at = next(i for i, line in enumerate(lines) if json.loads(line).get("result"))
    flows = [[*flow[:3], "当时的理由", "the reason then"] for flow in json.loads(lines[at])["result"]]
    replay = read_log(forged(lines, at, result=flows))
    assert replay.finished and not replay.problems
    (settled, *_) = [hand for hand in replay.match.hands if hand.settlement.payments]
    assert {flow.why for flow in settled.settlement.payments} == {Text("当时的理由", "the reason then")}
    (read, *_) = [hand for hand in replay.hands if hand.payments]
    assert [flow[:3] for flow in read.payments] == [tuple(flow[:3]) for flow in flows]
    assert {flow.why.zh for flow in read.payments} == {"当时的理由"}
    whole = read_log(lines)
    assert whole.match.totals == replay.match.totals
