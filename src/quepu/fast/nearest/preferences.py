"""Weights for what payable hands are made of; the plain twins are the conditions of `FEATURES` on one hand.

The features are conditions on planes that belong to no rulebook, so a style works with all of them. All hands fall
into few classes of features; those are looked up beside the table of what hands pay (`fast.nearest.payments`).
"""

from __future__ import annotations

import io
import lzma
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quepu.fast import result_cache
from quepu.fast.nearest.gain_files import FOLDER
from quepu.fast.nearest.gain_packing import differences, pack, unpack
from quepu.fast.universe.census import classify_by_pair
from quepu.fast.universe.classes import Signatures
from quepu.fast.universe.compiled_classes import compile_loops
from quepu.fast.universe.hand_index import Array, order
from quepu.fast.universe.standard_hands import MELD_SETS, STATES, Universe
from quepu.folders import cache_folder
from quepu.hands.planes import (
    DRAGONS,
    LANE,
    OUTER,
    OUTER_CHOWS,
    SUIT_TILES,
    WINDS,
    Condition,
    Planes,
    count,
    has_honours,
    mixed,
    only,
    ranks,
    reads,
    run,
    same_rank,
    suits,
    two_suits,
)
from quepu.rules.digest import digest, expression
from quepu.tiles import EAST, KINDS

_MOST_PAID = 1 << 15


def _one_suit(h: Planes) -> Any:
    return suits(h.t1) == 1


def _narrow(h: Planes) -> Any:
    """Return whether all tiles are within the four ranks at one end, or the three in the middle."""
    return only(h, ranks("1234")) | only(h, ranks("6789")) | only(h, ranks("456"))


def _outside(h: Planes) -> Any:
    """Return whether every group has a terminal or honour."""
    return ((h.c1 & ~OUTER_CHOWS) == 0) & ((h.p & ~OUTER) == 0) & ((h.pair & ~OUTER) == 0)


def _five_sorts(h: Planes) -> Any:
    return (suits(h.t1) == 3) & ((h.t1 & WINDS) != 0) & ((h.t1 & DRAGONS) != 0)


FEATURES: dict[str, Condition] = {
    "pungs": lambda h: count(h.p),
    "all_pungs": lambda h: count(h.p) == 4,
    "pure_suit": lambda h: _one_suit(h) & (has_honours(h) ^ 1),
    "half_suit": lambda h: _one_suit(h) & has_honours(h),
    "two_suits": lambda h: suits(h.t1) == 2,
    "five_sorts": _five_sorts,
    "dragons": lambda h: count(h.p & DRAGONS),
    "own_winds": lambda h: count(h.p & (h.seat | h.round)),
    "outer_pungs": lambda h: count(h.p & OUTER),
    "twin_pungs": lambda h: two_suits(h.p) != 0,
    "simples": lambda h: only(h, ranks("2345678")),
    "narrow": _narrow,
    "outside": _outside,
    "all_chows": lambda h: (count(h.p) == 0) & ((h.pair & SUIT_TILES) != 0),
    "straight": lambda h: run(h.c1, 3, 3) != 0,
    "steps": lambda h: (run(h.c1, 3, 1) | run(h.c1, 3, 2)) != 0,
    "mixed_steps": lambda h: mixed(h.c1, 1) != 0,
    "mixed_straight": lambda h: (mixed(h.c1, 3) & 1) != 0,
    "mixed_triple": lambda h: (same_rank(h.c1) & LANE) != 0,
}
"""Features of a hand by name: a truth or a number."""

_PLACE = {name: at for at, name in enumerate(FEATURES)}
_FEATURES_OF = tuple((condition, reads(condition)) for condition in FEATURES.values())


class Preferences(NamedTuple):
    """Weights by which a hand is liked better than its pay. They are powers of two: 1.0 is liked twice as much.

    Attributes:
        likes: features by name with the weight for each time they hold.
        power: exponent of a hand's payment; above 1 large hands are preferred beyond their payment.
        special: weight of hands of other shapes.
    """

    likes: tuple[tuple[str, float], ...] = ()
    power: float = 1.0
    special: float = 0.0


class FeatureClasses(NamedTuple):
    """The hands of a table by their features."""

    numbers: Array  # uint16 [34 * 366 528], in the order of the table
    features: Array  # float64 [classes, features]


class Liking(NamedTuple):
    """Preferences as the tables of a query: the value of a hand is `paid[pay] * factors[numbers[place]]`."""

    numbers: Array  # uint16, as `FeatureClasses.numbers`
    factors: Array  # float64 [classes]
    paid: Array  # float64 [32768], by a hand's payment

    def gain(self, pay: Array, place: Array) -> Array:
        """Return the worth of hands at these places of the table that pay so much: float64, in the shape of both."""
        found: Array = self.paid[pay] * self.factors[self.numbers[place]]
        return found


@lru_cache(2)
def feature_classes(double_wind: bool) -> FeatureClasses:
    """Return the features of every standard hand; the own wind is the first, the round wind the same or the next.

    From the cache folder, where they were found before, or shipped: the same for every book.
    """
    path = features_file(double_wind)
    beside = path.with_name(f"of-{path.name}")
    if (found := _load_stored(path, beside)) is not None:
        return found
    made = _load_shipped(double_wind) or _feature_classes(double_wind)
    result_cache.store(beside, lambda file: np.save(file, made.features))
    result_cache.store(path, lambda file: np.save(file, made.numbers))
    return _load_stored(path, beside) or made


def features_file(double_wind: bool) -> Path:
    """Return the file that they are cached in."""
    return cache_folder() / f"features-{'double' if double_wind else 'single'}-{result_cache.source_print()}.npy"


def _name_shipped(double_wind: bool) -> tuple[Path, Path]:
    """Return the packed files of numbers and of features, named by a hash of the features."""
    features = digest([expression(condition) for condition in FEATURES.values()])
    name = f"features-{'double' if double_wind else 'single'}-{features}.xz"
    return FOLDER / name, FOLDER / f"of-{name}"


def _load_shipped(double_wind: bool) -> FeatureClasses | None:
    numbers, features = _name_shipped(double_wind)
    if not features.is_file() or (found := unpack(numbers)) is None:
        return None
    return FeatureClasses(found, np.load(io.BytesIO(lzma.decompress(features.read_bytes()))))


def ship_features() -> None:
    """Write the shipped files, and remove those of other features."""
    wanted: set[Path] = set()
    single, base = None, ""
    for double_wind in (False, True):
        made = feature_classes(double_wind)
        numbers, features = _name_shipped(double_wind)
        found = differences(np.asarray(made.numbers))
        columns = io.BytesIO()
        np.save(columns, made.features)
        for path, data in ((numbers, pack(found, base, single)), (features, lzma.compress(columns.getvalue()))):
            path.write_bytes(data)
            wanted.add(path)
        single, base = found, numbers.name
    for path in (*FOLDER.glob("features-*.xz"), *FOLDER.glob("of-features-*.xz")):
        if path not in wanted:
            path.unlink()


def _load_stored(numbers: Path, features: Path) -> FeatureClasses | None:
    try:
        found = FeatureClasses(np.load(numbers, mmap_mode="r"), np.load(features))
    except (OSError, ValueError, EOFError):
        return None
    return found if found.numbers.shape == (KINDS * MELD_SETS,) else None


def _feature_classes(double_wind: bool) -> FeatureClasses:
    universe = Universe(STATES["open-discard"], EAST, EAST if double_wind else EAST + 1)
    classes = Signatures(_FEATURES_OF)
    numbers = np.zeros((KINDS, MELD_SETS), np.uint16)
    for kind, index, found in classify_by_pair(classes, universe):
        numbers[kind, index] = found
    if len(classes) > 1 << 16:
        raise ValueError(len(classes))
    h = Planes(*np.array(classes.examples, np.int64).T)
    columns = [np.broadcast_to(np.asarray(condition(h)), len(classes)) for condition, _ in _FEATURES_OF]
    return FeatureClasses(numbers[:, order()].reshape(-1), np.stack(columns, axis=1).astype(np.float64))


def compile_features() -> None:
    """Have the loops compiled (or loaded) by which features are found; not where they are shipped or in their files."""
    if not all(_is_found(double_wind) for double_wind in (False, True)):
        compile_loops(Signatures(_FEATURES_OF))


def _is_found(double_wind: bool) -> bool:
    path = features_file(double_wind)
    files = path, path.with_name(f"of-{path.name}")
    return all(file.is_file() for file in files) or all(file.is_file() for file in _name_shipped(double_wind))


@lru_cache(64)
def liking(preferences: Preferences, double_wind: bool) -> Liking:
    """Return the tables of a query for these preferences.

    Raises:
        KeyError: unknown feature.
    """
    of = feature_classes(double_wind)
    weights = np.zeros(len(FEATURES))
    for name, weight in preferences.likes:
        weights[_PLACE[name]] = weight
    return Liking(of.numbers, 2.0 ** (of.features @ weights), paid(preferences.power))


def by_pay(preferences: Preferences, points: Array) -> Liking:
    """Return the same where no feature is liked: nothing is looked up but the table of pays."""
    return Liking(points, _alike(), paid(preferences.power))


@lru_cache(1)
def _alike() -> Array:
    return np.ones(1 << 16)


@lru_cache(64)
def paid(power: float) -> Array:
    """Return the worth of every pay before features count: float64 [32768]."""
    return np.arange(_MOST_PAID, dtype=np.float64) ** power
