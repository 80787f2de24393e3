"""Write decisions, with their positions and outcomes, as arrays: from bots or from logs.

Columns, a row for each decision between two or more actions: `observation` (an encoding of `quepu.rl.encodings`),
`mask` (uint8 [N, 20]: `np.unpackbits(mask, axis=1, count=153)`), `action` (a number of
`quepu.rl.action_numbers`), `hand` (in the order they were played), `seat`, `points` (what the seat got of the hand),
`won`, `dealt_in`, `drawn_hand` (nobody won).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import signature
from pathlib import Path
from typing import Any, Final, TypedDict, TypeVar, Unpack

from quepu.arena.bot_hand import follow_hand, hand_of
from quepu.arena.plan import Plan, Player
from quepu.arena.work_parts import spread
from quepu.errors import unknown_keywords
from quepu.match.settle import settle
from quepu.rl.decision_files import COLUMNS, DataError, Decisions, PartFiles, check_name, load, pack, save
from quepu.rl.decision_rows import DecisionRows, join_parts
from quepu.rl.encodings import Array, EncodingName, encoding_of
from quepu.rl.log_data import Progress, from_logs, write_logs
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import showing
from quepu.table import make_wall

CHUNK = 25
"""Hands of bots in a part."""
Part = TypeVar("Part")
__all__ = [
    "COLUMNS", "DataError", "Decisions", "check_name", "from_bots", "from_logs", "load", "save", "write_bots",
    "write_logs",
]  # fmt: skip


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
    return Decisions(join_parts(parts[first] for first in sorted(parts)), played.about())


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
    rows = DecisionRows(encoding)
    for at in range(first, last):
        (seating,) = plan.seatings(at)
        wall, bots = make_wall(plan.seed, at, plan.tiles), plan.bots(at, seating)
        writer = None
        with hand_of(at, plan.seed):
            for table, seat, chosen in follow_hand(book, wall, bots, round=at // 4 % 4, rules=rules):
                writer = rows.begin(table) if writer is None else writer
                rows.add(table, writer, seat, chosen)
        assert table.ending is not None  # noqa: S101  # it is over
        rows.end(at, table.ending, settle(table.ending, book, rules).seats)
    return rows.arrays()
