"""The conditions of a book on arrays of readings; the plain twin is `quepu.rules.rulebook.Rulebook.detect`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import Gathered
from quepu.hands.planes import Planes
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook


def whole(x: Any, n: int) -> NDArray[Any]:
    """Return the value of a condition for n readings as an array, even if it is the same for all."""
    return x if isinstance(x, np.ndarray) and x.shape == (n,) else np.broadcast_to(np.asarray(x), (n,))


def narrow(x: NDArray[Any]) -> NDArray[np.uint8]:
    """Return counts as uint8; no row counts as often as the highest of them."""
    return x if x.dtype == np.uint8 else np.minimum(x, 255).astype(np.uint8)


def row_counts(book: Rulebook, h: Any, n: int) -> list[NDArray[Any]]:
    """Evaluate every row of a book on n readings.

    Returns:
        For each row how often it holds (bool or uint8 [n]); for a row of EACH place, the plane of its places (int64).
    """
    found = []
    for fan in book.fans:
        x = whole(fan.when(h), n)
        found.append(x if fan.of == EACH or x.dtype == np.bool_ else narrow(x))
    return found


def one(h: Any, at: int) -> Planes:
    """Return the planes of one reading out of many, as ints."""
    if isinstance(h, Gathered):
        return Planes(*(h.at(name, at) for name in Planes._fields))
    fields = (getattr(h, name) for name in Planes._fields)
    return Planes(*(int(x[at]) if isinstance(x, np.ndarray) else int(x) for x in fields))


def planes_at(h: Any, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the planes of some readings: int64 [n, planes]."""
    fields = (getattr(h, name) for name in Planes._fields)
    columns = [x[places] if isinstance(x, np.ndarray) else np.full(len(places), int(x)) for x in fields]
    return np.stack(columns, axis=1).astype(np.int64, copy=False)
