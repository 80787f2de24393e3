"""score_many against score, hand by hand, and what it says to bad input."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quepu import parse_tiles
from quepu.batch import Scores, Wins, from_hands, score_many
from quepu.errors import HandError, NotationError, NotAWin, UnknownName
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.planes import count, run
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins as generated
from quepu.scoring.score import score_hand
from tests.fast.arrays.test_readings import CURIOUS

ROWS = (
    Fan("暗刻", 3, "三", "", lambda h: count(h.pc), "Concealed pungs"),
    Fan("刻处", 1, "三", "", lambda h: h.p, "Each pung", of=EACH),
    Fan("连", 5, "三", "", lambda h: count(run(h.c1, 2)), "Run"),
    Fan("听", 2, "三", "", lambda h: count(h.waits) == 1, "Single wait"),
)
BOOK = dataclasses.replace(CURIOUS, fans=CURIOUS.fans + ROWS)


def same(scores: Scores, hands: list[Hand], book: Rulebook) -> None:
    """Every hand's points, total, fans and best reading are what the single scorer says."""
    assert scores.fans is not None
    assert scores.reading is not None
    for i, hand in enumerate(hands):
        one = score_hand(hand, book)
        assert scores.valid[i], hand
        assert (int(scores.points[i]), int(scores.total[i])) == (one.points, one.total), hand
        counted = np.zeros(len(book.fans), int)
        for line in one.tally.counted:
            counted[line.row] += line.times
        assert scores.fans[i].tolist() == counted.tolist(), hand
        assert bool(scores.can_win[i]) == one.can_win
        best = {name: int(plane[i]) for name, plane in scores.reading.items()}
        assert best == {name: getattr(one.best.h, name) for name in best}, hand


def test_equal_to_the_single_scorer() -> None:
    hands = list(generated(BOOK, 1500, 7))
    same(score_many(hands, BOOK, chunk=400), hands, BOOK)


def test_shared_out_to_processes() -> None:
    hands = list(generated(BOOK, 300, 8))
    alone, shared = score_many(hands, BOOK), score_many(hands, BOOK, jobs=2, chunk=16)
    assert (alone.points == shared.points).all()
    assert (alone.fans == shared.fans).all()
    assert all((alone.reading[name] == shared.reading[name]).all() for name in alone.reading)


def test_text_and_arrays_say_the_same() -> None:
    text = ["123m456p789sEEE5m+5m", "11122233344455m"[:13] + "m+5m", "123m456p(789s)[EEEE]5m+5m"]
    by_text = score_many(text, BOOK)
    counts = np.zeros((3, 34), np.uint8)
    for row, tiles in enumerate(([0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 27, 4, 4], [], [0, 1, 2, 12, 13, 14, 4, 4])):
        np.add.at(counts[row], tiles, 1)
    counts[1, :5] = (3, 3, 3, 3, 2)
    melds = np.full((3, 4, 2), -1, np.int8)
    melds[2, :2] = [[MeldKind.CHOW, 24], [MeldKind.CONCEALED_KONG, 27]]
    by_array = score_many(counts, BOOK, melds=melds, winning=4)
    assert by_text.valid.all()
    assert (by_text.points == by_array.points).all()
    assert (by_text.fans == by_array.fans).all()


def test_lines_that_cannot_be_scored_are_named_and_the_rest_goes_on() -> None:
    scores = score_many(["123m456p789sEEE5m+5m", "12x", "1112m", "123m456p789sEEE5m+6m", "123m456p789sEEE5m5m"], BOOK)
    assert scores.valid.tolist() == [True, False, False, False, False]
    assert isinstance(scores.errors[1], NotationError)
    assert isinstance(scores.errors[3], NotAWin)
    assert sorted(scores.errors) == [1, 2, 3, 4]
    assert scores.points[1:].tolist() == [0] * 4


def test_impossible_hands_are_not_scored() -> None:
    five = np.zeros((2, 34), np.uint8)
    five[0, [0, 9, 18, 27]] = (3, 3, 3, 2)  # eleven tiles beside no meld
    five[1, [0, 9, 18, 28]] = (3, 3, 3, 2)
    five[1, 27] = 3
    assert score_many(five, BOOK).valid.tolist() == [False, True]
    fifth = np.zeros((1, 34), np.uint8)
    fifth[0, [0, 9, 18, 28]] = (3, 3, 3, 2)
    melds = np.array([[[MeldKind.PUNG, 0]]])
    assert not score_many(fifth, BOOK, melds=melds).valid[0]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda a: {"hands": a["hands"].astype(float)}, "integers"),
        (lambda a: {"hands": a["hands"][:, :30]}, "34"),
        (lambda a: {"winning": 40}, "between"),
        (lambda a: {"seat": 3}, "must be E, S, W, N or 27 to 30"),
        (lambda a: {"luck": "x"}, "integers"),
        (lambda a: {"melds": np.zeros((1, 5, 2), int)}, "melds"),
        (lambda a: {"winning": np.array([1, 2])}, "1 integers"),
        (lambda a: {"hands": np.array(3)}, "34"),
        (lambda a: {"melds": np.zeros((1, 1, 2))}, "float64"),
        (lambda a: {"melds": [[[0, 0]], []]}, "melds"),
        (lambda a: {"winning": [[1], []]}, "1 integers"),
        (lambda a: {"hands": ["123m456p789sCCEE+E"]}, "winning can only be given with an array"),
        (lambda a: {"hands": ["123m456p789sCCEE+E"], "winning": None, "seat": 3}, "seat: it must be E, S, W, N"),
    ],
)
def test_bad_arrays_get_one_sentence(spoil: Callable[[dict[str, Any]], dict[str, Any]], sentence: str) -> None:
    counts = np.zeros((1, 34), np.int64)
    counts[0, [0, 9, 18, 27, 28]] = (3, 3, 3, 3, 2)
    given: dict[str, Any] = {"hands": counts, "winning": 0}
    with pytest.raises(HandError) as caught:
        score_many(rules=BOOK, **{**given, **spoil(given)})
    assert sentence in caught.value.say("en")
    assert caught.value.say("zh").endswith("。")


def test_a_bad_row_is_one_error() -> None:
    counts = np.zeros((7, 34), np.int64)
    counts[:, [0, 9, 18, 27, 28]] = (3, 3, 3, 3, 2)
    counts[1, 0] = 5
    melds = np.full((7, 1, 2), -1)
    melds[2] = (0, 30)
    winning, seat = np.zeros(7, np.int64), np.full(7, 27)
    winning[3], winning[4], seat[5] = 5, 40, 3
    scores = score_many(counts, BOOK, melds=melds, winning=winning, seat=seat)
    assert scores.valid.tolist() == [True, False, False, False, False, False, True]
    assert set(scores.points[[0, 6]]) == set(score_many(counts[:1], BOOK, winning=0).points)
    assert not scores.points[1:6].any()
    sentences = {i: error.say("en") for i, error in scores.errors.items()}
    assert sorted(sentences) == [1, 2, 3, 4, 5]
    assert ("4 copies" in sentences[1], "meld" in sentences[2], "not among" in sentences[3]) == (True, True, True)
    assert sentences[4].startswith("winning must lie"), sentences
    assert sentences[5].startswith("seat: it must be E, S, W, N"), sentences
    assert counts[1, 0] == 5, "what was given is not changed"
    assert score_many(counts[:1], BOOK, winning=5).errors[0].at == 0


@pytest.mark.parametrize("rules", ["guobiao", "canton"])
def test_rows_of_a_wrong_number_of_tiles_have_errors_as_texts_have(rules: str) -> None:
    texts = ["123m456p789sEEEC+C", "123m456p789sEEE+C", "1111m23m456p789sEEEC+C", "11m456p789s(EEE)+1m", "2m+5p"]
    counts = np.zeros((6, 34), np.int64)
    for row, tiles in enumerate(
        ("123m456p789sEEECC", "123m456p789sEEEC", "1111m23m456p789sEEECC", "11m456p789s1m", "2m5p")
    ):
        for tile in parse_tiles(tiles):
            counts[row, tile] += 1
    melds = np.full((6, 4, 2), -1)
    melds[3, 0] = (1, 27)
    scores = score_many(counts, rules, melds=melds)
    assert not scores.valid[1:].any() and list(scores.errors) == [1, 2, 3, 4, 5]
    assert list(score_many(np.array(texts), rules).errors) == [1, 2, 3, 4]
    numbers = [re.findall(r"\d+", scores.errors[i].say("en")) for i in range(1, 6)]
    assert numbers == [["14", "0", "13"], ["14", "0", "17"], ["11", "1", "9"], ["14", "0", "2"], ["14", "0", "0"]]


def test_errors_are_in_the_order_of_the_hands() -> None:
    hands = ["123m456p789sEEEC+P", "12x", "123m456p789sEEEC+C", "123m456p789sEEEC+F", "1m"]
    assert list(score_many(hands, BOOK).errors) == [0, 1, 3, 4]
    assert score_many(np.array(hands, object), BOOK) == score_many(np.array(hands), BOOK) == score_many(hands, BOOK)


def test_a_row_of_another_type_says_so_once_and_the_list_counts_from_0() -> None:
    hands: list[Any] = ["123m456p789sEEEC+C", 5, "123m456p789sEEEC+C", None]
    errors = score_many(hands, BOOK).errors
    assert errors[1].say("en") == "the hand should be text or a Hand, not int." and list(errors) == [1, 3]
    with pytest.raises(HandError) as caught:
        score_many(hands, BOOK, errors="raise")
    told = caught.value.say("en")
    assert (
        told.startswith("2 of 4 rows have errors (counted from 0): row 1: the hand should be text")
        and "hand 2" not in told
    )


@pytest.mark.parametrize("kind", [0, 8, 33])
def test_five_of_a_kind_is_refused_before_any_engine_sees_it(kind: int) -> None:
    counts = np.zeros((3, 34), np.uint8)
    counts[2, kind] = 5
    with pytest.raises(HandError) as caught:
        Wins(counts)
    assert (caught.value.at, caught.value.say("en")) == (2, "row 2 (counted from 0) has a kind outside 0 to 4 copies.")
    with pytest.raises(HandError):
        from_hands([Hand((kind,) * 4 + (10,) * 9, (), kind)])
    with pytest.raises(HandError):
        Wins(counts.astype(np.int8) - 1)


def test_an_array_of_any_make_is_read() -> None:
    counts = np.zeros((2, 34), np.int64)
    counts[:, [0, 9, 18, 27, 28]] = (3, 3, 3, 3, 2)
    points = score_many(counts, BOOK, winning=0).points.tolist()
    for made in (np.ma.array(counts), np.asfortranarray(counts), counts.astype(">i2"), counts.astype(np.uint64)):
        assert score_many(made, BOOK, winning=0).points.tolist() == points


def test_unknown_book() -> None:
    with pytest.raises(UnknownName):
        score_many([], "nobody")


def test_nothing_in_nothing_out() -> None:
    assert len(score_many([], BOOK)) == 0
    assert len(score_many(np.zeros((0, 34), np.uint8), BOOK)) == 0


def test_meld_and_luck_reach_the_rows() -> None:
    hand = Hand((0, 1, 2, 12, 13, 14, 4, 27, 27, 27), (Meld(MeldKind.PUNG, 30),), 4, luck=int(Luck.SELF_DRAW))
    same(score_many([hand], BOOK), [hand], BOOK)


def test_chunks_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ({"chunk": 0}, {"jobs": -1}):
        with pytest.raises(HandError):
            score_many([], BOOK, **wrong)

    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("quepu.fast.score_many._parts", full)
    with pytest.raises(HandError) as caught:
        score_many(["123m456p789sEEE5m+5m"], BOOK)
    assert "chunk" in caught.value.say("en")
