"""Shapes of a win that only 广东 has, one file each."""

from quepu.rulebooks.canton.shapes import outside, pyramid, scattered, three_quads, two_quads

NAMES = tuple(one.SHAPE.name for one in (pyramid, scattered, two_quads, three_quads, outside))
"""Their names, in the order in which readings are tried."""
