"""What wins are usually worth, for the keys of the scorekeeper."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import quepu
from quepu.arena import usual as made
from quepu.arena.usual import usual
from quepu.hands.hand import Luck
from quepu.hands.notation import parse
from quepu.match.settle import Ending, SeatWin
from quepu.rules.measured_figures import usual as recorded
from quepu.scorekeeper.ledger import with_record
from quepu.scorekeeper.records import HandRecord, TableSpec
from tests.guides import FIRST_BOOK

PLAYED = [book for book in quepu.books() if book.play]


@pytest.mark.parametrize("book", PLAYED, ids=lambda book: book.id)
def test_every_book_has_usual_values_that_may_be_won(book):
    values = recorded(book)
    assert len(values) >= min(10, len(book.fans) // 2)  # a small book has fewer values
    assert min(values) >= book.minimum
    assert len(set(values)) == len(values)


def test_a_house_rule_takes_its_familys_values_above_its_own_minimum():
    book = quepu.book("lingque-29").having(id="ours", minimum=20)
    assert set(recorded(book)) == {value for value in recorded(quepu.book("lingque-29")) if value >= 20}


def test_written_for_every_book_with_a_table_or_for_those_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "usual.json"
    monkeypatch.setattr(made, "path", lambda: file)
    monkeypatch.setattr(made, "usual", lambda book: {"1": len(book.fans)})
    monkeypatch.setattr(quepu, "books", lambda: (*PLAYED, FIRST_BOOK))
    made.write()
    assert list(json.loads(file.read_text())) == [book.id for book in PLAYED]
    file.write_text('{"ours": {"2": 3}}')
    made.write(["玉雀"])
    assert json.loads(file.read_text()) == {"ours": {"2": 3}, "yuque-54": {"1": len(quepu.book("玉雀").fans)}}


@pytest.mark.parametrize(("name", "flowers_count"), [("guobiao", 3), ("guobiao-mcr", 3), ("lingque-29", 0)])
def test_flowers_are_left_out_only_where_the_scorekeeper_is_given_them_apart(
    name: str, flowers_count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = quepu.book(name)
    hand = parse("123m456m789m234p5p+5p")._replace(luck=Luck.SELF_DRAW)
    without, three = (quepu.score(hand._replace(flowers=some), rules) for some in ((), (0, 1, 2)))

    def played(*_: object, **__: object) -> object:
        return SimpleNamespace(ending=Ending((SeatWin(0, three.total, score=three),), self_draw=True))

    monkeypatch.setattr(made, "play_hand", played)
    monkeypatch.setattr(made, "LEVEL", "plain")
    value = without.total + flowers_count
    assert usual(rules, hands=2) == {str(value): 2}
    record = HandRecord(winner=0, points=value, self_draw=True, flowers=0 if flowers_count else 3, supplied=[0] * 4)
    ledger = with_record(TableSpec(rules=name, names=["甲", "乙", "丙", "丁"]), [], 0, record)
    assert ledger.match.hands[0].ending.winners[0].points == three.total


@pytest.mark.slow
@pytest.mark.parametrize("book", PLAYED, ids=lambda book: book.id)
def test_fifteen_keys_hold_most_wins(book):
    """Whatever the bots learn meanwhile: hands played now end on a key in four wins out of five."""
    now = usual(book, hands=200)
    keys = set(recorded(book)[:15])
    held = sum(n for value, n in now.items() if int(value) in keys)
    assert held >= 0.8 * sum(now.values())
