"""Thirteen tiles are quickly known to wait for nothing, and never wrongly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.hands.notation import parse
from quepu.hands.suit_tables import KEY
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import deal, wins
from quepu.shapes import SHAPES
from quepu.shapes.readings import wait_planes
from quepu.table import Table, ready
from quepu.table.ready import LASTING, WHATEVER, waits_of
from quepu.tiles import BIT
from tests.books import PLAYED
from tests.table.walls import go, kinds, stacked


def waits_for_its_last_tile(rules: Rulebook, hand: Hand) -> bool:
    key = sum(KEY[kind] for kind in hand.concealed)
    assert hand.winning is not None
    return waits_of(rules.shapes)(key, sorted(hand.concealed), hand.melds) & BIT[hand.winning] != 0


NEARLY_FOURS = [
    "1111m222p[3333s][4444s]+2p",
    "1111m222p345s[4444p]+2p",
    "1111m2222p34s678s+2s",
    "1111m222p345s789s+2p",
    "147m258p369s9m(123s)+9m",
    "147m258p36s999m99p+9s",
]


@pytest.mark.parametrize("text", NEARLY_FOURS)
def test_what_is_nearly_fours_or_knitted_waits_beside_melds_too(text: str) -> None:
    assert waits_for_its_last_tile(book("canton"), parse(text)), text


def quick(rules: Rulebook, concealed: Sequence[int], melds: tuple[Meld, ...] = (), luck: int = WHATEVER) -> int:
    return waits_of(rules.shapes)(sum(KEY[kind] for kind in concealed), list(concealed), melds, luck)


def exact(rules: Rulebook, concealed: Sequence[int], melds: tuple[Meld, ...] = (), luck: int = WHATEVER) -> int:
    return wait_planes(Hand(tuple(concealed), melds, luck=luck), rules.shapes)[0]


@pytest.mark.parametrize("name", PLAYED)
def test_quick_waits_are_the_exact_ones(name: str) -> None:
    """Of hands that lack a tile of a win, and of those with one tile exchanged, most of which wait for nothing."""
    rules, rng = book(name), random.Random(5)
    waiting = Counter[bool]()
    for hand in wins(rules, 200, 7):
        assert waits_for_its_last_tile(rules, hand), hand
        concealed = list(hand.concealed)
        for _ in range(rng.randrange(3)):
            concealed[rng.randrange(len(concealed))] = rng.randrange(34)
        if max(Counter([*concealed, *(kind for meld in hand.melds for kind in meld.tiles)]).values()) > 4:
            continue
        concealed.sort()
        for luck in (WHATEVER, LASTING):
            found = quick(rules, concealed, hand.melds, luck)
            assert found == exact(rules, concealed, hand.melds, luck), hand
            waiting[found != 0] += 1
    assert min(waiting[True], waiting[False]) > 70


@pytest.mark.parametrize(
    "text",
    ["19m19p19sESWNCFP", "119m19p19sESWNCF", "147m258p369sESWN", "147m258p369sCSWN", "14m25p36sESWNCFP",
     "1122m3344p55sEEC", "115599m115599pP", "ESWNCFP159m15p9s", "EESSWWNNCCFFP"],
)  # fmt: skip
@pytest.mark.parametrize("name", PLAYED)
def test_hands_of_other_shapes_wait_as_exactly(name: str, text: str) -> None:
    for luck in (WHATEVER, LASTING):
        assert quick(book(name), kinds(text), (), luck) == exact(book(name), kinds(text), (), luck)
    if text not in ("ESWNCFP159m15p9s", "1122m3344p55sEEC") and name in ("lingque-29", "guobiao"):
        assert quick(book(name), kinds(text))


def test_each_other_shape_alone_waits_exactly() -> None:
    """Without the standard form, which otherwise looks at most of these hands first."""
    canton = book("canton")
    own = [(shape,) for shape in canton.shapes if not SHAPES[shape].plain and not SHAPES[shape].boundless]
    texts = (*NEARLY_FOURS, "1111m2222p33s[4444s]+3s", "EEEE1111m22p[3333s]+2p", "EEEE111m(234s)(567s)+1m",
             "1111m2222p34s(678s)+5s", "1111m(EEE)(WWW)(SSS)+2m", "5m(EEE)(WWW)(SSS)(NNN)+5m")  # fmt: skip
    hands = [parse(text) for text in texts] + list(wins(canton, 150, 3))
    ready = Counter[str]()
    for hand in hands:
        for shapes in own:
            wait = wait_planes(Hand(hand.concealed, hand.melds, luck=WHATEVER), shapes)[0]
            key = sum(KEY[kind] for kind in hand.concealed)
            assert waits_of(shapes)(key, sorted(hand.concealed), hand.melds) == wait, (hand, shapes)
            ready[shapes[0]] += wait != 0 and bool(hand.melds)
    assert ready["two_quads"] and ready["knitted"]


def random_hands(melds: int) -> list[tuple[tuple[int, ...], tuple[Meld, ...]]]:
    """Tiles at random, half of the hands leaning to one suit, with pungs of other kinds."""
    rng = random.Random(melds)
    found = []
    for _ in range(300):
        concealed = deal(rng, 13 - 3 * melds).concealed
        others = [kind for kind in range(34) if kind not in concealed]
        found.append((concealed, tuple(Meld(MeldKind.PUNG, kind) for kind in rng.sample(others, melds))))
    return found


@pytest.mark.parametrize("melds", range(5))
@pytest.mark.parametrize(
    ("name", "asked"),
    [("lingque-29", (0.08, 0.02, 0.06, 0.2)), ("guobiao", (0.08, 0.02, 0.06, 0.2)),
     ("yuque-54", (0.02, 0.02, 0.06, 0.2)),
     ("canton", (0.3, 0.03, 0.06, 0.2))],
)  # fmt: skip
def test_hardly_a_random_hand_is_looked_at_closely(
    monkeypatch: pytest.MonkeyPatch, name: str, asked: tuple[float, ...], melds: int
) -> None:
    """After each discard the waits are asked for: a quick no must spare nearly all hands the exact answer."""
    rules, calls, hands = book(name), Counter[str](), random_hands(melds)
    for concealed, shown in hands:
        assert quick(rules, concealed, shown) == exact(rules, concealed, shown)
    real = ready.wait_planes
    monkeypatch.setattr(ready, "wait_planes", lambda *given: (calls.update(["exact"]), real(*given))[1])
    for concealed, shown in hands:
        quick(rules, concealed, shown)
    if melds < 4:
        assert calls["exact"] <= asked[melds] * len(hands)
    else:
        assert calls["exact"] == len(hands)  # a single tile always waits


def test_each_seat_but_the_winner_is_asked_what_its_ready_hand_is_worth() -> None:
    dealer, winner, others = "123m456p789pWWW5m", "46m11p123789sEEE", ["123789m456sNNNF", "999m234p222678sP"]

    def ready(*hands: str, win: str) -> list[bool]:
        table = go(Table(book("yuque"), stacked([dealer, *hands], "C")), "E discard 5m", f"{win} win")
        assert table.ending is not None
        return [points is not None for points in table.ending.ready]

    assert Table(book("yuque"), stacked([dealer, winner, *others], "C")).ready_hands() == (None, None, None, None)
    assert ready(winner, *others, win="S") == [True, False, True, True]
    assert ready(others[0], winner, others[1], win="W") == [True, True, False, True]
    assert ready(*others, winner, win="N") == [True, True, True, False]
    assert ready(winner, others[0], "147m258p369sESWF", win="S") == [True, False, True, False]
