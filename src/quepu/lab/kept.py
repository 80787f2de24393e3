"""Files that keep what took long to work out, for the next run.

Each carries the fingerprint of the book and of the source it was worked out by, so a changed rule, house rule or
program never meets an old answer.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from glob import escape
from pathlib import Path
from typing import BinaryIO

import quepu
from quepu.folders import cache_folder, write_whole
from quepu.rulebook import Rulebook

_WEEK = 7 * 24 * 3600.0
_SOURCES = ("*.py", "rulebooks/**/*.py", "batch/*.py", "lab/*.py")


@cache
def source_print() -> str:
    """Changes with every change of a file that an answer depends on."""
    root = Path(quepu.__file__).parent
    digest = hashlib.sha256()
    for pattern in _SOURCES:
        for path in sorted(root.glob(pattern)):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def kept_at(what: str, book: Rulebook, case: str, suffix: str) -> Path:
    """The file for this case of this book."""
    return cache_folder() / f"{what}-{book.id}-{book.fingerprint}-{case}-{source_print()}{suffix}"


def keep(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write such a file; those of the same case that another state of the source left a week ago are removed.

    A full or read-only disk only costs the next run some seconds.
    """
    with suppress(OSError):
        write_whole(path, write)
        case = escape(path.stem.removesuffix(source_print()))
        for other in path.parent.glob(f"{case}{'?' * len(source_print())}{path.suffix}"):
            if other.stat().st_mtime < time.time() - _WEEK:
                other.unlink(missing_ok=True)
