"""Records of a match: what a hand or a fault of then counts for, which can be taken back, and what is refused."""

from __future__ import annotations

import pickle

import pytest

from quepu.errors import Text
from quepu.match import Match, Penalty, RoundPosition
from quepu.match.match import Entry, MatchError, Recorded, Reseat, share_place_values
from quepu.match.settle import SettleError
from quepu.rulebooks import book
from quepu.rules.play_rules import POOL, Ending, Payment, SeatWin

GUOBIAO, LINGQUE, YUQUE = book("guobiao"), book("lingque-29"), book("yuque-54")
DRAWN, WON = Ending(), Ending((SeatWin(1, 8),), self_draw=True)
WHY = Text("那时", "then")
THEN = (Payment(0, 3, 5, WHY), Payment(1, POOL, 2, WHY))
"""East paid North 5, South paid the pool 2: what a book of then may have said, and none says today."""


def test_a_hand_of_then_counts_as_it_was_settled_then() -> None:
    """It goes by the seats of its own place, and the next place follows from it; nothing has to add up to zero."""
    match = Match(GUOBIAO).add_recorded(Recorded(WON, THEN))
    assert (match.totals, match.pool, match.place) == ((-5, -2, 0, 5), 2, RoundPosition(1, 1))
    (hand,) = match.hands
    assert (hand.number, hand.place, hand.ending, hand.players) == (1, RoundPosition(), WON, (-5, -2, 0, 5))
    assert hand.settlement == (THEN, (-5, -2, 0, 5), 2)
    elsewhere = match.add_recorded(Recorded(WON, THEN, RoundPosition(3, 2, 0, (1, 0, 3, 2))))
    second = elsewhere.hands[1]  # players 3, 2, 1, 0 sit at East, South, West and North
    assert (second.number, second.place.seats, second.players) == (2, (3, 2, 1, 0), (5, 0, -2, -5))
    assert elsewhere.place == RoundPosition(3, 3, 0, (1, 0, 3, 2))
    assert elsewhere.totals == (0, -2, -2, 0) and elsewhere.pool == 4


def test_totals_that_were_recorded_are_taken_as_they_stand() -> None:
    match = Match(GUOBIAO).add_recorded(Recorded(WON, THEN, totals=(7, 7, 7, 7)))
    assert match.totals == (7, 7, 7, 7) and match.hands[0].players == (-5, -2, 0, 5)
    assert match.add_recorded(Recorded(WON, THEN)).totals == (7 + 5, 7 - 5, 7 - 2, 7)


def test_a_fault_of_then_costs_what_it_did_until_it_is_taken_back() -> None:
    gone = Penalty(0, "从前的罚例")
    match = Match(GUOBIAO).add_recorded(Recorded(gone, THEN))
    assert (match.totals, match.pool, match.hands) == ((-5, -2, 0, 5), 2, ())
    assert match.place == RoundPosition()
    back = match.revoke(0)
    assert back.entries == (Recorded(gone._replace(revoked=True), THEN),)
    assert (back.totals, back.pool) == ((0, 0, 0, 0), 0)


@pytest.mark.parametrize("player", [-1, 4])
def test_a_fault_of_a_player_who_does_not_exist_is_refused(player: int) -> None:
    match = Match(GUOBIAO)
    for add in (
        lambda: match.penalise(Penalty(player, "错和")),
        lambda: match.add_recorded(Recorded(Penalty(player, "错和"), ())),
    ):
        with pytest.raises(MatchError) as caught:
            add()
        assert caught.value.text == Text(f"没有第 {player} 位玩家。", f"there is no player {player}.")
    for inside in (0, 3):
        assert match.add_recorded(Recorded(Penalty(inside, "错和"), ())).totals == match.totals


def test_a_fault_that_was_taken_back_is_not_counted_as_an_earlier_one() -> None:
    """国标's second 提前摸牌 of a player costs 5, unless the first was taken back, or was recorded elsewhere."""
    early = Penalty(2, "提前摸牌")
    once = Match(GUOBIAO).penalise(early)
    assert once.penalise(early).totals[2] == -5
    assert once.revoke(0).penalise(early).totals[2] == 0
    then = Match(GUOBIAO).add_recorded(Recorded(early, ()))
    assert [payment.points for payment in then.penalty_flows(early)] == [5]
    assert then.revoke(0).penalty_flows(early) == ()
    assert then.penalty_flows(early._replace(player=1)) == ()


def test_which_record_cannot_be_corrected_is_said() -> None:
    match = Match(GUOBIAO).add_hand(DRAWN).penalise(Penalty(0, "错和"))
    for index in (-1, 2):
        with pytest.raises(MatchError) as caught:
            match.correct(index, DRAWN)
        assert caught.value.text == Text(f"没有第 {index + 1} 条记录。", f"there is no record {index + 1}.")
    for index in (-1, 0, 2):
        with pytest.raises(MatchError) as caught:
            match.revoke(index)
        assert caught.value.text == Text(f"第 {index + 1} 条记录不是罚分。", f"record {index + 1} is not a penalty.")
    assert match.correct(0, WON).entries == (WON, Penalty(0, "错和"))
    assert match.correct(1, WON).entries == (DRAWN, WON)


def test_records_are_taken_away_from_either_end() -> None:
    entries: tuple[Entry, ...] = (DRAWN, WON, Penalty(0, "错和"))
    match = Match(GUOBIAO, entries=entries)
    for index in range(-3, 3):
        left = [entry for at, entry in enumerate(entries) if at != index % 3]
        assert match.undone(index).entries == tuple(left)
    assert match.undone() == match.undone(-1)
    for index in (-4, 3):
        with pytest.raises(MatchError, match="没有可以撤销的记录"):
            match.undone(index)


@pytest.mark.parametrize(
    ("first", "fine"),
    [
        (RoundPosition(1, 0, 0, (0, 1, 2, 3)), True), (RoundPosition(9, 3, 7, (3, 2, 1, 0)), True),
        (RoundPosition(0), False), (RoundPosition(-1), False), (RoundPosition(1, -1), False),
        (RoundPosition(1, 4), False), (RoundPosition(1, 0, -1), False), (RoundPosition(start=(0, 1, 2, 2)), False),
        (RoundPosition(start=(1, 2, 3, 4)), False),
    ],
)  # fmt: skip
def test_where_a_match_can_begin(first: RoundPosition, fine: bool) -> None:
    if fine:
        assert Match(GUOBIAO, first=first).place == first
        return
    with pytest.raises(MatchError) as caught:
        Match(GUOBIAO, first=first)
    assert caught.value.text == Text("这不是一局的位置。", "a match cannot start at this position.")


@pytest.mark.parametrize("rounds", [1, 2, 1000])
def test_how_long_a_match_can_be(rounds: int) -> None:
    assert not Match(GUOBIAO, rounds=rounds).over
    last = Match(GUOBIAO, rounds=rounds, first=RoundPosition(rounds, 3))
    assert last.add_hand(DRAWN).over
    assert not Match(GUOBIAO, rounds=rounds, first=RoundPosition(rounds, 2)).add_hand(DRAWN).over


@pytest.mark.parametrize("rounds", [0, -1, 1001])
def test_a_match_of_no_round_or_too_many_is_refused(rounds: int) -> None:
    with pytest.raises(MatchError) as caught:
        Match(GUOBIAO, rounds=rounds)
    assert caught.value.text == Text("至少打一圈，至多 1000 圈。", "a match has 1 to 1000 rounds.")


def test_a_new_name_changes_nothing_else() -> None:
    """A match that was over when it was played stays over, whoever is called otherwise afterwards."""
    first = RoundPosition(2, 1, 0, (1, 0, 3, 2))
    match = Match(GUOBIAO, rounds=7, ranked=True, entries=(WON,), first=first, ended=True)
    renamed = match.rename(("a", "b", "c", "d"))
    assert renamed == Match(GUOBIAO, ("a", "b", "c", "d"), 7, True, (WON,), first, True)
    assert renamed.over and renamed.totals == match.totals
    with pytest.raises(MatchError, match="四个不同的名字"):
        match.rename(("a", "b", "c", "a"))


def test_a_match_prints_its_book_hands_and_totals() -> None:
    match = Match(LINGQUE).add_hand(Ending((SeatWin(1, 10),), self_draw=True))
    assert repr(match) == "Match('lingque-29': 1 hand, 甲 -15, 乙 +45, 丙 -15, 丁 -15)"
    assert repr(Match(GUOBIAO, ("a", "b", "c", "d"))) == "Match('guobiao': 0 hands, a +0, b +0, c +0, d +0)"


def test_a_pickled_match_is_the_same_match() -> None:
    match = Match(GUOBIAO, ("a", "b", "c", "d"), 3, True, (WON,), RoundPosition(2), True)
    assert pickle.loads(pickle.dumps(match)) == match  # our own


@pytest.mark.parametrize("place", [RoundPosition(1, 1), RoundPosition(1, 0, 1)])
def test_seats_are_not_drawn_within_a_round(place: RoundPosition) -> None:
    with pytest.raises(MatchError) as caught:
        Match(LINGQUE, first=place).reseat((3, 2, 1, 0))
    assert caught.value.text == Text("一圈之中不换座位。", "seats change only before a round.")
    assert Match(LINGQUE, first=RoundPosition(2)).reseat((3, 2, 1, 0)).entries == (Reseat((3, 2, 1, 0)),)


def test_pools_of_hands_and_faults_add_up() -> None:
    """玉雀: ready with 49, so 24 out of the pool; then 120 into it for 冲和."""
    match = Match(YUQUE).add_hand(Ending(ready=(49, None, None, None)))
    assert match.pool == -24
    match = match.penalise(Penalty(2, "冲和"))
    assert match.pool == -24 + 120
    assert match.add_hand(Ending(ready=(None, 9, None, None))).pool == -24 + 120 - 4


def test_an_impossible_record_leaves_the_match_as_it_was() -> None:
    match = Match(GUOBIAO).add_hand(DRAWN)
    for wrong in ((Payment(0, 0, 5, WHY),), (Payment(0, 1, 0, WHY),)):
        with pytest.raises(SettleError):
            match.add_recorded(Recorded(WON, wrong))
        with pytest.raises(SettleError):
            match.correct(0, Recorded(WON, wrong))
    with pytest.raises(SettleError):
        match.add_hand(Ending((SeatWin(1, 8),)))
    assert match.entries == (DRAWN,)


@pytest.mark.parametrize(
    ("totals", "places", "shares"),
    [
        ((9, 5, 5, -3), (4, 2, 1, 0), (4, 1.5, 1.5, 0)),
        ((5, 5, 9, -3), (4, 2, 1, 0), (1.5, 1.5, 4, 0)),
        ((0, 0, 0, -3), (4, 2, 1, 0), (7 / 3, 7 / 3, 7 / 3, 0)),
        ((1, 2, 3, 4), (4, 2, 1, 0), (0, 1, 2, 4)),
        ((1, 2, 3, 4), (), ()),
    ],
)
def test_equal_totals_share_the_values_of_their_places(
    totals: tuple[int, ...], places: tuple[int, ...], shares: tuple[float, ...]
) -> None:
    assert share_place_values(totals, places) == shares
