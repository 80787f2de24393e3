"""The nearest wanted hand, compared with trying every exchange of tiles."""

from __future__ import annotations

import random
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from quepu.cli import run
from quepu.errors import HandError
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.plan import Engine
from quepu.fast.universe.classed_cache import classed_for
from quepu.fast.universe.special import counts_of, pairs_missing
from quepu.fast.universe.standard_hands import STATES
from quepu.hands.hand import Hand
from quepu.hands.notation import parse_part
from quepu.hands.planes import Planes
from quepu.lab.find_hand import Wanted, find_nearest
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.tiles import BIT, EAST, KINDS

DRAW, DISCARD = STATES["closed-draw"], STATES["closed-discard"]


def exchanged(counts: np.ndarray, n: int) -> np.ndarray:
    """Every set of tiles that is n tiles away from these fourteen: [N, 34]."""
    held = [kind for kind in range(KINDS) for _ in range(counts[kind])]
    found = set()
    for out in set(combinations(held, n)):
        left = counts.copy()
        for kind in out:
            left[kind] -= 1
        for into in combinations_with_replacement([k for k in range(KINDS) if k not in out], n):
            made = left.copy()
            for kind in into:
                made[kind] += 1
            if (made <= 4).all():
                found.add(made.tobytes())
    return np.array([np.frombuffer(one, np.uint8) for one in sorted(found)], np.uint8).reshape(-1, KINDS)


def by_trying(rules: Rulebook, wanted: Wanted, counts: np.ndarray, farthest: int) -> tuple[int, int] | None:
    """How far away the nearest wanted hands are and how many, through the scorer of many hands: no enumeration."""
    engine = Engine(rules)
    for n in range(farthest + 1):
        wins = HandArrays(exchanged(counts, n), None, -1, EAST, EAST, DRAW.luck)
        settled = engine.score(wins)
        fits = settled.valid & (settled.points >= wanted.least)
        for name in wanted.fans:
            fits &= settled.counts[:, rules.index[name]] > 0
        for name in wanted.without:
            fits &= settled.counts[:, rules.index[name]] == 0
        if fits.any():
            return n, int(fits.sum())
    return None


def written(counts: np.ndarray) -> Hand:
    return Hand(tuple(kind for kind in range(KINDS) for _ in range(counts[kind])))


def wish_of(rules: Rulebook, rng: random.Random) -> Wanted:
    names = [fan.name for fan in rules.fans]
    return Wanted(
        tuple(rng.sample(names, rng.choice((0, 1, 1)))), tuple(rng.sample(names, rng.choice((0, 1)))),
        rng.choice((0, rules.minimum, rules.minimum * 3)),
    )  # fmt: skip


def fourteen(rules: Rulebook, rng: random.Random, away: int) -> np.ndarray:
    """The tiles of some class of the state, so many of them exchanged at random."""
    h = Planes(*rng.choice(classed_for((rules,), DRAW).examples.tolist()))
    if h.k or (h.t1.bit_count() + h.t2.bit_count() + h.t3.bit_count() + h.t4.bit_count()) != 14:
        return fourteen(rules, rng, away)
    counts = np.array([sum(bool(plane & bit) for plane in (h.t1, h.t2, h.t3, h.t4)) for bit in BIT[:KINDS]], np.uint8)
    for _ in range(away):
        counts[rng.choice(np.flatnonzero(counts).tolist())] -= 1
        counts[rng.choice(np.flatnonzero(counts < 4).tolist())] += 1
    return counts


def compared(name: str, seed: int, times: int, farthest: int) -> None:
    rules, rng = book(name), random.Random(seed)
    for turn in range(times):
        wanted, counts = wish_of(rules, rng), fourteen(rules, rng, rng.randrange(farthest + 2))
        found = find_nearest(rules, DRAW, wanted, written(counts))
        tried = by_trying(rules, wanted, counts, farthest)
        if tried is None:
            assert found.away is None or found.away > farthest, (turn, wanted, counts)
        else:
            assert (found.away, found.hands) == tried, (turn, wanted, counts)


def test_the_nearest_hand_is_the_one_that_trying_finds() -> None:
    compared("lingque-29", 5, 4, 1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", book_ids())
def test_the_nearest_hand_of_every_book(name: str) -> None:
    compared(name, 1, 60, 1)
    compared(name, 2, 6, 2)


@pytest.mark.parametrize("hand", ["1122m3388p5555s77s", "1111222m34pEEENN"])
def test_pairs_and_fours_come_by_how_many_tiles_are_missing(hand: str) -> None:
    counts = np.bincount(np.array(parse_part(hand).concealed), minlength=KINDS).astype(np.uint8)
    for missing in range(3):
        tried = exchanged(counts, missing)
        expected = {one.tobytes() for one in tried[(tried % 2 == 0).all(axis=1)]}
        chunks = list(pairs_missing(SHAPES["any_pairs"], counts, missing))
        found = [one.tobytes() for chunk in chunks for one in counts_of(chunk.keys)]
        assert len(found) == len(set(found))
        assert set(found) == expected


def test_what_lies_on_the_table_stays() -> None:
    rules = book("guobiao-mcr")
    hand = parse_part("19m19p19sE(234p)(777s)")
    found = find_nearest(rules, STATES["open-discard"], Wanted(least=8), hand)
    assert found.examples
    for one in found.examples:
        assert "(234p)" in one.text
        assert "(777s)" in one.text
        assert len(one.into) == found.away
        assert len(one.out) == len(one.into) - 1


def test_a_wish_that_no_hand_fulfils_has_no_nearest_hand() -> None:
    rules = book("lingque-29")
    assert find_nearest(rules, DISCARD, Wanted(("七对", "对对和")), parse_part("19m")).away is None
    with pytest.raises(HandError):
        find_nearest(rules, DISCARD, Wanted(), Hand((0,) * 5))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "find", "lingque-29", "--with", "清一色", "--near", "123456789m12p3sE", "--lang", "en"]) == 0
    assert "the nearest hands are 5 tiles away" in capsys.readouterr().out
    assert run(["lab", "find", "lingque-29", "--with", "七对,对对和", "--near", "19m"]) == 0
    printed = capsys.readouterr()
    assert "没有这样的和牌：“门前清点和”的和牌已全部查过。" in printed.out
    assert "用 -S 查" in printed.err
