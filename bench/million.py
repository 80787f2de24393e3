"""A million hands of each book by `plain`, compiled (`quepu.fast.tables`), a sample of them checked; how long it took.

Of all hands: who won, and that a win is worth the book's minimum. Of some of every thousand: the events are folded, and
every tile must lie somewhere once; the hand is played again by `Table`, and must end alike.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
from rows import Row

from quepu.arena.bot_hand import play_hand
from quepu.bots import make_bot
from quepu.fast.tables import FastTables, walls
from quepu.rulebooks import book, book_ids
from quepu.table.position import Position, apply
from quepu.table.wall import WallPlan, undrawn_places, wall_drawn

HANDS, AT_ONCE, CHECKED = 1_000_000, 4000, 2
LEVEL = "plain"


def check(played: FastTables, i: int, seeds: np.ndarray) -> None:
    """Every tile lies somewhere once, and `Table` plays the same hand."""
    table, order = played.rules.table, played.order[i].tolist()
    position = Position(WallPlan.of(table, len(order)), played.round)
    for event in played.events(i):
        apply(position, event)
    held = Counter({kind: n for kind, n in enumerate(position.tiles()) if n})
    held.update(order[place] for place in undrawn_places(len(order), position.front, position.back))
    assert held == Counter(order), (played.book.id, i)
    bots = [make_bot(LEVEL, int(seed)) for seed in seeds]
    again = play_hand(played.book, wall_drawn(order, (1, 1, 1, 1)), bots, round=played.round)
    assert again.events[1:] == played.events(i), (played.book.id, i)


def measure() -> Iterator[Row]:
    """A row for each book."""
    for name in book_ids():
        load, spent, won, checked = os.getloadavg()[0], 0.0, 0, 0
        begun = time.perf_counter()
        for chunk in range(HANDS // AT_ONCE):
            start = time.process_time()
            seeds = np.random.default_rng(chunk).integers(0, 1 << 40, (AT_ONCE, 4))
            played = FastTables(name, walls(name, AT_ONCE, chunk), seeds, round=chunk % 4, levels=LEVEL).play()
            spent += time.process_time() - start
            wins = played.winners >= 0
            assert (played.points[wins] >= book(name).minimum).all()
            won += int(wins.sum())
            for i in range(CHECKED):
                check(played, i, seeds[i])
                checked += 1
        wall = time.perf_counter() - begun
        yield Row(
            f"{name}: {HANDS:,} hands by {LEVEL}",
            f"{spent:,.0f} s of processor ({HANDS / spent:,.0f} hands/s)",
            f"{won / HANDS:.1%} won; {checked} checked; {wall:,.0f} s with checks at a load of {load:.0f}",
        )
