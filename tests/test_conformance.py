"""The conformance files: up to date, complete, right, and able to find what another program does otherwise."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from quepu.conformance.agreement import by_fan, cases, load_agreement, of_program, of_quepu
from quepu.conformance.generate import DOCUMENTS, document, generate_cases
from quepu.errors import HandError
from quepu.rulebooks import books, readings
from quepu.rules.rulebook import Rulebook
from tests.guides import FIRST_BOOK, followed
from tests.test_books import BOOKS

COVERED = [*BOOKS, *(pytest.param(book, id=book.id) for book in readings())]
WRITE = "write them anew: python -m quepu.conformance.generate"


@pytest.mark.parametrize("book", COVERED)
def test_every_case_agrees_and_the_record_is_of_these_scores(book: Rulebook) -> None:
    some = cases(book.id)
    wrong = [verdict.case.id for verdict in of_quepu(some) if not verdict.agrees]
    assert not wrong, WRITE
    assert load_agreement(book.id, book.fingerprint) == (len(some), len(some)), WRITE


@pytest.mark.parametrize("book", COVERED)
def test_every_fan_has_a_positive_case_and_a_near_miss(book: Rulebook) -> None:
    some = cases(book.id)
    assert len({case.id for case in some}) == len(some)
    by_kind = {kind: [case for case in some if case.kind == kind] for kind in ("positive", "near miss", "clause")}
    for kind in ("positive", "near miss"):
        assert [case.fan for case in by_kind[kind]] == [fan.name for fan in book.fans], WRITE
    for kind, counts in (("positive", True), ("near miss", False), ("clause", False)):
        for case in by_kind[kind]:
            assert (case.fan in {fan["name"] for fan in case.expect.get("fans", ())}) == counts, case.id
    assert all(case.sentence for case in some)
    kinds = {case.kind for case in some}
    assert "clause" in kinds  # a reading of another book has no examples of its own
    assert ("payment" in kinds) == bool(book.play)
    assert {ruling for case in some for ruling in case.rulings} <= {ruling.id for ruling in book.rulings}


def test_a_book_of_rows_alone_has_cases() -> None:
    """No examples, no rulings, no table: the book of docs/guide/first-book.md."""
    with followed():
        some = generate_cases(FIRST_BOOK)
        assert all(verdict.agrees for verdict in of_quepu(some))
    assert [case.fan for case in some if case.kind == "positive"] == [fan.name for fan in FIRST_BOOK.fans]
    assert {case.kind for case in some} == {"positive", "near miss", "clause"}


def test_most_rulings_have_a_hand() -> None:
    """What is about the table, a misprint or an option has none."""
    ids = {ruling.id for book in books() for ruling in book.rulings}
    with_hands = {case.rulings[0] for book in books() for case in cases(book.id) if case.kind == "ruling"}
    assert with_hands <= ids
    assert len(with_hands) > 0.8 * len(ids)


@pytest.mark.parametrize("lang", DOCUMENTS)
def test_the_document_is_up_to_date(lang: str) -> None:
    all_cases = {book.id: cases(book.id) for book in (*books(), *readings())}
    assert DOCUMENTS[lang].read_text("utf-8") == document(lang, all_cases), WRITE


@pytest.mark.slow
@pytest.mark.parametrize("book", COVERED)
def test_the_files_are_up_to_date(book: Rulebook) -> None:
    assert generate_cases(book) == cases(book.id), WRITE


def test_another_program_is_compared_fan_by_fan(tmp_path: Path) -> None:
    """A program that forgets one fan: its cases differ, the others agree."""
    some = [case for case in cases("guobiao-mcr") if case.kind != "payment"][:120]
    forgets = next(case.expect["fans"][0]["name"] for case in reversed(some) if case.expect.get("fans"))
    lines = []
    for case in some:
        fans = [fan for fan in case.expect.get("fans", ()) if fan["name"] != forgets]
        lines.append(json.dumps(case.expect | {"fans": fans}))
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(lines) + "\n", "utf-8")
    program = f"{sys.executable} -c \"import sys; sys.stdin.read(); print(open('{answers}').read())\""
    verdicts = of_program(some, program)
    wrong = {verdict.case.id for verdict in verdicts if not verdict.agrees}
    assert wrong == {case.id for case in some if forgets in {fan["name"] for fan in case.expect.get("fans", ())}}
    assert wrong
    assert sum(one.cases for one in by_fan(verdicts)) == len(some)
    assert sum(one.fans for one in by_fan(verdicts)) == len(some) - len(wrong)


def test_a_program_that_answers_too_little_is_refused() -> None:
    with pytest.raises(HandError, match="0 行"):
        of_program(cases("canton")[:3], f"{sys.executable} -c pass")
    with pytest.raises(HandError, match="运行失败"):
        of_program(cases("canton")[:3], "no-such-program-anywhere")
