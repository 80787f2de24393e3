"""Rows as CSV or a workbook for spreadsheets: names that people typed never run as a formula."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

_NUMBERS = re.compile(r"[+-]?\d+(\.\d+)?( [+-]?\d+(\.\d+)?)*")
"""A number, or several with spaces between them: no spreadsheet takes them for a formula of names or functions."""
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


def workbook(rows: Iterable[Sequence[Any]], name: str) -> bytes:
    """Return the rows as a workbook (.xlsx) of one sheet; texts stay texts, leading zeros included."""
    lines = (
        f'<row r="{at}">{"".join(_cell(value, at, column) for column, value in enumerate(row))}</row>'
        for at, row in enumerate(rows, 1)
    )
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}/relationships"><sheets>'
        f'<sheet name={quoteattr(name)} sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for path, text in parts.items():
            file.writestr(
                zipfile.ZipInfo(path),
                compress_type=zipfile.ZIP_DEFLATED,
                data='<?xml version="1.0" encoding="UTF-8"?>' + text,
            )
    return out.getvalue()


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEETS}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SHEETS}.worksheet+xml"/></Types>'
)
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _relation(kind: str, target: str) -> str:
    return (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/relationships/{kind}" Target="{target}"/></Relationships>'
    )


def _cell(value: Any, row: int, column: int) -> str:
    if value in ("", None):
        return ""
    letters = ""
    while column >= 0:
        column, letter = divmod(column, 26)
        letters, column = chr(65 + letter) + letters, column - 1
    place = f'r="{letters}{row}"'
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"<c {place}><v>{value}</v></c>"
    text = escape(_NO_XML.sub("\ufffd", str(value)))
    return f'<c {place} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _escape(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith(_FORMULA) or (" " in value and _NUMBERS.fullmatch(value)):
        return value
    return f"'{value}"
