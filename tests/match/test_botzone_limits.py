"""Records of botzone.org.cn: every tile and number they may hold, both sides of each limit, and each field."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from quepu.errors import Error
from quepu.match.botzone_record import _quarters, match_of, names_of, read_number, read_record, read_tile, tile_name
from quepu.match.foreign_hand import ForeignHand, ForeignMatch, Move
from quepu.tiles import FLOWERED, PLAIN

TILES = [
    f"{letter}{rank}" for letter, most in zip("WBTFJH", (9, 9, 9, 4, 3, 8), strict=True) for rank in range(1, most + 1)
]
"""The names of all kinds in order."""


def test_every_tile_has_its_name() -> None:
    assert [tile_name(kind) for kind in range(42)] == TILES
    for letter in "WBTFJHwX1":
        for rank in range(10):
            name = f"{letter}{rank}"
            if name in TILES:
                assert read_tile(name, 5) == TILES.index(name)
            else:
                with pytest.raises(Error, match=f"第 5 条：.*“{name}”"):
                    read_tile(name, 5)
    for wrong in ("", "W", "W11", "W1 ", "WW", None, 1, ["W", "1"]):
        with pytest.raises(Error, match="第 5 条：不认识的牌"):
            read_tile(wrong, 5)


def test_numbers_have_a_limit() -> None:
    for text, most in (("0", 3), ("3", 3), ("8", 8), ("0", 9999), ("9999", 9999), ("0009", 9999)):
        assert read_number(text, 1, most) == int(text)
    assert read_number("3", 1) == 3
    for wrong, most in (("4", 3), ("00", 3), ("9", 8), ("00000", 9999), ("-1", 3), ("", 3), (2, 3), (None, 3)):
        with pytest.raises(Error, match=f"第 6 条：这里应是 0 到 {most} 的数，而不是“{wrong}”"):
            read_number(wrong, 6, most)
    with pytest.raises(Error) as refused:
        read_number("4", 1)
    assert refused.value.text == (
        "第 1 条：这里应是 0 到 3 的数，而不是“4”。",
        "entry 1: '4' is not a number from 0 to 3.",
    )
    for length in (20, 21):
        with pytest.raises(Error, match=f"“{'7' * 20}”"):
            read_number("7" * length, 1)


HANDS = [f"W{n} B{n} T{n} W5 B5 T5 F1 F2 F3 J1 J2 J3 W9" for n in range(1, 5)]
KINDS = [[TILES.index(name) for name in hand.split()] for hand in HANDS]


def say(text: str, **shown: Any) -> dict[str, Any]:
    """The judge's entry that tells all players the same."""
    return {"output": {"command": "request", "content": dict.fromkeys("0123", text), "display": shown}}


def deal(counts: str = "0 0 0 0", flowers: str = "") -> dict[str, Any]:
    content = {str(seat): f"1 {counts} {HANDS[seat]}{flowers}" for seat in range(4)}
    return {"output": {"command": "request", "content": content}}


BEGUN = [say("0 0 2"), {}, deal(), {}]


def moves(*entries: Any) -> list[tuple[str, int | None, int | None, int]]:
    return [tuple(move) for move in read_record({"logs": [*BEGUN, *entries]}).hands[0].moves]  # type: ignore[misc]


def test_each_word_of_the_judge_is_a_move() -> None:
    own = {
        "output": {"command": "request", "content": {"0": "3 2 DRAW", "1": "3 2 DRAW", "2": "2 W7", "3": "3 2 DRAW"}}
    }
    assert moves(own) == [("draw", 2, 6, 5)]
    for words, read in (
        ("BUHUA H3", [("draw", 3, 36, 5), ("flower", 3, 36, 5)]),
        ("PLAY W2", [("play", 3, 1, 5)]),
        ("PENG W2", [("pung", 3, None, 5), ("play", 3, 1, 5)]),
        ("CHI W2 B9", [("chow", 3, 1, 5), ("play", 3, 17, 5)]),
        ("BUGANG J3", [("added", 3, 33, 5)]),
        ("GANG", [("kong", 3, None, 5)]),
    ):
        assert moves(say(f"3 3 {words}")) == read
        assert moves(say(f"3 3 {words} T9")) == read  # what follows is not read
    for words, sentence in (
        ("3 3 BUHUA", "BUHUA 缺少牌"),
        ("3 3 PLAY", "PLAY 缺少牌"),
        ("3 3 PENG", "PENG 缺少牌"),
        ("3 3 CHI W2", "CHI 缺少牌"),
        ("3 3 BUGANG", "BUGANG 缺少牌"),
        ("3 3 DRAW", "不知道摸到了什么"),
        ("3 3 DANCE", "不认识的动作“DANCE”"),
        ("3 3", "不认识裁判的话"),
        ("2", "不认识裁判的话"),
        ("4 3 PLAY W1", "不认识裁判的话"),
        ("3 4 PLAY W1", "这里应是 0 到 3 的数"),
    ):
        with pytest.raises(Error, match=f"第 5 条：{sentence}"):
            moves(say(words))
    for player in ("", "4", "01", "12", "x"):  # not a player, whose draw this would be
        with pytest.raises(Error, match="第 5 条：不认识裁判的话"):
            moves({"output": {"command": "request", "content": {player: "2 W7"}}})


def test_the_tile_of_a_concealed_kong_is_in_the_answer_or_on_display() -> None:
    def kong(response: Any, **shown: Any) -> int | None:
        return moves({"1": {"response": response}, "2": {"response": "GANG W1"}}, say("3 1 GANG", **shown))[0][2]

    assert kong("GANG B1") == kong("GANG B1", tile="W1") == kong("PASS", tile="B1") == kong("GANG", tile="B1") == 9
    assert kong("PASS") is None and kong("BUGANG B1") is None and kong("GANG") is None
    assert moves([], say("3 1 GANG")) == moves({"1": "GANG B1"}, say("3 1 GANG")) == [("kong", 1, None, 6)]
    with pytest.raises(Error, match="第 6 条：不认识的牌“5”"):
        kong("PASS", tile=5)


def finish(display: Any = None, content: Any = None) -> dict[str, Any]:
    return {"output": {"command": "finish", "content": content, "display": display}}


def test_how_a_hand_ended() -> None:
    for display, end, fan, fault in (
        ({"action": "HUANG"}, ("drawn", None), None, ""),
        ({"action": "HU", "player": 0, "fanCnt": 9}, ("win", 0), 9, ""),
        ({"action": "HU", "player": 3, "fanCnt": "9"}, ("win", 3), None, ""),
        ({"action": "HU", "player": 4, "fanCnt": 9}, ("fault", None), None, "HU"),
        ({"action": "HU", "player": -1}, ("fault", None), None, "HU"),
        ({"action": "HU"}, ("fault", None), None, "HU"),
        ({"action": "WH", "player": 0}, ("fault", 0), None, "WH"),
        ({"action": "TLE", "player": 3}, ("fault", 3), None, "TLE"),
        ({"action": "TLE", "player": "3"}, ("fault", None), None, "TLE"),
    ):
        (hand,) = read_record({"logs": [*BEGUN, {}, finish(display), say("nonsense")]}).hands
        assert hand.moves == [(*end, None, 6)] and (hand.fan, hand.fault) == (fan, fault), display
    for seat in range(4):
        answers = {str(seat): {"response": "HU"}, str((seat + 1) % 4): {"response": "PASS"}}
        for display in (None, {}, [], {"action": ""}):  # without a display: the player who said so
            (hand,) = read_record({"logs": [*BEGUN, answers, finish(display)]}).hands
            assert hand.moves == [("win", seat, None, 6)]
    (hand,) = read_record({"logs": [*BEGUN, {"0": {"response": "PASS"}, "4": {"response": "HU"}}, finish()]}).hands
    assert hand.moves == [("drawn", None, None, 6)] and hand.fans == ""


def test_scores_and_fans_of_the_end() -> None:
    def end(content: Any = None, **display: Any) -> ForeignHand:
        return read_record({"logs": [*BEGUN, finish({"action": "HU", "player": 1, **display}, content)]}).hands[0]

    for scores, read in (
        ((1, -2, 3, -2), [1, -2, 3, -2]),
        ((1.0, -2, 3, -2), [1, -2, 3, -2]),
        ((1.5, 0, 0, 0), None),
        (("1", 0, 0, 0), None),
        ((1, -2, 1), None),
        ((1, 2, 3, -6, 7), [1, 2, 3, -6]),
    ):
        assert end({str(seat): score for seat, score in enumerate(scores)}).scores == read
    assert end([1, 2, 3, -6]).scores is None and end().scores is None
    fan = [{"name": "混一色"}, {"name": "箭刻", "cnt": 1}, {"name": "喜相逢", "cnt": 2}, 5]
    assert end(fan=fan).fans == "混一色 箭刻 喜相逢×2" and end(fan={"name": "混一色"}).fans == ""


def test_the_deal_of_a_record() -> None:
    (hand,) = read_record({"logs": [say("0 0 3"), deal("2 0 3 1", " H8 H1 H2 H7 H3 H6")]}).hands
    assert hand.flowers == ((41, 34), (), (35, 40, 36), (39,))
    assert [list(tiles) for tiles in hand.dealt] == KINDS and hand.round == 3
    (eight,) = read_record({"logs": [say("0 0 0"), deal("0 0 0 8", "".join(f" H{n}" for n in range(1, 9)))]}).hands
    assert eight.flowers == ((), (), (), tuple(range(34, 42)))
    for entry, sentence in (
        (deal("0 0 0 9", "".join(f" H{n}" for n in range(1, 9)) + " H8"), "第 2 条：这里应是 0 到 8 的数"),
        (deal("2 0 0 0", " H8"), "第 2 条：配牌的花牌张数不符"),
        (deal("0 0 0 0", " H8"), "第 2 条：配牌的花牌张数不符"),
        (say("1 0 0 0 0" + " W1" * 12), "第 2 条：没有东家的配牌"),
    ):
        with pytest.raises(Error, match=sentence):
            read_record({"logs": [say("0 0 0"), entry]})
    for seat, wind in enumerate("东南西北"):
        for wrong in (f"1 0 0 0 0 {HANDS[seat][:-3]}", f"0 0 0 0 0 {HANDS[seat]}"):
            entry = deal()
            content = entry["output"]["content"]
            entry["output"]["content"] = {"1" if seat != 1 else "2": content["1" if seat != 1 else "2"]} | content
            entry["output"]["content"][str(seat)] = wrong
            with pytest.raises(Error, match=f"第 3 条：没有{wind}家的配牌"):
                read_record({"logs": [say("0 0 0"), {}, entry]})
    for logs in ([say("0 0 0")], [deal()], [{}, {}]):
        with pytest.raises(Error, match="没有四家的配牌"):
            read_record({"logs": logs})
    for words in ("0", "0 0", "0 0 4"):
        with pytest.raises(Error, match="第 1 条：这里应是 0 到 3 的数"):
            read_record({"logs": [say(words)]})
    for content in ({}, {"0": ""}, {"0": 5}, None, []):
        with pytest.raises(Error, match="第 2 条：裁判没有说话"):
            read_record({"logs": [{}, {"output": {"command": "request", "content": content}}]})


def test_where_a_record_keeps_its_entries() -> None:
    logs = [*BEGUN, say("3 3 PLAY W2")]
    whole = read_record({"logs": logs})
    bare = [entry.get("output", entry) for entry in logs]
    packed = [{"output": json.dumps(entry)} if "command" in entry else "PASS" for entry in bare]
    for data in ({"log": logs}, logs, bare, packed, {"logs": logs, "requests": []}, {"logs": logs, "log": 5}):
        assert read_record(data) == whole
    for data in ({"requests": []}, {"requests": [], "logs": None}):
        with pytest.raises(Error, match="只是一家看到的"):
            read_record(data)
    for data in ({}, {"logs": []}, {"logs": {}}, [], "logs", 5, ["requests"][:0]):
        with pytest.raises(Error, match="没有 logs"):
            read_record(data)
    for not_json in ("{", "[" * 5000, "5"):
        assert read_record({"logs": [{"output": not_json}, *logs]}).hands[0].dealt == whole.hands[0].dealt


# ---- the wall


def wall_of(tiles: Any, **more: Any) -> list[int]:
    names = " ".join(tile_name(tile) for tile in tiles)
    return read_record({"logs": BEGUN, "initdata": {"walltiles": names, **more}}).hands[0].rest


def test_a_whole_wall_is_taken_from_its_end() -> None:
    for size in (PLAIN, FLOWERED):
        tiles = sorted(size.tiles)
        assert wall_of(tiles) == tiles[::-1] and wall_of(tiles[1:]) == [] and wall_of([*tiles, 0]) == []
        assert wall_of([*tiles[1:], tiles[-1]]) == []  # not one set
    for init in (None, 5, [], {}, {"walltiles": 5}, {"walltiles": ""}, {"walltiles": "X9"}, "{", "5"):
        assert read_record({"logs": BEGUN, "initdata": init}).hands[0].rest == []
    names = " ".join(tile_name(tile) for tile in PLAIN.tiles)
    assert len(read_record({"logs": BEGUN, "initdata": json.dumps({"walltiles": names})}).hands[0].rest) == 136
    assert read_record(BEGUN).hands[0].rest == []


ORDER = [*KINDS[0], *[0] * 21, *KINDS[1], *[1] * 21, *KINDS[2], *[2] * 21, *KINDS[3], *[3] * 21]
"""Own walls seat after seat, each in the order of drawing."""
END = [tile for seat in (3, 2, 1, 0) for tile in ORDER[34 * seat : 34 * seat + 34]]
"""The same as the platform's wall, from its end."""


def hand_of(rest: list[int], moved: Any = (), flowers: Any = ((),) * 4) -> ForeignHand:
    return ForeignHand(0, tuple(map(tuple, KINDS)), flowers, list(moved), None, None, rest=rest)


def matched(hand: ForeignHand) -> ForeignMatch:
    return match_of(hand, ("a", "b", "c", "d"))


def test_own_walls_are_seen_by_what_each_seat_was_dealt() -> None:
    assert [list(own) for own in _quarters(END)] == [ORDER[34 * seat : 34 * seat + 34] for seat in range(4)]
    found = matched(hand_of(END))
    (hand,) = found.hands
    assert hand.own_walls and hand.rest == ORDER
    assert not [one for one in found.remarks if "次序" in one.zh or "掷骰" in one.zh]
    for seat in range(4):  # one seat has another first tile: the wall was shared
        other = copy.copy(END)
        other[34 * (3 - seat)] = 26
        found = matched(hand_of(other))
        assert not found.hands[0].own_walls and found.hands[0].rest == other
        assert [text.zh[:8] for text in found.remarks[:2]] == ["没有掷骰：开牌位", "牌墙不分头尾：没"]


def test_without_the_wall_a_seat_that_drew_more_than_its_own_had_shared_one() -> None:
    """Each seat's own wall has 34 tiles, 36 with flowers, of which 13 are dealt, besides the flowers before them."""

    def own(seat: int, draws: int, flowers: int = 0, drawn_flower: bool = False) -> bool:
        moved = [Move("draw", seat, 0, 1)] * draws + [Move("play", seat, 0, 1)] * 30
        moved += [Move("flower", seat, 34, 1)] * drawn_flower
        aside = tuple((34,) * (flowers if at == 2 else 0) for at in range(4))
        found = matched(hand_of([], moved, aside))
        assert found.hands[0].rest == []
        said = [text.zh[:7] for text in found.remarks]
        shared = not found.hands[0].own_walls
        assert said == [*["没有掷骰：开牌"] * shared, "没摸到的牌不知", "与摸到的相同的"]
        return not shared

    for seat in range(4):
        assert own(seat, 21) and not own(seat, 22)
        assert own(seat, 23, drawn_flower=True) and not own(seat, 24, drawn_flower=True)
    assert own(2, 21, flowers=2) and not own(2, 22, flowers=2)
    assert own(1, 23, flowers=2) and not own(1, 24, flowers=2)  # the flowers of another seat


def test_a_match_of_the_platform_says_where_it_is_from() -> None:
    found = matched(hand_of(END))
    assert (found.source, found.rules, found.names) == ("botzone", "guobiao-mcr", ("a", "b", "c", "d"))
    assert len(found.hands) == 1 and [text.zh[:7] for text in found.remarks] == ["与摸到的相同的"]


def test_players_names_are_found_at_any_depth() -> None:
    def named(*players: Any) -> tuple[str, ...]:
        return names_of({"players": list(players)})

    deep: Any = "丁"
    for _ in range(5):
        deep = {"bot": deep}
    assert named({"name": "", "bot": {"name": "甲"}}, {"user": "乙"}, {"nickname": " 丙 "}, deep) == (
        "甲",
        "乙",
        "丙",
        "丁",
    )
    assert named({"id": "甲"}, "a" * 24, "b" * 25, "甲") == ("东家", "a" * 24, "b" * 24, "甲")
    assert (
        named(*["甲"] * 5)
        == named(*["甲"] * 3)
        == names_of({"players": "甲乙丙丁"})
        == ("东家", "南家", "西家", "北家")
    )
