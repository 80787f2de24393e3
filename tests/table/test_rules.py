"""What may be said when, under each book's rules: claims, kongs, robbing, the last tile, flowers, wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quepu.hands.hand import Luck, Meld, MeldKind
from quepu.rulebooks import book
from quepu.rules.play_rules import PlayRules, play_rules
from quepu.table import NotAllowed, Table, make_wall
from quepu.table.actions import PASS, Action, ActionError, read_action, timeout
from quepu.tiles import NAMES
from tests.table.walls import JUNK, go, read_step, settle_offer, stacked, throw_away, words

LINGQUE, YUQUE, GUOBIAO, CANTON = (book(name) for name in ("lingque-29", "yuque-54", "guobiao", "canton"))
# South waits for 5p (with 抢杠, 自摸 … well above 10)
WAITS_5P = "123789m123s46pEE"


# ---- the plain turn


def test_the_dealer_draws_first_and_may_discard_each_kind_once() -> None:
    table = Table(LINGQUE, stacked(["1122334455667m"], "7m"))
    assert table.to_act == (0,)
    assert table.drawn == 6
    discards = [option for option in table.options(0) if option.do == "discard"]
    assert [(option.tile, option.drawn) for option in discards] == [*((k, False) for k in range(7)), (6, True)]
    assert table.options(1) == ()


def test_discarding_from_the_hand_keeps_the_drawn_tile() -> None:
    table = go(Table(LINGQUE, stacked(JUNK, "F")), "E discard W")
    assert table.hands[0].count(32) == 1
    assert 29 not in table.hands[0]
    assert table.board.rivers[0] == (29,)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("S discard 1m", "轮到的是东"),
        ("E discard C", "可以"),
        ("E discard F", "可以"),  # drawn, so it is discarded as drawn
        ("E discard 1m drawn", "可以"),
        ("E pass", "可以"),
        ("E win", "可以"),
        ("E pung 1m", "可以"),
        ("E concealed 1m", "可以"),
        ("E flower 春", "可以"),
    ],
)
def test_anything_else_is_refused_with_a_sentence_and_changes_nothing(step: str, sentence: str) -> None:
    table = Table(LINGQUE, stacked(JUNK, "F"))
    before = (len(table.events), table.hands[0][:], table.drawn, table.to_act)
    with pytest.raises(NotAllowed, match=sentence) as refused:
        table.step(*read_step(step))
    assert refused.value.text.en
    assert (len(table.events), table.hands[0], table.drawn, table.to_act) == before


def test_nobody_is_to_act_when_it_is_over() -> None:
    table = throw_away(Table(LINGQUE, make_wall(4)))
    assert table.over
    assert table.to_act == ()
    with pytest.raises(NotAllowed, match="已结束"):
        table.step(0, PASS)
    assert all(table.options(seat) == () for seat in range(4))


# ---- claims


def test_only_the_next_may_chow_and_everybody_may_pung() -> None:
    hands = ["55m147p258sESWNCF", "46m11p258sESWNCFP", "3467m147p369sESW", "55m369p147s2356p"]
    table = go(Table(LINGQUE, stacked(hands, "9m")), "E discard 5m")
    assert words(table, 1) == {"chow 5m 4m", "pass"}
    assert table.options(2) == ()  # 46m and 67m, but not next
    assert words(table, 3) == {"pung 5m", "pass"}


def test_all_three_chows_are_offered() -> None:
    table = go(Table(LINGQUE, stacked(["5m147p258sESWNCFP", "3467m19p19sESWNC"], "9m")), "E discard 5m")
    assert words(table, 1) == {"chow 5m 3m", "chow 5m 4m", "chow 5m 5m", "pass"}


def test_no_chow_around_the_end_of_a_suit_or_of_honours() -> None:
    table = go(Table(LINGQUE, stacked(["9m147p258sESWNCF", "8m1223p279sSWWN"], "1s9s")), "E discard 9m")
    assert words(table, 1) == set()  # 8m 1p is no run: South simply draws
    assert table.drawn is not None
    table = go(Table(LINGQUE, stacked(["9mE47p258sSSWNCF", "8m1223p279sSWNC"], "1s9s")), "E discard E")
    assert words(table, 1) == set()
    assert table.drawn is not None


def test_pung_goes_before_chow_and_win_before_pung() -> None:
    hands = ["5p147m258sESWNCF", "46p19m19sSSWNCFP", "55p28m37s2899mWN", "123789m123s46pEE"]
    table = go(Table(LINGQUE, stacked(hands, "F")), "E discard 5p")
    assert table.to_act == (1, 2, 3)
    go(table, "S chow 5p 4p")
    assert table.to_act == (2, 3)  # his chow waits for them
    go(table, "W pung 5p")
    assert table.to_act == (3,)
    go(table, "N win")
    assert table.ending is not None
    assert (table.ending.winners[0].seat, table.ending.discarder) == (3, 0)


def test_a_claim_that_nobody_can_beat_stands_at_once() -> None:
    hands = ["5p147m258sESWNCF", "46p19m19sESWNCFP", "55p28m37s1199mWN"]
    table = go(Table(LINGQUE, stacked(hands, "9m")), "E discard 5p", "W pung 5p")
    assert table.to_act == (2,)  # South's chow is not waited for
    assert table.melds[2] == (Meld(MeldKind.PUNG, 13),)
    assert table.board.melds[2][0].source == 0


def test_head_bump_the_nearest_wins() -> None:
    # South and North both wait for 5p: 截和
    hands = ["5p147m258sESWNCF", "123789m123s46pEE", "28m1199sSSWWNNC", "456m456s77s789s46p"]
    table = go(Table(LINGQUE, stacked(hands, "9m")), "E discard 5p")
    assert table.to_act == (1, 3)
    go(table, "N win")
    assert table.to_act == (1,)
    go(table, "S win")
    assert table.ending is not None
    assert table.ending.winners[0].seat == 1


def test_a_hand_below_the_minimum_is_not_offered_the_win() -> None:
    # 门前清 alone is 4 points off a discard: 灵雀 needs 10, 玉雀 nothing
    hands = ["4m147p258sESWNCF", "23m567p345s789s99p"]
    steps = ("E discard W", "S discard F drawn", "W discard F drawn", "N discard F drawn", "E discard 4m")
    table = go(Table(LINGQUE, stacked(hands, "9mFFFC")), *steps)
    assert words(table, 1) == {"chow 4m 2m", "pass"}
    table = go(Table(YUQUE, stacked(hands, "9mFFFC")), *steps)
    assert "win 4m" in words(table, 1)
    win = next(option for option in table.options(1) if option.do == "win")
    assert win.score is not None
    assert win.score.can_win


# ---- kongs


def test_a_kong_may_follow_a_claim_only_where_the_book_says_so() -> None:
    hands = ["5m147p258sESWNCF", "46m1111s19pSSWWN"]
    for rules, kong in ((LINGQUE, True), (YUQUE, True), (GUOBIAO, False)):
        table = go(Table(rules, stacked(hands, "9m")), "E discard 5m", "S chow 5m 4m")
        assert ("concealed 1s" in words(table, 1)) is kong
        if kong:
            go(table, "S concealed 1s")
            assert table.events[-1].tag == "replace"
            assert table.drawn == table.wall.order()[-2]


def test_the_fourth_tile_may_be_added_right_after_the_pung() -> None:
    hands = ["5m147p258sESWNCF", "555m19p19sSSWWNN"]
    table = go(Table(LINGQUE, stacked(hands, "9m")), "E discard 5m", "S pung 5m", "S added 5m")
    assert table.melds[1] == (Meld(MeldKind.KONG, 4),)
    assert table.events[-1].tag == "replace"


def test_an_exposed_kong_takes_its_replacement_from_the_tail() -> None:
    hands = ["5m147p258sESWNCF", "19m19p19sSSWWNNP", "555m28p28sCCFFPE"]
    table = go(Table(LINGQUE, stacked(hands, "9m", tail="7s8s")), "E discard 5m", "W kong 5m")
    assert table.turn == 2
    assert NAMES[table.drawn] == "7s"
    assert table.board.left == 136 - 52 - 1 - 1


ROBBED = ["55p147m258sWNCFP", WAITS_5P, "5p369m369sSSWNNC", "1199m1199sSSWWN"]
TO_THE_ADDED_KONG = (
    "E discard W", "S discard 8p drawn", "W discard 5p", "E pung 5p", "E discard C",
    "S discard 9p drawn", "W discard F drawn", "N discard F drawn", "E added 5p",
)  # fmt: skip


def robbing(rules: PlayRules | None = None, name: str = "lingque-29") -> Table:
    wall = stacked(ROBBED, "2m8pC9pFF5p")
    return go(Table(book(name), wall, rules=rules), *TO_THE_ADDED_KONG)


def test_robbing_an_added_kong() -> None:
    table = robbing()
    assert table.to_act == (1,)
    win = table.options(1)[0]
    assert win.score is not None
    assert "抢杠" in [fan.name for fan in win.score.fans]
    go(table, "S win")
    ending = table.ending
    assert ending is not None
    assert (ending.winners[0].seat, ending.discarder, ending.robbed, ending.self_draw) == (1, 0, True, False)
    assert ending.winners[0].supplied == (1, 0, 0, 0)
    # 被抢之杠不视作杠: the konger is left with his pung
    assert table.melds[0] == (Meld(MeldKind.PUNG, 13),)
    assert sum(table.tiles()) == 136


def test_a_kong_that_is_not_robbed_goes_on() -> None:
    table = settle_offer(robbing())
    assert table.turn == 0
    assert table.events[-1].tag == "replace"
    assert table.melds[0] == (Meld(MeldKind.KONG, 13),)


def test_a_concealed_kong_is_not_robbed_but_by_thirteen_orphans_where_the_book_says_so() -> None:
    from quepu.hands.planes import ORPHANS

    hands = ["1111m258p258s47m5s", "9m19p19sESWNCFPP"]
    rules = play_rules(LINGQUE)
    table = go(Table(LINGQUE, stacked(hands, "9m")), "E concealed 1m")
    assert table.events[-1].tag == "replace"
    robbed = replace(rules, table=replace(rules.table, concealed_kong_robbed_by=ORPHANS))
    table = go(Table(LINGQUE, stacked(hands, "9m"), rules=robbed), "E concealed 1m")
    assert table.to_act == (1,)
    go(table, "S win")
    assert table.ending is not None
    assert table.ending.robbed
    assert table.ending.winners[0].luck & Luck.ROBBED_KONG
    assert table.hands[0].count(0) == 3
    assert sum(table.tiles()) == 136
    # another shape may not rob it
    hands = ["1111m258p258s47mF", "23m456789pSSS99s"]
    table = go(Table(LINGQUE, stacked(hands, "9m"), rules=robbed), "E concealed 1m")
    assert table.events[-1].tag == "replace"


# ---- people and machines


def test_a_barred_seat_neither_claims_nor_wins() -> None:
    table = robbing()
    table.bar(1)
    assert table.events[-1].tag == "replace"  # what he was asked is withdrawn
    table = Table(YUQUE, stacked(["5p147m258sESWNCF", "123789m123s46pEE", "5577p28m37s199mN"], "9m5p"))
    table.bar(1)
    go(table, "E discard 5p")
    assert table.options(1) == () or table.turn == 1
    settle_offer(table)
    assert table.turn == 1
    assert {option.do for option in table.options(1)} == {"discard"}  # he drew 5p, his wait
    table.bar(1, False)
    assert any(option.do == "win" for option in table.options(1))
    assert [event.tag for event in table.events if event.tag in ("barred", "freed")] == ["barred", "freed"]


def test_a_claim_that_waits_for_others_is_void_when_its_seat_is_barred() -> None:
    hands = ["5p147m258sESWNCF", "123789m123s46pNN", "456789m456s46pWW", "1188m1199p19sCFP"]
    table = go(Table(YUQUE, stacked(hands, "9m")), "E discard 5p", "W win")
    assert table.to_act == (1,)
    table.bar(2)
    go(table, "S pass")
    assert table.ending is None
    assert table.turn == 1


def test_silence_is_a_pass_or_the_drawn_tile() -> None:
    table = Table(LINGQUE, stacked(["55m147p258sESWNCF"[:17], "46m11p258sESWNCF"], "9m"))
    assert timeout(table.options(0)) == Action("discard", 8, drawn=True)
    go(table, "E discard 5m")
    assert timeout(table.options(1)) == PASS
    go(table, "S chow 5m 4m")
    assert timeout(table.options(1)).do == "discard"


def test_a_copy_goes_its_own_way() -> None:
    table = Table(LINGQUE, make_wall(6))
    other = table.copy()
    throw_away(other)
    assert other.over
    assert len(table.events) == 6
    throw_away(table)
    assert table.events == other.events


@pytest.mark.parametrize(
    "data", [None, {}, {"do": "fly"}, {"do": "discard", "tile": "0m"}, {"do": "chow", "tile": "1m", "low": 3}, [1]]
)
def test_what_is_no_action_is_refused(data: object) -> None:
    with pytest.raises(ActionError):
        read_action(data)


def test_actions_go_through_json() -> None:
    table = Table(LINGQUE, stacked(["1122334455667m"], "7m"))
    for option in table.options(0):
        assert read_action(option._replace(score=None).to_json())[:5] == option[:5]
        assert option.text().zh
        assert option.text().en
