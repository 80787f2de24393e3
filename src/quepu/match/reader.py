"""Read a log line by line; a line that is invalid or contradicts the log is refused with its number.

Each hand is replayed alongside. If the book or the program has changed since, so that the replay differs, the rest of
the hand is folded from its events alone, and the replay gets a `LogProblem`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from quepu.errors import Error, Text, UnknownName, many
from quepu.match.edition import Edition, edition_of
from quepu.match.formats import PERSON, Joined, check_format, read_joined, seat_joined
from quepu.match.log import LogError, NotALog, PlayedHand, Replay, chain_hash, read_flow
from quepu.match.log_lines import (
    MALFORMED,
    NOT_A_LOG,
    WHOLE,
    LogProblem,
    Source,
    Step,
    acted_for,
    event_step,
    open_lines,
    plain_event,
    read_penalty,
    read_place,
    split_lines,
)
from quepu.match.match import Match, Recorded
from quepu.match.seats import ORIGIN
from quepu.match.steps import follow
from quepu.match.verdict import alike, as_then, ending_of, unlike
from quepu.rules.play_rules import SEATS
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import read_action
from quepu.table.events import Event
from quepu.table.mixed_wall import Sealed, read_sealed, verify_mixed
from quepu.table.play import Table
from quepu.table.position import Position, apply
from quepu.table.wall import make_wall, read_wall, verify
from quepu.tiles import PLAIN, WINDS, TileSet

__all__ = ["MALFORMED", "read_log"]


class _Reader:
    """Reads a log line by line."""

    def __init__(self, book: Rulebook | None) -> None:
        self.given = book
        self.header: dict[str, Any] = {}
        self.edition: Edition | None = None
        self.match: Match | None = None
        self.hands: list[PlayedHand] = []
        self.table: Table | None = None  # the hand being replayed, as long as the replay agrees
        self.fold: Position | None = None  # the hand by its events alone, from where the replay differs
        self.sealed: Sealed | None = None  # the seal of the next hand
        self.seen = 0  # number of events of this hand so far
        self.undone = 0
        self.bots: list[str] = []  # descriptions of the players: levels of bots
        self.joined: list[Joined] = []
        self.unpriced = False  # whether there was a fault without a cost in the log
        self.problems: list[LogProblem] = []
        self.last = 0
        self.number = 0
        self.finished = False

    def fail(self, zh: str, en: str) -> LogError:
        return LogError(self.number, zh, en)

    def line(self, text: str) -> None:
        self.number += 1
        if self.finished:
            raise self.fail("牌谱结束之后还有内容。", "there is more after the end of the log.")
        whole = WHOLE.fullmatch(text)
        if whole is None:
            if self.number == 1:
                raise NotALog(self.number, *NOT_A_LOG)
            raise self.fail("不是完整的一行日志。", "this line is not a complete log entry.")
        body = whole[1]
        found = chain_hash(self.last, body)
        if str(found) != whole[2]:
            raise self.fail("校验不符：这一行或它的位置被改动过。", "hash mismatch: this line was changed or moved.")
        self.last = found
        try:
            if self.number == 1:
                self.begin(self.parse(body))
            elif (plain := plain_event(body, _KINDS)) is not None:
                self.read_event(*plain)
            else:
                self.read(self.parse(body))
        except LogError:
            raise
        except Error as wrong:
            raise self.fail(*wrong.text) from wrong

    def parse(self, body: str) -> dict[str, Any]:
        """Return the data of a line, without its hash."""
        try:
            data: dict[str, Any] = json.loads(body + "}")
        except (ValueError, RecursionError) as wrong:
            raise self.fail("不是 JSON。", "this is not valid JSON.") from wrong
        return data

    def read(self, data: dict[str, Any]) -> None:
        """Read a line after the header by the first of its keys that names a kind."""
        kind = next((kind for key, kind in self.kinds.items() if key in data), None)
        if kind is None:
            raise self.fail("无法识别的一行。", "unknown record type.")
        try:
            kind(self, data)
        except Error:
            raise
        except MALFORMED as wrong:
            raise self.fail("这一行缺少或写错了内容。", "part of this line is missing or invalid.") from wrong

    def begin(self, data: dict[str, Any]) -> None:
        check_format(data)
        self.header = data
        try:
            self.edition = edition_of(data, self.given)
            names = data["players"]
            if not all(isinstance(name, str) for name in (*names, *data.get("bots", ()))):
                raise TypeError
            first = read_place(data["begin"]) if "begin" in data else ORIGIN
            players = (names[0], names[1], names[2], names[3])
            self.bots = [*data.get("bots", ())]
            self.match = Match(self.edition.book, players, int(data["rounds"]), bool(data["ranked"]), first=first)
        except Error:
            raise
        except MALFORMED as wrong:
            raise self.fail("牌谱头不完整。", "the header is incomplete.") from wrong

    def differs(self, zh: str, en: str) -> LogProblem:
        """Note that the replay differs here; for unknown rules nothing is noted."""
        problem = LogProblem(self.number, Text(zh, en))
        if self._edition().playable:
            self.problems.append(problem)
        return problem

    def seal(self, data: dict[str, Any]) -> None:
        if self.table is not None or self.fold is not None:
            raise self.fail("上一局还没有结算。", "the previous hand was not settled.")
        if self.sealed is not None:
            raise self.fail("这一局的牌墙封存了两次。", "the wall of this hand was sealed twice.")
        if data["sealed"] != len(self._match().hands) + 1:
            raise self.fail("封存的不是下一局的牌墙。", "this seals the wall of a hand other than the next.")
        self.sealed = read_sealed(data["sealed"], data["secret"], data["commitments"], data["commitment"])

    def hand(self, data: dict[str, Any]) -> None:
        match, edition = self._match(), self._edition()
        if self.table is not None or self.fold is not None:
            raise self.fail("上一局还没有结算。", "the previous hand was not settled.")
        place = read_place(data["place"])
        if data["hand"] != len(match.hands) + 1:
            raise self.fail(
                f"这里应是第 {len(match.hands) + 1} 局。", f"hand {len(match.hands) + 1} was expected here."
            )
        if sorted(place.start) != list(range(SEATS)) or place.dealership not in range(SEATS) or place.round < 1:
            raise self.fail("这不是一局的位置。", "this is not the position of a hand.")
        if match.over:
            self.differs("按规则比赛到这里已经结束。", "under the rules the match ends here.")
        if place._replace(start=match.place.start) != match.place:
            expected = match.place.name
            self.differs(f"按规则这里应是 {expected}。", f"under the rules this should be {expected}.")
        elif place.start != match.place.start:
            self.match = match = match.reseat(place.start)
        tiles = match.rules.table.tiles if edition.playable else None
        wall = read_wall(data["wall"], data["dice"], tiles, own := self.header.get("walls") == "own")
        if self.header.get("seed") is not None and wall != make_wall(
            self.header["seed"], data["hand"], TileSet.of(wall.tiles) or PLAIN, own
        ):
            self.differs("牌墙不是由牌谱头里的种子生成的。", "this wall does not come from the seed in the header.")
        hand = PlayedHand(data["hand"], place, wall, self.number, data.get("salt", ""), data.get("commitment", ""))
        hand.names, hand.bots = match.names, tuple(self.bots)
        if self.sealed is not None:
            hand.sealed, self.sealed = self.sealed, None
            hand.salts, hand.commitment = tuple(data["salts"]), hand.sealed.commitment
            verify_mixed(wall, hand.sealed, hand.salts)
        elif "salts" in data:
            raise self.fail("没有封存过这一局的牌墙。", "the wall of this hand was not sealed before.")
        elif hand.commitment:
            verify(wall, hand.salt, hand.commitment)
        self.hands.append(hand)
        self.seen = 0
        if edition.playable:
            self.table = Table(edition.book, wall, round=place.round_wind)
        else:
            self.fold = self._folding(hand)
            hand.problem = LogProblem(self.number, edition.note or Text("规则不详。", "the rules are not known."))

    def event(self, data: dict[str, Any]) -> None:
        self.read_event(data["n"], event_step(data))

    def read_event(self, number: int, found: Step) -> None:
        """Read an event of this number, caused by its seat's action unless it follows by itself."""
        if number != self.seen:
            raise self.fail(f"应是第 {self.seen} 号事件。", f"event {self.seen} was expected here.")
        event = found.event
        assert event is not None  # noqa: S101  # of an event's line
        step = Step(self.number, event, by=found.by)
        table = self._playing()
        if table is not None:
            if self.seen == table.event_count:
                step = found._replace(line=self.number)
                table = self.follow(step)
            if table is not None and table.event(self.seen) != event:
                self.apart(f"与重演不符：{event.text().zh}。", f"replaying does not give “{event.text().en}”.")
        if self.fold is not None:
            self.fold_event(event)
        self.hands[-1].steps.append(step)
        self.seen += 1

    def answer(self, data: dict[str, Any]) -> None:
        step = Step(self.number, None, WINDS.index(data["seat"]), read_action(data["a"]), by=acted_for(data))
        table = self._playing()
        if table is not None:
            if self.seen != table.event_count:
                self.apart("回答之前缺少事件。", "events are missing before this answer.")
            else:
                self.follow(step)
        self.hands[-1].steps.append(step)

    def follow(self, step: Step) -> Table | None:
        """Replay a step; return None if the table does not allow it and the hand continues by its events alone."""
        assert self.table is not None  # noqa: S101  # asked before
        try:
            follow(self.table, step)
        except Error as wrong:
            self.apart(*wrong.text)
        return self.table

    def apart(self, zh: str, en: str) -> None:
        """Give up the replay of the hand: fold the events so far, and those to come."""
        hand = self.hands[-1]
        hand.problem = self.differs(zh, en)
        self.table, self.fold = None, self._folding(hand)
        for event in hand.events:
            self.fold_event(event)

    def _folding(self, hand: PlayedHand) -> Position:
        """Return the position of a hand before its first event."""
        return Position(hand.plan(self._match().rules.table), hand.place.round_wind)

    def fold_event(self, event: Event) -> None:
        assert self.fold is not None  # noqa: S101  # asked before
        try:
            apply(self.fold, event)
        except ValueError as wrong:
            raise self.fail(
                f"没有这张牌可用：{event.text().zh}。", f"a tile is not where it is taken from: {event.text().en}."
            ) from wrong

    def penalty(self, data: dict[str, Any]) -> None:
        fault, match = read_penalty(data), self._match()
        paid = tuple(map(read_flow, data["paid"])) if "paid" in data else None
        self.unpriced |= paid is None
        if not self._edition().playable:
            made = match.add_recorded(Recorded(fault, paid or ()))
        else:
            try:
                made = match.penalise(fault)
                if paid is not None:
                    if not alike(match.penalty_flows(fault), paid):
                        self.differs("罚分的数目与规则不符。", "the penalty is not what the rules say.")
                    made = match.add_recorded(Recorded(fault, paid))
            except UnknownName as wrong:  # a fault that the book no longer has
                self.differs(*wrong.text)
                made = match.add_recorded(Recorded(fault, paid or ()))
        self.match = made
        if self.table is not None or self.fold is not None:
            self.hands[-1].steps.append(Step(self.number, penalty=fault))

    def revoke(self, data: dict[str, Any]) -> None:
        self.match = self._match().revoke(data["revoke"])

    def result(self, data: dict[str, Any]) -> None:
        table, match, hand = self._playing(), self._match(), self.hands[-1]
        paid = tuple(map(read_flow, data["result"]))
        a, b, c, d = map(int, data["totals"])
        if table is not None and (table.ending is None or self.seen != table.event_count):
            self.apart("这一局还没有打完。", "this hand is not finished.")
            table = None
        ending = table.ending if table is not None else None
        written = Recorded(ending or ending_of(hand.events, data), paid, hand.place)
        made = match.add_recorded(written)
        if made.totals != (a, b, c, d):
            if not self.unpriced:
                raise self.fail("合计与收付不符。", "the totals do not match the payments.")
            self.differs("罚分当时不是这么多。", "the penalty was not this high at the time.")
            made = match.add_recorded(written._replace(totals=(a, b, c, d)))
        if ending is not None and not match.over and hand.place == match.place:
            try:
                today = match.add_hand(ending)
            except Error as wrong:  # points that the book does not know, or payments that it refuses
                self.differs(*wrong.text)
            else:
                now = today.hands[-1].settlement.payments
                if now == paid and today.totals == made.totals:
                    made = today
                elif not alike(now, paid):
                    self.differs(*unlike(ending, data))
                    made = match.add_recorded(written._replace(entry=as_then(ending, data), totals=(a, b, c, d)))
        self.match = made
        hand.ending, hand.payments = made.hands[-1].ending, paid
        wins = [data["won"], *data.get("also", ())] if "won" in data else []
        hand.fans = tuple(tuple((str(name), int(n)) for name, n in win.get("fans", ())) for win in wins)
        self.table = self.fold = None

    def void(self, data: dict[str, Any]) -> None:
        """Drop a hand that will be dealt again: it could not be continued, or a seat took a move back (`undo`)."""
        if self._playing() is None and self.fold is None:
            raise self.fail("没有正在进行的一局。", "no hand is in progress here.")
        if data["void"] != self.hands[-1].number:
            raise self.fail("作废的不是这一局。", "a different hand is in progress.")
        self.hands.pop()
        self.undone += "undo" in data
        self.table = self.fold = None

    def join(self, data: dict[str, Any]) -> None:
        """Let a person play in the place of a bot, from the next hand on."""
        if self.table is not None or self.fold is not None or self.sealed is not None:
            raise self.fail("一局开始之后不能换人。", "a player can only join between hands.")
        self.joined.append(joined := read_joined(data, self.header, self._match(), self.bots))
        self.match, self.bots[joined.player] = seat_joined(self._match(), joined), PERSON

    def end(self, data: dict[str, Any]) -> None:
        if data["end"] != self.number - 1:
            raise self.fail(
                f"应有 {data['end']} 行，实有 {self.number - 1} 行。",
                f"expected {many(data['end'], 'line')}, not {self.number - 1}.",
            )
        self.match = replace(self._match(), ended=True)
        self.finished = True

    kinds: ClassVar[dict[str, Callable[[_Reader, dict[str, Any]], None]]] = {
        "sealed": seal, "hand": hand, "n": event, "a": answer, "fault": penalty, "revoke": revoke,
        "result": result, "void": void, "joined": join, "end": end,
    }  # fmt: skip

    def _match(self) -> Match:
        assert self.match is not None  # noqa: S101  # begin() made it
        return self.match

    def _edition(self) -> Edition:
        assert self.edition is not None  # noqa: S101  # begin() found it
        return self.edition

    def _playing(self) -> Table | None:
        """The table of the hand; None if it continues by its events alone."""
        if self.table is None and self.fold is None:
            raise self.fail("没有正在进行的一局。", "no hand is in progress here.")
        return self.table


_KINDS = frozenset(_Reader.kinds)


def read_log(source: Source, book: Rulebook | None = None, *, unfinished: bool = False) -> Replay:
    """Read a whole log of quepu: a path, an open file, its text, or its lines.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> read_log("match.jsonl").match.totals == played.totals
        True

    `book` is needed for a log under house rules, which are not in the registry; without it, such a log is read by its
    events and payments alone. `unfinished` allows a log that breaks off (a match to be resumed; a truncated last line
    is left out).

    Raises:
        LogError: at the first invalid line, or after the last one if the end is missing.
        HandError: the file cannot be read.
    """
    reader = _Reader(book)
    for text, last in split_lines(open_lines(source)):
        try:
            reader.line(text)
        except LogError:
            if not unfinished or not last or reader.number == 1 or WHOLE.fullmatch(text):
                raise
            reader.number -= 1
    if reader.number == 0:
        raise LogError(1, "牌谱是空的。", "the log is empty.")
    if not reader.finished and not unfinished:
        reader.number += 1
        raise reader.fail("牌谱在这里中断。", "the log ends here unexpectedly.")
    edition = reader._edition()
    return Replay(
        reader.header, edition.book, reader._match(), reader.hands, reader.finished, reader.last, reader.number,
        edition.same, (edition.note,) if edition.note is not None else (), tuple(reader.problems), reader.sealed,
        reader.undone, tuple(reader.joined),
    )  # fmt: skip
