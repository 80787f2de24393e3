"""The table of texts: complete, used, and with the same blanks in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import quepu.cli
from quepu.cli.commands import COMMANDS
from quepu.cli.texts import PARTS, TEXTS, in_words_of, language
from quepu.rules.play_rules import USUAL_WORDS

FOLDER = Path(quepu.cli.__file__).parent
SOURCES = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
FAMILIES = (
    "cmd.",
    "check.",
    "shell.help.",
    "unit.",
    "fan.of.",
    "diff.",
    "match.help.",
    "match.fault.",
    "match.asks_",
    "head.by_",
    "verify.",
    "stats.",
)
"""Texts whose key is put together from a prefix and a name."""


def test_a_text_says_the_same_blanks_in_both_languages_and_is_used() -> None:
    quoted = set(re.findall(r"""["']([^\s"']+)(?=["'])""", SOURCES))
    for key, text in TEXTS.items():
        assert text.zh.strip() and text.en.strip(), key
        zh, en = (set(re.findall(r"\{(\w*)(?:![rs])?\}", side)) for side in text)
        assert zh - set(in_words_of(USUAL_WORDS)) == en, key  # English has one word for a hand in every book
        assert key.startswith(FAMILIES) or key in quoted, key


def test_a_key_stands_in_one_part() -> None:
    assert len(TEXTS) == sum(map(len, PARTS))


def test_every_command_says_what_it_is_for() -> None:
    assert {f"cmd.{name}" for name in COMMANDS} == {key for key in TEXTS if re.fullmatch(r"cmd\.[\w-]+", key)}


@pytest.mark.parametrize(("given", "lang"), [("en", "en"), ("en_GB", "en"), ("zh", "zh"), ("fr", "zh"), (None, "zh")])
def test_the_language(given: str | None, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUEPU_LANG", raising=False)
    assert language(given) == lang
