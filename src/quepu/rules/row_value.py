"""The value of a row, as numbers by part and in words, whatever the book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> dict[str, int]:
    """A row's value as a mapping from part to number: {"fu": 8, "fan": 2}, or {"fan": 6}."""
    if isinstance(value, Mapping):
        return dict(value)
    return dict(value._asdict()) if hasattr(value, "_asdict") else {"fan": value}


def value_text(value: Mapping[str, int], lang: str, printed: str | None = None) -> str:
    """A fan's value: 8 副 2 翻, or 6 番; `printed` replaces the number of a value of one part."""
    units = {"fu": ("副", "fu"), "fan": ("翻" if "fu" in value else "番", "fan"), "points": ("点", "points")}
    words = []
    for key, n in value.items():
        zh, en = units.get(key, (key, key))
        words.append(f"{printed or n} {en if lang == 'en' else zh}")
    return " ".join(words)
