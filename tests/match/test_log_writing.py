"""Every line of a log as the described format has it, and a log that broke off and goes on."""

from __future__ import annotations

import json
import random
import zlib
from typing import Any

import pytest

from quepu import parse
from quepu.errors import Text
from quepu.match import LogError, LogWriter, Match, Penalty, Replay, RoundPosition, read_log
from quepu.match.log import LogProblem, PlayedHand, chain_hash, read_flow
from quepu.match.log_lines import Step
from quepu.match.settle import Settlement
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, Payment, SeatWin
from quepu.scoring.score import score_hand
from quepu.table import Table, make_wall
from quepu.table.actions import PASS, Action
from quepu.table.events import Drawn
from quepu.table.mixed_wall import Sealed
from quepu.table.wall import WallPlan
from quepu.version import __version__

GUOBIAO, YUQUE = book("guobiao-mcr"), book("yuque-54")
START = RoundPosition()


def data_of(lines: list[str]) -> list[dict[str, Any]]:
    """Return the data of lines, each without its hash, which must be that of the chain."""
    last, found = 0, []
    for line in lines:
        body, _, number = line.removesuffix("}").rpartition(',"h":')
        last = zlib.crc32(body.encode(), last)
        assert number == str(last)
        found.append(json.loads(body + "}"))
    return found


def test_each_hash_is_a_crc_that_goes_on_from_the_line_before() -> None:
    assert chain_hash(0, "123456789") == 0xCBF43926, "the check value of CRC-32"
    assert chain_hash(chain_hash(0, "12345"), "6789") == 0xCBF43926
    assert chain_hash(0, "牌") == zlib.crc32("牌".encode())


PLAIN_HEADER = {
    "log": 3, "quepu": __version__, "rules": "guobiao-mcr", "revision": GUOBIAO.revision,
    "fingerprint": GUOBIAO.fingerprint, "title": list(GUOBIAO.title), "players": ["甲", "乙", "丙", "丁"], "rounds": 4,
    "ranked": False,
}  # fmt: skip
HOUSE = GUOBIAO.having(options={"penalties": "2025"})


@pytest.mark.parametrize(
    ("match", "given", "more"),
    [
        (Match(GUOBIAO), {}, {}),
        (Match(GUOBIAO), {"seed": None, "players": (), "options": {}, "own_walls": False}, {}),
        (Match(GUOBIAO), {"seed": 0}, {"seed": 0}),
        (Match(GUOBIAO), {"seed": "x"}, {"seed": "x"}),
        (Match(GUOBIAO), {"players": iter(["a", "b", "c", "d"])}, {"bots": ["a", "b", "c", "d"]}),
        (Match(GUOBIAO), {"options": {"pace": 3}}, {"options": {"pace": 3}}),
        (Match(GUOBIAO), {"own_walls": True}, {"log": 4, "walls": "own"}),
        (Match(GUOBIAO, ("a", "b", "c", "d"), 2, True), {},
         {"players": ["a", "b", "c", "d"], "rounds": 2, "ranked": True}),
        (Match(GUOBIAO, first=RoundPosition(2, 1, 3, (3, 1, 0, 2))), {}, {"begin": [2, 1, 3, [3, 1, 0, 2]]}),
        (Match(HOUSE), {}, {"fingerprint": HOUSE.fingerprint, "chosen": dict(HOUSE.chosen)}),
        (Match(book("guobiao-mcr@1")), {}, {"revision": 1, "fingerprint": book("guobiao-mcr@1").fingerprint,
                                            "title": list(book("guobiao-mcr@1").title)}),
    ],
)  # fmt: skip
def test_a_header_says_what_is_played(match: Match, given: dict[str, Any], more: dict[str, Any]) -> None:
    lines: list[str] = []
    log = LogWriter(match, lines.append, **given)
    (header,) = data_of(lines)
    assert header == PLAIN_HEADER | more
    assert (log.lines, log.format, log.own_walls) == (1, header["log"], "walls" in header)


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ({}, {}),
        ({"salt": "aa"}, {}),
        ({"salt": "aa", "commitment": "bb"}, {"commitment": "bb", "salt": "aa"}),
        ({"salts": ["a", "", "b", "c"]}, {"salts": ["a", "", "b", "c"]}),
    ],
)
def test_a_hand_begins_with_its_place_and_wall(given: dict[str, Any], more: dict[str, Any]) -> None:
    lines: list[str] = []
    log, wall = LogWriter(Match(GUOBIAO), lines.append), make_wall(3)
    log.hand(7, RoundPosition(2, 1, 3, (3, 1, 0, 2)), Table(GUOBIAO, wall), **given)
    _, hand, dice, *deals = data_of(lines)
    place = [2, 1, 3, [3, 1, 0, 2]]
    assert hand == {"hand": 7, "place": place, "wall": wall.text(), "dice": list(wall.dice)} | more
    assert dice == {"n": 0, "e": "dice", "dice": list(wall.dice)}
    assert [(one["n"], one["e"]) for one in deals] == [*((n, "deal") for n in range(1, 5)), (5, "draw")]
    assert log.lines == len(lines) == 8
    log.end()
    assert data_of(lines)[-1] == {"end": 8}


@pytest.mark.parametrize("own", [True, False])
def test_the_header_decides_whose_walls_there_are(own: bool) -> None:
    log = LogWriter(Match(GUOBIAO), list[str]().append, own_walls=own)
    log.hand(1, START, Table(GUOBIAO, make_wall(1, own=own)))
    with pytest.raises(ValueError, match="header"):
        log.hand(1, START, Table(GUOBIAO, make_wall(1, own=not own)))


def test_a_seal_is_written_before_the_deal() -> None:
    lines: list[str] = []
    sealed = Sealed(2, "5" * 64, ("a" * 64, "", "", ""))
    LogWriter(Match(GUOBIAO), lines.append).seal(sealed)
    assert data_of(lines)[1] == {
        "sealed": 2, "secret": "5" * 64, "commitment": sealed.commitment, "commitments": ["a" * 64, "", "", ""],
    }  # fmt: skip


@pytest.mark.parametrize("name", ["guobiao", "yuque-54", "canton"])
def test_how_often_a_log_is_written_does_not_change_it(name: str) -> None:
    """Events in the order of the table, numbered from 0, and answers before the events that came after them."""
    rules, seed = book(name), 4
    rng, often, once = random.Random(seed), list[str](), list[str]()
    table = Table(rules, make_wall(seed))
    first, second = LogWriter(Match(rules), often.append), LogWriter(Match(rules), once.append)
    first.hand(1, START, table)
    order: list[tuple[str, int]] = []
    while table.to_act:
        seat = rng.choice(table.to_act)
        before = len(table.answers)
        table.step(seat, rng.choice(table.options(seat)))
        order += [("a", answered) for _, answered, _ in table.answers[before:]]
        first.sync()
        first.sync()
    second.hand(1, START, table)
    assert often == once and first.lines == second.lines == len(once)
    data = data_of(once)[2:]
    assert [one["n"] for one in data if "n" in one] == list(range(table.event_count))
    answers = [one for one in data if "a" in one]
    assert [("a", "ESWN".index(one["seat"])) for one in answers] == order
    assert [one["a"]["do"] for one in answers] == [action.do.value for _, _, action in table.answers]
    seen = 0
    places = []
    for one in data:
        seen += "n" in one
        if "a" in one:
            places.append(seen)
    assert places == [events for events, _, _ in table.answers]
    assert not any("score" in one["a"] or "score" in one for one in answers)


def test_the_clock_and_bots_are_named_on_the_line_of_their_act_alone() -> None:
    for seed in range(200):  # a discard after which a seat may claim
        table = Table(GUOBIAO, make_wall(seed))
        table.step(0, table.options(0)[0])
        if table.turn == 0:
            break
    table, lines = Table(GUOBIAO, make_wall(seed)), list[str]()
    log = LogWriter(Match(GUOBIAO), lines.append)
    log.hand(1, START, table)
    table.step(0, table.options(0)[0])
    log.sync("clock")
    (seat,) = table.to_act
    table.step(seat, PASS)
    log.sync("bot")
    log.sync("bot")  # nothing has happened since
    *_, draw, discard, answer, after = data_of(lines)
    assert [("by" in one, one.get("n")) for one in (draw, after)] == [(False, 5), (False, 7)]
    assert (discard["n"], discard["e"], discard["seat"], discard["by"]) == (6, "discard", "E", "clock")
    assert answer == {"a": {"do": "pass"}, "seat": "ESWN"[seat], "by": "bot"}
    assert log.lines == len(lines)
    replay = read_log(lines, unfinished=True)
    acts = [(step.by, step.seat) for step in replay.hands[0].steps if step.by]
    assert acts == [("clock", 0), ("bot", seat)] and not replay.problems


def test_what_follows_from_an_act_of_the_clock_is_not_its_own() -> None:
    for seed in range(200):  # a discard that no seat may claim
        table, lines = Table(GUOBIAO, make_wall(seed)), list[str]()
        log = LogWriter(Match(GUOBIAO), lines.append)
        log.hand(1, START, table)
        table.step(0, table.options(0)[0])
        if table.turn == 1:
            break
    log.sync("clock")
    *_, discard, draw = data_of(lines)
    assert (discard["e"], discard["by"]) == ("discard", "clock") and (draw["e"], "by" in draw) == ("draw", False)


@pytest.mark.parametrize(
    ("penalty", "paid", "written"),
    [
        (Penalty(2, "错和"), iter(()), {"fault": "错和", "player": 2}),
        (Penalty(2, "错和", 0), (), {"fault": "错和", "player": 2, "points": 0}),
        (Penalty(0, "错和", remedied=True), (), {"fault": "错和", "player": 0, "remedied": True}),
        (Penalty(0, "错和", note="上手就报"), (), {"fault": "错和", "player": 0, "note": "上手就报"}),
        (Penalty(1, "错和", receiver=0), (), {"fault": "错和", "player": 1, "receiver": 0}),
        (Penalty(1, "错和"), [Payment(1, 0, 5, Text("罚", "fine")), Payment(1, 4, 6, Text("池", "pool"))],
         {"fault": "错和", "player": 1, "paid": [[1, 0, 5, "罚", "fine"], [1, 4, 6, "池", "pool"]]}),
    ],
)  # fmt: skip
def test_a_penalty_is_written_with_what_it_says(penalty: Penalty, paid: Any, written: dict[str, Any]) -> None:
    lines: list[str] = []
    log = LogWriter(Match(GUOBIAO), lines.append)
    log.penalty(penalty, paid)
    log.revoke(3)
    assert data_of(lines)[1:] == [written, {"revoke": 3}]


def test_what_happened_before_a_penalty_or_a_result_stands_before_it() -> None:
    lines: list[str] = []
    log, table = LogWriter(Match(GUOBIAO), lines.append), Table(GUOBIAO, make_wall(1))
    log.hand(1, START, table)
    for write in (lambda: log.penalty(Penalty(0, "错和")), lambda: log.revoke(0)):
        before = table.event_count
        while table.event_count == before:
            seat = table.to_act[0]
            table.step(seat, table.options(seat)[-1])
        write()
        assert "n" in data_of(lines)[-2] and "n" not in data_of(lines)[-1]
    table.step(table.to_act[0], table.options(table.to_act[0])[0])
    log.result(Settlement((), (0, 0, 0, 0), 0), (0, 0, 0, 0))
    *_, before_it, result = data_of(lines)
    assert "n" in before_it or "a" in before_it
    assert result == {"result": [], "totals": [0, 0, 0, 0]}
    table.step(table.to_act[0], table.options(table.to_act[0])[0])
    written = len(lines)
    log.sync("clock")
    assert len(lines) == written, "the hand is closed"


FLOW = Payment(1, 3, 30, Text("自摸", "self-draw"))


@pytest.mark.parametrize(
    ("ending", "more"),
    [
        (None, {}), (Ending(), {}),
        (Ending((SeatWin(3, 30),), self_draw=True), {"won": {"seat": "N", "points": 30}}),
        (Ending((SeatWin(2, 8), SeatWin(3, 9), SeatWin(0, 10)), discarder=1),
         {"won": {"seat": "W", "points": 8}, "also": [{"seat": "N", "points": 9}, {"seat": "E", "points": 10}]}),
    ],
)  # fmt: skip
def test_a_result_has_the_payments_the_totals_and_each_win(ending: Ending | None, more: dict[str, Any]) -> None:
    lines: list[str] = []
    log = LogWriter(Match(GUOBIAO), lines.append)
    log.result(Settlement((FLOW,), (0, -30, 0, 30), 0), iter((1, -31, 0, 30)), ending)
    assert data_of(lines)[1] == {"result": [[1, 3, 30, "自摸", "self-draw"]], "totals": [1, -31, 0, 30]} | more
    assert read_flow([1, 3, 30, "自摸", "self-draw"]) == FLOW


def test_the_fans_of_a_win_are_named_with_how_often_they_count() -> None:
    lines: list[str] = []
    score = score_hand(parse("1112345678999m+9m"), GUOBIAO)
    LogWriter(Match(GUOBIAO), lines.append).result(
        Settlement((), (0, 0, 0, 0), 0), (0, 0, 0, 0), Ending((SeatWin(0, score.total, score=score),), self_draw=True)
    )
    assert data_of(lines)[1]["won"]["fans"][0] == ["九莲宝灯", 1]
    assert len(data_of(lines)[1]["won"]["fans"]) == len(score.fans)


# ---- what was read


def test_a_hand_of_a_log_knows_its_events_and_the_plan_of_its_wall() -> None:
    rules = Match(YUQUE).rules.table
    hand = PlayedHand(
        1, START, make_wall(1), 2, steps=[Step(3, Drawn(0, 1)), Step(4, None, 1, PASS), Step(5, Drawn(0, 2))]
    )
    assert hand.events == (Drawn(0, 1), Drawn(0, 2))
    assert hand.plan(rules) == WallPlan(136, 14, rules.dead_wall_feeds, False)
    own = PlayedHand(1, START, make_wall(1, own=True), 2)
    assert own.plan(rules) == WallPlan(136, 0, False, True)


def replay_with(problems: int = 0, **more: Any) -> Replay:
    wrong = tuple(LogProblem(n + 2, Text(f"第 {n} 处", f"number {n}")) for n in range(problems))
    return Replay({"log": 3}, GUOBIAO, Match(GUOBIAO), more.pop("hands", []), True, 0, 1, problems=wrong, **more)


@pytest.mark.parametrize(
    ("problems", "shown", "more"), [(0, 0, ""), (1, 1, ""), (8, 8, ""), (9, 8, "1"), (20, 8, "12")]
)
def test_remarks_name_the_first_eight_differences(problems: int, shown: int, more: str) -> None:
    note = Text("换了规则", "other rules")
    remarks = replay_with(problems, notes=(note,)).remarks
    expected = [note, *(Text(f"第 {n + 2} 行：第 {n} 处", f"line {n + 2}: number {n}") for n in range(shown))]
    if more:
        expected.append(Text(f"还有 {more} 处。", f"there are {more} more."))
    assert remarks == tuple(expected)


def test_a_replay_prints_its_players_and_whether_it_ended() -> None:
    replay = replay_with()
    assert repr(replay) == "Replay('guobiao-mcr': 甲, 乙, 丙, 丁, 0 hands)"
    replay.finished = False
    assert repr(replay) == "Replay('guobiao-mcr': 甲, 乙, 丙, 丁, 0 hands, unfinished)"


def test_only_an_unsettled_last_hand_can_be_continued() -> None:
    hand = PlayedHand(1, START, make_wall(1), 2)
    assert replay_with().unfinished is None
    table = replay_with(hands=[hand]).unfinished
    assert table is not None and table.events == Table(GUOBIAO, make_wall(1)).events
    assert replay_with(hands=[PlayedHand(1, START, make_wall(1), 2, ending=Ending())]).unfinished is None
    wrong = PlayedHand(2, START, make_wall(2), 9, problem=LogProblem(12, Text("不符", "it differs")))
    with pytest.raises(LogError) as caught:
        _ = replay_with(hands=[hand, wrong]).unfinished
    assert caught.value.line == 12 and caught.value.text == Text("第 12 行：不符", "line 12: it differs")


# ---- going on


def broken_off(seed: int, steps: int) -> tuple[list[str], Table]:
    """Return a log that broke off after some steps of its second hand, and its table."""
    lines: list[str] = []
    match, rng = Match(GUOBIAO), random.Random(seed)
    log = LogWriter(match, lines.append)
    for number in (1, 2):
        table = Table(GUOBIAO, make_wall(seed, number))
        log.hand(number, match.place, table)
        played = 0
        while table.to_act and (number == 1 or played < steps):
            seat = rng.choice(table.to_act)
            table.step(seat, rng.choice(table.options(seat)))
            played += 1
        if number == 1:
            assert table.ending is not None
            match = match.add_hand(table.ending)
            log.result(match.hands[-1].settlement, match.totals)
    log.sync()
    return lines, table


@pytest.mark.parametrize(("steps", "every"), [(0, 1), (1, 3), (40, 10)])
def test_a_log_goes_on_after_its_last_line(steps: int, every: int) -> None:
    """Wherever the lines of the unfinished hand break off, what the table did since is written once more."""
    lines, _ = broken_off(2, steps)
    begun = next(at for at, line in enumerate(lines) if line.startswith('{"hand":2'))
    for cut in range(begun + 1, len(lines) + 1, every):
        out = lines[:cut]
        replay = read_log(out, unfinished=True)
        log, table = LogWriter.resume(replay, out.append)
        assert table is not None and log.lines == len(out)
        assert out == lines[: len(out)], "what follows by itself is written again as it was"
        assert sum("a" in one for one in data_of(out)[begun:]) == len(table.answers)
        assert sum("n" in one for one in data_of(out)[begun:]) == table.event_count
        seat = table.to_act[0]
        table.step(seat, table.options(seat)[-1])
        log.sync()
        again = read_log(out, unfinished=True)
        assert not again.problems and again.unfinished is not None
        assert again.unfinished.events == table.events and again.unfinished.answers == table.answers


def test_a_log_between_two_hands_goes_on_with_the_next() -> None:
    lines, _ = broken_off(2, 0)
    begun = next(at for at, line in enumerate(lines) if line.startswith('{"hand":2'))
    for cut, match_hands in ((begun, 1), (1, 0)):
        out = lines[:cut]
        replay = read_log(out, unfinished=True)
        log, table = LogWriter.resume(replay, out.append)
        assert table is None and out == lines[:cut] and log.lines == cut
        log.hand(match_hands + 1, replay.match.place, Table(GUOBIAO, make_wall(9)))
        assert read_log(out, unfinished=True).hands[-1].number == match_hands + 1


def test_a_hand_that_cannot_be_replayed_is_dealt_again() -> None:
    lines, _ = broken_off(2, 7)
    first = read_log(lines[:20], unfinished=True)
    first.hands[-1].steps.append(Step(99, None, 0, Action("kong", 33)))
    LogWriter.resume(first, (alone := lines[:20]).append)
    assert data_of(alone)[-1] == {"void": 1}
    replay = read_log(lines, unfinished=True)
    replay.hands[-1].steps.append(Step(99, None, 0, Action("kong", 33)))
    out = list(lines)
    log, table = LogWriter.resume(replay, out.append)
    assert table is None and data_of(out)[-1] == {"void": 2} and log.lines == len(out) == len(lines) + 1
    log.hand(2, replay.match.place, Table(GUOBIAO, make_wall(9)))
    again = read_log(out, unfinished=True)
    assert [hand.wall for hand in again.hands] == [make_wall(2, 1), make_wall(9)]


def test_the_log_of_own_walls_goes_on_with_own_walls() -> None:
    lines: list[str] = []
    log = LogWriter(Match(GUOBIAO), lines.append, own_walls=True)
    log.hand(1, START, Table(GUOBIAO, make_wall(1, own=True)))
    log, table = LogWriter.resume(read_log(lines, unfinished=True), lines.append)
    assert log.own_walls and table is not None and table.wall.own
