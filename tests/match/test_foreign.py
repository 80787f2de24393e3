"""Records of other programs: what comes out of ours and goes in again is the same hand; what is none is refused.

The forms of 雀渣 and open_mahjong_unity were also tried with real records (docs/guide/table.md), mjai was not.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from quepu.errors import Error
from quepu.match.imports import ImportedLog, read_any
from quepu.table import Table
from quepu.table.events import Discarded
from tests.match.foreign_writers import mjai, open_mahjong, packed, tziakcha
from tests.match.test_botzone import played

HAPPENED = ("draw", "chow", "pung", "kong", "added", "concealed", "win", "exhausted")
NAMES = ["甲", "乙", "丙", "丁"]


def hands(count: int) -> list[Table]:
    """Hands whose players set every flower aside, all kinds of claims among them."""
    found = []
    seed = 0
    while len(found) < count:
        table = played(seed, flowers=True)
        seed += 1
        if not any(isinstance(event, Discarded) and event.tile >= 34 for event in table.events):
            found.append(table)
    return found


HANDS = hands(4)


def same(found: ImportedLog, tables: list[Table]) -> None:
    assert found.replay.finished
    assert not found.replay.problems
    assert len(found.replay.hands) == len(tables)
    for hand, table in zip(found.replay.hands, tables, strict=True):
        again = hand.table(found.replay.book)
        events = [
            [(e.tag, getattr(e, "tile", None)) for e in one.events if e.tag in HAPPENED] for one in (again, table)
        ]
        assert sorted(events[0], key=str) == sorted(events[1], key=str)
        assert again.board.rivers == table.board.rivers
        assert again.melds == table.melds
        assert again.hands == table.hands
        assert again.ending is not None
        assert table.ending is not None
        assert [win[:2] for win in again.ending.winners] == [win[:2] for win in table.ending.winners]


def test_the_hands_have_everything() -> None:
    seen = {event.tag for table in HANDS for event in table.events}
    assert seen >= {"flower", "replace", "chow", "pung", "kong", "exhausted"}


def test_hands_of_tziakcha() -> None:
    turned = [NAMES[i:] + NAMES[:i] for i in range(4)]
    steps = [tziakcha(table, i, turned[i]) for i, table in enumerate(HANDS)]
    found = read_any(json.dumps({"records": [{"step": step} for step in reversed(steps)]}))
    assert found.source == "tziakcha"
    same(found, HANDS)
    assert found.replay.match.names == tuple(NAMES)
    assert [hand.place.dealership for hand in found.replay.hands] == [0, 1, 2, 3]
    one = read_any(json.dumps(packed(steps[2])))
    same(one, HANDS[2:3])
    assert one.replay.hands[0].wall == HANDS[2].wall  # theirs is laid as ours is, and nothing of it is a guess
    steps[2]["s"] = [1, 2, 3, -6]
    assert any("+1 +2 +3 -6" in text.zh for text in read_any(json.dumps({"step": steps[2]})).lost)


def test_flowers_among_the_last_tiles_dealt_are_replaced() -> None:
    """The thirteenth tile of a hand is dealt after the twelve that lie together; the dealer's fourteenth after all."""
    late = {}
    for seed in range(400):
        if len(late) == 4:
            break
        table = played(seed, flowers=True)
        last = {seat for seat in range(4) if table.wall.order()[48 + seat] >= 34}
        if any(isinstance(event, Discarded) and event.tile >= 34 for event in table.events):
            continue
        late |= dict.fromkeys(last, table)
    assert set(late) == {0, 1, 2, 3}
    for table in late.values():
        same(read_any(json.dumps({"step": tziakcha(table, 0, NAMES)})), [table])


def test_a_chow_of_the_middle_tile_need_not_name_it() -> None:
    """雀渣 writes 0 for the middle tile of a chow where that is the tile just discarded."""
    changed_some = 0
    for table in HANDS:
        step = tziakcha(table, 0, NAMES)
        chows = [event for event in table.events if event.tag == "chow"]
        written = [action for action in step["a"] if action[0] & 15 == 3]
        assert len(chows) == len(written)
        for event, action in zip(chows, written, strict=True):
            if event.tile == event.low + 1:
                action[1] &= ~63
                changed_some += 1
        same(read_any(json.dumps({"step": step})), [table])
    assert changed_some
    drawn = [[0, 0, 0], [7, 0, 0], [3, 0xC0, 0]]
    with pytest.raises(Error, match="吃的不是刚打出的牌"):
        read_any(changed({"step": STEP}, ["step", "a"], drawn))


def test_every_seat_may_win_in_a_record_of_open_mahjong() -> None:
    won: dict[int, Table] = {}
    for table in hands(40):
        if table.ending is not None and table.ending.winners and table.ending.discarder is not None:
            won.setdefault(table.ending.winners[0].seat, table)
    assert len(won) > 2 and 0 in won
    for table in won.values():
        same(read_any(json.dumps(open_mahjong([table], [[0, 1, 2, 3]]))), [table])


def test_what_is_not_known_is_quoted_in_part() -> None:
    for length in (20, 21):
        with pytest.raises(Error) as refused:
            read_any(changed(GAME, ["game_round", "round_index_1", "action_ticks", 1], ["x" * length, 11]))
        assert f"“{'x' * 20}”" in refused.value.say("zh") and f"'{'x' * 20}'" in refused.value.say("en")


def test_a_match_of_open_mahjong() -> None:
    seats = [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]
    for given in (seats, None):
        found = read_any(json.dumps(open_mahjong(HANDS, given)))
        assert found.source == "open_mahjong"
        same(found, HANDS)
        assert found.replay.match.names == tuple(NAMES)
        assert [hand.place.seats[0] for hand in found.replay.hands] == [0, 1, 2, 3]
    assert any("座位" in text.zh for text in found.lost)


def test_a_stream_in_the_manner_of_mjai() -> None:
    found = read_any("\n".join(mjai(HANDS, NAMES)))
    assert found.source == "mjai"
    same(found, HANDS)
    assert any("没有用真实的牌谱验证过" in text.zh for text in found.lost)


STEP = tziakcha(HANDS[0], 0, NAMES)
GAME = open_mahjong(HANDS[:1], [[0, 1, 2, 3]])
STREAM = [json.loads(line) for line in mjai(HANDS[:1], NAMES)]


def changed(data: Any, path: list[Any], value: Any) -> str:
    data = json.loads(json.dumps(data))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return "\n".join(map(json.dumps, data)) if isinstance(data, list) else json.dumps(data)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (changed({"step": STEP}, ["step", "w"], "00"), "第 1 条：不是雀渣的完整牌谱"),
        (changed({"step": STEP}, ["step", "w"], "ff" * 144), "没有 255 这张牌"),
        (changed({"step": STEP}, ["step", "w"], "00" * 144), "一副完整的"),
        (changed({"step": STEP}, ["step", "a"], [[2]]), "完整牌谱"),
        (changed({"step": STEP}, ["step", "a"], [[3, 64]]), "吃的不是刚打出的牌"),
        (changed({"step": STEP}, ["step", "d"], 0), "骰子"),
        (changed({"records": [{"step": STEP}, {"step": STEP}]}, ["records", 1, "step", "p", 0], {"n": "戊"}), "四个人"),
        (json.dumps({"script": "!!"}), "完整牌谱"),
        (changed(GAME, ["game_title", "rule"], "riichi"), "riichi"),
        (changed(GAME, ["game_round", "round_index_1", "p1_tiles"], [99] * 13), "没有“99”这张牌"),
        (changed(GAME, ["game_round", "round_index_1", "seats"], [0, 0, 1, 2]), "座位不对"),
        (changed(GAME, ["game_round", "round_index_1", "action_ticks", 1], ["dance", 11]), "dance"),
        (changed(GAME, ["game_round"], {}), "一局都没有"),
        (changed(STREAM, [1, "tehais", 2], ["?"] * 13), "只是一家看到的"),
        (changed(STREAM, [2, "actor"], 7), "第 3 条：没有玩家“7”"),
        (changed(STREAM, [2, "type"], "dance"), "dance"),
        (changed(STREAM, [1, "bakaze"], "Q"), "配牌的一行不完整"),
        (changed(STREAM, [0, "rules"], "chess"), "chess"),
    ],
)
def test_what_is_no_whole_record_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Error) as refused:
        read_any(text)
    assert sentence in refused.value.text.zh


def test_a_hand_that_cannot_be_played_again_is_left_out_and_the_others_stay() -> None:
    game = json.loads(json.dumps(open_mahjong(HANDS, None)))
    ticks = game["game_round"]["round_index_2"]["action_ticks"]
    ticks[next(i for i, tick in enumerate(ticks) if tick[0] == "c")][1] = 58  # a flower that nobody held
    found = read_any(json.dumps(game))
    assert len([hand for hand in found.replay.hands if hand.ending is not None]) == 3
    assert any(text.zh.startswith("第 2 局：") for text in found.lost)
