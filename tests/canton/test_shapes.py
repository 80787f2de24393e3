"""The irregular shapes against a slow checker that spells out the definitions tile by tile."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations

import pytest

from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.notation import parse, tiles
from quepu.hands.win import Win
from quepu.rulebooks import book
from quepu.rulebooks.canton import shapes
from quepu.rulebooks.canton.shapes import outside
from quepu.rulebooks.canton.shapes.pyramid import PYRAMID
from quepu.rulebooks.canton.shapes.scattered import SCATTERED
from quepu.rulebooks.canton.shapes.three_quads import THREE_QUADS
from quepu.rulebooks.canton.shapes.two_quads import TWO_QUADS
from quepu.shapes.readings import list_waits, readings
from tests.canton.hands import fans

CANTON = book("canton")
PYRAMID_KINDS = set(tiles("19m19p19s258p36s47m"))
LINES = [
    {9 * suit + 3 * i + line for suit, line in enumerate(order) for i in range(3)} for order in permutations(range(3))
]
HONOURS = set(range(27, 34))


def in_sets(kinds: list[int]) -> bool:
    """Whether these tiles are nothing but chows and pungs."""
    if not kinds:
        return True
    first = min(kinds)
    rest = list(kinds)
    if kinds.count(first) >= 3:
        for _ in range(3):
            rest.remove(first)
        if in_sets(rest):
            return True
    if first < 27 and first % 9 < 7 and first + 1 in kinds and first + 2 in kinds:
        rest = list(kinds)
        for kind in (first, first + 1, first + 2):
            rest.remove(kind)
        return in_sets(rest)
    return False


def slow_forms(hand: Hand) -> set[int]:
    """Which of the irregular forms the hand has, by their definitions."""
    assert hand.winning is not None
    own = [*hand.concealed, hand.winning]
    counts = Counter(own)
    found = set()
    if not hand.melds:
        if set(own) == PYRAMID_KINDS and sorted(counts.values()) == [1] * 12 + [2]:
            found.add(PYRAMID)
        numbers = {kind for kind in own if kind < 27}
        paired = sorted(counts.values()) == [1] * 12 + [2]
        if hand.luck & Luck.FIRST_ROUND and paired and any(numbers <= line for line in LINES):
            found.add(SCATTERED)
        if sorted(counts.values()) == [2, 4, 4, 4]:
            found.add(THREE_QUADS)
    if all(meld.kind == MeldKind.CONCEALED_KONG for meld in hand.melds):
        for two in combinations([kind for kind, n in counts.items() if n == 4], 2):
            if in_sets([kind for kind in own if kind not in two]):
                found.add(TWO_QUADS)
    return found


def forms(hand: Hand) -> set[int]:
    names = tuple(name for name in shapes.NAMES if name != "outside")
    return {reading.h.form for reading in readings(hand, names, CANTON.reads)}


def near_shape(rng: random.Random) -> Hand:
    """Tiles of one of the shapes, now and then with a tile changed, some with a concealed kong."""
    style = rng.randrange(4)
    melds: tuple[Meld, ...] = ()
    if style == 0:
        own = [*PYRAMID_KINDS, rng.choice(sorted(PYRAMID_KINDS))]
    elif style == 1:
        kinds = rng.sample(sorted(rng.choice(LINES) | HONOURS), 13)
        own = [*kinds, rng.choice(kinds)]
    else:
        kinds = rng.sample(range(34) if rng.random() < 0.5 else range(12), 6)
        sets = [[kind] * 3 if rng.random() < 0.4 or kind >= 27 or kind % 9 > 6 else [kind, kind + 1, kind + 2]
                for kind in kinds[2:4]]  # fmt: skip
        own = [kinds[0]] * 4 + [kinds[1]] * 4
        if style == 2:
            own += [kinds[2]] * 4 + [kinds[3]] * 2
        elif rng.random() < 0.3:
            own += sets[0]
            melds = (Meld(MeldKind.CONCEALED_KONG if rng.random() < 0.7 else MeldKind.KONG, kinds[5]),)
        else:
            own += sets[0] + sets[1]
    if rng.random() < 0.3:
        own[rng.randrange(len(own))] = rng.randrange(34)
    rng.shuffle(own)
    luck = int(Luck.FIRST_ROUND) if rng.random() < 0.7 else 0
    return Hand(tuple(sorted(own[1:])), melds, own[0], luck=luck | (int(Luck.SELF_DRAW) if rng.random() < 0.5 else 0))


def legal(hand: Hand) -> bool:
    return max(hand.counts()) <= 4 and len(hand.concealed) == 13 - 3 * len(hand.melds)


def test_irregular_shapes_equal_the_slow_checker() -> None:
    rng = random.Random(4)
    seen: Counter[int] = Counter()
    for _ in range(2500):
        hand = near_shape(rng)
        if legal(hand):
            expected = slow_forms(hand)
            assert forms(hand) == expected, hand
            seen.update(expected)
    assert min(seen[form] for form in (PYRAMID, SCATTERED, TWO_QUADS, THREE_QUADS)) > 20


def test_what_they_wait_for_is_what_completes_them() -> None:
    rng = random.Random(5)
    tried = 0
    while tried < 250:
        hand = near_shape(rng)
        if not legal(hand):
            continue
        tried += 1
        thirteen = hand._replace(winning=None)
        names = tuple(name for name in shapes.NAMES if name != "outside")
        wins = [k for k in range(34) if thirteen.counts()[k] < 4 and slow_forms(hand._replace(winning=k))]
        assert list_waits(thirteen, names) == wins


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        ("1111p5555s234m67m+8m", "111p 1p 555s 5s 234m 678m"),
        ("1111p5555s8888m2m+2m", "888m 8m 111p 1p 555s 5s 22m"),
        ("111p5555s234m678m+1p", "111p 1p 555s 5s 234m 678m"),
    ],
)
def test_fours_are_shown_as_a_pung_and_a_tile(hand: str, text: str) -> None:
    found = [r for r in readings(parse(hand), CANTON.shapes, CANTON.reads) if r.h.form in (TWO_QUADS, THREE_QUADS)]
    assert found[0].text() == text
    tiles_shown = sorted(tile for group in found[0].groups for tile in group.tiles)
    whole = parse(hand)
    assert tiles_shown == sorted((*whole.concealed, whole.winning or 0))
    assert sum(group.won for group in found[0].groups) == 1


def test_a_four_finished_by_a_discard_stays_concealed() -> None:
    assert "双暗刻" not in fans("111p5555s234m678m+1p")  # 二不杠 brings it along
    assert "三暗刻" in fans("1111p5555s888m67s+8s")
    assert "三暗刻" not in fans("1111p5555s88m678s+8m")  # a pung finished by a discard is not concealed


def test_the_shapes_need_their_circumstances() -> None:
    hand = parse("159m2468p37sEWCF+P")
    assert outside.SHAPE.read(Win(hand)) == []
    assert len(outside.SHAPE.read(Win(hand._replace(luck=int(Luck.SEVEN_FLOWERS))))) == 1
