"""Scores of many hands, and how a notebook shows them; the plain twin is `quepu.scoring.score.Score`."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, Text, language
from quepu.hands.drawing import table_html
from quepu.rules.rulebook import Rulebook

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of N hands, as arrays; entry i is hand i.

    Attributes:
        book: the rulebook.
        valid: bool [N]; where it is False the hand is not a win or could not be read, and everything else is 0.
        points: int32 [N], towards the minimum; `total` has bonus fans and flowers too.
        total: int32 [N].
        fans: uint8 [N, fans of the book], how often each counts, or None if not requested.
        reading: planes of the best reading, int64 [N] each (c1 … c4, p, pc, pair, form, place), or None.
        errors: sentences for hands that are not valid, by hand number in their order (of an array
            those that cannot be hands; a row of as many tiles as a win has, and no win, has none).
    """

    book: Rulebook
    valid: Array
    points: Array
    total: Array
    fans: Array | None = None
    reading: dict[str, Array] | None = None
    errors: dict[int, Error] = field(default_factory=dict)

    @property
    def can_win(self) -> Array:
        """Whether the points reach the book's minimum: bool [N]."""
        return self.valid & (self.points >= self.book.minimum)

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        pairs = [(getattr(self, name), getattr(other, name)) for name in ("valid", "points", "total", "fans")]
        own, others = self.reading or {}, other.reading or {}
        pairs += [(own.get(name), others.get(name)) for name in {*own, *others}]
        return self.book == other.book and all(np.array_equal(one, two) for one, two in pairs)

    __hash__ = None  # type: ignore[assignment]  # arrays may be written to

    def __repr__(self) -> str:
        wins = np.count_nonzero(self.valid)
        return f"Scores({self.book.id!r}: {len(self)} hands, {wins} wins, {len(self.errors)} errors)"

    def _repr_html_(self) -> str:
        return _html(self)

    def fan(self, name: str) -> Array:
        """Number of times one fan counts: uint8 [N].

        Raises:
            UnknownName: the book has no such fan.
            ValueError: the fans were not requested.
        """
        row = self.book.index[self.book.fan(name).name]
        if self.fans is None:
            raise ValueError("score_many was called with fans=False")
        return self.fans[:, row]


_SHOWN = 20


def _html(scores: Scores) -> str:
    """Render the numbers of hands, wins and errors, and a row for each of the first twenty."""
    lang, n = language(), len(scores)
    wins, errors = int(np.count_nonzero(scores.valid)), len(scores.errors)
    sums = Text(f"{n} 手，{wins} 手成和，{errors} 手有误", f"{n} hands, {wins} wins, {errors} errors").say(lang)
    heads = [Text("手", "hand"), Text("分", "points"), Text("合计", "total"), Text("起和", "can win"), Text("", "")]
    can_win = scores.can_win
    rows = [
        (
            str(i),
            str(scores.points[i]),
            str(scores.total[i]),
            "✓" if can_win[i] else "",
            escape(_about(scores, i, lang)),
        )
        for i in range(min(n, _SHOWN))
    ]
    more = f"<div>… {n - _SHOWN}</div>" if n > _SHOWN else ""
    table = table_html([head.say(lang) for head in heads], rows)
    return f"<div><div><b>{escape(scores.book.title.say(lang))}</b> {escape(sums)}</div>{table}{more}</div>"


def _about(scores: Scores, i: int, lang: str) -> str:
    """Return the fans of one hand, if they were requested, or its error."""
    if i in scores.errors:
        return scores.errors[i].say(lang)
    if scores.fans is None:
        return ""
    rows = [(scores.book.fans[row], int(scores.fans[i, row])) for row in np.flatnonzero(scores.fans[i])]
    names = [(fan.name if lang == "zh" else fan.english, count) for fan, count in rows]
    return ("、" if lang == "zh" else ", ").join(name if count == 1 else f"{name}×{count}" for name, count in names)
