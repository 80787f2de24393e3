"""`quepu books` scores every row's own example when it is asked."""

from __future__ import annotations

from quepu.describe import examples_passing
from quepu.rulebooks import books


def test_every_example_of_every_book_is_right() -> None:
    for book in books():
        assert examples_passing(book) == (len(book.fans), len(book.fans)), book.id


def test_an_example_that_no_longer_counts_is_not_counted() -> None:
    book = books()[0]
    fan = book.fans[-1]
    broken = book.having(fans={fan.name: {"when": lambda h: h.t1 == 0}}, id="broken")
    assert examples_passing(broken)[0] < len(book.fans)
