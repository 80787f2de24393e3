"""docs/glossary.md against the code: every row points to code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "quepu"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GLOSSARY.split("\n## Words in texts\n")[0].splitlines()
    if line.startswith("| ") and not line.startswith("| 中文")
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:30])
def test_a_row_points_to_code(row: list[str]) -> None:
    """Every place of a row exists, and its names occur in one of the places."""
    places = [SOURCE / place for place in re.findall(r"`([\w/]+(?:\.py|/))`", row[-1])]
    assert places
    files: list[Path] = []
    for place in places:
        assert place.exists(), place
        files += [place] if place.is_file() else sorted(place.rglob("*.py"))
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for name in re.findall(r"`([A-Za-z_]+)\b", row[2]):
        assert re.search(rf"\b{name}\b", text), name


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
QUESTION = re.compile(r"(?:What|Who|Whom|Whose|How|Where|When|Which|Why)\b")
QUOTED = re.compile(rf'"""{QUESTION.pattern}')
"""What a value or a field is may begin so, too: only a module in which something does is taken apart."""


def test_a_docstring_begins_with_a_noun_or_a_verb() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        code = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(code)) if QUOTED.search(code) else ():
            text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
            if text and QUESTION.match(text):
                wrong.append(f"{path.relative_to(ROOT).as_posix()}: {text.splitlines()[0]}")
    assert not wrong, "\n".join(wrong)
