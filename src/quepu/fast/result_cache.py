"""Files that cache long computations for the next run.

Each name has the fingerprint of the book and of the source it was computed by, so a changed rule, house rule or program
never reads an old result.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from glob import escape
from pathlib import Path
from typing import BinaryIO

import quepu
from quepu.folders import cache_folder, write_whole
from quepu.rules.rulebook import Rulebook

_ROOMS = ("hands", "shapes", "rules", "scoring", "lab")
_WEEK = 7 * 24 * 3600.0
HOUSE_QUOTA = 512 << 20
"""Bytes that files of house rules may take on the disk together; those not asked for longest go first."""
_HOUSE = "house"
_SOURCES = ("*.py", "rulebooks/**/*.py", "fast/**/*.py", *(f"{room}/*.py" for room in _ROOMS))


@cache
def source_print() -> str:
    """Hash of the source files that a result depends on."""
    root = Path(quepu.__file__).parent
    digest = hashlib.sha256()
    for pattern in _SOURCES:
        for path in sorted(root.glob(pattern)):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def cache_path(what: str, book: Rulebook, case: str, suffix: str) -> Path:
    """Return the file for this case of this book; house rules have a folder of their own."""
    folder = cache_folder() / _HOUSE if book.base else cache_folder()
    return folder / f"{what}-{book.id}-{book.fingerprint}-{case}-{source_print()}{suffix}"


def conditions_path(what: str, book: Rulebook, conditions: str, case: str, suffix: str) -> Path:
    """Return the file for this case of conditions with this digest, met in this book first."""
    folder = cache_folder() / _HOUSE if book.base else cache_folder()
    return folder / f"{what}-{book.family}-{conditions}-{case}-{source_print()}{suffix}"


def mark_used(path: Path) -> None:
    """Mark a file as used now: of house rules the least recently used files are removed first."""
    if path.parent.name == _HOUSE:
        with suppress(OSError):
            os.utime(path)


def store(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write such a file, and remove week-old files of the same case that another state of the source wrote.

    A full or read-only disk only costs the next run some seconds.
    """
    with suppress(OSError):
        write_whole(path, write)
        case = escape(path.stem.removesuffix(source_print()))
        for other in path.parent.glob(f"{case}{'?' * len(source_print())}{path.suffix}"):
            if other.stat().st_mtime < time.time() - _WEEK:
                other.unlink(missing_ok=True)
        if path.parent.name == _HOUSE:
            _make_room(path.parent, path)


def _make_room(folder: Path, new: Path) -> None:
    """Remove files until the others and the new one fit in the quota."""
    found = [(file.stat(), file) for file in folder.iterdir()]
    total = sum(stat.st_size for stat, _ in found)
    for stat, file in sorted(found, key=lambda one: one[0].st_mtime):
        if total <= HOUSE_QUOTA:
            break
        if file != new:
            file.unlink(missing_ok=True)
            total -= stat.st_size
