"""Records of botzone.org.cn: what comes out of ours and goes in again is the same hand; what is none is refused."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from quepu.errors import Error
from quepu.match import LogWriter, Match, read_log
from quepu.match.botzone_export import to_botzone
from quepu.match.botzone_record import names_of
from quepu.match.imports import ImportedLog, read_any, read_many
from quepu.match.seats import ORIGIN
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from quepu.table.events import Discarded
from quepu.tiles import PLAIN
from tests.match.botzone_writer import name, record, text
from tests.table.walls import go, stacked

RECORDED = ("deal", "draw", "replace", "flower", "discard", "chow", "pung", "kong", "added", "concealed", "win")


def played(seed: int, *, flowers: bool, round: int = 0, own: bool = False) -> Table:
    """A hand of keen players who win, kong and claim what they can and set every flower aside."""
    rng = random.Random(seed)
    table = Table(book("guobiao-mcr"), make_wall(seed, 1, PLAIN.with_flowers(flowers), own), round=round)
    while table.to_act:
        seat = rng.choice(table.to_act)
        options = table.options(seat)
        keen = [o for o in options if o.do in ("win", "flower", "kong", "concealed", "added")]
        claims = [o for o in options if o.do in ("pung", "chow")]
        pick = keen[0] if keen else rng.choice(claims) if claims and rng.random() < 0.6 else rng.choice(options)
        if pick.do == "discard" and pick.tile >= 34:
            pick = next(o for o in options if o.do == "flower") if any(o.do == "flower" for o in options) else pick
        table.step(seat, pick)
    return table


def imported(data: Any) -> ImportedLog:
    return read_any(json.dumps(data, ensure_ascii=False))


@pytest.mark.parametrize("flowers", [False, True])
def test_a_hand_comes_back_as_it_was(flowers: bool) -> None:
    seen: set[str] = set()
    for seed in range(12):
        table = played(seed, flowers=flowers, round=seed % 4)
        if any(isinstance(event, Discarded) and event.tile >= 34 for event in table.events):
            continue
        found = imported(record(table, seed % 4, display=seed % 2 == 0))
        assert found.source == "botzone"
        assert found.replay.header["rules"] == "guobiao-mcr"  # what the platform plays
        again = found.replay.hands[0].table(found.replay.book)
        assert [e for e in again.events if e.tag in RECORDED[7:] + RECORDED[4:7] and not isinstance(e, Discarded)] == [
            e for e in table.events if e.tag in RECORDED[7:] + RECORDED[4:7] and not isinstance(e, Discarded)
        ]
        assert [(e.seat, e.tile) for e in again.events if isinstance(e, Discarded)] == [
            (e.seat, e.tile) for e in table.events if isinstance(e, Discarded)
        ]
        assert again.hands == table.hands
        assert again.melds == table.melds
        assert again.board.rivers == table.board.rivers
        assert again.board.round == seed % 4
        assert again.ending is not None
        assert table.ending is not None
        assert [win[:2] for win in again.ending.winners] == [win[:2] for win in table.ending.winners]
        assert found.replay.finished
        assert found.replay.match.names[0] == "机器E"
        assert not [text for text in found.lost if "得分" in text.zh or "番，" in text.zh]
        seen |= {event.tag for event in table.events}
    assert seen >= set(RECORDED) - (set() if flowers else {"flower"}) - {"win"}


WON = go(
    Table(book("guobiao"), stacked(["19m19p19sESWNCFE", "123m456p789sEE77p", "2468m2468p2468sW"], "9m8mP")),
    "E discard 9m drawn", "S discard 8m drawn", "W discard P drawn",
)  # fmt: skip
"""Thirteen orphans on the white dragon that West throws away."""


def test_a_win_is_settled_and_what_differs_is_listed() -> None:
    table = go(WON.copy(), "E win")
    assert table.ending is not None
    data = record(table, 0)
    found = imported(data)
    assert found.replay.match.totals == (88 + 24, -8, -8 - 88, -8)
    assert len(found.lost) == 2  # the order of undrawn tiles, as drawn
    judged = to_botzone(found.replay)["logs"][-1]["output"]["display"]
    assert (judged["fanCnt"], judged["fan"]) == (88, [{"name": "十三幺", "cnt": 1}])
    data["logs"][-1]["output"]["display"]["fanCnt"] = 90
    data["logs"][-1]["output"]["content"]["0"] = 114
    sentences = " ".join(lost.zh for lost in imported(data).lost)
    assert "记录算 90 番，这里算 88 番" in sentences
    assert "+114" in sentences


FINE = record(played(3, flowers=False), 0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d.pop("logs"), "没有 logs"),
        (lambda d: d.update(logs=[]), "没有 logs"),
        (lambda d: d.update(logs=7), "没有 logs"),
        (lambda d: d.update(logs=[{"output": 3}, None, "x"]), "四家的配牌"),
        (lambda d: d["logs"][2]["output"]["content"].pop("2"), "第 3 条：没有西家的配牌"),
        (lambda d: d["logs"][2]["output"]["content"].update({"1": "1 0 0 0 0 W1"}), "第 3 条"),
        (lambda d: d["logs"][4]["output"]["content"].update({"0": "2 X9"}), "第 5 条：不认识的牌“X9”"),
        (lambda d: d["logs"][4]["output"]["content"].update({"0": "2 F7"}), "没有“F7”"),
        (lambda d: d["logs"][0]["output"]["content"].update({"0": "0 0 9"}), "第 1 条"),
        (lambda d: d["logs"][6]["output"]["content"].update({str(s): "3 0 DANCE W1" for s in range(4)}), "DANCE"),
        (lambda d: d["logs"][6]["output"]["content"].update({str(s): "3 0 PLAY" for s in range(4)}), "缺少牌"),
        (lambda d: d["logs"][6]["output"].update(content={}), "裁判没有说话"),
    ],
)
def test_what_is_no_whole_record_is_refused_with_its_entry(change: Any, sentence: str) -> None:
    data = copy.deepcopy(FINE)
    change(data)
    with pytest.raises(Error) as refused:
        imported(data)
    assert sentence in refused.value.text.zh
    assert refused.value.text.en


@pytest.mark.parametrize("score", [float("inf"), float("nan"), "9", None])
def test_a_score_that_is_not_a_whole_number_is_not_compared(score: object) -> None:
    data = copy.deepcopy(FINE)
    data["logs"][-1]["output"]["content"]["0"] = score
    assert imported(data).lost == imported(FINE).lost


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    data = copy.deepcopy(FINE)
    data["logs"][0]["output"]["content"] = {str(seat): f"0 {seat} {'9' * 5000}" for seat in range(4)}
    with pytest.raises(Error, match="第 1 条"):
        imported(data)


def test_players_of_one_name_are_told_apart() -> None:
    def named(*players: object) -> tuple[str, ...]:
        return names_of({"players": list(players)})

    assert named("甲", "甲", {"bot": {"name": "乙"}}, "甲") == ("甲", "甲 2", "乙", "甲 4")
    assert named("甲", "", None, "丁") == ("甲", "南家", "西家", "丁")
    assert named("甲", "乙", "丙") == names_of(None) == ("东家", "南家", "西家", "北家")


def test_one_players_requests_are_not_enough() -> None:
    with pytest.raises(Error, match="requests"):
        imported({"requests": ["0 1 0"], "responses": []})


def test_a_record_that_cannot_be_played_stops_there_and_says_so() -> None:
    data = copy.deepcopy(FINE)
    at = next(i for i, entry in enumerate(data["logs"]) if i > 12 and "PLAY" in str(entry.get("output", "")))
    data["logs"][at]["output"]["content"] = dict.fromkeys("0123", "3 3 PLAY J3")
    found = imported(data)
    assert not found.replay.finished
    assert any("牌谱停在这里" in text.zh for text in found.lost)
    assert found.replay.hands


def test_a_fault_ends_the_hand_unsettled() -> None:
    data = copy.deepcopy(FINE)
    del data["logs"][40:]
    data["logs"].append(
        {
            "output": {
                "command": "finish",
                "content": {"0": 10, "1": -30, "2": 10, "3": 10},
                "display": {"action": "WH", "player": 1, "score": [10, -30, 10, 10]},
            }
        }
    )
    found = imported(data)
    assert any("南家错和" in text.zh for text in found.lost)
    assert any("-30" in text.zh for text in found.lost)


def test_the_judges_own_wall_orders_what_nobody_drew() -> None:
    table = played(3, flowers=False)
    data = record(table, 0)
    rest = table.undrawn()
    rng = random.Random(1)
    rng.shuffle(rest)
    drawn = [kind for kind in range(34) for _ in range(4)]
    for kind in rest:
        drawn.remove(kind)
    data["initdata"] = {"walltiles": " ".join(name(kind) for kind in reversed([*drawn, *rest])), "quan": 0}
    found = imported(data)
    assert found.replay.hands[0].table(found.replay.book).undrawn() == rest


def test_texts_that_are_neither_are_refused() -> None:
    for given, sentence in (
        ("", "空"),
        ("你好", "第 1 行"),
        ("{}", "logs"),
        ('{"a":1}\n{"b":2}', "一次导入一局"),
        ("[" * 5000, "第 1 行"),
    ):
        with pytest.raises(Error) as refused:
            read_any(given)
        assert sentence in refused.value.text.zh


@pytest.mark.long
def test_the_platforms_download_packs_json_into_texts() -> None:
    plain = record(played(3, flowers=False), 0)
    plain["initdata"] = {"walltiles": "", "quan": 0}
    packed = copy.deepcopy(plain)
    packed["initdata"] = json.dumps(packed["initdata"])
    for entry in packed["logs"][::2]:
        entry["output"]["display"] = json.dumps(entry["output"]["display"])
        entry["output"] = json.dumps(entry["output"])
    assert imported(packed).lines == imported(plain).lines
    plain["initdata"] = "["  # neither
    assert imported(plain).lines == imported(packed).lines


def test_a_win_that_counts_otherwise_is_listed_with_its_fans() -> None:
    data = record(go(WON.copy(), "E win"), 0)
    data["logs"][-1]["output"]["display"] |= {
        "fanCnt": 89,
        "fan": [{"name": "十三幺", "cnt": 1, "value": 88}, {"name": "花牌", "cnt": 2}],
    }
    assert any("记录算 89 番（十三幺 花牌×2），这里算 88 番" in lost.zh for lost in imported(data).lost)


def test_the_lines_of_the_published_data_say_the_same() -> None:
    seen: set[str] = set()
    for seed in range(12):
        table = played(seed, flowers=False, round=seed % 4)
        found = read_any("\n".join(text(table, seed % 4)))
        assert found.source == "botzone"
        assert found.replay.header["rules"] == "guobiao-mcr"  # what the platform plays
        same = imported(record(table, seed % 4))
        again = found.replay.hands[0].table(found.replay.book)
        assert again.events == same.replay.hands[0].table(same.replay.book).events
        assert again.board.round == seed % 4
        assert found.replay.finished
        assert found.replay.match.totals == same.replay.match.totals
        seen |= {event.tag for event in table.events}
    assert seen >= {"chow", "pung", "kong", "added", "concealed", "exhausted"}
    won = read_any("\n".join(text(go(WON.copy(), "E win"), 0)))
    assert won.replay.match.totals == (88 + 24, -8, -8 - 88, -8)
    assert len(won.lost) == 2


def self_drawn() -> tuple[list[str], int]:
    """The lines of a hand won off the wall, and the place of its Hu."""
    for seed in range(400):
        table = played(seed, flowers=False)
        assert table.ending is not None
        if table.ending.winners and table.ending.self_draw:
            lines = text(table, 0)
            return lines, next(at for at, line in enumerate(lines) if line.split()[2:3] == ["Hu"])
    raise AssertionError("no such hand")


def test_a_self_drawn_win_that_names_the_last_discard_is_read_by_its_draw_and_reported() -> None:
    lines, at = self_drawn()
    drawn = next(line.split()[3] for line in reversed(lines[:at]) if line.split()[2] == "Draw")
    lines[at] = " ".join([*lines[at].split()[:3], drawn])
    right = read_any("\n".join(lines))
    assert not any("摸到的那张" in lost.zh for lost in right.lost)
    thrown = next(line.split()[3] for line in reversed(lines[:at]) if line.split()[2] == "Play")
    words = lines[at].split()
    assert thrown != words[3]
    lines[at] = " ".join([*words[:3], thrown, *words[4:]])
    wrong = read_any("\n".join(lines))
    assert sum("摸到的那张" in lost.zh for lost in wrong.lost) == 1
    assert wrong.replay.match.totals == right.replay.match.totals


def test_matches_of_a_data_set_are_read_one_after_another_and_a_broken_one_is_named() -> None:
    hands = [["Match 0123", *text(played(seed, flowers=False), 0)[1:]] for seed in (3, 4, 5)]
    hands[1][3] = hands[1][3].replace("Deal W", "Deal X").replace("Deal B", "Deal X").replace("Deal T", "Deal X")
    whole = "\r\n\r\n".join("\r\n".join(lines) for lines in hands)
    found = list(read_many(whole))
    assert [isinstance(one, ImportedLog) for one in found] == [True, "X" not in hands[1][3], True]
    for one, lines in zip(found, hands, strict=True):
        if isinstance(one, ImportedLog):
            assert one.replay.match.totals == read_any("\n".join(lines)).replay.match.totals
        else:
            assert one[0] == len(hands[0]) + 1 and "X" in one[1].text.en
    assert len(list(read_many("\n".join(hands[0])))) == 1
    with pytest.raises(Error):
        list(read_many("nonsense"))


def test_what_lost_to_a_higher_claim_is_counted() -> None:
    lines = text(go(WON.copy(), "E win"), 0)
    lines[-3] += " Ignore Player 1 Peng J3 Ignore Player 3 Chi T8"
    assert any("压下的 2 次" in lost.zh for lost in read_any("\n".join(lines)).lost)


def test_a_hand_is_drawn_and_settled_when_ones_own_tiles_are_gone() -> None:
    table = played(3, flowers=False)
    lines, drawn = [], 0
    for line in text(table, 0):
        drawn += line.startswith("Player 0 Draw")
        if line.startswith(("Huang", "Score", "Fan")):
            break
        lines.append(line)
    while drawn > 21:  # back to where East drew the last tile of his own
        drawn -= lines.pop().startswith("Player 0 Draw")
    assert drawn == 21
    found = read_any("\n".join([*lines, "Huang", "Score 0 0 0 0"]))
    assert found.replay.finished
    hand = found.replay.hands[0]
    assert hand.wall.own
    assert hand.ending is not None
    assert not hand.ending.winners
    assert found.replay.match.totals == (0, 0, 0, 0)
    assert not any("与重演不符" in lost.zh or "得分" in lost.zh for lost in found.lost)


@pytest.mark.parametrize("seed", range(8))
def test_own_walls_go_out_and_come_back(seed: int) -> None:
    table = played(seed, flowers=False, round=seed % 4, own=True)
    match = Match(book("guobiao-mcr"), ("a", "b", "c", "d"), 4, first=ORIGIN._replace(round=1 + seed % 4))
    lines: list[str] = []
    log = LogWriter(match, lines.append, own_walls=True)
    log.hand(1, match.place, table)
    assert table.ending is not None
    match = match.add_hand(table.ending)
    log.result(match.hands[-1].settlement, match.totals, table.ending)
    exported = to_botzone(read_log(lines, unfinished=True))
    found = imported(exported)
    again = found.replay.hands[0]
    assert again.wall.tiles == table.wall.tiles
    assert again.wall.own
    assert found.replay.match.totals == match.totals
    del exported["initdata"]["walltiles"]  # without it, what was drawn is known all the same
    found = imported(exported)
    assert found.replay.hands[0].wall.own
    assert found.replay.match.totals == match.totals


LINES = text(played(3, flowers=False), 0)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([*LINES, *LINES], "一次导入一局：这里有 2 局"),
        (LINES[:1], "没有圈风或四家的配牌"),
        (LINES[:1] + LINES[2:], "没有圈风或四家的配牌"),
        ([*LINES[:5], *LINES[6:]], "没有圈风或四家的配牌"),
        ([*LINES[:8], "Player 7 Draw W1"], "第 9 条：这里应是 0 到 3 的数"),
        ([*LINES[:8], "Player 1 Draw W0"], "没有“W0”"),
        ([*LINES[:8], "Player 1 Dance W1"], "不认识“Player 1 Dance W1”"),
        ([*LINES[:8], "Player 1"], "不认识“Player 1”"),
        ([*LINES[:8], "Score a b c d"], "不认识"),
        ([*LINES[:8], "Score --5 5 0 0"], "不认识"),
        ([*LINES[:8], f"Score {'9' * 5000} 0 0 0"], "不认识"),
        ([*LINES[:8], f"Player {'9' * 5000} Draw W1"], "第 9 条"),
        ([LINES[0], "Wind 5", *LINES[2:]], "第 2 条"),
    ],
)
def test_lines_that_are_no_whole_match_are_refused(lines: list[str], sentence: str) -> None:
    with pytest.raises(Error) as refused:
        read_any("\n".join(lines))
    assert sentence in refused.value.text.zh
