"""The user's own folders: for what can be worked out again, and for what must not be lost."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Where tables and compiled loops are kept between runs: $QUEPU_CACHE, or the user's cache folder."""
    if given := os.environ.get("QUEPU_CACHE"):
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("quepu")


def data_folder() -> Path:
    """Where games, scores and the server's database lie if nobody says otherwise: the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("quepu", appauthor=False)
