"""What a process uses, as Linux has it under /proc."""

from __future__ import annotations

import os
import re
from pathlib import Path


class Usage:
    """Memory, processor time and writes of one process."""

    def __init__(self, process: int) -> None:
        self.id = process

    def memory(self, what: str = "VmRSS") -> float:
        """MiB of it; `VmHWM`: the most since it began or since `forget_most`."""
        return self._number("status", rf"{what}:\s+(\d+)") / 1024

    def forget_most(self) -> None:
        """The most memory is that from now on."""
        self._file("clear_refs").write_text("5")

    def written(self) -> float:
        """MiB sent to the disk."""
        return self._number("io", r"(?m)^write_bytes: (\d+)") / 2**20

    def busy(self) -> float:
        """Seconds of processor time."""
        fields = self._file("stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def children(self) -> list[Usage]:
        """The processes that it started."""
        return [Usage(int(child)) for child in self._file(f"task/{self.id}/children").read_text().split()]

    def _file(self, name: str) -> Path:
        return Path(f"/proc/{self.id}/{name}")

    def _number(self, name: str, pattern: str) -> int:
        found = re.search(pattern, self._file(name).read_text())
        assert found is not None, "the process ended: there is nothing to measure"
        return int(found[1])
