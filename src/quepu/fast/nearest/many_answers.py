"""Distances, useful tiles, waits and discards of many hands, as arrays; their plain twin is `scoring.waits.Outlook`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error
from quepu.fast.nearest.many_input import HandRows
from quepu.rules.rulebook import Rulebook
from quepu.shapes.automaton import FAR
from quepu.tiles import BIT, KINDS, NAMES


@dataclass(frozen=True, eq=False)
class _Many:
    book: Rulebook
    valid: NDArray[np.bool_]
    errors: dict[int, Error] = field(repr=False)

    def __len__(self) -> int:
        return len(self.valid)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.book.id!r}: {len(self)} hands, {len(self.errors)} errors)"


@dataclass(frozen=True, eq=False, repr=False)
class Shantens(_Many):
    """Steps of N hands from ready: 0 ready, -1 complete; 14 where no shape is within reach, or a hand is not valid."""

    shanten: NDArray[np.int8]

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each hand, as a DataFrame takes them."""
        return {"valid": self.valid, "shanten": self.shanten}


@dataclass(frozen=True, eq=False, repr=False)
class Useful(Shantens):
    """The same, and which `kinds` bring each hand nearer."""

    planes: NDArray[np.int64]
    _given: HandRows
    _seen: NDArray[np.int64]

    @cached_property
    def left(self) -> NDArray[np.int64]:
        """Copies of each kind that are neither in a hand nor seen: int64 [N, 34]."""
        return np.maximum(left_of(self._given, self._seen), 0)

    @property
    def kinds(self) -> NDArray[np.bool_]:
        """Whether a kind brings a hand nearer: bool [N, 34]."""
        return kinds_of_planes(self.planes)

    @property
    def tiles(self) -> NDArray[np.int64]:
        """Number of tiles that bring each hand nearer: int64 [N]."""
        found: NDArray[np.int64] = np.where(self.kinds, self.left, 0).sum(axis=1)
        return found

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each hand, as a DataFrame takes them."""
        return {**super().to_dict(), "useful": _texts(self.kinds), "tiles": self.tiles}


@dataclass(frozen=True, eq=False, repr=False)
class Waits(Useful):
    """The same of thirteen tiles each. Of those that are ready, the useful kinds are the waits.

    `dead` are kinds that would complete a hand if it did not hold all four copies itself. All waits of all hands stand
    in columns, one entry each: the number of the hand in `rows`, and the `tile`; with points also `by_discard` and
    `by_self_draw` (-1: the circumstances allow no such win), and whether it `can_win` at least one way.
    """

    dead_planes: NDArray[np.int64]
    rows: NDArray[np.int64]
    tile: NDArray[np.int64]
    by_discard: NDArray[np.int64] | None = None
    by_self_draw: NDArray[np.int64] | None = None
    can_win: NDArray[np.bool_] | None = None

    @property
    def ready(self) -> NDArray[np.bool_]:
        """Whether a hand is ready: bool [N]."""
        found: NDArray[np.bool_] = self.valid & (self.shanten == 0)
        return found

    @property
    def dead(self) -> NDArray[np.bool_]:
        """Whether a kind is a dead wait of a hand: bool [N, 34]."""
        return kinds_of_planes(self.dead_planes)

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each wait, as a DataFrame takes them."""
        made: dict[str, NDArray[Any]] = {
            "hand": self.rows, "tile": np.array(NAMES)[self.tile], "left": self.left[self.rows, self.tile]
        }  # fmt: skip
        for name in ("by_discard", "by_self_draw", "can_win"):
            if getattr(self, name) is not None:
                made[name] = getattr(self, name)
        return made


@dataclass(frozen=True, eq=False, repr=False)
class Discards(_Many):
    """Distances after each discard out of fourteen tiles: `shanten`, int8 [N, 34], with FAR for kinds not held.

    `planes` are the kinds that bring the other thirteen nearer, int64 [N, 34].
    """

    shanten: NDArray[np.int8]
    planes: NDArray[np.int64]
    _given: HandRows
    _seen: NDArray[np.int64]

    @cached_property
    def left(self) -> NDArray[np.int64]:
        """Copies of each kind that are neither in a hand nor seen: int64 [N, 34]."""
        return np.maximum(left_of(self._given, self._seen), 0)

    @property
    def tiles(self) -> NDArray[np.int64]:
        """Number of tiles that help after each discard: int64 [N, 34]."""
        found = np.zeros(self.planes.shape, np.int64)
        for kind in range(KINDS):
            found += (self.planes >> _PLACES[kind] & 1) * self.left[:, kind, None]
        return found

    @property
    def best(self) -> NDArray[np.int64]:
        """The discard of each hand that leaves it nearest, with the most tiles that help among those: int64 [N]."""
        found: NDArray[np.int64] = np.argmin(self.shanten.astype(np.int64) * 1000 - self.tiles, axis=1)
        return found

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each discard of each hand, best first, as a DataFrame takes them."""
        tiles = self.tiles
        rows, kinds = np.nonzero(self.shanten < FAR)
        order = np.lexsort((kinds, -tiles[rows, kinds], self.shanten[rows, kinds], rows))
        rows, kinds = rows[order], kinds[order]
        return {
            "hand": rows, "discard": np.array(NAMES)[kinds], "shanten": self.shanten[rows, kinds],
            "useful": _texts(kinds_of_planes(self.planes[rows, kinds])), "tiles": tiles[rows, kinds],
        }  # fmt: skip


def left_of(rows: HandRows, view: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the copies of each kind outside hand and view, int64 [N, 34]; below 0 where more than four are in view."""
    left = 4 - rows.counts.astype(np.int64) - view
    for slot in range(rows.melds.shape[1]):
        kinds, tiles = (rows.melds[:, slot, column].astype(np.int64) for column in (0, 1))
        for more in range(3):
            which = np.flatnonzero((kinds == 0) | ((kinds > 0) & (more == 0)))
            copies = np.where(kinds[which] > 1, 4, np.where(kinds[which] == 1, 3, 1))
            np.subtract.at(left, (which, np.clip(tiles[which] + more, 0, KINDS - 1)), copies)
    return left


_PLACES = [bit.bit_length() - 1 for bit in BIT]


def kinds_of_planes(planes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return planes as bool [N, 34]."""
    bits = np.unpackbits(np.ascontiguousarray(planes).view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    return bits[:, _PLACES].view(np.bool_)


def _texts(kinds: NDArray[np.bool_]) -> NDArray[Any]:
    """The names of the kinds of each hand, as a column of texts."""
    return np.array([" ".join(NAMES[kind] for kind in np.flatnonzero(row)) for row in kinds], object)
