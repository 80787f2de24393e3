"""Streams in the manner of mjai: every tile, both sides of each limit, and what is read of each field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from quepu.errors import Error
from quepu.match import mjai
from quepu.tiles import NAMES as KINDS
from tests.match.foreign_writers import mjai as stream_of
from tests.match.test_foreign import HANDS, NAMES

STREAM = [json.loads(line) for line in stream_of(HANDS[:1], NAMES)]
for _hand in STREAM[1]["tehais"]:  # a deal without flowers
    _hand[:] = [name if name in KINDS[:34] else "1m" for name in _hand]


def test_every_tile_of_mjai() -> None:
    for kind, name in enumerate(KINDS[:34]):
        assert mjai.tile_of(name, 1) == kind
    assert (
        [mjai.tile_of(f"f{i}", 1) for i in range(1, 9)]
        == [*range(34, 42)]
        == [mjai.tile_of(x, 1) for x in "春夏秋冬梅兰竹菊"]
    )
    for five, kind in (("0m", 4), ("5mr", 4), ("0p", 13), ("5pr", 13), ("0s", 22), ("5sr", 22)):
        assert mjai.tile_of(five, 1) == kind
    for wrong in ("f0", "f9", "10m", "0z", "?", None, 5, ["1m"]):
        with pytest.raises(Error, match="第 7 条"):
            mjai.tile_of(wrong, 7)


def read(*changed: tuple[int, dict[str, Any]], only: int | None = None) -> Any:
    events = json.loads(json.dumps(STREAM[:only]))
    for at, fields in changed:
        events[at] |= fields
    return mjai.read_stream([json.dumps(event) for event in events])


def test_the_deal_of_a_stream_lacks_nothing() -> None:
    hand = ["1m"] * 13
    for fields in (
        *({"bakaze": wrong} for wrong in ("C", "", None)),
        *({"kyoku": wrong} for wrong in (0, 5, "1")),
        *({"oya": wrong} for wrong in (4, -1, None)),
        *({"tehais": wrong} for wrong in ({}, "abcd", dict.fromkeys("abcd", hand), [hand] * 3, [hand] * 5)),
    ):
        with pytest.raises(Error, match="第 2 条：配牌的一行不完整"):
            read((1, fields))


def read_events(*events: dict[str, Any]) -> Any:
    return mjai.read_stream([json.dumps(event) for event in events])


def test_a_deal_without_numbers_is_the_first() -> None:
    first = {key: value for key, value in STREAM[1].items() if key not in ("bakaze", "kyoku", "oya")}
    (hand,) = read_events(first).hands
    assert (hand.round, hand.dealership, hand.seats) == (0, 0, (0, 1, 2, 3))


def test_flowers_of_a_stream() -> None:
    """One that was dealt is set aside before the first draw, any other when it is drawn."""
    flower = {"type": "flower", "actor": 2, "pai": "f1"}
    deal = {**STREAM[1], "tehais": [["1m"] * 13, ["2m"] * 13, ["f1", *["3m"] * 12], ["4m"] * 13]}
    (hand,) = read_events(deal, flower, {"type": "tsumo", "actor": 2, "pai": "9p"}).hands
    assert hand.flowers == ((), (), (34,), ()) and hand.dealt[2] == (*[2] * 12, 17) and hand.moves == []
    (hand,) = read_events(STREAM[1], flower).hands
    assert hand.moves == [("flower", 2, 34, 2)] and hand.flowers == ((),) * 4
    draw = {"type": "tsumo", "actor": 0, "pai": "5p"}
    for unreplaced in ((deal,), (deal, draw), (deal, draw, flower)):
        with pytest.raises(Error, match=f"第 {len(unreplaced)} 条：有花牌没有补"):
            read_events(*unreplaced)


def test_lines_that_move_no_tile_do_not_end_a_hand() -> None:
    named = {"type": "start_game", "rulebook": "guobiao"}
    for quiet in ("none", "reach", "reach_accepted", "dora", "end_game", "hello"):
        (hand,) = read_events(named, STREAM[1], {"type": quiet}, {"type": "tsumo", "actor": 0, "pai": "5p"}).hands
        assert hand.moves == [("draw", 0, 13, 4)]
    for length in (20, 21):
        with pytest.raises(Error) as refused:
            read_events(STREAM[1], {"type": "x" * length, "actor": 0})
        assert refused.value.text == (f"第 2 条：不认识“{'x' * 20}”。", f"entry 2: unknown event '{'x' * 20}'.")


def test_who_deals_in_a_stream() -> None:
    for kyoku, oya, dealer, dealership in (
        (1, None, 0, 0),
        (4, None, 3, 3),
        (2, 3, 3, 1),
        (1, 2, 2, 0),
        (4, 1, 1, 3),
        (5, 2, 2, 2),
        (0, 2, 2, 2),
        ("x", 1, 1, 1),
    ):
        fields = {"kyoku": kyoku} | ({} if oya is None else {"oya": oya})
        tehais = STREAM[1]["tehais"]
        (hand,) = read((1, {**fields, "bakaze": "W", "tehais": tehais}), only=2).hands
        assert (hand.round, hand.dealership, hand.seats[0]) == (2, dealership, dealer)
        assert hand.seats == tuple((dealer + at) % 4 for at in range(4))
        assert hand.dealt[0] == tuple(mjai.tile_of(tile, 1) for tile in tehais[dealer])
    for tiles in (STREAM[1]["tehais"][0][:12], [*STREAM[1]["tehais"][0], "1m"], "1m"):
        with pytest.raises(Error, match="每家应配十三张牌"):
            read((1, {"tehais": [tiles, *STREAM[1]["tehais"][1:]]}))


def test_the_end_of_a_hand_of_a_stream() -> None:
    (hand,) = mjai.read_stream(
        [
            json.dumps({**STREAM[1], "oya": 2}),
            json.dumps({"type": "hora", "actor": 1, "deltas": [5, -2, -4, 1]}),
        ]
    ).hands
    assert hand.scores == [-4, 1, 5, -2] and [(move.what, move.seat) for move in hand.moves] == [("win", 3)]
    for deltas in ([1, 2, 3], [1, 2, 3, -6, 0], [1, 2, 3, "4"], [True, 0, 0, 0], None):
        (hand,) = mjai.read_stream(
            [json.dumps(STREAM[1]), json.dumps({"type": "hora", "actor": 1, "deltas": deltas})]
        ).hands
        assert hand.scores is None
    for used, kind in (
        (["1m", "2m"], "ankan"),
        (["1m"] * 5, "ankan"),
        (["1m"], "chi"),
        (["1m", "2m", "3m"], "chi"),
        (None, "chi"),
    ):
        event = {"type": kind, "actor": 0, "pai": "3m", "consumed": used}
        with pytest.raises(Error, match="缺少“consumed”的牌"):
            mjai.read_stream([json.dumps(STREAM[1]), json.dumps(event)])
    for pai, used in (("3m", ["1m", "2m"]), ("1m", ["3m", "2m"]), ("2m", ["1m", "3m"])):
        event = {"type": "chi", "actor": 3, "pai": pai, "consumed": used}
        assert mjai.read_stream([json.dumps(STREAM[1]), json.dumps(event)]).hands[0].moves[0].tile == 1


def test_hands_names_and_rules_of_a_stream() -> None:
    start, deal, over = STREAM[0], STREAM[1], {"type": "end_kyoku"}
    for events, n in (
        ([start], 0),
        ([deal], 1),
        ([deal, over], 1),
        ([deal, deal], 2),
        ([start, deal, over, deal, over], 2),
    ):
        assert len(mjai.read_stream([json.dumps(event) for event in events]).hands) == n
    with pytest.raises(Error, match="第 2 条：还没有配牌"):
        mjai.read_stream([json.dumps(start), json.dumps({"type": "tsumo", "actor": 0, "pai": "1m"})])
    with pytest.raises(Error, match="第 3 条：还没有配牌"):
        mjai.read_stream([json.dumps(event) for event in (deal, over, {"type": "ryukyoku"})])
    for names, read_names in (
        (["a", "b", "c", "d"], ("a", "b", "c", "d")),
        (["a"] * 3, ("东家", "南家", "西家", "北家")),
    ):
        assert mjai.read_stream([json.dumps({**start, "names": names})]).names == read_names
    for fields, rules in (
        ({"rulebook": "canton"}, "canton"),
        ({"rules": "guobiao"}, "guobiao"),
        ({"rules": {}}, "guobiao-mcr"),
    ):
        assert mjai.read_stream([json.dumps({**start, **fields})]).rules == rules
    named = {**start, "rulebook": "guobiao"}
    said = [one.zh for one in mjai.read_stream([json.dumps(one) for one in (named, deal, {"type": "reach"})]).remarks]
    assert "立直没有保留。" in said and "宝牌没有保留。" not in said
    assert mjai.is_stream([json.dumps(start)]) and mjai.is_stream([f" {json.dumps(deal)}", "nonsense"])
    for line in ("", "[]", "{", '{"type": "tsumo"}', "5", "nonsense"):
        assert not mjai.is_stream([line, json.dumps(start)])
