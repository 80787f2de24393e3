"""The table of 玉雀: payments with the pool, ready hands, the quick table, sticks, seats, penalties."""

from __future__ import annotations

import pytest

from quepu.errors import OverlayError
from quepu.hands.notation import parse
from quepu.rulebooks.yuque import YUQUE_54
from quepu.rulebooks.yuque.play_rules import STICKS, ready_value
from quepu.rulebooks.yuque.point_fractions import half_even, quick_row, quick_table
from quepu.rules.play_rules import POOL, Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook

# 点数速查表 as the seed prints it: f p/6 p/2 p 7p/6, tabs put back; 57 has the misprint 541.
PRINTED = """
0 0 0 0 0/1 0 0 1 1/2 1 2 4 5/3 2 4 9 10/4 3 8 16 19/5 4 12 25 29/6 6 18 36 42/7 8 24 49 57/8 11 32 64 75
9 14 40 81 94/10 17 50 100 117/11 20 60 121 141/12 24 72 144 168/13 28 84 169 197/14 33 98 196 229
15 38 112 225 262/16 43 128 256 299/17 48 144 289 337/18 54 162 324 378/19 60 180 361 421/20 67 200 400 467
21 74 220 441 514/22 81 242 484 565/23 88 264 529 617/24 96 288 576 672/25 104 312 625 729/26 113 338 676 789
27 122 364 729 850/28 131 392 784 915/29 140 420 841 981/30 150 450 900 1050/31 160 480 961 1121
32 171 512 1024 1195/33 182 544 1089 1270/34 193 578 1156 1349/35 204 612 1225 1429/36 216 648 1296 1512
37 228 684 1369 1597/38 241 722 1444 1685/39 254 760 1521 1774/40 267 800 1600 1867/41 280 840 1681 1961
42 294 882 1764 2058/43 308 924 1849 2157/44 323 968 1936 2259/45 338 1012 2025 2362/46 353 1058 2116 2469
47 368 1104 2209 2577/48 384 1152 2304 2688/49 400 1200 2401 2801/50 417 1250 2500 2917/51 434 1300 2601 3034
52 451 1352 2704 3155/53 468 1404 2809 3277/54 486 1458 2916 3402/55 504 1512 3025 3529/56 523 1568 3136 3659
57 541 1624 3249 3790/58 561 1682 3364 3925/59 580 1740 3481 4061/60 600 1800 3600 4200/61 620 1860 3721 4341
"""


def printed() -> list[tuple[int, ...]]:
    return [tuple(map(int, row.split())) for row in PRINTED.strip().replace("\n", "/").split("/")]


def test_the_quick_table_is_the_books_but_for_one_misprint():
    rows = printed()
    assert [row[0] for row in rows] == list(range(62))
    differing = [(them, tuple(us)) for them, us in zip(rows, quick_table(), strict=True) if them != tuple(us)]
    assert differing == [((57, 541, 1624, 3249, 3790), (57, 542, 1624, 3249, 3790))]
    assert 2 * 3249 % 6 == 0  # 3249/6 = 541.5 lies halfway
    assert 3249 * 2 // 6 == 1083
    assert quick_row(100).points == 10_000


def test_half_goes_to_even():
    assert [half_even(n, 2) for n in (0, 1, 3, 5, 7, 9)] == [0, 0, 2, 2, 4, 4]
    assert [half_even(n, 6) for n in (2, 3, 4, 9, 15, 3249)] == [0, 0, 1, 2, 2, 542]
    assert all(half_even(n, 6) == round(n / 6) for n in range(4000))


def settle(ending: Ending, book: Rulebook = YUQUE_54) -> list[int]:
    """What each seat gains or loses, and the pool."""
    sums = [0] * 5
    for payment in play_rules(book).settle(ending, book):
        assert payment.points > 0
        assert POOL in {payment.payer, payment.payee}
        assert payment.why.zh
        assert payment.why.en
        sums[payment.payer] -= payment.points
        sums[payment.payee] += payment.points
    assert sum(sums) == 0
    return sums[:4]


def test_a_self_draw_of_324():
    # 和家 +324, the three others -54 each; one of them ready with 49 points: 24 more
    assert settle(Ending((SeatWin(0, 324),), self_draw=True, ready=(None, None, 49, None))) == [324, -54, -30, -54]


def test_a_discarder_who_was_ready():
    assert settle(Ending((SeatWin(0, 324),), discarder=2, ready=(None, None, 49, None))) == [324, 0, -138, 0]


def test_a_drawn_hand_pays_the_ready():
    assert settle(Ending(ready=(0, 9, 49, None))) == [0, 4, 24, 0]


def test_a_win_of_nothing_is_a_win_of_nothing():
    assert play_rules(YUQUE_54).settle(Ending((SeatWin(1, 0),), discarder=0), YUQUE_54) == ()


def test_the_other_self_draw_is_rounded_once():
    other = YUQUE_54.having(options={"self_draw": "winner_gains"})
    assert settle(Ending((SeatWin(3, 9),), self_draw=True), other) == [0, 0, 0, 10]  # 10.5 → 10, not 9 + 2
    assert settle(Ending((SeatWin(3, 324),), self_draw=True, ready=(4, None, None, None)), other) == [2, 0, 0, 378]
    assert settle(Ending((SeatWin(3, 324),), discarder=1), other) == [0, -162, 0, 324]


def test_a_hand_that_is_not_ready_gets_what_was_agreed():
    assert settle(Ending()) == [0, 0, 0, 0]
    other = YUQUE_54.having(options={"unready_quarter": 1})
    assert settle(Ending((SeatWin(0, 36),), discarder=1, ready=(None, None, 16, None)), other) == [36, -17, 8, 1]
    assert settle(Ending(), YUQUE_54.having(options={"unready_quarter": 7})) == [7, 7, 7, 7]
    for wrong in (-1, 1.5, "1"):
        with pytest.raises(OverlayError):
            YUQUE_54.having(options={"unready_quarter": wrong})


def test_the_robbed_konger_pays_as_discarder():
    assert settle(Ending((SeatWin(2, 25),), discarder=0, robbed=True)) == [-12, 0, 25, 0]


# ---- 听牌算番


def test_the_highest_wait_that_may_still_come_counts():
    hand = parse("(123m)(456m)78m234s66s")  # 6m is 0 番, 9m makes 一气贯通
    value = ready_value(hand, YUQUE_54)
    assert value is not None
    assert (value.tile, value.points, value.live) == (8, 64, True)
    gone = hand.counts()
    gone[8] = 4
    assert value_of(hand, gone) == 0
    gone[8], gone[5] = 3, 4
    assert value_of(hand, gone) == 64


def value_of(hand, visible):
    value = ready_value(hand, YUQUE_54, visible)
    return None if value is None else value.points


def test_all_waits_in_sight_count_the_lowest():
    hand = parse("(123m)(456m)78m234s66s")
    gone = hand.counts()
    gone[5] = gone[8] = 4
    value = ready_value(hand, YUQUE_54, gone)
    assert value is not None
    assert (value.tile, value.points, value.live) == (5, 0, False)


def test_a_wait_for_a_fifth_tile_is_none():
    # the seed's own example: 12456789m77p and a concealed kong of 3m
    assert ready_value(parse("12456789m77p[3333m]"), YUQUE_54, [0] * 34) is None
    assert ready_value(parse("123m456p789s1158m"), YUQUE_54, [0] * 34) is None


def test_closed_hands_count_and_accidents_do_not():
    hand = parse("123m345m99p678s56p")
    assert value_of(hand, hand.counts()) == 4
    lucky = hand._replace(luck=sum(YUQUE_54.circumstances.values()))
    assert value_of(lucky, hand.counts()) == 4


def test_a_ready_hand_earns_three_sevenths_of_a_win():
    """释疑: 听牌有和牌 3/7 倍的收益."""
    for f in (12, 18, 30):
        row = quick_row(f)
        assert row.half / row.seven_sixths == pytest.approx(3 / 7, rel=0.01)


# ---- table and match


def test_the_sticks_add_up():
    each = sum(stick.value * stick.each for stick in STICKS)
    pool = sum(stick.value * stick.pool for stick in STICKS)
    assert (each, pool, 4 * each + pool) == (5980, 29920, 53840)
    pieces = {stick.value: 4 * stick.each + stick.pool for stick in STICKS}
    assert pieces[500] == pieces[1000] == 24
    totals = {1: 240, 2: 320, 5: 400, 10: 400, 20: 480, 50: 1200, 100: 4000, 200: 4800, 2000: 6000}
    assert {value: value * pieces[value] for value in totals} == totals
    assert play_rules(YUQUE_54).counters[0][::2] == (1, 30)


def test_four_rounds_and_seats():
    match = play_rules(YUQUE_54).match
    assert (match.rounds, match.dealer_repeats) == (4, "never")
    at = list(range(4))  # where A B C D sit; they start at E S W N
    seen = ["".join("ESWN"[seat] for seat in at)]
    for n in range(1, 5):
        assert sorted(match.moves[(n - 1) % 4]) == [0, 1, 2, 3]
        at = [match.moves[(n - 1) % 4][seat] for seat in at]
        seen.append("".join("ESWN"[seat] for seat in at))
    assert seen == ["ESWN", "SENW", "WNSE", "NWES", "ESWN"]
    assert ["".join(row) for row in zip(*seen[:4], strict=True)] == ["ESWN", "SENW", "WNSE", "NWES"]


def test_more_rounds_while_two_are_close():
    more = play_rules(YUQUE_54).match.another_round
    assert more is not None
    assert more(4, [0, 100, 200, 299])
    assert not more(4, [0, 100, 200, 300])
    assert more(5, [50, 50, 500, 900])


def test_the_table_keeps_fourteen_tiles():
    table = play_rules(YUQUE_54).table
    assert (table.dead_wall, table.dead_wall_feeds) == (14, False)
    assert table.kong_after_claim
    assert table.last_discard == {"win"}
    other = YUQUE_54.having(options={"kong_tiles": "dead_wall"})
    assert play_rules(other).table.dead_wall_feeds


def test_penalties_go_to_the_pool_as_the_seed_has_them():
    faults = {fault.key: (fault.points, fault.barred) for fault in play_rules(YUQUE_54).faults}
    assert faults == {
        "错摭牌": (40, False), "错鸣牌": (40, True), "错加杠": (40, False),
        "错报鸣牌": (40, False), "错喊和": (40, True),
        "冲和": (120, True), "毁坏牌河": (120, True), "毁坏牌墙": (120, True), "错明牌:自家": (0, False),
        "错明牌:别家": (40, True), "错明牌:多张": (120, True),
    }  # fmt: skip
    assert all(fault.to == "pool" for fault in play_rules(YUQUE_54).faults)
    assert not play_rules(YUQUE_54).zero_sum
