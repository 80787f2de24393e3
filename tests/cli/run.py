"""The command line, run in a process of its own; what a run printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

HAND = "11223sCC(NNNN)(123s)+3s"


class Result:
    """What a run printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def outside(*args: str, stdin: str | bytes = "", **env: str) -> Result:
    """Runs the command line in a process of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-c", "from quepu.cli import main; main()", *args],
        input=data, capture_output=True, check=False, timeout=300, env={**os.environ, "COLUMNS": "110", **env},
    )  # fmt: skip
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())
