"""Each tile in turn the one that won: as the single scorer says of every hand out of a few kinds of tiles."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import comb, prod

import pytest

from quepu.errors import NotAWin
from quepu.fast.universe.census import Tallied, may_win
from quepu.fast.universe.classed import Classed, conditions_of, each_universe
from quepu.fast.universe.classed_cache import pack, read
from quepu.fast.universe.limits import Limits, limits_of
from quepu.fast.universe.valued import HandClassifier, census_of, valued
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.hands.notation import parse, tiles
from quepu.hands.planes import Planes
from quepu.lab.hand_text import reading_text
from quepu.lab.states import state
from quepu.rulebooks import book
from quepu.rules.arithmetic import Tally
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.shapes import SHAPES
from quepu.shapes.readings import readings
from quepu.tiles import BIT, EAST
from tests.fast.universe.plain_census import _Sums, count_each
from tests.fast.universe.test_classed import covered
from tests.test_books import BOOKS
from tests.tuidaohu import BOOK as PUSH_OVER

FEW = tiles("1234mEC")
SOME = tiles("123789mE")
TWO_SUITS = tiles("3456m7pE")


def count_tally(counts: Counter[str], rules: Rulebook, tally: Tally, n: int) -> None:
    """Count n hands by what they are worth, and by every fan they count."""
    counts[f"{tally.points} {tally.bonus}"] += n
    for counted in tally.counted:
        counts[rules.fans[counted.row].name] += n


COLUMNS = ("hands", "sets", "readings", "reading_sets")
Counts = dict[str, Counter[str]]
"""By column of the census: what hands come to, and every fan."""


def within(rules: Rulebook, kinds: list[int]) -> Limits:
    """Hands of these kinds only, as the book can have them."""
    return limits_of(rules)._replace(tiles=sum(BIT[kind] for kind in kinds))


def by_lab(rules: Rulebook, key: str, kinds: list[int]) -> Counts:
    """Hands with their last tile, physical (tile set, last tile), and the same of readings."""
    sorter, held = HandClassifier(rules), state(key)
    mine, other = _Sums(), _Sums()
    shapes = [name for name in rules.shapes if may_win(name, held) and not SHAPES[name].boundless]
    count_each(sorter, held, shapes, (mine.add, other.add), limits=within(rules, kinds))
    found = {column: Counter[str]() for column in COLUMNS}
    for sums in (mine, other):
        for column, numbers in found.items():
            for number, n in enumerate(sums.of[column].sum(axis=1).tolist()):
                count_tally(numbers, rules, sorter.classes.tallies[number], n)
    for tally, planes in zip(sorter.classes.tallies, sorter.classes.examples, strict=True):
        text = reading_text(planes)  # what is shown of a class is a hand that reads so
        assert any(
            (found.points, found.bonus) == (tally.points, tally.bonus)
            for found in map(rules.tally, (reading.h for reading in readings(parse(text), rules.shapes, rules.reads)))
        ), text
    return {column: +numbers for column, numbers in found.items()}


def concealed(kinds: list[int], number: int) -> Iterator[Counter[int]]:
    """Every so many tiles of these kinds, four of a kind at most."""
    for counts in product(range(5), repeat=len(kinds)):
        if sum(counts) == number:
            yield Counter(dict(zip(kinds, counts, strict=True)))


def claimed(kinds: list[int], claims: frozenset[str]) -> Iterator[tuple[Meld, ...]]:
    """Every three melds of these kinds that can be claimed."""
    melds = [Meld(MeldKind.PUNG, kind) for kind in kinds]
    if "chow" in claims:
        melds += [Meld(MeldKind.CHOW, k) for k in kinds if k < 25 and k % 9 < 7 and {k + 1, k + 2} <= set(kinds)]
    yield from combinations_with_replacement(melds, 3)


def by_scorer(rules: Rulebook, key: str, kinds: list[int]) -> Counts:
    """The same, hand by hand."""
    found = {column: Counter[str]() for column in COLUMNS}
    for melds in [()] if key == "closed-each" else claimed(kinds, play_rules(rules).table.claims):
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
                count_tally(found["hands"], rules, tally, 1)
                count_tally(found["sets"], rules, tally, ways * copies)
                for reading in readings(hand, rules.shapes, rules.reads):
                    count_tally(found["readings"], rules, rules.tally(reading.h), 1)
                    count_tally(found["reading_sets"], rules, rules.tally(reading.h), ways * copies)
    return found


def same(rules: Rulebook, key: str, kinds: list[int]) -> None:
    assert by_lab(rules, key, kinds) == by_scorer(rules, key, kinds)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "key", "kinds"),
    [
        ("guobiao-mcr", "closed-each", SOME), ("canton", "closed-each", FEW), ("lingque-29", "closed-each", FEW),
        ("guobiao-mcr", "open-each", FEW), ("canton", "open-each", TWO_SUITS),
    ],
)  # fmt: skip
def test_as_the_single_scorer(name: str, key: str, kinds: list[int]) -> None:
    same(book(name), key, kinds)


@pytest.mark.parametrize("key", ["closed-each", "open-each"])
def test_as_the_single_scorer_where_no_chow_is_claimed(key: str) -> None:
    same(PUSH_OVER, key, tiles("12345m12p"))


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("key", ["closed-each", "open-each"])
@pytest.mark.parametrize("kinds", [tiles("12345mEC"), tiles("123789mE"), tiles("12345678m"), tiles("1245m789p")])
def test_as_the_single_scorer_in_every_book(rules: Rulebook, key: str, kinds: list[int]) -> None:
    same(rules, key, kinds)


# ---- the same in classes


def by_classes(rules: Rulebook, classed: Classed) -> list[Counts]:
    """Of standard hands and of others: by the classes of a book, under a draft of it."""
    census = census_of(valued(rules, classed))
    tallies = valued(rules, classed).classes.tallies
    return [tallied(rules, census.standard, tallies), tallied(rules, census.special.get("others"), tallies)]


def by_hand(rules: Rulebook, key: str, kinds: list[int]) -> list[Counts]:
    """The same by every hand."""
    sorter, held = HandClassifier(rules), state(key)
    mine, other = _Sums(), _Sums()
    shapes = [name for name in rules.shapes if may_win(name, held) and not SHAPES[name].boundless]
    count_each(sorter, held, shapes, (mine.add, other.add), limits=within(rules, kinds))
    classes = sorter.classes
    return [tallied(rules, one.padded(len(classes)), classes.tallies) for one in (mine, other)]


def tallied(rules: Rulebook, sums: Tallied | None, tallies: Sequence[Tally]) -> Counts:
    """The columns of a census by what hands come to, and by fan."""
    found = {column: Counter[str]() for column in COLUMNS}
    for column, numbers in found.items() if sums is not None else ():
        for number, n in enumerate(getattr(sums, column).sum(axis=1).tolist()):
            if n:
                count_tally(numbers, rules, tallies[number], n)
    return found


@pytest.mark.parametrize(
    ("name", "key", "kinds"),
    [
        ("lingque-29", "closed-each", FEW),
        pytest.param("guobiao-mcr", "closed-each", FEW, marks=pytest.mark.long),
        pytest.param("canton", "open-each", TWO_SUITS, marks=pytest.mark.long),
    ],
)
def test_classes_are_worth_what_every_hand_is(name: str, key: str, kinds: list[int]) -> None:
    base, rng = book(name), random.Random(name)
    whole = each_universe(conditions_of(base)._replace(limits=within(base, kinds)), state(key))
    classed = read(pack(whole), whole.state, whole.conditions)
    assert classed is not None
    for rules in (base, *(covered(base, rng, whole.state) for _ in range(2))):
        assert by_classes(rules, classed) == by_hand(rules, key, kinds)
    texts = {reading_text(Planes(*row)) for row in classed.parts["standard"].several.examples.tolist()}
    assert all("+" in text for text in texts)
