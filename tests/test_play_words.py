"""Table and match in words: every field has a name, every value is said without a word from the inside."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from quepu.errors import Text
from quepu.rulebooks import book as get
from quepu.rulebooks import books
from quepu.rules.play_rules import MatchRules, TableRules, play_rules
from quepu.rules.play_words import FIELDS, play_words
from quepu.rules.rulebook import Rulebook


def test_every_field_has_a_name() -> None:
    assert set(FIELDS) == {one.name for part in (TableRules, MatchRules) for one in fields(part)}


def test_seat_changes_and_the_reduced_score_can_be_understood() -> None:
    before, after = (play_words(play_rules(get(f"lingque-{edition}")).match) for edition in (26, 29))
    assert before["moves"] == Text("不换", "none")
    assert after["moves"].zh == ("第 1、3 圈后东南互换、西北互换；第 2 圈后东→西→南→北→东；第 4 圈后东→北→南→西→东")
    assert after["moves"].en.startswith("after rounds 1 and 3 E and S change places, W and N change places; after")
    assert before["reduced"] == Text("α 为 1，T₀ 为 480", "α = 1, T₀ = 480")
    assert after["reduced"] == Text("无", "none")
    assert FIELDS["reduced"] == Text("约化分数", "reduced score")


@pytest.mark.parametrize("book", [one for one in books() if one.play], ids=lambda book: book.id)
def test_values_are_words(book: Rulebook) -> None:
    rules = play_rules(book)
    for value in (play_words(rules.table) | play_words(rules.match)).values():
        assert isinstance(value, Text)
        assert not re.search(r"[A-Za-z_]{2,}|[(){}]", value.zh), value.zh
        assert "_" not in value.en
        assert not re.search(r"True|False|None|TileSet", value.en)
