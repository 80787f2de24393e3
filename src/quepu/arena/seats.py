"""What a seat is worth: four bots alike, so that all that is left between the seats is the seat.

Sums of whole numbers, so that a longer run goes on from a shorter one: `src/quepu/data/seats-BOOK.json`.
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

from quepu.arena.hand import play_hand
from quepu.arena.plan import Plan, PlanError
from quepu.arena.spread import Span, missing, spread
from quepu.bots.protocol import make_bot
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import make_wall

_CHUNK = 20
_SEATS = 4
_SUMS = ("won", "self_drawn", "dealt_in", "net", "squares")
Progress = Callable[[int, int], None]


class SeatLine(NamedTuple):
    """A seat (0 the dealer): shares of the hands, points gained a hand, and the standard error of that."""

    seat: int
    won: float
    self_drawn: float
    dealt_in: float
    net: float
    error: float


@dataclass
class SeatSums:
    """Sums over hands, and the fans of the wins. `seats`: for each seat won, self-drawn, dealt in, net, net squared."""

    hands: int = 0
    drawn: int = 0
    seats: list[list[int]] = field(default_factory=lambda: [[0] * len(_SUMS) for _ in range(_SEATS)])
    fans: Counter[str] = field(default_factory=Counter)

    def add(self, other: SeatSums) -> None:
        """Add another part's sums."""
        self.hands += other.hands
        self.drawn += other.drawn
        self.seats = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(self.seats, other.seats, strict=True)]
        self.fans.update(other.fans)

    def lines(self) -> list[SeatLine]:
        """Each seat, the dealer first."""
        n = max(1, self.hands)
        found = []
        for seat, (won, self_drawn, dealt_in, net, squares) in enumerate(self.seats):
            mean = net / n
            error = sqrt(max(0.0, squares / n - mean * mean) / max(1, n - 1))
            found.append(SeatLine(seat, won / n, self_drawn / n, dealt_in / n, mean, error))
        return found


class Seated(NamedTuple):
    """A record of seats: the book's fingerprint, the bots' level, the seed of the walls, and what they came to."""

    fingerprint: str
    level: str
    seed: int
    sums: SeatSums

    def to_json(self) -> dict[str, Any]:
        """Plain data, read by `stored_seats`."""
        sums = self.sums
        fans = dict(sorted(sums.fans.items(), key=lambda one: (-one[1], one[0])))
        return {
            "fingerprint": self.fingerprint, "level": self.level, "seed": self.seed, "hands": sums.hands,
            "drawn": sums.drawn, "seats": [dict(zip(_SUMS, seat, strict=True)) for seat in sums.seats], "fans": fans,
        }  # fmt: skip


def stored_seats(path: Path) -> Seated | None:
    """The record of a file; None where there is no such file.

    Raises:
        PlanError: it is no such record.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        seats = [[int(seat[name]) for name in _SUMS] for seat in data["seats"]]
        sums = SeatSums(int(data["hands"]), int(data["drawn"]), seats, Counter(data["fans"]))
        return Seated(data["fingerprint"], data["level"], int(data["seed"]), sums)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise PlanError(f"{path} 不是座位的记录。", f"{path} is no record of seats.") from None


def shipped_seats(book: Rulebook) -> Seated | None:
    """The record that comes with the program; None where there is none of this very book."""
    with resources.as_file(resources.files("quepu").joinpath(f"data/seats-{book.id}.json")) as path:
        found = stored_seats(path)
    return found if found is not None and found.fingerprint == book.fingerprint else None


def seats_part(rules: str, level: str, seed: int, first: int, last: int) -> SeatSums:
    """Walls `first` to `last` (exclusive) of a seed, the round wind turning with every four."""
    plan = Plan(rules, (level,) * _SEATS, last, seed)
    book, table_rules, found = plan.book, play_rules(plan.book), SeatSums()
    for at in range(first, last):
        bots = [make_bot(level, (seed * 1_000_003 + at) * _SEATS + seat) for seat in range(_SEATS)]
        wall = make_wall(seed, at, plan.tiles)
        ending = play_hand(book, wall, bots, round=at // _SEATS % _SEATS, rules=table_rules).ending
        if ending is None:
            raise PlanError("有一局没有打完。", "a hand did not end.")
        found.hands += 1
        found.drawn += ending.winner is None
        for seat, net in enumerate(settle(ending, book, table_rules).seats):
            mine = ending.winner == seat
            counts = (mine, mine and ending.self_draw, ending.discarder == seat, net, net * net)
            found.seats[seat] = [a + int(b) for a, b in zip(found.seats[seat], counts, strict=True)]
        if ending.score is not None:
            found.fans.update(line.name for line in ending.score.fans)
    return found


def _store(found: Seated, file: Path | None) -> None:
    if file is not None:
        written = file.with_suffix(file.suffix + ".part")
        written.write_text(json.dumps(found.to_json(), ensure_ascii=False, indent=1) + "\n", "utf-8")
        written.replace(file)


def play_seats(
    rules: str, level: str, hands: int, seed: int, file: Path | None, jobs: int = 1, progress: Progress | None = None,
    cluster: str = "",
) -> Seated:  # fmt: skip
    """Play until there are so many hands; those in the file are not played again, and it is written after each part.

    Raises:
        PlanError: the file is of another book, level or seed.
    """
    plan = Plan(rules, (level,) * _SEATS, hands, seed)
    found = stored_seats(file) if file is not None else None
    if found is None:
        found = Seated(plan.book.fingerprint, level, seed, SeatSums())
    if found[:3] != (plan.book.fingerprint, level, seed):
        raise PlanError(f"{file} 是别的规则、机器人或种子的记录。", f"{file} is of another book, bots or seed.")
    plan.prepare()
    spans = list(missing(hands, [[0, found.sums.hands]], _CHUNK))
    early: dict[Span, SeatSums] = {}
    turn = 0
    for span, part in spread(partial(seats_part, rules, level, seed), spans, jobs, cluster):
        early[span] = part
        while turn < len(spans) and spans[turn] in early:  # in order: the record is of the first so many walls
            found.sums.add(early.pop(spans[turn]))
            turn += 1
        _store(found, file)
        if progress is not None:
            progress(found.sums.hands, hands)
    return found
