"""Who may act when a hand is played: refusals, barred seats, held tables, and in which order things happen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.scoring.score import score_hand
from quepu.table import NotAllowed, Table, make_wall
from quepu.table.actions import PASS, Action
from quepu.table.events import Discarded, Drawn, ReplacementDrawn
from quepu.table.wall import WallPlan, WallWalk
from quepu.tiles import BIT, NAMES
from tests.table.walls import JUNK, go, kinds, read_step, stacked, throw_away

LINGQUE, YUQUE, GUOBIAO, CANTON = (book(name) for name in ("lingque-29", "yuque-54", "guobiao", "canton"))


def unchanged(table: Table, *steps: str) -> None:
    """Each of these steps is refused, and changes nothing."""
    before = table.copy()
    for step in steps:
        with pytest.raises(NotAllowed):
            table.step(*read_step(step))
        assert (table, table.position, table.to_act) == (before, before.position, before.to_act), step


FAR = ["257m369p148sNNCC", "257m369p148sFFPP"]
"""Hands that claim hardly a tile."""


# ---- refusals


def test_only_the_seat_on_turn_discards_and_only_what_it_holds() -> None:
    table = Table(LINGQUE, stacked(JUNK, "F"))
    assert [bool(table.options(seat)) for seat in range(4)] == [True, False, False, False]
    unchanged(table, "S discard 1m", "W discard 9s", "N discard F drawn", "E discard 2m", "E discard W drawn")
    go(table, "E discard 8m")
    assert table.to_act == (1,)
    unchanged(table, "E discard 1m")
    over = throw_away(table)
    assert over.over
    last = over.position.turn
    kind = over.hands[last][0]
    with pytest.raises(NotAllowed):
        over.step(last, Action("discard", kind))
    assert [over.options(seat) for seat in range(4)] == [()] * 4


def test_a_drawn_flower_goes_before_anything_else() -> None:
    """Where flowers may be discarded, a seat that drew one discards or sets aside that one."""
    for flower in "春菊":
        table = Table(GUOBIAO, stacked(JUNK, flower, flowers=True))
        unchanged(table, "E discard 1m", "E discard W")
        go(table, f"E discard {flower} drawn")
        assert table.turn == 1


def test_an_offer_is_answered_by_those_who_are_asked_and_with_what_they_may() -> None:
    hands = ["5m147p258sESWNCF", "46m11p258sESWNCFP", "55m369p147s2356p"]
    table = go(Table(LINGQUE, stacked(hands, "9m")), "E discard 5m")
    assert table.to_act == (1, 2)
    unchanged(table, "E discard 1p", "N pass", "N pung 5m", "S pung 5m", "W chow 5m 4m", "S discard 4m")
    go(table, "S chow 5m 4m")
    assert table.to_act == (2,)
    unchanged(table, "S chow 5m 4m")


# ---- barred seats


def test_a_seat_is_barred_once_and_not_when_the_hand_is_over() -> None:
    table = Table(YUQUE, stacked(JUNK, "F"))
    table.bar(2, False)
    for _ in range(2):
        table.bar(2)
    assert [event.tag for event in table.events if event.tag in ("barred", "freed")] == ["barred"]
    for _ in range(2):
        table.bar(2, False)
    assert [event.tag for event in table.events if event.tag in ("barred", "freed")] == ["barred", "freed"]
    throw_away(table)
    events = table.events
    table.bar(1)
    assert table.events == events and not table.board.barred[1]


OFFERED = ["5p147m258sESWNCF", "123789m123s46pNN", "456789m456s46pWW", "55p88m1199s1mCFEP"]


def test_the_answers_of_the_others_stand_when_a_seat_is_barred() -> None:
    table = go(Table(YUQUE, stacked(OFFERED, "9m")), "E discard 5p")
    assert table.to_act == (1, 2, 3)
    go(table, "N pung 5p")
    table.bar(2)
    assert table.to_act == (1,)
    assert table.missed == (False,) * 4  # nobody passed up a win
    go(table, "S pass")
    assert table.melds[3] and table.turn == 3
    assert table.missed == (False, True, False, False)
    table = go(Table(YUQUE, stacked(OFFERED, "9m")), "E discard 5p", "S pass", "W win")
    table.bar(1)
    assert table.ending is not None and table.ending.seats == (2,)


def test_a_seat_that_is_not_asked_can_be_barred_during_an_offer() -> None:
    table = go(Table(YUQUE, stacked(OFFERED, "9m")), "E discard 5p")
    table.bar(0)
    assert table.to_act == (1, 2, 3)
    table.bar(1)
    assert table.to_act == (2, 3)
    table.bar(1, False)  # what was withdrawn does not come back
    assert table.to_act == (2, 3)


# ---- passed wins


def test_a_win_passed_up_is_noted_and_a_pass_without_one_is_not() -> None:
    table = go(Table(YUQUE, stacked(OFFERED, "9m")), "E discard 5p", "S pass")
    assert table.missed == (False, True, False, False)
    go(table, "N pass", "W pass")
    assert table.missed == (False, True, True, False)
    hands = ["147m258p369sESWN", "123789m123s46pEE", *FAR]
    ready = go(Table(CANTON, stacked(hands, "9m5p", flowers=True)), "S ready", "E discard W")
    assert ready.options(1)[0].do == "win" and ready.missed == (False,) * 4
    go(ready, "S discard 5p drawn")
    assert ready.missed == (False, True, False, False)
    plain = go(Table(YUQUE, stacked(JUNK, "F")), "E discard 8m")
    assert plain.missed == (False,) * 4


# ---- held tables


def test_a_held_table_goes_on_where_it_stopped() -> None:
    hands = ["11m258p258s369mEE", "147m147p369sSSWW", *FAR]
    table = Table(LINGQUE, stacked(hands, "9p1m9s"), shielded=True)
    table.go_on()
    assert table.to_act == (0,)  # nothing to go on from
    go(table, "E discard 9p drawn")
    assert table.held and table.to_act == ()
    unchanged(table, "S discard 1m", "E discard E", "S pass")
    table.go_on()
    assert (table.turn, table.to_act) == (1, (1,))
    go(table, "S discard 1m drawn")
    assert table.to_act == (0,) and not table.held
    table.go_on()
    assert table.to_act == (0,) and table.turn == 1  # East is asked first
    passed = go(table.copy(), "E pass")
    assert passed.held
    passed.go_on()
    assert (passed.turn, passed.to_act) == (2, (2,))
    go(table, "E pung 1m", "E discard 2p")
    assert table.held
    table.go_on()
    assert table.turn == 1


def test_an_added_kong_holds_the_table_and_a_concealed_one_only_where_it_may_be_robbed() -> None:
    hands = ["1111m258p258s36mE", "47m147p369sSSWWE", *FAR]
    for robbed, held in ((frozenset[str](), False), (frozenset({"orphans"}), True)):
        rules = play_rules(LINGQUE)
        rules = replace(rules, table=replace(rules.table, concealed_kong_robbed_by=robbed))
        table = go(Table(LINGQUE, stacked(hands, "9m", tail="N"), rules=rules, shielded=True), "E concealed 1m")
        assert table.held is held
        table.go_on()
        assert (table.turn, table.drawn, table.to_act) == (0, 30, (0,))
        open_table = go(Table(LINGQUE, stacked(hands, "9m"), rules=rules), "E concealed 1m")
        assert not open_table.held and open_table.to_act == (0,)
    hands = ["5m147p258sESWNCF", "555m19p19sSSWWNN"]
    table = go(Table(LINGQUE, stacked(hands, "9m"), shielded=True), "E discard 5m", "S pung 5m", "S added 5m")
    assert table.held and table.events[-1].tag == "added"
    table.go_on()
    assert (table.events[-1].tag, table.turn, table.to_act) == ("replace", 1, (1,))
    table = go(Table(LINGQUE, stacked(hands, "9m")), "E discard 5m", "S pung 5m", "S added 5m")
    assert (table.events[-1].tag, table.turn, table.to_act) == ("replace", 1, (1,))


# ---- the order of things


@pytest.mark.parametrize("kongs", range(4))
def test_tiles_come_from_the_wall_in_its_order_to_the_last(kongs: int) -> None:
    """After an odd number of replacements the last tile is the lower one of a stack."""
    hands = ["1111m2222m3333m4m", "258p369s147pSSWW"]
    table = Table(LINGQUE, stacked(hands, "9m", tail="EEE"))
    walk, order, taken = WallWalk(WallPlan(136)), table.wall.order(), []
    for kind in range(1, kongs + 1):
        go(table, f"E concealed {kind}m")
    throw_away(table)
    for event in table.events:
        if isinstance(event, Drawn | ReplacementDrawn):
            draw = walk.head if isinstance(event, Drawn) else walk.tail
            assert event.tile == order[draw(event.seat)]
            taken.append(event)
    assert len(taken) == 84
    assert [isinstance(event, ReplacementDrawn) for event in taken].count(True) == kongs
    assert table.events[-1].tag == "exhausted"


def test_ready_hands_are_declared_in_the_order_of_seats() -> None:
    """In whatever order they answer."""
    ready = ["123789m123s46pEE", "456p456789s99pSS", "456m123p67s333mWW"]
    wall = stacked(["147m258p369sESWN", *ready], "9m", flowers=True)
    for answers in (
        ("N ready", "S ready", "W pass"),
        ("W ready", "N ready", "S ready"),
        ("S ready", "N pass", "W pass"),
    ):
        table = go(Table(CANTON, wall), *answers)
        declared = [event.seat for event in table.events if event.tag == "ready"]
        assert declared == sorted("ESWN".index(answer[0]) for answer in answers if "ready" in answer)
        assert (table.turn, table.to_act) == (0, (0,))
        assert [bool(kind) for kind in table.board.declared] == [seat in declared for seat in range(4)]


def test_dealt_flowers_of_every_seat_are_replaced_before_the_first_draw() -> None:
    for name in ("lingque-29", "guobiao"):
        hands = ["春147m258p369sESW", "夏", "秋", "冬"]
        table = Table(book(name), stacked(hands, "9m", tail="CFP8s", flowers=True))
        assert [event.tag for event in table.events[5:14]] == ["flower", "replace"] * 4 + ["draw"]
        assert [event.seat for event in table.events[5:14:2]] == [0, 1, 2, 3, 0]  # type: ignore[attr-defined]
        assert table.board.flowers == ((34,), (35,), (36,), (37,))
        assert table.to_act == (0,)


@pytest.mark.parametrize(("name", "shown"), [("lingque-29", [1]), ("yuque-54", [0, 1, 2, 3])])
def test_the_winner_shows_his_hand_and_where_ready_hands_are_paid_all_do(name: str, shown: list[int]) -> None:
    hands = ["5p147m258sESWNCF", "123789m123s46pEE"]
    table = go(Table(book(name), stacked(hands, "9m")), "E discard 5p", "S win")
    assert [event.seat for event in table.events if event.tag == "show"] == shown
    assert table.to_act == ()
    exhausted = throw_away(Table(book(name), make_wall(21)))
    assert [event.seat for event in exhausted.events if event.tag == "show"] == ([] if name == "lingque-29" else shown)
    assert exhausted.ending is not None and exhausted.ending.winners == ()


READY_FOR_A_STRAIGHT = "12345678m11122p"
"""Waits for 3m and 6m, and for 9m, which is worth more."""
AFTER_THREE_9M = {
    "E": (["99m258p258sSWNCF", "78m456p123789sEE", READY_FOR_A_STRAIGHT], "P9mF9mC",
          ("E discard 9m", "S discard 9m drawn", "W discard F drawn", "N discard 9m drawn", "E discard 9m", "S win")),
    "": (["78m456p123789sEE", "99m258p258sSWNCF", READY_FOR_A_STRAIGHT], "PCF9mNCFC9m",
         ("E discard P drawn", "S discard 9m", "W discard F drawn", "N discard 9m drawn", "E discard N drawn",
          "S discard 9m", "W discard F drawn", "N discard C drawn", "E win")),
}  # fmt: skip


@pytest.mark.parametrize("giver", AFTER_THREE_9M)
def test_a_ready_hand_sees_the_winning_discard_and_not_a_tile_that_the_winner_drew(giver: str) -> None:
    """Three 9m lie in the rivers: once the fourth is discarded and won with, West does not wait for it."""
    hands, draws, steps = AFTER_THREE_9M[giver]
    table = go(Table(YUQUE, stacked(hands, draws)), *steps)
    assert table.ending is not None and (table.ending.discarder == 0) is (giver == "E")
    hand = table.view(2).as_hand()
    worth = {kind: score_hand(hand._replace(winning=kind), YUQUE).points for kind in (2, 5, 8)}
    assert worth[8] > max(worth[2], worth[5])
    assert table.ending.ready[2] == (max(worth[2], worth[5]) if giver else worth[8])


def test_a_house_rule_of_another_table_is_the_one_that_is_played() -> None:
    rules = play_rules(LINGQUE)
    none = replace(rules, table=replace(rules.table, claims=frozenset({"win"})))
    table = go(Table(LINGQUE, stacked(["5m147p258sESWNCF", "46m11p258sESWNCFP"], "9m"), rules=none), "E discard 5m")
    assert table.turn == 1 and table.drawn is not None


# ---- flowers and offers

SEVEN = "春夏秋冬梅兰竹"
DEALT_SEVEN = ["147m258p369sESWN", "123m456p" + SEVEN, *FAR]


def test_seven_flowers_are_asked_about_once() -> None:
    wall = stacked(DEALT_SEVEN, "9m", tail="WPCEWPE", flowers=True)
    table = Table(CANTON, wall)
    assert (table.to_act, table.offered, table.options(1)[0].do) == ((1,), (None, 1), "win")
    assert go(table.copy(), "S win").over
    go(table, "S pass")
    assert (table.turn, table.drawn, table.to_act) == (0, 8, (0,))
    assert table.events[-1] == Drawn(0, 8)


def test_a_flower_that_is_not_robbed_is_replaced_in_the_deal_or_as_a_drawn_tile() -> None:
    dealt = [*DEALT_SEVEN[:2], "257m369p148sNNC菊", FAR[1]]
    table = Table(CANTON, stacked(dealt, "9m", tail="WPCEWPE1s", flowers=True))
    assert (table.to_act, table.offered) == ((1,), (41, 2))
    robbed = go(table.copy(), "S win")
    assert robbed.ending is not None and robbed.ending.seats == (1,)
    go(table, "S pass", "S pass")  # and the seven
    assert [len(hand) for hand in table.hands] == [13] * 4
    assert (table.drawn, table.turn, table.to_act, table.board.flowers[2]) == (8, 0, (0,), (41,))
    table = go(
        Table(CANTON, stacked(DEALT_SEVEN, "9m菊", tail="WPCEWPEC", flowers=True)), "S pass", "E discard 9m drawn"
    )
    assert table.turn == 1 and table.options(1)[0].do == "win"  # his eighth
    drawn = Table(CANTON, stacked(DEALT_SEVEN, "菊", tail="WPCEWPEC", flowers=True))
    go(drawn, "S pass")
    assert (drawn.to_act, drawn.offered) == ((1,), (41, 0))
    go(drawn, "S pass")
    assert (drawn.turn, drawn.drawn, drawn.to_act) == (0, 31, (0,))


def test_drawn_flowers_are_set_aside_one_after_another() -> None:
    for first, second in ("春夏", "菊春"):
        table = Table(LINGQUE, stacked(JUNK, first, tail=second + "C", flowers=True))
        tags = [event.tag for event in table.events[5:]]
        assert tags == ["draw", "flower", "replace", "flower", "replace"]
        assert (table.drawn, table.to_act, table.offered) == (31, (0,), (None, None))


def test_ready_hands_are_asked_for_from_the_dealer_on() -> None:
    table = Table(CANTON, stacked(["147m258p369sESWN", "123789m123s46pEE", *FAR], "9m", flowers=True))
    assert (table.to_act, table.offered) == ((1,), (None, 0))
    go(table, "S ready")
    assert table.offered == (None, None)


def test_declaring_ready_with_a_discard_forgets_a_win_passed_up_before() -> None:
    hands = ["123789m123s46pEE", *FAR, "257m369p148sSSWW"]
    table = Table(CANTON, stacked(hands, "5p", flowers=True))
    assert table.options(0)[0].do == "win"
    with pytest.raises(NotAllowed):
        table.step(0, Action("discard"))
    go(table, "E discard 5p drawn ready")
    assert (table.board.declared[0], table.missed) == ("first", (False,) * 4)
    declaring = [event for event in table.events if event.tag == "discard"]
    assert declaring == [Discarded(0, 13, True, True)]


def test_a_discard_from_the_hand_renews_the_waits() -> None:
    table = go(Table(LINGQUE, stacked(["123789m123s46pEC"], "E")), "E discard C")
    assert table.waits[0] == BIT[13]
    table = go(Table(LINGQUE, stacked(["123789m123s46pEE"], "C")), "E discard C drawn")
    assert table.waits[0] == BIT[13]


def test_as_many_win_one_tile_as_the_house_allows_and_only_one_a_drawn_hand() -> None:
    house = CANTON.having(id="three-winners", options={"winners": 3, "flowers": False})
    hands = ["5p147m258sESWNCF", "123789m123s46pEE", "222333m789s46p99s", "456m456s77s789s46p"]
    table = go(Table(house, stacked(hands, "9m")), "E discard 5p", "S win", "N win", "W win")
    assert table.ending is not None and table.ending.seats == (1, 2, 3)
    # East and West discard nothing but 1, 9 and honours
    outer = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]
    own = "234567m234567p5s"
    middle = [kind for kind in range(27) for _ in range(4 - kinds(own).count(kind)) if kind % 9 not in (0, 8)]
    draws = [kind for n in range(21) for kind in (outer[n % 13], middle[2 * n], outer[(n + 6) % 13], middle[2 * n + 1])]
    table = Table(house, stacked([own], "".join(NAMES[kind] for kind in draws)))
    while not table.over and table.events[-1].tag != "exhausted":
        throw_away(table, 1)
        while table.to_act and table.events[-1].tag != "exhausted" and PASS in table.options(table.to_act[0]):
            table.step(table.to_act[0], PASS)
    assert table.to_act == (0, 2)
    go(table, "W win")
    assert table.to_act == (0,)
    go(table, "E win")
    assert table.ending is not None and table.ending.seats == (0,)


def test_own_walls_are_drawn_from_their_beginning() -> None:
    wall = make_wall(5, own=True)
    table = throw_away(Table(LINGQUE, wall), 9)
    draws = [event for event in table.events if isinstance(event, Drawn)]
    assert [event.tile for event in draws[:8]] == [wall.tiles[34 * (n % 4) + 13 + n // 4] for n in range(8)]
