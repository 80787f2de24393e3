"""Records of other programs: every number they may hold, both sides of each limit, and what is read of each field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from quepu.errors import Error
from quepu.match import open_mahjong, tziakcha
from quepu.match.botzone_record import names_of
from quepu.match.foreign_hand import distinct
from quepu.match.imports import foreign_source, read_any
from quepu.match.log import LogError
from quepu.tiles import NAMES as KINDS
from tests.match.foreign_writers import mjai as stream_of
from tests.match.foreign_writers import open_mahjong as game_of
from tests.match.foreign_writers import packed
from tests.match.foreign_writers import tziakcha as step_of
from tests.match.test_foreign import HANDS, NAMES
from tests.match.test_log import play_match

STEP = step_of(HANDS[0], 0, NAMES)
GAME = game_of(HANDS[:1], [[0, 1, 2, 3]])
STREAM = [json.loads(line) for line in stream_of(HANDS[:1], NAMES)]
for _seat in range(4):  # a deal without flowers
    _tiles = GAME["game_round"]["round_index_1"][f"p{_seat}_tiles"]
    _tiles[:] = [11 if number > 50 else number for number in _tiles]
for _hand in STREAM[1]["tehais"]:
    _hand[:] = [name if name in KINDS[:34] else "1m" for name in _hand]
HONOURS = ["E", "S", "W", "N", "C", "F", "P"]


def test_every_tile_of_tziakcha() -> None:
    theirs = [f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)] + HONOURS
    for number in range(136):
        assert KINDS[tziakcha.tile_of(number, 1)] == theirs[number // 4], number
    assert [tziakcha.tile_of(number, 1) for number in range(136, 144)] == list(range(34, 42))
    for number in (-1, 144, 255):
        with pytest.raises(Error, match=f"第 3 条：没有 {number} 这张牌"):
            tziakcha.tile_of(number, 3)


def test_every_tile_of_open_mahjong() -> None:
    theirs = {10 * (at + 1) + rank: f"{rank}{suit}" for at, suit in enumerate("mps") for rank in range(1, 10)}
    theirs |= {41: "E", 42: "S", 43: "W", 44: "N", 45: "C", 46: "P", 47: "F"}
    flowers = {51 + i: 34 + i for i in range(8)}
    for number in (*range(-12, 120), None, "11", True, 11.0):
        if type(number) is int and number in theirs:
            assert KINDS[open_mahjong.tile_of(number, 1)] == theirs[number]
        elif type(number) is int and number in flowers:
            assert open_mahjong.tile_of(number, 1) == flowers[number]
        else:
            with pytest.raises(Error, match="没有“"):
                open_mahjong.tile_of(number, 1)


# ---- 雀渣


def step(**changes: Any) -> dict[str, Any]:
    return {"step": {**json.loads(json.dumps(STEP)), **changes}}


def test_a_hand_of_tziakcha_lacks_nothing() -> None:
    assert len(tziakcha.read_record(step()).hands) == 1
    for changes in (
        {"w": STEP["w"][:-1]},
        {"w": STEP["w"] + "0"},
        {"w": STEP["w"][:-1] + "g"},
        {"w": None},
        {"d": -1},
        {"d": True},
        {"d": "3"},
        {"i": -1},
        {"i": None},
        {"i": False},
        {"p": STEP["p"][:3]},
        {"p": [*STEP["p"], {}]},
        {"p": [1, 2, 3, 4]},
        {"p": {}},
        {"a": {}},
        {"a": [[2]]},
        {"a": [{}]},
        {"a": [[-1, 0]]},
        {"a": [[0, -1]]},
        {"a": [["0", 0]]},
        {"a": [[0, True]]},
    ):
        with pytest.raises(Error, match="第 1 条：不是雀渣的完整牌谱"):
            tziakcha.read_record(step(**changes))


def test_rounds_and_dealerships_of_tziakcha() -> None:
    for number in range(20):
        (hand,) = tziakcha.read_record(step(i=number)).hands
        assert (hand.round, hand.dealership) == (number // 4 % 4, number % 4)


def test_the_result_of_a_hand_of_tziakcha() -> None:
    (usual,) = tziakcha.read_record(step()).hands
    winner = next((move.seat for move in usual.moves if move.what == "win"), None)
    for scores, read in (
        ([1, 2, 3, -6], [1, 2, 3, -6]),
        ([1, 2, 3], None),
        ([1, 2, 3, -6, 0], None),
        ([1, 2, 3, "4"], None),
        ([True, 0, 0, 0], None),
        ([1.0, 0, 0, 0], None),
        ({}, None),
    ):
        assert tziakcha.read_record(step(s=scores)).hands[0].scores == read
    no_win = [action for action in STEP["a"] if action[0] & 15 != 6]
    (drawn,) = tziakcha.read_record(step(a=no_win)).hands
    assert drawn.moves[-1] == tziakcha.Move("drawn", None, None, len(no_win))
    won = [*no_win, [16 * 2 + 6, 2, 0]]
    rows = [{"f": 8}, {"f": 9}, {"f": 10}, {"f": 11}]
    for mask, fan in ((4, 10), (4 + 16, 10), (0, None), (16, None), (None, None)):
        (hand,) = tziakcha.read_record(step(a=won, b=mask, y=rows)).hands
        assert (hand.moves[-1].what, hand.moves[-1].seat, hand.fan) == ("win", 2, fan), mask
    for mask in (1, 2, 8, 4 + 8):
        with pytest.raises(Error, match="和家与动作不符"):
            tziakcha.read_record(step(a=won, b=mask, y=rows))
    for rest in (rows[:2], [{}, {}, {}, {}], [1, 2, 3, 4], [{}, {}, {"f": "10"}, {}], {}, None):
        assert tziakcha.read_record(step(a=won, b=4, y=rest)).hands[0].fan is None
    assert tziakcha.read_record(step(a=won, b=4, y=rows[:3])).hands[0].fan == 10
    assert tziakcha.read_record(step(a=[*no_win, [6, 2, 0]], b=1, y=rows)).hands[0].fan == 8
    assert winner is None or usual.fan is not None


def test_a_result_that_the_hand_does_not_have_is_said() -> None:
    table = next(table for table in HANDS if table.ending is not None and table.ending.first is None)
    for fan, said in ((10, True), (1, True), (0, False)):
        record = {**step_of(table, 0, NAMES), "b": 4, "y": [{}, {}, {"f": fan}, {}]}
        lost = [one.zh for one in read_any(json.dumps({"step": record})).lost]
        assert any(f"记录算 {fan} 番，这里算 0 番。" in one for one in lost) is said, lost


def test_actions_of_tziakcha() -> None:
    def moves(*actions: list[int]) -> list[tuple[str, int | None, int | None]]:
        (hand,) = tziakcha.read_record(step(a=[[0, 0, 0], *actions], b=0)).hands
        return [(move.what, move.seat, move.tile) for move in hand.moves[1:]]

    drawn = ("drawn", None, None)
    assert moves([2, 4, 0], [16 + 3, 0x40 + 2]) == [("play", 0, 1), ("chow", 1, 2), drawn]
    assert moves([2, 4, 0], [16 + 3, 0xC0]) == [("play", 0, 1), ("chow", 1, 1), drawn]  # 0: the claimed tile
    assert moves([2, 8, 0], [32 + 4, 2 + 0x40]) == [("play", 0, 2), ("pung", 2, 2), drawn]
    assert moves([2, 8, 0], [48 + 5, 2 + 0x40]) == [("play", 0, 2), ("kong", 3, 2), drawn]
    assert moves([5, 2]) == [("kong", 0, 2), drawn] and moves([5, 2 + 0x300]) == [("added", 0, 2), drawn]
    assert moves([5, 2 + 0x100]) == [("kong", 0, 2), drawn] and moves([5, 2 + 0x200]) == [("kong", 0, 2), drawn]
    assert moves([16 + 7, 36]) == [("draw", 1, 18), drawn] and moves([48 + 7, 36 + 256]) == [("draw", 3, 18), drawn]
    assert moves([16 + 1, (3 << 8) + 36]) == [("flower", 1, 37), ("draw", 1, 18), drawn]
    assert moves([32 + 6, 2], [2, 4]) == [("win", 2, None)]  # nothing comes after a win
    assert moves([8, 4], [9, 4]) == [drawn]
    for lost in (3, 4, 5, 6):
        (hand,) = tziakcha.read_record(step(a=[[0, 0], [2, 4], [16 + lost, 0], [32 + lost, 0]], b=0)).hands
        assert hand.ignored == 2 and len(hand.moves) == 3


def test_the_dealers_fourteenth_tile_of_tziakcha_may_be_a_flower() -> None:
    """It is set aside before the play begins, and so is a flower that replaces it."""
    numbers = [int(STEP["w"][at : at + 2], 16) for at in range(0, 288, 2)]
    wall = HANDS[0].wall
    first = wall._replace(tiles=tuple(numbers)).order()[52]  # the one after four times thirteen
    at, flower = numbers.index(first), numbers.index(139)
    numbers[at], numbers[flower] = 139, first
    wall_text = "".join(f"{number:02x}" for number in numbers)
    (hand,) = tziakcha.read_record(
        step(w=wall_text, a=[[1, (3 << 8) + 142], [1, (6 << 8) + 36], [0, 0], [2, 36]], b=0)
    ).hands
    assert hand.rest[52] == 37
    assert hand.moves[:6] == [
        ("draw", 0, 37, 1), ("flower", 0, 37, 1), ("draw", 0, 40, 2), ("flower", 0, 40, 2), ("draw", 0, 18, 3),
        ("play", 0, 18, 4),
    ]  # fmt: skip


def test_only_the_tile_just_discarded_of_tziakcha_can_be_claimed_without_a_name() -> None:
    taken = [[0, 0], [2, 4], [16 + 7, 36], [16 + 2, 40]]
    (hand,) = tziakcha.read_record(step(a=[*taken, [32 + 3, 0xC0]], b=0)).hands
    assert hand.moves[-2][:3] == ("chow", 2, 19)
    with pytest.raises(Error, match="第 4 条：吃的不是刚打出的牌"):
        tziakcha.read_record(step(a=[*taken[:3], [32 + 3, 0xC0]], b=0))


def test_the_script_of_tziakcha() -> None:
    """The plain hand goes first; a packed one is base64 without anything else."""
    script = packed(STEP)["script"]
    whole = tziakcha.read_record({"script": script})
    assert whole == tziakcha.read_record({"step": STEP}) == tziakcha.read_record({"step": STEP, "script": "!!"})
    for wrong in (f"*{script}", script[:-8], "", 5):
        with pytest.raises(Error, match="第 1 条：不是雀渣的完整牌谱"):
            tziakcha.read_record({"script": wrong})
    for other in (5, None, "script", [], {"step": 5, "script": script}):
        with pytest.raises(Error, match="第 2 条：不是雀渣的完整牌谱"):
            tziakcha.read_record({"records": [{"step": STEP}, other]})
    assert tziakcha.read_record(step(a=[[0, 0, None], [2, 4, "x"], [3, 0]])).hands[0].ignored == 1  # any time


def test_a_wrong_tile_in_the_wall_of_tziakcha_has_no_action() -> None:
    with pytest.raises(Error) as refused:
        tziakcha.read_record(step(w="90" + STEP["w"][2:]))
    assert refused.value.text == ("没有 144 这张牌。", "there is no tile 144.") and refused.value.at is None


def test_players_of_tziakcha() -> None:
    steps = [step(i=n, p=[{"i": f"{(seat + n) % 4}", "n": "甲"} for seat in range(4)])["step"] for n in range(4)]
    found = tziakcha.read_record({"records": [{"step": one} for one in steps]})
    assert [hand.seats for hand in found.hands] == [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]
    assert found.names == ("甲", "甲 2", "甲 3", "甲 4")
    for people in (["a", "b", "c", "c"], ["a", "a", "a", "a"]):
        with pytest.raises(Error, match="不是同样的四个人"):
            tziakcha.read_record(step(p=[{"n": name} for name in people]))
    assert tziakcha.is_record({"script": ""}) and tziakcha.is_record({"records": [{"step": {"w": ""}}, 5]})
    for data in ({}, {"step": {}}, {"step": 5}, {"records": []}, {"records": [5, {"step": {"w": ""}}]}):
        assert not tziakcha.is_record(data)


# ---- open_mahjong_unity


def game(**changes: Any) -> dict[str, Any]:
    data = json.loads(json.dumps(GAME))
    data["game_round"]["round_index_1"] |= changes
    return data


ONE = GAME["game_round"]["round_index_1"]


def test_a_hand_of_open_mahjong_lacks_nothing() -> None:
    assert len(open_mahjong.read_record(game()).hands) == 1
    changes: dict[str, Any]
    for changes, zh in (
        ({"current_round": 0}, "配牌或局号不对"),
        ({"current_round": True}, "配牌或局号不对"),
        ({"current_round": "1"}, "配牌或局号不对"),
        ({"p0_tiles": ONE["p0_tiles"][:13]}, "配牌或局号不对"),
        ({"p1_tiles": [*ONE["p1_tiles"], 11]}, "配牌或局号不对"),
        ({"p3_tiles": None}, "缺少 p3_tiles"),
        ({"action_ticks": {}}, "缺少 action_ticks"),
        ({"action_ticks": [[]]}, "缺少 action_ticks"),
        ({"action_ticks": [5]}, "缺少 action_ticks"),
        ({"tiles_list": None}, "缺少 tiles_list"),
        ({"seats": [0, 1, 2]}, "座位不对"),
        ({"seats": [1, 2, 3, 4]}, "座位不对"),
        ({"seats": {}}, "座位不对"),
        ({"seats": [0, 1, 2, 3, 3]}, "座位不对"),
    ):
        with pytest.raises(Error, match=zh):
            open_mahjong.read_record(game(**changes))


def test_rounds_seats_and_walls_of_open_mahjong() -> None:
    for number in range(1, 21):
        (hand,) = open_mahjong.read_record(game(current_round=number)).hands
        assert (hand.round, hand.dealership) == ((number - 1) // 4 % 4, (number - 1) % 4)
    (hand,) = open_mahjong.read_record(game(seats=[2, 0, 3, 1])).hands
    assert hand.seats == (1, 3, 0, 2) and not hand.by_player
    (hand,) = open_mahjong.read_record(game(seats=None)).hands
    assert hand.seats is None and hand.by_player
    assert len(hand.rest) == 144
    for wall in (ONE["tiles_list"][:143], [*ONE["tiles_list"], 11], []):
        assert open_mahjong.read_record(game(tiles_list=wall)).hands[0].rest == []
    with pytest.raises(Error, match="第 2 条：没有这一局"):
        open_mahjong.read_record({"game_round": {"round_index_1": ONE, "round_index_3": ONE}})
    assert open_mahjong.read_record({"record": GAME}) == open_mahjong.read_record(GAME)


def test_the_title_of_open_mahjong() -> None:
    def remarks(**title: Any) -> list[str]:
        return [one.zh for one in open_mahjong.read_record({**GAME, "game_title": title}).remarks]

    assert not any("子规则" in one for one in remarks(sub_rule="guobiao/standard") + remarks(sub_rule="") + remarks())
    assert any("子规则“guobiao/x”" in one for one in remarks(sub_rule="guobiao/x"))
    assert any("没有掷骰" in one for one in remarks()) and not any("没有记座位" in one for one in remarks())
    assert open_mahjong.read_record({**GAME, "game_title": 5}).names == ("东家", "南家", "西家", "北家")


def test_ticks_of_open_mahjong() -> None:
    def moves(*ticks: list[Any]) -> list[tuple[str, int | None, int | None]]:
        (hand,) = open_mahjong.read_record(game(action_ticks=[["reset", 0], *ticks])).hands
        return [(move.what, move.seat, move.tile) for move in hand.moves]

    first = open_mahjong.tile_of(ONE["p0_tiles"][-1], 1)
    begun = ("draw", 0, first)
    assert moves(["c", 11], ["d", 12], ["c", 12], ["d", 13]) == [
        begun,
        ("play", 0, 0),
        ("draw", 1, 1),
        ("play", 1, 1),
        ("draw", 2, 2),
    ]
    for code, middle in (("cl", 3), ("cm", 4), ("cr", 5)):
        assert moves(["c", 15], [code, 15, 1])[-1] == ("chow", 1, middle)
    assert moves(["c", 15], ["p", 15, 3], ["c", 16], ["d", 17]) == [
        begun,
        ("play", 0, 4),
        ("pung", 3, 4),
        ("play", 3, 5),
        ("draw", 0, 6),
    ]
    assert moves(["c", 15], ["g", 15, 2], ["gd", 16]) == [begun, ("play", 0, 4), ("kong", 2, 4), ("draw", 2, 5)]
    assert moves(["ag", 15], ["gd", 16], ["jg", 17])[1:] == [("kong", 0, 4), ("draw", 0, 5), ("added", 0, 6)]
    assert moves(["c", 15], ["d", 53], ["bh", 53, 1], ["bd", 16])[2:] == [
        ("draw", 1, 36),
        ("flower", 1, 36),
        ("draw", 1, 5),
    ]
    assert moves(["ag", 15], ["d", 16]) == [begun, ("kong", 0, 4), ("draw", 0, 5)]  # the turn goes on after a discard
    assert moves(["c", 15], ["d", 53], ["d", 16])[-1] == ("draw", 1, 5)
    assert moves(["c", 15], ["gd", 16])[-1] == ("draw", 0, 5)
    assert moves(["liuju"], ["d", 11]) == [("drawn", None, None)]
    assert moves(["c", 15], ["p", 15, 4])[-1] == moves(["c", 15], ["p", 15])[-1] == ("pung", 0, 4)  # nobody is named
    for quiet in ("reset", "ca", "end", "ask_hand", "ask_other", "state"):
        assert moves([quiet]) == []


def test_wins_of_open_mahjong() -> None:
    def won(*tick: Any) -> Any:
        (hand,) = open_mahjong.read_record(game(action_ticks=[["hu_self", *tick], ["c", 11]])).hands
        assert [move.what for move in hand.moves] == ["draw", "win"]  # nothing comes after a win
        return hand.moves[-1].seat, hand.fan, hand.fans, hand.scores

    assert (
        won() == (None, None, "", None)
        and [won(seat)[0] for seat in range(4)] == [0, 1, 2, 3]
        and won(4) == (None, None, "", None)
    )
    assert won(0, 8) == (0, 8, "", None) and won(0, "8") == (0, None, "", None) and won(0, True) == (0, None, "", None)
    assert won(0, 8, ["花牌*1", "一般高*2"]) == (0, 8, "花牌 一般高×2", None) and won(0, 8, "花牌") == (0, 8, "", None)
    for points, read in (([1, 2, 3, -6], [1, 2, 3, -6]), ([1, 2, 3], None), ([1, 2, 3, 4.0], None), (None, None)):
        assert won(0, 8, [], points) == (0, 8, "", read)
    with pytest.raises(Error, match="错和的局读不了"):
        won(0, 8, ["错和"])


def test_a_flower_of_open_mahjong_that_was_not_replaced() -> None:
    for flower in (51, 58):
        with pytest.raises(Error, match="第 2 条：有花牌没有补"):
            open_mahjong.read_record(game(p2_tiles=[flower, *ONE["p2_tiles"][1:]], action_ticks=[["reset"], ["liuju"]]))


# ---- any


def test_names_are_made_different_and_short() -> None:
    assert distinct(["", " ", "甲", "甲"]) == ("东家", "南家", "甲", "甲 4")
    assert distinct(["a" * 24, "a" * 25, "b" * 30, "c"]) == ("a" * 24, f"{'a' * 22} 2", "b" * 24, "c")
    assert names_of({"players": ["甲", {"bot": {"name": "乙"}}, {"user": "甲"}, 5]}) == ("甲", "乙", "甲 3", "北家")
    assert names_of({"players": ["甲"] * 3}) == names_of(None) == names_of([]) == ("东家", "南家", "西家", "北家")
    assert names_of({"players": ["a" * 25, "", "b", "c"]})[:2] == ("a" * 24, "南家")


def test_a_log_that_is_empty_or_breaks_off() -> None:
    _, lines = play_match("guobiao", 4)
    for text in ("", "\n \n", "\ufeff"):
        with pytest.raises(LogError) as refused:
            read_any(text)
        assert refused.value.say("zh").startswith("第 1 行：")
        assert foreign_source(text) is None
    with pytest.raises(LogError) as none:
        read_any(lines[0])
    assert none.value.say("zh") == "第 2 行：牌谱里一局都没有。"
    whole = read_any("\n".join(lines))
    assert (whole.source, whole.lost, whole.lines) == ("log", (), list(lines)) and whole.replay.finished
    half = read_any("\n".join([*lines[: len(lines) // 3], "nonsense"]))
    assert not half.replay.finished and half.lines == list(lines[: len(half.lines)])
    assert half.lost[0].zh.startswith(f"第 {len(half.lines) + 1} 行：牌谱在这里中断")
    assert half.lost[0].en.startswith(f"line {len(half.lines) + 1}: ")
    assert foreign_source("\n".join(lines)) is None and foreign_source(json.dumps(GAME)) == "open_mahjong"
    assert foreign_source(json.dumps({"step": STEP})) == "tziakcha" and foreign_source(json.dumps(STREAM[1])) == "mjai"
    with pytest.raises(LogError, match="第 2 行：一次导入一局"):
        read_any(f"{json.dumps(GAME)}\n{json.dumps(GAME)}")
    assert foreign_source(json.dumps(GAME, indent=1)) == "open_mahjong"
