"""The command line as it is typed at."""

from __future__ import annotations

import io

import pytest

from quepu.cli import main


def run(monkeypatch: pytest.MonkeyPatch, typed: str, *args: str) -> int:
    """Call `quepu ARGS` with these lines to read; its exit code."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    monkeypatch.setattr("sys.argv", ["quepu", *args])
    try:
        return int(main() or 0)
    except SystemExit as left:
        return int(left.code or 0)
