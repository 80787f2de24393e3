"""Writes the totals that are shipped for books that add by residues: python bench/ship_totals.py [random hands].

They are found for one hand of every class there is, and for random ones in the styles of `quepu.scoring.samples`, each
with ten choices of melds, winning tile, seat and circumstances; with those of their parts reordered
(`fast.weighing.independent_rows`).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from quepu.batch import Engine, Wins
from quepu.fast.universe.classed import conditions_of
from quepu.fast.universe.classed_cache import shipped_file
from quepu.fast.universe.classed_file import load
from quepu.fast.universe.standard_hands import MORE_STATES, STATES
from quepu.fast.weighing import residue_totals as totals
from quepu.fast.weighing.residue import Accreted
from quepu.hands.hand import Luck, MeldKind
from quepu.hands.planes import Planes
from quepu.rulebooks import book, book_ids
from quepu.scoring.samples import STYLES
from quepu.tiles import EAST, KINDS

Array = Any
EACH, CHOICES = 5_000, 10


def main(number: int) -> None:
    """Find and write them."""
    for rules in map(book, book_ids()):
        engine = Engine(rules)
        part = engine.tallied
        if not isinstance(part, Accreted):
            continue
        digest = conditions_of(rules).digest
        for state in (STATES | MORE_STATES).values():
            classed = load(shipped_file(digest, state), state, digest)
            several = () if classed is None else (part.several.examples for part in classed.parts.values())
            for examples in () if classed is None else (classed.examples, *several):
                part.sums(
                    Planes(*np.asarray(examples, np.int64).reshape(-1, len(Planes._fields)).T.copy()),
                    len(examples),
                    False,
                )
        for wins in random_wins(number):
            engine.score(wins, fans=False)
        table = part.totals_found.table
        found = table[table[:, 0] != 0]
        totals.ship(part.totals_found.digest, found[:, 0], found[:, 1])
        print(f"{rules.id}: {len(found)}")


def random_wins(number: int) -> Iterator[Wins]:
    """So many hands, some thousand at a time, in `CHOICES` ways each."""
    rng, choose = random.Random(2026), np.random.default_rng(2026)
    weights, styles = zip(*STYLES, strict=True)
    for _ in range(0, number, EACH):
        parts: list[list[tuple[bool, int]]] = []
        while len(parts) < EACH:
            made = rng.choices(styles, weights)[0](rng)
            tiles = [tile for part in made for tile in part]
            if [len(part) for part in made] == [3, 3, 3, 3, 2] and max(map(tiles.count, tiles)) <= 4:
                parts.append([(part[0] == part[1], min(part)) for part in made])
        yield hands_of(np.repeat(np.array(parts), CHOICES, axis=0), choose)


def hands_of(parts: Array, choose: np.random.Generator) -> Wins:
    """Hands of four sets and a pair, each a truth (alike) and its lowest tile: int64 [N, 5, 2]."""
    n = len(parts)
    alike, tile = parts[:, :4, 0] != 0, parts[:, :4, 1]
    rows = np.arange(n)
    counts = np.zeros((n, KINDS), np.uint8)
    np.add.at(counts, (rows, parts[:, 4, 1]), 2)
    of_sets = np.zeros((4, n, KINDS), np.uint8)
    for j in range(4):
        for step in range(3):
            np.add.at(of_sets[j], (rows, tile[:, j] + step * ~alike[:, j]), 1)
    whole = counts + of_sets.sum(axis=0)
    openness, konging = (choose.choice(some, n) for some in ([0, 0, 0.3, 0.6, 1], [0, 0, 0.2, 0.9]))
    melds = np.full((n, 4, 2), -1, np.int8)
    for j in range(4):
        kong = alike[:, j] & (whole[rows, tile[:, j]] == 3) & (choose.random(n) < konging)
        shown = choose.random(n) < openness
        kind = np.where(kong, np.where(shown, 2, 3), alike[:, j])
        there = kong | shown
        melds[there, j, 0], melds[there, j, 1] = kind[there], tile[there, j]
        counts[~there] += of_sets[j][~there]
    winning = ((counts > 0) * choose.random(counts.shape)).argmax(axis=1)
    seat = choose.integers(27, 31, n)
    luck = circumstances(melds[:, :, 0], whole[rows, winning] == 1, seat, choose)
    return Wins(counts, melds, winning, seat, choose.integers(27, 31, n), luck)


def circumstances(melds: Array, alone: Array, seat: Array, choose: np.random.Generator) -> Array:
    """Luck that fits hands with these kinds of melds; alone: whether they have one of the winning tile."""

    def some(share: float) -> Array:
        return choose.random(len(seat)) < share

    drawn, plain = some(0.45), some(0.6)
    fits = [
        (Luck.KONG_DRAW, drawn & (melds >= MeldKind.KONG).any(axis=1)),
        (Luck.LAST_DRAW, drawn),
        (Luck.LAST_DISCARD, ~drawn),
        (Luck.ROBBED_KONG, ~drawn & alone),
    ]
    luck = np.zeros(len(seat), np.int64)
    for wish, may in fits:
        luck |= int(wish) * (may & ~plain & some(0.35))
    first = ~plain & (luck == 0) & (melds < 0).all(axis=1) & (drawn == (seat == EAST)) & some(0.3)
    luck |= np.where(seat == EAST, int(Luck.HEAVENLY), int(Luck.EARTHLY)) * first
    return luck | int(Luck.SELF_DRAW) * drawn


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4_000_000)
