"""The judge's requests of botzone.org.cn, written out for hands that are laid on purpose, read back, and exported."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from quepu.errors import Error, Text
from quepu.match import LogWriter, Match, read_log
from quepu.match.botzone_export import ExportError, to_botzone
from quepu.match.botzone_facts import read_requests
from quepu.match.botzone_record import tile_name
from quepu.match.botzone_requests import JudgeRequests, explain_refusal
from quepu.match.seats import ORIGIN
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read as read_rules
from quepu.rules.play_rules import POOL, Payment
from quepu.table import Table, seen_by
from quepu.table.events import (
    ChowClaimed,
    Dealt,
    Discarded,
    Drawn,
    FlowerSetAside,
    KongConcealed,
    ReplacementDrawn,
)
from quepu.table.facts import Fact
from tests.match.test_mjai_lines import CLAIMS, flowered, flowered_table, played, won
from tests.table.test_own_walls import own_walls
from tests.table.walls import JUNK, go, stacked, throw_away

MCR = book("guobiao-mcr")


def requests(events: Any, seat: int, round: int = 0) -> list[str]:
    made = JudgeRequests(seat, round)
    for n, event in enumerate(events):
        made.add(seen_by(event, seat, n, hidden=True))
    return made.found


def claimed() -> Table:
    wall, steps = CLAIMS
    return go(Table(MCR, wall, round=1), *steps, "N kong E", "N concealed 1s", "N discard 4m",
              "E discard N drawn", "S discard 5p drawn", "W added 9p", "W discard S")  # fmt: skip


HANDS = [
    "W4 B2 B5 B8 T3 T6 T9 T2 T2 T2 W7 W8 W9", "W3 W5 B1 B1 T4 T7 T8 B3 B6 B9 J1 J2 J3",
    "B9 B9 W2 W5 W8 T2 T5 T8 B1 B4 B7 F2 F1", "F1 F1 F1 T1 T1 T1 T1 W4 W6 B4 B6 T8 T8",
]  # fmt: skip


def told(seat: int) -> list[str]:
    """The requests of that hand: who draws is told to all, and the tile to that seat alone."""

    def draw(who: int, tile: str) -> str:
        return f"2 {tile}" if who == seat else f"3 {who} DRAW"

    return [
        f"0 {seat} 1", f"1 0 0 0 0 {HANDS[seat]}", draw(0, "W9"), "3 0 PLAY W4", "3 1 CHI W4 B9", "3 2 PENG F1",
        "3 3 GANG", draw(3, "T5"), "3 3 GANG", draw(3, "T7"), "3 3 PLAY W4", draw(0, "F4"), "3 0 PLAY F4",
        draw(1, "B5"), "3 1 PLAY B5", draw(2, "B9"), "3 2 BUGANG B9", draw(2, "B2"), "3 2 PLAY F2", draw(3, "W1"),
    ]  # fmt: skip


def test_each_event_is_one_request() -> None:
    """A claim comes together with the discard after it."""
    for seat in range(4):
        assert requests(claimed().events, seat, 1) == told(seat)


def test_requests_of_flowers() -> None:
    """Those of the deal are replaced before it; a drawn one is told in place of the draw, a discarded one is played."""
    events = flowered().hands[0].events
    for seat in range(3):
        first, deal, *rest = requests(events, seat)
        assert first == f"0 {seat} 0"
        hand = "W1 W4 W7 B2 B5 B8 T3 T6 T9 F1 F3 F2 J2" if seat == 0 else "W1 W4 W7 B2 B5 B8 T3 T6 T9 F1 F2 F3 F4"
        assert deal == f"1 2 0 0 0 {hand} H1 H2"
        assert rest == [
            "2 J1" if seat == 0 else "3 0 DRAW", "3 0 PLAY J1", "3 1 BUHUA H8", "2 B9" if seat == 1 else "3 1 DRAW",
            "3 1 PLAY B9", "2 T8" if seat == 2 else "3 2 DRAW",
        ]  # fmt: skip
    wall = stacked(["147m258p369sESW春", "147m258p369sESWN", "147m258p369sE菊NN"], "夏C", "FN", flowers=True)
    table = go(Table(MCR, wall), "E discard 夏 drawn")
    for seat in range(3):
        _, deal, draw, play, *_ = requests(table.events, seat)
        assert deal.split()[1:5] == ["1", "0", "1", "0"] and deal.split()[18:] == ["H1", "H8"]
        assert (draw, play) == ("2 H2" if seat == 0 else "3 0 DRAW", "3 0 PLAY H2")
    assert requests(table.events, 2)[1].startswith("1 1 0 1 0 W1 W4 W7 B2 B5 B8 T3 T6 T9 F1 F4 F4 F4 ")


def test_what_the_platform_does_not_play_has_no_requests() -> None:
    assert explain_refusal(MCR) is None and explain_refusal(book("guobiao")) is None
    assert explain_refusal(book("canton")) == ("Botzone 只打国标麻将。", "Botzone plays only MCR.")
    after_claims = explain_refusal(read_rules('base = "guobiao-mcr"\n[table]\nkong_after_claim = true'))
    held = explain_refusal(MCR.having(id="held", options={"held_flowers": True}))
    assert held == (
        "这本规则的花牌可以留在手里，Botzone 上摸到就补。",
        "a flower may be held here; on the platform it is replaced at once.",
    )
    assert after_claims is not None and after_claims.zh.startswith("这本规则吃碰后可以接着开杠")


# ---- read back


def seen_facts(events: Any, seat: int) -> list[Fact]:
    """What a seat knows of events: its own deal and draws, and everything public."""
    facts = [Fact.of(event) for event in events if event.tag != "dice"]
    hidden = (Drawn, ReplacementDrawn, KongConcealed)
    facts = [fact._replace(tile=None) if fact.event in hidden and fact.seat != seat else fact for fact in facts]
    facts = [fact._replace(drawn=None) if fact.event is Discarded else fact for fact in facts]
    return [fact for fact in facts if fact.event is not Dealt or fact.seat == seat]


def test_requests_are_read_as_the_events() -> None:
    events = claimed().events
    for seat in range(4):
        found = told(seat)
        answers = ["PASS"] * (len(found) - 1)
        if seat == 3:
            answers[7] = "GANG T1"  # to its draw before
        for short in (answers, answers[:8]):
            seen = read_requests(found, short)
            assert (seen.seat, seen.round) == (seat, 1) and seen.facts == seen_facts(events, seat)
        actors = [0, 0, 1, 2, None, 3, None, 3, 3, 0, 0, 1, 1, 2, 2, 2, 2, 3]
        for n, actor in enumerate(actors, 3):
            last = found[n - 1].split()
            own = last[0] == "2" or (last[2] not in ("DRAW", "GANG") and int(last[1]) != seat)
            assert read_requests(found[:n], answers).actor == (actor if own else None)
    unnamed = read_requests(told(3), ["GANG T9"] * 7 + ["PASS"] * 9)
    assert [fact.tile for fact in unnamed.facts if fact.event is KongConcealed] == [None]
    for answer in ("GANG", "BUGANG T1", ""):
        assert read_requests(told(3)[:9], ["PASS"] * 7 + [answer]).facts[-1] == Fact(KongConcealed, 3, None)
    assert read_requests(told(0)[:9], ["PASS"] * 7 + ["GANG T1"]).facts[-1] == Fact(KongConcealed, 3, None)


def test_flowers_are_read_as_events() -> None:
    deal = f"1 0 1 0 0 {HANDS[0]} H8"
    begun = ["0 0 0", deal, "3 0 BUHUA H3 H8", "2 B5", "3 0 PLAY B5", "3 1 BUHUA H4", "3 1 BUHUA H5", "3 1 DRAW"]
    _, *facts = read_requests(begun, []).facts
    assert facts == [
        Fact(FlowerSetAside, 1, 41), Fact(ReplacementDrawn, 1), Fact(Drawn, 0, 36), Fact(FlowerSetAside, 0, 36),
        Fact(ReplacementDrawn, 0, 13), Fact(Discarded, 0, 13), Fact(Drawn, 1, 37), Fact(FlowerSetAside, 1, 37),
        Fact(ReplacementDrawn, 1, 38), Fact(FlowerSetAside, 1, 38), Fact(ReplacementDrawn, 1),
    ]  # fmt: skip
    after_kong = read_requests([*begun[:2], "3 1 DRAW", "3 1 GANG", "3 1 DRAW", "3 1 PLAY W1", "3 2 DRAW"], []).facts
    assert [fact.event for fact in after_kong[-4:]] == [KongConcealed, ReplacementDrawn, Discarded, Drawn]


def test_requests_that_the_judge_does_not_send() -> None:
    deal = f"1 0 0 0 0 {HANDS[0]}"
    begun = ["0 0 0", deal]
    discarded = [*begun, "3 3 DRAW", "3 3 PLAY W2"]
    unknown = "不认识裁判的请求"
    for wrong, number, sentence in (
        ([], 1, unknown), (["0 0"], 1, unknown), (["1 0 0"], 1, unknown),
        (["0 4 0"], 1, "这里应是 0 到 3 的数，而不是“4”"),
        (["0 0 4"], 1, "这里应是 0 到 3 的数"), (["0 0 00"], 1, "这里应是 0 到 3 的数"),
        (["0 0 0", deal[:-3]], 2, unknown), (["0 0 0", "2 W1"], 2, unknown), (["0 0 0", "3 0 DRAW"], 2, unknown),
        (["0 0 0", deal.replace("0 0 0 0", "1 0 0 0")], 2, "配牌的花牌张数不符"),
        (["0 0 0", f"{deal} H1"], 2, "花牌张数"),
        (["0 0 0", deal.replace("0 0 0 0", "0 0 x 0")], 2, "花牌张数"),
        (["0 0 0", deal.replace("0 0 0 0", "0 0 9 0") + " H1" * 9], 2, "花牌张数"),
        ([*begun, deal], 3, unknown), ([*begun, "2"], 3, unknown), ([*begun, "2 W1 W2"], 3, unknown),
        ([*begun, "4 W1"], 3, unknown), ([*begun, ""], 3, unknown),
        ([*begun, "3 0"], 3, unknown), ([*begun, "3"], 3, unknown),
        ([*begun, "3 0 PLAY"], 3, unknown), ([*begun, "3 0 BUHUA"], 3, unknown), ([*begun, "3 0 BUGANG"], 3, unknown),
        ([*begun, "3 0 DANCE W1"], 3, unknown), ([*begun, "3 4 DRAW"], 3, "0 到 3 的数"),
        ([*begun, "3 0 PLAY X1"], 3, "不认识的牌"), ([*begun, "2 X1"], 3, "不认识的牌"),
        ([*begun, "3 0 PENG W1"], 3, unknown), ([*begun, "3 0 CHI W2 W1"], 3, unknown),
        ([*discarded, "3 0 PENG"], 5, unknown), ([*discarded, "3 0 CHI W2"], 5, unknown),
        ([*discarded, "3 0 DRAW", "3 0 PENG W1"], 6, unknown), ([*discarded, "3 0 GANG", "3 0 PENG W1"], 6, unknown),
        *(([*discarded, f"3 0 CHI {middle} W5"], 5, unknown) for middle in ("W1", "W9", "B1", "T9", "F1", "J2", "H1")),
    ):  # fmt: skip
        with pytest.raises(Error, match=sentence) as refused:
            read_requests(wrong, [])
        assert refused.value.at == number
    for middle in ("W2", "W8", "B2", "T8"):
        assert read_requests([*discarded, f"3 0 CHI {middle} W5"], []).facts[-2].event is ChowClaimed
    with pytest.raises(Error) as refused:
        read_requests(["7" * 61], [])
    assert refused.value.text == (
        f"第 1 条：不认识裁判的请求：{'7' * 60}", f"entry 1: this is not a request from the judge: {'7' * 60}"
    )  # fmt: skip
    eight = "".join(f" H{n}" for n in range(1, 9))
    assert len(read_requests(["0 0 0", deal.replace("0 0 0 0", "0 0 8 0") + eight], []).facts) == 17


# ---- exported


def exported(table: Table) -> list[dict[str, Any]]:
    found = to_botzone(played(table))["logs"]
    assert isinstance(found, list)
    return found


def test_an_exported_hand_has_the_requests_and_an_answer_to_each() -> None:
    for table, kongs in ((claimed(), [8]), (flowered_table(), [])):
        throw_away(table)
        *logs, end = exported(table)
        sent = [entry["output"] for entry in logs[::2]]
        assert all(output["command"] == "request" for output in sent)
        for seat in range(4):
            assert [output["content"][str(seat)] for output in sent] == requests(table.events, seat)
        # the only entry that shows a tile is that of the concealed kong of 1s
        assert [output["display"] for output in sent] == [
            {"tile": "T1"} if n in kongs else {} for n in range(len(sent))
        ]
        for n, (answers, output) in enumerate(zip(logs[1::2], [*sent[1:], {}], strict=True), 1):
            given = ["PASS"] * 4
            _, who, *words = output["content"]["0"].split() if output else ["3", "0"]
            if n > 1 and words and words[0] in ("PLAY", "CHI", "PENG", "BUGANG", "GANG"):
                given[int(who)] = "GANG T1" if n in kongs else " ".join(words)
            assert answers == {str(seat): {"response": given[seat], "verdict": "OK"} for seat in range(4)}, n
        assert end == {"output": {
            "command": "finish", "content": {"0": 0, "1": 0, "2": 0, "3": 0}, "display": {"action": "HUANG"},
        }}  # fmt: skip


def test_an_exported_win() -> None:
    """Thirteen orphans: 88 fan from the discarder, 8 from each."""
    *_, answers, end = exported(won())
    assert [answers[str(seat)]["response"] for seat in range(4)] == ["HU", "PASS", "PASS", "PASS"]
    assert end == {"output": {
        "command": "finish", "content": {"0": 112, "1": -8, "2": -96, "3": -8},
        "display": {"action": "HU", "player": 0, "fanCnt": 88, "fan": [{"name": "十三幺", "cnt": 1}]},
    }}  # fmt: skip
    data = to_botzone(played(won(), first={"dealership": 1}))
    assert data["players"] == [{"name": name} for name in "bcda"] and data["initdata"] == {}


def test_payments_are_exported_as_the_log_has_them() -> None:
    replay = played(won())
    (hand,) = replay.hands
    pool = (Payment(1, POOL, 5, Text("", "")), Payment(2, 0, 7, Text("", "")))
    *_, end = to_botzone(replace(replay, hands=[replace(hand, payments=pool)]))["logs"]
    assert end["output"]["content"] == {"0": 7, "1": -5, "2": -7, "3": 0}


def test_an_exported_wall_is_taken_from_its_end() -> None:
    table = throw_away(Table(MCR, own_walls(*JUNK), round=2))
    match = Match(MCR, tuple("abcd"), 4, first=ORIGIN._replace(round=3))  # type: ignore[arg-type]
    lines: list[str] = []
    log = LogWriter(match, lines.append, own_walls=True)
    log.hand(1, match.place, table)
    match = match.add_hand(table.ending)  # type: ignore[arg-type]
    log.result(match.hands[-1].settlement, match.totals, table.ending)
    data = to_botzone(read_log(lines, unfinished=True))["initdata"]
    names = [tile_name(tile) for tile in table.wall.tiles]
    own = [names[34 * seat : 34 * seat + 34][::-1] for seat in range(4)]
    assert data == {"walltiles": " ".join(name for one in own for name in one), "quan": 2}


def test_which_hands_can_be_exported() -> None:
    replay = played(won(), Table(MCR, CLAIMS[0]))
    for number in (-1, 0, 3):
        with pytest.raises(ExportError) as refused:
            to_botzone(replay, number)
        assert refused.value.text == (
            f"没有第 {number} 局：牌谱有 2 局，从 1 数起。",
            f"there is no hand {number}: the log has 2 hands, counted from 1.",
        )
    with pytest.raises(ExportError, match="这一局没有打完"):
        to_botzone(replay, 2)
    assert to_botzone(replay, 1) == to_botzone(replay)
    other = read_rules('base = "guobiao-mcr"\n[table]\nkong_after_claim = true')
    with pytest.raises(ExportError, match="吃碰后可以接着开杠"):
        to_botzone(replace(replay, book=other))
