"""The figures that come with the program: whole, of the book as it is, and (slowly) what the lab works out today."""

from __future__ import annotations

import json

import pytest

from quepu.lab.tables import figures as worked_out
from quepu.lab.tables import path_of
from quepu.rulebooks import book as book_of
from quepu.rules.measured_figures import figures
from quepu.rules.rulebook import Rulebook
from tests.lab.test_rarity import APPENDIX
from tests.lab.test_tables import PRINTED
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
    assert json.loads(path_of(book).read_text("utf-8")) == worked_out(book, use_cache=False)


def test_figures_as_the_books_print_them() -> None:
    """灵雀 v29's 附录 and 玉雀's 最低番数, without an enumeration: the slow test works the file out again."""
    appendix = {name: figure.least for name, figure in figures(book_of("lingque-29")).items()}
    assert appendix.pop("岭上开花", None) is None  # the book prints 16, which no hand with a kong is worth
    assert {name: appendix[name] for name in APPENDIX if name in appendix} == {
        name: points for name, points in APPENDIX.items() if name in appendix
    }
    printed = {**PRINTED, "天和": 18, "九莲宝灯": 30, "四杠": 25, "四暗刻": 18}
    totals = {name: figure.least for name, figure in figures(book_of("yuque-54")).items()}
    assert {name: totals[name] for name in printed} == {name: fan**2 for name, fan in printed.items()}
