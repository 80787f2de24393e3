"""Points of the fans that hold: the three kinds of arithmetic, for many readings at once."""

from __future__ import annotations

from quepu.fast.weighing.additive import AdditiveWeighing
from quepu.fast.weighing.product import ProductWeighing
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.rules.rulebook import Rulebook

Weighing = AdditiveWeighing | ProductWeighing | ResidueWeighing


def weighing_of(book: Rulebook) -> Weighing | None:
    """Build the weighing of a book, or return None if its arithmetic is of another kind."""
    return AdditiveWeighing.of(book) or ProductWeighing.of(book) or ResidueWeighing.of(book)
