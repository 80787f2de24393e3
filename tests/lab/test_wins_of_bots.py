"""Wins of bots that come with the program: one file for each book, of its rules of today."""

from __future__ import annotations

import pytest

import quepu
from quepu.lab.played import load_simulated, load_simulated_like_people
from tests.books import PLAYED


@pytest.mark.parametrize("name", PLAYED)
def test_wins_of_bots_are_of_the_book_as_it_is_today(name: str) -> None:
    book = quepu.book(name)
    (played,) = load_simulated(book)  # none where the file is of other rules
    assert played.wins > 1000
    assert set(played.fans) <= {fan.name for fan in book.fans}


@pytest.mark.parametrize(
    "name", ["guobiao", "guobiao-mcr", "guobiao-mil-2025", "lingque-29", "lingque-26", "yuque-54", "canton"]
)
def test_wins_like_peoples_are_of_the_book_as_it_is_today(name: str) -> None:
    book = quepu.book(name)
    (played,) = load_simulated_like_people(book)
    assert played.wins > 900
    assert set(played.fans) <= {fan.name for fan in book.fans}
