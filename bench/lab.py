"""Every decomposed standard hand (11 580 567) enumerated and fully scored, a book at a time, one core, own process.

A figure has everything in it: suit tables, the universe, the rows on every hand, values once a signature. Loops of
numba come from the cache (the first time a book is taken they are compiled, two to three seconds more).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from rows import Row

from quepu.rulebooks import book_ids

_WORK = """
import os, sys, time, json, resource
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
from quepu.rulebooks import book
rules = book(sys.argv[1])
begun = time.process_time()
from quepu.fast.universe.revised_classes import FiguredClasses
from quepu.fast.universe.census import classify
from quepu.fast.universe.standard_hands import STATES, Universe
universe = Universe(STATES[sys.argv[2]])
ready = time.process_time()
classes = FiguredClasses(rules)
hands = sum(len(index) for _, index, _ in classify(classes, universe))
points = classes.points  # values are made when somebody looks at them
done = time.process_time()
print(json.dumps({"hands": hands, "classes": len(classes), "enumerate": ready - begun, "score": done - ready,
                  "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""
_SORTED = """
import os, sys, time, json, resource
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
from quepu.rulebooks import book
rules = book(sys.argv[1])
begun = time.process_time()
from quepu.fast.universe.classed import class_universe, conditions_of
from quepu.fast.universe.standard_hands import STATES
found = class_universe(conditions_of(rules), STATES["closed-discard"])
print(json.dumps({"seconds": time.process_time() - begun, "classes": len(found.examples),
                  "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def measure() -> Iterator[Row]:
    """Two rows a book."""
    for name in book_ids():
        sorted_once = min((_once(name, _SORTED) for _ in range(2)), key=lambda found: found["seconds"])
        yield Row(
            f"{name}: every hand of a state and of every shape into classes",
            f"{sorted_once['seconds']:.1f} s",
            f"closed, by discard; {sorted_once['classes']:,} classes, {sorted_once['mib']:.0f} MiB",
        )
        best = min((_once(name) for _ in range(2)), key=lambda found: found["enumerate"] + found["score"])
        whole = best["enumerate"] + best["score"]
        yield Row(
            f"{name}: {best['hands']:,} hands, {best['classes']:,} signatures",
            f"{whole:.1f} s",
            f"{best['enumerate']:.1f} s tables and universe, {best['score']:.1f} s scoring; {best['mib']:.0f} MiB",
        )


def _once(name: str, work: str = _WORK) -> dict[str, float]:
    out = subprocess.run(
        [sys.executable, "-c", work, name, "closed-draw"], capture_output=True, text=True, check=True
    ).stdout
    found: dict[str, float] = json.loads(out)
    return found
