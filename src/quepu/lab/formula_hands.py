"""Hands for which a formula holds, out of every hand, and hands that nearly do: what an author sees while writing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import planes_at
from quepu.fast.universe.classed_cache import classed_for
from quepu.fast.universe.limits import limits_of
from quepu.fast.universe.standard_hands import HandState, Universe
from quepu.hands.planes import Condition, Planes, count
from quepu.lab.hand_text import reading_text
from quepu.rules.rulebook import Rulebook

MOST_SHOWN = 3
_FAR = 99
_COPIES = [Planes._fields.index(f"t{n}") for n in range(1, 5)]


class FormulaHands(NamedTuple):
    """The ways to take a standard hand apart in which a condition holds, out of all; some hands, and near misses."""

    readings: int
    of: int
    matches: list[str]
    near: list[str]


def formula_hands(book: Rulebook, when: Condition, state: HandState) -> FormulaHands:
    """Ask a condition about every way to take a standard hand apart, and about the other shapes of the book."""
    universe = Universe(state, limits=limits_of(book))
    readings = of = 0
    found: list[NDArray[Any]] = []
    for kind, melds in universe.pairs():
        held = np.flatnonzero(ask_condition(when, universe.block(kind, melds), len(melds)))
        readings, of = readings + len(held), of + len(melds)
        if len(held):
            some = melds[held[np.linspace(0, len(held) - 1, min(MOST_SHOWN, len(held))).astype(int)]]
            found.append(planes_at(universe.block(kind, some), np.arange(len(some))))
    others = example_planes(book, state)
    here = ask_condition(when, Planes(*others.T), len(others))
    found.append(others[here])
    matches, nearly = np.concatenate(found), others[~here]
    matches = matches[np.linspace(0, len(matches) - 1, min(MOST_SHOWN, len(matches))).astype(int)]
    return FormulaHands(readings, of, *write_examples(matches, nearly))


def example_planes(book: Rulebook, state: HandState) -> NDArray[Any]:
    """Return the planes of one hand of every kind that the book tells apart, of all its shapes."""
    classed = classed_for((book,), state)
    return np.concatenate([classed.examples, *(part.several.examples for part in classed.parts.values())])


def ask_condition(when: Condition, h: Any, n: int) -> NDArray[np.bool_]:
    """Return for each of n readings whether a condition holds."""
    return np.broadcast_to(np.asarray(when(h)) != 0, (n,))


def write_examples(matches: NDArray[Any], others: NDArray[Any]) -> tuple[list[str], list[str]]:
    """Write hands, and for each the one of the others that is the fewest tiles away."""
    near: dict[int, None] = {}
    for one in matches if len(others) else ():
        apart = sum(count(others[:, n] ^ one[n]) for n in _COPIES)
        near[int(np.argmin(np.where(apart == 0, _FAR, apart)))] = None  # not the same tiles, taken apart otherwise
    return (
        [reading_text(Planes(*one.tolist())) for one in matches],
        [reading_text(Planes(*others[at].tolist())) for at in near],
    )
