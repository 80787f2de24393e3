"""Reading a log: what is wrong in a line is refused in its own words; unknown rules, seals, hands dealt again."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

import pytest

from quepu.errors import Text
from quepu.match import LogError, LogWriter, Match, Penalty, RoundPosition, read_log
from quepu.match.log import LogProblem
from quepu.match.match import Recorded
from quepu.table import Table, commitment, make_wall
from quepu.table.mixed_wall import Sealed, commit_to, mix_wall
from quepu.tiles import FLOWERED, PLAIN
from tests.match.log_data import (
    FAULT,
    GUOBIAO,
    HAND,
    HEADER,
    RESULT,
    Change,
    Lines,
    at,
    changed,
    game,
    read,
    sealed_lines,
    set_at,
    unsealed,
)


def test_the_log_of_a_game_reads_back() -> None:
    replay = read(game(), unfinished=False)
    assert replay.finished and replay.match.ended and replay.match.over
    assert (replay.problems, replay.notes, replay.same_rules, replay.book) == ((), (), True, GUOBIAO)
    first, second = replay.hands
    assert (first.number, first.line, first.place, first.problem) == (1, 2, RoundPosition(), None)
    assert (second.number, second.place) == (2, RoundPosition(1, 1))
    assert first.wall == make_wall(0, 1, FLOWERED) and second.wall == make_wall(0, 2, PLAIN)
    assert (first.salt, first.commitment, first.sealed, first.salts) == ("", "", None, ())
    assert first.ending is not None and first.ending.first is not None and first.ending.first.score is not None
    assert (first.ending.seats, first.ending.first.points, first.ending.self_draw) == ((3,), 10, True)
    assert first.fans == (tuple((fan.name, fan.count) for fan in first.ending.first.score.fans),)  # by winner
    # 8 and 10 番 from each of the three
    assert [payment[:3] for payment in first.payments] == [(0, 3, 18), (1, 3, 18), (2, 3, 18)]
    assert [step.line for step in first.steps] == list(range(3, 3 + len(first.steps)))
    assert replay.match.entries[0] == first.ending and not isinstance(replay.match.entries[0], Recorded)
    fault = replay.match.entries[1]  # West of the first hand is South of the second
    assert isinstance(fault, Recorded) and fault.entry == Penalty(2, "错和", revoked=True, note="上手就报")
    assert [payment[:3] for payment in fault.payments] == [(1, 0, 10), (1, 2, 10), (1, 3, 10)]
    assert second.ending == replay.match.entries[2] != first.ending
    assert (replay.lines, replay.undone, replay.sealed) == (len(game()), 0, None)
    assert replay.last_hash == json.loads(sealed_lines(game())[-1])["h"]


Cases = dict[str, tuple[Change, int, str]]
"""A change of the game, the line that is refused for it, and why."""
HEADERS: Cases = {
    "format 6": (set_at(0, HEADER, log=6), 1, "不是雀谱的牌谱，或格式版本不同。"),
    "format 5 without joins": (set_at(0, HEADER, log=5), 1, "joins 应是 true，且只在格式 5 里。"),
    "joins in format 3": (set_at(0, HEADER, joins=True), 1, "joins 应是 true，且只在格式 5 里。"),
    "format 0": (set_at(0, HEADER, log=0), 1, "不是雀谱的牌谱，或格式版本不同。"),
    "format true": (set_at(0, HEADER, log=True), 1, "不是雀谱的牌谱，或格式版本不同。"),
    "format as text": (set_at(0, HEADER, log="3"), 1, "不是雀谱的牌谱，或格式版本不同。"),
    "no format": (set_at(0, HEADER, log=...), 1, "不是雀谱的牌谱，或格式版本不同。"),
    "three players": (set_at(0, HEADER, players=["a", "b", "c"]), 1, "牌谱头不完整。"),
    "a player without a name": (set_at(0, HEADER, players=["a", "b", "c", 4]), 1, "牌谱头不完整。"),
    "a bot without a name": (set_at(0, HEADER, bots=["a", 5]), 1, "牌谱头不完整。"),
    "two of one name": (set_at(0, HEADER, players=["a", "b", "c", "a"]), 1, "要四个不同的名字。"),
    "no rounds": (set_at(0, HEADER, rounds=...), 1, "牌谱头不完整。"),
    "round 0": (set_at(0, HEADER, rounds=0), 1, "至少打一圈，至多 1000 圈。"),
    "no rank": (set_at(0, HEADER, ranked=...), 1, "牌谱头不完整。"),
    "begins nowhere": (set_at(0, HEADER, begin=[1]), 1, "牌谱头不完整。"),
    "begins in round 0": (set_at(0, HEADER, begin=[0, 0, 0, [0, 1, 2, 3]]), 1, "这不是一局的位置。"),
    "header not JSON": (lambda data: data.__setitem__(0, '{"log":3,'), 1, "不是 JSON。"),  # type: ignore[arg-type]
    "begins with an event": (lambda data: data.__setitem__(0, data[2]), 1, "不是雀谱的牌谱，或格式版本不同。"),
}  # fmt: skip
ANY_LINES: Cases = {
    "not JSON": (lambda data: data.__setitem__(1, '{"hand":1,'), 2, "不是 JSON。"),  # type: ignore[arg-type]
    "too deep": (lambda data: data.__setitem__(1, '{"hand":' + "[" * 100_000), 2, "不是 JSON。"),  # type: ignore[arg-type]
    "unknown": (lambda data: data.__setitem__(1, {"x": 1}), 2, "无法识别的一行。"),
    "unknown after a hand": (lambda data: data.insert(2, {}), 3, "无法识别的一行。"),
    "more after the end": (lambda data: data.append({"x": 1}), -1, "牌谱结束之后还有内容。"),
    "wrong end": (set_at(0, {"end": ...}, end=1), -1, "应有 1 行，实有 {n} 行。"),
}  # fmt: skip
HANDS: Cases = {
    "a hand in a hand": (lambda data: data.insert(9, data[1]), 10, "上一局还没有结算。"),
    "hand 2 first": (set_at(0, HAND, hand=2), 2, "这里应是第 1 局。"),
    "hand 1 again": (set_at(1, HAND, hand=1), -2, "这里应是第 2 局。"),
    "in round 0": (set_at(0, HAND, place=[0, 0, 0, [0, 1, 2, 3]]), 2, "这不是一局的位置。"),
    "in dealership 4": (set_at(0, HAND, place=[1, 4, 0, [0, 1, 2, 3]]), 2, "这不是一局的位置。"),
    "in dealership -1": (set_at(0, HAND, place=[1, -1, 0, [0, 1, 2, 3]]), 2, "这不是一局的位置。"),
    "two at one seat": (set_at(0, HAND, place=[1, 0, 0, [0, 1, 2, 2]]), 2, "这不是一局的位置。"),
    "nowhere": (set_at(0, HAND, place=[1, 0, 0]), 2, "这一行缺少或写错了内容。"),
    "new seats in a round": (set_at(1, HAND, place=[1, 1, 0, [1, 0, 2, 3]]), -2, "一圈之中不换座位。"),
    "no wall": (set_at(0, HAND, wall=...), 2, "这一行缺少或写错了内容。"),
    "no dice": (set_at(0, HAND, dice=...), 2, "这一行缺少或写错了内容。"),
    "strange wall": (set_at(0, HAND, wall="abc"), 2, "牌墙里有认不出的牌。"),
    "another book's wall": (set_at(0, HAND, wall="".join(f"{n}{suit}" * 4 for n in range(1, 10) for suit in "mps")), 2,
                            "牌墙应是一副完整的 136 或 144 张牌，现有 108 张且牌种不符。"),
    "salts of no seal": (set_at(0, HAND, salts=["", "", "", ""]), 2, "没有封存过这一局的牌墙。"),
    "broken promise": (set_at(0, HAND, salt="ab", commitment="cd"), 2, "揭示的牌墙与开局前的承诺不符。"),
}  # fmt: skip
STEPS: Cases = {
    "event of no hand": (lambda data: data.insert(1, data[2]), 2, "没有正在进行的一局。"),
    "answer of no hand": (lambda data: data.insert(1, {"a": {"do": "pass"}, "seat": "E"}), 2, "没有正在进行的一局。"),
    "event 0 again": (lambda data: data.insert(3, data[2]), 4, "应是第 1 号事件。"),
    "event 0 left out": (lambda data: data.pop(2), 3, "应是第 0 号事件。"),
    "event without a number": (set_at(0, {"n": 3}, n="3"), 6, "应是第 3 号事件。"),
    "strange event": (set_at(0, {"n": 3}, e="odd"), 6, "不是事件。"),
    "answer from nowhere": (set_at(0, {"a": ...}, seat="X"), 0, "这一行缺少或写错了内容。"),
    "strange answer": (set_at(0, {"a": ...}, a={"do": "odd"}), 0, "动作的 do 应是："),
}  # fmt: skip
RECORDS: Cases = {
    "fault of a fifth player": (set_at(0, FAULT, player=4), 0, "没有第 4 位玩家。"),
    "fine that is not paid": (set_at(0, FAULT, paid=[[0, 0, 5, "", ""]]), 0, "付分有误：0 付 0 5 分。"),
    "fine of no number": (set_at(0, FAULT, paid=[[0, 1, "x", "", ""]]), 0, "这一行缺少或写错了内容。"),
    "takes back a hand": (set_at(0, {"revoke": ...}, revoke=0), 0, "第 1 条记录不是罚分。"),
    "result of no hand": (lambda data: data.insert(1, {"result": [], "totals": [0] * 4}), 2, "没有正在进行的一局。"),
    "wrong sum": (set_at(0, RESULT, totals=[-18, -18, -18, 55]), 0, "合计与收付不符。"),
    "three totals": (set_at(0, RESULT, totals=[0, 0, 0]), 0, "这一行缺少或写错了内容。"),
    "pays itself": (set_at(0, RESULT, result=[[0, 0, 5, "", ""]]), 0, "付分有误：0 付 0 5 分。"),
    "pays an unknown seat": (set_at(0, RESULT, result=[[0, 5, 5, "", ""]]), 0, "付分有误：0 付 5 5 分。"),
    "void without a hand": (lambda data: data.insert(1, {"void": 1}), 2, "没有正在进行的一局。"),
    "void of another hand": (lambda data: data.insert(9, {"void": 2}), 10, "作废的不是这一局。"),
    "seal in a hand": (lambda data: data.insert(9, {"sealed": 2}), 10, "上一局还没有结算。"),
    "seal of another hand": (lambda data: data.insert(1, {"sealed": 2}), 2, "封存的不是下一局的牌墙。"),
    "seal of hand 0": (lambda data: data.insert(1, {"sealed": 0}), 2, "封存的不是下一局的牌墙。"),
    "seal without a secret": (lambda data: data.insert(1, {"sealed": 1}), 2, "这一行缺少或写错了内容。"),
}  # fmt: skip


@pytest.mark.parametrize(
    "cases", [HEADERS, ANY_LINES, HANDS, STEPS, RECORDS], ids=["headers", "any lines", "hands", "steps", "records"]
)
def test_the_reader_refuses_a_line_that_cannot_be_in_its_own_words(cases: Cases) -> None:
    """The line is the one that is wrong: that of the change (0), the last (-1), or that of the second hand (-2)."""
    for name, (change, where, said) in cases.items():
        data = changed(change)
        line = where
        if where == -2:
            line = at(data, 1, **HAND) + 1
        elif where == -1:
            line = len(data)
        elif not where:
            line = next(n for n, (one, was) in enumerate(zip(data, game(), strict=False), 1) if one != was)
        with pytest.raises(LogError) as caught:
            read(data)
        zh, en = caught.value.text
        assert caught.value.line == line, name
        assert zh.startswith(f"第 {line} 行：{said.replace('{n}', str(len(game()) - 1))}"), (name, zh)
        assert en.startswith(f"line {line}: "), name
        assert set(re.findall(r"\d+", zh)) <= set(re.findall(r"\d+", en)), (name, en)


def test_a_log_that_is_cut_short_ends_one_line_later() -> None:
    lines = sealed_lines(game())
    for length in (1, 5, len(lines) - 1):
        with pytest.raises(LogError) as caught:
            read_log(lines[:length])
        assert caught.value.text == Text(
            f"第 {length + 1} 行：牌谱在这里中断。", f"line {length + 1}: the log ends here unexpectedly."
        )
        replay = read_log(lines[:length], unfinished=True)
        assert (replay.lines, replay.finished) == (length, False)
    for unfinished in (False, True):
        with pytest.raises(LogError) as caught:
            read_log([], unfinished=unfinished)
        assert caught.value.text == Text("第 1 行：牌谱是空的。", "line 1: the log is empty.")


def test_only_the_last_line_of_an_unfinished_log_may_be_torn() -> None:
    lines = sealed_lines(game())
    for length in (1, 2, 9):
        torn = [*lines[:length], lines[length][:-1]]
        replay = read_log(torn, unfinished=True)
        assert (replay.lines, replay.last_hash) == (length, json.loads(lines[length - 1])["h"])
        with pytest.raises(LogError) as caught:
            read_log(torn)
        assert caught.value.line == length + 1
        assert caught.value.text.zh == f"第 {length + 1} 行：不是完整的一行日志。"
        with pytest.raises(LogError, match="不是完整的一行日志"):
            read_log([*torn, lines[length + 1]], unfinished=True)
        wrong = lines[length].replace('"h":', '"h":1')
        with pytest.raises(LogError, match="校验不符"):
            read_log([*lines[:length], wrong], unfinished=True)
    with pytest.raises(LogError, match="这里应是雀谱牌谱的头一行"):
        read_log([lines[0][:-1]], unfinished=True)


# ---- rules that are not known


def test_the_log_of_an_unknown_book_is_read_by_its_events() -> None:
    data = changed(set_at(0, HEADER, rules="gone", title=["旧谱", "Old"]))
    replay = read(data, unfinished=False)
    assert replay.problems == () and replay.match.totals == read(game()).match.totals
    assert replay.notes and not replay.same_rules and replay.book.title == Text("旧谱", "Old")
    for hand, known in zip(replay.hands, read(game()).hands, strict=True):
        assert hand.problem == LogProblem(hand.line, replay.notes[0])
        assert hand.events == known.events and hand.ending is not None and known.ending is not None
        assert (hand.ending.seats, hand.ending.discarder) == (known.ending.seats, known.ending.discarder)
        assert hand.fans == known.fans and hand.payments == known.payments
    fault = replay.match.entries[1]
    assert isinstance(fault, Recorded) and len(fault.payments) == 3
    without = changed(set_at(0, HEADER, rules="gone"))
    del without[at(without, **FAULT)]["paid"]
    unpaid = read(without).match.entries[1]
    assert isinstance(unpaid, Recorded) and unpaid.payments == ()


def test_a_wall_of_other_tiles_is_read_where_the_rules_are_not_known() -> None:
    wall = "".join(f"{n}{suit}" * 4 for n in range(1, 10) for suit in "mps")
    data = changed(set_at(0, HEADER, rules="gone"))[:2]
    data[1]["wall"] = wall
    assert len(read(data).hands[0].wall.tiles) == 108


@pytest.mark.parametrize("rules", ["guobiao-mcr", "gone"])
def test_nothing_follows_an_unsettled_hand_but_its_own_lines(rules: str) -> None:
    data = changed(set_at(0, HEADER, rules=rules))[:9]
    for line in (data[1] | {"hand": 2}, {"sealed": 2}):
        with pytest.raises(LogError, match="上一局还没有结算"):
            read([*data, line])


# ---- hands dealt again and sealed walls


@pytest.mark.parametrize("rules", ["guobiao-mcr", "gone"])
def test_a_hand_that_is_dealt_again_leaves_nothing_behind(rules: str) -> None:
    data = changed(set_at(0, HEADER, rules=rules))
    for undo, undone in (({}, 0), ({"undo": "E"}, 1)):
        again = [*data[:9], {"void": 1, **undo}, *data[1:9], {"void": 1, **undo}, *data[1:-1]]
        replay = read(again)
        assert replay.undone == 2 * undone and replay.problems == ()
        assert [hand.number for hand in replay.hands] == [1, 2] and replay.match.totals == read(data).match.totals
    second = [*data[: at(data, 1, **HAND) + 9], {"void": 2}]
    assert [hand.number for hand in read(second).hands] == [1]
    ended = read([*data[:9], {"void": 1}])
    assert ended.hands == [] and ended.unfinished is None


SALTS = ("5" * 32, "", "6" * 32, "")
SEALED = Sealed(1, "7" * 64, (commit_to(0, SALTS[0]), "", commit_to(2, SALTS[2]), ""))


def sealed_hand(tiles: Any = FLOWERED, **seal: Any) -> Lines:
    lines: list[str] = []
    log = LogWriter(Match(GUOBIAO), lines.append)
    log.seal(SEALED)
    log.hand(1, RoundPosition(), Table(GUOBIAO, mix_wall(1, SEALED.secret, SALTS, tiles)), salts=SALTS)
    data = unsealed(lines)
    data[1] |= seal
    return data


def test_a_sealed_wall_is_verified_with_the_salts_of_its_players() -> None:
    data = sealed_hand()
    waiting = read(data[:2])
    assert waiting.sealed == SEALED and waiting.hands == []
    replay = read(data)
    assert replay.sealed is None
    (hand,) = replay.hands
    assert (hand.sealed, hand.salts, hand.commitment, hand.salt) == (SEALED, SALTS, SEALED.commitment, "")
    for line, change, zh in (
        (2, data[2] | {"salts": ["", "", "6" * 32, ""]}, "牌墙不是由密数和盐得出的。"),
        (2, data[2] | {"salts": ["4" * 32, "", "6" * 32, ""]}, "第 1 位玩家的盐与他的承诺不符。"),
        (2, {key: value for key, value in data[2].items() if key != "salts"}, "这一行缺少或写错了内容。"),
        (1, data[1] | {"secret": "8" * 64}, "揭示的密数与开局前的承诺不符。"),
        (2, data[1], "这一局的牌墙封存了两次。"),
    ):
        with pytest.raises(LogError) as caught:
            read([*data[:line], change, *data[line + 1 :]])
        assert caught.value.text.zh == f"第 {line + 1} 行：{zh}"


def test_the_seal_of_one_hand_is_not_that_of_the_next() -> None:
    with pytest.raises(LogError, match="没有封存过这一局的牌墙"):
        read([*sealed_hand(), {"void": 1}, sealed_hand()[2]])
    whole = [*sealed_hand(), {"void": 1}, *sealed_hand()[1:]]
    assert read(whole).hands[0].sealed == SEALED


def test_the_promise_of_a_wall_is_kept_with_its_salt() -> None:
    wall, data = make_wall(0, 1, FLOWERED), deepcopy(game())[:2]
    data[1] |= {"salt": "ab", "commitment": commitment(wall, "ab")}
    (hand,) = read(data).hands
    assert (hand.salt, hand.commitment, hand.sealed, hand.salts) == ("ab", commitment(wall, "ab"), None, ())
