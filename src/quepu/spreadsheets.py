"""Rows as CSV or a workbook for spreadsheets, where names never run as a formula, and the cells of a line from one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from quepu.errors import needs

_NUMBERS = re.compile(r"[+-]?\d+(\.\d+)?( [+-]?\d+(\.\d+)?)*")
"""A number, or several with spaces between them: no spreadsheet takes them for a formula of names or functions."""
_CELL = re.compile(r'(?:[^\S\t]*"((?:[^"]|"")*)"[^\S\t]*|([^,，;；\t]*))([,，;；\t]|\Z)')
"""A cell and what ends it; in quotes, two quotes are one."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a text that a spreadsheet would evaluate."""


def render(rows: Iterable[Sequence[Any]]) -> str:
    """Return the rows as CSV; a text that looks like a formula is quoted by an apostrophe."""
    out = io.StringIO()
    csv.writer(out).writerows([_escape(value) for value in row] for row in rows)
    return out.getvalue()


def encode(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return the rows as a CSV file, with the byte order mark by which spreadsheets recognise UTF-8."""
    return ("\ufeff" + render(rows)).encode()


def read_cells(line: str) -> list[str]:
    """Return the cells of a line that people typed or a spreadsheet wrote.

    They stand between commas, semicolons or tabs; a cell may be quoted. Spreadsheets in a language with decimal commas
    write semicolons.

        >>> read_cells('"Berg, Anna";Rot')
        ['Berg, Anna', 'Rot']
    """
    cells, at = [], 0
    while True:
        found = _CELL.match(line, at)
        assert found is not None  # noqa: S101  # each part of it may be empty
        quoted, plain, end = found.groups()
        cells.append((plain if quoted is None else quoted.replace('""', '"')).strip())
        if not end:
            return cells
        at = found.end()


def workbook(rows: Iterable[Sequence[Any]], name: str) -> bytes:
    """Return the rows as a workbook (.xlsx) of one sheet; texts stay texts, leading zeros included.

    Raises:
        MissingExtra: XlsxWriter is not installed; CSV needs nothing.
    """
    needs("xlsxwriter")
    from xlsxwriter import Workbook

    out = io.BytesIO()
    with Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet(name)
        for at, row in enumerate(rows):
            for column, value in enumerate(row):
                if isinstance(value, int | float) and not isinstance(value, bool):
                    sheet.write_number(at, column, value)
                elif value not in ("", None):
                    sheet.write_string(at, column, _NO_XML.sub("\ufffd", str(value)))
    return out.getvalue()


_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _escape(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith(_FORMULA) or (" " in value and _NUMBERS.fullmatch(value)):
        return value
    return f"'{value}"
