"""A wall is completed from what was seen: known tiles lie where they were, and what cannot be is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from quepu.table.wall_completion import CompletedWall, Contradiction, Layout, Slot, Use, _ready_tiles, complete_wall
from quepu.tiles import FLOWERED, KINDS, PLAIN, TileSet

PAIRS = TileSet((0, 1, 2, 3), 2)
"""Eight tiles: two each of 1m 2m 3m 4m."""
FOURS = TileSet((0, 1, 2, 3), 4)


def completed(tiles: TileSet, slots: Sequence[Sequence[int]], *uses: Use, **more: Any) -> CompletedWall:
    """Complete a wall; `slots` are places by seat, all dealt at time 0."""
    held = [[Slot(0, place) for place in places] for places in slots]
    made = complete_wall(Layout(tiles, held, list(uses), **more))
    assert sorted(made.order) == sorted(tiles.tiles)
    return made


def refused(tiles: TileSet, slots: Sequence[Sequence[int]], *uses: Use, **more: Any) -> tuple[str, str]:
    with pytest.raises(Contradiction) as wrong:
        completed(tiles, slots, *uses, **more)
    return wrong.value.say("zh"), wrong.value.say("en")


EMPTY: list[list[int]] = [[], [], [], []]


def test_unknown_tiles_are_taken_in_steps_of_five_kinds() -> None:
    """So that they make no sets; a report gives the same wall whenever it is read."""
    steps = [5 * i % KINDS for i in range(KINDS)]
    assert completed(PLAIN, EMPTY).order[::4] == steps[::-1]
    unseen = [Use(0, 1, (None,), None, fact) for fact in range(5)]
    made = completed(PLAIN, [[0, 1, 2, 3, 4], [], [], []], *unseen)
    assert made.taken == {0: 0, 1: 0, 2: 0, 3: 0, 4: 5}


def test_a_tile_comes_from_the_place_known_to_hold_it_or_the_earliest_that_is_unknown() -> None:
    slots = [[2, 4, 6], [], [], []]
    assert completed(PAIRS, slots, Use(0, 1, (3,))).order[2] == 3
    order = completed(PAIRS, slots, Use(0, 1, (3, 3)), fixed={4: 3}).order
    assert (order[2], order[4]) == (3, 3)
    order = completed(PAIRS, slots, Use(0, 1, (3,)), Use(0, 2, (2,)), Use(0, 3, (1,)), fixed={4: 3}).order
    assert (order[2], order[4], order[6]) == (2, 3, 1)
    order = completed(PAIRS, [[], [7, 5], [], []], Use(1, 1, (0,)), Use(1, 1, (1,))).order
    assert (order[7], order[5]) == (0, 1)


@pytest.mark.parametrize(
    ("time", "drawn", "place"),
    [(1, None, 0), (3, True, 1), (4, True, 4), (5, True, 4), (6, True, 6), (4, False, 0), (3, False, 0), (6, None, 0)],
)
def test_a_tile_that_was_just_drawn_is_the_last_that_came_before(time: int, drawn: bool | None, place: int) -> None:
    slots = [[Slot(0, 0), Slot(0, 1), Slot(3, 4), Slot(5, 6)], [], [], []]
    order = complete_wall(Layout(FOURS, slots, [Use(0, time, (2,), drawn)], {0: 1} if place else {})).order
    assert order[place] == 2


def test_a_tile_from_the_hand_is_not_the_one_just_drawn() -> None:
    slots = [[Slot(0, 0), Slot(0, 1), Slot(3, 4)], [], [], []]
    hand = Use(0, 4, (2,), False)
    order = complete_wall(Layout(PAIRS, slots, [hand, hand])).order
    assert (order[0], order[1]) == (2, 2)
    with pytest.raises(Contradiction):
        complete_wall(Layout(FOURS, slots, [hand, hand, hand]))


def test_a_tile_that_a_hand_cannot_hold_is_named() -> None:
    known = {0: 0, 1: 1}
    held = [[0, 1], [], [], []]
    text = ("这家手里不会有三万：已知的牌对不上。", "this seat cannot have held a 3m: known tiles differ.")
    assert refused(PAIRS, held, Use(0, 1, (2,)), fixed=known) == text
    assert refused(PAIRS, held, Use(0, 1, (2,), True), fixed={1: 1}) == text
    assert refused(PAIRS, EMPTY, Use(0, 1, (2,), True)) == text
    assert refused(PAIRS, held, Use(0, 1, (None,)), fixed=known) == (
        "这家手里不会有牌：已知的牌对不上。", "this seat cannot have held a tile: known tiles differ.",
    )  # fmt: skip


def test_more_tiles_than_a_set_has_are_named() -> None:
    assert completed(PAIRS, EMPTY, fixed={0: 1, 5: 1}).order[:6:5] == [1, 1]
    assert refused(PAIRS, EMPTY, fixed={0: 1, 5: 1, 6: 1}) == (
        "二万已经超过一副牌里的张数。", "there are not so many 2m in a set.",
    )  # fmt: skip
    assert refused(PAIRS, EMPTY, fixed={0: 33}) == ("这副牌里没有白。", "there is no P in this set.")


def test_a_hand_that_was_shown_fills_the_places_that_were_not_used() -> None:
    slots = [[0, 1, 2, 3], [4, 5], [], []]
    order = completed(PAIRS, slots, Use(0, 1, (0,)), fixed={2: 2}, finals={0: (1, 2, 3)}).order
    assert order[:4] == [0, 1, 2, 3]
    assert refused(PAIRS, slots, Use(0, 1, (0,)), finals={0: (1, 2)}) == (
        "亮出 2 张，应是 3 张（不连和的那一张和副露）。",
        "shown: 2 tiles; expected: 3 (without melds and the winning tile).",
    )
    assert refused(PAIRS, slots, finals={1: (1, 2)}, fixed={5: 3}) == (
        "亮出的牌里没有四万。", "there is no 4m among the tiles shown.",
    )  # fmt: skip
    assert refused(PAIRS, slots, finals={1: (1, 2)}, fixed={4: 1, 5: 1})[0] == "亮出的牌里没有二万。"
    order = completed(PAIRS, slots, finals={1: (1, 2)}, fixed={4: 2, 5: 1}).order
    assert order[4:6] == [2, 1]


def test_a_discard_that_was_not_seen_is_of_no_kind_that_is_shown() -> None:
    slots = [[0, 1], [2], [], []]
    made = completed(FOURS, slots, Use(1, 1, (None,), None, 9), finals={0: (0, 1)})
    assert made.taken == {9: 2}
    assert made.order[2] == 2
    made = completed(FOURS, [[0, 1], [2, 3], [], []], Use(1, 1, (None,)), finals={0: (0, 1)})
    assert made.taken == {}  # no fact asks which it was
    assert set(made.order[2:4]) <= {0, 1}  # hands hold what is shown, so that its copies are not in the wall


def test_a_concealed_kong_that_was_not_seen_takes_four_tiles_alike() -> None:
    slots = [[0, 1, 2, 3, 4], [], [], []]
    kong = Use(0, 2, (None,) * 4, None, 7)
    made = completed(FOURS, slots, kong)
    assert (made.taken, made.order[:4]) == ({7: 0}, [0] * 4)
    made = completed(FOURS, slots, Use(0, 1, (None,), None, 5), kong)
    assert made.taken == {5: 0, 7: 1}
    assert made.order[:5] == [0, 1, 1, 1, 1]
    assert refused(PAIRS, slots, kong) == (
        "没有四张相同的牌可以暗杠了。", "no four tiles alike are left for a concealed kong.",
    )  # fmt: skip
    one_gone = {12 + i: kind for i, kind in enumerate((0, 1, 2))}
    assert completed(FOURS, slots, kong, fixed=one_gone).taken == {7: 3}


def test_a_seat_that_declared_itself_ready_gets_sets_and_one_tile() -> None:
    held = [[0, 1, 2, 3], [4, 5, 6, 7], [], []]
    made = completed(FOURS, held, ready=frozenset({1}))
    assert sorted(made.order[4:8]) == [0, 0, 1, 2]
    made = completed(FOURS, [[0, 1, 2, 3, 4], [], [], []], Use(0, 1, (3,)), ready=frozenset({0}))
    assert made.order[0] == 3 and sorted(made.order[1:5]) == [0, 0, 1, 2]
    made = completed(FOURS, held, ready=frozenset({1}), fixed={5: 3})
    assert made.order[5] == 3
    assert sorted(completed(FOURS, held, ready=frozenset({0, 1})).order[:8]) == [0, 0, 0, 0, 1, 1, 2, 2]


def test_flowers_lie_in_the_middle_of_what_is_left_and_in_no_hand() -> None:
    tiles = TileSet((0, 1, 2, 3), 2, (34, 35))
    order = completed(tiles, [[0, 1], [2], [], []]).order
    assert order[6:8] == [34, 35]  # five others are left: three before them, two after
    order = completed(tiles, [[0, 1], [2, 3], [], []]).order
    assert order[6:8] == [34, 35]  # four: two and two
    assert max(completed(tiles, [[*range(8)], [], [], []]).order[:8]) < KINDS
    assert refused(tiles, [[*range(9)], [], [], []]) == (
        "还有 2 张花没有记是谁摸的。", "2 drawn flowers were not reported.",
    )  # fmt: skip
    assert refused(tiles, [[*range(10)], [], [], []], ready=frozenset({0}))[0] == "还有 2 张花没有记是谁摸的。"
    assert completed(tiles, [[*range(9)], [], [], []], fixed={3: 34}).order[9] == 35
    assert completed(FLOWERED, EMPTY).order.index(34) == 68


@pytest.mark.parametrize(
    ("sizes", "flowers"),
    [
        ((8, 0), {}),
        ((9, 0), {8: 35}),  # nine tiles are known to be held, and there are eight others: one is a flower
        ((10, 0), {8: 34, 9: 35}),
        ((1, 9), {0: 35, 9: 34}),
        ((4, 5), {3: 35}),
    ],
)
def test_a_hand_holds_flowers_where_it_may_and_must(sizes: tuple[int, int], flowers: dict[int, int]) -> None:
    tiles = TileSet((0, 1, 2, 3), 2, (34, 35))
    first, second = [*range(sizes[0])], [*range(sizes[0], sum(sizes))]
    order = completed(tiles, [first, second, [], []], flowers_held=True).order
    held = {place: order[place] for place in (*first, *second) if order[place] >= KINDS}
    assert held == flowers


def test_more_tiles_than_there_are_cannot_be_held() -> None:
    tiles = TileSet((0, 1, 2, 3), 2, (34, 35))
    assert "0 drawn flowers" in refused(tiles, [[*range(11)], [], [], []], flowers_held=True)[1]


def test_a_hand_holds_what_it_will_use_the_soonest_first() -> None:
    order = completed(PAIRS, [[0, 1], [2, 3, 4], [], []], hints={0: [3, 2, 1], 1: [3, 3, 0]}).order
    assert order[:2] == [3, 2]
    assert order[2:4] == [3, 0]  # the other 4m is not left
    order = completed(PAIRS, [[0, 1], [], [], []], fixed={1: 0}, hints={0: [1, 2]}).order
    assert order[:2] == [1, 0]


@pytest.mark.parametrize(
    ("left", "size", "found"),
    [
        ([0, 1, 2, 27], 4, [0, 1, 2, 27]),
        ([5, 6, 7, 8], 4, [5, 6, 7, 8]),
        ([4, 6, 7, 8, 27], 4, [6, 7, 8, 4]),
        ([24, 25, 26, 27], 4, [24, 25, 26, 27]),
        ([7, 8, 9, 9, 9, 33], 4, [9, 9, 9, 7]),
        ([8, 9, 10, 31, 31, 31], 4, [31, 31, 31, 8]),
        ([26, 27, 28, 31, 31, 31], 4, [31, 31, 31, 26]),
        ([27, 28, 29, 31, 31, 31], 4, [31, 31, 31, 27]),
        ([0, 0, 1, 1, 2, 2, 27], 7, [0, 1, 2, 0, 1, 2, 27]),
        ([0, 0, 0, 1, 2, 27, 28], 4, [0, 1, 2, 0]),
        ([0, 0, 0, 0, 9, 9, 9], 7, [0, 0, 0, 9, 9, 9, 0]),
        ([5, 5, 9, 10, 11, 11], 4, [9, 10, 11, 5]),
        ([4], 1, [4]),
        ([0, 1, 2], 1, [0]),
    ],
)
def test_ready_tiles_are_chows_and_pungs_and_one_over(left: list[int], size: int, found: list[int]) -> None:
    assert _ready_tiles(left, size) == found
