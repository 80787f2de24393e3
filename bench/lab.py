"""Enumerate every winning hand of a book, sort them into classes and score them, each book in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator

from bots import process
from run import Row

from quepu.rulebooks import book_ids

EVERY = """
import json, sys, time
from quepu.rulebooks import book
rules = book(sys.argv[1])
begun = time.process_time()
from quepu.fast.universe.classed import class_universe, conditions_of
from quepu.fast.universe.revised_classes import FiguredClasses
from quepu.fast.universe.census import classify
from quepu.fast.universe.standard_hands import STATES, Universe
classes = FiguredClasses(rules)
hands = sum(len(index) for _, index, _ in classify(classes, Universe(STATES["closed-draw"])))
points = classes.points  # values are made when they are first asked for
scored = time.process_time()
found = class_universe(conditions_of(rules), STATES["closed-discard"])
sorted_by = time.process_time()
print(json.dumps([hands, len(classes), scored - begun, len(found.examples), sorted_by - scored,
                  peak()]))
"""


def lab() -> Iterator[Row]:
    """Score every standard hand drawn closed, and sort every hand of every shape won closed by discard."""
    for name in book_ids():
        hands, signatures, scoring, classes, sorting, memory = process(EVERY, name, OMP_NUM_THREADS="1")
        note = f"{hands:,} hands, {signatures:,} signatures; suit tables and universe included"
        yield Row(f"{name}: every standard hand scored", scoring, note=note)
        note = f"{classes:,} classes; {memory:.0f} MiB at most; compiled code on disk"
        yield Row(f"{name}: every hand of every shape into classes", sorting, note=note)
