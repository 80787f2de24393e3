"""Generated hands are legal, varied and the same for the same seed."""

from types import SimpleNamespace

from quepu.hands.hand import Luck, MeldKind, check_tiles
from quepu.scoring.samples import deal, wins
from quepu.shapes.readings import readings

BOOK = SimpleNamespace(
    shapes=("standard", "pairs", "orphans", "loose", "knitted"), circumstances={str(b): int(b) for b in Luck}
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


def test_deals_have_the_tiles_asked_for() -> None:
    import random

    rng = random.Random(1)
    for n in (13, 14):
        hand = deal(rng, n)
        assert len(hand.concealed) + (hand.winning is not None) == n
        check_tiles(hand.concealed, (), hand.winning)
