"""Logs of every earlier version: read, judged by their own revision, shown; whatever became of their rules."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from quepu.match.frames import hand_frames
from quepu.match.log import LogWriter, Replay
from quepu.match.log_lines import Step
from quepu.match.reader import read_log
from quepu.match.steps import follow
from quepu.rulebooks import book, house_rules
from quepu.table import NotAllowed, Table, make_wall
from quepu.tiles import PLAIN

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/logs"))
LOGS = sorted(path for folder in FOLDERS for path in (folder / "logs").glob("*.gz"))


def lines_of(path: Path) -> list[str]:
    """The lines of a log."""
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def expected_of(path: Path) -> dict[str, Any]:
    """What it came to when it was played."""
    expected = json.loads(gzip.decompress((path.parent.parent / "expected.json.gz").read_bytes()))
    found: dict[str, Any] = expected[path.name.removesuffix(".jsonl.gz")]
    return found


def opened(path: Path, *, with_house: bool = True) -> Replay:
    """The log, with the house rules beside it if there are any."""
    house = path.with_name(path.name.replace(".jsonl.gz", ".toml"))
    rules = house_rules.read(house.read_text("utf-8")) if with_house and house.exists() else None
    return read_log(lines_of(path), rules, unfinished=True)


def came_to(replay: Replay) -> dict[str, Any]:
    """The same things out of a log that was read."""
    return {
        "players": list(replay.match.names),
        "lines": replay.lines,
        "events": sum(len(hand.events) for hand in replay.hands),
        "finished": replay.finished,
        "hands": len(replay.hands),
        "results": [[[*p[:3], *p.why] for p in hand.settlement.payments] for hand in replay.match.hands],
        "totals": list(replay.match.totals),
    }


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.parent.name}-{path.name.partition('.')[0]}")
def test_a_golden_log_is_read_and_found_as_it_was(path: Path) -> None:
    replay = opened(path)
    assert came_to(replay) == expected_of(path)
    assert replay.problems == ()
    for hand in replay.hands:
        frames = hand_frames(hand, replay.book).frames
        assert len(frames) == len(hand.events) - 4  # the dice and three of four deals make no picture
        assert frames[-1].won == any(event.tag == "win" for event in hand.events)
        assert hand.ending is None or (not hand.ending.winners) == (not frames[-1].won)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.parent.name}-{path.name.partition('.')[0]}")
def test_a_golden_log_is_read_without_its_rules(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the book removed or the house rules lost: the players, the events and the payments are still read."""
    monkeypatch.setattr("quepu.match.edition.find_book", lambda name: book(f"no {name}"))
    replay = opened(path, with_house=False)
    assert came_to(replay) == expected_of(path)
    assert replay.notes
    with_rules = read_log_again(path)
    for hand, judged in zip(replay.hands, with_rules.hands, strict=True):
        frames = hand_frames(hand, replay.book).frames
        for mine, theirs in zip(frames, hand_frames(judged, with_rules.book).frames, strict=True):
            assert (mine.hands, mine.drawn, mine.won, mine.turn) == (
                theirs.hands,
                theirs.drawn,
                theirs.won,
                theirs.turn,
            )
            assert (mine.board.rivers, mine.board.melds) == (theirs.board.rivers, theirs.board.melds)
        if judged.ending is not None and hand.ending is not None:
            for win, now in zip(hand.ending.winners, judged.ending.winners, strict=True):
                assert win.points in (0, now.points)  # format 1 does not say it where reasons do not
            assert (hand.ending.seats, *hand.ending[1:4]) == (judged.ending.seats, *judged.ending[1:4])


def read_log_again(path: Path) -> Replay:
    """The log with its rules, while the registry is away."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("quepu.match.edition.find_book", book)
        return opened(path)


@pytest.mark.parametrize("name", ["yuque-54", "guobiao", "lingque-29"])
def test_a_log_judged_by_rules_that_pay_more_has_its_own_results(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A book whose values changed without any revision: the log tells another story than today's book would."""
    path = FOLDERS[0] / "logs" / f"{name}.jsonl.gz"
    rules = book(f"{name}@1")
    values = {fan.name: tuple(n + 1 for n in fan.value) if isinstance(fan.value, tuple) else fan.value + 1
              for fan in rules.fans}  # fmt: skip
    higher = rules.having(values=values, minimum=rules.minimum + 1)
    monkeypatch.setattr("quepu.match.edition.find_book", lambda _: higher)
    replay = opened(path)
    assert came_to(replay) == expected_of(path)
    assert replay.problems
    assert any("今天计" in problem.text.zh or "不" in problem.text.zh for problem in replay.problems)


def test_a_hand_that_cannot_be_played_on_is_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    path = FOLDERS[0] / "logs" / "unfinished.jsonl.gz"
    replay = opened(path)
    number = replay.hands[-1].number
    before = replay.hands[-1].events

    def refused(table: Table, step: Step) -> None:
        if step.line > replay.hands[-1].line + 6:
            raise NotAllowed("今天不许。", "not today.")
        follow(table, step)

    monkeypatch.setattr("quepu.match.reader.follow", refused)
    broken = opened(path)
    assert broken.hands[-1].events == before
    assert broken.hands[-1].problem is not None
    lines = lines_of(path)[: broken.lines]
    writer, table = LogWriter.resume(broken, lines.append)
    assert table is None
    assert json.loads(lines[-1])["void"] == number
    again = Table(broken.book, make_wall(39, number, PLAIN), round=broken.match.place.round_wind)
    writer.hand(number, broken.match.place, again)
    after = read_log(lines, unfinished=True)
    assert len(after.hands) == number
    assert after.hands[-1].events == again.events
    assert after.match.totals == replay.match.totals
