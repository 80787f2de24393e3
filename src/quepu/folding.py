"""Fold names so that both Chinese scripts, widths and cases are one spelling: 槓上開花 is 杠上开花, 断么 is 断幺.

A lookup folds both the typed text and the names to compare; displayed and stored names stay as written. The table is
`data/script.txt`, made by `.ci/script_table.py`; the web client is built with the same one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


@lru_cache(1)
def _table() -> dict[int, str]:
    """Map every variant of a character to its folded form."""
    from importlib import resources

    lines = resources.files("quepu").joinpath("data/script.txt").read_text("utf-8").split()
    return {ord(form): line[0] for line in lines for form in line[1:]}


def one_script(text: str) -> str:
    """Write a text in one script, character for character, so that positions are kept."""
    return text if text.isascii() else text.translate(_table())


def fold(text: str) -> str:
    """Fold a name: one script, one width, small letters, no blanks around it."""
    if text.isascii():
        return text.strip().lower()
    return unicodedata.normalize("NFKC", one_script(text)).casefold().strip()


_NUMBER = re.compile(r"(\d{1,18})")


def natural_order(name: str) -> tuple[tuple[str, int], ...]:
    """Return the key that sorts names as people list them: 选手3 before 选手10, whatever their case and width."""
    parts = _NUMBER.split(fold(name))
    texts, numbers = parts[::2], [int(number) for number in parts[1::2]]
    return *zip(texts, [*numbers, -1], strict=True), (name, 0)
