"""House rules written for every earlier version: each file opens, and at the revision of then scores as it did."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.rulebooks.house_rules import read
from tests.golden.test_scores import cannot_be, revisions

HERE = Path(__file__).parent
FOLDERS = sorted(path.parent for path in HERE.glob("*/overlays.json.gz"))


def files(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(gzip.decompress((folder / "overlays.json.gz").read_bytes()))
    return found


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_file_opens_as_it_is_and_scores_as_it_did_at_its_revision(folder: Path) -> None:
    at = revisions(folder)
    wrong = []
    for one in files(folder):
        assert read(one["text"]).minimum == one["minimum"]
        base = re.findall(r'^base = "([\w-]+)"$', one["text"], re.MULTILINE)[0]
        house = read(one["text"].replace(f'base = "{base}"', f'base = "{base}@{at[base]}"', 1))
        for request, then in zip(one["hands"], one["scores"], strict=True):
            try:
                score = quepu.score(**request, rules=house)
                now = [score.points, score.can_win, sorted([fan.name, fan.count] for fan in score.fans)]
            except quepu.Error:
                now = None
            if now != then and not (now is None and cannot_be(request, base)):
                wrong.append((one["text"], request["hand"], then, now))
    assert not wrong, wrong[:3]


def test_every_tag_left_what_it_wrote() -> None:
    """A release without its folder here could be broken by the next one unseen."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("no git")
    done = subprocess.run([git, "tag", "--list", "v*"], cwd=HERE, capture_output=True, text=True, check=False)
    for tag in done.stdout.split():
        made = [folder for folder in HERE.glob(f"{tag[1:]}-*") if folder.is_dir()]
        for name in ("scores.jsonl.gz", "overlays.json.gz", "data.sqlite3.gz", "expected.json.gz"):
            assert any((folder / name).is_file() for folder in made), f"{tag}: no {name}, see README.md"
