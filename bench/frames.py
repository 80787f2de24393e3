"""Score the rows of a frame of pandas, polars or Arrow, next to the same rows as numpy arrays."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
from run import Row, compare

import quepu
from quepu.batch import from_hands
from quepu.hands.notation import write
from quepu.rulebooks import book
from quepu.scoring.samples import wins

DRAWN = 50
"""One hand out of so many is won with the last tile of the wall."""


def frames(number: int = 1_000_000, name: str = "guobiao-mcr") -> Iterator[Row]:
    """Score a million hands with seat, round, self-draw and circumstances; points alone.

    The ratio is to the same texts in arrays; next to it is the one to counts, which are read from no text.
    """
    pick, rules = random.Random(1), book(name)
    hands = list(wins(rules, number // 10, seed=4))
    texts = [write(hand) for hand in hands] * 10
    columns: dict[str, list[Any]] = {
        "hand": texts,
        "seat": pick.choices("ESWN", k=number),
        "round": pick.choices("ESWN", k=number),
        "self_draw": [pick.random() < 0.4 for _ in range(number)],
    }
    last = "妙手回春"
    columns["circumstances"] = [last if own and pick.random() < 1 / DRAWN else "" for own in columns["self_draw"]]
    counted = from_hands(hands)
    counts = np.tile(counted.counts, (10, 1))
    melds = None if counted.meld_array is None else np.tile(counted.meld_array, (10, 1, 1))
    arrays: dict[str, Any] = {
        "melds": melds, "winning": np.tile(counted.winning, 10),
        "seat": np.array([27 + "ESWN".index(seat) for seat in columns["seat"]]),
        "round": np.array([27 + "ESWN".index(wind) for wind in columns["round"]]),
        "luck": np.array([int(own) | 8 * (some != "") for own, some in
                          zip(columns["self_draw"], columns["circumstances"], strict=True)]),
    }  # fmt: skip

    def of(frame: Any) -> Callable[[int], int]:
        around = {column: frame[column] for column in columns if column != "hand"}
        return lambda _: len(quepu.score_many(frame["hand"], rules, fans=False, reading=False, **around))

    given: dict[str, Any] = {column: np.array(some, object) for column, some in columns.items()}
    given |= {"seat": arrays["seat"], "round": arrays["round"], "self_draw": np.array(columns["self_draw"])}
    works = {
        "texts in numpy arrays": of(given),
        "counts in numpy arrays": lambda _: len(quepu.score_many(counts, rules, fans=False, reading=False, **arrays)),
        "pandas frame": of(pandas.DataFrame(columns)),
        "polars frame": of(polars.DataFrame(columns)),
        "Arrow table": of(pyarrow.table(columns)),
    }
    peers = ["texts in numpy arrays", "counts in numpy arrays"]
    yield from compare(works, peers, turns=3, note=f"{name}, {number:,} rows each turn")
