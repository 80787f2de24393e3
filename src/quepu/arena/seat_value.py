"""Measure the value of a seat: with four equal bots, the remaining difference is the seat.

Sums are integers, so that a longer run resumes a shorter one: `src/quepu/data/seats-BOOK.json`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from quepu.arena.bot_hand import hand_of, play_hand
from quepu.arena.compiled_play import on_compiled_tables
from quepu.arena.plan import Plan, PlanError, seed_of
from quepu.arena.work_parts import Span, missing, record_file, spread, write_record
from quepu.bots.protocol import make_bot
from quepu.match.settle import Settlement, settle
from quepu.rules.play_rules import Ending, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import make_wall

_CHUNK, _HEAVY_CHUNK, _FAST_CHUNK = 20, 4, 16_000
_SEATS = 4
_SUMS = ("won", "self_drawn", "dealt_in", "net", "squares")
Progress = Callable[[int, int], None]


class SeatLine(NamedTuple):
    """A seat (0 the dealer): shares of the hands, points gained per hand, and their standard error."""

    seat: int
    won: float
    self_drawn: float
    dealt_in: float
    net: float
    error: float


@dataclass
class SeatSums:
    """Sums over hands, and the fans of the wins. `seats`: for each seat won, self-drawn, dealt in, net, net squared.

    `partial`: the run was stopped before all hands were played.
    """

    hands: int = 0
    drawn: int = 0
    seats: list[list[int]] = field(default_factory=lambda: [[0] * len(_SUMS) for _ in range(_SEATS)])
    fans: Counter[str] = field(default_factory=Counter)
    partial: bool = field(default=False, compare=False)

    def add(self, other: SeatSums) -> None:
        """Add another part's sums."""
        self.hands += other.hands
        self.drawn += other.drawn
        self.seats = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(self.seats, other.seats, strict=True)]
        self.fans.update(other.fans)

    def count(self, ending: Ending, settled: Settlement, hands: int = 1) -> None:
        """Count this many hands with this ending and settlement."""
        self.hands += hands
        self.drawn += hands * (not ending.winners)
        for seat, net in enumerate(settled.seats):
            mine = seat in ending.seats
            counts = (mine, mine and ending.self_draw, ending.discarder == seat, net, net * net)
            self.seats[seat] = [a + hands * int(b) for a, b in zip(self.seats[seat], counts, strict=True)]

    def lines(self) -> list[SeatLine]:
        """Return a line per seat, the dealer first."""
        n = max(1, self.hands)
        found = []
        for seat, (won, self_drawn, dealt_in, net, squares) in enumerate(self.seats):
            mean = net / n
            error = sqrt(max(0.0, squares / n - mean * mean) / max(1, n - 1))
            found.append(SeatLine(seat, won / n, self_drawn / n, dealt_in / n, mean, error))
        return found


class SeatRecord(NamedTuple):
    """A record of seats: the book's fingerprint, the bots' level, the seed of the walls, and the sums."""

    fingerprint: str
    level: str
    seed: int
    sums: SeatSums

    def to_json(self) -> dict[str, Any]:
        """Return plain data, for `stored_seats`."""
        sums = self.sums
        fans = dict(sorted(sums.fans.items(), key=lambda one: (-one[1], one[0])))
        return {
            "fingerprint": self.fingerprint, "level": self.level, "seed": self.seed, "hands": sums.hands,
            "drawn": sums.drawn, "seats": [dict(zip(_SUMS, seat, strict=True)) for seat in sums.seats], "fans": fans,
        }  # fmt: skip


def load_seats(path: Path) -> SeatRecord | None:
    """Return the record in a file; None if the file does not exist.

    Raises:
        PlanError: it is not such a record.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        seats = [[int(seat[name]) for name in _SUMS] for seat in data["seats"]]
        sums = SeatSums(int(data["hands"]), int(data["drawn"]), seats, Counter(data["fans"]))
        return SeatRecord(data["fingerprint"], data["level"], int(data["seed"]), sums)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise PlanError(f"{path} 不是座位的记录。", f"{path} is not a record of seats.") from None


def load_shipped_seats(book: Rulebook, level: str = "") -> SeatRecord | None:
    """Return the shipped record, for a level of bots if given; None if there is none for exactly this book."""
    of = f"{book.id}-{level}" if level else book.id
    with resources.as_file(resources.files("quepu").joinpath(f"data/seats-{of}.json")) as path:
        found = load_seats(path)
    return found if found is not None and found.fingerprint == book.fingerprint else None


def seats_part(rules: str, level: str, seed: int, first: int, last: int) -> SeatSums:
    """Play walls `first` to `last` (exclusive) of a seed, the round wind changing every four."""
    plan = Plan(rules, (level,) * _SEATS, last, seed)
    book, table_rules, found = plan.book, play_rules(plan.book), SeatSums()
    for at in range(first, last):
        bots = [make_bot(level, seed_of(seed, at, seat)) for seat in range(_SEATS)]
        wall = make_wall(seed, at, plan.tiles)
        with hand_of(at, seed):
            ending = play_hand(book, wall, bots, round=at // _SEATS % _SEATS, rules=table_rules).ending
        if ending is None:
            raise PlanError("有一局没有打完。", "a hand was not finished.")
        found.count(ending, settle(ending, book, table_rules))
        for win in ending.winners:
            if win.score is not None:
                found.fans.update(line.name for line in win.score.fans)
    return found


def fast_seats_part(rules: str, level: str, seed: int, first: int, last: int) -> SeatSums:
    """Play the same walls, bots and sums on compiled tables (`quepu.fast.tables`)."""
    import numpy as np

    from quepu.fast.plan import Engine
    from quepu.fast.tables import FastTables
    from quepu.fast.tables.endings import endings

    plan = Plan(rules, (level,) * _SEATS, last, seed)
    book, table_rules, found = plan.book, play_rules(plan.book), SeatSums()
    for round in range(_SEATS):
        walls = [at for at in range(first, last) if at // _SEATS % _SEATS == round]
        if not walls:
            continue
        order = np.array([make_wall(seed, at, plan.tiles).order() for at in walls], np.uint8)
        seeds = np.array([[seed_of(seed, at, seat) for seat in range(_SEATS)] for at in walls], np.int64)
        played = FastTables(book, order, seeds, round=round, levels=level).play()
        made, which = endings(played)
        for ending, number in zip(made, np.bincount(which).tolist(), strict=True):
            found.count(ending, settle(ending, book, table_rules), number)
        won = np.flatnonzero(played.winners >= 0)
        held = (Engine(book).score(played.wins(won)).counts > 0).sum(axis=0)
        found.fans.update({fan.name: int(n) for fan, n in zip(book.fans, held, strict=True) if n})
    return found


def _store(found: SeatRecord, file: Path | None) -> None:
    if file is not None:
        write_record(file, json.dumps(found.to_json(), ensure_ascii=False, indent=1) + "\n")


def play_seats(
    rules: str, level: str, hands: int, seed: int, file: str | Path | None, jobs: int = 1,
    progress: Progress | None = None, cluster: str = "",
) -> SeatRecord:  # fmt: skip
    """Play until there are this many hands; those in the file are not played again, and it is written after each part.

    If the file has more hands, the sums cover all of them.

    Raises:
        PlanError: the file is of another book, level or seed.
        HandError: it cannot be written.
    """
    file = record_file(file)
    plan = Plan(rules, (level,) * _SEATS, hands, seed)
    found = load_seats(file) if file is not None else None
    if found is None:
        found = SeatRecord(plan.book.fingerprint, level, seed, SeatSums())
    if found[:3] != (plan.book.fingerprint, level, seed):
        raise PlanError(
            f"{file} 是别的规则、机器人或种子的记录。",
            f"{file} is a record of another rulebook, other bots or another seed.",
        )
    plan.prepare()
    left = hands - found.sums.hands
    fast = on_compiled_tables(plan, left)
    chunk = _FAST_CHUNK if fast else _HEAVY_CHUNK if plan.heavy else _CHUNK
    spans = list(missing(hands, [[0, found.sums.hands]], chunk))
    part_of = fast_seats_part if fast else seats_part
    early: dict[Span, SeatSums] = {}
    turn = 0
    try:
        for span, part in spread(partial(part_of, rules, level, seed), spans, jobs, cluster):
            early[span] = part
            while turn < len(spans) and spans[turn] in early:  # in order: the record covers the first walls
                found.sums.add(early.pop(spans[turn]))
                turn += 1
            _store(found, file)
            if progress is not None:
                progress(found.sums.hands, hands)
    except KeyboardInterrupt:
        if not found.sums.hands:
            raise
        found.sums.partial = True
    return found
