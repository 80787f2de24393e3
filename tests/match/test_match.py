"""Seats, dealers, rounds, penalties, undo, standings, the reduced score."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from quepu.errors import UnknownName
from quepu.match import Match, Penalty, RoundPosition, bars
from quepu.match.match import MOST_ENTRIES, MatchError, reduce_scores
from quepu.match.penalties import cost, fault
from quepu.match.seats import following, move_seats
from quepu.rulebooks import book
from quepu.rules.play_rules import POOL, Ending, MatchRules, SeatWin, play_rules
from quepu.tiles import WINDS
from tests.books import PLAYED

LINGQUE, OLDER, YUQUE, GUOBIAO = (book(name) for name in ("lingque-29", "lingque-26", "yuque-54", "guobiao"))
DRAWN = Ending()
DEALER_WINS = Ending((SeatWin(0, 10),), self_draw=True)
SOUTH_WINS = Ending((SeatWin(1, 10),), self_draw=True)


def winds_by_round(rules: MatchRules, rounds: int) -> list[str]:
    """For each player, the wind he begins each round at."""
    place = RoundPosition()
    found = [""] * 4
    for _ in range(rounds):
        for wind, player in enumerate(place.start):
            found[player] += WINDS[wind]
        place = RoundPosition(place.round + 1, 0, 0, move_seats(rules, place))
    return found


def test_seats_of_lingque() -> None:
    # 東起家“東、南、北、西”，南起家“南、東、西、北”，西起家“西、北、東、南”，北起家“北、西、南、東”
    assert winds_by_round(play_rules(LINGQUE).match, 4) == ["ESNW", "SEWN", "WNES", "NWSE"]


def test_after_four_rounds_of_lingque_everybody_sits_where_he_began() -> None:
    # the book gives four rounds; the fourth move leads back, so that a longer match goes on in the same way
    rules = play_rules(LINGQUE).match
    assert [row[4:] for row in winds_by_round(rules, 8)] == ["ESNW", "SEWN", "WNES", "NWSE"]
    match = Match(LINGQUE, rounds=5)
    for _ in range(16):
        match = match.add_hand(SOUTH_WINS)
    assert (match.place, match.over) == (RoundPosition(5, 0, 0, (0, 1, 2, 3)), False)
    for _ in range(4):
        match = match.add_hand(SOUTH_WINS)
    assert match.over


def test_seats_of_guobiao() -> None:
    # G4: after round 1 E<->S, W<->N; after 2 E->W, S->N, W->S, N->E; after 3 E<->S, W<->N
    assert winds_by_round(play_rules(GUOBIAO).match, 4) == ["ESNW", "SEWN", "WNES", "NWSE"]


def test_seats_of_yuque() -> None:
    # rounds 1-4: A E S W N, B S E N W, C W N S E, D N W E S; after round 4 everybody is back
    rules = play_rules(YUQUE).match
    assert winds_by_round(rules, 4) == ["ESWN", "SENW", "WNSE", "NWES"]
    assert [row[4:] for row in winds_by_round(rules, 8)] == [row[:4] for row in winds_by_round(rules, 4)]


@pytest.mark.parametrize("name", PLAYED)
def test_moves_are_permutations_and_all_four_deal_once_a_round(name: str) -> None:
    rules = play_rules(book(name)).match
    for move in rules.moves:
        assert sorted(move) == [0, 1, 2, 3]
    place = RoundPosition()
    for _ in range(6):
        dealers = []
        for _ in range(4):
            dealers.append(place.seats[0])
            assert sorted(place.seats) == [0, 1, 2, 3]
            place = following(rules, place, SOUTH_WINS)
        assert sorted(dealers) == [0, 1, 2, 3]


def test_winds_pass_on_within_a_round() -> None:
    place = RoundPosition()
    assert place.seats == (0, 1, 2, 3)
    assert place._replace(dealership=1).seats == (1, 2, 3, 0)
    assert place._replace(dealership=3).seats == (3, 0, 1, 2)
    assert RoundPosition(2, 1, 2, (1, 0, 3, 2)).name == "S2+2"
    assert [RoundPosition(n).round_wind for n in (1, 2, 3, 4, 5)] == [0, 1, 2, 3, 0]


def play(match: Match, *endings: Ending) -> Match:
    for ending in endings:
        match = match.add_hand(ending)
    return match


def test_the_dealer_of_lingque_29_stays_when_he_wins_and_not_when_it_is_drawn() -> None:
    match = play(Match(LINGQUE), DEALER_WINS)
    assert match.place == RoundPosition(1, 0, 1)
    match = play(match, DEALER_WINS)
    assert match.place == RoundPosition(1, 0, 2)
    match = play(match, DRAWN)
    assert match.place == RoundPosition(1, 1, 0)


@pytest.mark.parametrize("older", [OLDER, YUQUE, GUOBIAO])
def test_in_other_books_sixteen_hands_make_a_match(older: object) -> None:
    match = Match(older)  # type: ignore[arg-type]
    for n in range(16):
        assert not match.over
        assert (match.place.round, match.place.dealership) == (n // 4 + 1, n % 4)
        match = match.add_hand(DEALER_WINS if n % 2 else DRAWN)
    assert match.over
    with pytest.raises(MatchError):
        match.add_hand(DRAWN)


def test_half_a_match_is_two_rounds() -> None:
    match = Match(LINGQUE, rounds=2)
    for n in range(8):
        assert not match.over, n
        match = match.add_hand(SOUTH_WINS)
    assert match.over


def test_points_go_to_players_not_seats() -> None:
    match = play(Match(LINGQUE), SOUTH_WINS)  # player 1 wins 45
    assert match.totals == (-15, 45, -15, -15)
    match = play(match, SOUTH_WINS)  # now player 2 is South
    assert match.totals == (-30, 30, 30, -30)


def test_extra_rounds_of_yuque_only_where_rank_matters() -> None:
    def sixteen(match: Match) -> Match:
        return play(match, *[DRAWN] * 16)

    assert sixteen(Match(YUQUE)).over
    match = sixteen(Match(YUQUE, ranked=True))
    assert not match.over
    assert match.place.round == 5
    # 600, 400, 200, 0 apart after the fifth round: it ends; 99 apart it would not
    for gap, over in ((100, True), (99, False)):
        points = [3 * gap, 2 * gap, gap, 0]
        match = sixteen(Match(YUQUE, ranked=True))
        for player, total in enumerate(points):
            seat = match.place.seats.index(player)
            match = match.add_hand(Ending(ready=tuple(2 * total if s == seat else None for s in range(4))))  # type: ignore[arg-type]
        assert match.totals == tuple(points)
        assert match.over is over


# ---- penalties


def test_penalties_of_yuque_go_to_the_pool() -> None:
    match = Match(YUQUE).penalise(Penalty(2, "冲和"))
    assert match.totals == (0, 0, -120, 0)
    assert match.pool == 120
    match = match.penalise(Penalty(0, "错摭牌")).penalise(Penalty(0, "错明牌:自家"))
    assert match.totals == (-40, 0, -120, 0)
    assert bars(match.rules, Penalty(2, "冲和"))
    assert not bars(match.rules, Penalty(2, "错鸣牌", remedied=True))
    assert not bars(match.rules, Penalty(2, "错摭牌"))
    match = match.revoke(0)
    assert match.totals == (-40, 0, 0, 0)
    assert match.pool == 40
    assert match.entries[0] == Penalty(2, "冲和", revoked=True)


def test_the_faults_of_yuque_are_those_of_the_seed() -> None:
    expected = {
        "错摭牌": (40, False),
        "错鸣牌": (40, True),
        "冲和": (120, True),
        "毁坏牌河": (120, True),
        "毁坏牌墙": (120, True),
        "错明牌:自家": (0, False),
        "错明牌:别家": (40, True),
        "错明牌:多张": (120, True),
    }
    rules = play_rules(YUQUE)
    for key, (points, barred) in expected.items():
        found = fault(rules, key)
        assert (found.points, found.barred, found.to) == (points, barred, "pool")
        assert [payment.payee for payment in cost(found, 1)] == ([POOL] if points else [])


@pytest.mark.parametrize("name", ["lingque-29", "lingque-26", "guobiao", "guobiao-mcr", "canton"])
def test_a_false_win_in_other_books_pays_the_others_and_bars(name: str) -> None:
    rules = play_rules(book(name))
    found = fault(rules, "错和")
    assert found.barred
    assert found.points > 0
    match = Match(book(name)).penalise(Penalty(1, "错和"))
    assert match.totals == (found.points, -3 * found.points, found.points, found.points)
    assert Match(book(name)).penalise(Penalty(1, "错和", points=8)).totals == (8, -24, 8, 8)


def test_an_unknown_fault_or_player_is_refused() -> None:
    with pytest.raises(UnknownName, match="罚例"):
        Match(YUQUE).penalise(Penalty(0, "打喷嚏"))
    with pytest.raises(MatchError):
        Match(YUQUE).penalise(Penalty(4, "冲和"))
    with pytest.raises(MatchError):
        Match(YUQUE).add_hand(DRAWN).revoke(0)


# ---- undo and correction


def test_any_record_may_be_undone_or_corrected() -> None:
    match = play(Match(LINGQUE), SOUTH_WINS, DEALER_WINS, SOUTH_WINS)
    assert match.undone().undone().undone() == Match(LINGQUE)
    without = match.undone(1)
    assert without == play(Match(LINGQUE), SOUTH_WINS, SOUTH_WINS)
    assert without.place == RoundPosition(1, 2, 0)
    corrected = match.correct(1, SOUTH_WINS)
    assert corrected == play(Match(LINGQUE), SOUTH_WINS, SOUTH_WINS, SOUTH_WINS)
    with pytest.raises(MatchError):
        Match(LINGQUE).undone()
    with pytest.raises(MatchError):
        match.correct(3, DRAWN)


def test_seats_may_be_drawn_anew_before_a_round() -> None:
    match = Match(LINGQUE).reseat((3, 1, 0, 2))
    assert match.place.seats == (3, 1, 0, 2)
    assert play(match, SOUTH_WINS).totals == (-15, 45, -15, -15)
    with pytest.raises(MatchError, match="一圈之中"):
        play(match, SOUTH_WINS).reseat((0, 1, 2, 3))
    with pytest.raises(MatchError):
        Match(LINGQUE).reseat((0, 0, 1, 2))


@pytest.mark.parametrize("names", [("a", "b", "c"), ("a", "a", "b", "c"), ("a", "", "b", "c")])
def test_four_different_names(names: tuple[str, ...]) -> None:
    with pytest.raises(MatchError):
        Match(LINGQUE, names)  # type: ignore[arg-type]


# ---- standings


def test_standings_share_ranks() -> None:
    match = play(Match(LINGQUE), Ending((SeatWin(0, 10),), self_draw=True), SOUTH_WINS)
    assert match.totals == (30, 30, -30, -30)
    assert [(line.rank, line.name, line.total) for line in match.standings()] == [
        (1, "甲", 30), (1, "乙", 30), (3, "丙", -30), (3, "丁", -30),
    ]  # fmt: skip


def test_the_reduced_score() -> None:
    totals = (960, 0, 0, -960)
    found = reduce_scores(totals)  # T0 480, n 4: the unit is 960
    assert found[0] == pytest.approx(2 * 0.7615941560 + 0.9640275801)
    assert found[1] == pytest.approx(0)
    assert sum(found) == pytest.approx(0)
    assert [a > b for a, b in pairwise(found)] == [True, False, True]
    assert reduce_scores(totals, printed_sign=True) == tuple(-s for s in found)
    assert reduce_scores(totals, alpha=2.0)[0] == pytest.approx(2 * found[0])
    # T_0 越小，顺位的比重越高; 越大，原始得分的比重越高
    assert reduce_scores(totals, scale=1)[0] == pytest.approx(3)
    assert reduce_scores((10, 5, -5, -10), scale=1e6)[0] / reduce_scores((10, 5, -5, -10), scale=1e6)[
        1
    ] == pytest.approx(2, rel=1e-3)
    assert reduce_scores(totals, n=16)[0] < found[0]
    assert reduce_scores((1, 0), scale=0.25, n=1)[0] == pytest.approx(0.9993293)  # tanh 4
    for impossible in ({"scale": 0}, {"scale": -0.25}, {"n": 0}):
        with pytest.raises(MatchError):
            reduce_scores(totals, **impossible)


def test_one_more_record_works_nothing_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from quepu.match import match as module

    counted = 0
    flows = module.penalties.flows

    def counting(*given: Any) -> Any:
        nonlocal counted
        counted += 1
        return flows(*given)

    monkeypatch.setattr(module.penalties, "flows", counting)
    match = play(Match(GUOBIAO), DRAWN)
    for _ in range(500):
        match = match.penalise(Penalty(1, "错和"))
    assert counted == 500
    anew = Match(GUOBIAO, entries=match.entries)
    assert (anew.totals, anew.pool, anew.place, anew.hands) == (match.totals, match.pool, match.place, match.hands)
    assert counted == 1000


def test_a_match_has_an_end() -> None:
    with pytest.raises(MatchError, match="至多 1000 圈"):
        Match(LINGQUE, rounds=10**30)
    full = Match(LINGQUE, entries=(Penalty(0, "错和"),) * MOST_ENTRIES)
    with pytest.raises(MatchError, match="最多 10000 条记录"):
        full.penalise(Penalty(0, "错和"))
