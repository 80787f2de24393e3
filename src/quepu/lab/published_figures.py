"""The file of exact figures shown beside each fan on rulebook pages: `data/rarity-<book>.json`.

quepu lab rarity BOOK --publish recomputes them, in every state, and writes the file
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import quepu
from quepu.fast.universe.census import Census, Progress
from quepu.fast.universe.standard_hands import STATES, HandState
from quepu.fast.universe.valued import census
from quepu.lab.rarity import least_points, rarity, totals
from quepu.lab.states import all_states, state
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES

MAIN = "closed-each"
"""The state whose shares are shown. It names the winning tile, so that fans of waits have a share, too."""

Watch = Callable[[HandState, int, int], Progress | None]


def figures(book: Rulebook, watch: Watch | None = None, fresh: bool = False) -> dict[str, Any]:
    """Return the figures of a book: every fan's exact counts in the main state, and its least points anywhere."""
    states = all_states(book)
    taken: list[Census] = []
    for n, one in enumerate(states):
        progress = watch(one, n, len(states)) if watch else None
        # a circumstance does not make a special shape cheaper, unless it wins only in this circumstance
        specials = one.key in STATES or one.each or any(SHAPES[shape].needs & one.luck for shape in book.shapes)
        taken.append(census(book, one, specials=specials, progress=progress, fresh=fresh))
    main = next(c for c in taken if c.state.key == MAIN)
    cheapest = {least.name: least for least in least_points(book, taken)}
    all_of_them = totals(main)
    return {
        "book": book.id,
        "fingerprint": book.fingerprint,
        "state": {"key": MAIN, "zh": state(MAIN).text.zh, "en": state(MAIN).text.en},
        "readings": all_of_them.readings,
        "hands": all_of_them.hands,
        "sets": all_of_them.sets,
        "left_out": list(main.left_out),
        "fans": {
            row.name: {
                "readings": row.readings,
                "hands": row.hands,
                "sets": row.sets,
                "share": row.share,
                "least": cheapest[row.name].points,
                "least_state": cheapest[row.name].state,
                "least_hand": cheapest[row.name].example,
            }
            for row in rarity(main)
        },
    }


def path_of(book: Rulebook) -> Path:
    """Return the file of a book's figures (`quepu.rules.measured_figures` reads it)."""
    return Path(quepu.__file__).parent / "data" / f"rarity-{book.id}.json"


def publish(book: Rulebook, watch: Watch | None = None) -> Path:
    """Compute the figures and write them."""
    path = path_of(book)
    lines = json.dumps(figures(book, watch), ensure_ascii=False, indent=1)
    path.write_text(lines + "\n", "utf-8")
    return path
