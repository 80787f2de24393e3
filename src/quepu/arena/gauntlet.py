"""A gauntlet: every entrant meets every anchor on the same own walls, by all six seatings of two and two.

The results of each wall are kept in a record, so a run can be resumed, and widened by more walls or more entrants.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from time import process_time
from typing import Any, NamedTuple

from quepu.arena.bot_hand import hand_of, play_hand
from quepu.arena.plan import Plan, PlanError, book_of
from quepu.arena.work_parts import record_file, write_record
from quepu.bots.protocol import LEVELS
from quepu.fast.processes import spread
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.version import __version__

ANCHORS = ("plain", "steps", "gain", "master")
"""The levels that every entrant meets."""
ENTRANTS = tuple(key for key, level in LEVELS.items() if level.group == "style")
_SEATINGS = 6
_PART = 2
"""Walls in one part of the work."""


class Meeting(NamedTuple):
    """Two bots on one wall."""

    difference: int
    """Points of the first above those of the second, over all seatings and both seats of each."""
    faults: int
    """Hands in which a guest had to be replaced by default moves."""
    seconds: float
    """Processor time of our own process."""


class Mean(NamedTuple):
    """A difference in points per hand and seat, with its standard error (None for a single wall)."""

    value: float
    error: float | None
    walls: int

    @property
    def half(self) -> float | None:
        """Half the width of the 95% interval, by Student's t (Cornish-Fisher expansion) for so few walls."""
        if self.error is None:
            return None
        z, more = 1.96, 1 / (self.walls - 1)
        return self.error * (z + (z**3 + z) / 4 * more + (5 * z**5 + 16 * z**3 + 3 * z) / 96 * more**2)

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """Return the mean of the differences on some walls."""
        return cls(mean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else None, len(values))


@dataclass(frozen=True)
class Gauntlet:
    """`walls` deals under `rules`; `entrants` (levels or guests) and the anchors among each other meet the anchors."""

    rules: str
    entrants: tuple[str, ...] = ENTRANTS
    walls: int = 20
    seed: int = 1
    anchors: tuple[str, ...] = ANCHORS

    def __post_init__(self) -> None:
        names = [*self.anchors, *self.entrants]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise PlanError(
                f"{twice[0]} 已经在场：固定的对手是 {' '.join(self.anchors)}，其余每个只写一次。",
                f"{twice[0]} already takes part: the fixed opponents are {' '.join(self.anchors)}; name others once.",
            )
        for name in self.entrants:
            self.plan(name, self.anchors[0])

    def plan(self, first: str, second: str) -> Plan:
        """Return the plan of a meeting."""
        levels = (first, first, second, second)
        return Plan(self.rules, levels, self.walls, self.seed, all_seatings=True, flowers=False, own_walls=True)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the meetings: the anchors among each other, then each entrant with each anchor."""
        among = [(a, b) for at, a in enumerate(self.anchors) for b in self.anchors[:at]]
        return [*among, *((entrant, anchor) for entrant in self.entrants for anchor in self.anchors)]

    def identity(self) -> dict[str, Any]:
        """Return everything that all results of one record have in common."""
        return {"quepu": "gauntlet", "fingerprint": book_of(self.rules).fingerprint, "seed": self.seed}


def meet(plan: Plan, first: int, last: int) -> list[Meeting]:
    """Play walls `first` to `last` (exclusive) of a meeting."""
    book, rules, found = plan.book, play_rules(plan.book), []
    for at in range(first, last):
        begun, difference, faults = process_time(), 0, 0
        for seating in plan.seatings(at):
            bots = plan.bots(at, seating)
            with hand_of(at, plan.seed):
                table = play_hand(book, plan.wall(at), bots, round=plan.round(at), rules=rules)
            assert table.ending is not None  # noqa: S101  # nobody is asked any more
            for who, net in zip(seating, settle(table.ending, book, rules).seats, strict=True):
                difference += net if who < 2 else -net
            faults += sum(getattr(bot, "failed", False) for bot in bots)
        found.append(Meeting(difference, faults, round(process_time() - begun, 3)))
    return found


class GauntletRecord:
    """The results of a gauntlet by pair and wall, in a file if there is one.

    Raises:
        PlanError: the file is not such a record, or it is of other rules or another seed.
        HandError: it cannot be written.
    """

    def __init__(self, gauntlet: Gauntlet, file: str | Path | None = None) -> None:
        self.gauntlet = gauntlet
        self.file = record_file(file)
        self.meetings: dict[tuple[str, str], dict[int, Meeting]] = {}
        if self.file is not None and self.file.is_file():
            self._read(self.file)

    def _read(self, file: Path) -> None:
        try:
            data = json.loads(file.read_text("utf-8"))
            about = {key: data[key] for key in self.gauntlet.identity()}
            for entry in data["pairs"]:
                first, second = map(str, entry["bots"])
                walls = {int(at): Meeting(int(d), int(f), float(s)) for at, d, f, s in entry["walls"]}
                self.meetings[first, second] = walls
        except (OSError, ValueError, KeyError, TypeError):
            raise PlanError(f"{file} 不是 gauntlet 的记录。", f"{file} is not a record of a gauntlet.") from None
        if about != self.gauntlet.identity():
            raise PlanError(f"{file} 是别的规则或种子的记录。", f"{file} is a record of other rules or another seed.")

    def missing(self) -> Iterator[tuple[tuple[str, str], int, int]]:
        """Yield the parts that are not played yet, wall by wall for all pairs."""
        for first in range(0, self.gauntlet.walls, _PART):
            last = min(first + _PART, self.gauntlet.walls)
            for pair in self.gauntlet.pairs():
                done = self.meetings.get(pair, {})
                if any(at not in done for at in range(first, last)):
                    yield pair, first, last

    def add(self, pair: tuple[str, str], first: int, found: Sequence[Meeting]) -> None:
        """Add the results of a part, and store the record."""
        self.meetings.setdefault(pair, {}).update(enumerate(found, first))
        if self.file is not None:
            pairs = [
                {"bots": pair, "walls": [[at, *one] for at, one in sorted(walls.items())]}
                for pair, walls in self.meetings.items()
            ]
            about = {**self.gauntlet.identity(), "rules": book_of(self.gauntlet.rules).id, "version": __version__}
            write_record(self.file, json.dumps({**about, "pairs": pairs}, ensure_ascii=False))

    # ---- results

    def _walls(self, one: str, other: str) -> Mapping[int, float]:
        """Return the points a hand and seat by which `one` beat `other`, by wall."""
        turned = -1 if (other, one) in self.meetings else 1
        played = self.meetings.get((other, one) if turned < 0 else (one, other), {})
        return {at: turned * found.difference / (2 * _SEATINGS) for at, found in played.items()}

    def mean(self, one: str, other: str) -> Mean | None:
        """Return by how much `one` beat `other`; None before they have met."""
        walls = self._walls(one, other)
        return Mean.of(list(walls.values())) if walls else None

    def overall(self, one: str) -> Mean | None:
        """Return by how much `one` beat the anchors, itself left out, on the walls where it met all of them."""
        others = [self._walls(one, anchor) for anchor in self.gauntlet.anchors if anchor != one]
        common = set.intersection(*map(set, others))
        values = [mean(walls[at] for walls in others) for at in sorted(common)]
        return Mean.of(values) if values else None

    def faults(self, name: str) -> int:
        """Return the hands in which the bot, a guest, had to be replaced."""
        return sum(
            one.faults for (entrant, _), walls in self.meetings.items() if entrant == name for one in walls.values()
        )

    def hands(self) -> int:
        """Return the number of hands played."""
        return _SEATINGS * sum(map(len, self.meetings.values()))

    def seconds(self) -> float:
        """Return the processor time spent on them, guests in other processes left out."""
        return sum(meeting.seconds for walls in self.meetings.values() for meeting in walls.values())

    def to_json(self) -> dict[str, Any]:
        """Return the standing as plain data, the strongest first."""
        rows: list[dict[str, Any]] = []
        for name in (*self.gauntlet.anchors, *self.gauntlet.entrants):
            against = {anchor: self.mean(name, anchor) for anchor in self.gauntlet.anchors if anchor != name}
            rows.append({
                "bot": name,
                "overall": _plain(self.overall(name)),
                "against": {anchor: _plain(found) for anchor, found in against.items()},
                "faults": self.faults(name),
            })  # fmt: skip
        rows.sort(key=lambda row: -(row["overall"] or {"points": -1e9})["points"])
        about = {"rules": book_of(self.gauntlet.rules).id, "version": __version__, **self.gauntlet.identity()}
        counts = {"hands": self.hands(), "processor_seconds": round(self.seconds(), 1)}
        return {**about, "anchors": list(self.gauntlet.anchors), **counts, "bots": rows}


def _plain(found: Mean | None) -> dict[str, Any] | None:
    """Return a mean as plain data with its 95% interval."""
    if found is None:
        return None
    low, high = (None if found.half is None else found.value + side * found.half for side in (-1, 1))
    return {"points": found.value, "se": found.error, "low95": low, "high95": high, "walls": found.walls}


def run_gauntlet(
    gauntlet: Gauntlet,
    jobs: int = 1,
    file: str | Path | None = None,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> GauntletRecord:
    """Play everything that the record does not have yet; every part is stored at once.

    Raises:
        PlanError: the file is not such a record. HandError: it cannot be written.
    """
    record = GauntletRecord(gauntlet, file)
    parts = list(record.missing())
    for name in dict.fromkeys(name for pair, _, _ in parts for name in pair):
        gauntlet.plan(name, gauntlet.anchors[0]).prepare()
    work = [(gauntlet.plan(*pair), first, last) for pair, first, last in parts]
    for done, (at, found) in enumerate(spread(meet, work, jobs), 1):
        pair, first, _ = parts[at]
        record.add(pair, first, found)
        progress(done, len(parts))
    return record
