"""Events: their words, the action that made each, the tiles a claim takes out of the hand, and their data."""

from __future__ import annotations

import pytest

from quepu.errors import Text
from quepu.hands.hand import Meld, MeldKind
from quepu.rules.play_rules import Words
from quepu.table.actions import Action
from quepu.table.event_fields import KEYS
from quepu.table.event_json import EventError, read_event
from quepu.table.events import (
    DISCARD,
    DISCARD_DRAWN,
    DRAW,
    REPLACE,
    BarLifted,
    Barred,
    ChowClaimed,
    Claimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    KongFaceDown,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)

SAID: list[tuple[Event, str, str, Action | None]] = [
    (DiceThrown((2, 4, 1, 5)), "骰子 2、4、1、5", "dice 2 4 1 5", None),
    (Dealt(0, (0, 9, 34)), "东家配牌：一万 一筒 春", "East is dealt 1m 1p spring", None),
    (Drawn(1, 13), "南家摸五筒", "South draws 5p", None),
    (ReplacementDrawn(2, 33), "西家补白", "West replaces with P", None),
    (FlowerSetAside(3, 41), "北家补花：菊", "North sets aside chrysanthemum", Action("flower", 41)),
    (Discarded(0, 4), "东家打五万", "East discards 5m", Action("discard", 4)),
    (Discarded(3, 4, True), "北家打五万（摸切）", "North discards 5m (as drawn)", Action("discard", 4, drawn=True)),
    (Discarded(1, 4, False, True), "南家打五万，报听", "South discards 5m, ready", Action("discard", 4, ready=True)),
    (Discarded(1, 4, True, True), "南家打五万（摸切），报听", "South discards 5m (as drawn), ready",
     Action("discard", 4, drawn=True, ready=True)),
    (ReadyDeclared(1), "南家报听", "South declares ready", None),
    (ChowClaimed(1, 4, 0, 3), "南家吃五万（四万五万六万）（东家给）", "South chows 5m (4m5m6m) (from East)", None),
    (PungClaimed(1, 4, 0), "南家碰五万（东家给）", "South pungs 5m (from East)", None),
    (KongClaimed(1, 4, 3), "南家杠五万（北家给）", "South kongs 5m (from North)", None),
    (KongAdded(1, 4), "南家加杠五万", "South adds to the pung of 5m", Action("added", 4)),
    (KongConcealed(1, 4), "南家暗杠五万", "South makes a concealed kong of 5m", Action("concealed", 4)),
    (KongFaceDown(1), "南家暗杠", "South makes a concealed kong", None),
    (Won(1, 4, 0), "南家和五万（东家给）", "South wins with 5m (from East)", Action("win", 4)),
    (Won(1, 0), "南家和一万", "South wins with 1m", Action("win", 0)),
    (Won(1, None, 0), "南家和（东家给）", "South wins (from East)", Action("win")),
    (Exhausted(), "流局", "the hand ends without a winner", None),
    (HandShown(2, (0, 27)), "西家亮牌：一万 东", "West shows 1m E", None),
    (Barred(3), "北家停和陪打", "North has a dead hand", None),
    (BarLifted(3), "北家不再停和陪打", "North no longer has a dead hand", None),
]  # fmt: skip


@pytest.mark.parametrize(("event", "zh", "en", "action"), SAID)
def test_an_event_is_said_and_knows_its_action(event: Event, zh: str, en: str, action: Action | None) -> None:
    assert event.text() == Text(zh, en)
    assert event.action() == action


def test_a_win_and_a_drawn_hand_are_said_in_the_books_own_words() -> None:
    words = Words(won=Text("食糊", "wins"), drawn=Text("荒牌", "no winner"))
    assert Won(1, 4).text(words).zh == "南家食糊五万"
    assert Exhausted().text(words) == Text("荒牌", "the hand ends without a winner")
    assert PungClaimed(1, 4, 0).text(words) == PungClaimed(1, 4, 0).text()


@pytest.mark.parametrize(
    ("event", "meld", "own"),
    [
        (ChowClaimed(1, 3, 0, 3), Meld(MeldKind.CHOW, 3), (4, 5)),
        (ChowClaimed(1, 4, 0, 3), Meld(MeldKind.CHOW, 3), (3, 5)),
        (ChowClaimed(1, 5, 0, 3), Meld(MeldKind.CHOW, 3), (3, 4)),
        (PungClaimed(1, 4, 0), Meld(MeldKind.PUNG, 4), (4, 4)),
        (KongClaimed(1, 33, 0), Meld(MeldKind.KONG, 33), (33, 33, 33)),
    ],
)
def test_which_tiles_of_a_meld_come_out_of_the_hand(event: Claimed, meld: Meld, own: tuple[int, ...]) -> None:
    assert event.meld == meld
    assert event.own == own
    assert sorted((event.tile, *own)) == sorted(meld.tiles)


def test_interned_events_say_seat_and_tile() -> None:
    for made, kind in ((DRAW, Drawn), (REPLACE, ReplacementDrawn), (DISCARD, Discarded)):
        assert made[3][41] == kind(3, 41) and made[0][0] == kind(0, 0)
    assert DISCARD_DRAWN[2][5] == Discarded(2, 5, as_drawn=True)


@pytest.mark.parametrize(
    "data",
    [
        {"e": "draw", "seat": "ES", "tile": "1m"},
        {"e": "draw", "seat": 0, "tile": "1m"},
        {"e": "draw", "seat": "E", "tile": 4},
        {"e": "show", "seat": "E", "tiles": "1mX"},
        {"e": "show", "seat": "E", "tiles": "m1"},
        *({"e": "exhausted", key: True} for key in KEYS),
    ],
)
def test_data_of_another_form_is_not_an_event(data: object) -> None:
    with pytest.raises(EventError) as refused:
        read_event(data)
    assert refused.value.text == Text("不是事件。", "this is not an event.")


def test_only_true_means_as_drawn_or_ready() -> None:
    assert read_event({"e": "discard", "seat": "E", "tile": "5m", "drawn": 1, "ready": "true"}) == Discarded(0, 4)


def test_hands_of_every_kind_of_tile_are_read_back() -> None:
    whole = HandShown(0, tuple(range(42)))
    assert read_event(whole.to_json()) == whole
    assert read_event({"e": "show", "seat": "N", "tiles": ""}) == HandShown(3, ())
