"""Actions: their words, their data, which option one means, and the sentence that refuses one."""

from __future__ import annotations

from typing import Any

import pytest

from quepu.errors import Text
from quepu.hands.hand import Meld, MeldKind
from quepu.hands.notation import parse
from quepu.rulebooks import book
from quepu.rules.play_rules import USUAL_WORDS, Words
from quepu.scoring.score import score_hand
from quepu.table.actions import (
    AS_DRAWN,
    AS_DRAWN_READY,
    CHOWS,
    FLOWER,
    FROM_HAND,
    FROM_HAND_READY,
    KONG,
    PASS,
    PUNG,
    READY,
    WIN,
    Action,
    ActionError,
    ActionKind,
    find_option,
    read_action,
    refusal,
    tile_text,
    timeout,
)

CHOW = Action("chow", 4, 3)  # 5m is claimed for 456m
ACTIONS: list[tuple[Action, dict[str, Any], str, str]] = [
    (FROM_HAND[4], {"do": "discard", "tile": "5m"}, "打五万", "discard 5m"),
    (AS_DRAWN[0], {"do": "discard", "tile": "1m", "drawn": True}, "打一万（摸切）", "discard 1m (as drawn)"),
    (FROM_HAND_READY[27], {"do": "discard", "tile": "E", "ready": True}, "打东，报听", "discard E, ready"),
    (AS_DRAWN_READY[33], {"do": "discard", "tile": "P", "drawn": True, "ready": True}, "打白（摸切），报听",
     "discard P (as drawn), ready"),
    (CHOW, {"do": "chow", "tile": "5m", "low": "4m"}, "吃四万五万六万", "chow 4m5m6m"),
    (Action("chow", 2, 0), {"do": "chow", "tile": "3m", "low": "1m"}, "吃一万二万三万", "chow 1m2m3m"),
    (PUNG[13], {"do": "pung", "tile": "5p"}, "碰五筒", "pung 5p"),
    (KONG[26], {"do": "kong", "tile": "9s"}, "杠九索", "kong 9s"),
    (Action("added", 18), {"do": "added", "tile": "1s"}, "加杠一索", "add to the pung 1s"),
    (Action("concealed", 32), {"do": "concealed", "tile": "F"}, "暗杠发", "concealed kong F"),
    (FLOWER[34], {"do": "flower", "tile": "春"}, "补花春", "replace spring"),
    (FLOWER[41], {"do": "flower", "tile": "菊"}, "补花菊", "replace chrysanthemum"),
    (READY, {"do": "ready"}, "报听", "ready"),
    (WIN, {"do": "win"}, "和", "win"),
    (Action("win", 0), {"do": "win", "tile": "1m"}, "和一万", "win 1m"),
    (PASS, {"do": "pass"}, "过", "pass"),
]  # fmt: skip


@pytest.mark.parametrize(("action", "data", "zh", "en"), ACTIONS)
def test_an_action_has_one_form_in_data_and_one_in_words(
    action: Action, data: dict[str, Any], zh: str, en: str
) -> None:
    assert action.to_json() == data
    assert read_action(data) == action
    assert action.text() == Text(zh, en)


def test_every_kind_of_action_is_among_them() -> None:
    assert {action.do for action, *_ in ACTIONS} == set(ActionKind)


def test_a_win_shows_its_score_and_uses_the_books_own_word() -> None:
    rules = book("guobiao")
    score = score_hand(parse("123456789m123p9s+9s"), rules)
    win = Action("win", 26, score=score)
    assert win.to_json() == {"do": "win", "tile": "9s", "score": score.to_json()}
    canton = Words(won=Text("食糊", "wins"))
    assert win.text(canton) == Text("食糊九索", "win 9s")
    assert PUNG[4].text(canton) == PUNG[4].text()


def test_which_meld_a_claim_makes() -> None:
    assert CHOW.meld == Meld(MeldKind.CHOW, 3)
    assert Action("chow", 0, 0).meld == Meld(MeldKind.CHOW, 0)
    assert PUNG[4].meld == Meld(MeldKind.PUNG, 4)
    assert KONG[0].meld == Meld(MeldKind.KONG, 0)
    assert list(CHOW.run) == [3, 4, 5] and list(PUNG[4].run) == []
    assert FROM_HAND[0].tile_kind == 0
    with pytest.raises(ValueError, match="pass"):
        _ = PASS.tile_kind


def test_a_chow_stays_within_its_suit() -> None:
    """Of each suit 1 and 9 are in one chow, 2 and 8 in two, the rest in three; honours and flowers in none."""
    for tile, found in enumerate(CHOWS):
        rank = tile % 9
        assert len(found) == (min(rank, 8 - rank, 2) + 1 if tile < 27 else 0)
        for a, b, chow in found:
            assert sorted((a, b, tile)) == list(chow.run)
            assert len({kind // 9 for kind in chow.run}) == 1
            assert chow.tile == tile


@pytest.mark.parametrize(("kind", "zh", "en"), [(0, "一万", "1m"), (33, "白", "P"), (34, "春", "spring"),
                                                (35, "夏", "summer"), (41, "菊", "chrysanthemum")])  # fmt: skip
def test_tiles_and_flowers_are_named(kind: int, zh: str, en: str) -> None:
    assert tile_text(kind) == Text(zh, en)


# ---- options


def test_an_action_means_the_option_that_says_the_same() -> None:
    win = Action("win", 4, score=score_hand(parse("123456789m123p9s+9s"), book("guobiao")))
    options = (win, FROM_HAND[3], AS_DRAWN[4], FROM_HAND_READY[4], CHOW, PASS)
    for option in options:
        assert find_option(options, option) is option
        assert find_option(options, Action(*option[:5])) is option
    assert find_option(options, WIN) is win  # a win needs no tile
    for other in (Action("win", 3), FROM_HAND[4], AS_DRAWN[3], AS_DRAWN_READY[4], Action("chow", 4, 4), PUNG[4], READY):
        assert find_option(options, other) is None
    assert find_option(options[1:], WIN) is None
    assert find_option((), PASS) is None


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ((Action("win", 4), PUNG[4], CHOW, PASS), PASS),
        ((FROM_HAND[1], FROM_HAND[2], AS_DRAWN[8], AS_DRAWN_READY[8], FROM_HAND_READY[1]), AS_DRAWN[8]),
        ((FROM_HAND[1], FROM_HAND[2], Action("concealed", 1)), FROM_HAND[2]),  # after a chow or pung
        ((Action("win", 4), FROM_HAND_READY[1], FROM_HAND_READY[2]), FROM_HAND_READY[2]),
    ],
)
def test_a_silent_seat_passes_or_discards_its_last_tile(options: tuple[Action, ...], taken: Action) -> None:
    assert timeout(options) is taken


@pytest.mark.parametrize(
    ("seat", "to_act", "zh", "en"),
    [
        (0, (1,), "东家现在不能“碰五万”：轮到的是南。", "E cannot choose “pung 5m” now: it is S's turn."),
        (3, (0, 2), "北家现在不能“碰五万”：轮到的是东、西。", "N cannot choose “pung 5m” now: it is E, W's turn."),
        (2, (), "西家现在不能“碰五万”：这一局已结束。", "W cannot choose “pung 5m” now: the hand is over."),
        (1, (1,), "南家现在不能“碰五万”，可以：打一万、过。",
         "S cannot choose “pung 5m” now; options: discard 1m, pass."),
        (4, (1,), "4家现在不能“碰五万”：轮到的是南。", "4 cannot choose “pung 5m” now: it is S's turn."),
        (-1, (1,), "-1家现在不能“碰五万”：轮到的是南。", "-1 cannot choose “pung 5m” now: it is S's turn."),
    ],
)  # fmt: skip
def test_a_refusal_says_whose_turn_it_is_or_what_may_be_done(
    seat: int, to_act: tuple[int, ...], zh: str, en: str
) -> None:
    assert refusal(seat, PUNG[4], to_act, (FROM_HAND[0], PASS), USUAL_WORDS) == Text(zh, en)


# ---- data


def test_only_true_is_true() -> None:
    assert read_action({"do": "discard", "tile": "1m", "drawn": 1, "ready": "yes"}) == FROM_HAND[0]


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"do": "discard", "tile": "0m"}, "tile"),
        ({"do": "discard", "tile": 4}, "tile"),
        ({"do": "chow", "tile": "1m", "low": "x"}, "low"),
        ({"do": "chow", "tile": "1m", "low": ["1m"]}, "low"),
    ],
)
def test_a_wrong_tile_is_named_with_its_place(data: dict[str, Any], key: str) -> None:
    with pytest.raises(ActionError) as refused:
        read_action(data)
    wrong = data[key]
    assert refused.value.text == Text(
        f"动作的 {key} 不是牌：{wrong!r}。", f"the {key} of an action is not a tile: {wrong!r}."
    )


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    for refuse in (lambda: Action("fly"), lambda: read_action({"do": "fly"}), lambda: read_action("pass")):
        with pytest.raises(ActionError) as refused:
            refuse()
        known = "discard, chow, pung, kong, added, concealed, flower, ready, win, pass"
        assert refused.value.text == Text(f"动作的 do 应是：{known}。", f"an action's do is one of: {known}.")
