"""Scores of many hands as HTML, as a notebook shows them: the sums, and the first hands one by one."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from quepu.errors import Text, language
from quepu.hands.drawing import table_html

if TYPE_CHECKING:
    from quepu.fast.scores import Scores

_SHOWN = 20


def scores_html(scores: Scores) -> str:
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
    """The fans of one hand, where they were asked for, or its error."""
    if i in scores.errors:
        return scores.errors[i].say(lang)
    if scores.fans is None:
        return ""
    rows = [(scores.book.fans[row], int(scores.fans[i, row])) for row in np.flatnonzero(scores.fans[i])]
    names = [(fan.name if lang == "zh" else fan.english, count) for fan, count in rows]
    return ("、" if lang == "zh" else ", ").join(name if count == 1 else f"{name}×{count}" for name, count in names)
