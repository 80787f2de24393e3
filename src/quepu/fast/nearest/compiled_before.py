"""Whether the loops of queries were compiled on this machine before: a bot that has to do it itself thinks for seconds.

Tables and machine code lie in different folders, and either may be lost without the other. Whoever has compiled the
loops writes down which files have them, and for what they hold; nothing here needs numpy or numba.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from quepu.fast import result_cache
from quepu.folders import cache_folder

_LOOPS = Path(__file__).with_name("join_loops.py")
_OF_PROCESSOR = ("model name", "flags", "CPU part", "Features")


def compiled() -> bool:
    """Whether the next process only loads them; True without numba, where nothing is compiled."""
    return importlib.util.find_spec("numba") is None or any(map(_still_so, _notes()))


def _still_so(note: Path) -> bool:
    try:
        noted = json.loads(note.read_bytes())
        return noted["made_for"] == _made_for() and all(Path(file).is_file() for file in noted["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def note_compiled(files: Sequence[Path]) -> None:
    """Write down that these files have them; where they could not be cached there is nothing to be noted."""
    noted = json.dumps({"made_for": _made_for(), "files": [str(file) for file in files]}).encode()
    for note in _notes() if files else []:
        result_cache.store(note, lambda file: file.write(noted))
        if _still_so(note):
            break


def _notes() -> list[Path]:
    """Files that it may be written in: with the machine code, as a rule; else beside the tables."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    folders = Path(given) if given else _LOOPS.with_name("__pycache__"), cache_folder()
    return [folder / f"loops-{result_cache.source_print()}.json" for folder in folders]


def _made_for() -> list[str]:
    """The source, program and processor that machine code is for; for others it is made anew."""
    stat = _LOOPS.stat()
    return [f"{stat.st_mtime_ns} {stat.st_size}", version("numba"), sys.version, _processor()]


@cache
def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").partition("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    return "\n".join(line for line in lines if line.startswith(_OF_PROCESSOR))
