"""The fastest installed join, and whether its loops were compiled on this machine before.

A bot that has to compile them thinks for seconds. Tables and machine code are in different folders, and either may be
lost without the other: whoever has compiled the loops writes down which files have them, and for which source,
program and processor. Importing this needs neither numpy nor numba.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from quepu.fast import result_cache
from quepu.folders import cache_folder

if TYPE_CHECKING:
    from quepu.fast.nearest.join import Joined, JoinQuery

_LOOPS = Path(__file__).with_name("join_loops.py")
_OF_PROCESSOR = ("model name", "flags", "CPU part", "Features")


def compiled() -> bool:
    """Whether the next process only loads them; True without numba, where nothing is compiled."""
    return importlib.util.find_spec("numba") is None or any(map(_still_so, _notes()))


def _still_so(note: Path) -> bool:
    try:
        noted = json.loads(note.read_bytes())
        return noted["made_for"] == _describe_machine() and all(Path(file).is_file() for file in noted["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def note_compiled(files: Sequence[Path]) -> None:
    """Write down that these files have them; where they could not be cached there is nothing to be noted."""
    noted = json.dumps({"made_for": _describe_machine(), "files": [str(file) for file in files]}).encode()
    for note in _notes() if files else []:
        result_cache.store(note, lambda file: file.write(noted))
        if _still_so(note):
            break


def _notes() -> list[Path]:
    """Files that it may be written in: with the machine code, as a rule; else beside the tables."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    folders = Path(given) if given else _LOOPS.with_name("__pycache__"), cache_folder()
    return [folder / f"loops-{result_cache.source_print()}.json" for folder in folders]


def _describe_machine() -> list[str]:
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


@cache
def joiner() -> Callable[[JoinQuery, int], Joined]:
    """The fastest installed implementation of `join`."""
    from quepu.fast.nearest.join import join

    try:
        import numba  # noqa: F401
    except ModuleNotFoundError:
        return join
    from quepu.fast.nearest.join_loops import join as compiled

    return compiled


def loop_files() -> list[Path]:
    """The files that machine code is cached in; none without numba, or where no folder could be written."""
    try:
        from quepu.fast.nearest.join_loops import loop_files as found
    except ModuleNotFoundError:
        return []
    return found()


def compile_join() -> None:
    """Compile the loops of queries, or load them from the cache; without numba there is nothing to do."""
    if importlib.util.find_spec("numba") is not None:
        from quepu.fast.nearest.join_loops import compile_join as compile_loops

        compile_loops()
