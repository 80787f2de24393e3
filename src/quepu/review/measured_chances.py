"""Chances as they came true in each book: a correction of the law that all books share, and when others end hands.

`quepu.bots.chances` has one law for every book. Hands of some books are nearer to a win than those of others, and end
sooner; `data/chances.json` has what was measured of each (`bench/reliability.py --write`): the correction, as a line of
log-odds with a bend at one half, and the chance that another ends the hand within a turn, by turns left in the wall.
Books that were not measured, house rules too, go by all together.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any, NamedTuple

from quepu.rules.rulebook import Rulebook

ALL = ""
"""The entry of all books together."""


class MeasuredChances(NamedTuple):
    """Chances measured of a book: the correction (constant, slope, more slope above one half), and `ended`.

    `ended` are chances that another ends the hand within a turn, by turns left: the first is that of the last turn.
    """

    line: tuple[float, float, float]
    ended: tuple[float, ...]

    def corrected(self, chance: float) -> float:
        """A chance of the common law as it came true."""
        if not 0 < chance < 1:
            return chance
        odds = log(chance / (1 - chance))
        constant, slope, more = self.line
        return 1 / (1 + exp(-(constant + slope * odds + more * max(0.0, odds))))


NOTHING = MeasuredChances((0.0, 1.0, 0.0), (0.0,))
"""Of nothing measured: the law as it is."""


def measured(book: Rulebook) -> MeasuredChances:
    """Return what was measured of a book."""
    found = _all()
    return found.get(book.id.partition("@")[0]) or found.get(ALL, NOTHING)


@cache
def _all() -> dict[str, MeasuredChances]:
    path = files("quepu") / "data" / "chances.json"
    data: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {
        id: MeasuredChances((one["line"][0], one["line"][1], one["line"][2]), tuple(one["ended"]))
        for id, one in data.items()
    }
