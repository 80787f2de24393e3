"""Rows as CSV for spreadsheets: names that people typed never run there as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would work out."""


def render(rows: Iterable[Sequence[Any]]) -> str:
    """The rows as CSV; a text that begins like a formula is quoted for the spreadsheet by an apostrophe."""
    out = io.StringIO()
    csv.writer(out).writerows([_plain(value) for value in row] for row in rows)
    return out.getvalue()


def encode(rows: Iterable[Sequence[Any]]) -> bytes:
    """The rows as a file of CSV, with the mark by which spreadsheets know UTF-8."""
    return ("\ufeff" + render(rows)).encode()


def _plain(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
