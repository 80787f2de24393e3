"""An evening stays what it was: rules that change later change no season, and that they differ is said."""

from __future__ import annotations

import pytest

from quepu.rules.rulebook import Rulebook
from quepu.scorekeeper import ledger
from quepu.scorekeeper.ledger import as_settled, fold, open_spec
from quepu.scorekeeper.records import HandRecord, PenaltyRecord, Record, TableFile, TableSpec, WonHand

NAMES = ["林", "周", "何", "许"]
SPEC = TableSpec(rules="lingque-29", names=NAMES)
TILES = WonHand(hand="11223sCC(NNNN)(123s)+3s", givers=["across", "left"])
EVENING: list[Record] = [
    HandRecord(winner=0, points=48, discarder=1),
    HandRecord(winner=2, discarder=1, tiles=TILES),
    HandRecord(),
    PenaltyRecord(player=1, fault="错和"),
    HandRecord(winner=3, points=30, self_draw=True),
]


def higher(book: Rulebook) -> Rulebook:
    """The same book with other values, without a word of it: what an upgrade might bring."""
    return book.having(values={fan.name: (fan.value[0] + 6, fan.value[1]) for fan in book.fans})


def test_a_book_that_changed_changes_no_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fold(SPEC, EVENING)
    assert before.rows[1].came_to is not None
    written = as_settled(EVENING, before)
    real = ledger.book_of
    monkeypatch.setattr(ledger, "book_of", lambda rules, house: higher(real(rules, house)))
    now = fold(SPEC, EVENING)
    assert now.match.totals != before.match.totals, "or nothing is tried here"
    later = fold(SPEC, written)
    assert later.match.totals == before.match.totals
    assert [row.gains for row in later.rows] == [row.gains for row in before.rows]
    then, today = before.match.hands[1].ending.winners[0].points, now.match.hands[1].ending.winners[0].points
    assert f"按当时所记 {then} 结算；照今天的规则是 {today}" in later.rows[1].remarks[-1].zh
    assert later.rows[0].remarks == before.rows[0].remarks
    assert as_settled(written, later) == written


def test_a_fault_that_is_no_more_costs_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    written = as_settled(EVENING, before := fold(SPEC, EVENING))
    real = ledger.book_of
    monkeypatch.setattr(ledger, "book_of", lambda rules, house: real("guobiao", house))  # quite another book
    later = fold(SPEC, written)
    assert [row.gains for row in later.rows][:4] == [row.gains for row in before.rows][:4]


def test_who_corrects_an_earlier_hand_has_later_ones_worked_out_anew() -> None:
    written = as_settled(EVENING, fold(SPEC, EVENING))
    lost: list[Record] = [HandRecord(winner=1, points=48, discarder=0), *written[1:]]
    fresh: list[Record] = [HandRecord(winner=1, points=48, discarder=0), *EVENING[1:]]
    assert fold(SPEC, lost).match.totals == fold(SPEC, fresh).match.totals


def test_a_table_keeps_the_revision_it_was_opened_with() -> None:
    spec = TableSpec(rules="yuque-54", names=NAMES)
    now = open_spec(spec)
    assert now.revision is not None
    assert fold(now, []).match.book.id == "yuque-54"
    assert fold(spec.model_copy(update={"revision": 1}), []).match.book.id == "yuque-54@1"
    old = TableFile.model_validate({"quepu": "table", "version": 1, "spec": spec.model_dump(), "records": []})
    assert old.spec.revision == 1
    assert TableFile(quepu="table", spec=now, records=[]).spec == now
