"""Changelog fragments: a Chinese and an English one for every change, and a release can be made of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FRAGMENTS = ROOT / "changelog.d"


def test_every_change_has_a_fragment_in_both_languages() -> None:
    chinese, english = ({path.name for path in (FRAGMENTS / lang).glob("*.md")} for lang in ("zh", "en"))
    assert chinese == english


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_fragments_make_a_release(lang: str, tmp_path: Path) -> None:
    """Every fragment's text is in the draft; a fragment of an unknown type stops the build."""
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9", "--config"]
    config = FRAGMENTS / lang / "towncrier.toml"
    draft = subprocess.run([*command, str(config)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert draft.returncode == 0, draft.stderr
    for path in (FRAGMENTS / lang).glob("*.md"):
        first = path.read_text(encoding="utf-8").split("\n", 1)[0].strip()
        assert first in draft.stdout, path.name

    (tmp_path / lang).mkdir()
    (tmp_path / lang / "towncrier.toml").write_text(config.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "template.md").write_text((FRAGMENTS / "template.md").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / lang / "a-change.scores.md").write_text("A change.\n", encoding="utf-8")
    wrong = [*command, str(tmp_path / lang / "towncrier.toml")]
    refused = subprocess.run(wrong, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert refused.returncode != 0
    assert "a-change.scores.md" in refused.stderr + refused.stdout
