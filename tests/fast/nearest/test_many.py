"""Many hands against the plain functions of one: every book, every shape, melds, kongs and dead waits."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import quepu
from quepu.errors import HandError, UnknownName
from quepu.fast.nearest.distance_code import distance_tables
from quepu.fast.nearest.many import discards_many, shanten_many, useful_many, waits_many
from quepu.hands.hand import Hand, Luck
from quepu.rules.rulebook import Rulebook
from quepu.shapes.automaton import automaton
from quepu.tiles import BIT, KINDS, NAMES
from tests.fast.test_equality import check_distances, some_hands
from tests.test_books import ALL_BOOKS

FIRST_ROUND, FLOWERS = int(Luck.FIRST_ROUND), int(Luck.EIGHT_FLOWERS)


def rows_of(hands: list[Hand]) -> dict[str, np.ndarray]:
    melds = np.full((len(hands), 4, 2), -1, np.int8)
    for i, hand in enumerate(hands):
        for j, meld in enumerate(hand.melds):
            melds[i, j] = meld
    counts = np.array([[hand.concealed.count(kind) for kind in range(KINDS)] for hand in hands], np.uint8)
    return {"hands": counts, "melds": melds}


@pytest.mark.parametrize("book", ALL_BOOKS, ids=lambda book: book.id)
def test_as_one_by_one(book: Rulebook) -> None:
    check_distances(book, 400, 51)


@pytest.mark.parametrize("book", ALL_BOOKS, ids=lambda book: book.id)
def test_with_and_without_numba(book: Rulebook) -> None:
    hands = list(some_hands(book, 60, 53))
    array = rows_of(hands)
    luck = [["第一巡"] if "第一巡" in book.circumstances else [] for _ in hands]
    for function in (shanten_many, useful_many, waits_many):
        one, two = (function(**array, rules=book, circumstances=luck, fast=fast) for fast in (True, False))
        for name in ("shanten", "planes", "dead_planes", "valid"):
            assert np.array_equal(getattr(one, name, 0), getattr(two, name, 0)), name
    fourteen = rows_of(list(some_hands(book, 40, 54, 14)))
    one, two = (discards_many(**fourteen, rules=book, fast=fast) for fast in (True, False))
    assert (one.shanten == two.shanten).all()
    assert (one.planes == two.planes).all()


def test_the_automaton_has_the_sizes_that_the_loops_know() -> None:
    from quepu.fast.nearest import distance

    table = automaton()
    widths = len(table.left[0]), len(table.final[0]), len(table.right[0]), len(table.final[0][0])
    assert widths == (distance.LEFT_WIDTH, distance.LEFTS, distance.RIGHT_WIDTH, distance.RIGHTS)


@pytest.mark.parametrize("book", ALL_BOOKS, ids=lambda book: book.id)
def test_every_book_is_compiled(book: Rulebook) -> None:
    assert distance_tables(book.shapes, book.tiles) is not None


@pytest.mark.parametrize("fast", [True, False])
def test_shapes_that_need_a_circumstance(fast: bool) -> None:
    canton = quepu.book("canton")
    tiles = 0, 3, 6, 10, 13, 16, 20, 23, 26, 27, 28, 29, 30
    hands = [Hand(tiles, luck=luck, flowers=8 * (luck == FLOWERS)) for luck in (0, FIRST_ROUND, FLOWERS)]
    assert shanten_many(hands, canton, fast=fast).shanten.tolist() == [0, 0, -1]
    waits = waits_many(hands, canton, fast=fast)
    assert [int(plane).bit_count() for plane in waits.planes] == [3, 16, 0]


@pytest.mark.parametrize("fast", [True, False])
def test_a_wait_that_is_held_four_times_is_dead(fast: bool) -> None:
    found = waits_many(["1111m234567s22p23m", "23m99s123p(111m)(EEE)", "123m456p789s[EEEE]N"], "guobiao", fast=fast)
    assert not found.dead[:, 0].any()
    konged = waits_many(["23m99s[1111m](EEE)(NNN)"], "guobiao", fast=fast)
    assert konged.dead[0].nonzero()[0].tolist() == [0]
    assert konged.to_dict()["tile"].tolist() == ["4m"]


@pytest.mark.parametrize(
    ("hand", "rules", "dead"),
    [
        ("89mFF(7777m)(888m)(999m)", "lingque-29", "7m"),  # three tiles must come: no 8m or 9m is left for a pair
        ("147m369p25sFF(8888s)", "guobiao-mcr", "8s"),  # the line lacks a tile that the kong holds
        ("25899m36p147s[9999p]", "canton", "9p"),
        ("147m369p25sFF(888s)", "guobiao-mcr", ""),
        ("147m369p24sFF(8888s)", "guobiao-mcr", ""),
    ],
)
def test_a_dead_wait_of_a_hand_far_from_ready(hand: str, rules: str, dead: str) -> None:
    expected = [dead] if dead else []
    assert [str(tile) for tile in quepu.waits(hand, rules).dead] == expected
    for fast in (True, False):
        found = waits_many([hand], rules, fast=fast)
        assert [NAMES[kind] for kind in found.dead[0].nonzero()[0]] == expected


@pytest.mark.parametrize("rules", ["guobiao", "lingque-29", "yuque-54", "canton"])
def test_points_of_waits_are_those_of_one_hand(rules: str) -> None:
    book = quepu.book(rules)
    hands = [hand for hand in some_hands(book, 150, 55) if not hand.luck]
    found = waits_many(hands, book, points=True, seen="1m5pC")
    rows = list(zip(found.rows, found.tile, found.by_discard, found.by_self_draw, found.can_win, strict=True))
    expected = []
    for i, hand in enumerate(hands):
        held = hand.counts()
        if held[0] < 4 and held[13] < 4 and held[31] < 4:
            for wait in quepu.waits(hand, book, seen="1m5pC").waits:
                points = [score.points for score in (wait.by_discard, wait.by_self_draw)]
                expected.append((i, int(wait.tile), *points, wait.can_win))
    assert [row for row in rows if int(row[0]) not in found.errors] == expected
    assert len(expected) > 10


def test_circumstances_rule_out_a_way_to_win() -> None:
    hand = "456p789sCCEE[1111m]"
    for kong, flowers in ((["杠上开花"], 0), ([], 2)):
        alone = quepu.waits(hand, "guobiao", circumstances=kong, flowers=flowers, seat="S")
        many = waits_many([hand] * 2, "guobiao", points=True, circumstances=kong, flowers=flowers, seat="S")
        for wait, discard, drawn in zip(alone.waits * 2, many.by_discard, many.by_self_draw, strict=True):
            assert (-1 if wait.by_discard is None else wait.by_discard.points) == discard
            assert wait.by_self_draw is not None
            assert wait.by_self_draw.points == drawn


def test_settings_for_each_hand() -> None:
    hands = ["123m456p789sCCEE"] * 3
    found = waits_many(hands, "lingque-29", points=True, seat=["E", "S", "N"], self_draw=[False, True, False])
    assert found.by_discard.reshape(3, 2)[1].tolist() == [-1, -1]
    for i, keywords in enumerate(({"seat": "E"}, {"seat": "S", "self_draw": True}, {"seat": "N"})):
        alone = [wait.by_self_draw.points for wait in quepu.waits(hands[i], "lingque-29", **keywords).waits]
        assert found.by_self_draw.reshape(3, 2)[i].tolist() == alone
    with pytest.raises(HandError, match="3"):
        shanten_many(hands, seat=["E", "S"])
    with pytest.raises(UnknownName):
        shanten_many(hands, seat="X")


def test_discards_are_those_of_one_hand() -> None:
    book = quepu.book("guobiao")
    hands = list(some_hands(book, 40, 56, 14))
    found = discards_many([hand._replace(luck=0) for hand in hands], book)
    for i, hand in enumerate(hands):
        whole = hand._replace(concealed=hand.concealed[:-1], winning=hand.concealed[-1], luck=0)
        choices = {int(choice.discard): choice.outlook for choice in quepu.discards(whole, book)}
        assert np.flatnonzero(found.shanten[i] < 15).tolist() == sorted(choices)
        for kind, look in choices.items():
            assert found.shanten[i, kind] == look.missing - 1
            useful = [int(wait.tile) for wait in look.waits] or [int(tile) for tile, _ in look.useful]
            assert found.planes[i, kind] == sum(BIT[one] for one in useful)


def test_what_is_wrong_is_the_error_of_its_row() -> None:
    found = shanten_many(["123m456p789sCCEE", "12x", "123m", 5, "11111m23456p789s"], "guobiao")
    assert found.valid.tolist() == [True, False, False, False, False]
    assert [str(error)[:6] for error in found.errors.values()] == [f"第 {i} 行（" for i in (1, 2, 3, 4)]
    assert repr(found) == "Shantens('guobiao': 5 hands, 4 errors)"
    counts = np.zeros((4, KINDS), np.int64)
    counts[0, :13] = 1
    counts[1, :12] = 1
    counts[2, 0] = 5
    counts[3, :11] = 1
    melds = np.full((4, 1, 2), -1)
    melds[3] = 0, 8
    for fast in (True, False):
        told = waits_many(counts, "guobiao", melds=melds, fast=fast)
        assert told.valid.tolist() == [True, False, False, False]
        assert [error.say("en") for error in told.errors.values()] == [
            "row 1 (counted from 0) has 12 concealed tiles; with 0 melds it needs 13 or 14.",
            "row 2 (counted from 0) has a kind outside 0 to 4 copies.",
            "a meld of row 3 (counted from 0) is not possible: it needs a kind from 0 to 3 and its lowest tile.",
        ]
    assert "discards_many" in waits_many(["123m456p789sCCEEE"]).errors[0].say("en")
    assert "waits_many" in discards_many(["123m456p789sCCEE"]).errors[0].say("en")
    with pytest.raises(HandError, match="shanten"):
        shanten_many("123m456p789sCCEE")
    with pytest.raises(HandError, match="melds"):
        shanten_many(["123m456p789sCCEE"], melds=melds)
    with pytest.raises(HandError, match="34"):
        shanten_many(np.zeros((3, 33), np.uint8))


def test_five_of_a_kind_with_melds_and_seen_tiles() -> None:
    counts = np.zeros((1, KINDS), np.uint8)
    counts[0, :10] = 1
    for fast in (True, False):
        assert shanten_many(counts, melds=np.array([[[2, 0]]]), fast=fast).errors
        assert not shanten_many(counts, melds=np.array([[[1, 0]]]), fast=fast).errors
    assert list(useful_many(["123m456p789sCCEE"], seen="EEE").errors) == [0]


@pytest.mark.parametrize("make", [list, pandas.Series, polars.Series, pyarrow.array])
def test_columns_of_any_library_are_settings_of_each_hand(make):
    hands = ["123m456p789sCCEE", "123m456p789sCCEE", "123m456p789sCCEE"]
    counts = np.array([quepu.parse(hand).counts() for hand in hands])
    around = {"seat": make(["E", None, "西"]), "round": make([27, 28, 29]), "self_draw": make([True, False, True])}
    around["flowers"] = make([0, 1, 2])
    for given in (make(hands), counts):
        found = waits_many(given, "guobiao", points=True, **around)
        assert list(found.errors) == [1] and "seat: a value is missing" in found.errors[1].say("en")
        assert found.errors[1].say("en").startswith("row 1 (counted from 0): ")
        for i, seat, wind in ((0, "E", "E"), (2, "W", "W")):
            alone = quepu.waits(hands[i], "guobiao", seat=seat, round=wind, self_draw=True, flowers=i)
            mine = found.by_self_draw[found.rows == i].tolist()
            assert mine == [wait.by_self_draw.points for wait in alone.waits]
