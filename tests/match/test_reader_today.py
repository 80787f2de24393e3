"""A reader remarks where today's program plays or settles a log otherwise, and counts it as it was."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from quepu.errors import Text
from quepu.match import LogError, LogWriter, Match, Penalty, Replay, RoundPosition, read_log
from quepu.match.match import Recorded
from quepu.rules.play_rules import Ending, SeatWin
from quepu.table import Table, make_wall
from quepu.table.actions import PASS, WIN
from quepu.tiles import FLOWERED
from tests.match.log_data import (
    FAULT,
    GUOBIAO,
    HAND,
    HEADER,
    RESULT,
    Lines,
    at,
    changed,
    game,
    read,
    set_at,
    unsealed,
)


def said(replay: Replay) -> list[tuple[int, str]]:
    return [(problem.line, problem.text.zh) for problem in replay.problems]


def test_a_hand_with_other_seats_than_the_match_is_a_new_draw_of_seats() -> None:
    data = changed(set_at(0, HAND, place=[1, 0, 0, [2, 0, 3, 1]]))
    at_result, totals = at(data, **RESULT), [-18, 54, -18, -18]  # North is player 1
    data[at_result]["totals"] = totals
    replay = read(data[: at_result + 1])
    assert said(replay) == [] and replay.match.totals == tuple(totals)
    assert replay.match.place == RoundPosition(1, 1, 0, (2, 0, 3, 1))


def test_a_hand_elsewhere_than_the_rules_have_it_is_remarked_and_settled_where_it_was() -> None:
    place = [3, 2, 1, [0, 1, 2, 3]]
    data = changed(set_at(0, HAND, place=place))
    data[at(data, **RESULT)]["totals"] = [-18, 54, -18, -18]  # the players 2, 3, 0, 1 sit at East to North
    replay = read(data[: at(data, **RESULT) + 1])
    assert said(replay) == [(2, "按规则这里应是 E1。")]
    (entry,) = replay.match.entries
    assert isinstance(entry, Recorded) and entry.place == RoundPosition(3, 2, 1) and entry.totals is None
    assert replay.match.hands[0].place == RoundPosition(3, 2, 1)
    assert replay.match.place == RoundPosition(3, 3), "North won and the dealer never stays"


def test_a_hand_after_the_last_round_is_remarked() -> None:
    begin = {"begin": [1, 3, 0, [0, 1, 2, 3]]}
    data = changed(set_at(0, HEADER, **begin))
    data[1]["place"] = begin["begin"]
    data[at(data, **RESULT)]["totals"] = [-18, -18, 54, -18]  # North of the fourth dealership is player 2
    second = at(data, 1, **HAND)
    del data[at(data, **FAULT) : second]
    second = at(data, 1, **HAND)
    data[second]["place"] = [2, 0, 0, [1, 0, 3, 2]]  # East and South change places, and so do West and North
    result, totals = data[at(data, 1, **RESULT)], [-18, -18, 54, -18]
    for payer, payee, points, *_ in result["result"]:
        totals[(1, 0, 3, 2)[payer]] -= points
        totals[(1, 0, 3, 2)[payee]] += points
    result["totals"] = totals
    replay = read(data[:-1])
    assert said(replay) == [(second + 1, "按规则比赛到这里已经结束。")]
    assert replay.match.totals == tuple(totals) and isinstance(replay.match.entries[1], Recorded)
    data[0]["rounds"] = 2
    within = read(data[:-1])
    assert said(within) == [] and isinstance(within.match.entries[1], Ending)


@pytest.mark.parametrize(("seed", "fine"), [(0, True), ("0", True), (1, False), (None, True)])
def test_a_wall_that_the_seed_does_not_make_is_remarked(seed: object, fine: bool) -> None:
    replay = read(changed(set_at(0, HEADER, seed=seed)))
    lines = [] if fine else [2, at(game(), 1, **HAND) + 1]
    assert said(replay) == [(line, "牌墙不是由牌谱头里的种子生成的。") for line in lines]


def test_own_walls_of_a_seed_are_known() -> None:
    lines: list[str] = []
    log = LogWriter(Match(GUOBIAO), lines.append, seed=5, own_walls=True)
    log.hand(1, RoundPosition(), Table(GUOBIAO, make_wall(5, 1, FLOWERED, own=True)))
    replay = read_log(lines, unfinished=True)
    assert not replay.problems and replay.hands[0].wall.own
    table = replay.unfinished
    assert table is not None and table.wall.own


def test_an_event_that_replaying_does_not_give_is_remarked_once_and_the_hand_goes_on_by_its_events() -> None:
    """East draws another tile than the wall has for it, one that is drawn later."""
    data = deepcopy(game())
    where = at(data, e="draw")
    other = next(one for one in data[where + 1 :] if one.get("e") == "draw" and one["tile"] != data[where]["tile"])
    data[where]["tile"] = other["tile"]
    assert data[where]["seat"] == "E"
    replay = read(data[: where + 1])
    ((line, text),) = said(replay)
    assert line == where + 1 and text.startswith("与重演不符：东家摸")
    assert replay.problems[0].text.en.startswith("replaying does not give “East draws ")
    (hand,) = replay.hands
    assert hand.problem == replay.problems[0] and len(hand.events) == data[where]["n"] + 1
    assert hand.steps[-1].line == where + 1 and hand.events[-1].to_json()["tile"] == other["tile"]
    with pytest.raises(LogError) as caught:
        _ = replay.unfinished
    assert caught.value.line == line


def test_what_differs_in_a_later_hand_is_remarked_there() -> None:
    data = deepcopy(game())
    begun = at(data, 1, **HAND)
    data = data[: begun + 7]
    data[-1]["tile"] = "C" if data[-1]["tile"] != "C" else "F"
    data.insert(begun + 3, {"fault": "错和", "player": 2})
    replay = read(data)
    first, second = replay.hands
    assert first.problem is None and second.problem == replay.problems[0]
    assert replay.problems[0].line == len(data)
    assert [step.penalty for step in first.steps if step.penalty] == []
    assert [step.penalty for step in second.steps if step.penalty] == [Penalty(2, "错和")]


def test_a_discard_that_the_table_does_not_allow_is_remarked() -> None:
    data = deepcopy(game())
    where = at(data, e="discard")
    data[where]["seat"] = "W"
    tile = data[at(data, e="deal", seat="W")]["tiles"][:2]
    data[where] |= {"tile": tile if tile[-1] in "mps" else tile[0], "drawn": ...}
    del data[where]["drawn"]
    replay = read(data[: where + 1])
    ((line, text),) = said(replay)
    assert line == where + 1 and text.startswith("西家现在不能“打")


def test_a_tile_that_is_not_where_it_is_taken_from_is_refused() -> None:
    data = deepcopy(game())
    first = at(data, e="discard")
    held = {data[at(data, e="deal", seat="E")]["tiles"], data[at(data, e="draw")]["tile"]}
    missing = next(
        tile for tile in ("C", "F", "P", "E", "S", "W", "N", "1m", "9s") if not any(tile in one for one in held)
    )
    data[first] |= {"tile": missing}
    for changes in ({}, {"rules": "gone"}):
        data[0] |= changes
        with pytest.raises(LogError) as caught:
            read(data[: first + 1])
        assert caught.value.line == first + 1
        assert "没有这张牌可用：东家打" in caught.value.text.zh
        assert "a tile is not where it is taken from: East discards" in caught.value.text.en


def test_an_answer_before_its_event_is_remarked() -> None:
    """South passes on a discard once more after the next tile has been drawn: that draw is missing before it."""
    data = passes()
    replay = read([*data, data[-1]])
    assert said(replay) == [(len(data) + 1, "回答之前缺少事件。")]
    assert replay.problems[0].text.en == "events are missing before this answer."
    answers = [(step.line, step.seat, step.action) for step in replay.hands[0].steps[-2:]]
    seat = "ESWN".index(data[-1]["seat"])
    assert answers == [(len(data), seat, PASS), (len(data) + 1, seat, PASS)]


def test_an_answer_that_the_table_does_not_allow_is_remarked() -> None:
    data = passes()
    replay = read([*data[:-1], data[-1] | {"a": {"do": "win"}}])
    ((line, text),) = said(replay)
    assert line == len(data) and "现在不能“和”" in text
    assert replay.hands[0].steps[-1].action == WIN


def passes() -> Lines:
    """Return the log of a hand until a seat, the only one asked, passes on East's first discard."""
    for seed in range(100):
        lines: list[str] = []
        log, table = LogWriter(Match(GUOBIAO), lines.append), Table(GUOBIAO, make_wall(seed))
        log.hand(1, RoundPosition(), table)
        table.step(0, table.options(0)[0])
        if table.turn == 0 and len(table.to_act) == 1:
            break
    table.step(table.to_act[0], PASS)
    log.sync()
    data = unsealed(lines)
    return data[: at(data, a=...) + 1]


def test_a_result_before_the_end_of_the_hand_is_remarked_and_counts() -> None:
    data = deepcopy(game())
    result = at(data, **RESULT)
    wins = at(data, e="win")
    for kept in (wins, wins + 1):  # before the win, and before the hands are shown
        short = [*data[:kept], data[result]]
        replay = read(short)
        assert said(replay) == [(kept + 1, "这一局还没有打完。")]
        assert replay.match.totals == (-18, -18, -18, 54)
        (entry,) = replay.match.entries
        assert isinstance(entry, Recorded) and isinstance(entry.entry, Ending)
        ending = Ending((SeatWin(3, 10),), self_draw=True) if kept > wins else Ending()
        assert entry.entry == ending == replay.hands[0].ending and entry.place == RoundPosition()


RESULT_1 = [[0, 3, 18], [1, 3, 18], [2, 3, 18]]


@pytest.mark.parametrize(
    ("flows", "totals", "won", "text", "points"),
    [
        ([[0, 3, 20], [1, 3, 20], [2, 3, 20]], [-20, -20, -20, 60], 12, "今天计 10，当时 12。", 12),
        ([[0, 3, 20], [1, 3, 18], [2, 3, 18]], [-20, -18, -18, 56], 10, "今天计 10，当时的收付不同。", 10),
        ([[1, 3, 18], [0, 3, 18], [2, 3, 18]], [-18, -18, -18, 54], 10, "今天计 10，当时的收付不同。", 10),
        ([], [0, 0, 0, 0], None, "今天计 10，当时的收付不同。", 10),
    ],
)
def test_a_result_that_today_is_another_is_remarked_and_counts_as_it_was(
    flows: list[list[int]], totals: list[int], won: int | None, text: str, points: int
) -> None:
    data = deepcopy(game())
    line = data[at(data, **RESULT)]
    line |= {"result": [[*flow, "那时", "then"] for flow in flows], "totals": totals}
    line["won"] = {"seat": "N", "points": won}
    if won is None:
        del line["won"]
    replay = read(data[: at(data, **RESULT) + 1])
    assert said(replay) == [(at(data, **RESULT) + 1, text)]
    (entry,) = replay.match.entries
    assert isinstance(entry, Recorded) and isinstance(entry.entry, Ending) and entry.entry.first is not None
    assert (entry.entry.first.points, entry.totals) == (points, tuple(totals))
    assert (entry.entry.first.score is None) is (points != 10)
    assert replay.match.totals == tuple(totals) and replay.hands[0].ending == entry.entry
    assert [payment[:3] for payment in replay.hands[0].payments] == [tuple(flow) for flow in flows]


def test_other_words_for_the_same_payments_are_kept_without_a_remark() -> None:
    data = deepcopy(game())
    result = at(data, **RESULT)
    data[result]["result"] = [[*flow, "那时", "then"] for flow in RESULT_1]
    replay = read(data[: result + 1])
    assert said(replay) == [] and isinstance(replay.match.entries[0], Recorded)
    assert replay.match.hands[0].settlement.payments[0].why == Text("那时", "then")


# ---- penalties


def with_fault(fault: dict[str, Any], *, lost: int = 0, inside: bool = False) -> Replay:
    """Read a first hand with a fault of West before it (or inside), after which West has lost this much besides."""
    data = deepcopy(game())
    result = at(data, **RESULT)
    data[result]["totals"][2] -= lost
    data = data[: result + 1]
    data.insert(3 if inside else 1, {"fault": "错和", "player": 2} | fault)
    return read(data)


FINE = [[2, 0, 10, "罚", "fine"], [2, 1, 10, "罚", "fine"], [2, 3, 10, "罚", "fine"]]


def test_a_fault_is_read_with_all_that_it_says() -> None:
    full = {"points": 7, "remedied": True, "note": "x", "receiver": 1, "paid": [[2, 1, 7, "罚", "fine"]]}
    data = [*deepcopy(game())[:1], {"fault": "错和", "player": 2} | full]
    replay = read(data)
    assert said(replay) == []
    ((penalty, paid, *_),) = replay.match.entries  # type: ignore[misc]
    assert penalty == Penalty(2, "错和", 7, True, False, "x", 1) and paid[0][:3] == (2, 1, 7)
    assert replay.match.totals == (0, 7, -7, 0)
    plain = read([*data[:1], {"fault": "错和", "player": 2}])
    assert plain.match.entries == (Penalty(2, "错和"),) and plain.match.totals == (10, 10, -30, 10)
    assert read([*data[:1], {"fault": "错和", "player": 2, "paid": FINE}]).match.entries[0][0] == Penalty(2, "错和")


def test_a_fault_during_a_hand_is_a_step_of_it_and_one_between_hands_is_not() -> None:
    assert [step.penalty for step in with_fault({"paid": []}).hands[0].steps if step.penalty] == []
    inside = with_fault({"paid": []}, inside=True)
    (step,) = [step for step in inside.hands[0].steps if step.penalty]
    assert (step.line, step.penalty, step.event, step.action) == (4, Penalty(2, "错和"), None, None)
    data = changed(set_at(0, HEADER, rules="gone"))
    data.insert(3, {"fault": "错和", "player": 2, "paid": FINE})
    assert [step.penalty for step in read(data[:9]).hands[0].steps if step.penalty] == [Penalty(2, "错和")]


@pytest.mark.parametrize(
    ("fault", "said_of_it"),
    [
        ({"paid": FINE}, []),
        ({"paid": [[*flow[:3], "别的理由", "another reason"] for flow in FINE]}, []),
        ({"paid": FINE[:2]}, ["罚分的数目与规则不符。"]),
        ({"paid": []}, ["罚分的数目与规则不符。"]),
        ({"points": 5, "paid": FINE}, ["罚分的数目与规则不符。"]),
        ({"fault": "从前的罚例", "paid": FINE}, ["没有“从前的罚例”这条罚例，现有："]),
        ({"fault": "从前的罚例"}, ["没有“从前的罚例”这条罚例，现有："]),
    ],
)
def test_a_fine_costs_what_the_log_says(fault: dict[str, Any], said_of_it: list[str]) -> None:
    replay = read([*deepcopy(game())[:1], {"fault": "错和", "player": 2} | fault])
    assert [text[: len(want)] for (_, text), want in zip(said(replay), said_of_it, strict=True)] == said_of_it
    paid = fault.get("paid", [])
    expected = [0, 0, 0, 0]
    for payer, payee, points, *_ in paid:
        expected[payer] -= points
        expected[payee] += points
    assert replay.match.totals == tuple(expected)


def test_totals_decide_what_a_fine_of_unknown_cost_was() -> None:
    """A log of format 1 does not say what a fault cost; later totals do, and are remarked where today asks another."""
    totals = [-18, -18, -18 - 7, 54 + 7]
    data = deepcopy(game())
    result = at(data, **RESULT)
    data[result]["totals"] = totals
    data = data[: result + 1]
    data.insert(1, {"fault": "错和", "player": 2})
    replay = read(data)
    assert said(replay) == [(result + 2, "罚分当时不是这么多。")]
    assert replay.match.totals == tuple(totals)
    data[1]["paid"] = FINE
    with pytest.raises(LogError, match="合计与收付不符"):
        read(data)
    data[-1]["totals"] = [-18 + 10, -18 + 10, -18 - 30, 54 + 10]
    assert said(read(data)) == []
