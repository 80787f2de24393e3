"""Every line of a stream like mjai's (`mjai_export.to_mjai`), written out for hands that are laid on purpose."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from quepu.errors import Text
from quepu.match import LogWriter, Match, Replay, read_log
from quepu.match.log_lines import Step
from quepu.match.mjai_export import StreamError, to_mjai
from quepu.match.seats import ORIGIN
from quepu.rulebooks import book
from quepu.rules.play_rules import POOL, Payment
from quepu.table import Table
from quepu.table.events import (
    Dealt,
    Discarded,
    Drawn,
    Exhausted,
    FlowerSetAside,
    KongConcealed,
    ReplacementDrawn,
    Won,
)
from tests.table.walls import JUNK, go, stacked

NAMES = ("a", "b", "c", "d")
CLAIMS = (
    stacked(["4m258p369s222s789m", "35m11p478s369pCFP", "99p258m258s147pSE", "EEE1111s46m46p88s"], "9mN5p9p", "5s7s2p"),
    ["E discard 4m", "S chow 4m 3m", "S discard 9p", "W pung 9p", "W discard E"],
)
"""East's 4m is chowed by South, whose 9p is punged by West, whose east is konged by North, who has another kong."""


def played(*hands: Table, first: dict[str, Any] | None = None, rules: str = "guobiao-mcr") -> Replay:
    """The log of these hands, the last of which may not be over."""
    match = Match(book(rules), NAMES, 4, first=ORIGIN._replace(**first or {}))
    lines: list[str] = []
    log = LogWriter(match, lines.append)
    for number, table in enumerate(hands, 1):
        log.hand(number, match.place, table)
        if table.ending is not None:
            match = match.add_hand(table.ending)
            log.result(match.hands[-1].settlement, match.totals, table.ending)
    return read_log(lines, unfinished=True)


def read(replay: Replay, player: int | None = None, *, flowers: bool = True) -> list[dict[str, Any]]:
    return [json.loads(line) for line in to_mjai(replay, player, flowers=flowers)]


def of(lines: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] in kinds]


def tiles(text: str) -> list[str]:
    """123mEE as names: 1m 2m 3m E E."""
    found: list[str] = []
    digits = ""
    for letter in text:
        if letter.isdigit():
            digits += letter
        elif letter in "mps":
            found += [digit + letter for digit in digits]
            digits = ""
        else:
            found.append(letter)
    return found


def claimed() -> Replay:
    """In the south round, player 1 deals; West adds a fourth 9p in the end."""
    wall, steps = CLAIMS
    table = go(Table(book("guobiao-mcr"), wall, round=1), *steps, "N kong E", "N concealed 1s", "N discard 4m",
               "E discard N drawn", "S discard 5p drawn", "W added 9p", "W discard S")  # fmt: skip
    return played(table, first={"round": 2, "dealership": 1})


DEALT = [tiles(hand) for hand in ("4m258p369s222s789m", "35m11p478s369pCFP", "99p258m258s147pSE", "EEE1111s46m46p88s")]


def test_every_line_of_a_hand() -> None:
    start, deal, *lines = read(claimed())
    assert start == {"type": "start_game", "names": list(NAMES), "rulebook": "guobiao-mcr"}
    assert deal == {
        "type": "start_kyoku", "bakaze": "S", "kyoku": 2, "honba": 0, "kyotaku": 0, "oya": 1, "scores": [0, 0, 0, 0],
        "dora_marker": "N", "tehais": [DEALT[3], *DEALT[:3]],
    }  # fmt: skip
    assert lines == [
        {"type": "tsumo", "actor": 1, "pai": "9m"},
        {"type": "dahai", "actor": 1, "pai": "4m", "tsumogiri": False},
        {"type": "chi", "actor": 2, "pai": "4m", "target": 1, "consumed": ["3m", "5m"]},
        {"type": "dahai", "actor": 2, "pai": "9p", "tsumogiri": False},
        {"type": "pon", "actor": 3, "pai": "9p", "target": 2, "consumed": ["9p", "9p"]},
        {"type": "dahai", "actor": 3, "pai": "E", "tsumogiri": False},
        {"type": "daiminkan", "actor": 0, "pai": "E", "target": 3, "consumed": ["E", "E", "E"]},
        {"type": "tsumo", "actor": 0, "pai": "5s"},
        {"type": "ankan", "actor": 0, "consumed": ["1s", "1s", "1s", "1s"]},
        {"type": "tsumo", "actor": 0, "pai": "7s"},
        {"type": "dahai", "actor": 0, "pai": "4m", "tsumogiri": False},
        {"type": "tsumo", "actor": 1, "pai": "N"},
        {"type": "dahai", "actor": 1, "pai": "N", "tsumogiri": True},
        {"type": "tsumo", "actor": 2, "pai": "5p"},
        {"type": "dahai", "actor": 2, "pai": "5p", "tsumogiri": True},
        {"type": "tsumo", "actor": 3, "pai": "9p"},
        {"type": "kakan", "actor": 3, "pai": "9p", "consumed": ["9p", "9p", "9p"]},
        {"type": "tsumo", "actor": 3, "pai": "2p"},
        {"type": "dahai", "actor": 3, "pai": "S", "tsumogiri": False},
        {"type": "tsumo", "actor": 0, "pai": lines[-3]["pai"]},
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ]


def test_names_are_written_as_they_are() -> None:
    replay = claimed()
    named = replace(replay, match=replace(replay.match, names=("甲", "乙", "丙", "丁")))
    assert to_mjai(named)[0] == '{"type": "start_game", "names": ["甲", "乙", "丙", "丁"], "rulebook": "guobiao-mcr"}'


def test_the_lines_that_a_player_sees() -> None:
    """The others' tiles are hidden until they are on the table; a concealed kong where the book turns it down."""
    replay = claimed()
    whole = read(replay)
    for player in range(4):
        seen = read(replay, player)
        assert len(seen) == len(whole)
        for line, full in zip(seen, whole, strict=True):
            shown = dict(full)
            if line["type"] == "start_kyoku":
                shown["tehais"] = [full["tehais"][at] if at == player else ["?"] * 13 for at in range(4)]
            elif line["type"] == "tsumo" and full["actor"] != player:
                shown["pai"] = "?"
            elif line["type"] == "ankan" and full["actor"] != player:
                shown["consumed"] = ["?"] * 4
            assert line == shown
    wall, steps = CLAIMS
    open_kong = played(go(Table(book("guobiao"), wall), *steps, "N kong E", "N concealed 1s"), rules="guobiao")
    for player in (None, 0, 1, 2, 3):
        assert of(read(open_kong, player), "ankan") == [{"type": "ankan", "actor": 3, "consumed": ["1s"] * 4}]
    for wrong in (4, -1, "0"):
        with pytest.raises(StreamError) as refused:
            to_mjai(replay, wrong)  # type: ignore[arg-type]
        assert refused.value.text == (f"玩家是 0 到 3，没有“{wrong}”。", f"players are 0 to 3, not {wrong!r}.")


def won() -> Table:
    """Thirteen orphans on West's white dragon: 88 fan."""
    wall = stacked(["19m19p19sESWNCFE", "123m456p789sEE77p", "2468m2468p2468sW"], "9m8mP")
    return go(
        Table(book("guobiao-mcr"), wall), "E discard 9m drawn", "S discard 8m drawn", "W discard P drawn", "E win"
    )


def test_the_end_of_a_hand_and_the_scores_before_the_next() -> None:
    """The winner gets 88 fan from the discarder, and 8 from each: 112, -8, -96, -8."""
    replay = played(won(), Table(book("guobiao-mcr"), CLAIMS[0]))
    lines = read(replay)
    assert of(lines, "hora") == [{"type": "hora", "actor": 0, "target": 2, "deltas": [112, -8, -96, -8]}]
    deals = of(lines, "start_kyoku")
    assert [(deal["kyoku"], deal["oya"], deal["scores"]) for deal in deals] == [
        (1, 0, [0, 0, 0, 0]), (2, 1, [112, -8, -96, -8])
    ]  # fmt: skip
    assert [line["type"] for line in lines[-5:]] == ["end_kyoku", "start_kyoku", "tsumo", "end_kyoku", "end_game"]
    (hand, _) = replay.hands
    assert replay.hands[1].place.seats == (1, 2, 3, 0)
    moved = replace(hand, place=replay.hands[1].place)  # the same with player 1 as the dealer
    assert of(read(replace(replay, hands=[moved])), "hora") == [
        {"type": "hora", "actor": 1, "target": 3, "deltas": [-8, 112, -8, -96]}
    ]


def test_ends_of_other_books() -> None:
    replay = played(won())
    (hand,) = replay.hands

    def ends(**changes: Any) -> list[dict[str, Any]]:
        return of(read(replace(replay, hands=[replace(hand, **changes)])), "hora", "ryukyoku")

    before = [step for step in hand.steps if not isinstance(step.event, Won)]
    others = [Step(0, Won(seat, 33, 2), seat) for seat in (1, 3)]
    each = [line["deltas"] for line in ends(steps=[*hand.steps, *others])]
    assert each == [[112, -8, -96, -8], [0, 0, 0, 0], [0, 0, 0, 0]]  # the first has what all of them are paid
    own = ends(steps=[*before, Step(0, Won(0, 33), 0)], payments=())
    assert own == [{"type": "hora", "actor": 0, "target": 0, "deltas": [0, 0, 0, 0]}]
    flowers = ends(steps=[*before, Step(0, Won(1), 1)])  # won by flowers alone: by no tile
    assert [(line["actor"], line["target"]) for line in flowers] == [(1, 1)]
    pool = (Payment(1, POOL, 5, Text("", "")), Payment(POOL, 3, 2, Text("", "")))
    drawn = ends(steps=before, payments=pool)
    assert drawn == [{"type": "ryukyoku", "deltas": [0, -5, 0, 2]}]


# ---- flowers


def flowered_table() -> Table:
    """A hand in which a spring is dealt to East and replaced by a summer, and South draws the last flower, 菊."""
    wall = stacked(["147m258p369sEW春S", *JUNK[1:3]], "C菊", "夏F9p", flowers=True)
    return go(Table(book("guobiao-mcr"), wall), "E discard C drawn", "S flower 菊", "S discard 9p drawn")


def flowered(until: int | None = None) -> Replay:
    """The log of that hand, or of its first steps."""
    replay = played(flowered_table())
    (hand,) = replay.hands
    return replace(replay, hands=[replace(hand, steps=hand.steps[:until])])


def test_flowers_have_lines_of_their_own_or_are_left_out() -> None:
    dealt = [*tiles("147m258p369sEW"), "f1", "S"]
    start, deal, *lines = read(flowered())
    assert deal["tehais"][0] == dealt
    assert lines[:9] == [
        {"type": "flower", "actor": 0, "pai": "f1"},
        {"type": "tsumo", "actor": 0, "pai": "f2"},
        {"type": "flower", "actor": 0, "pai": "f2"},
        {"type": "tsumo", "actor": 0, "pai": "F"},
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": True},
        {"type": "tsumo", "actor": 1, "pai": "f8"},
        {"type": "flower", "actor": 1, "pai": "f8"},
        {"type": "tsumo", "actor": 1, "pai": "9p"},
    ]
    assert read(flowered(), flowers=False) == [
        start, {**deal, "tehais": [[*tiles("147m258p369sEWSF")], *deal["tehais"][1:]]},
        *lines[4:6], *lines[8:],
    ]  # fmt: skip
    (hidden,) = of(read(flowered(), 2, flowers=False), "start_kyoku")
    assert hidden["tehais"] == [["?"] * 13, ["?"] * 13, deal["tehais"][2], ["?"] * 13]


def test_a_hand_that_ended_in_its_deal_has_no_stream_without_flowers() -> None:
    """After the dice and four deals, five to eight steps replace the spring and the summer."""
    for until in (5, 6, 7, 8):
        assert len(read(flowered(until))) == 4 + until - 5
    for until in (5, 7):  # a spring, then a summer
        with pytest.raises(StreamError) as refused:
            read(flowered(until), flowers=False)
        assert "第 1 局配牌里的花没补就完了" in refused.value.text.zh
        assert refused.value.text.en.startswith("hand 1 ended before dealt flowers were replaced")
    (start, deal, over, _) = read(flowered(9), flowers=False)
    assert (start["type"], over["type"]) == ("start_game", "end_kyoku") and deal["tehais"][0][-1] == "F"


def test_a_hand_in_which_a_flower_was_held_has_no_stream_without_flowers() -> None:
    """It is held if the next event neither sets it aside nor throws it away."""
    replay = flowered()
    (hand,) = replay.hands
    deal = [step for step in hand.steps if isinstance(step.event, Dealt)]
    aside = [ReplacementDrawn(2, 36), ReplacementDrawn(2, 4), FlowerSetAside(2, 36)]  # of the deal: not held
    for events, held in (
        ((Drawn(0, 34), FlowerSetAside(0, 34)), False),
        ((Drawn(0, 41), Discarded(0, 41)), False),
        ((Drawn(0, 34), Exhausted()), False),
        ((Drawn(0, 34),), False),
        ((Drawn(0, 33), Discarded(0, 2)), False),
        ((Drawn(0, 34), Discarded(0, 2)), True),
        ((Drawn(0, 34), FlowerSetAside(0, 35)), True),
        ((Drawn(0, 3), ReplacementDrawn(0, 41), Won(0, 41)), True),
        ((Drawn(0, 3), ReplacementDrawn(0, 41), FlowerSetAside(0, 41), Drawn(0, 35), KongConcealed(0, 3)), True),
    ):
        steps = [*deal[1:], *(Step(0, event) for event in (Dealt(0, tuple(range(13))), *aside, *events))]
        changed = replace(replay, hands=[replace(hand, steps=steps, ending=None)])
        assert len(read(changed)) > 4
        if held:
            with pytest.raises(StreamError) as refused:
                read(changed, flowers=False)
            assert refused.value.text.zh == "第 1 局有花牌留在手里，不能略去花牌。"
            assert refused.value.text.en == "a flower was held in hand 1: it has no stream without flowers."
        else:
            assert not of(read(changed, flowers=False), "flower")


def test_seats_that_moved_have_no_stream() -> None:
    replay = played(won())
    (hand,) = replay.hands
    for start in ((0, 2, 1, 3), (0, 1, 3, 2), (3, 2, 1, 0)):
        moved = replace(hand, number=5, place=hand.place._replace(start=start))
        with pytest.raises(StreamError) as refused:
            read(replace(replay, hands=[moved]))
        assert refused.value.text.zh.startswith("第 5 局换了座位") and "by hand 5;" in refused.value.text.en
    turned = replace(hand, place=hand.place._replace(start=(2, 3, 0, 1)))
    assert of(read(replace(replay, hands=[turned])), "hora")[0]["actor"] == 2
