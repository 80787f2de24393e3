"""The figures that come with the program: whole, of the book as it is, and (slowly) what the lab works out today."""

from __future__ import annotations

import json

import pytest

from quepu.figures import figures
from quepu.lab.tables import figures as worked_out
from quepu.lab.tables import path_of
from quepu.rulebook import Rulebook
from tests.test_books import BOOKS


@pytest.mark.parametrize("book", BOOKS)
def test_figures_are_of_this_book(book: Rulebook) -> None:
    found = figures(book)
    if not found:
        pytest.skip("not measured yet under these rules: quepu lab rarity BOOK --publish")
    assert list(found) == [fan.name for fan in book.fans]
    for row in found.values():
        assert row.share is None or 0 < row.share <= 1
        assert (row.least is None) == (row.least_hand is None)


@pytest.mark.parametrize("book", BOOKS)
def test_a_house_rule_has_no_figures(book: Rulebook) -> None:
    assert not figures(book.having(minimum=book.minimum + 7))


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_figures_are_what_the_lab_works_out(book: Rulebook) -> None:
    assert json.loads(path_of(book).read_text("utf-8")) == worked_out(book, keep=False)
