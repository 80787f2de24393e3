"""Decisions of hands as rows, which are complete once it is known how the hand ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from quepu.rl import action_numbers
from quepu.rl.decision_files import COLUMNS
from quepu.rl.encodings import Array, EncodingName, encoding_of
from quepu.rl.writer import TableWriter
from quepu.rules.play_rules import Ending
from quepu.table import Action, Table


class DecisionRows:
    """Decisions of one hand, until it is known how it ended."""

    def __init__(self, encoding: EncodingName) -> None:
        self.encoding = encoding_of(encoding)
        self.columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        self.open: list[int] = []

    def begin(
        self, table: Table, scores: Sequence[int] = (0, 0, 0, 0), place: Sequence[int] = (1, 0, 0)
    ) -> TableWriter:
        """A hand begins."""
        self.open = []
        return TableWriter(self.encoding.name, table, scores, place)

    def add(self, table: Table, writer: TableWriter, seat: int, chosen: Action) -> None:
        """Record a seat's decision, if it had a choice."""
        options = action_numbers.number_options(table.options(seat))
        number = action_numbers.number(chosen)
        if len(options) < 2 or number not in options:
            return
        writer.follow()
        mask = np.zeros(action_numbers.COUNT, np.uint8)
        mask[list(options)] = 1
        self.columns["observation"].append(writer.observe(seat))
        self.columns["mask"].append(np.packbits(mask))
        self.columns["action"].append(number)
        self.open.append(seat)

    def end(self, hand: int, ending: Ending, points: Sequence[int]) -> None:
        """Record how the hand ended."""
        columns = self.columns
        for seat in self.open:
            columns["hand"].append(hand)
            columns["seat"].append(seat)
            columns["points"].append(points[seat])
            columns["won"].append(seat in ending.seats)
            columns["dealt_in"].append(ending.discarder == seat)
            columns["drawn_hand"].append(not ending.winners)
        self.open = []

    def give_up(self) -> None:
        """Leave out a hand that did not end."""
        for name in ("observation", "mask", "action"):
            del self.columns[name][len(self.columns[name]) - len(self.open) :]
        self.open = []

    def arrays(self) -> dict[str, Array]:
        """The columns."""
        n = len(self.columns["action"])
        shapes = {"observation": (n, *self.encoding.shape), "mask": (n, (action_numbers.COUNT + 7) // 8)}
        kinds = {"observation": self.encoding.dtype, "mask": np.uint8, "action": np.int16, "hand": np.int32}
        kinds |= {"seat": np.int8, "points": np.int32}
        return {
            name: np.array(column, kinds.get(name, np.bool_)).reshape(shapes.get(name, (n,)))
            for name, column in self.columns.items()
        }


def join_parts(parts: Iterable[dict[str, Array]]) -> dict[str, Array]:
    """Return the columns of some parts, one after the other."""
    found = list(parts)
    return {name: np.concatenate([part[name] for part in found]) for name in COLUMNS}
