"""Logs of other programs' hands (`foreign.log_of`): each move at our table, the wall, and what was lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from quepu.errors import Text
from quepu.match.foreign import log_of
from quepu.match.foreign_hand import ForeignError, ForeignHand, ForeignMatch, Move
from quepu.match.log import Replay
from quepu.match.reader import read_log
from quepu.rulebooks import book
from quepu.table import Table
from quepu.table.events import Discarded, Drawn, Event
from quepu.table.wall import TILE_NAMES
from quepu.tiles import FLOWERED, PLAIN, WINDS
from tests.match.test_mjai_lines import CLAIMS, DEALT
from tests.table.test_own_walls import own_walls
from tests.table.walls import JUNK, go, kinds, stacked, throw_away

NAMES = ("a", "b", "c", "d")
CLAIMED = [kinds("".join(hand)) for hand in DEALT]
MOVES = (
    "E draw 9m", "E play 4m", "S chow 4m", "S play 9p", "W pung", "W play E", "N kong", "N draw 5s", "N kong 1s",
    "N draw 7s", "N play 4m", "E draw N", "E play N", "S draw 5p", "S play 5p", "W draw 9p", "W added 9p", "W draw 2p",
    "W play S",
)  # fmt: skip
"""The hand of `CLAIMS`, as a record has it."""


def hand(*moves: str, dealt: Any = JUNK, flowers: Any = ("", "", "", ""), **fields: Any) -> ForeignHand:
    """A hand in which these moves have the numbers from 1 on."""
    read = []
    for entry, text in enumerate(moves, 1):
        words = text.split()
        seat = WINDS.index(words.pop(0)) if words[0] in WINDS[:4] else None
        read.append(Move(words[0], seat, kinds(words[1])[0] if len(words) > 1 else None, entry))
    given = [tuple(kinds(one) if isinstance(one, str) else one) for one in dealt]
    aside = tuple(tuple(kinds(one)) for one in flowers)
    named: dict[str, Any] = {"round": 0, "scores": None, "fan": None} | fields
    return ForeignHand(dealt=tuple(given), flowers=aside, moves=read, **named)


def log(*hands: ForeignHand, rules: str = "guobiao-mcr") -> tuple[Replay, list[str], list[str]]:
    """The log of hands and what was lost, in both languages."""
    lines, lost = log_of(ForeignMatch("there", rules, NAMES, list(hands)))
    assert json.loads(lines[0])["options"] == {"from": "there"}
    return read_log(lines, unfinished=True), [text.zh for text in lost], [text.en for text in lost]


def events_of(replay: Replay) -> list[Event]:
    """All events but the dice."""
    return list(replay.hands[0].events[1:])


OPEN_REMARK = Text("一", "one")
STOPPED = "：与重演不符，牌谱停在这里。"
OPEN = "记录没有打完。"


def test_every_kind_of_move_is_played_again() -> None:
    wall, steps = CLAIMS
    table = go(Table(book("guobiao-mcr"), wall), *steps, "N kong E", "N concealed 1s", "N discard 4m",
               "E discard N drawn", "S discard 5p drawn", "W added 9p", "W discard S")  # fmt: skip
    replay, zh, en = log(hand(*MOVES, dealt=CLAIMED))
    assert (zh, en) == ([OPEN], ["the record is not finished."])
    assert events_of(replay)[:-1] == list(table.events[1:-1])  # but for the tile that North draws then
    assert not replay.finished and replay.match.hands == ()
    for at, wrong in ((0, "S draw 9m"), (5, "E play E"), (6, "S kong"), (11, "S draw N"), (4, "N pung")):
        moves = [*MOVES[:at], wrong, *MOVES[at + 1 :]]
        _, zh, _ = log(hand(*moves, dealt=CLAIMED))
        assert len(zh) == 1 and zh[0].startswith(f"第 {at + 1} 条：") and zh[0].endswith("牌谱停在这里。")


def test_whoever_did_not_claim_has_passed() -> None:
    """West pungs, South chows or nobody claims East's 5m; North wins with it."""
    deals = ["5m147p258s369pESW", "46m258p147s369sCF", "55m258p147s47sCFN", "123789m123p55s46m"]
    begun = ("E draw N", "E play 5m")
    for after, tags in (
        (("S draw 1p", "S play 1p"), ["draw", "discard"]),
        (("S chow 5m", "S play C"), ["chow", "discard"]),
        (("W pung", "W play C"), ["pung", "discard"]),
        (("N win",), ["win"]),
    ):
        replay, zh, _ = log(hand(*begun, *after, dealt=deals))
        told = [event for event in events_of(replay) if event.tag not in ("deal", "show")]
        assert [event.tag for event in told[2 : 2 + len(tags)]] == tags
        assert getattr(told[2], "seat", None) == WINDS.index(after[0][0])
        assert zh == ([] if after == ("N win",) else [OPEN])
        assert replay.finished is (after == ("N win",))
    for refused in ("S pung", "W chow 5m", "W kong", "S win", "E win"):
        _, (zh_only,), _ = log(hand(*begun, refused, dealt=deals))
        assert zh_only.startswith("第 3 条：") and zh_only.endswith("牌谱停在这里。") and zh_only != OPEN
    for chow in ("S chow 4m", "S chow 6m"):  # 345m and 567m are not there
        _, (zh_only,), _ = log(hand(*begun, chow, dealt=deals))
        assert zh_only.startswith("第 3 条：") and zh_only != f"第 3 条{STOPPED}"


def test_moves_that_the_table_does_not_make_stop_the_log() -> None:
    for moves in (
        ("S draw 2m",),
        ("drawn",),
        ("E draw 2m", "drawn"),
        ("E draw 2m", "E play 2m", "E draw 2m"),
        ("E draw 2m", "E pung"),
        ("E draw 2m", "S chow 2m"),
        ("E draw 2m", "win"),
        ("E draw 2m", "E play 2m", "win"),
        ("E draw 2m", "kong 2m"),
    ):
        replay, zh, en = log(hand(*moves))
        at = len(moves)
        assert zh == [f"第 {at} 条{STOPPED}"]
        assert en == [f"entry {at}: replaying gives a different result; the log stops here."]
        assert len(replay.hands) == 1 and not replay.finished
    for move in ("E play P", "E kong 2m", "E added 2m", "E win", "E flower 春", "S play 2m"):
        _, (zh_only,), (en_only,) = log(hand("E draw 2m", move))
        assert zh_only.startswith("第 2 条：") and zh_only.endswith("牌谱停在这里。") and STOPPED not in zh_only
        assert en_only.startswith("entry 2: ") and en_only.endswith(" The log stops here.")


# ---- flowers


def test_flowers_are_replaced_from_the_tail() -> None:
    """By who draws them in the one book, by the table itself in the other."""
    moves = ("E draw 夏", "E flower 夏", "E draw 2m", "E play 2m", "S draw 6p", "S play 6p")
    deal = ["147m258p369sESW1p", *JUNK[1:]]
    for rules in ("guobiao-mcr", "canton"):
        replay, zh, _ = log(hand(*moves, dealt=deal, flowers=("春", "", "", "")), rules=rules)
        assert zh == [OPEN]
        told = [(event.tag, event.seat, event.tile) for event in events_of(replay)[4:12]]  # type: ignore[attr-defined]
        assert told == [
            ("flower", 0, 34), ("replace", 0, 9), ("draw", 0, 35), ("flower", 0, 35), ("replace", 0, 1),
            ("discard", 0, 1), ("draw", 1, 14), ("discard", 1, 14),
        ]  # fmt: skip
        order = replay.hands[0].wall.order()
        assert order[52:54] == [35, 14] and order[-2:] == [9, 1]
    replay, _, _ = log(hand("E draw 夏", "E play 夏"))
    assert [event.tag for event in events_of(replay)[4:6]] == ["draw", "discard"]


def test_a_wall_has_flowers_if_any_was_seen() -> None:
    def size(*moves: str, **fields: Any) -> int:
        return len(log(hand(*moves, **fields))[0].hands[0].wall.tiles)

    assert size("E draw 2m") == 136 and size("E draw 春") == 144
    assert size("E draw 2m", flowers=("", "", "", "菊")) == 144
    assert size("E draw 2m", rest=list(FLOWERED.tiles)) == 144 and size("E draw 2m", rest=list(PLAIN.tiles)) == 136


# ---- the wall


def thrown(own: bool = False) -> tuple[Table, ForeignHand]:
    """A hand in which everybody throws away what is drawn to the end, and its record."""
    wall = stacked([*JUNK]) if not own else own_walls(*JUNK)
    table = throw_away(Table(book("guobiao-mcr"), wall))
    moves = []
    for event in table.events:
        if isinstance(event, Drawn | Discarded):
            what = "draw" if isinstance(event, Drawn) else "play"
            moves.append(f"{WINDS[event.seat]} {what} {TILE_NAMES[event.tile]}")
    return table, hand(*moves, "drawn", scores=[0, 0, 0, 0])


def test_a_hand_is_played_to_the_last_tile_of_its_wall() -> None:
    table, record = thrown()
    assert sum(move.what == "draw" for move in record.moves) == 84
    replay, zh, _ = log(record)
    assert replay.finished and zh == []
    assert events_of(replay) == list(table.events[1:]) and replay.match.totals == (0, 0, 0, 0)
    header, *_, end = log_of(ForeignMatch("there", "guobiao-mcr", NAMES, [record]))[0]
    assert "end" in json.loads(end) and json.loads(header)["players"] == list(NAMES)
    more = record._replace(moves=[*record.moves[:-1], Move("draw", 0, 0, 200)])
    with pytest.raises(ForeignError) as refused:
        log(more)
    assert refused.value.text == ("第 200 条：摸的牌比一副牌还多。", "entry 200: more tiles are drawn than there are.")


def test_a_fifth_tile_of_a_kind_is_named() -> None:
    with pytest.raises(ForeignError) as refused:
        log(hand("E draw 1m", dealt=[JUNK[0], JUNK[1], JUNK[2], "1147m258p36sESWN"]))
    assert refused.value.text == ("1m 出现了不止四张。", "there are more than four of 1m.")
    for dragons, fifth in (("PPPP", True), ("PPPE", False)):
        record = hand("E draw P", "E play P", dealt=[*JUNK[:3], f"147m258p369s{dragons}"])
        if fifth:
            with pytest.raises(ForeignError, match="P 出现了不止四张"):
                log(record)
        else:
            assert log(record)[1] == [OPEN]


def test_own_walls_are_kept() -> None:
    table, record = thrown(own=True)
    assert sum(move.what == "draw" for move in record.moves) == 84  # 21 of each seat's own
    replay, zh, _ = log(record._replace(own_walls=True))
    assert replay.hands[0].wall.own and replay.hands[0].wall.tiles == table.wall.tiles and zh == []
    assert replay.header["walls"] == "own" and "walls" not in log(record)[0].header
    more = [*record.moves[:-1], Move("draw", 0, 0, 200)]
    with pytest.raises(ForeignError, match="第 200 条"):
        log(record._replace(own_walls=True, moves=more))
    pung = ("E draw 2m", "E play 2m", "W pung", "W play 9m")
    deal = [*JUNK[:2], "22m47m258p369sESW", JUNK[3]]
    taken = [f"{WINDS[n % 4]} {what} {tile}m" for n, tile in ((3, 3), (0, 5)) for what in ("draw", "play")]
    replay, zh, _ = log(hand(*pung[:3], "W play W", *taken, dealt=deal, own_walls=True))
    assert replay.hands[0].wall.own and zh == [OPEN]


def test_who_drew_more_than_an_own_wall_has_shared_one() -> None:
    """A seat's own wall has 21 tiles after the deal."""
    _, record = thrown()
    draws = [move for move in record.moves if move.what == "draw"]
    moves = [move._replace(seat=0 if n < 22 else 1 + n % 3) for n, move in enumerate(draws)]
    replay, zh, _ = log(record._replace(own_walls=True, moves=moves))
    assert not replay.hands[0].wall.own and zh[0].endswith(STOPPED)


def test_undrawn_tiles_are_in_the_order_of_the_programs_own_wall() -> None:
    table, record = thrown()
    order = table.wall.order()
    cut = record._replace(moves=record.moves[:4], scores=None)

    def undrawn(rest: list[int]) -> list[int]:
        (played,) = log(cut._replace(rest=rest))[0].hands
        return played.wall.order()[54:]

    mixed = [*order[:54], *order[:53:-1]]
    assert undrawn(order) == order[54:] and undrawn(mixed) == order[:53:-1]  # the same tiles were drawn from it
    turned = order[::-1]
    left = list(order[54:])
    expected = [tile for n, tile in enumerate(turned) if turned[:n].count(tile) >= order[:54].count(tile)]
    assert undrawn(turned) == expected and sorted(expected) == sorted(left)  # others were: the first of each are gone
    for unknown in ([], order[1:], [*order, 0], [order[1], *order[1:]], [*order[:-1], order[0]], [0] * 136):
        assert undrawn(unknown) == sorted(left)


def test_a_wall_with_its_dice_is_kept_if_it_was_drawn_as_at_our_table() -> None:
    table, record = thrown()
    rebuilt = "摸牌次序与我们的牌桌不同，牌墙是按摸到的牌重砌的。"
    replay, zh, _ = log(record._replace(wall=table.wall))
    assert replay.hands[0].wall == table.wall and zh == []
    other = stacked([*JUNK], "P")
    for own in (False, True):
        replay, zh, en = log(record._replace(wall=other, own_walls=own))
        assert zh == [rebuilt] and en == ["drawn in another order: the wall is rebuilt."]
        assert replay.hands[0].wall.own is own and replay.finished
    assert log(record)[1] == []


# ---- hands of a match, and what is lost


def end_of(*hands: ForeignHand) -> tuple[Replay, list[str]]:
    replay, zh, _ = log(*hands)
    return replay, zh


WON = hand(
    "E draw 9m", "E play 9m", "S draw 8m", "S play 8m", "W draw P", "W play P", "E win",
    dealt=["19m19p19sESWNCFE", "123m456p789sEE77p", "2468m2468p2468sW", "345m345p345s2m3p4s5m"],
)  # fmt: skip
"""Thirteen orphans, 88 fan: East gains 112, South 8, West 96 and North 8 are lost."""


def test_a_result_that_is_another_here_is_told() -> None:
    for fan, fans, scores, lost in (
        (None, "", None, []),
        (88, "x", [112, -8, -96, -8], []),
        (89, "", None, [("记录算 89 番，这里算 88 番。", "the record counts 89 fan, this book 88.")]),
        (0, "花牌 无番和", None, [
            ("记录算 0 番（花牌 无番和），这里算 88 番。", "the record counts 0 fan (花牌 无番和), this book 88.")]),
        (None, "", [112, -8, -96, -9], [
            ("记录的得分是 +112 -8 -96 -9，这里结算为 +112 -8 -96 -8。",
             "the record scores +112 -8 -96 -9, this book +112 -8 -96 -8.")]),
        (None, "", [0, 0, 0, 0], [
            ("记录的得分是 +0 +0 +0 +0，这里结算为 +112 -8 -96 -8。",
             "the record scores +0 +0 +0 +0, this book +112 -8 -96 -8.")]),
    ):  # fmt: skip
        replay, zh, en = log(WON._replace(fan=fan, fans=fans, scores=scores))
        assert list(zip(zh, en, strict=True)) == lost
        assert replay.finished and replay.match.totals == (112, -8, -96, -8)
    _, record = thrown()
    for fan, said in ((None, []), (0, []), (8, ["记录算 8 番，这里算 0 番。"])):
        assert log(record._replace(fan=fan))[1] == said


def test_scores_are_by_seat_or_by_player() -> None:
    seated = WON._replace(seats=(2, 3, 0, 1))
    for by_player, scores in ((False, [112, -8, -96, -8]), (True, [-96, -8, 112, -8])):
        assert log(seated._replace(by_player=by_player, scores=scores))[1] == []
        assert len(log(seated._replace(by_player=not by_player, scores=scores))[1]) == 1
    assert log(seated)[0].match.totals == (-96, -8, 112, -8)


def test_a_fault_is_told_with_who_made_it() -> None:
    for code, zh, en in (
        ("WH", "错和", "false win"), ("WA", "应答有误", "wrong answer"), ("TLE", "超时", "out of time"),
        ("MLE", "内存超限", "out of memory"), ("RE", "程序崩溃", "crashed"),
        ("NJ", "应答不是 JSON", "answer is not JSON"), ("XY", "XY", "XY"),
    ):  # fmt: skip
        found = log(hand("E draw 2m", "S fault", fault=code))
        assert found[1] == [f"南家{zh}（{code}），对局到此为止，没有结算。"]
        assert found[2] == [f"player 1: {en} ({code}); the match ends there, unsettled."]
        assert not found[0].finished and found[0].match.hands == ()
    assert log(hand("E draw 2m", "fault", fault="WA"))[1][0].startswith("有一家应答有误")
    assert log(hand("E draw 2m", "fault", fault="WA"))[2][0].startswith("a player: wrong answer")
    assert log(hand("E draw 2m", "E fault", fault="WA"))[1][0].startswith("东家应答有误")
    assert log(WON._replace(fault="WA"))[0].match.hands == ()  # a fault is not settled, whatever was won


def test_scores_of_an_unfinished_hand_are_told() -> None:
    scores = [10, -30, 10, 10]
    kept = "记录的得分 +10 -30 +10 +10 没有保留。", "its scores +10 -30 +10 +10 are not kept."
    for record, first in (
        (hand("E draw 2m", "S fault", fault="WA"), "南家应答有误（WA），对局到此为止，没有结算。"),
        (hand("E draw 2m"), OPEN),
        (hand("S draw 2m"), f"第 1 条{STOPPED}"),
    ):
        assert log(record._replace(scores=scores))[1] == [first, kept[0]]
        assert log(record._replace(scores=scores))[2][1:] == [kept[1]]
        for none in (None, [0, 0, 0, 0]):
            assert log(record._replace(scores=none))[1] == [first]


def test_each_result_has_its_own_winner() -> None:
    _, nobody = thrown()
    lines, _ = log_of(ForeignMatch("there", "guobiao-mcr", NAMES, [nobody, WON._replace(dealership=1)]))
    drawn, won = (line for line in map(json.loads, lines) if "result" in line)
    assert "won" not in drawn and won["won"]["points"] == 88
    assert (drawn["totals"], won["totals"]) == ([0, 0, 0, 0], [-8, 112, -8, -96])


def test_losses_name_their_hand_if_there_are_several() -> None:
    assert end_of(hand("E draw 2m"))[1] == [OPEN]
    record = ForeignMatch("there", "guobiao-mcr", NAMES, [WON, WON._replace(fan=8, dealership=1)], (OPEN_REMARK,))
    _, lost = log_of(record)
    assert lost == [
        OPEN_REMARK, ("第 2 局：记录算 8 番，这里算 88 番。", "hand 2: the record counts 8 fan, this book 88.")
    ]  # fmt: skip
    ignored = [WON._replace(ignored=1), WON._replace(ignored=2, dealership=1)]
    assert log(*ignored)[1:] == (
        ["被更高的叫牌压下的 3 次吃碰和没有保留。"], ["not kept: 3 claims that lost to a higher one."],
    )  # fmt: skip


def test_an_unfinished_hand_is_void_if_another_follows() -> None:
    broken, after = hand("E draw 2m"), WON._replace(dealership=1)
    lines, lost = log_of(ForeignMatch("there", "guobiao-mcr", NAMES, [WON, broken, after]))
    plain = [json.loads(line) for line in lines]
    assert [line["void"] for line in plain if "void" in line] == [2]
    assert [line["hand"] for line in plain if "hand" in line] == [1, 2, 2] and "end" in plain[-1]
    assert [text.zh for text in lost] == [f"第 2 局：{OPEN}"]
    lines, _ = log_of(ForeignMatch("there", "guobiao-mcr", NAMES, [WON, broken]))
    assert not any("void" in line or "end" in json.loads(line) for line in lines)


def test_a_match_without_hands_is_refused() -> None:
    with pytest.raises(ForeignError) as refused:
        log_of(ForeignMatch("there", "guobiao-mcr", NAMES, []))
    assert refused.value.text == ("里面一局都没有。", "there is no hand in it.")


def test_the_place_of_each_hand() -> None:
    """The book's own order where the record agrees with it, else what the record says."""

    def places(*wanted: tuple[int, int, Any]) -> list[tuple[Any, ...]]:
        hands = [WON._replace(round=round_, dealership=at, seats=seats) for round_, at, seats in wanted]
        replay, _, _ = log(*hands)
        assert replay.match.rounds == wanted[-1][0] + 1
        return [(one.place.round, one.place.dealership, one.place.seats) for one in replay.hands]

    turned = [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]
    assert places(*((0, at, None) for at in range(4))) == [(1, at, turned[at]) for at in range(4)]
    for round_, at in ((0, 0), (1, 2), (2, 1), (3, 3)):
        assert places((round_, at, None)) == [(round_ + 1, at, turned[at])]
        assert places((round_, at, (2, 0, 3, 1))) == [(round_ + 1, at, (2, 0, 3, 1))]
    assert places((0, 0, None), (1, 2, None)) == [(1, 0, turned[0]), (2, 2, turned[2])]
    assert places((0, 2, None), (0, 0, None), (0, 1, None)) == [(1, 2, turned[2]), (1, 0, turned[0]), (1, 1, turned[1])]
    moved = places((0, 3, None), (1, 0, None))
    assert moved[0] == (1, 3, turned[3]) and moved[1][:2] == (2, 0)
