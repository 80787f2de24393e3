"""A row for each discard in logs: the seat's tiles, each opponent's visible tiles, and the outcome.

Sets of kinds are bits of one number; the counts of a hand are three bits a kind, in two numbers (`pack`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from quepu.arena.bot_match import match
from quepu.arena.plan import Player
from quepu.errors import Error, cannot_write
from quepu.logs import _NUMBER, _TEXT, _TRUTH, Paths, Progress, Row, Rows
from quepu.match.frames import has_frame
from quepu.match.imports import ImportedLog
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import add_up
from quepu.match.steps import decide
from quepu.rules.play_rules import SEATS
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import ActionKind
from quepu.table.events import Discarded
from quepu.table.play import Table
from quepu.tiles import KINDS

EARLY: Final = 6
"""A seat's first discards that are called early."""
BITS: Final = 3
HALF: Final = KINDS // 2
"""Kinds whose counts one number has."""

DISCARD: Final = {
    "file": _TEXT, "hand": _NUMBER, "frame": _NUMBER, "rules": _TEXT, "player": _TEXT, "seat": _NUMBER,
    "turn": _NUMBER, "left": _NUMBER, "tile": _NUMBER, "as_drawn": _TRUTH, "melds": _NUMBER,
    "low": _NUMBER, "high": _NUMBER,
    **{f"{name}{by}": _NUMBER for by in range(1, SEATS) for name in ("shown", "early", "river")},
    "took": _NUMBER, "cost": _NUMBER, "won": _TRUTH, "gain": _NUMBER,
}  # fmt: skip
"""The columns. Opponents are counted to the right: shown1, early1 and river1 are the next seat's melds and discards.

`turn` is the seat's n-th discard; `low` and `high` are the counts of its concealed tiles before it; `took` is the
opponent that won on the discard, 0 none, and `cost` what the seat then paid; `won` and `gain` are the seat's result.
"""


def discards(paths: Paths, *, rules: Rulebook | None = None, jobs: int = 0, progress: Progress | None = None) -> Rows:
    """Return a row for each discard (`DISCARD`); arguments and errors as `quepu.logs.decisions`."""
    return Rows(_rows, DISCARD, paths, rules, jobs, progress)


def pack(kinds: Sequence[int]) -> tuple[int, int]:
    """Return the counts of tiles as two numbers, three bits a kind."""
    low = high = 0
    for kind in kinds:
        if kind < HALF:
            low += 1 << BITS * kind
        elif kind < KINDS:
            high += 1 << BITS * (kind - HALF)
    return low, high


def write_matches(folder: Path, rules: str | Rulebook, players: Sequence[Player], hands: int, seed: int) -> list[Path]:
    """Play matches between bots until there are so many hands, and write their logs to a folder; return the files.

    Raises:
        HandError: the folder cannot be written. Error: the bots cannot play.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise cannot_write(folder, wrong) from wrong
    written: list[Path] = []
    while hands > 0:
        path = folder / f"match-{seed + len(written)}.jsonl"
        hands -= len(match(rules, players, seed=seed + len(written), log=path).hands)
        written.append(path)
    return written


def _rows(log: ImportedLog, path: str) -> Iterator[Row]:
    for hand in log.replay.hands:
        yield from _of_hand(log.replay, hand, path)


def _of_hand(replay: Replay, hand: PlayedHand, path: str) -> Iterator[Row]:
    """Yield the discards of a hand that was settled and can be replayed to the end."""
    if hand.ending is None or hand.problem is not None:
        return
    gains = add_up(hand.payments, zero_sum=False).seats
    took = _taken(hand)
    rivers: list[list[int]] = [[] for _ in range(SEATS)]
    table = Table(replay.book, hand.wall, round=hand.place.round_wind)
    first = sum(not has_frame(event) for event in hand.events) + 1
    try:
        for seat, action, _ in decide(table, hand.steps):
            if action.do is not ActionKind.DISCARD or action.tile is None or action.tile >= KINDS:
                continue
            view = table.view(seat)
            low, high = pack(view.tiles)
            row: Row = {
                "file": path, "hand": hand.number, "frame": table.event_count - first, "rules": replay.book.id,
                "player": hand.names[hand.place.seats[seat]], "seat": seat, "turn": len(rivers[seat]) + 1,
                "left": view.board.left, "tile": action.tile, "as_drawn": action.tile == view.drawn,
                "melds": len(view.melds), "low": low, "high": high,
            }  # fmt: skip
            for by in range(1, SEATS):
                other = (seat + by) % SEATS
                row[f"shown{by}"] = len(view.board.melds[other])
                row[f"early{by}"] = _mask(rivers[other][:EARLY])
                row[f"river{by}"] = _mask(rivers[other])
            rivers[seat].append(action.tile)
            by = took.get((seat, len(rivers[seat])), 0)
            yield {
                **row, "took": by, "cost": -gains[seat] if by else 0, "won": seat in hand.ending.seats,
                "gain": gains[seat],
            }  # fmt: skip
    except Error:
        return


def _mask(kinds: Sequence[int]) -> int:
    return sum({1 << kind for kind in kinds})


def _taken(hand: PlayedHand) -> dict[tuple[int, int], int]:
    """Return the discard that was won on, by seat and number, with the first winner counted from that seat."""
    counts = [0] * SEATS
    last: tuple[int, int] | None = None
    for event in hand.events:
        if isinstance(event, Discarded) and event.tile < KINDS:
            counts[event.seat] += 1
            last = event.seat, counts[event.seat]
    ending = hand.ending
    if last is None or ending is None or ending.discarder != last[0] or ending.robbed or not ending.winners:
        return {}
    return {last: (ending.seats[0] - last[0]) % SEATS}
