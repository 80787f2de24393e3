"""Which groups make a fan: masks over the groups of a reading, found with the fan's own condition."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from tests.test_books import BOOKS

from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.planes import DRAGONS, SUIT_TILES, Planes, count, four_unkonged, run, same_rank
from quepu.hands.win import CHOW, PAIR, PUNG, Group
from quepu.rules.row import ALL, EACH, Fan
from quepu.scoring.occurrences import Parts, occurrences, planes_of
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings

EVERYTHING = frozenset(Planes._fields) - {"waits", "pair_waits"}


def random_win(rng: random.Random) -> Hand:
    """A complete standard hand: some melds open, some konged, any of its tiles the winning one."""
    while True:
        left = [4] * 34
        melds: list[Meld] = []
        concealed: list[int] = []
        for _ in range(4):
            if rng.random() < 0.55:
                tile = rng.randrange(3) * 9 + rng.randrange(7)
                kind = MeldKind.CHOW
            else:
                tile = rng.randrange(34)
                kind = rng.choice((MeldKind.PUNG, MeldKind.PUNG, MeldKind.KONG, MeldKind.CONCEALED_KONG))
            meld = Meld(kind, tile)
            for t in meld.tiles:
                left[t] -= 1
            if kind >= MeldKind.KONG or rng.random() < 0.4:
                melds.append(meld)
            else:
                concealed += meld.tiles
        pair = rng.randrange(34)
        left[pair] -= 2
        if min(left) < 0:
            continue
        concealed += (pair, pair)
        winning = rng.choice(concealed)
        concealed.remove(winning)
        luck = int(Luck.SELF_DRAW) if rng.random() < 0.5 else 0
        return Hand(tuple(sorted(concealed)), tuple(melds), winning, luck=luck)


def fan(when, of) -> Fan:
    return Fan("甲", 1, "", "", when, "a", of=of)


def test_all_groups_give_back_the_planes_of_the_reading():
    rng = random.Random(54)
    seen = 0
    for _ in range(3000):
        for reading in readings(random_win(rng), ("standard",), EVERYTHING):
            assert planes_of(reading.groups, reading.h) == reading.h
            seen += 1
    assert seen > 3000


def hand_of(*groups: Group) -> Parts:
    h = planes_of(groups, Planes(*[0] * len(Planes._fields)))
    return Parts(groups, h)


def chow(tile: int) -> Group:
    return Group(CHOW, tile)


def test_a_fan_of_three_lies_on_each_three_groups_that_make_it():
    # 456m 456p 456s and a second 456m: 三色同顺 twice, sharing two chows
    parts = hand_of(chow(3), chow(3), chow(12), chow(21), Group(PAIR, 33))
    assert occurrences(fan(lambda h: same_rank(h.c1) != 0, 3), parts) == (0b01101, 0b01110)
    assert occurrences(fan(lambda h: h.c2 != 0, 2), parts) == (0b00011,)


def test_identical_groups_are_distinguished():
    parts = hand_of(chow(0), chow(0), chow(0), chow(0), Group(PAIR, 20))
    assert len(occurrences(fan(lambda h: h.c3 != 0, 3), parts)) == 4
    assert len(occurrences(fan(lambda h: h.c2 != 0, 2), parts)) == 6


def test_what_does_not_hold_on_the_whole_lies_nowhere():
    # "exactly two" holds on two of three pungs, but not on the hand
    parts = hand_of(Group(PUNG, 0), Group(PUNG, 10), Group(PUNG, 20), chow(3), Group(PAIR, 33))
    assert occurrences(fan(lambda h: count(h.pc) == 2, 2), parts) == ()
    assert occurrences(fan(lambda h: count(h.pc) == 3, 3), parts) == (0b00111,)


def test_the_whole_hand_is_never_tested_on_a_part():
    calls = []
    parts = hand_of(chow(0), chow(1), chow(2), chow(3), Group(PAIR, 4))
    row = fan(lambda h: calls.append(h) or 1, ALL)
    assert occurrences(row, parts) == (0b11111,)
    assert calls == [parts.h]


@pytest.mark.parametrize(
    ("when", "masks"),
    [
        (lambda h: h.p & DRAGONS, (0b00010,)),  # the pung of 中
        (four_unkonged, (0b01101,)),  # 4m four times: every group that holds it
        (lambda h: h.k, (0b00010,)),
        (lambda h: h.pair & SUIT_TILES, (0b10000,)),
        (lambda h: h.c1 & 1 << 1, (0b00001,)),
        (lambda h: h.flowers, ()),
    ],
)
def test_each_points_at_the_groups_of_its_bits(when, masks):
    groups = (chow(1), Group(PUNG, 31, True, True), chow(2), chow(3), Group(PAIR, 12))
    h = planes_of(groups, Planes(*[0] * len(Planes._fields)))._replace(flowers=0b11, t4=1 << 3)
    assert occurrences(fan(when, EACH), Parts(groups, h)) == masks


def test_a_run_of_three_agrees_with_looking_at_every_three_chows():
    rng = random.Random(3)
    row = fan(lambda h: run(h.c1, 3, 3) != 0, 3)
    held = 0
    for _ in range(2000):
        tiles = [rng.choice((0, 3, 6, 9, 12, 15)) for _ in range(4)]
        parts = hand_of(*map(chow, tiles), Group(PAIR, 33))
        plain = tuple(
            sum(1 << i for i in some)
            for some in combinations(range(4), 3)
            if {tiles[i] for i in some} in ({0, 3, 6}, {9, 12, 15})
        )
        assert occurrences(row, parts) == plain
        held += bool(plain)
    assert held > 100


@pytest.mark.parametrize("rules", BOOKS)
def test_looking_at_the_kinds_a_row_reads_finds_all(rules):
    tried = 0
    for hand in wins(rules, 150, seed=71):
        for reading in readings(hand, rules.shapes, rules.reads):
            parts = Parts(reading.groups, reading.h)
            for i, _ in rules.detect(reading.h):
                row = rules.fans[i]
                if row.of > 0:
                    everywhere = tuple(mask for mask, part in parts.of(row.of) if row.when(part))
                    assert occurrences(row, Parts(reading.groups, reading.h)) == everywhere, (row.name, reading.text())
                    tried += 1
    assert tried > min(100, 5 * sum(row.of > 0 for row in rules.fans))
