"""The figures that come with the program: whole, of the book as it is, and (slowly) what the lab works out today."""

from __future__ import annotations

import json

import pytest

from quepu.fast.universe.standard_hands import MORE_STATES
from quepu.hands.hand import Luck
from quepu.hands.notation import parse
from quepu.lab.published_figures import figures as worked_out
from quepu.lab.published_figures import path_of
from quepu.lab.states import lucky_states
from quepu.rulebooks import book as book_of
from quepu.rules.measured_figures import figures
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
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
def test_figures_name_their_state_as_the_lab_does(book: Rulebook) -> None:
    named = json.loads(path_of(book).read_text("utf-8"))["state"]
    assert (named["zh"], named["en"]) == MORE_STATES[named["key"]].text


@pytest.mark.parametrize("book", BOOKS)
def test_a_house_rule_has_no_figures(book: Rulebook) -> None:
    assert not figures(book.having(minimum=book.minimum + 7))


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_figures_are_what_the_lab_works_out(book: Rulebook) -> None:
    assert json.loads(path_of(book).read_text("utf-8")) == worked_out(book, fresh=True)


def test_figures_as_the_books_print_them() -> None:
    """灵雀 v29's 附录 and 玉雀's 最低番数, without an enumeration: the slow test works the file out again."""
    appendix = {name: figure.least for name, figure in figures(book_of("lingque-29")).items()}
    printed = APPENDIX | {"岭上开花": 24}  # LQ26: the table has 8 × 2 on purpose, the kong counts too
    assert {name: appendix[name] for name in APPENDIX if name in appendix} == {
        name: points for name, points in printed.items() if name in appendix
    }
    fans = {**PRINTED, "天和": 18, "九莲宝灯": 30, "四杠": 25, "四暗刻": 18, "岭上开花": 4}
    totals = {name: figure.least for name, figure in figures(book_of("yuque-54")).items()}
    assert {name: totals[name] for name in fans} == {name: fan**2 for name, fan in fans.items()}


@pytest.mark.parametrize("book", BOOKS)
def test_who_won_on_a_replacement_has_a_kong(book: Rulebook) -> None:
    if not path_of(book).is_file():
        pytest.skip("not measured yet: quepu lab rarity BOOK --publish")
    data = json.loads(path_of(book).read_text("utf-8"))["fans"]
    for name, figure in data.items():
        luck = book.circumstances.get((figure["least_state"] or "").partition("+")[2], 0)
        if luck & Luck.KONG_DRAW:
            melds, pair = figure["least_hand"].rsplit(" ", 1)
            tile = pair[1:]  # 1m of 11m, E of EE
            seat = lucky_states(book)[list(book.circumstances.values()).index(luck)].seat
            score = score_hand(parse(f"{tile}{melds}+{tile}")._replace(luck=luck | Luck.SELF_DRAW, seat=seat), book)
            assert any(len(meld.tiles) == 4 for meld in score.hand.melds), name
            assert name in {line.name for line in score.fans}
            assert score.points >= figure["least"], name  # what the wait adds is not in the state of the lab
