"""Tutorials as notebooks: made from their documents, executed, and held against what the documents say.

A document is the one source. Its Python becomes cells (one for each line that prints something), a file of TOML a cell
that writes it, a command a cell that runs it. Everything is executed by a kernel of its own; a cell that prints
anything but what the document says is an error.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COLOURS = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
WIDTH = "100"


def cells(text: str) -> Iterator[tuple[str, str, str]]:
    """The parts of a document: "markdown" or "code", the source, and what it prints by the document."""
    at = 0
    for fence in FENCE.finditer(text):
        if fence[1] == "python" and ">>>" in fence[2]:
            made = list(_python(fence[2]))
        elif fence[1] == "toml" and fence[2].startswith("# "):
            name, rest = fence[2][2:].split("\n", 1)
            made = [("code", f"%%writefile {name.strip()}\n{rest}", f"Writing {name.strip()}\n")]
        elif fence[1] == "console":
            made = list(_commands(fence[2]))
        else:
            continue
        if before := text[at : fence.start()].strip():
            yield "markdown", before, ""
        yield from made
        at = fence.end()
    if rest := text[at:].strip():
        yield "markdown", rest, ""


def _python(text: str) -> Iterator[tuple[str, str, str]]:
    source = ""
    for example in doctest.DocTestParser().get_examples(text):
        source += example.source
        if example.want:
            yield "code", source, example.want
            source = ""
    if source:
        yield "code", source, ""


def _commands(text: str) -> Iterator[tuple[str, str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield "code", f"!{command}", printed


def executed(document: Path, lang: str) -> Any:
    """The notebook of a document, executed in an empty folder.

    Raises:
        SystemExit: a cell fails, or prints something else than the document says.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    made, wanted = new_notebook(), []
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for number, (kind, source, want) in enumerate(cells(document.read_text(encoding="utf-8"))):
        new = new_markdown_cell if kind == "markdown" else new_code_cell
        made.cells.append(new(source.rstrip("\n"), id=f"cell-{number}"))  # the same document, the same notebook
        wanted.append(want)
    os.environ |= {"QUEPU_LANG": lang, "COLUMNS": WIDTH, "NO_COLOR": "1"}
    scripts = str(Path(sys.executable).parent)
    os.environ["PATH"] = scripts + os.pathsep + os.environ.get("PATH", "")
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(made, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}})
        client.execute()
    for cell, want in zip(made.cells, wanted, strict=True):
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)  # when it ran
            cell.outputs = _joined(cell.outputs)
            got = printed(cell)
            if not same(want, got):
                raise SystemExit(f"{document.name}: {cell.source}\nprints\n{got}\nand not\n{want}")
    nbformat.validate(made)
    return made


def _joined(outputs: list[Any]) -> list[Any]:
    """What was written piece by piece as one; a command in a notebook writes to a terminal, in colours."""
    made: list[Any] = []
    for output in outputs:
        if output.output_type == "stream":
            output["text"] = COLOURS.sub("", output["text"]).replace("\r", "")
            if made and made[-1].output_type == "stream" and made[-1]["name"] == output["name"]:
                made[-1]["text"] += output["text"]
                continue
        made.append(output)
    return made


def same(want: str, got: str) -> bool:
    """Whether a cell printed what the document says, spaces at the ends of lines aside."""
    lines = [[line.rstrip() for line in text.strip("\n").splitlines()] for text in (want, got)]
    return lines[0] == lines[1]


def printed(cell: Any) -> str:
    """What a cell printed and the value of its last line, as text."""
    parts = [one["text"] if one.output_type == "stream" else one["data"]["text/plain"] for one in cell.outputs]
    return "\n".join(part.rstrip("\n") for part in parts)


def page(notebook: Any) -> str:
    """A notebook as Markdown with its outputs; values that draw themselves are drawn."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        shell = cell.source.startswith("!")
        written = cell.source.startswith("%%writefile ")
        if written:
            head, _, source = cell.source.partition("\n")
            parts.append(f'```toml title="{head.split()[1]}"\n{source}\n```')
            continue
        parts.append(f"```console\n$ {cell.source[1:]}\n```" if shell else f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            data = output.get("data", {})
            if "text/html" in data:
                parts.append(f'<div class="output">{" ".join(data["text/html"].split())}</div>')
            else:
                text = output["text"] if output.output_type == "stream" else data["text/plain"]
                parts.append("```{.text .output}\n" + text.rstrip("\n") + "\n```")
    return "\n\n".join(parts) + "\n"
