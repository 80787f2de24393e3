"""Rulings in a file: how a family reads its seed where it is unclear, one TOML table each, in both languages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from quepu.errors import Text
from quepu.rules.rulebook import Ruling


def plain(sentence: str) -> str:
    r"""A sentence of a seed as it is shown: the formulas that its author set (`$n$`, `$\times 2$`) as plain text."""
    return re.sub(r"\$([^$]*)\$", r"\1", re.sub(r" *\$\\times (\d+)\$ *", r"×\1", sentence))


def read(path: Path) -> tuple[Ruling, ...]:
    """The rulings of a file of `[[ruling]]` tables: id, question and answer (zh, en), sentence, tests, open, weight.

    A sentence is written as the seed has it, and read as it is shown.

    Raises:
        KeyError: an entry lacks something: a mistake in the family's own file.
    """
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["ruling"]
    return tuple(
        Ruling(
            entry["id"],
            Text(entry["question"]["zh"], entry["question"]["en"]),
            Text(entry["answer"]["zh"], entry["answer"]["en"]),
            plain(entry["sentence"]),
            tuple(entry["tests"]),
            entry.get("open", False),
            entry.get("weight", 0),
        )
        for entry in entries
    )
