"""Names that people typed are texts in a spreadsheet, whatever they begin with; numbers stay numbers."""

import csv
import io
import sys
import zipfile

import pytest

from quepu.errors import MissingExtra
from quepu.spreadsheets import encode, read_cells, render, workbook
from tests.workbooks import read_workbook


@pytest.mark.parametrize("name", ["=1+1", "+86", "-林", "@SUM(A1)", "\tx", "\rx"])
def test_a_name_is_never_a_formula(name):
    assert next(csv.reader(io.StringIO(render([[name, -5]]), newline=""))) == [f"'{name}", "-5"]


@pytest.mark.parametrize("numbers", ["-162 136", "-54 -54 162.5 -54", "+8 -8"])
def test_several_numbers_in_one_cell_stay_as_they_are(numbers):
    assert next(csv.reader(io.StringIO(render([[numbers, f"{numbers} ", f"{numbers}=1"]]), newline=""))) == [
        numbers, f"'{numbers} ", f"'{numbers}=1",
    ]  # fmt: skip


def test_commas_quotes_and_empty_rows_are_read_again_as_they_were():
    rows = [["林,何", '"周"', ""], [], ["许", "-", "8"]]
    assert list(csv.reader(io.StringIO(render(rows[:2])))) == rows[:2]
    assert encode(rows).decode("utf-8-sig").splitlines()[-1] == "许,'-,8"


def test_a_workbook_keeps_numbers_and_texts_apart():
    rows = [["=1+1", "0401", 8, -2.5], [], ["<林&何>", "a\x01b", None, " x "]]
    assert read_workbook(workbook(rows, "a & b")) == {
        ("A", 1): "=1+1", ("B", 1): "0401", ("C", 1): 8, ("D", 1): -2.5,
        ("A", 3): "<林&何>", ("B", 3): "a\ufffdb", ("D", 3): " x ",
    }  # fmt: skip
    assert b"_x005F_x0041_" in zipfile.ZipFile(io.BytesIO(workbook([["_x0041_"]], "a"))).read("xl/sharedStrings.xml")
    wide = read_workbook(workbook([[*range(1, 703 + 1)]], "wide"))
    assert [wide[column, 1] for column in ("Z", "AA", "AZ", "BA", "ZZ", "AAA")] == [26, 27, 52, 53, 702, 703]


def test_without_its_library_a_workbook_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(MissingExtra) as missing:
        workbook([["a"]], "a")
    assert missing.value.text.en == "this needs xlsxwriter: pip install 'quepu[server]'."
    assert encode([["a"]]).decode("utf-8-sig").splitlines() == ["a"]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("Anna, Rot ,7", ["Anna", "Rot", "7"]),
        ("Anna;Rot;7", ["Anna", "Rot", "7"]),
        ("Anna\tRot\t7", ["Anna", "Rot", "7"]),
        ("安，红；7", ["安", "红", "7"]),
        ('"Berg, Anna",Rot', ["Berg, Anna", "Rot"]),
        ('"Berg; Anna";Rot', ["Berg; Anna", "Rot"]),
        ('Anna "Ace" Berg,"say ""hi"""', ['Anna "Ace" Berg', 'say "hi"']),
        ('"Berg', ['"Berg']),
        ('"小"李,1', ['"小"李', "1"]),
        ('"Berg, Anna" ; "" ;', ["Berg, Anna", "", ""]),
        ("", [""]),
        (",", ["", ""]),
    ],
)
def test_cells_of_a_line_that_people_typed_or_a_spreadsheet_wrote(line, cells):
    assert read_cells(line) == cells
