"""第54版最低番数: the least that any hand of a kind is worth, over all such hands and seats.

More circumstances, closed groups or kongs only give the player more to choose from, so the least is among the hands
whose melds are all open; what must be closed says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement

import pytest

from quepu.hands.hand import Hand, Luck
from quepu.rulebooks.yuque import YUQUE_54
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from quepu.tiles import EAST, GREEN, NORTH, RED, WHITE
from tests.yuque.helpers import CHOW, MELDS, PAIR, PAIRS, PUNG, fan, legal, open_fan

SEATS = range(EAST, NORTH + 1)
DRAGONS = (RED, GREEN, WHITE)
Groups = tuple[tuple[int, int], ...]


def least(hands: Iterable[Groups], seats: Iterable[int] = SEATS) -> int:
    return min(open_fan(groups, seat) for groups in hands if legal(groups) for seat in seats)


def with_anything(fixed: Groups, melds: int) -> Iterator[Groups]:
    for some in combinations_with_replacement(MELDS, melds):
        if legal((*fixed, *some)):
            for pair in PAIRS:
                yield (*fixed, *some, pair)


def pungs(*tiles: int) -> Groups:
    return tuple((PUNG, tile) for tile in tiles)


def test_big_four_winds_25():
    assert least((*pungs(*SEATS), pair) for pair in PAIRS) == 25


def test_all_terminals_25():
    ends = (0, 8, 9, 17, 18, 26)
    assert least((*pungs(*some), (PAIR, pair)) for some in combinations(ends, 4) for pair in ends) == 25


def test_all_honours_23():
    honours = range(27, 34)
    assert least((*pungs(*some), (PAIR, pair)) for some in combinations(honours, 4) for pair in honours) == 23


def test_four_pungs_in_a_row_21():
    runs = [range(9 * s + r, 9 * s + r + 4) for s in range(3) for r in range(6)]
    assert least(((*pungs(*run), pair) for run in runs for pair in PAIRS), [EAST, NORTH]) == 21


def test_pure_double_dragon_24():
    def dragons(suit: int) -> Groups:
        low, high = (CHOW, 9 * suit), (CHOW, 9 * suit + 6)
        return (low, low, high, high, (PAIR, 9 * suit + 4))

    assert least(dragons(suit) for suit in range(3)) == 24


def test_four_same_chows_35():
    starts = [9 * s + r for s in range(3) for r in range(7)]
    assert least((*[(CHOW, start)] * 4, pair) for start in starts for pair in PAIRS) == 35


def test_all_green_7():
    """It is not a fan of this book; the figure is in brackets."""
    green = [(CHOW, 19), *pungs(19, 20, 21, 23, 25, GREEN)]
    pairs = [(PAIR, t) for t in (19, 20, 21, 23, 25, GREEN)]
    hands = [(*some, pair) for some in combinations_with_replacement(green, 4) for pair in pairs]
    assert least(hands) == 7


def closed_wins(tiles: Iterable[int]) -> Iterator[Hand]:
    tiles = sorted(tiles)
    for winning in sorted(set(tiles)):
        rest = list(tiles)
        rest.remove(winning)
        for seat in SEATS:
            for luck in (0, int(Luck.SELF_DRAW)):
                yield Hand(tuple(rest), (), winning, seat=seat, luck=luck)


def least_closed(hands: Iterable[Hand]) -> int:
    return min(score_hand(hand, YUQUE_54).parts["fan"] for hand in hands)


def test_seven_pairs_in_a_row_26():
    runs = [[9 * s + r + i for i in range(7)] * 2 for s in range(3) for r in range(3)]
    assert least_closed(hand for run in runs for hand in closed_wins(run)) == 26


def test_nine_gates_30():
    gates = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8]
    hands = (
        Hand(tuple(9 * s + r for r in gates), (), 9 * s + winning, seat=seat)
        for s in range(3)
        for winning in range(9)
        for seat in SEATS
    )
    assert least_closed(hands) == 30


@pytest.mark.long
def test_four_kongs_25_and_four_concealed_pungs_18_and_heavenly_hand_18():
    """The fan with its 番刻 may always be counted alone, and these hands are worth no more."""
    assert fan("(2222m)(5555p)(7777s)(8888s)4m+4m") == 17 + 8
    assert fan("333m555p777s999s4m+4m") == 10 + 8
    assert fan("123m678m24s88pSSS+3s", "E", True, "天和") == 18
    floors = {"四杠": 25, "四暗刻": 18, "天和": 18}
    met = dict.fromkeys(floors, 0)
    for hand in wins(YUQUE_54, 2500, seed=57):
        found = score_hand(hand, YUQUE_54)
        held = {YUQUE_54.fans[i].name for reading in found.readings for i, _ in YUQUE_54.detect(reading.h)}
        for name in held & set(floors):
            met[name] += 1
            assert found.parts["fan"] >= floors[name]
    assert min(met.values()) > 5


def test_big_three_dragons_18_with_a_pung_or_a_chow_beside_it():
    some = [meld for meld in MELDS if meld[1] % 4 == 0]
    hands = [(*pungs(*DRAGONS), meld, pair) for meld in some for pair in PAIRS[::3]]
    assert least(hands, [EAST]) == 18


@pytest.mark.slow
def test_every_big_three_dragons_18():
    assert least(with_anything(pungs(*DRAGONS), 1)) == 18


@pytest.mark.slow
def test_every_little_four_winds_21():
    hands = ((*g[:4], (PAIR, pair)) for pair in SEATS for g in with_anything(pungs(*set(SEATS) - {pair}), 1))
    assert least(hands) == 21


def test_little_four_winds_21_with_a_chow_beside_it():
    hands = [(*pungs(*set(SEATS) - {pair}), meld, (PAIR, pair)) for pair in SEATS for meld in MELDS[:28]]
    assert least(hands) == 21


@pytest.mark.slow
def test_every_little_three_dragons_15():
    def hands() -> Iterator[Groups]:
        for pair in DRAGONS:
            fixed = pungs(*set(DRAGONS) - {pair})
            for some in combinations_with_replacement(MELDS, 2):
                yield (*fixed, *some, (PAIR, pair))

    assert least(hands()) == 15


def test_little_three_dragons_15():
    assert fan("(345m)(567p)(FFF)(PPP)C+C") == 15


def test_mixed_terminals_16_not_17():
    """Ruling yuque-25: printed 17; the least is 16, and table II's own hand is 17 only for East."""
    ends = (0, 8, 9, 17, 18, 26)
    hands = [(*pungs(a, b, c, EAST), (PAIR, WHITE)) for a, b, c in combinations(ends, 3)]
    assert least(hands) == 16
    assert fan("(111m)(111p)(999s)(EEE)P+P", "E") == 17
    assert fan("(111m)(111p)(999s)(EEE)P+P", "S") == 16
