"""Tutorials become notebooks that leave nothing out; `make site` executes them and compares what they print."""

import ast
import doctest
import importlib.util
import json
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import quepu

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs" / "guide" / "tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def notebooks() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / ".ci" / "notebooks.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.name)
def test_every_part_of_a_tutorial_is_in_a_cell(notebooks: types.ModuleType, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    cells = list(notebooks.cells(text))
    code = [source for kind, source, _ in cells if kind == "code"]
    examples = doctest.DocTestParser().get_examples("\n".join(line for line in text.splitlines() if line[:3] != "```"))
    python = [source for source in code if not source.startswith(("%%", "!"))]
    assert "".join(python) == "".join(example.source for example in examples)
    assert [want for _, _, want in cells if want] == [e.want for e in examples if e.want] or "console" in text
    for source in python:
        ast.parse(source)
    for fence, mark in (("```toml", "%%writefile "), ("$ quepu", "!quepu ")):
        assert sum(source.startswith(mark) for source in code) == text.count(f"\n{fence}")
    prose = "".join(source for kind, source, _ in cells if kind == "markdown")
    assert prose.startswith("# ") and "```" not in prose


def test_each_tutorial_is_there_in_both_languages_with_the_same_cells(notebooks: types.ModuleType) -> None:
    english = [path for path in TUTORIALS if not path.name.endswith(".zh.md")]
    assert len(english) * 2 == len(TUTORIALS) and len(english) >= 5
    for path in english:
        pair = (path, path.with_suffix(".zh.md"))
        kinds = [[kind for kind, _, _ in notebooks.cells(one.read_text("utf-8"))] for one in pair]
        assert kinds[0] == kinds[1], path.name


class Output(dict[str, object]):
    """An output as nbformat has it."""

    __getattr__ = dict.__getitem__


def cell(kind: str, source: str, *outputs: Output) -> types.SimpleNamespace:
    return types.SimpleNamespace(cell_type=kind, source=source, outputs=list(outputs))


def test_values_that_draw_themselves_are_drawn_on_the_page(notebooks: types.ModuleType) -> None:
    shown = quepu.score("123m456p789sCCEE+E", "guobiao")._repr_html_()
    data = {"text/html": shown, "text/plain": "Score(…)"}
    stream = Output(output_type="stream", name="stdout", text="one\n")
    made = cell("code", "score", stream, Output(output_type="execute_result", data=data))
    page = notebooks.page(types.SimpleNamespace(cells=[cell("markdown", "# A title"), made]))
    assert page.startswith("# A title\n\n```python\nscore\n```\n\n```{.text .output}\none\n```\n\n<div")
    assert page.count("<svg") == shown.count("<svg") == 14
    assert notebooks.printed(made) == "one\nScore(…)"


def test_what_a_command_writes_in_colours_piece_by_piece_is_one_text(notebooks: types.ModuleType) -> None:
    pieces = [Output(output_type="stream", name="stdout", text=text) for text in ("\x1b[1mone\x1b[0m\r\n", "\ntwo\n")]
    (joined,) = notebooks._joined(pieces)
    assert joined["text"] == "one\n\ntwo\n"
    assert notebooks.same("one  \n\ntwo", joined["text"]) and not notebooks.same("one\ntwo", joined["text"])
    assert "nbclient" not in sys.modules


@pytest.fixture
def typed(tmp_path: Path) -> list[Path]:
    """Every program of a tutorial and every example."""
    written = []
    for path in TUTORIALS:
        if not path.name.endswith(".zh.md"):  # the code is the same in both
            examples = doctest.DocTestParser().get_examples(path.read_text(encoding="utf-8"))
            written.append(tmp_path / f"tutorial_{path.stem.replace('-', '_')}.py")
            lines = ["# pyright: strict, reportUnusedExpression=false\n", *(example.source for example in examples)]
            written[-1].write_text("".join(lines), encoding="utf-8")
    assert len(written) == 5
    return written + sorted((ROOT / "examples").glob("*.py"))


def check_types(command: list[str], places: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, **(places or {})},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_tutorials_and_examples_pass_strict_types(typed: list[Path]) -> None:
    pytest.importorskip("mypy")
    how = ["--strict", "--allow-subclassing-any", "--config-file", str(ROOT / "pyproject.toml")]
    check_types(["mypy", *how, *map(str, typed)], {"MYPYPATH": f"{ROOT / 'src'}:{ROOT / 'examples'}"})


@pytest.mark.long
def test_tutorials_and_examples_pass_pyright(typed: list[Path], tmp_path: Path) -> None:
    """Tutorials and uses of quepu in its strict mode, examples with other libraries in its standard one."""
    pytest.importorskip("basedpyright")
    uses = str(ROOT / "tests" / "typed_use.py")
    settings = {
        "include": [*map(str, typed), uses], "strict": [uses], "typeCheckingMode": "standard",
        "extraPaths": [str(ROOT / "src"), str(ROOT / "examples")],
        "reportMissingImports": "none",  # of a library that is not installed
    }  # fmt: skip
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    check_types(["basedpyright", "--project", str(tmp_path), "--pythonpath", sys.executable])
