"""The user's folders: the cache, and the data that must not be lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def cache_folder() -> Path:
    """Return the folder that caches tables and compiled loops: $QUEPU_CACHE, or the user's cache folder."""
    if given := os.environ.get("QUEPU_CACHE"):
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("quepu")


def data_folder() -> Path:
    """Return the default folder of games, scores and the server's database: the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("quepu", appauthor=False)


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file atomically, creating its folder if needed.

    Raises:
        OSError: it could not be written; nothing is left behind.
    """
    half = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with half.open("wb") as file:
            write(file)
        half.replace(path)
    except OSError:
        with suppress(OSError):
            half.unlink()
        raise
