"""The loops of fast tables as Python runs them: compiling takes longer than all other quick tests."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from quepu.fast.tables import code, fast_tables
from tests.interpreted import FUNCTIONS, interpreted, word


@cache
def interpreted_code(name: str) -> Any:
    """Return machine code of `quepu.fast.tables.code` as Python runs it."""
    made = getattr(code, name).__wrapped__()
    interpreted(made)
    return SimpleNamespace(
        address=made.address,
        function=lambda entry: lambda *given: FUNCTIONS[made.address(entry)](*map(word, given)),
    )


def interpret_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let compiled tables run as Python does."""
    monkeypatch.setattr(fast_tables, "installed", lambda: True)
    monkeypatch.setattr(fast_tables, "compile_tables", lambda *_: None)
    for name in ("tables_code", "gain_code"):
        monkeypatch.setattr(fast_tables, name, lambda name=name: interpreted_code(name))


def interpret_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let compiled vector environments run their loops as Python does."""
    from quepu.rl import shows, writer

    interpret_tables(monkeypatch)
    monkeypatch.setattr(writer, "compile_loops", lambda: shows)
    monkeypatch.setattr(writer, "loops_there", lambda encoding: False)
