"""The table of texts: complete, used, and with the same blanks in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import quepu.cli
from quepu.cli.declared import COMMANDS
from quepu.cli.texts import PARTS, TEXTS, Chosen, in_words_of, language, say
from quepu.rules.play_rules import USUAL_WORDS

FOLDER = Path(quepu.cli.__file__).parent
SOURCES = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
FAMILIES = (
    "admin.counted.",
    "admin.state.",
    "cmd.",
    "check.",
    "shell.help.",
    "unit.",
    "fan.of.",
    "fan.as.",
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


def test_english_says_one_thing_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chosen, "lang", "en")
    assert say("waits.head", n=1, left=1) == "waits on 1 kind, 1 tile"
    assert say("waits.head", n=2, left=1) == "waits on 2 kinds, 1 tile"
    assert say("stats.files", matches=1, hands=11, unread=1) == "1 match, 11 hands; 1 file could not be read."
    assert say("bad.needs_value", name="1") == "1 needs a value."


@pytest.mark.parametrize(("given", "lang"), [("en", "en"), ("en_GB", "en"), ("zh", "zh"), ("fr", "zh"), (None, "zh")])
def test_the_language(given: str | None, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUEPU_LANG", raising=False)
    assert language(given) == lang
