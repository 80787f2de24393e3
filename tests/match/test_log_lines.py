"""Lines of a log: which texts are events, who acted, and where the lines of a log come from."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from quepu.errors import Error, Text
from quepu.match import log_lines
from quepu.match.log_lines import (
    acted_for,
    action_text,
    add_actor,
    event_step,
    event_text,
    open_lines,
    plain_event,
    read_place,
    split_lines,
    text_cache,
)
from quepu.match.seats import RoundPosition
from quepu.table import actions, events
from quepu.table.actions import AS_DRAWN, CHOWS, CONCEALED, FROM_HAND, FROM_HAND_READY, KONG, PASS, PUNG, Action
from quepu.table.event_json import EventError
from quepu.table.events import (
    Barred,
    ChowClaimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    HandShown,
    KongConcealed,
    PungClaimed,
    Won,
)
from quepu.tiles import WINDS

KINDS = frozenset({"n", "a", "result"})


@pytest.mark.parametrize(
    ("line", "number", "event", "seat", "action", "by"),
    [
        ('"n":0,"e":"dice","dice":[1,2,3,4]', 0, DiceThrown((1, 2, 3, 4)), None, None, ""),
        ('"n":6,"e":"draw","seat":"S","tile":"2m"', 6, Drawn(1, 1), 1, None, ""),
        ('"n":41,"e":"discard","seat":"W","tile":"1m","drawn":true', 41, Discarded(2, 0, True), 2, AS_DRAWN[0], ""),
        ('"n":7,"e":"discard","seat":"E","tile":"P","by":"clock"', 7, Discarded(0, 33), 0, FROM_HAND[33], "clock"),
        ('"n":7,"e":"discard","seat":"E","tile":"P","by":"me"', 7, Discarded(0, 33), 0, FROM_HAND[33], ""),
        ('"n":8,"e":"discard","seat":"N","tile":"9s","ready":true', 8, Discarded(3, 26, declares=True), 3,
         FROM_HAND_READY[26], ""),
        ('"n":9,"e":"pung","seat":"N","tile":"1m","from":"S"', 9, PungClaimed(3, 0, 1), 3, None, ""),
        ('"n":10,"e":"concealed","seat":"S","tile":"1m","by":"bot"', 10, KongConcealed(1, 0), 1, CONCEALED[0], "bot"),
        ('"n":11,"e":"win","seat":"S","tile":"1m","from":"E"', 11, Won(1, 0, 0), 1, Action("win", 0), ""),
        ('"n":12,"e":"exhausted"', 12, Exhausted(), None, None, ""),
        ('"n":123456789,"e":"exhausted"', 123456789, Exhausted(), None, None, ""),
    ],
)  # fmt: skip
def test_an_event_is_read_with_its_seat_and_action(
    line: str, number: int, event: Event, seat: int | None, action: Action | None, by: str
) -> None:
    found = plain_event("{" + line, KINDS)
    assert found is not None
    assert found[0] == number and found[1] == (0, event, seat, action, None, by)
    assert event_step(json.loads("{" + line + "}")) == found[1]


@pytest.mark.parametrize(
    "line",
    [
        '{"n":01,"e":"exhausted"', '{"n":1234567890,"e":"exhausted"', '{"n":-1,"e":"exhausted"', '{"e":"exhausted"',
        '{"n":1,"e":"no such event"', '{"n":1,"e":"draw","seat":"S"', '{"n":1,"e":"draw","seat":"S","tile":"5x"',
        '{"n":1,"e":"exhausted","a":{"do":"pass"}', '{"n":1,"e":"exhausted","n":1',
        '{"n":1,"e":"exhausted","result":[]',
        '{"n":1,"e":"exhausted",', '{"n":1,"e":"dice","dice":' + "[" * 100_000, '{"a":{"do":"pass"},"seat":"S"',
        '{"n":1,"e":"exhausted","tile":"1m"',
    ],
    ids=lambda line: line[:50],
)  # fmt: skip
def test_what_is_not_just_an_event_is_left_to_be_read_with_care(line: str) -> None:
    assert plain_event(line, KINDS) is None


def test_data_that_is_not_an_event_is_refused() -> None:
    with pytest.raises(EventError):
        event_step({"e": "no such event"})


@pytest.mark.parametrize(
    ("given", "found"),
    [({"by": "clock"}, "clock"), ({"by": "bot"}, "bot"), ({"by": "me"}, ""), ({"by": ["bot"]}, ""), ({"by": None}, ""),
     ({}, "")],
)  # fmt: skip
def test_who_acted_for_a_seat(given: dict[str, Any], found: str) -> None:
    assert acted_for(given) == found
    words = {"clock": Text("过，超时", "pass, out of time"), "bot": Text("过，电脑代打", "pass, played by a bot")}
    assert add_actor(Text("过", "pass"), found) == words.get(found, Text("过", "pass"))


def test_a_place_is_round_dealership_repeat_and_the_seats_of_the_start() -> None:
    assert read_place([2, 1, 3, [3, 1, 0, 2]]) == RoundPosition(2, 1, 3, (3, 1, 0, 2))


@pytest.mark.parametrize("wrong", [[1, 0, 0], [1, 0, 0, [0, 1, 2]], [1, 0, 0, [0, 1, 2, 3], 4], None])
def test_what_is_not_a_place_is_not_read(wrong: object) -> None:
    with pytest.raises((ValueError, IndexError, TypeError)):
        read_place(wrong)


# ---- where lines come from


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\n\n", ["a", ""]), ("\n", [""]), ("{", ["{"]),
        ("\ufeff{", ["{"]), ("\ufeff{\n}\n", ["{", "}"]), ("\ufeffa\nb", ["a", "b"]), ("{\r\n}", ["{\r", "}"]),
    ],
)  # fmt: skip
def test_the_lines_of_a_text(text: str, lines: list[str], tmp_path: Path) -> None:
    assert list(open_lines(text)) == lines
    path = tmp_path / "log.jsonl"
    path.write_bytes(text.encode())
    unix = [line.removesuffix("\r") for line in lines]  # Python reads files with universal newlines
    assert list(open_lines(path)) == list(open_lines(str(path))) == unix
    assert list(open_lines(lines)) == lines
    with io.StringIO(text) as file:
        assert open_lines(file) is file


def test_a_file_that_has_no_lines_or_no_text(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty", tmp_path / "binary"
    empty.write_bytes(b"")
    binary.write_bytes(b"\xff\xfe\x00{")
    assert list(open_lines(empty)) == []
    with pytest.raises(Error) as caught:
        open_lines(binary)
    assert caught.value.text == Text(f"{binary} 不是文本文件。", f"{binary} is not a text file.")
    with pytest.raises(Error, match="missing"):
        open_lines(tmp_path / "missing")
    with pytest.raises(Error, match="missing"):
        open_lines("missing")


@pytest.mark.parametrize(("given", "kind"), [(b"{", "bytes"), (None, "NoneType"), (5, "int"), (True, "bool")], ids=repr)
def test_what_is_not_a_log_is_named(given: Any, kind: str) -> None:
    with pytest.raises(Error) as caught:
        open_lines(given)
    assert caught.value.text == Text(
        f"牌谱应是路径、打开的文件、文字或各行，不是 {kind}。",
        f"a log is a path, an open file, its text or its lines, not a {kind}.",
    )


@pytest.mark.parametrize(
    ("lines", "split"),
    [
        ([], []), (["a"], [("a", True)]), (["a\n", "b\r\n"], [("a", False), ("b", True)]),
        (["", ""], [("", False), ("", True)]), (["a", "", "c"], [("a", False), ("", False), ("c", True)]),
    ],
)  # fmt: skip
def test_each_line_comes_with_whether_it_is_the_last(lines: list[str], split: list[tuple[str, bool]]) -> None:
    assert list(split_lines(iter(lines))) == split


# ---- how events and answers are written

SINGLE: list[Event] = [
    DiceThrown((1, 2, 3, 4)), Dealt(1, (0, 33, 41, 0)), HandShown(3, ()), ChowClaimed(1, 4, 0, 3), PungClaimed(0, 9, 2),
    Discarded(2, 0, True, True), Won(2, 5, 1), Won(2), Exhausted(), Barred(3),
]  # fmt: skip


def as_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def test_the_quick_ways_to_write_a_line_write_what_json_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "_texts", {})  # as in a program that has not written a log yet
    interned = [
        event
        for table in (events.DRAW, events.REPLACE, events.FLOWER, events.DISCARD, events.DISCARD_DRAWN)
        for row in table
        for event in row
    ]
    cache = text_cache()
    for event in (*SINGLE, *interned):
        assert "{" + event_text(event) + "}" == as_json(event.to_json())
    assert event_text(Dealt(1, (0, 33, 41))) == f'"e":"deal","seat":"{WINDS[1]}","tiles":"1mP菊"'
    assert {id(event): event_text(event) for event in interned}.items() <= cache.items()
    chows = [action for row in CHOWS for _, _, action in row]
    for action in (PASS, *PUNG, *KONG, *chows):
        assert cache[id(action)] == action_text(action) == as_json(action.to_json())
    assert len(cache) == len(interned) + 1 + len(PUNG) + len(KONG) + len(chows)
    for action in (*actions.FROM_HAND_READY, *actions.AS_DRAWN, Action("win", 5)):
        assert action_text(action) == as_json(action.to_json())
