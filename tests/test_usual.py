"""What wins are usually worth, for the keys of the scorekeeper."""

import pytest

import quepu
from quepu.arena.usual import usual
from quepu.rules.measured_figures import usual as kept

PLAYED = [book for book in quepu.books() if book.play]


@pytest.mark.parametrize("book", PLAYED, ids=lambda book: book.id)
def test_every_book_has_usual_values_that_may_be_won(book):
    values = kept(book)
    assert len(values) >= 10
    assert min(values) >= book.minimum
    assert len(set(values)) == len(values)


def test_a_house_rule_takes_its_familys_values_above_its_own_minimum():
    book = quepu.book("lingque-29").having(id="ours", minimum=20)
    assert set(kept(book)) == {value for value in kept(quepu.book("lingque-29")) if value >= 20}


@pytest.mark.slow
@pytest.mark.parametrize("book", PLAYED, ids=lambda book: book.id)
def test_fifteen_keys_hold_most_wins(book):
    """Whatever the bots learn meanwhile: hands played now end on a key in four wins out of five."""
    now = usual(book, hands=200)
    keys = set(kept(book)[:15])
    held = sum(n for value, n in now.items() if int(value) in keys)
    assert held >= 0.8 * sum(now.values())
