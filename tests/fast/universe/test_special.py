"""Hands of shapes of their own: as many as a count made another way, and taken as the slow scorer takes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from quepu.fast.universe.census import may_win
from quepu.fast.universe.special import Chunk, counts_of, special_wins, tabulate
from quepu.fast.universe.standard_hands import STATES
from quepu.fast.universe.valued import HandClassifier
from quepu.hands.hand import Hand, Luck
from quepu.hands.notation import tiles
from quepu.hands.planes import STANDARD
from quepu.lab.pairing import pair_up
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.readings import readings
from tests.fast.universe import plain_census

FEW = tiles("12345mEC")


def some_counts(kinds: list[int]) -> Iterator[tuple[int, ...]]:
    """Every 14 tiles of these kinds, as how many of each."""
    yield from (counts for counts in product(range(5), repeat=len(kinds)) if sum(counts) == 14)


def only(shape: str, kinds: list[int]) -> Iterator[Chunk]:
    """The part of a shape that holds no other kinds than these."""
    out = [k for k in range(34) if k not in kinds]
    for chunk in tabulate(SHAPES[shape]):
        at = np.flatnonzero(counts_of(chunk.keys)[:, out].sum(axis=1) == 0)
        own = {name: x[at] if isinstance(x, np.ndarray) else x for name, x in chunk.own.items()}
        yield Chunk(own, chunk.keys[:, at], chunk.weight[at], chunk.several[at])


def best(rules: Rulebook, hand: Hand, forms: int | None = None) -> tuple[int, int] | None:
    """Points and bonus of the best reading, by the slow way; of these forms only, if any are named."""
    points = []
    for reading in readings(hand, rules.shapes, rules.reads):
        if forms is None or reading.h.form & forms:
            tally = rules.tally(reading.h)
            points.append((tally.points + tally.bonus, tally.points, tally.bonus))
    return max(points)[1:] if points else None


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("canton", "two_quads"), pytest.param("canton", "three_quads", marks=pytest.mark.slow),
        pytest.param("guobiao-mcr", "any_pairs", marks=pytest.mark.slow),
        pytest.param("lingque-29", "pairs", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_laid_out_shapes_are_the_slow_scorers(name: str, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tiles of a few kinds: which are of the shape, in how many readings, what they are worth, which overlap."""
    rules = book(name)
    kinds = FEW if shape in ("two_quads", "any_pairs") else tiles("1234mEC" if shape == "three_quads" else "123456mEC")
    chunks = list(only(shape, kinds))
    monkeypatch.setattr(plain_census, "tabulate", lambda shape: iter(chunks))
    sorter, overlap = HandClassifier(rules), plain_census._Sums()
    sums = plain_census._special(sorter, shape, STATES["closed-draw"], 27, 27, overlap)
    found: Counter[tuple[int, int]] = Counter()
    weights: Counter[tuple[int, int]] = Counter()
    twice: Counter[tuple[int, int]] = Counter()
    ways = 0
    for counts in some_counts(kinds):
        hand = Hand(tuple(k for k, n in zip(kinds, counts, strict=True) for _ in range(n)), luck=int(Luck.SELF_DRAW))
        mine = readings(hand, (shape,), rules.reads)
        if mine:
            ways += len(mine)
            points = best(rules, hand)
            assert points is not None
            found[points] += 1
            weights[points] += prod(comb(4, n) for n in counts)
            standard = best(rules, hand, STANDARD)
            if standard:
                twice[standard] += 1
    assert found
    assert int(sums.of["readings"].sum()) == ways
    for column, expected, of in (("hands", found, sums), ("sets", weights, sums), ("hands", twice, overlap)):
        counted: Counter[tuple[int, int]] = Counter()
        for number, n in enumerate(of.of[column].sum(axis=1).tolist()):
            counted[int(sorter.classes.points[number]), int(sorter.classes.bonus[number])] += n
        assert +counted == expected


def apart(counts: tuple[int, ...], chows: bool) -> Iterator[tuple[int, int]]:
    """The ways to take one suit apart into fours of a kind and sets: how many of each."""
    first = next((r for r, n in enumerate(counts) if n), None)
    if first is None:
        yield 0, 0
        return
    parts = [(4, {first: 4}), (3, {first: 3})]
    if chows and first + 2 < len(counts):
        parts.append((3, {first: 1, first + 1: 1, first + 2: 1}))
    for size, part in parts:
        rest = tuple(n - part.get(r, 0) for r, n in enumerate(counts))
        if min(rest) >= 0:
            for fours, sets in apart(rest, chows):
                yield fours + (size == 4), sets + (size == 3)


def suit_counts(ranks: int, chows: bool) -> Counter[tuple[int, int]]:
    """Of one suit alone, how many tile sets are so many fours and so many sets (at most two of either)."""
    made: Counter[tuple[int, int]] = Counter()

    def fill(done: tuple[int, ...], left: int) -> Iterator[tuple[int, ...]]:
        if len(done) == ranks:
            yield done
            return
        for n in range(min(4, left) + 1):
            yield from fill((*done, n), left - n)

    for counts in fill((), 14):
        made.update({way for way in apart(counts, chows) if max(way) <= 2})
    return made


@pytest.mark.slow
def test_as_many_fours_as_a_convolution_over_suits_says() -> None:
    """4 + 4 + 3 + 3: how many tiles a suit holds says how many fours and sets it is, so counts multiply."""
    whole = Counter({(0, 0): 1})
    number, honour = suit_counts(9, chows=True), suit_counts(7, chows=False)
    for suit in (number, number, number, honour):
        before, whole = whole, Counter()
        for (a, b), n in before.items():
            for (c, d), m in suit.items():
                whole[a + c, b + d] += n * m
    keys = np.concatenate([chunk.keys for chunk in tabulate(SHAPES["two_quads"])], axis=1)
    assert np.unique(keys, axis=1).shape[1] == whole[2, 2] == 680_787


@pytest.mark.slow
def test_how_many_pairs_there_are() -> None:
    assert sum(len(chunk.weight) for chunk in tabulate(SHAPES["pairs"])) == comb(34, 7) == 5_379_616


def test_how_many_there_are() -> None:
    assert sum(len(chunk.weight) for chunk in tabulate(SHAPES["three_quads"])) == comb(34, 3) * 31
    listed = {name: shape.tile_sets for name, shape in SHAPES.items() if shape.tile_sets is not None}
    assert len(list(listed["scattered"]())) == 6 * comb(16, 13) * 13
    for shape, every in listed.items():
        sets = [tuple(sorted(kinds)) for kinds in every()]
        assert len(set(sets)) == len(sets)
        for kinds in sets[:: 1 + len(sets) // 500]:
            assert SHAPES[shape].read(_win(Hand(kinds, luck=SHAPES[shape].needs))), (shape, kinds)


def _win(hand: Hand) -> Any:
    from quepu.hands.win import Win

    return Win(hand)


@pytest.mark.parametrize("name", ["guobiao-mcr", "canton", "lingque-29"])
def test_listed_shapes_are_worth_what_the_slow_scorer_says(name: str) -> None:
    rules = book(name)
    rng = np.random.default_rng(7)
    sorter = HandClassifier(rules)
    for shape in rules.shapes:
        listed = SHAPES[shape]
        if listed.plain or listed.boundless or (listed.tile_sets is None and listed.sets is None):
            continue
        for key in ("closed-discard", "open-discard", "kongs", "hidden-kongs", "pungs-open"):
            state = STATES[key]
            if not may_win(shape, state):
                continue
            for wins, _ in special_wins(shape, state, 27, 27):
                settled = sorter.classify(wins)
                assert settled.valid.all()
                for i in rng.integers(0, wins.n, 3).tolist():
                    hand = wins.hand(i)
                    if hand.winning is None and not hand.melds:
                        hand = hand._replace(concealed=tuple(sorted(hand.concealed)))
                    expected = best(rules, hand)
                    number = settled.classes[i]
                    found = int(sorter.classes.points[number]), int(sorter.classes.bonus[number])
                    assert found == expected, hand


def test_claimed_lines_lie_as_the_state_says() -> None:
    state = STATES["kongs"]
    hands = [wins.hand(n) for wins, _ in special_wins("knitted", state, 27, 27) for n in range(0, wins.n, 50)]
    assert {(len(hand.concealed), len(hand.melds)) for hand in hands} == {(11, 1)}
    assert {meld.kind.name for hand in hands for meld in hand.melds} == {"CHOW", "KONG"}
    assert sum(wins.n for wins, _ in special_wins("knitted", STATES["open-draw"], 27, 27)) == 11_016


@pytest.mark.parametrize("name", ["guobiao-mcr", pytest.param("canton", marks=pytest.mark.slow)])
def test_overlapping_hands_leave_the_class_they_were_counted_in(name: str) -> None:
    """Won by discard, the lowest pung of a concealed standard hand is not concealed, in special hands as in others."""
    rules = book(name)
    drawn, discarded = (pair_up(rules, rules, STATES[key]) for key in ("closed-draw", "closed-discard"))
    assert (discarded.hands > 0).all() and (discarded.sets > 0).all()
    assert int(discarded.hands.sum()) == int(drawn.hands.sum()) and int(discarded.sets.sum()) == int(drawn.sets.sum())
