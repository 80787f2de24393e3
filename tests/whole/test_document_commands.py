"""The commands of the documents are run, in an empty folder; what cannot be says why, in a comment above it.

`console` fences are run, and their output compared, by tests/test_documents.py; these have none to show. A Chinese
document has the commands of the English one (tests/test_translations.py).
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_documents import DOCUMENTS, FENCE, ROOT

WHY_NOT = re.compile(r"<!-- not run: ([^>]{10,}) -->\n$")
FOLDERS = re.compile(r"(?<![\w./-])/(?=(?:etc|opt|somewhere|var)/)")
"""Folders of the reader's machine; here they lie below the folder that the commands are run in."""
STANDS_FOR = {"quepu": f'exec "{sys.executable}" -m quepu "$@"', "sudo": 'shift 2; exec "$@"', "systemctl": ""}
"""Programs of the reader's machine: quepu as it is here, commands as the user who runs the tests, no services."""


def _commands() -> list[tuple[str, str]]:
    """Each document with those of its commands that are run."""
    found = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        if path.name.endswith(".zh.md") and path.with_name(path.name.replace(".zh.md", ".md")).exists():
            continue
        fences = [fence for fence in FENCE.finditer(text) if fence[1] == "sh"]
        run = [fence[2] for fence in fences if not WHY_NOT.search(text[: fence.start()])]
        if run:
            found.append((path.name, "".join(run)))
    return found


async def _played(folder: Path) -> None:
    """The folder of a server that something was stored in."""
    from quepu.server.store.database import Database
    from quepu.server.store.logs import Logs

    base = Database(folder)
    await Logs(base).create("room", "", "first", {"room": {}}, process="p")
    await base.close()


@pytest.mark.skipif(shutil.which("sh") is None or sys.platform == "win32", reason="no shell of a Unix")
@pytest.mark.parametrize(
    ("name", "commands"),
    [
        pytest.param(name, commands, id=name, marks=[pytest.mark.long] * (name == "operators.md"))
        for name, commands in _commands()
    ],
)
def test_commands_of_a_document_succeed(name: str, commands: str, tmp_path: Path) -> None:
    programs = tmp_path / "opt" / "quepu" / "venv" / "bin"
    settings = tmp_path / "etc" / "quepu" / "server.toml"
    for folder in (programs, settings.parent, tmp_path / "var/lib/quepu", tmp_path / "somewhere/else"):
        folder.mkdir(parents=True)
    below = f"{tmp_path.as_posix()}/"
    ours = FOLDERS.sub(below, (ROOT / "deploy/server.toml").read_text(encoding="utf-8"))
    settings.write_text(re.sub(r"(?<=port = )\d+", "0", ours), encoding="utf-8")  # any port that is free
    if name == "operators.md":
        asyncio.run(_played(tmp_path / "var/lib/quepu"))
    for program, does in STANDS_FOR.items():
        (programs / program).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (programs / program).chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}
    script = "set -eu\n" + FOLDERS.sub(below, commands)
    done = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{name}\n{script}\n{done.stdout}{done.stderr}"
    assert done.stdout + done.stderr, name


def test_what_is_run_are_the_commands_for_operators_and_for_other_implementations() -> None:
    """A comment that is put above everything would leave nothing to run."""
    assert {name for name, _ in _commands()} >= {"conformance.md", "operators.md"}
    assert {"serve", "backup", "restore"} <= set(dict(_commands())["operators.md"].split())


def test_a_comment_says_at_some_length_why_commands_are_not_run() -> None:
    """One that is too short would be passed over, and minutes of play be run."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for comment in re.finditer(r"<!-- not run.*-->\n", text):
            assert WHY_NOT.search(comment[0]), f"{path.name}: {comment[0]}"
