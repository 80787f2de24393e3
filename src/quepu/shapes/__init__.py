"""The shapes of a win, one file each: how a shape is read, its waits, the distance of tiles from it, and so on.

A shape is one value (`quepu.shapes.shape.Shape`), known by its name; a rulebook lists the names of its shapes. A family
with a shape of its own defines it the same way in its own folder.

    shape                                                  the type `Shape`, and the registry
    standard, pairs, any_pairs, orphans, loose, knitted    shapes that more than one family has
    splitting, automaton                                   parts that several shapes share
    readings, distance                                     every reading of a hand; how far it is from a win
"""

from quepu.shapes import any_pairs, knitted, loose, orphans, pairs, standard
from quepu.shapes.shape import NOTHING, SHAPES, Fours, Sets, Shape, Thirteen, Waits, Whole, near_shapes, register

__all__ = [
    "NOTHING",
    "SHAPES",
    "Fours",
    "Sets",
    "Shape",
    "Thirteen",
    "Waits",
    "Whole",
    "any_pairs",
    "knitted",
    "loose",
    "near_shapes",
    "orphans",
    "pairs",
    "register",
    "standard",
]
