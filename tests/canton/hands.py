"""Scoring in one line, for the tests of 广东."""

from __future__ import annotations

from typing import Any

import quepu
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score


def score(hand: str, circumstances: str = "", rules: str | Rulebook = "canton", **given: Any) -> Score:
    """The score of a hand; circumstances with spaces between; the seat is S unless told."""
    given.setdefault("seat", "S")
    named = circumstances.split()
    return quepu.score(hand, rules=rules, circumstances=named, **given)


def fans(hand: str, circumstances: str = "", rules: str | Rulebook = "canton", **given: Any) -> dict[str, int]:
    """What counts and how often, but for 无花 (no flowers), which is everywhere."""
    return {f.name: f.count for f in score(hand, circumstances, rules, **given).fans if f.name != "无花"}


def dropped(hand: str, circumstances: str = "", **given: Any) -> set[str]:
    """What held in the best reading and does not count."""
    found = score(hand, circumstances, **given)
    return {found.book.fans[d.row].name for d in found.book.explain_tally(found.best.h).dropped}
