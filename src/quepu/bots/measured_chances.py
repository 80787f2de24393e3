"""Chances as they came true in each book: a correction of the law that all books share, and when others end hands.

`quepu.bots.chances` has one law for every book. Hands of some books are nearer to a win than those of others, and end
sooner; `data/chances.json` has what was measured of each (`bench/reliability.py --write`): the terms of the law weighed
anew, and the chance that another ends the hand within a turn, by turns left in the wall. Books that were not measured,
house rules too, go by all together.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any, NamedTuple

from quepu.bots.chances import DEEPEST, log_odds
from quepu.rules.rulebook import Rulebook

MOST_HIDDEN = 53
"""Three whole hands and the largest dead wall."""
FARTHEST = 36.0
"""From here on a square would have hopeless hands win again."""
ALL = ""
"""The entry of all books together."""


class MeasuredChances(NamedTuple):
    """Chances measured of a book: the terms of its law, and when others end hands.

    `missing` are constants for hands that lack one tile, two … five and more. The others are weights: of the log-odds
    of the common law and, besides, of their square (up to `FARTHEST`), of log(turns left), of the most melds another
    shows, and of the tiles that are unseen but not in the wall (`hidden`). `ended` are chances that
    another ends the hand within a turn, by turns left: the first is that of the last turn.
    """

    missing: tuple[float, ...]
    law: float
    square: float
    turns: float
    melds: float
    hidden: float
    ended: tuple[float, ...]

    def chance(self, missing: int, ways: float, unseen: int, turns: float, shown: int) -> float:
        """The chance to win, as `quepu.bots.chances.chance` but in this book."""
        if ways <= 0:
            return 0.0
        law = log_odds(missing, ways, unseen, turns, shown)
        odds = self.missing[min(max(missing, 1), DEEPEST) - 1] + self.law * law + self.square * min(law * law, FARTHEST)
        odds += self.turns * log(turns) + self.melds * shown + self.hidden * hidden(unseen, turns)
        return 1 / (1 + exp(-odds))


WEIGHTS = ("law", "square", "turns", "melds", "hidden")
NOTHING = MeasuredChances((0.0,) * DEEPEST, 1.0, 0.0, 0.0, 0.0, 0.0, (0.0,))
"""Of nothing measured: the law as it is."""


def hidden(unseen: int, turns: float) -> float:
    """The unseen tiles that are not in the wall: what the others hold, and a dead wall."""
    return min(max(unseen - 4 * (turns - 0.5), 0.0), MOST_HIDDEN)


def measured(book: Rulebook) -> MeasuredChances:
    """Return what was measured of a book."""
    found = _all()
    return found.get(book.id.partition("@")[0]) or found.get(ALL, NOTHING)


def from_json(one: dict[str, Any]) -> MeasuredChances:
    """An entry of `data/chances.json`."""
    law, square, turns, melds, hidden = (one[key] for key in WEIGHTS)
    return MeasuredChances(tuple(one["missing"]), law, square, turns, melds, hidden, tuple(one["ended"]))


@cache
def _all() -> dict[str, MeasuredChances]:
    path = files("quepu") / "data" / "chances.json"
    data: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {id: from_json(one) for id, one in data.items()}
