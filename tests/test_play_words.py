"""Table and match in words: every field has a name, every value is said without a word from the inside."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from quepu.errors import Text
from quepu.rulebooks import books
from quepu.rules.play_rules import MatchRules, TableRules, play_rules
from quepu.rules.play_words import FIELDS, play_words
from quepu.rules.rulebook import Rulebook


def test_every_field_has_a_name() -> None:
    assert set(FIELDS) == {one.name for part in (TableRules, MatchRules) for one in fields(part)}


@pytest.mark.parametrize("book", [one for one in books() if one.play], ids=lambda book: book.id)
def test_values_are_words(book: Rulebook) -> None:
    rules = play_rules(book)
    for value in (play_words(rules.table) | play_words(rules.match)).values():
        assert isinstance(value, Text)
        assert not re.search(r"[A-Za-z_]{2,}|[(){}]", value.zh), value.zh
        assert "_" not in value.en
        assert not re.search(r"True|False|None|TileSet", value.en)
