"""Streams that are closed, and files without an end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quepu.cli import run, verify

pytestmark = pytest.mark.skipif(not Path("/bin/sh").exists(), reason="needs a shell that closes streams")


def shell(command: str) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -m quepu"
    return subprocess.run(
        ["/bin/sh", "-c", command.replace("quepu", program, 1)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ,
        check=False,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_program_with_closed_streams_ends_quietly(closed: str) -> None:
    done = shell(f"quepu score -r guobiao '123m456p789s(EEE)C+C' {closed}")
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    assert "internal" not in done.stderr


def test_a_log_without_an_end_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "_LONGEST", 1000)
    long = tmp_path / "long.jsonl"
    long.write_text("x" * 1001)
    assert run(["verify", str(long)]) == 2
    assert "太大" in capsys.readouterr().err
