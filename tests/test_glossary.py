"""docs/glossary.md against the code: every row points to code, and no identifier uses an excluded word."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "quepu"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GLOSSARY.splitlines()
    if line.startswith("| ") and not line.startswith("| 中文")
]

EXCLUDED = re.compile(
    r"(?:^|_)(?:tell|tells|telling|told|say|says|saying|said|ask|asks|asked|asking|keep|keeps|keeping|kept|lie|lies|lying"
    r"|lay|laid|shelf|elsewhere|bring|brings|brought|withal|dear|dearer|dearest|speak|speaks|speaking|spoken|known|worth"
    r"|around|nobody)(?:_|$)"
)
ALLOWED = {
    "say": "Text.say and Error.say are public API",
    "spoken": "the command line's short form of Text.say",
    "kept_out": "a method of every book's arithmetic: the rows that a row excludes",
    "told": "a field of recorded tables, and Rulebook.told, which every book's arithmetic has",
    "telling": "a field of recorded tables: the hand that is being entered",
}

TWICE = {
    "CountedFan": "a message of the server and 玉雀's own",
    "Counting": "each book's arithmetic has its own",
    "Process": "a worker and a row of the database",
    "Question": "a question of practice and one of the scorekeeper",
    "Situation": "a message of the server; each book's arithmetic has its own",
    "Tables": "the server's dependency and 玉雀's own",
    "Verdict": "of a log and of a conformance case",
    "Problem": "of a log, of a table and of a recorded hand: their messages differ",
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:30])
def test_a_row_points_to_code(row: list[str]) -> None:
    """Every place of a row is there, and its names occur in one of the places."""
    places = [SOURCE / place for place in re.findall(r"`([\w/]+(?:\.py|/))`", row[-1])]
    assert places
    files: list[Path] = []
    for place in places:
        assert place.exists(), place
        files += [place] if place.is_file() else sorted(place.rglob("*.py"))
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for name in re.findall(r"`([A-Za-z_]+)\b", row[2]):
        assert re.search(rf"\b{name}\b", text), name


def identifiers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names that a module defines (classes, functions, parameters, variables, attributes), with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno


def words(name: str) -> str:
    """A name in small letters with underscores between its words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def test_no_identifier_has_an_excluded_word() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        names = [(place.stem, 0), *identifiers(ast.parse(path.read_text(encoding="utf-8")))]
        wrong += [
            f"{place}:{line} {name}" for name, line in names if EXCLUDED.search(words(name)) and name not in ALLOWED
        ]
    assert not wrong, "\n".join(wrong)


IN_TEST_NAMES = re.compile(
    r"(?:^|_)(?:tell|tells|telling|told|said|ask|asks|asked|asking|kept|shelf|elsewhere|withal|dear|dearer|dearest|spoken)"
    r"(?:_|$)"
)
"""The name of a test is a sentence about what people see ("the page says so"): only these words are left out of it."""


def test_no_name_of_a_test_has_an_excluded_word() -> None:
    wrong = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                wrong += [f"{path.name}:{node.lineno} {node.name}"] * bool(IN_TEST_NAMES.search(node.name))
    assert not wrong, "\n".join(wrong)


def test_a_class_name_is_of_one_class() -> None:
    """Public class names are unique in the whole tree, apart from those listed with a reason."""
    places: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.relative_to(SOURCE).as_posix())
    assert {name: at for name, at in places.items() if len(at) > 1 and name not in TWICE} == {}
    assert {name for name in TWICE if len(places.get(name, ())) < 2} == set()
