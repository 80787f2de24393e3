"""Read a workbook (.xlsx) as a spreadsheet program would: cells by column and row."""

import io
import re
import zipfile
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_workbook(data: bytes) -> dict[tuple[str, int], str | float]:
    """Return the cells of the first sheet."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        sheet = ElementTree.fromstring(file.read("xl/worksheets/sheet1.xml"))
        shared = file.read("xl/sharedStrings.xml") if "xl/sharedStrings.xml" in file.namelist() else b"<sst/>"
    texts = [text.text for text in ElementTree.fromstring(shared).iter(f"{_MAIN}t")]
    found = {}
    for cell in sheet.iter(f"{_MAIN}c"):
        column, row = re.fullmatch(r"([A-Z]+)(\d+)", cell.attrib["r"]).groups()
        value = cell.findtext(f"{_MAIN}v")
        found[column, int(row)] = texts[int(value)] if cell.get("t") == "s" else float(value)
    return found
