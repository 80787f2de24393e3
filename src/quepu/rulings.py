"""Rulings in a file: how a family reads its seed where it is unclear, one TOML table each, in both languages."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from quepu.errors import Text
from quepu.rulebook import Ruling


def read(path: Path) -> tuple[Ruling, ...]:
    """The rulings of a file of `[[ruling]]` tables: id, question and answer (zh, en), sentence, tests, open.

    Raises:
        KeyError: an entry lacks something: a mistake in the family's own file.
    """
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["ruling"]
    return tuple(
        Ruling(
            entry["id"],
            Text(entry["question"]["zh"], entry["question"]["en"]),
            Text(entry["answer"]["zh"], entry["answer"]["en"]),
            entry["sentence"],
            tuple(entry["tests"]),
            entry.get("open", False),
        )
        for entry in entries
    )
