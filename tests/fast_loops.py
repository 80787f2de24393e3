"""The loops of fast tables as Python runs them: compiling takes longer than all other quick tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from quepu.fast.tables import code, fast_tables, stepped
from quepu.hands.planes import count
from quepu.rules.rulebook import Rulebook


def interpreted_loops(rules: Rulebook, with_gain: bool = True) -> Any:
    """In place of `quepu.fast.tables.code.loops_of`."""
    space: dict[str, Any] = {"numba": SimpleNamespace(int64=int), "count": count}
    exec(code.loops_text(rules.shapes, with_gain), space)
    return SimpleNamespace(**space)


def interpret_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let compiled vector environments run their loops as Python does."""
    from quepu.rl import shows, writer

    monkeypatch.setattr(fast_tables, "installed", lambda: True)
    monkeypatch.setattr(stepped, "loops_of", interpreted_loops)
    monkeypatch.setattr(writer, "compiled_loops", lambda: shows)
    monkeypatch.setattr(writer, "loops_there", lambda encoding: False)
