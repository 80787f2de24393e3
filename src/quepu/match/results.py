"""Results of hands as logs have them, beside what playing the hand again comes to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from quepu.rules.play_rules import Ending, Payment
from quepu.table.events import Event, FlowerSetAside, KongAdded, KongConcealed, Won


def alike(some: Iterable[Payment], others: Iterable[Payment]) -> bool:
    """Whether the same is paid by the same to the same, whatever words give the reason."""
    return [payment[:3] for payment in some] == [payment[:3] for payment in others]


def unlike(ending: Ending, data: dict[str, Any]) -> tuple[str, str]:
    """Return what is different about a settlement."""
    points = points_of(data)
    if ending.winner is not None and points is not None and points != ending.points:
        return f"今天计 {ending.points}，当时 {points}。", f"it scores {ending.points} today, {points} then."
    if ending.winner is None:
        return "流局的收付与今天的算法不同。", "today other payments would be made for a drawn hand."
    return (
        f"今天计 {ending.points}，当时的收付不同。",
        f"it scores {ending.points} today; other payments were made then.",
    )


def points_of(data: dict[str, Any]) -> int | None:
    """Return what a win was worth, where the log says it (since format 2)."""
    return int(data["won"]["points"]) if "won" in data else None


def as_then(ending: Ending, data: dict[str, Any]) -> Ending:
    """The ending with the points of then; what they were made of today is none of it."""
    points = data["won"]["points"] if "won" in data else ending.points
    return ending if points == ending.points else ending._replace(points=int(points), score=None)


def ending_of(events: Sequence[Event], data: dict[str, Any]) -> Ending:
    """Return how a hand ended, from its events alone."""
    for before, won in pairwise(events):
        if isinstance(won, Won):
            robbed = won.giver is not None and isinstance(before, KongAdded | KongConcealed | FlowerSetAside)
            return Ending(won.seat, points_of(data) or 0, won.giver is None, won.giver, robbed)
    return Ending()
