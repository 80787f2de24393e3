"""Write decisions, with their positions and outcomes, as arrays: from bots or from logs.

Columns, a row for each decision between two or more actions: `observation` (an encoding of `quepu.rl.encodings`),
`mask` (uint8 [N, 20]: `np.unpackbits(mask, axis=1, count=153)`), `action` (a number of
`quepu.rl.action_numbers`), `hand` (in the order they were played), `seat`, `points` (what the seat got of the hand),
`won`, `dealt_in`, `drawn_hand` (nobody won).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import signature
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypedDict, TypeVar, Unpack

import numpy as np

from quepu.arena.bot_hand import choice_of, hand_of
from quepu.arena.plan import Plan, Player
from quepu.arena.work_parts import spread
from quepu.errors import Error, HandError, Text, unknown_keywords
from quepu.logs import files, read_text
from quepu.match import Replay
from quepu.match.imports import ImportedLog, read_many
from quepu.match.log import PlayedHand
from quepu.match.settle import add_up, settle
from quepu.match.steps import decide
from quepu.rl import action_numbers
from quepu.rl.decision_files import COLUMNS, DataError, Decisions, PartFiles, check_name, load, pack, save
from quepu.rl.encodings import Array, EncodingName, encoding_of
from quepu.rl.writer import TableWriter
from quepu.rules.play_rules import Ending, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import showing
from quepu.table import Action, Table, make_wall

CHUNK = 25
"""Hands of bots in a part."""
MOST_ROWS = 1000
"""Decisions of logs from which a part is written."""
Progress = Callable[[int], None]
Log = Replay | str | Path
Part = TypeVar("Part")
__all__ = [
    "COLUMNS", "DataError", "Decisions", "check_name", "from_bots", "from_logs", "load", "save", "write_bots",
    "write_logs",
]  # fmt: skip


class _Rows:
    """Decisions of one hand, until it is known how it ended."""

    def __init__(self, encoding: EncodingName) -> None:
        self.encoding = encoding_of(encoding)
        self.columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        self.open: list[int] = []

    def begin(
        self, table: Table, scores: Sequence[int] = (0, 0, 0, 0), place: Sequence[int] = (1, 0, 0)
    ) -> TableWriter:
        """A hand begins."""
        self.open = []
        return TableWriter(self.encoding.name, table, scores, place)

    def add(self, table: Table, writer: TableWriter, seat: int, chosen: Action) -> None:
        """Record a seat's decision, if it had a choice."""
        options = action_numbers.number_options(table.options(seat))
        number = action_numbers.number(chosen)
        if len(options) < 2 or number not in options:
            return
        writer.follow()
        mask = np.zeros(action_numbers.COUNT, np.uint8)
        mask[list(options)] = 1
        self.columns["observation"].append(writer.observe(seat))
        self.columns["mask"].append(np.packbits(mask))
        self.columns["action"].append(number)
        self.open.append(seat)

    def end(self, hand: int, ending: Ending, points: Sequence[int]) -> None:
        """Record how the hand ended."""
        columns = self.columns
        for seat in self.open:
            columns["hand"].append(hand)
            columns["seat"].append(seat)
            columns["points"].append(points[seat])
            columns["won"].append(seat in ending.seats)
            columns["dealt_in"].append(ending.discarder == seat)
            columns["drawn_hand"].append(not ending.winners)
        self.open = []

    def give_up(self) -> None:
        """Leave out a hand that did not end."""
        for name in ("observation", "mask", "action"):
            del self.columns[name][len(self.columns[name]) - len(self.open) :]
        self.open = []

    def arrays(self) -> dict[str, Array]:
        """The columns."""
        n = len(self.columns["action"])
        shapes = {"observation": (n, *self.encoding.shape), "mask": (n, (action_numbers.COUNT + 7) // 8)}
        kinds = {"observation": self.encoding.dtype, "mask": np.uint8, "action": np.int16, "hand": np.int32}
        kinds |= {"seat": np.int8, "points": np.int32}
        return {
            name: np.array(column, kinds.get(name, np.bool_)).reshape(shapes.get(name, (n,)))
            for name, column in self.columns.items()
        }


def _join_parts(parts: Iterable[dict[str, Array]]) -> dict[str, Array]:
    found = list(parts)
    return {name: np.concatenate([part[name] for part in found]) for name in COLUMNS}


class PlayOptions(TypedDict, total=False):
    """Options of hands that bots play."""

    flowers: bool | None
    """None (the default) plays the book's own set."""
    jobs: int
    """Processes (default 1)."""
    progress: Progress | None
    """Called after each part with the number of hands played."""


_DEFAULTS: Final = PlayOptions(flowers=None, jobs=1, progress=None)


@dataclass(frozen=True)
class _BotHands:
    """Hands of four bots, played in parts; the arguments of `from_bots`."""

    rules: str | Rulebook
    levels: Sequence[Player]
    hands: int
    seed: int
    encoding: EncodingName
    flowers: bool | None = None
    jobs: int = 1
    progress: Progress | None = None

    @classmethod
    def of(cls, function: Callable[..., Any], *given: Any, **options: Unpack[PlayOptions]) -> _BotHands:
        """Return the hands that a function was called for.

        Raises:
            UnknownKeyword: it has no such option.
        """
        unknown = options.keys() - _DEFAULTS.keys()
        if unknown:
            raise unknown_keywords(function.__name__, sorted(unknown), signature(function).parameters)
        return cls(*given, **options)

    @cached_property
    def plan(self) -> Plan:
        """The plan, prepared."""
        plan = Plan(self.rules, tuple(self.levels), self.hands, self.seed, flowers=self.flowers)
        encoding_of(self.encoding)
        plan.prepare()
        return plan

    def about(self) -> dict[str, Any]:
        """Return the terms."""
        book = self.plan.book
        about = {"rules": book.id, "fingerprint": book.fingerprint, "encoding": self.encoding, "hands": self.hands}
        return {**about, "bots": list(self.plan.names), "seed": self.seed}

    def parts(self, play: Callable[[Plan, EncodingName, int, int], Part]) -> Iterator[tuple[int, int, Part]]:
        """Play; yield each part with its first hand and its number of hands, in the order in which they are ready."""
        spans = [(first, min(self.hands, first + CHUNK)) for first in range(0, self.hands, CHUNK)]
        done = 0
        for (first, last), part in spread(partial(play, self.plan, self.encoding), spans, self.jobs):
            yield first, last - first, part
            done += last - first
            if self.progress is not None:
                self.progress(done)


@showing(PlayOptions, _DEFAULTS)
def from_bots(
    rules: str | Rulebook, levels: Sequence[Player], hands: int, seed: int = 1, encoding: EncodingName = "counts",
    **options: Unpack[PlayOptions],
) -> Decisions:  # fmt: skip
    """Decisions of four bots over so many hands: the hands of `quepu simulate` with the same seed.

        >>> from_bots("guobiao-mcr", ["random"] * 4, hands=2)
        Decisions('guobiao-mcr': 222 decisions, counts)

    Raises:
        PlanError: they are not four, or no hand is to be played.
        UnknownKeyword: there is no such option.
    """
    played = _BotHands.of(from_bots, rules, levels, hands, seed, encoding, **options)
    parts = {first: part for first, _, part in played.parts(_play_part)}
    return Decisions(_join_parts(parts[first] for first in sorted(parts)), played.about())


@showing(PlayOptions, _DEFAULTS)
def write_bots(
    path: str | Path, rules: str | Rulebook, levels: Sequence[Player], hands: int, seed: int = 1,
    encoding: EncodingName = "counts", **options: Unpack[PlayOptions],
) -> dict[str, Any]:  # fmt: skip
    """Write the decisions of `from_bots`, in parts on disk until the end: memory holds some hands for each job.

        >>> write_bots("random.npz", "guobiao-mcr", ["random"] * 4, hands=2)["positions"]
        222

    Stopped by Ctrl-C, the hands played so far are written, and `about`, which is returned, has `partial`.

    Raises:
        PlanError, UnknownKeyword: as `from_bots`.
        DataError, MissingExtra, HandError: as `save`.
    """
    target = check_name(path)
    played = _BotHands.of(write_bots, rules, levels, hands, seed, encoding, **options)
    about, done = played.about(), 0
    with PartFiles(target) as parts:
        try:
            for first, number, part in played.parts(_pack_part):
                parts.add(first, part)
                done += number
        except KeyboardInterrupt:
            if not done:
                raise
            about |= {"hands": done, "partial": True}
        return parts.save(about)


def _pack_part(plan: Plan, encoding: EncodingName, first: int, last: int) -> bytes:
    return pack(_play_part(plan, encoding, first, last))


def _play_part(plan: Plan, encoding: EncodingName, first: int, last: int) -> dict[str, Array]:
    book, rules = plan.book, play_rules(plan.book)
    rows = _Rows(encoding)
    for at in range(first, last):
        table = Table(book, make_wall(plan.seed, at, plan.tiles), round=at // 4 % 4, rules=rules)
        (seating,) = plan.seatings(at)
        bots = plan.bots(at, seating)
        for seat, bot in enumerate(bots):
            bot.begin(book, seat)
        writer = rows.begin(table)
        with hand_of(at, plan.seed):
            while table.to_act:
                seat = table.to_act[0]
                chosen = choice_of(bots[seat], bots[seat], table)
                rows.add(table, writer, seat, chosen)
                table.step(seat, chosen)
        assert table.ending is not None  # noqa: S101  # nobody is asked any more
        rows.end(at, table.ending, settle(table.ending, book, rules).seats)
    return rows.arrays()


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
    return Decisions(_join_parts(parts), taken.about())


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
        self.rows = _Rows(encoding)
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
        part, self.rows = self.rows.arrays(), _Rows(self.encoding)
        return part


_OWN_RULES = Text(
    "别的程序的记录按它自己的规则，不按所给的。",
    "a record of another program has rules of its own: leave out the given ones.",
)


def _replay_hand(rows: _Rows, replay: Replay, hand: PlayedHand, scores: list[int], number: int) -> bool:
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
