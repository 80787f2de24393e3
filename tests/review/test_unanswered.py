"""What the clock or a bot did for a seat is in the log, and is not its player's decision."""

from __future__ import annotations

import pytest

from quepu.match import LogWriter, Match, read_log
from quepu.match.frames import hand_frames
from quepu.match.log import LogError
from quepu.review import rated_decisions
from quepu.rulebooks import book
from quepu.server.replays.serialize import frame_shape
from quepu.table import Table
from quepu.table.actions import PASS, timeout
from tests.table.walls import JUNK, stacked

BOOK = book("lingque-29")


def written(by: dict[int, str]) -> list[str]:
    """The log of some turns in which everybody does what a time-out would; `by` says who did it, by the turn."""
    table = Table(BOOK, stacked(JUNK))
    match, lines = Match(BOOK), list[str]()
    log = LogWriter(match, lines.append)
    log.hand(1, match.place, table)
    for turn in range(12):
        seat = table.to_act[0]
        table.step(seat, timeout(table.options(seat)))
        log.sync(by.get(turn, ""))
    return lines


def test_a_log_says_who_acted(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, marked = written({}), written({0: "clock", 3: "bot"})
    replay = read_log(marked, unfinished=True)
    steps = [step for step in replay.hands[0].steps if step.action is not None]
    assert [step.by for step in steps[:4]] == ["clock", "", "", "bot"]
    assert len(plain) == len(marked)
    assert [step[1:5] for step in replay.hands[0].steps] == [
        step[1:5] for step in read_log(plain, unfinished=True).hands[0].steps
    ]

    deciders: list[int] = []

    def decided(table: Table, seat: int, *_: object) -> None:
        deciders.append(seat)

    monkeypatch.setattr(rated_decisions, "rate_decision", decided)
    rated_decisions.decisions(replay.hands[0], BOOK)
    all_of_them, deciders = len(deciders) + 2, []
    rated_decisions.decisions(read_log(plain, unfinished=True).hands[0], BOOK)
    assert len(deciders) == all_of_them


def test_pictures_say_who_acted() -> None:
    replay = read_log(written({0: "clock"}), unfinished=True)
    film = hand_frames(replay.hands[0], BOOK)
    shapes = [frame_shape(one, i, replay.match.names, replay.match.rules) for i, one in enumerate(film.frames)]
    discards = [one["text"] for one in shapes if one["e"] == "discard"]
    assert discards[0]["zh"].endswith("，超时")
    assert "超时" not in discards[1]["zh"]


def test_a_pass_is_marked_too() -> None:
    wall = stacked(["1478m258p369sESW", "11m47m258p369sESW", "247m258p369sESWN", "247m258p369sESWN"])
    table = Table(BOOK, wall)
    match, lines = Match(BOOK), list[str]()
    log = LogWriter(match, lines.append)
    log.hand(1, match.place, table)
    table.step(0, next(one for one in table.options(0) if one.do == "discard" and one.tile == 0))
    log.sync()
    assert table.to_act == (1,)
    table.step(1, PASS)
    log.sync("clock")
    step = next(step for step in read_log(lines, unfinished=True).hands[0].steps if step.action == PASS)
    assert (step.seat, step.by) == (1, "clock")


def test_other_words_mean_nothing() -> None:
    """A log of a later version can name another actor: it is read as if it named none."""
    import zlib

    lines = written({0: "clock"})
    at = next(i for i, line in enumerate(lines) if '"by"' in line)
    lines[at] = lines[at].replace('"by":"clock"', '"by":"moon"')
    with pytest.raises(LogError):  # the hash
        read_log(lines, unfinished=True)
    last, made = 0, []
    for line in lines:
        body = line[: line.rindex(',"h":')]
        last = zlib.crc32(body.encode(), last)
        made.append(f'{body},"h":{last}}}')
    assert all(step.by == "" for step in read_log(made, unfinished=True).hands[0].steps)
