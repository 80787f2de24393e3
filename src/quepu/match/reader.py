"""Reads a log by playing it again, line by line; the first line that does not fit is refused with its number."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from quepu.errors import Error
from quepu.match.log import FORMAT, LogError, PlayedHand, Replay, Step, chained, follow
from quepu.match.match import Match
from quepu.match.penalties import Penalty
from quepu.match.seats import ORIGIN, Place
from quepu.rulebook import Rulebook
from quepu.rulebooks import book as find_book
from quepu.table.actions import Action, read_action
from quepu.table.events import read_event
from quepu.table.play import Table
from quepu.table.wall import make_wall, read_wall, verify
from quepu.tiles import WINDS

_WHOLE = re.compile(r'(.*),"h":(\d+)}', re.DOTALL)
_MALFORMED = (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError)
"""What data of the wrong kind raises when it is used."""


class _Reader:
    """Plays a log line by line."""

    def __init__(self, book: Rulebook | None) -> None:
        self.given = book
        self.header: dict[str, Any] = {}
        self.book: Rulebook | None = book
        self.match: Match | None = None
        self.hands: list[PlayedHand] = []
        self.table: Table | None = None
        self.seen = 0  # events of the table that the log has told
        self.last = 0
        self.number = 0
        self.finished = False

    def fail(self, zh: str, en: str) -> LogError:
        return LogError(self.number, zh, en)

    def line(self, text: str) -> None:
        self.number += 1
        if self.finished:
            raise self.fail("日志结束之后还有内容。", "something follows the end of the log.")
        whole = _WHOLE.fullmatch(text)
        if whole is None:
            raise self.fail("不是完整的一行日志。", "this is no whole line of a log.")
        body = whole[1]
        found = chained(self.last, body)
        if str(found) != whole[2]:
            raise self.fail(
                "校验不符：这一行或它的位置被改动过。",
                "the hash does not fit: this line was changed or is out of place.",
            )
        self.last = found
        try:
            data = json.loads(body + "}")
        except (ValueError, RecursionError) as wrong:
            raise self.fail("不是 JSON。", "this is no JSON.") from wrong
        if self.number == 1:
            self.begin(data)
            return
        for key, what in self.kinds.items():
            if key in data:
                try:
                    what(self, data)
                except LogError:
                    raise
                except Error as wrong:
                    raise self.fail(*wrong.text) from wrong
                except _MALFORMED as wrong:
                    raise self.fail(
                        "这一行缺少或写错了内容。", "something in this line is missing or wrong."
                    ) from wrong
                return
        raise self.fail("认不出的一行。", "a line of no known kind.")

    def begin(self, data: dict[str, Any]) -> None:
        if data.get("log") != FORMAT:
            raise self.fail("不是雀谱的日志，或格式版本不同。", "this is no quepu log, or one of another format.")
        self.header = data
        try:
            if self.book is None:
                self.book = find_book(str(data["rules"]))
                if data.get("chosen"):
                    self.book = self.book.having(options=data["chosen"])
            names = data["players"]
            first = _place(data["begin"]) if "begin" in data else ORIGIN
            self.match = Match(
                self.book,
                (names[0], names[1], names[2], names[3]),
                int(data["rounds"]),
                bool(data["ranked"]),
                (),
                first,
            )
        except Error as wrong:
            raise self.fail(*wrong.text) from wrong
        except _MALFORMED as wrong:
            raise self.fail("日志头不完整。", "the header is not complete.") from wrong
        if data.get("fingerprint") != self.book.fingerprint:
            name, print_, own = data.get("rules"), data.get("fingerprint"), self.book.fingerprint
            raise self.fail(
                f"日志用的规则（{name}，指纹 {print_}）与现有的（指纹 {own}）不同。",
                f"the log was played under other rules ({name}, fingerprint {print_}) than these ({own}).",
            )

    def hand(self, data: dict[str, Any]) -> None:
        match, book = self._match(), self._book()
        if self.table is not None:
            raise self.fail("上一局还没有结算。", "the hand before was not settled.")
        place = _place(data["place"])
        if match.over:
            raise self.fail("比赛已经结束，不会再有一局。", "the match is over, there is no further hand.")
        if data["hand"] != len(match.hands) + 1 or place._replace(start=match.place.start) != match.place:
            raise self.fail(
                f"这里应是第 {len(match.hands) + 1} 局 {match.place.name}。",
                f"here hand {len(match.hands) + 1}, {match.place.name}, was expected.",
            )
        if place.start != match.place.start:
            self.match = match = match.reseated(place.start)
        wall = read_wall(data["wall"], data["dice"])
        if self.header.get("seed") is not None and wall != make_wall(
            self.header["seed"], data["hand"], flowers=len(wall.tiles) > 136
        ):
            raise self.fail("牌墙不是日志头的种子所生成的。", "this is not the wall of the header's seed.")
        if data.get("commitment"):
            verify(wall, data["salt"], data["commitment"])
        self.hands.append(
            PlayedHand(data["hand"], place, wall, self.number, data.get("salt", ""), data.get("commitment", ""))
        )
        self.table = Table(book, wall, round=place.round_wind)
        self.seen = 0

    def event(self, data: dict[str, Any]) -> None:
        table = self._playing()
        if data["n"] != self.seen:
            raise self.fail(f"应是第 {self.seen} 号事件。", f"event {self.seen} was expected here.")
        event = read_event(data)
        step = Step(self.number, event)
        if self.seen == len(table.events):
            action = event.action() or (Action("win", event.tile) if event.e == "win" else None)
            step = Step(self.number, event, event.seat, action)
            follow(table, step)
        if self.seen >= len(table.events) or table.events[self.seen] != event:
            raise self.fail(
                f"与重演不符：{event.text().zh}。", f"playing it again gives something else than “{event.text().en}”."
            )
        self.hands[-1].steps.append(step)
        self.seen += 1

    def answer(self, data: dict[str, Any]) -> None:
        table = self._playing()
        if self.seen != len(table.events):
            raise self.fail("回答之前缺少事件。", "events are missing before this answer.")
        step = Step(self.number, None, WINDS.index(data["seat"]), read_action(data["a"]))
        follow(table, step)
        self.hands[-1].steps.append(step)

    def penalty(self, data: dict[str, Any]) -> None:
        fault = Penalty(
            data["player"], data["fault"], data.get("points"), data.get("remedied", False), False, data.get("note", "")
        )
        self.match = self._match().penalised(fault)
        if self.table is not None:
            self.hands[-1].steps.append(Step(self.number, penalty=fault))

    def revoke(self, data: dict[str, Any]) -> None:
        self.match = self._match().revoked(data["revoke"])

    def result(self, data: dict[str, Any]) -> None:
        table = self._playing()
        if table.ending is None or self.seen != len(table.events):
            raise self.fail("这一局还没有打完。", "this hand is not over.")
        self.match = self._match().played(table.ending)
        hand = self.hands[-1]
        hand.ending = table.ending
        hand.payments = self.match.hands[-1].settlement.payments
        flows = [[payer, payee, points, *why] for payer, payee, points, why in hand.payments]
        if flows != data["result"] or list(self.match.totals) != data["totals"]:
            raise self.fail("结算与重算不符。", "the payments are not what they should be.")
        self.table = None

    def end(self, data: dict[str, Any]) -> None:
        if data["end"] != self.number - 1:
            raise self.fail(
                f"应有 {data['end']} 行，实有 {self.number - 1} 行。", f"{data['end']} lines were expected."
            )
        self.finished = True

    kinds: ClassVar[dict[str, Callable[[_Reader, dict[str, Any]], None]]] = {
        "hand": hand,
        "n": event,
        "a": answer,
        "fault": penalty,
        "revoke": revoke,
        "result": result,
        "end": end,
    }

    def _match(self) -> Match:
        assert self.match is not None  # noqa: S101  # begin() made it
        return self.match

    def _book(self) -> Rulebook:
        assert self.book is not None  # noqa: S101  # begin() found it
        return self.book

    def _playing(self) -> Table:
        if self.table is None:
            raise self.fail("没有正在进行的一局。", "no hand is being played here.")
        return self.table


def _place(data: Any) -> Place:
    round, dealership, repeat, start = data
    return Place(round, dealership, repeat, (start[0], start[1], start[2], start[3]))


def read_log(lines: Iterable[str], book: Rulebook | None = None, *, unfinished: bool = False) -> Replay:
    """Read and check a whole log.

    `book` is needed for a log under house rules that are not in the registry. `unfinished` allows a log that breaks
    off (a match to be resumed; a last line cut in the middle is left out).

    Raises:
        LogError: at the first line that is wrong, or after the last one if the end is missing.
    """
    reader = _Reader(book)
    for text, last in _told(lines):
        try:
            reader.line(text)
        except LogError:
            if unfinished and last and reader.number > 1 and not _WHOLE.fullmatch(text):
                reader.number -= 1
                break
            raise
    if reader.number == 0:
        raise LogError(1, "日志是空的。", "the log is empty.")
    if not reader.finished and not unfinished:
        reader.number += 1
        raise reader.fail("日志在这里断了。", "the log breaks off here.")
    return Replay(
        reader.header, reader._book(), reader._match(), reader.hands, reader.finished, reader.last, reader.number
    )


def _told(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line without its newline, and whether it is the last."""
    before: str | None = None
    for text in lines:
        if before is not None:
            yield before, False
        before = text.rstrip("\r\n")
    if before is not None:
        yield before, True
