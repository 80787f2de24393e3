"""A book's own words wherever a hand is named: events, actions, rows, summaries, and what commands print."""

from __future__ import annotations

import pytest

import quepu
from quepu.cli.texts import TEXTS, in_words_of
from quepu.match.words import place_name
from quepu.rules.play_rules import USUAL_WORDS, play_rules
from quepu.scorekeeper.ledger import fold
from quepu.scorekeeper.records import HandRecord, TableSpec
from quepu.scorekeeper.transfers import summary
from quepu.table.actions import WIN
from quepu.table.events import Exhausted, Won
from quepu.table.facts import read_fact
from tests.books import PLAYED

OTHERS = {
    "guobiao": {"hand": "盘", "drawn": "荒牌", "discarded": "点炮"},
    "guobiao-mcr": {"hand": "盘", "drawn": "荒牌", "discarded": "点炮"},
    "guobiao-mil-2025": {"hand": "盘", "drawn": "荒牌", "discarded": "点炮"},
    "guobiao-ema": {"hand": "盘", "drawn": "荒牌", "discarded": "点炮"},
    "canton": {"won": "食糊", "discarded": "出冲"},
}
"""Words that a book itself writes (seeds 003 and 004); all others are the usual ones."""


def words_of(name: str) -> dict[str, str]:
    return {field: text.zh for field, text in USUAL_WORDS._asdict().items()} | OTHERS.get(name, {})


@pytest.mark.parametrize("name", [*PLAYED, "guobiao-ema"])
def test_what_happens_is_named_as_the_book_names_it(name: str) -> None:
    words, own = play_rules(quepu.book(name)).words, words_of(name)
    assert Exhausted().text(words).zh == own["drawn"]
    assert Won(0, 4, 1).text(words).zh == f"东家{own['won']}五万（南家给）"
    assert WIN._replace(tile=4).text(words).zh == f"{own['won']}五万"
    assert read_fact("drawn").text(words).zh == own["drawn"]


@pytest.mark.parametrize("name", [*PLAYED, "guobiao-ema"])
def test_a_table_scored_by_hand_is_written_in_the_words_of_its_book(name: str) -> None:
    own = words_of(name)
    spec = TableSpec(rules=name, names=("甲", "乙", "丙", "丁"))
    points = 16 if quepu.book(name).minimum < 16 else 24
    ledger = fold(spec, [HandRecord(winner=0, discarder=1, points=points), HandRecord()])
    won, drawn = (row.text.zh for row in ledger.rows)
    assert won.startswith(f"甲 {own['won']} ") and won.endswith(f"乙 {own['discarded']}")
    assert drawn == own["drawn"]
    assert f"2 {own['hand']}" in summary(ledger).zh
    assert place_name(ledger.match.place, ledger.match.rules.words).zh.split()[2] == own["hand"]


def test_no_text_of_a_command_has_the_words_of_one_book() -> None:
    """Texts shown while a book is in use take its words as blanks; help and errors may have the usual ones."""
    values = in_words_of(play_rules(quepu.book("guobiao")).words)
    for key in ("play.hand", "replay.where", "review.hand", "match.place", "match.next", "told.help", "sim.hands"):
        assert "局" not in TEXTS[key].zh and set(values) & set(_blanks(TEXTS[key].zh)), key


def _blanks(text: str) -> list[str]:
    return [part.split("}")[0] for part in text.split("{")[1:]]
