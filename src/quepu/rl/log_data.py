"""Decisions of the players of logs as arrays; `quepu.rl.data` has the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from quepu.errors import Error, HandError, Text
from quepu.logs import files, read_text
from quepu.match import Replay
from quepu.match.imports import ImportedLog, read_many
from quepu.match.log import PlayedHand
from quepu.match.settle import add_up
from quepu.match.steps import decide
from quepu.rl.decision_files import DataError, Decisions, PartFiles, check_name, pack
from quepu.rl.decision_rows import DecisionRows, join_parts
from quepu.rl.encodings import Array, EncodingName
from quepu.rules.rulebook import Rulebook
from quepu.table import Table

MOST_ROWS = 1000
"""Decisions of logs from which a part is written."""
Progress = Callable[[int], None]
Log = Replay | str | Path


def from_logs(
    logs: Log | Iterable[Log],
    encoding: EncodingName = "counts",
    *,
    book: Rulebook | None = None,
    progress: Progress | None = None,
) -> Decisions:
    """Decisions of the players of logs, hand after hand: files, folders of them, or replays that were read.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> from_logs("match.jsonl").columns["action"].dtype
        dtype('int16')

    Logs are quepu's own, whole or broken off, or what other programs write (`quepu.match.imports`). Hands that did not
    end, or that today's book plays differently, are left out; `about` counts them (`left_out`), lists files in folders
    that are not logs (`unread`: path and reason) and losses in imported logs (`lost`: sentence and number of logs).
    `book` is that of logs under house rules.

    Raises:
        DataError: a file is not a log, or the logs are of several books; it names the file.
        HandError: a file cannot be read.
    """
    taken = _LogParts(logs, encoding, book, progress)
    parts = list(taken.parts())
    return Decisions(join_parts(parts), taken.about())


def write_logs(
    path: str | Path,
    logs: Log | Iterable[Log],
    encoding: EncodingName = "counts",
    *,
    book: Rulebook | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Write the decisions of `from_logs`, in parts on disk until the end; return its `about`.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> write_logs("plain.npz", "match.jsonl")["hands"]
        4

    Stopped by Ctrl-C, the logs read so far are written, and `about` has `partial`.

    Raises:
        DataError, HandError: as `from_logs` and `save`.
        MissingExtra: as `save`.
    """
    target = check_name(path)
    taken = _LogParts(logs, encoding, book, progress)
    with PartFiles(target) as parts:
        stopped: dict[str, Any] = {}
        number = 0
        cut: dict[str, Array] | None = None
        try:
            for one in taken.parts():
                cut = one
                parts.add(number, pack(cut))
                number, cut = number + 1, None
        except KeyboardInterrupt:
            if not taken.hands:
                raise
            if cut is not None:  # its hands are counted
                parts.add(number, pack(cut))
                number += 1
            taken.rows.give_up()
            parts.add(number, pack(taken.rows.arrays()))
            stopped = {"partial": True}
        return parts.save(taken.about() | stopped)


class _LogParts:
    """Decisions of logs in parts, and the information about all of them."""

    def __init__(
        self, logs: Log | Iterable[Log], encoding: EncodingName, book: Rulebook | None, progress: Progress | None
    ) -> None:
        self.logs: list[Log] = [logs] if isinstance(logs, Replay | str | Path) else list(logs)
        self.encoding, self.book, self.progress = encoding, book, progress
        self.rows = DecisionRows(encoding)
        self.read = self.hands = self.left_out = 0
        self.first: tuple[str, Replay] | None = None
        self.lost: Counter[Text] = Counter()
        self.unread: list[tuple[str, Text]] = []

    def parts(self) -> Iterator[dict[str, Array]]:
        """Parts of some decisions, in the order of the logs; there is at least one."""
        for log in self.logs:
            for name, replay in self._replays(log):
                self._one_book(name, replay)
                yield from self._read_hands(replay)
                self.read += 1
                if self.progress is not None:
                    self.progress(self.read)
        yield self._cut()

    def about(self) -> dict[str, Any]:
        """Return the information about the decisions."""
        found: dict[str, Any] = {"encoding": self.encoding, "hands": self.hands}
        found |= {"left_out": self.left_out, "logs": self.read}
        if self.first is not None:
            book = self.first[1].book
            found |= {"rules": book.id, "fingerprint": book.fingerprint}
        if self.lost:
            found["lost"] = [[list(text), count] for text, count in self.lost.most_common()]
        if self.unread:
            found["unread"] = [[path, list(why)] for path, why in self.unread]
        return found

    def _replays(self, log: Log) -> Iterator[tuple[str, Replay]]:
        """Yield the logs of a file or folder with their names."""
        if isinstance(log, Replay):
            self.lost.update(set(log.notes))
            yield "", log
            return
        for path in files(Path(log)) if Path(log).is_dir() else [Path(log)]:
            try:
                found = read_many(read_text(path), self.book)
                first = next(found)
            except Error as wrong:
                if path != Path(log):
                    self.unread.append((str(path), wrong.text))
                    continue
                if isinstance(wrong, HandError):
                    raise
                raise DataError(f"{path}：{wrong.text.zh}", f"{path}: {wrong.text.en}") from wrong
            for imported in chain((first,), found):
                if not isinstance(imported, ImportedLog):
                    line, why = imported
                    where = Text(f"从第 {line} 行起的一局：", f"the match from line {line}: ")
                    self.unread.append((str(path), Text(where.zh + why.text.zh, where.en + why.text.en)))
                    continue
                lost = {*imported.lost, *imported.replay.notes}
                if self.book is not None and imported.source != "log":
                    lost.add(_OWN_RULES)
                self.lost.update(lost)
                yield str(path), imported.replay

    def _one_book(self, name: str, replay: Replay) -> None:
        if self.first is None:
            self.first = name, replay
        elif self.first[1].book.fingerprint != replay.book.fingerprint:
            both = [
                f"{each.book.id} ({called})" if called else each.book.id
                for called, each in (self.first, (name, replay))
            ]
            raise DataError(
                f"牌谱是几本不同规则的：{'、'.join(both)}。", f"the logs are of several rulebooks: {', '.join(both)}."
            )

    def _read_hands(self, replay: Replay) -> Iterator[dict[str, Array]]:
        scores = [replay.match.rules.match.start] * 4
        for hand in replay.hands:
            if _replay_hand(self.rows, replay, hand, scores, self.hands):
                self.hands += 1
            else:
                self.left_out += 1
            if len(self.rows.columns["action"]) >= MOST_ROWS:
                yield self._cut()

    def _cut(self) -> dict[str, Array]:
        part, self.rows = self.rows.arrays(), DecisionRows(self.encoding)
        return part


_OWN_RULES = Text(
    "别的程序的记录按它自己的规则，不按所给的。",
    "a record of another program keeps to its own rules, not to those given.",
)


def _replay_hand(rows: DecisionRows, replay: Replay, hand: PlayedHand, scores: list[int], number: int) -> bool:
    """Add the decisions of a hand of a log, and its payments to the players' scores; return whether it was complete."""
    seats = hand.place.seats
    paid = add_up(hand.payments, zero_sum=False).seats
    table = Table(replay.book, hand.wall, round=hand.place.round_wind)
    writer = rows.begin(
        table, [scores[who] for who in seats], (hand.place.round, hand.place.dealership, hand.place.repeat)
    )
    for wind, player in enumerate(seats):
        scores[player] += paid[wind]
    if hand.ending is None or hand.problem is not None:
        return False
    try:
        for seat, chosen, by in decide(table, hand.steps):
            if not by:
                rows.add(table, writer, seat, chosen)
    except Error:
        rows.give_up()
        return False
    rows.end(number, hand.ending, paid)
    return True
