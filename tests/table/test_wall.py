"""The wall: dice, opening, carry-over, the deal, the tail, commitments."""

from __future__ import annotations

import hashlib
import random

import pytest

from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, Wall, commitment, make_wall, secret_wall
from quepu.table.wall import (
    WallError,
    WallPlan,
    WallWalk,
    build_wall,
    check_wall,
    dealt_places,
    opening_of,
    read_wall,
    sides_taken,
    undrawn_places,
    verify,
)
from quepu.tiles import FLOWERED, PLAIN


def numbered(stacks: int, dice: tuple[int, int, int, int]) -> Wall:
    """A wall whose tiles are their own places: side * 2 * stacks + 2 * (stack - 1) + (0 upper, 1 lower)."""
    return Wall(tuple(range(8 * stacks)), dice)


def place(stacks: int, seat: int, stack: int, lower: bool = False) -> int:
    return (-seat % 4) * 2 * stacks + 2 * (stack - 1) + lower


@pytest.mark.parametrize(
    ("total", "opener"),
    [(5, 0), (9, 0), (2, 1), (6, 1), (10, 1), (3, 2), (7, 2), (11, 2), (4, 3), (8, 3), (12, 3)],
)
def test_the_first_two_dice_name_the_opener(total: int, opener: int) -> None:
    first = max(1, total - 6)
    assert numbered(17, (first, total - first, 1, 1)).opener == opener


def test_the_example_of_the_seed() -> None:
    # 若四枚骰子分别为 2、4、1、5，则南家面前从右往左第 12 墩为岭上（墙尾），配牌从第 13 墩开始
    wall = numbered(17, (2, 4, 1, 5))
    assert wall.opener == 1
    assert wall.tail == (1, 12)
    assert wall.opening == (1, 13)
    order = wall.order()
    assert order[:2] == [place(17, 1, 13), place(17, 1, 13, lower=True)]
    assert order[-2:] == [place(17, 1, 12), place(17, 1, 12, lower=True)]
    assert sorted(order) == list(range(136))


def test_the_wall_is_taken_towards_the_upper_neighbour() -> None:
    order = numbered(17, (2, 4, 1, 5)).order()
    # five stacks of South's are left of the break, then East's (the upper neighbour of South) from his right
    assert order[10] == place(17, 0, 1)


@pytest.mark.parametrize(
    ("stacks", "dice", "tail", "opening"),
    [
        (17, (6, 6, 6, 6), (2, 7), (2, 8)),  # North opens, 24: 17 of his, 7 of West's
        (17, (6, 6, 4, 1), (3, 17), (2, 1)),  # exactly his wall: the deal begins at the upper neighbour's first stack
        (17, (6, 6, 4, 2), (2, 1), (2, 2)),
        (17, (1, 1, 1, 1), (1, 4), (1, 5)),
        (18, (6, 6, 4, 2), (3, 18), (2, 1)),
        (18, (6, 6, 6, 6), (2, 6), (2, 7)),
        (18, (6, 3, 6, 5), (3, 2), (3, 3)),  # East opens, 20: carried over to North
    ],
)
def test_carry_over(
    stacks: int, dice: tuple[int, int, int, int], tail: tuple[int, int], opening: tuple[int, int]
) -> None:
    wall = numbered(stacks, dice)
    assert wall.tail == tail
    assert wall.opening == opening


@pytest.mark.parametrize(
    ("tiles", "taken"),
    [(104, (13, 13, 13, 13)), (106, (14, 13, 13, 13)), (108, (14, 13, 14, 13)), (110, (14, 14, 14, 13)),
     (112, (14, 14, 14, 14))],
)  # fmt: skip
def test_stacks_too_many_for_equal_sides_go_to_east_west_and_north(tiles: int, taken: tuple[int, ...]) -> None:
    """The sides in the order of taking, East North West South, and again as seats are numbered."""
    assert sides_taken(tiles) == taken
    east, north, west, south = taken
    assert WallPlan(tiles).sides == (east, south, west, north)


def test_where_a_deal_begins_follows_from_the_dice_and_the_size_alone() -> None:
    assert opening_of((2, 4, 1, 5), 136) == (1, 13)
    assert opening_of((6, 3, 6, 5), 144) == (3, 3)
    # 14 stacks lie before it: South's 13, and the first of East, from whom is taken next
    assert opening_of((1, 1, 6, 6), 108) == (0, 2)


@pytest.mark.parametrize("size", [108, 136, 144])
@pytest.mark.parametrize("dice", [(1, 1, 1, 1), (2, 4, 1, 5), (6, 6, 6, 6), (1, 2, 3, 4)])
def test_a_wall_is_built_so_that_it_is_drawn_in_an_order(size: int, dice: tuple[int, int, int, int]) -> None:
    order = random.Random(size).sample(range(size), size)
    wall = build_wall(order, dice)
    assert wall.order() == order
    assert not wall.own
    assert (wall.tiles[0] == order[0]) is (wall.opening == (0, 1))
    own = build_wall(order, dice, own=True)
    assert own == Wall(tuple(order), dice, own=True)
    assert own.order() == order


def test_the_deal_is_three_times_four_and_one() -> None:
    wall = make_wall(5)
    order = wall.order()
    table = Table(book("lingque-29"), wall)
    for seat in range(4):
        dealt = [order[16 * r + 4 * seat + i] for r in range(3) for i in range(4)] + [order[48 + seat]]
        assert table.events[1 + seat].tiles == tuple(dealt)
        assert tuple(sorted(dealt)) == table.hands[seat]
    assert table.drawn == order[52]


def test_the_tail_gives_the_upper_tile_first() -> None:
    walk = WallWalk(WallPlan(136))
    assert [walk.tail(0) for _ in range(4)] == [134, 135, 132, 133]


@pytest.mark.parametrize("taken", range(7))
def test_every_tile_comes_once_whatever_is_taken_from_the_tail(taken: int) -> None:
    walk = WallWalk(WallPlan(136))
    seen = [place for seat in range(4) for place in dealt_places(seat)]
    seen += [walk.tail(0) if 84 - i <= taken or i % 9 == 4 else walk.head(0) for i in range(84)]
    assert undrawn_places(136, walk.front, walk.back) == []
    assert sorted(seen) == list(range(136))


@pytest.mark.parametrize("back", [1, 2, 3])
@pytest.mark.parametrize("front", range(5))
def test_undrawn_is_what_is_left(front: int, back: int) -> None:
    walk = WallWalk(WallPlan(136))
    drawn = [place for seat in range(4) for place in dealt_places(seat)]
    drawn += [walk.tail(0) for _ in range(back)]
    drawn += [walk.head(0) for _ in range(front)]
    assert sorted(drawn + undrawn_places(136, walk.front, walk.back)) == list(range(136))


@pytest.mark.parametrize("size", [108, 136])
@pytest.mark.parametrize("seed", range(12))
def test_stacks_are_taken_from_both_ends_the_upper_tile_first(size: int, seed: int) -> None:
    """Draw to the last tile from stacks laid out as on a table, and compare every place and what is left."""
    rng, plan = random.Random(seed), WallPlan(size)
    walk = WallWalk(plan)
    stacks = [[at, at + 1] for at in range(52, size, 2)]
    from_head = rng.choice((0.5, 0.9, 1.0))
    while stacks:
        assert undrawn_places(size, walk.front, walk.back) == [at for stack in stacks for at in stack]
        end, draw = (0, walk.head) if rng.random() < from_head else (-1, walk.tail)
        assert draw(rng.randrange(4)) == stacks[end].pop(0)
        stacks = [stack for stack in stacks if stack]
    assert undrawn_places(size, walk.front, walk.back) == []
    assert walk.front + walk.back == size


def test_own_walls_are_taken_from_their_beginning_by_draws_and_replacements() -> None:
    plan = WallPlan(108, own=True)
    assert (plan.piles(), plan.dealt) == ([14] * 4, 52)
    assert [plan.dealt_places(seat) for seat in range(4)] == [tuple(range(at, at + 13)) for at in (0, 27, 54, 81)]
    walk = WallWalk(plan)
    taken = [draw(seat) for seat, draw in ((2, walk.head), (2, walk.tail), (0, walk.tail), (2, walk.head),
                                           (3, walk.head), (1, walk.head))]  # fmt: skip
    assert taken == [67, 68, 13, 69, 94, 40]
    assert walk.piles == [13, 13, 11, 13]
    assert (walk.front, walk.back) == (52 + 4, 2)


def test_dead_tiles_stay_at_the_end_of_a_shared_wall_only() -> None:
    rules = play_rules(book("yuque-54")).table
    assert rules.dead_wall == 14
    assert WallPlan.of(rules, 136) == WallPlan(136, 14, rules.dead_wall_feeds, own=False)
    assert WallPlan.of(rules, 136, own=True) == WallPlan(136, 0, feeds=False, own=True)
    assert WallPlan(136).piles() is None
    assert WallPlan(136).dealt_places(2) == (8, 9, 10, 11, 24, 25, 26, 27, 40, 41, 42, 43, 50)


def test_a_seed_makes_the_same_wall_for_ever() -> None:
    wall = make_wall("teahouse", 3)
    assert wall == make_wall("teahouse", 3) != make_wall("teahouse", 4)
    assert wall.text()[:20] == WALL_OF_TEAHOUSE[:20]
    assert wall.dice == DICE_OF_TEAHOUSE
    assert repr(wall) == "Wall(136 tiles from 8p1p7s1mW8s…, dice=(4, 2, 4, 2))"
    assert repr(make_wall("teahouse", 3, own=True)) == "Wall(136 tiles from 8p1p7s1mW8s…, dice=(4, 2, 4, 2), own=True)"
    assert make_wall("teahouse", 0) == make_wall("teahouse")
    assert sorted(make_wall(1, tiles=FLOWERED).tiles) == sorted(FLOWERED.tiles)


WALL_OF_TEAHOUSE = "8p1p7s1mW8s2p8sN2pS6m"
DICE_OF_TEAHOUSE = (4, 2, 4, 2)


def test_dice_are_fair_enough() -> None:
    seen = [0] * 7
    for i in range(600):
        for die in make_wall(3, i).dice:
            seen[die] += 1
    assert seen[0] == 0
    assert all(320 < n < 480 for n in seen[1:])  # 400 expected, sigma 18


def test_a_commitment_proves_its_wall_and_no_other() -> None:
    wall, salt = secret_wall()
    promised = commitment(wall, salt)
    verify(wall, salt, promised)
    tiles = list(wall.tiles)
    other = next(i for i in range(1, 136) if tiles[i] != tiles[0])
    tiles[0], tiles[other] = tiles[other], tiles[0]
    dice = (wall.dice[0] % 6 + 1, *wall.dice[1:])
    for changed in (wall._replace(tiles=tuple(tiles)), wall._replace(dice=dice)):
        with pytest.raises(WallError, match="承诺"):
            verify(changed, salt, promised)
    with pytest.raises(WallError):
        verify(wall, salt + "0", promised)
    assert secret_wall()[0] != wall
    assert (len(wall.tiles), wall.own) == (136, False)
    assert len(bytes.fromhex(salt)) == 16
    flowered, other_salt = secret_wall(FLOWERED, own=True)
    assert (len(flowered.tiles), flowered.own) == (144, True)
    assert other_salt != salt


@pytest.mark.parametrize(("own", "form"), [(False, ""), (True, " own")])
def test_anyone_can_work_out_a_commitment(own: bool, form: str) -> None:
    wall = make_wall("teahouse", 3, own=own)
    text = f"{wall.text()} 4242 5a17{form}"
    assert commitment(wall, "5a17") == hashlib.sha256(text.encode()).hexdigest()


def test_a_wall_reads_back() -> None:
    for flowers in (False, True):
        wall = make_wall(11, tiles=PLAIN.with_flowers(flowers))
        assert read_wall(wall.text(), wall.dice) == wall
        assert read_wall(wall.text(), (6, 1, 5, 2), PLAIN, own=True) == Wall(wall.tiles, (6, 1, 5, 2), own=True)


@pytest.mark.parametrize(
    ("text", "dice", "sentence"),
    [
        ("1m2m", (1, 2, 3, 4), "136"),
        ("1mx2m", (1, 2, 3, 4), "认不出"),
        (make_wall(1).text(), (1, 2, 3, 7), "骰子"),
        (make_wall(1).text().replace("1m", "2m"), (1, 2, 3, 4), "136"),
    ],
)
def test_what_is_no_wall_is_refused(text: str, dice: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(WallError, match=sentence):
        read_wall(text, dice, PLAIN)


def test_a_wrong_wall_is_told_what_a_right_one_has() -> None:
    with pytest.raises(WallError) as refused:
        read_wall("1m2m", (1, 2, 3, 4), PLAIN)
    assert refused.value.say("zh") == "牌墙应是一副完整的 136 或 144 张牌，现有 2 张且牌种不符。"
    assert refused.value.say("en") == "a wall holds one whole set of 136 or 144 tiles; these 2 are none."
    with pytest.raises(WallError) as refused:
        read_wall("1m2m2m", (1, 2, 3, 4))
    assert refused.value.say("zh") == "牌墙应是一副完整的牌，现有 3 张且牌种不符。"
    assert refused.value.say("en") == "a wall holds one whole set; these 3 are none."


@pytest.mark.parametrize("dice", [(0, 1, 1, 1), (1, 1, 1, 0), (7, 6, 6, 6), (1, 1, 1), (1, 1, 1, 1, 1), (1, 1, 1, "1")])
def test_four_dice_show_one_to_six(dice: tuple[int, int, int, int]) -> None:
    with pytest.raises(WallError, match="骰子"):
        check_wall(make_wall(1)._replace(dice=dice))


def test_check_wall_gives_it_back() -> None:
    wall = make_wall(1)
    assert check_wall(wall) is wall
    for dice in ((1, 1, 6, 6), (6, 6, 1, 1)):
        assert check_wall(wall._replace(dice=dice)).dice == dice
