"""The 81 rows of 国标 in Europe against the Green Book itself: values, exclusions, combinations and pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import quepu
from quepu.rulebooks import book
from quepu.rulebooks.guobiao.readings import GREEN_BOOK, MIXED_KONGS
from quepu.scoring.describe import score_example
from quepu.scoring.score import Score

EMA = book("guobiao-ema")
ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("green_book_rows.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def scored_by_hand() -> list[Score]:
    """Return the scores of the hands of `green_book_hands.tsv` and of the examples of all fans."""
    lines = Path(__file__).with_name("green_book_hands.tsv").read_text("utf-8").splitlines()
    hands = [line.split("\t")[:2] for line in lines if not line.startswith("#")]
    return [
        *(quepu.score(hand, EMA, self_draw="s" in how) for hand, how in hands),
        *(score_example(fan.example, EMA) for fan in EMA.fans if fan.example is not None),
    ]


COUNTED = [{fan.name for fan in score.fans} for score in scored_by_hand()]


def names(cell: str) -> set[str]:
    """Return the fans of a cell; those with ! are left out."""
    return {GREEN_BOOK[int(one) - 1] for one in cell.split() if not one.endswith("!")}


def test_the_table_has_81_rows_and_the_values_of_the_book() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 82))
    assert [EMA.fan(GREEN_BOOK[int(row[0]) - 1]).value for row in ROWS] == [int(row[1]) for row in ROWS]
    assert EMA.fan(MIXED_KONGS).value == 6


@pytest.mark.parametrize(("number", "excluded"), [(row[0], row[2]) for row in ROWS if row[2]])
def test_a_stated_exclusion_is_made(number: str, excluded: str) -> None:
    fan = EMA.fan(GREEN_BOOK[int(number) - 1])
    by_principle = names(excluded) - set(fan.drops)  # no row has to say that sets cannot be counted again
    beside = [found for found in COUNTED if fan.name in found]
    assert beside and not [found for found in beside if found & by_principle]
    assert len(by_principle) <= 2


@pytest.mark.parametrize(("number", "counted"), [(row[0], row[3]) for row in ROWS if row[3]])
def test_a_stated_combination_counts(number: str, counted: str) -> None:
    fan = EMA.fan(GREEN_BOOK[int(number) - 1])
    others = names(counted)
    assert not others & set(fan.drops)
    assert not [name for name in others if fan.name in EMA.fan(name).drops]


@pytest.mark.parametrize(("number", "table", "appendix"), [(row[0], row[4], row[5]) for row in ROWS])
def test_a_row_names_its_pages(number: str, table: str, appendix: str) -> None:
    source = EMA.fan(GREEN_BOOK[int(number) - 1]).column("source")
    assert re.findall(r"\d+", source) == [number, "3", "8", "1", table, "1", appendix]
