"""A person takes the place of a bot between hands: what the log says, and to whom hands and matches are counted."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from quepu.figures.log_figures import MatchFigures, read_bytes
from quepu.match import LogWriter, Match
from quepu.match.log import LogError
from quepu.match.match import MatchError
from quepu.match.seats import RoundPosition
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from tests.cli.typed import run
from tests.match.log_data import Lines, read, sealed_lines, unsealed
from tests.table.players import choose

GUOBIAO = book("guobiao-mcr")
SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "json" / "review.json"
NAMES = ("甲", "电脑2·快手", "丙", "电脑4·稳手")
BOTS = ["person", "plain", "person", "closed"]


def write(joined: dict[int, tuple[int, str]], hands: int = 4) -> Lines:
    """Write a round; before some hands a player joins."""
    match, lines = Match(GUOBIAO, NAMES, rounds=1), list[str]()
    log = LogWriter(match, lines.append, seed=3, players=BOTS, joins=True)
    for number in range(1, hands + 1):
        if number in joined:
            log.join(*joined[number])
        table = Table(GUOBIAO, make_wall(3, number), round=match.place.round_wind)
        log.hand(number, match.place, table)
        while table.to_act:
            seat = table.to_act[0]
            table.step(seat, choose(table, seat))
        assert table.ending is not None
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals, table.ending)
    log.end()
    return unsealed(lines)


@cache
def game() -> Lines:
    return write({3: (1, "乙")})


def test_a_review_names_who_played_each_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(sealed_lines(game())) + "\n", encoding="utf-8")
    # the names are of the command; what it says of a decision takes half a minute
    monkeypatch.setattr("quepu.review.review_hand", lambda hand, _: {"hand": hand.number, "decisions": [], "seats": []})
    assert run(monkeypatch, "", "review", str(log), "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    later = ["甲", "乙", "丙", NAMES[3]]
    assert [hand["names"] for hand in answer["hands"]] == [[*NAMES], [*NAMES], later, later]
    schema = json.loads(SCHEMA.read_text("utf-8"))
    Draft202012Validator(schema).validate(answer)


def test_each_hand_names_who_played_it() -> None:
    replay = read(game())
    assert not replay.problems
    later = ("甲", "乙", "丙", NAMES[3])
    assert [hand.names for hand in replay.hands] == [NAMES, NAMES, later, later]
    assert [hand.bots[1] for hand in replay.hands] == ["plain", "plain", "person", "person"]
    assert all(hand.bots[3] == "closed" for hand in replay.hands)
    assert replay.match.names == later
    assert [tuple(one) for one in replay.joined] == [(1, "乙", NAMES[1], 3)]
    assert (replay.header["log"], tuple(replay.header["players"]), replay.finished) == (5, NAMES, True)


def test_joining_changes_no_hand_and_no_total() -> None:
    with_joined, without = read(game()), read(write({}))
    assert with_joined.match.totals == without.match.totals
    assert [hand.events for hand in with_joined.hands] == [hand.events for hand in without.hands]


def test_a_match_that_breaks_off_is_resumed_with_the_new_player() -> None:
    at = next(n for n, line in enumerate(game()) if "joined" in line)
    for end in (at + 1, at + 2, at + 9):
        lines = sealed_lines(game()[:end])
        replay = read(game()[:end])
        assert replay.match.names[1] == "乙"
        more: list[str] = []
        writer, table = LogWriter.resume(replay, more.append)
        assert (writer.format, writer.own_walls) == (5, False)
        assert (table is None) == (end == at + 1)
        if table is None:
            writer.join(3, "丁")
            assert read(unsealed([*lines, *more])).match.names == ("甲", "乙", "丙", "丁")


JOINED = {"joined": 1, "name": "乙"}
REFUSED = {
    "in a hand": (5, JOINED, "一局开始之后不能换人。"),
    "for a person": (1, {"joined": 0, "name": "乙"}, "只能接替电脑。"),
    "for nobody": (1, {"joined": 4, "name": "乙"}, "只能接替电脑。"),
    "for true": (1, {"joined": True, "name": "乙"}, "只能接替电脑。"),
    "under a name of the table": (1, {"joined": 1, "name": "丙"}, "加入的人要有自己的名字。"),
    "under the bot's name": (1, {"joined": 1, "name": NAMES[1]}, "加入的人要有自己的名字。"),
    "without a name": (1, {"joined": 1}, "这一行缺少或写错了内容。"),
    "under a number": (1, {"joined": 1, "name": 7}, "加入的人要有自己的名字。"),
    "after the last hand": (-1, JOINED, "这一场不能中途加入。"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_who_cannot_join_is_refused_with_the_line(name: str) -> None:
    at, line, why = REFUSED[name]
    data = write({})
    data.insert(at if at > 0 else len(data) - 1, line)
    number = data.index(line) + 1
    with pytest.raises(LogError) as caught:
        read(data)
    assert caught.value.text.zh == f"第 {number} 行：{why}"


def test_a_person_is_not_replaced_and_no_other_format_knows_joining() -> None:
    again = [*game()]
    again.insert(next(n for n, line in enumerate(again) if "joined" in line) + 1, {"joined": 1, "name": "戊"})
    with pytest.raises(LogError, match="只能接替电脑"):
        read(again)
    old = [*game()]
    old[0] = {key: value for key, value in old[0].items() if key != "joins"} | {"log": 3}
    with pytest.raises(LogError, match="不能中途加入"):
        read(old)
    with pytest.raises(ValueError, match="header"):
        LogWriter(Match(GUOBIAO), [].append).join(1, "乙")
    with pytest.raises(MatchError):
        Match(GUOBIAO).rename(("a", "a", "b", "c"))


@pytest.mark.parametrize("own", [False, True])
def test_only_tables_that_can_be_joined_have_the_new_format(own: bool) -> None:
    for joins in (False, True):
        lines: list[str] = []
        LogWriter(Match(GUOBIAO), lines.append, own_walls=own, joins=joins)
        header = json.loads(lines[0])
        assert header["log"] == (5 if joins else 4 if own else 3)
        assert header.get("walls") == ("own" if own else None)
        assert header.get("joins") == (True if joins else None)
        assert read(unsealed(lines)).match.place == RoundPosition()


def figures(data: Lines) -> MatchFigures:
    found = read_bytes("\n".join(sealed_lines(data)).encode(), "log")
    assert isinstance(found, MatchFigures)
    return found


def test_hands_count_for_who_played_them_and_the_match_for_who_played_all_of_it() -> None:
    found, whole = figures(game()), figures(write({}))
    bot, person = found.players[NAMES[1]], found.players["乙"]
    assert (bot.hands, person.hands) == (2, 2)
    assert bot.wins + person.wins == whole.players[NAMES[1]].wins
    assert bot.total + person.total == whole.players[NAMES[1]].total
    for name in ("甲", "丙", NAMES[3]):
        one, before = found.players[name], whole.players[name]
        assert (one.hands, one.total, one.places) == (before.hands, before.total, before.places)
        assert set(one.against) == {"甲", "丙", NAMES[3]} - {name}
    for partial in (bot, person):
        assert (partial.matches, partial.places, partial.curve, partial.against) == (0, [0, 0, 0, 0], [], {})
    assert found.totals["甲"] == whole.totals["甲"]


def test_gains_are_split_at_the_hand_where_the_person_joined() -> None:
    replay = read(game())
    gains = [hand.players[1] for hand in replay.match.hands]
    found = figures(game()).players
    assert (found[NAMES[1]].total, found["乙"].total) == (sum(gains[:2]), sum(gains[2:]))
    assert any(gains[:2]) and any(gains[2:])
