"""Counts of each row of a book in many readings, as arrays; rows that read few planes are looked up."""

from __future__ import annotations

from typing import Any

import numpy as np

from quepu.fast.arrays.plane_cache import PlaneCache, families, narrow, whole
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook

Array = Any


class Held:
    """The conditions of one book's rows."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        plain = [(i, fan.reads) for i, fan in enumerate(book.fans) if fan.of != EACH]
        self.cached = [
            (PlaneCache(planes, [book.fans[i].when for i in rows]), rows) for planes, rows in families(plain)
        ]
        self._tables = [narrow(cached.values) for cached, _ in self.cached]
        self.computed = set(range(len(book.fans))) - {i for _, rows in self.cached for i in rows}

    def of(self, h: Any, n: int) -> list[Array]:
        """Counts of each row (bool or uint8), or the plane of the places where it holds (int64): [n] each."""
        held: list[Any] = [None] * len(self.book.fans)
        for k, (cached, rows) in enumerate(self.cached):
            number = cached.numbers(h, n)
            if self._tables[k].shape[1] < cached.values.shape[1]:
                self._tables[k] = narrow(cached.values)
            for i, values in zip(rows, self._tables[k], strict=True):
                held[i] = values.take(number)
        for i in self.computed:
            fan = self.book.fans[i]
            x = whole(fan.when(h), n)
            held[i] = x if fan.of == EACH or x.dtype == np.bool_ else narrow(x)
        return held
