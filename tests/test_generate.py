"""Generated hands are legal, varied and the same for the same seed."""

import random
from types import SimpleNamespace

from quepu.hands.hand import Luck, MeldKind, check_tiles
from quepu.scoring.samples import deal, wins
from quepu.scoring.score import score_hand
from quepu.shapes.readings import readings
from quepu.tiles import PLAIN
from tests.tuidaohu import BOOK as SUITS_ONLY

BOOK = SimpleNamespace(
    shapes=("standard", "pairs", "orphans", "loose", "knitted"),
    circumstances={str(b): int(b) for b in Luck},
    tiles=PLAIN,
)


def test_every_hand_is_a_legal_win() -> None:
    forms, kinds, luck = set(), set(), 0
    for hand in wins(BOOK, 3000, seed=7):  # type: ignore[arg-type]
        check_tiles(hand.concealed, hand.melds, hand.winning)
        found = readings(hand, BOOK.shapes)
        assert found
        forms |= {reading.h.form for reading in found}
        kinds |= {meld.kind for meld in hand.melds}
        luck |= hand.luck
    assert len(forms) == 5
    assert kinds == set(MeldKind)
    for wish in (Luck.ROBBED_KONG, Luck.LAST_DRAW, Luck.KONG_DRAW):
        assert luck & wish


def test_same_seed_same_hands() -> None:
    assert list(wins(BOOK, 50, seed=3)) == list(wins(BOOK, 50, seed=3))  # type: ignore[arg-type]
    assert list(wins(BOOK, 50, seed=3)) != list(wins(BOOK, 50, seed=4))  # type: ignore[arg-type]


def test_a_book_gets_hands_of_its_own_tiles() -> None:
    for hand in wins(SUITS_ONLY, 60, seed=3):
        assert score_hand(hand, SUITS_ONLY).points
        assert not any(hand.counts()[27:])
    rng = random.Random(1)
    for _ in range(100):
        assert max(deal(rng, 13, SUITS_ONLY.tiles).concealed) < 27


def test_deals_have_the_tiles_given() -> None:
    rng = random.Random(1)
    for n in (13, 14):
        hand = deal(rng, n)
        assert len(hand.concealed) + (hand.winning is not None) == n
        check_tiles(hand.concealed, (), hand.winning)
