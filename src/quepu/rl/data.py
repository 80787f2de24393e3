"""Positions with what was done there and what came of it, as arrays: from bots that play, or from logs.

    from quepu.rl.data import from_bots, save
    save(from_bots("lingque-29", ["plain"] * 4, hands=600, seed=1), "plain.npz")

Columns, a row for each decision between two or more actions: `observation` (an encoding of `quepu.rl.encodings`),
`mask` (uint8 [N, 20]: `np.unpackbits(mask, axis=1, count=153)`), `action` (a number of
`quepu.rl.action_numbers`), `hand` (in the order they were played), `seat`, `points` (what the seat got of the hand),
`won`, `dealt_in`, `drawn_hand` (nobody won).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quepu.arena.plan import Plan
from quepu.arena.work_parts import spread
from quepu.errors import Error, cannot_read, cannot_write, needs
from quepu.match import Replay, read_log
from quepu.match.log import PlayedHand, follow
from quepu.match.settle import settle, summed
from quepu.rl import action_numbers
from quepu.rl.encodings import Array, EncodingName, Writer, encoding_of
from quepu.rules.play_rules import Ending, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table, make_wall
from quepu.table.events import SeatEvent

COLUMNS = ("observation", "mask", "action", "hand", "seat", "points", "won", "dealt_in", "drawn_hand")
_CHUNK = 25
Progress = Callable[[int], None]


class DataError(Error):
    """Positions that cannot be written so."""


class Decisions(NamedTuple):
    """Columns by name (see the module), and what they are of."""

    columns: dict[str, Array]
    about: dict[str, Any]

    def __len__(self) -> int:
        return len(self.columns["action"])


class _Rows:
    """Decisions of one hand, until it is known how it ended."""

    def __init__(self, encoding: EncodingName) -> None:
        self.encoding = encoding_of(encoding)
        self.columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        self.open: list[int] = []

    def begin(self, table: Table, scores: Sequence[int] = (0, 0, 0, 0), place: Sequence[int] = (1, 0, 0)) -> Writer:
        """A hand begins."""
        self.open = []
        return self.encoding.writer(table, scores, place)

    def add(self, table: Table, writer: Writer, seat: int, chosen: Action) -> None:
        """Record what a seat is about to do, if it could do otherwise."""
        options = action_numbers.numbered(table.options(seat))
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
            columns["won"].append(ending.winner == seat)
            columns["dealt_in"].append(ending.discarder == seat)
            columns["drawn_hand"].append(ending.winner is None)
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


def _joined(parts: Iterable[dict[str, Array]]) -> dict[str, Array]:
    found = list(parts)
    return {name: np.concatenate([part[name] for part in found]) for name in COLUMNS}


def from_bots(
    rules: str,
    levels: Sequence[str],
    hands: int,
    seed: int = 1,
    encoding: EncodingName = "counts",
    *,
    flowers: bool | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Decisions:
    """Decisions of four bots over so many hands: the hands of `quepu simulate` with the same seed.

    Raises:
        PlanError: they are not four, or no hand is to be played.
    """
    plan = Plan(rules, tuple(levels), hands, seed, flowers=flowers)
    encoding_of(encoding)
    plan.prepare()
    spans = [(first, min(hands, first + _CHUNK)) for first in range(0, hands, _CHUNK)]
    work = partial(_played, plan, encoding)
    parts: dict[int, dict[str, Array]] = {}
    for (first, last), part in spread(work, spans, jobs):
        parts[first] = part
        if progress is not None:
            progress(sum(len(set(one["hand"])) for one in parts.values()) if jobs > 1 else last)
    about = {"rules": plan.book.id, "fingerprint": plan.book.fingerprint, "encoding": encoding, "hands": hands}
    return Decisions(_joined(parts[first] for first in sorted(parts)), {**about, "bots": list(levels), "seed": seed})


def _played(plan: Plan, encoding: EncodingName, first: int, last: int) -> dict[str, Array]:
    book, rules = plan.book, play_rules(plan.book)
    rows = _Rows(encoding)
    for at in range(first, last):
        table = Table(book, make_wall(plan.seed, at, plan.tiles), round=at // 4 % 4, rules=rules)
        (seating,) = plan.seatings(at)
        bots = plan.bots(at, seating)
        for seat, bot in enumerate(bots):
            bot.begin(book, seat)
        writer = rows.begin(table)
        while table.to_act:
            seat = table.to_act[0]
            chosen = bots[seat].act(table.view(seat), table.options(seat))
            rows.add(table, writer, seat, chosen)
            table.step(seat, chosen)
        assert table.ending is not None  # noqa: S101  # nobody is asked any more
        rows.end(at, table.ending, settle(table.ending, book, rules).seats)
    return rows.arrays()


def from_logs(
    logs: Iterable[Replay | str | Path],
    encoding: EncodingName = "counts",
    *,
    book: Rulebook | None = None,
    progress: Progress | None = None,
) -> Decisions:
    """Decisions of the players of logs (files, or replays that were read), hand after hand.

    Hands that did not end, or that the book of today does not play so, are left out; `about` counts them. `book` is
    that of logs under house rules.

    Raises:
        LogError: a file is no log.
        HandError: a file cannot be read.
        DataError: the logs are of several books.
    """
    rows, hands, left_out, files = _Rows(encoding), 0, 0, 0
    books: dict[str, str] = {}
    for log in logs:
        replay = log if isinstance(log, Replay) else _read(Path(log), book)
        books[replay.book.fingerprint] = replay.book.id
        if len(books) > 1:
            listed = list(books.values())
            raise DataError(
                f"牌谱是几本不同规则的：{'、'.join(listed)}。", f"the logs are of several books: {', '.join(listed)}."
            )
        files += 1
        scores = [replay.match.rules.match.start] * 4
        for hand in replay.hands:
            if _replayed(rows, replay, hand, scores, hands):
                hands += 1
            else:
                left_out += 1
        if progress is not None:
            progress(files)
    about: dict[str, Any] = {"encoding": encoding, "hands": hands, "left_out": left_out, "logs": files}
    for fingerprint, rules in books.items():
        about |= {"rules": rules, "fingerprint": fingerprint}
    return Decisions(rows.arrays(), about)


def _read(path: Path, book: Rulebook | None) -> Replay:
    try:
        return read_log(path.read_text("utf-8", errors="replace").splitlines(), book)
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong


def _replayed(rows: _Rows, replay: Replay, hand: PlayedHand, scores: list[int], number: int) -> bool:
    """Add the decisions of a hand of a log, and what it paid to the players' scores; whether it was whole."""
    seats = hand.place.seats
    paid = summed(hand.payments, zero_sum=False).seats
    table = Table(replay.book, hand.wall, round=hand.place.round_wind)
    writer = rows.begin(
        table, [scores[who] for who in seats], (hand.place.round, hand.place.dealership, hand.place.repeat)
    )
    for wind, player in enumerate(seats):
        scores[player] += paid[wind]
    if hand.ending is None or hand.problem is not None:
        return False
    try:
        for step in hand.steps:
            seat, chosen = step.seat, step.action
            event = step.event
            if event is not None and isinstance(event, SeatEvent) and event.seat in table.to_act:
                seat, chosen = event.seat, event.action()
                if table.offered[1] is not None:
                    chosen = None  # the event follows from answers that the log has
            if seat is not None and chosen is not None and table.options(seat):
                rows.add(table, writer, seat, chosen)
            follow(table, step)
    except Error:
        rows.give_up()
        return False
    rows.end(number, hand.ending, paid)
    return True


def check_name(path: str | Path) -> Path:
    """A name that positions can be written under, before they are made.

    Raises:
        DataError: it ends neither .npz nor .parquet.
        MissingExtra: pyarrow is not installed.
    """
    target = Path(path)
    if target.suffix == ".parquet":
        needs("pyarrow")
    elif target.suffix != ".npz":
        raise DataError(f"{target.name} 应以 .npz 或 .parquet 结尾。", f"{target.name} ends neither .npz nor .parquet.")
    return target


def save(decisions: Decisions, path: str | Path) -> None:
    """Write them: `.npz` (compressed, with `about` as JSON text) or `.parquet` (pyarrow; observations are lists).

    Raises:
        DataError: the name ends otherwise.
        MissingExtra: pyarrow is not installed.
        HandError: the file cannot be written.
    """
    target = check_name(path)
    try:
        if target.suffix == ".npz":
            np.savez_compressed(target, about=np.array(json.dumps(decisions.about)), **decisions.columns)  # type: ignore[arg-type]
        else:
            _save_parquet(decisions, target)
    except OSError as wrong:
        raise cannot_write(target, wrong) from wrong


def _save_parquet(decisions: Decisions, target: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    columns = {}
    shapes = {}
    for name, column in decisions.columns.items():
        if column.ndim == 1:
            columns[name] = pa.array(column)
        else:
            shapes[name] = list(column.shape[1:])
            values = pa.array(column.reshape(-1))
            columns[name] = pa.FixedSizeListArray.from_arrays(values, int(np.prod(column.shape[1:])))
    about = {"quepu": json.dumps({**decisions.about, "shapes": shapes})}
    parquet.write_table(pa.table(columns).replace_schema_metadata(about), target, compression="zstd")


def load(path: str | Path) -> Decisions:
    """Return what `save` wrote as `.npz`.

    Raises:
        DataError: it is no such file.
    """
    try:
        with np.load(path) as stored:
            columns = {name: stored[name] for name in COLUMNS}
            return Decisions(columns, json.loads(str(stored["about"])))
    except (OSError, ValueError, KeyError) as wrong:
        raise DataError(f"{path} 不是 quepu data 写的文件。", f"{path} is no file of quepu data.") from wrong
