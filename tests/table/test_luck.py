"""Circumstances of a win, derived from what happened at the table."""

from __future__ import annotations

import pytest

from quepu.hands.hand import Luck
from quepu.rulebooks import book
from quepu.table import Table
from quepu.table.actions import PASS
from quepu.table.luck import kongs_in_a_row
from quepu.tiles import NAMES
from tests.table.walls import go, kinds, settle_offer, stacked, throw_away

LINGQUE, YUQUE, GUOBIAO, CANTON = book("lingque-29"), book("yuque-54"), book("guobiao"), book("canton")
WAITS = "123789m123s46pEE"  # for 5p
# three hands that wait for nothing and hold no 5p, to sit around
A, B, C = "1478m28p369sESWC", "147m28p366sSWNPF", "147m2p3469sSWNPF"


def luck(table: Table, seat: int) -> Luck:
    """The circumstances of the win that the seat is offered."""
    win = next(option for option in table.options(seat) if option.do == "win")
    assert win.score is not None
    return Luck(win.score.hand.luck) & ~Luck.FIRST_ROUND


def fans(table: Table, seat: int) -> list[str]:
    win = next(option for option in table.options(seat) if option.do == "win")
    assert win.score is not None
    return [fan.name for fan in win.score.fans]


# ---- at the beginning


def test_heavenly() -> None:
    table = Table(LINGQUE, stacked([WAITS], "5p"))
    assert luck(table, 0) == Luck.HEAVENLY | Luck.SELF_DRAW | Luck.FRESH_TILE
    assert "天和" in fans(table, 0)


def test_flowers_before_the_first_discard_do_not_break_heavenly() -> None:
    table = Table(LINGQUE, stacked([WAITS[:-1] + "春"], "夏", tail="E5p", flowers=True))
    assert luck(table, 0) & Luck.HEAVENLY


@pytest.mark.parametrize(("name", "holds"), [("lingque-29", False), ("yuque-54", False), ("canton", True)])
def test_a_concealed_kong_before_breaks_heavenly_but_in_canton(name: str, holds: bool) -> None:
    flowers = name == "canton"
    table = Table(book(name), stacked(["1111m46p222s789mE"], "E", tail="5p", flowers=flowers))
    go(table, "E concealed 1m")
    assert bool(luck(table, 0) & Luck.HEAVENLY) is holds
    assert luck(table, 0) & Luck.KONG_DRAW


@pytest.mark.parametrize("name", ["lingque-29", "lingque-26", "yuque-54"])
def test_earthly_is_off_the_very_first_discard(name: str) -> None:
    table = go(Table(book(name), stacked(["5p147m258sESWNCF", A, WAITS], "9m")), "E discard 5p")
    assert luck(table, 2) & Luck.EARTHLY
    assert "地和" in fans(table, 2)
    hands = [A, B, WAITS]
    table = go(Table(book(name), stacked(hands, "9m5pF")), "E discard 9m drawn")
    settle_offer(table)
    go(table, "S discard 5p drawn")
    assert not luck(table, 2) & Luck.EARTHLY


def test_earthly_does_not_survive_a_kong_of_the_dealer() -> None:
    table = Table(LINGQUE, stacked(["5p5555m58sESWNCF", A, WAITS], "P"))
    go(table, "E concealed 5m", "E discard 5p")
    assert not luck(table, 2) & Luck.EARTHLY


def test_earthly_in_canton_is_the_first_own_draw() -> None:
    hands = [A, B, WAITS]
    table = go(Table(CANTON, stacked(hands, "9mF5p", flowers=True)), "W ready", "E discard 9m drawn")
    settle_offer(table)
    go(table, "S discard F drawn")
    settle_offer(table)
    assert luck(table, 2) & Luck.EARTHLY
    assert "地糊" in fans(table, 2)
    other = go(Table(CANTON, stacked(hands, "5p", flowers=True)), "E discard 5p drawn")
    assert not luck(other, 2) & Luck.EARTHLY
    assert luck(other, 2) & Luck.HUMANLY


# ---- kongs


def test_kong_draw_and_its_end_by_a_flower() -> None:
    hands = ["1111m789m46p22sEE"]
    table = go(Table(LINGQUE, stacked(hands, "9s", tail="2s5p")), "E concealed 1m")
    assert [option.do for option in table.options(0)].count("win") == 0
    table = go(Table(LINGQUE, stacked(["1111m789m46p222sE"], "E", tail="5p")), "E concealed 1m")
    assert luck(table, 0) & Luck.KONG_DRAW
    assert {"岭上开花", "杠"} <= set(fans(table, 0))
    table = go(Table(LINGQUE, stacked(["1111m789m46p222sE"], "E", tail="春5p", flowers=True)), "E concealed 1m")
    assert not luck(table, 0) & (Luck.KONG_DRAW | Luck.HEAVENLY)
    assert luck(table, 0) & Luck.SELF_DRAW


def test_two_and_three_kongs_in_a_row() -> None:
    hands = ["1111m2222p3333s4p"]
    table = go(Table(CANTON, stacked(hands, "4p", tail="9m9s9m9p", flowers=True)), "E concealed 1m", "E concealed 2p")
    assert not any(option.do == "win" for option in table.options(0))
    wall = stacked(hands, "4p", tail="5p6p7p", flowers=True)
    table = go(Table(CANTON, wall), "E concealed 1m", "E concealed 2p", "E concealed 3s")
    found = luck(table, 0)
    assert found & Luck.KONG_DRAW
    assert found & Luck.TWO_KONGS
    assert found & Luck.THREE_KONGS
    wall = stacked(hands, "4p", tail="5p6p春7p", flowers=True)
    table = go(Table(CANTON, wall), "E concealed 1m", "E concealed 2p", "E concealed 3s")
    assert not luck(table, 0) & (Luck.KONG_DRAW | Luck.TWO_KONGS)


def test_an_exposed_kong_begins_a_row_and_its_feeder_is_known() -> None:
    hands = ["3s47m58pESWNCF99m8s", "1111m2222p333s45p"]
    wall = stacked(hands, "5s", tail="6p9p9p", flowers=True)
    table = go(Table(CANTON, wall), "E discard 3s", "S kong 3s", "S concealed 1m", "S concealed 2p")
    row = kongs_in_a_row(table.events)
    assert [kong.tag for kong in row] == ["concealed", "concealed", "kong"]
    assert row[-1].giver == 0
    # 456p and one 9p after the first two replacements, the pair with the third
    assert luck(table, 1) & Luck.THREE_KONGS
    go(table, "S win")
    assert table.ending is not None
    assert table.ending.kong_feeder == 0


# ---- the end of the wall


def until(table: Table, left: int) -> Table:
    while table.board.left > left:
        throw_away(table, 1)
        settle_offer(table)
    return table


def test_the_last_tile_drawn_and_its_discard() -> None:
    # 84 draws: North has the last one
    table = until(Table(LINGQUE, stacked([A, A, B, WAITS], last="5p")), 0)
    assert luck(table, 3) == Luck.LAST_DRAW | Luck.SELF_DRAW | (luck(table, 3) & (Luck.FRESH_TILE | Luck.FOURTH_TILE))
    assert "海底捞月" in fans(table, 3)
    hands = [A, WAITS, B, C]
    table = until(Table(LINGQUE, stacked(hands, last="5p")), 0)
    go(table, "N discard 5p drawn")
    assert luck(table, 1) & Luck.LAST_DISCARD
    assert "河底捞鱼" in fans(table, 1)


def test_the_tile_before_the_last_is_not_a_last_one() -> None:
    # the same hands, and one tile more in the wall: West has the last but one
    table = until(Table(LINGQUE, stacked([A, B, WAITS, C], last="5p9m")), 1)
    assert (table.turn, table.board.left) == (2, 1)
    assert not luck(table, 2) & Luck.LAST_DRAW
    assert "海底捞月" not in fans(table, 2)
    table = until(Table(LINGQUE, stacked([A, WAITS, B, C], last="5p9m")), 1)
    go(table, "W discard 5p drawn")
    assert not luck(table, 1) & Luck.LAST_DISCARD
    assert "河底捞鱼" not in fans(table, 1)


def test_every_discard_on_an_empty_wall_is_a_last_one() -> None:
    # North's last discard is claimed by East, whose discard South wins: 牌墙已被掀完时，他家放铳
    hands = ["5p77s14m28p8sESWNN", WAITS, B, C]
    table = until(Table(LINGQUE, stacked(hands, last="7s")), 0)
    go(table, "N discard 7s drawn", "E pung 7s", "E discard 5p")
    assert luck(table, 1) & Luck.LAST_DISCARD


def test_robbing_on_an_empty_wall_is_both() -> None:
    # West pungs East's 5p; two draws fall out, so West himself has the last tile
    hands = ["5p47m28p368sSWNPF", WAITS, "55p47m28p369sSWNP", C]
    table = go(Table(LINGQUE, stacked(hands, "9m", last="5p")), "E discard 5p", "W pung 5p", "W discard P")
    until(table, 0)
    assert table.turn == 1
    assert luck(table, 1) & Luck.LAST_DRAW
    other = Table(LINGQUE, stacked(["5p47m28p368sSWNPF", "55p47m28p369sSWNP", WAITS, C], "9m", last="5p"))
    go(other, "E discard 5p", "S pung 5p", "S discard P")
    until(other, 0)
    seat = other.turn
    other._position.turn = 1  # let South have drawn it
    if seat != 1:
        other._position.counts[seat][13] -= 1
        other._position.counts[1][13] += 1
        other.to_act = (1,)
        other._options = None
    go(other, "S added 5p")
    assert luck(other, 2) & Luck.ROBBED_KONG
    assert luck(other, 2) & Luck.LAST_DISCARD


def test_yuque_ends_before_its_dead_wall() -> None:
    table = Table(YUQUE, stacked([A, WAITS, B, C]))
    at = 52 + 69
    now = table._order.index(13, 52)
    table._order[at], table._order[now] = table._order[now], table._order[at]
    until(table, 0)
    assert table.turn == 1
    assert luck(table, 1) & Luck.LAST_DRAW
    assert "海底捞月" in fans(table, 1)


# ---- what is seen


def test_the_fourth_tile_is_the_one_of_which_three_lie_open() -> None:
    # West's pung shows three; the fourth is South's own draw
    hands = ["5p147m258sESWNCF", WAITS, "55p28m28s4sESNNPC", C]
    wall = stacked(hands, "9m9p9p5p", flowers=True)
    table = go(Table(GUOBIAO, wall), "E discard 5p", "W pung 5p", "W discard 4s", "N discard 9p drawn")
    go(table, "E discard 9p drawn")
    settle_offer(table)
    assert table.turn == 1
    assert table.drawn == 13
    assert luck(table, 1) & Luck.FOURTH_TILE
    assert "胡绝张" in fans(table, 1)


def test_fresh_is_a_tile_nobody_has_seen() -> None:
    hands = [A, WAITS, B]
    table = go(Table(CANTON, stacked(hands, "9m9m5p", flowers=True)), "E discard 9m drawn", "S discard 9m drawn")
    go(table, "W discard 5p drawn")
    assert luck(table, 1) & Luck.FRESH_TILE
    hands = ["5p147m258sESWNCF", WAITS, B]
    table = go(Table(CANTON, stacked(hands, "9m9m5p", flowers=True)), "E discard 5p", "S discard 9m drawn")
    go(table, "W discard 5p drawn")
    assert not luck(table, 1) & Luck.FRESH_TILE


# ---- declarations of 广东


def test_thirteen_unrelated_win_in_the_first_go_round_only() -> None:
    # South: twelve kinds of 147m 28p 36s and honours, one twice; 7s is off the line, 9s and C are not
    hands = ["9s46p789m123sEE2m", B, A, C]
    table = go(Table(CANTON, stacked(hands, "9m9m", flowers=True)), "E discard 9s")
    assert table.to_act == (1,)
    assert "十三不搭" in fans(table, 1)
    go(table, "S pass")
    assert not any(option.do == "ready" or option.ready for option in table.options(1))  # it does not last
    late = go(Table(CANTON, stacked(hands, "9m9m9p9p1s", flowers=True)), "E discard 9m drawn", "S discard 9m drawn")
    go(late, "W discard 9p drawn", "N discard 9p drawn", "E discard 9s")
    assert not any(option.do == "win" for option in late.options(1))


def test_the_first_own_draw_is_of_the_first_go_round_and_the_second_is_not() -> None:
    hands = ["46p789m123sEE29m", B, A, C]  # South: thirteen unrelated with 9s
    table = go(Table(CANTON, stacked(hands, "9m9s", flowers=True)), "E discard 9m drawn")
    assert "十三不搭" in fans(table, 1)
    late = go(Table(CANTON, stacked(hands, "9m9m9p9p1s9s", flowers=True)), "E discard 9m drawn", "S discard 9m drawn")
    go(late, "W discard 9p drawn", "N discard 9p drawn", "E discard 1s drawn")
    settle_offer(late)
    assert late.to_act == (1,)
    assert not any(option.do == "win" for option in late.options(1))


def test_ready_on_the_deal_is_offered_before_the_first_draw() -> None:
    table = Table(CANTON, stacked([A, WAITS, B, C], "9m", flowers=True))
    assert table.to_act == (1,)
    assert {option.do for option in table.options(1)} == {"ready", "pass"}
    go(table, "S ready")
    assert table.board.declared == ("", "deal", "", "")
    assert [event.tag for event in table.events[-2:]] == ["ready", "draw"]


def declared(draws: str, *steps: str) -> Table:
    hands = [A, WAITS, B, C]
    return go(Table(CANTON, stacked(hands, draws, flowers=True)), "S ready", *steps)


def test_a_declared_hand_wins_with_it() -> None:
    table = declared("9mCC5p", "E discard 9m drawn", "S discard C drawn", "W discard C drawn", "N discard 5p drawn")
    assert luck(table, 1) & Luck.READY_AT_DEAL
    assert "天听" in fans(table, 1)


def test_changing_tiles_takes_the_declaration_back() -> None:
    table = declared("9mEC5p", "E discard 9m drawn", "S discard E", "W discard C drawn", "N discard 5p drawn")
    assert table.board.declared[1] == ""
    assert not luck(table, 1) & Luck.READY_AT_DEAL


def test_passing_a_win_takes_the_declaration_back() -> None:
    steps = "E discard 5p drawn", "S pass", "S discard C drawn", "W discard C drawn", "N discard 5p drawn"
    table = declared("5pCC5p", *steps)
    assert not luck(table, 1) & Luck.READY_AT_DEAL
    table = declared("9m5pCC5p", "E discard 9m drawn", "S discard 5p drawn", "W discard C drawn", "N discard C drawn",
                     "E discard 5p drawn")  # fmt: skip
    assert not luck(table, 1) & Luck.READY_AT_DEAL


def test_nobody_sees_that_a_win_was_passed() -> None:
    table = declared("5pCC5p", "E discard 5p drawn")
    before = table.view(0).to_json()["board"]["declared"]
    go(table, "S pass")
    assert table.view(0).to_json()["board"]["declared"] == before == ["", "deal", "", ""]


def test_ready_with_the_first_discard_and_at_once() -> None:
    hands = [A, "123789m123s46pEC", B, C]
    table = go(Table(CANTON, stacked(hands, "9mE5p", flowers=True)), "E discard 9m drawn", "S discard C ready")
    assert table.board.declared[1] == "first"
    assert next(event for event in table.events if event.tag == "discard" and event.seat == 1).declares
    go(table, "W discard 5p drawn")
    assert luck(table, 1) & Luck.READY_AT_FIRST
    assert luck(table, 1) & Luck.FIRST_CHANCE
    assert "地听一发" in fans(table, 1)
    table = go(Table(CANTON, stacked(hands, "9mEC5p", flowers=True)), "E discard 9m drawn", "S discard C ready",
               "W discard C drawn", "N discard 5p drawn")  # fmt: skip
    assert not luck(table, 1) & Luck.FIRST_CHANCE
    assert "地听" in fans(table, 1)


def test_the_first_own_draw_after_a_declaration_is_a_first_chance_and_the_second_is_not() -> None:
    hands = [A, "123789m123s46pEC", B, C]
    round_of = ["W discard C drawn", "N discard C drawn", "E discard P drawn"]
    table = Table(CANTON, stacked(hands, "9mECCP5p", flowers=True))
    go(table, "E discard 9m drawn", "S discard C ready", *round_of)
    assert luck(table, 1) & Luck.FIRST_CHANCE
    assert "地听一发" in fans(table, 1)
    table = Table(CANTON, stacked(hands, "9mECCPE9p9pP5p", flowers=True))
    go(table, "E discard 9m drawn", "S discard C ready", *round_of, "S discard E drawn")
    go(table, "W discard 9p drawn", "N discard 9p drawn", "E discard P drawn")
    assert luck(table, 1) & Luck.READY_AT_FIRST
    assert not luck(table, 1) & Luck.FIRST_CHANCE


def test_only_a_first_discard_that_leaves_the_hand_ready_may_declare() -> None:
    hands = [A, "123789m123s46pEC", B, C]
    table = go(Table(CANTON, stacked(hands, "9mE", flowers=True)), "E discard 9m drawn")
    settle_offer(table)
    declarations = [option for option in table.options(1) if option.ready]
    assert {(option.tile, option.drawn) for option in declarations} == {
        (31, False)
    }  # C: with E as well a pair waits for 5p
    assert not any(option.ready for option in Table(LINGQUE, stacked([WAITS[:-1] + "C"], "E")).options(0))


# ---- wins outside the tiles


def test_seven_and_eight_flowers_win() -> None:
    hands = ["147m258pE春夏秋冬梅兰", A]
    table = Table(CANTON, stacked(hands, "竹", tail="9m9p9sCFP1m", flowers=True))
    assert len(table.board.flowers[0]) == 7
    assert luck(table, 0) & Luck.SEVEN_FLOWERS
    assert fans(table, 0)[0] == "花糊"
    go(table, "E win")
    assert table.ending is not None
    assert table.ending.self_draw
    hands = ["147m258pE春夏秋冬梅兰", A]
    table = Table(CANTON, stacked(hands, "竹", tail="9m9p9sCFP菊1m", flowers=True))
    assert luck(table, 0) & Luck.EIGHT_FLOWERS
    assert "八仙过海" in fans(table, 0)


def test_seven_rob_the_eighth() -> None:
    hands = ["147m258pE春夏秋冬梅兰", A]
    table = Table(CANTON, stacked(hands, "竹菊", tail="9m9p9sCFP1m", flowers=True))
    go(table, "E discard 1m drawn")
    settle_offer_but(table, 0)
    assert table.to_act == (0,)
    assert luck(table, 0) == Luck.ROBBED_FLOWER
    go(table, "E win")
    assert table.ending is not None
    assert (table.ending.discarder, table.ending.robbed) == (1, True)


def settle_offer_but(table: Table, seat: int) -> None:
    while table.to_act and table.to_act[0] != seat and any(o.do == "pass" for o in table.options(table.to_act[0])):
        table.step(table.to_act[0], next(o for o in table.options(table.to_act[0]) if o.do == "pass"))


def test_no_flower_wins_where_the_book_has_none() -> None:
    hands = ["147m258pE春夏秋冬梅兰", A]
    table = Table(GUOBIAO, stacked(hands, tail="9m9p9sCFP1m", flowers=True))
    assert not any(option.do == "win" for option in table.options(0))


def outer_hand(first: str = "") -> Table:
    """Play a hand of 广东 to its end, in which East draws and discards nothing but 1, 9 and honours after `first`."""
    middle = [kind for kind in range(27) if kind % 9 not in (0, 8)]
    outer = [kind for kind in range(34) if kind not in middle]
    own = kinds("234567m234567p5s")
    left = [kind for kind in middle for _ in range(4 - own.count(kind))]
    draws = [kind for number in range(21) for kind in (outer[number % 13], *left[3 * number : 3 * number + 3])]
    if first:
        draws[draws.index(kinds(first)[0])], draws[0] = draws[0], kinds(first)[0]
    table = Table(CANTON, stacked(["234567m234567p5s"], "".join(NAMES[kind] for kind in draws)))
    until(settle_offer(table), 0)
    throw_away(table, 1)
    while table.to_act and table.events[-1].tag != "exhausted":
        table.step(table.to_act[0], PASS)
    return table


def test_a_drawn_hand_of_outer_discards_wins_in_canton() -> None:
    table = outer_hand()
    assert table.to_act == (0,)
    assert luck(table, 0) == Luck.OUTER_DISCARDS | Luck.SELF_DRAW
    assert fans(table, 0)[0] == "流局十番"
    other = go(table.copy(), "E pass")
    assert other.over and other.ending is not None and not other.ending.winners
    go(table, "E win")
    assert table.ending is not None and table.ending.winners[0].seat == 0


def test_one_discard_of_another_kind_takes_it_away() -> None:
    assert outer_hand(first="1m").to_act == (0,)
    assert outer_hand(first="2s").over
