"""A document in both languages: the same headings, code, names and links in both, so that they cannot drift apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
CHINESE = sorted([*DOCS.glob("guide/*.zh.md"), *DOCS.glob("reference/*.zh.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def english(path: Path) -> Path:
    return path.with_name(path.name.replace(".zh.md", ".md"))


def code(text: str) -> list[tuple[str, str]]:
    """Every fence: its kind and lines without remarks; of commands and calls, what is asked and not the answer."""
    found = []
    for fence in FENCE.finditer(text):
        lines = [re.sub(r"(?<=\S) {2,}# .*$", "", line) for line in fence[2].splitlines()]
        typed = [line for line in lines if fence[1] != "console" or line.startswith("$ ")]
        asked = [line for line in typed if not line.startswith("← ")]
        if asked and asked[0].startswith(("win ", "和 ")):  # lines of a match, typed in the reader's language
            asked = [f"{len(asked)} lines"]
        found.append((fence[1], "\n".join(asked).replace('"--lang", "zh"', '"--lang", "en"')))
    return found


def prose(path: Path) -> str:
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def headings(path: Path) -> list[str]:
    """The marks of the headings, in order."""
    return re.findall(r"^#+(?= )", prose(path), re.MULTILINE)


def rows(path: Path) -> list[int]:
    """Columns of each row of each table."""
    return [line.count("|") for line in prose(path).splitlines() if line.startswith("|")]


def names(path: Path) -> set[str]:
    """What stands as code in the text: commands, settings, files, values."""
    words = re.findall(r"`([^`]+)`", prose(path))
    other = {"export QUEPU_LANG=en": "export QUEPU_LANG=zh", "--lang zh": "--lang en"}
    found = {re.sub(r"\s+", " ", word).replace(".zh.md", ".md") for word in words}
    return {re.sub(r"--names \S+", "--names …", other.get(word, word)) for word in found}


def links(path: Path) -> set[str]:
    """Where it leads, whatever the language, but for the page in the other language."""
    targets = {target.replace(".zh.md", ".md") for target in re.findall(r"\]\(([^)]+)\)", prose(path))}
    return targets - {english(path).name}


def test_there_are_documents_in_both_languages() -> None:
    assert CHINESE
    assert all(english(path).is_file() for path in CHINESE)


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.name)
def test_both_languages_have_the_same_code(path: Path) -> None:
    assert code(path.read_text(encoding="utf-8")) == code(english(path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.name)
def test_both_languages_have_the_same_parts(path: Path) -> None:
    assert headings(path) == headings(english(path))
    assert rows(path) == rows(english(path))
    assert names(path) == names(english(path))
    assert links(path) == links(english(path))


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.name)
def test_a_reader_of_one_language_stays_in_it(path: Path) -> None:
    """A Chinese document leads to Chinese ones where they exist; each leads to the other language at its beginning."""
    assert f"[English]({english(path).name})" in path.read_text(encoding="utf-8")[:120]
    assert f"[中文]({path.name})" in english(path).read_text(encoding="utf-8")[:120]
    for target in re.findall(r"\]\(([\w./-]+\.md)[^)]*\)", prose(path)):
        there = path.parent / target
        assert there == english(path) or target.endswith(".zh.md") or not there.with_suffix(".zh.md").exists(), target
