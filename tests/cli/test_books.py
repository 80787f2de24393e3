"""`quepu books` says how many conformance cases passed, without scoring any; `quepu conformance` names every kind."""

from __future__ import annotations

from quepu.cli.books import _find_agreement
from quepu.cli.conformance import _KINDS
from quepu.conformance.agreement import KINDS, load_agreement
from quepu.rulebooks import books


def test_the_recorded_result_is_shown() -> None:
    for book in books():
        checked = _find_agreement(book)
        measured = load_agreement(book.id, book.fingerprint) or (None, None)
        assert (checked["cases_passing"], checked["cases"]) == measured


def test_a_result_of_other_scores_is_none() -> None:
    assert load_agreement("lingque-29", "000000000000") is None
    assert load_agreement("house", books()[0].fingerprint) is None
    assert _find_agreement(books()[0].having(minimum=99))["cases"] is None


def test_every_kind_of_case_has_a_name() -> None:
    assert tuple(_KINDS) == KINDS
