"""The figures about fans that the package carries, so that a rulebook can be read with them and without numpy.

    python -m quepu.lab.kept > src/quepu/data/rarity.json

The file names each book's fingerprint; figures of another book, or of an older edition of the same, are not shown.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from quepu.lab.rarity import least_points, rarity, totals
from quepu.lab.states import all_states, state
from quepu.lab.store import census
from quepu.rulebook import Rulebook
from quepu.rulebooks import book, book_ids

STATE = "closed-discard"
"""The state in which commonness is told: all concealed, won by discard, east in the east round."""


def figures(rules: Rulebook) -> dict[str, Any]:
    """For each fan its share among the tile sets of all wins, and the fewest points of a hand that counts it."""
    plain = census(rules, state(STATE))
    least = {one.name: one for one in least_points(rules, (census(rules, one) for one in all_states(rules)))}
    fans = {}
    for one in rarity(plain):
        cheapest = least[one.name]
        fans[one.name] = {
            "share": one.share if one.sets else None,
            "sets": one.sets,
            "least": cheapest.points,
            "least_hand": cheapest.example,
        }
    return {"fingerprint": rules.fingerprint, "state": STATE, "sets": totals(plain).sets, "fans": fans}


def document(ids: Iterable[str]) -> str:
    """The whole file, the same for the same rulebooks."""
    return json.dumps({name: figures(book(name)) for name in ids}, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document(sys.argv[1:] or book_ids()))
