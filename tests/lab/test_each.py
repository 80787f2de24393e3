"""Each tile in turn the one that won: as the single scorer says of every hand out of a few kinds of tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import comb, prod

import pytest

from quepu.batch.engine import Engine
from quepu.enumeration import each_special
from quepu.enumeration.census import _Sums, may_win
from quepu.enumeration.each_tile import count_each
from quepu.enumeration.pairs_and_fours import tabulated
from quepu.errors import NotAWin
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.hands.notation import parse, tiles
from quepu.lab.hand_text import reading_text
from quepu.lab.states import state
from quepu.rulebooks import book
from quepu.rules.arithmetic import Tally
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.shapes import SHAPES
from quepu.shapes.readings import readings
from quepu.tiles import BIT, EAST
from tests.test_books import BOOKS

FEW = tiles("1234mEC")
SOME = tiles("123789mE")
TWO_SUITS = tiles("3456m7pE")


def count_tally(counts: Counter[str], rules: Rulebook, tally: Tally, n: int) -> None:
    """Count n hands by what they are worth, and by every fan they count."""
    counts[f"{tally.points} {tally.bonus}"] += n
    for counted in tally.counted:
        counts[rules.fans[counted.row].name] += n


@pytest.fixture(autouse=True)
def _pairs_of_few_kinds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven pairs of the tiles of the test only: all millions of them are laid out elsewhere."""
    kinds = request.node.callspec.params["kinds"]
    monkeypatch.setattr(each_special, "tabulated", lambda shape: tabulated(shape, kinds))


def by_lab(rules: Rulebook, key: str, kinds: list[int]) -> tuple[Counter[str], Counter[str]]:
    """Hands with their last tile, and physical (tile set, last tile)."""
    engine, held = Engine(rules), state(key)
    mine, other = _Sums(), _Sums()
    shapes = [name for name in rules.shapes if may_win(name, held) and not SHAPES[name].boundless]
    count_each(engine, held, shapes, mine.add, other.add, seat=EAST, round=EAST, tiles=sum(BIT[k] for k in kinds))
    hands, sets = Counter[str](), Counter[str]()
    for sums in (mine, other):
        for column, numbers in (("hands", hands), ("sets", sets)):
            for number, n in enumerate(sums.of[column].sum(axis=1).tolist()):
                count_tally(numbers, rules, engine.classes.tallies[number], n)
    for tally, planes in zip(engine.classes.tallies, engine.classes.examples, strict=True):
        text = reading_text(planes)  # what is shown of a class is a hand that reads so
        assert any(
            (found.points, found.bonus) == (tally.points, tally.bonus)
            for found in map(rules.tally, (reading.h for reading in readings(parse(text), rules.shapes, rules.reads)))
        ), text
    return +hands, +sets


def concealed(kinds: list[int], number: int) -> Iterator[Counter[int]]:
    """Every so many tiles of these kinds, four of a kind at most."""
    for counts in product(range(5), repeat=len(kinds)):
        if sum(counts) == number:
            yield Counter(dict(zip(kinds, counts, strict=True)))


def claimed(kinds: list[int]) -> Iterator[tuple[Meld, ...]]:
    """Every three melds of these kinds."""
    melds = [Meld(MeldKind.PUNG, kind) for kind in kinds]
    melds += [Meld(MeldKind.CHOW, k) for k in kinds if k < 25 and k % 9 < 7 and {k + 1, k + 2} <= set(kinds)]
    yield from combinations_with_replacement(melds, 3)


def by_scorer(rules: Rulebook, key: str, kinds: list[int]) -> tuple[Counter[str], Counter[str]]:
    """The same, hand by hand."""
    hands, sets = Counter[str](), Counter[str]()
    for melds in [()] if key == "closed-each" else claimed(kinds):
        taken = Counter(tile for meld in melds for tile in meld.tiles)
        if max(taken.values(), default=0) > 4:
            continue
        for held in concealed(kinds, 14 - 3 * len(melds)):
            if max((held + taken).values()) > 4:
                continue
            ways = prod(comb(4, n) for n in (held + taken).values())
            for last, copies in (+held).items():
                rest = held - Counter([last])
                hand = Hand(tuple(sorted(rest.elements())), melds, last, EAST, EAST)
                try:
                    tally = score_hand(hand, rules).tally
                except NotAWin:
                    break
                count_tally(hands, rules, tally, 1)
                count_tally(sets, rules, tally, ways * copies)
    return hands, sets


def same(rules: Rulebook, key: str, kinds: list[int]) -> None:
    assert by_lab(rules, key, kinds) == by_scorer(rules, key, kinds)


@pytest.mark.parametrize(
    ("name", "key", "kinds"),
    [
        ("guobiao-mcr", "closed-each", SOME), ("canton", "closed-each", FEW), ("lingque-29", "closed-each", FEW),
        ("guobiao-mcr", "open-each", FEW), ("canton", "open-each", TWO_SUITS),
    ],
)  # fmt: skip
def test_as_the_single_scorer(name: str, key: str, kinds: list[int]) -> None:
    same(book(name), key, kinds)


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("key", ["closed-each", "open-each"])
@pytest.mark.parametrize("kinds", [tiles("12345mEC"), tiles("123789mE"), tiles("12345678m"), tiles("1245m789p")])
def test_as_the_single_scorer_in_every_book(rules: Rulebook, key: str, kinds: list[int]) -> None:
    same(rules, key, kinds)
