"""The command line, run in this process."""

from __future__ import annotations

import io
from typing import Any

import pytest

from quepu.cli import run
from tests.cli.run import Result


@pytest.fixture
def quepu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command line in this process."""
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.delenv("QUEPU_LANG", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nothing comes through a pipe

    def called(*args: str) -> Result:
        code = run(list(args))
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return Result(code, printed.out, printed.err)

    return called
