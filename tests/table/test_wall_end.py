"""What is drawn from the tail of the wall, and its end: the dead wall, the last tile, replacements, flowers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall
from quepu.table.actions import PASS
from quepu.tiles import NAMES
from tests.table.walls import JUNK, go, settle_offer, stacked, throw_away, words

LINGQUE, YUQUE, GUOBIAO, CANTON = (book(name) for name in ("lingque-29", "yuque-54", "guobiao", "canton"))


def test_the_dead_wall_of_yuque_is_never_drawn() -> None:
    table = throw_away(Table(YUQUE, make_wall(21)))
    draws = [event for event in table.events if event.tag == "draw"]
    assert len(draws) == 136 - 52 - 14
    assert len(table.undrawn()) == 14
    assert table.events[-5].tag == "exhausted"
    assert [event.tag for event in table.events[-4:]] == ["show"] * 4


def test_lingque_draws_the_last_tile() -> None:
    table = throw_away(Table(LINGQUE, make_wall(21)))
    assert len([event for event in table.events if event.tag == "draw"]) == 84
    assert table.undrawn() == []
    assert table.events[-1].tag == "exhausted"


def test_kongs_shorten_the_live_wall_of_yuque_or_come_out_of_the_dead_wall() -> None:
    hands = ["1111m258p258s36m", "2222m147p147s36m"]
    for feeds, draws in ((False, 68), (True, 70)):
        rules = play_rules(YUQUE)
        rules = replace(rules, table=replace(rules.table, dead_wall_feeds=feeds))
        table = Table(YUQUE, stacked(hands, "9pC"), rules=rules)
        go(table, "E concealed 1m", "E discard 3m")
        settle_offer(table)
        go(table, "S concealed 2m")
        throw_away(table)
        assert len([event for event in table.events if event.tag == "draw"]) == draws
        assert len(table.undrawn()) == (12 if feeds else 14)


@pytest.mark.parametrize(("name", "claims"), [("lingque-29", True), ("yuque-54", False)])
def test_claims_after_the_last_tile(name: str, claims: bool) -> None:
    rules = play_rules(book(name)).table
    live = 136 - 52 - rules.dead_wall
    seat = (live - 1) % 4
    hands = [""] * 4
    hands[seat] = "147m147s258sWWN1p"
    hands[(seat + 1) % 4] = "46p333m777s9sSWCF"
    hands[(seat + 2) % 4] = "55p28m99sNCFP136m"
    table = Table(book(name), stacked(hands, last="5p" if not rules.dead_wall else ""))
    order = table._order
    if rules.dead_wall:  # put 5p where the last live tile lies
        at, now = 52 + live - 1, order.index(13, 52)
        order[at], order[now] = order[now], order[at]
    while table.board.left:
        throw_away(table, 1)
        settle_offer(table)
    assert table.turn == seat
    assert NAMES[table.drawn] == "5p"
    assert {option.do for option in table.options(seat)} == {"discard"}
    go(table, f"{'ESWN'[seat]} discard 5p drawn")
    if not claims:
        assert table.over
        return
    assert words(table, (seat + 1) % 4) == {"chow 5p 4p", "pass"}
    assert words(table, (seat + 2) % 4) == {"pung 5p", "pass"}
    winds = "ESWN"
    go(table, f"{winds[(seat + 2) % 4]} pung 5p")
    assert table.turn == (seat + 2) % 4
    throw_away(table, 1)
    settle_offer(table)
    assert table.over
    assert table.ending is not None
    assert not table.ending.winners


def test_a_kong_without_a_replacement_ends_the_hand() -> None:
    hands = ["147m247s258sWWN1p", "", "", "1111s28m99pNCFP36m"]
    table = Table(LINGQUE, stacked(hands, last="5p"))
    assert (136 - 52 - 1) % 4 == 3  # North draws the last one
    while table.board.left:
        throw_away(table, 1)
        settle_offer(table)
    assert "concealed 1s" in words(table, 3)
    go(table, "N concealed 1s")
    assert table.over
    assert [event.tag for event in table.events[-2:]] == ["concealed", "exhausted"]
    rules = play_rules(LINGQUE)
    none = replace(rules, table=replace(rules.table, kong_without_replacement=False))
    table = Table(LINGQUE, stacked(hands, last="5p"), rules=none)
    while table.board.left:
        throw_away(table, 1)
        settle_offer(table)
    assert words(table, 3) == set()


KONGS = ["147m247s258sWWN1p", "", "147m247s258sSSN5p", "1111s28m99pNCFP36m"]
"""The last of these holds a concealed kong."""


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_concealed_kong_needs_a_tile_to_replace_it(left: int, allowed: bool) -> None:
    rules = play_rules(LINGQUE)
    rules = replace(rules, table=replace(rules.table, kong_without_replacement=allowed))
    hands = [KONGS[(seat + left) % 4] for seat in range(4)]  # of 84 draws, North has the last one, West the one before
    table = until(Table(LINGQUE, stacked(hands), rules=rules), left)
    assert (table.turn, table.board.left) == (3 - left, left)
    assert ("concealed 1s" in words(table, table.turn)) == (left > 0 or allowed)
    if left:
        go(table, f"{'ESWN'[table.turn]} concealed 1s")
        assert (table.board.left, table.over) == (left - 1, False)


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("left", [0, 1])
def test_a_discard_is_claimed_for_a_kong_only_where_it_can_be_replaced(left: int, allowed: bool) -> None:
    rules = play_rules(LINGQUE)
    every = frozenset({"win", "chow", "pung", "kong"})
    rules = replace(rules, table=replace(rules.table, last_discard=every, kong_without_replacement=allowed))
    hands = ["555p28m99sNCPP36m", "147m147s258sWWN1p", "147m289p147sESSN", "258m289p369sESWC"]
    table = until(Table(LINGQUE, stacked(hands, last="5p" + "9m" * left), rules=rules), left)
    assert table.turn == 3 - left
    go(table, f"{'ESWN'[table.turn]} discard 5p drawn")
    assert words(table, 0) == {"pung 5p", "pass"} | ({"kong 5p"} if left or allowed else set())


def until(table: Table, left: int) -> Table:
    """Play on, everybody throwing away what is drawn, to where so many tiles are left."""
    while table.board.left > left:
        throw_away(table, 1)
        settle_offer(table)
    return table


def test_dealt_flowers_are_replaced_from_the_tail_dealer_first() -> None:
    hands = ["147m258p369sESW梅", "147m258p369sESW兰", "147m258p369sESWN", "147m258p369sES春竹"]
    table = Table(GUOBIAO, stacked(hands, "9m", tail="CFP秋8s", flowers=True))
    events = [(event.tag, event.seat) for event in table.events[5:14]]
    assert events == [
        ("flower", 0), ("replace", 0), ("flower", 1), ("replace", 1), ("flower", 3), ("replace", 3),
        ("flower", 3), ("replace", 3), ("flower", 3),
    ]  # fmt: skip
    assert [sorted(flowers) for flowers in table.board.flowers] == [[38], [39], [], [34, 36, 40]]
    assert all(max(hand) < 34 and len(hand) == 13 for hand in table.hands)
    assert table.board.left == 144 - 52 - 5 - 1


def test_a_drawn_flower_is_set_aside_at_once_or_may_be_discarded() -> None:
    wall = stacked(JUNK, "春", tail="C", flowers=True)
    table = Table(LINGQUE, wall)
    assert [event.tag for event in table.events[5:]] == ["draw", "flower", "replace"]
    assert NAMES[table.drawn] == "C"
    table = Table(GUOBIAO, wall)
    assert {(option.do, option.tile) for option in table.options(0)} == {("flower", 34), ("discard", 34)}
    other = table.copy()
    go(table, "E flower 春")
    assert NAMES[table.drawn] == "C"
    assert table.board.flowers[0] == (34,)
    go(other, "E discard 春 drawn")
    assert other.turn == 1
    assert other.board.rivers[0] == (34,)
    assert other.board.flowers[0] == ()


def test_a_last_tile_that_is_a_flower_ends_the_hand() -> None:
    table = Table(LINGQUE, stacked(JUNK, flowers=True, last="菊"))
    # the other seven are dealt or drawn and replaced first, so the end of the wall comes seven tiles nearer
    throw_away(table)
    assert [event.tag for event in table.events[-2:]] == ["flower", "exhausted"]


SEVEN = "春夏秋冬梅兰竹"


def test_the_eighth_flower_is_robbed_while_flowers_are_dealt() -> None:
    hands = ["147m258p369sESWN", "123m456p" + SEVEN, "147m258p369sESW菊", "147m258p369sESWN"]
    wall = stacked(hands, "9m", tail="CFPCFPC8s", flowers=True)
    table = Table(CANTON, wall)
    assert table.to_act == (1,)
    assert [event.tag for event in table.events[-1:]] == ["flower"]
    other = table.copy()
    go(table, "S win")
    assert table.ending is not None
    assert (table.ending.winners[0].seat, table.ending.discarder, table.ending.robbed) == (1, 2, True)
    go(other, "S pass")
    assert len(other.hands[2]) == 13
    assert max(other.hands[2]) < 34
    assert other.to_act == (1,)  # seven flowers win at once, before anybody draws
    drawn = other.copy()
    go(other, "S win")
    assert other.ending is not None
    assert other.ending.self_draw
    settle_offer(go(drawn, "S pass"))  # declares nothing either
    assert drawn.turn == 0
    assert drawn.drawn is not None


def test_a_barred_seat_does_not_rob_a_flower() -> None:
    hands = ["147m258p369sESWN", "123m456p" + SEVEN, "147m258p369sESWN", "147m258p369sESWN"]
    table = Table(CANTON, stacked(hands, "9mC菊", tail="CFPCFPF8s", flowers=True))
    assert table.to_act == (1,)
    other = table.copy()
    table.bar(1)
    settle_offer(table)
    throw_away(table, 3)
    settle_offer(table)
    assert any(event.tag == "flower" and event.seat == 2 for event in table.events)
    assert table.ending is None
    go(other, "S pass")
    settle_offer(other)
    throw_away(other, 2)
    while other.events[-1].tag != "flower":
        other.step(other.to_act[0], PASS)
    assert {option.do for option in other.options(1)} == {"win", "pass"}


def test_a_shielded_table_stops_after_discards_that_could_be_claimed_and_not_after_flowers() -> None:
    """Otherwise a pause would tell that a claim was possible; a flower that is not robbed is replaced at once."""
    hands = ["147m258p369sESWN", "123m456p" + SEVEN, "147m258p369sESWN", "55m1258p369sESWN"]
    table = Table(CANTON, stacked(hands, "5mC菊", tail="FPFPFP8s7s", flowers=True), shielded=True)
    settle_offer(table)
    assert not table.held and table.to_act == (0,)
    go(table, "E discard 5m drawn")
    assert table.to_act == (3,) and not table.held
    go(table, "N pass")
    assert table.held and table.to_act == ()
    table.go_on()
    assert not table.held and table.to_act == (1,)
    settle_offer(go(table, "S discard C drawn"))
    assert table.held and table.to_act == ()
    table.go_on()
    assert table.events[-1].tag == "flower" and table.to_act == (1,)
    go(table, "S pass")
    assert not table.held and table.to_act == (2,)
    assert [event.tag for event in table.events[-2:]] == ["flower", "replace"]
