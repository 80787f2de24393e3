"""The loops of fast tables as Python runs them: compiling takes longer than all other quick tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from quepu.fast_table import code
from quepu.hands.planes import count
from quepu.rules.rulebook import Rulebook


def interpreted_loops(rules: Rulebook, with_gain: bool = True) -> Any:
    """In place of `quepu.fast_table.code.loops_of`."""
    space: dict[str, Any] = {"numba": SimpleNamespace(int64=int), "count": count}
    exec(code.loops_text(rules.shapes, with_gain), space)
    return SimpleNamespace(**space)
