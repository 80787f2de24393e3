"""The start of an episode, as a user gives it: a seed's round, a wall, a table that stands somewhere, or a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quepu.errors import near_names
from quepu.match import Replay
from quepu.match.starts import StartError
from quepu.table import Table, Wall


class Start(NamedTuple):
    """The start of an episode, as `reset(options=…)` takes it.

    `round` is the round wind of a hand from a seed or a wall; `wall` deals that wall; `table` continues a copy of it;
    `log` (a file, its text or a Replay) continues `hand` (from 1) after `steps` steps; `scores` are the points of the
    seats so far (None: those of the log, or the starting points of a match).
    """

    round: int = 0
    wall: Wall | None = None
    table: Table | None = None
    log: str | Path | Replay | None = None
    hand: int = 1
    steps: int = 0
    scores: tuple[int, int, int, int] | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any] | None) -> Start:
        """From a mapping; names that are like none of these are left alone.

        Raises:
            StartError: a name is nearly one of these, two of them contradict each other, or one is nothing that can be.
        """
        given = dict(options or {})
        fields = dict(zip(cls._fields, cls._fields, strict=True))
        for name in [name for name in given if name not in cls._fields]:
            del given[name]  # a wrapper's own, unless it looks like one of ours
            if near_names(name, fields, cutoff=0.7):
                listed = ", ".join(cls._fields)
                raise StartError(
                    f"reset 没有选项“{name}”，可用：{listed}。",
                    f"unknown reset option {name!r}; expected one of: {listed}.",
                )
        made = cls(**given)
        for name, kinds in _KINDS.items():
            one = getattr(made, name)
            if one is not None and not isinstance(one, kinds):
                zh, en = " 或 ".join(kind.__name__ for kind in kinds), " or ".join(kind.__name__ for kind in kinds)
                raise StartError(
                    f"{name} 应是 {zh}，不是 {type(one).__name__}。", f"{name} must be {en}, not {type(one).__name__}."
                )
        if sum(one is not None for one in (made.wall, made.table, made.log)) > 1:
            raise StartError("wall、table、log 只能给一个。", "only one of wall, table and log can be given.")
        made = made._replace(hand=check_whole(made.hand, "hand"), steps=check_whole(made.steps, "steps"))
        if made.round not in range(4) or not isinstance(made.round, int | np.integer):
            raise StartError(
                f"round 是 0 东 … 3 北，不是 {made.round!r}。", f"round is 0 East … 3 North, not {made.round!r}."
            )
        if made.steps < 0:
            raise StartError(f"steps 不能是 {made.steps}。", f"steps cannot be {made.steps}.")
        fits = {"round": made.log is None and made.table is None, "hand": made.log is not None}
        fits["steps"], fits["scores"] = fits["hand"], made.log is None
        made = made._replace(scores=None if made.scores is None else _four(made.scores))
        for name in given:
            if not fits.get(name, True) and getattr(made, name) != cls._field_defaults[name]:
                raise StartError(
                    f"{name} 不能这样给：从哪里开始已由别的选项定下。",
                    f"{name} cannot be given beside the other options.",
                )
        return made


_KINDS: dict[str, tuple[type, ...]] = {"wall": (Wall,), "table": (Table,), "log": (str, Path, Replay)}
_MOST_POINTS = (1 << 24) - 1  # that the encodings hold


def check_whole(given: object, name: str) -> int:
    """A whole number of a user.

    Raises:
        StartError: it is none.
    """
    try:
        if isinstance(given, bool):
            raise TypeError
        return index(given)  # type: ignore[arg-type]  # what is none is refused
    except TypeError:
        raise StartError(
            f"{name} 应是整数，不是 {given!r}。", f"{name} must be a whole number, not {given!r}."
        ) from None


def check_seed(given: object) -> int:
    """Return a seed of a user: a whole number from 0, as Gymnasium has them.

    Raises:
        StartError: it is not one.
    """
    seed = check_whole(given, "seed")
    if seed < 0:
        raise StartError(f"seed 应是非负整数，不是 {seed}。", f"seed must be 0 or more, not {seed}.")
    return seed


def _four(scores: Sequence[int]) -> tuple[int, int, int, int]:
    """The points of four seats.

    Raises:
        StartError: they are none, or more than an observation holds.
    """
    found = [check_whole(one, "scores") for one in scores] if isinstance(scores, Sequence | np.ndarray) else []
    if len(found) != 4 or max(map(abs, found)) > _MOST_POINTS:
        raise StartError(
            f"scores 应是四个整数，各不超过 ±{_MOST_POINTS}。",
            f"scores must be four whole numbers up to ±{_MOST_POINTS}.",
        )
    return found[0], found[1], found[2], found[3]
