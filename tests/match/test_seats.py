"""The place of a hand in its match, at every step where it changes: dealer, dealership, round, who sits where."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.match.seats import ORIGIN, RoundPosition, following, move_seats, stays
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, MatchRules, SeatWin, play_rules
from quepu.tiles import WINDS

DRAWN = Ending()
WON = [Ending((SeatWin(seat, 10),), self_draw=True) for seat in range(4)]
LINGQUE = play_rules(book("lingque-29")).match
NEVER, ON_WIN, ON_BOTH = (
    MatchRules(dealer_repeats=when) for when in ("never", "win", "win or draw")  # type: ignore[arg-type]
)  # fmt: skip
Repeats = Literal["never", "win", "win or draw"]


def winds(rules: MatchRules, rounds: int) -> list[str]:
    """The winds at which each player begins the rounds, when no dealer ever stays."""
    place, found = ORIGIN, [""] * 4
    for _ in range(rounds):
        for wind in range(4):
            found[place.seats[wind]] += WINDS[wind]
        for _ in range(4):
            place = following(rules, place, WON[1])
    return found


def test_a_match_begins_in_the_first_dealership_of_the_east_round() -> None:
    assert RoundPosition(round=1, dealership=0, repeat=0, start=(0, 1, 2, 3)) == ORIGIN
    assert (ORIGIN.name, ORIGIN.round_wind, ORIGIN.seats) == ("E1", 0, (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("rules", "ending", "again"),
    [
        (NEVER, DRAWN, False), (NEVER, WON[0], False), (NEVER, WON[1], False),
        (ON_WIN, DRAWN, False), (ON_WIN, WON[0], True), (ON_WIN, WON[1], False), (ON_WIN, WON[3], False),
        (ON_BOTH, DRAWN, True), (ON_BOTH, WON[0], True), (ON_BOTH, WON[1], False), (ON_BOTH, WON[3], False),
    ],
)  # fmt: skip
def test_a_dealer_stays_when_the_rules_say_so_and_only_then(rules: MatchRules, ending: Ending, again: bool) -> None:
    assert stays(rules, ending) is again
    place = RoundPosition(2, 1, 3, (1, 0, 3, 2))
    assert following(rules, place, ending) == (RoundPosition(2, 1, 4, (1, 0, 3, 2)) if again else
                                               RoundPosition(2, 2, 0, (1, 0, 3, 2)))  # fmt: skip


SHARED = (Ending((SeatWin(3, 8), SeatWin(0, 8)), discarder=2), Ending((SeatWin(0, 8), SeatWin(3, 8)), discarder=2))


@pytest.mark.parametrize("repeats", ["win", "win or draw"])
@pytest.mark.parametrize(
    ("shared", "alone", "farther", "nearer"),
    [("any", True, True, True), ("first", True, False, True), ("never", True, False, False)],
)
def test_a_dealer_who_wins_with_another_stays_as_the_rules_say(
    repeats: Repeats, shared: Literal["any", "first", "never"], alone: bool, farther: bool, nearer: bool
) -> None:
    """With several winners the dealer stays if among them, if the nearest to the discarder, or never."""
    rules = MatchRules(dealer_repeats=repeats, shared_win=shared)
    assert [stays(rules, ending) for ending in (WON[0], *SHARED)] == [alone, farther, nearer]
    others = Ending((SeatWin(1, 8), SeatWin(2, 8)), discarder=0)
    assert not stays(rules, WON[1]) and not stays(rules, others)
    assert not any(stays(MatchRules(shared_win=shared), ending) for ending in (WON[0], *SHARED))


def test_the_fourth_dealership_ends_a_round_and_no_earlier_one_does() -> None:
    for dealership in range(3):
        after = following(LINGQUE, RoundPosition(1, dealership), WON[1])
        assert (after.round, after.dealership, after.repeat) == (1, dealership + 1, 0)
    stayed = following(LINGQUE, RoundPosition(1, 3), WON[0])
    assert (stayed.round, stayed.dealership, stayed.repeat) == (1, 3, 1)
    after = following(LINGQUE, stayed, WON[2])
    assert (after.round, after.dealership, after.repeat) == (2, 0, 0)


def test_a_fifth_round_of_lingque_begins_as_the_first() -> None:
    """ "東起家“東、南、北、西”，南起家“南、東、西、北” …" is about the first four; then it begins again."""
    assert winds(LINGQUE, 4) == ["ESNW", "SEWN", "WNES", "NWSE"]
    assert winds(LINGQUE, 9) == [row + row + row[0] for row in winds(LINGQUE, 4)]
    place = ORIGIN
    for _ in range(16):
        place = following(LINGQUE, place, DRAWN)
    assert place == RoundPosition(5, 0, 0, (0, 1, 2, 3))
    assert place.name == "E1"


def test_each_move_of_a_book_follows_its_own_round_and_the_last_is_followed_by_the_first() -> None:
    moves = ((1, 2, 3, 0), (3, 2, 1, 0), (0, 1, 3, 2))
    rules = MatchRules(moves=moves)
    for number in range(1, 8):
        place = RoundPosition(number, 3, 0, (2, 0, 3, 1))
        start = move_seats(rules, place)
        for wind, player in enumerate(place.start):
            assert start[moves[(number - 1) % 3][wind]] == player
    assert move_seats(MatchRules(), RoundPosition(3, 3, 0, (2, 0, 3, 1))) == (2, 0, 3, 1), "nobody moves"


def test_names_of_places() -> None:
    assert [RoundPosition(n, 3).name for n in range(1, 10)] == ["E4", "S4", "W4", "N4", "E4", "S4", "W4", "N4", "E4"]
    assert [RoundPosition(4, 0, n).name for n in range(3)] == ["N1", "N1+1", "N1+2"]


@settings(deadline=None)
@given(
    st.permutations(range(4)), st.lists(st.permutations(range(4)), max_size=5),
    st.sampled_from(["never", "win", "win or draw"]), st.lists(st.sampled_from([DRAWN, *WON]), max_size=60),
)  # fmt: skip
def test_whatever_happens_every_player_deals_once_a_round_and_sits_somewhere(
    start: list[int], moves: list[list[int]], repeats: Repeats, endings: list[Ending]
) -> None:
    rules = MatchRules(dealer_repeats=repeats, moves=tuple(tuple(move) for move in moves))  # type: ignore[arg-type]
    place = RoundPosition(start=tuple(start))  # type: ignore[arg-type]
    dealers = [place.seats[0]]
    for ending in endings:
        after = following(rules, place, ending)
        assert sorted(after.seats) == [0, 1, 2, 3]
        if after.repeat:
            assert (after.round, after.dealership, after.seats) == (place.round, place.dealership, place.seats)
            assert after.repeat == place.repeat + 1
        elif after.round == place.round:
            assert after.seats == (*place.seats[1:], place.seats[0]), "the winds pass on"
            dealers.append(after.seats[0])
        else:
            assert (after.round, after.dealership) == (place.round + 1, 0)
            assert sorted(dealers) == [0, 1, 2, 3]
            dealers = [after.seats[0]]
        place = after
