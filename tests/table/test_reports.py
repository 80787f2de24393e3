"""Reports of hands with real tiles that the referee follows: dealt and drawn tiles, flowers, kongs, several winners."""

from __future__ import annotations

from quepu.rules.rulebook import Rulebook
from quepu.table.events import Drawn, HandShown, ReplacementDrawn
from quepu.table.facts import Fact
from quepu.table.referee import reconstruct
from quepu.tiles import NAMES
from tests.table.test_luck import outer_hand
from tests.table.test_referee import CANTON, GUOBIAO, LINGQUE, YUQUE, build, lines, wrong
from tests.table.walls import kinds

TWO_WIN = CANTON.having(id="two-winners", options={"winners": 2, "flowers": False})
SOUTH, WEST, NORTH = "S 食糊 123789m123s46pEE", "W 食糊 222333m789s46p99s", "N 食糊 456m456s77s789s46p"


def test_dealt_and_drawn_tiles_lie_where_they_were_reported() -> None:
    made = build(LINGQUE, "E deal 1112m234p567s99sE", "E draw 5m", "E discard 2m", "S draw 9p", "S discard 9p drawn",
                 "W draw 3s", "W concealed 6m", "W replace 7m", "W discard 7m drawn")  # fmt: skip
    assert wrong(made) == []
    table = made.table
    assert table.hands[0] == tuple(kinds("1115m234p567s99sE"))
    assert table.board.rivers == ((1,), (17,), (6,), ())
    drawn = [(type(event), event.seat, NAMES[event.tile]) for event in table.events
             if isinstance(event, Drawn | ReplacementDrawn)]  # fmt: skip
    assert drawn[:4] == [(Drawn, 0, "5m"), (Drawn, 1, "9p"), (Drawn, 2, "3s"), (ReplacementDrawn, 2, "7m")]
    assert 20 in table.hands[2] and table.hands[2].count(5) == 0


CONTRADICTIONS: list[tuple[tuple[str, ...], list[tuple[int, str]]]] = [
    (("E deal 11111m234p567s99s", "E discard 5m"), [(0, "一万已经超过一副牌里的张数。")]),
    (("S deal 123m456p789sEEEW", "E deal 1111m234p567s99sE", "W deal 1m234p567s999sEEE", "E discard 5m"),
     [(0, "一万已经超过一副牌里的张数。")]),
    (("E deal 1112m234p567s99sE", "E draw 5m", "E discard 3m", "E discard 5m hand", "E discard 5m drawn"),
     [(2, "这家手里不会有三万：已知的牌对不上。"), (3, "这家手里不会有五万：已知的牌对不上。")]),
    (("E flower 春", "E replace 春", "E discard 5m"),
     [(0, "春已经超过一副牌里的张数。"), (1, "春已经超过一副牌里的张数。")]),
    (("E flower 春", "E deal 11111m234p567s99s", "E discard 5m"),
     [(1, "这家手里不会有春：已知的牌对不上。")]),
    (("E draw 1m", "E draw 2m", "E discard 1m drawn"), [(1, "东家摸二万：与前面录入的矛盾。")]),
    (("E draw 1m", "E discard 1m drawn", "S draw", "S draw 3m", "S discard 3m"),
     [(3, "南家摸三万：按这本规则现在不能。")]),
    (("E concealed ?", "E replace 5m", "E replace 5m", "E discard 5m drawn"),
     [(2, "东家补五万：按这本规则现在不能。")]),
    (("W draw 5m", "E discard 5m"), [(0, "西家摸五万：轮到的是东家。")]),
]  # fmt: skip


def test_tiles_that_contradict_a_report_are_left_out() -> None:
    for facts, problems in CONTRADICTIONS:
        made = build(LINGQUE, *facts)
        assert wrong(made) == problems
        assert len(made.table.board.rivers[0]) == any("E discard" in fact for fact in facts)


def test_a_concealed_kong_that_was_not_seen_is_of_one_kind_as_long_as_it_is_not_told() -> None:
    made = build(LINGQUE, "E concealed ?", "E discard 5m", "S chow 5m 4m", "S discard 9p")
    assert wrong(made) == []
    (kong,) = made.table.melds[0]
    assert kong.tiles == (kong.tile,) * 4 and kong.tile not in (3, 4, 5, 17)


WINS: list[tuple[Rulebook, tuple[str, ...], tuple[int, ...], list[tuple[int, str]]]] = [
    (TWO_WIN, (SOUTH, WEST), (1, 2), []),
    (TWO_WIN, (WEST, SOUTH), (1, 2), []),
    (TWO_WIN, (NORTH, WEST), (2, 3), []),
    (TWO_WIN, (NORTH, SOUTH), (1, 3), []),
    (TWO_WIN, (SOUTH, WEST, NORTH), (1, 2), [(3, "北家食糊 456m46p45677789s：这一局已经结束了。")]),
    (TWO_WIN, (NORTH, WEST, SOUTH), (1, 2), [(1, "按这本规则，同一张牌至多两家和，不是 3 家。")]),
    (CANTON.having(options={"flowers": False}), (WEST, SOUTH), (2,),
     [(2, "南家食糊 123789m46p123sEE：这一局已经结束了。")]),
    (CANTON.having(options={"flowers": False}), (SOUTH, WEST), (1,),
     [(2, "西家食糊 222333m46p78999s：这一局已经结束了。")]),
]  # fmt: skip


def test_the_nearest_of_those_reported_win_in_whatever_order_they_are_told() -> None:
    for rulebook, facts, winners, problems in WINS:
        made = build(rulebook, "E discard 5p", *facts)
        assert made.ending is not None
        assert (made.ending.seats, made.ending.discarder) == (winners, 0)
        assert wrong(made) == problems


def test_an_added_kong_is_robbed_or_replaced() -> None:
    facts = ["E discard 5m", "W pung", "W discard E", "N discard 9p", "E discard 9p", "S discard 9p", "W 加杠 5m"]
    robbed = build(LINGQUE, *facts, "S 和 123s789s46m22pCCC")
    assert wrong(robbed) == [] and robbed.ending is not None and robbed.ending.robbed
    passed = build(LINGQUE, *facts, "W replace 1m", "W discard 1m drawn", "S 和 123s789s46m22pCCC")
    assert wrong(passed) == [(9, "按灵雀（第二十九版），这些牌不成和牌形。")]
    assert passed.table.board.rivers[2] == (27, 0)
    assert passed.table.board.melds[2][0].added


def test_several_seats_declare_themselves_ready_before_the_first_draw() -> None:
    made = reconstruct(CANTON, lines("W 听", "S 听", "E discard 9m", "S discard 1p drawn"), flowers=False)
    assert wrong(made) == []
    assert made.table.board.declared == ("", "deal", "deal", "")
    assert all(made.table.waits[seat] for seat in (1, 2))


def test_a_hand_is_told_to_its_end_without_a_tile_being_seen() -> None:
    discards = [f"{seat} 打 ? 摸切" for _ in range(21) for seat in "ESWN"]
    made = build(LINGQUE, *discards[:-1], "流局", discards[-1], "流局", "E 打 ?")
    assert wrong(made) == [(83, "流局：轮到的是北家。"), (86, "东家打？：这一局已经结束了。")]
    assert made.ending is not None and not made.ending.winners
    assert made.doubts == ()
    assert [len(river) for river in made.table.board.rivers] == [21] * 4


def test_a_seat_freed_again_may_claim() -> None:
    made = build(YUQUE, "S 停", "S 停", "S 免", "E discard 5m", "S 碰", "S discard 1m", "W 停")
    assert wrong(made) == []
    assert made.table.board.barred == (False, False, True, False)
    assert made.table.board.rivers == ((), (0,), (), ())


def test_flowers_are_told_as_they_come() -> None:
    made = build(LINGQUE, "E discard 5m", "S discard 1p", "W flower 菊", "W discard 2p", "N flower 竹", "N flower 兰",
                 "N discard 9p")  # fmt: skip
    assert wrong(made) == []
    assert made.table.board.flowers == ((), (), (41,), (40, 39))
    assert made.table.board.rivers == ((4,), (9,), (10,), (17,))
    made = build(GUOBIAO, "E flower 春", "W flower 梅", "E draw 5m", "E discard 5m", "S draw 夏", "S flower 夏",
                 "S replace 9m", "S discard 9m drawn", "W draw 兰", "W discard 兰")  # fmt: skip
    assert wrong(made) == []
    assert made.table.board.flowers == ((34,), (35,), (38,), ())
    assert made.table.board.rivers == ((4,), (8,), (39,), ())
    for facts in (("E flower 春", "E flower 春", "E discard 5m"), ("E discard 5m", "S flower 春", "S flower 春")):
        made = build(LINGQUE, *facts)
        assert [at for at, _ in wrong(made)] == [1 if facts[1] == "E flower 春" else 2]
        assert [len(own) for own in made.table.board.flowers].count(1) == 1


def test_a_drawn_hand_that_is_won_by_its_discards_is_told_and_won() -> None:
    table = outer_hand()
    facts = [Fact.of(event) for event in table.events if event.tag not in ("dice", "draw", "show", "exhausted", "win")]
    made = reconstruct(CANTON, [*facts, *lines("E 自摸 234567m234567p5s")], flowers=False)
    assert wrong(made) == []
    assert made.ending is not None and made.ending.seats == (0,)


SEVEN = tuple(f"S flower {flower}" for flower in "春夏秋冬梅兰竹")


def test_seven_flowers_win_as_they_are_told() -> None:
    """As a self-draw, for no other seat gives a tile; the eighth flower of another is robbed."""
    made = build(CANTON, *SEVEN, "S 自摸 123m456p789s11mEE")
    assert wrong(made) == []
    assert made.ending is not None and (made.ending.seats, made.ending.self_draw) == ((1,), True)
    made = build(CANTON, *SEVEN, "W flower 菊", "S 和 123m456p789s11mEE")
    assert wrong(made) == []
    assert made.ending is not None and (made.ending.seats, made.ending.robbed) == ((1,), True)
    made = build(CANTON, *SEVEN, "W flower 菊", "W flower 菊", "E discard 5m", "S discard 1p")
    assert [at for at, _ in wrong(made)] == [8]
    assert made.table.board.rivers[:2] == ((4,), (9,))
    drawn = build(LINGQUE, "E discard 5m", "S 自摸 46m11p123s789sEEE+5m")  # not East's discard
    assert wrong(drawn) == []
    assert drawn.ending is not None and drawn.ending.self_draw


def test_a_win_without_a_tile_to_win_with_is_not_allowed() -> None:
    made = build(GUOBIAO, "E draw 春", "E discard 春", "S 和 123789m123s46pEE")
    assert wrong(made) == [(2, "南家和 123789m46p123sEE：按这本规则现在不能。")]
    made = build(LINGQUE, "S 和 46m11p123s789sEEE")
    assert wrong(made) == [(0, "南家和 46m11p123789sEEE：按这本规则现在不能。")]


def test_a_hand_laid_open_without_its_tiles_says_nothing() -> None:
    facts = [*lines("E discard 5m", "S 和 46m11p123s789sEEE"), Fact(HandShown, 3)]
    made = reconstruct(YUQUE, facts)
    assert wrong(made) == []
    assert made.ending is not None and made.ending.ready == (None,) * 4


def test_a_win_may_be_told_before_its_hand() -> None:
    made = build(LINGQUE, "E discard 5m", "S 和", "S 亮 46m11p123s789sEEE")
    assert wrong(made) == []
    made = build(LINGQUE, "E discard 5m", "S 和", "S 亮 46m11p123s789sNNC")
    assert "不够起和的 10" in wrong(made)[0][1] or "不成和牌形" in wrong(made)[0][1]
