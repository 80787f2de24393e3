"""Play many hands, on one core, all cores or a cluster. Hand i of a seed is the same hand everywhere."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

from quepu.arena.bot_hand import hand_of, play_hand
from quepu.arena.compiled_play import on_compiled_tables, play_compiled
from quepu.arena.counts import HandCounts, Stats
from quepu.arena.plan import Plan, PlanError
from quepu.arena.work_parts import Record, missing, spread
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules

Progress = Callable[[int, int, Stats], None]
"""Called with the walls done, all walls, and the counts so far."""


def play(plan: Plan, first: int, last: int) -> Stats:
    """Play walls `first` to `last` (exclusive) of a plan."""
    book, rules, names = plan.book, play_rules(plan.book), plan.names
    stats = Stats.of(names)
    for at in range(first, last):
        wall = plan.wall(at)
        nets: dict[str, list[int]] = {name: [0, 0] for name in names}
        for seating in plan.seatings(at):
            with hand_of(at, plan.seed):
                table = play_hand(book, wall, plan.bots(at, seating), round=plan.round(at), rules=rules)
            hand = HandCounts.of(table)
            settled = settle(hand.ending, book, rules)
            stats.count(hand, seating, settled)
            for seat, who in enumerate(seating):
                nets[names[who]][0] += settled.seats[seat]
                nets[names[who]][1] += 1
        if plan.all_seatings:
            stats.compare((name, net, seats) for name, (net, seats) in nets.items())
        if plan.ijcai:
            stats.rank([Fraction(*nets[name]) for name in names])
    return stats


def simulate(
    plan: Plan, jobs: int = 1, progress: Progress | None = None, cluster: str = "", file: str | Path | None = None
) -> Stats:
    """Play a plan. The counts are the same for any number of jobs; stopped by Ctrl-C, they are marked partial.

        >>> from quepu.arena import Plan
        >>> counts = simulate(Plan(rules="yuque-54", levels=("random",) * 4, walls=4))
        >>> counts.hands
        4

    If compiled tables know the bots and are faster, the hands are played on those, with equal counts.

    With a `file`, earlier walls are not played again, and every part is stored at once. If more walls were played
    before than the plan has, the counts cover all of them.

    Raises:
        PlanError: the cluster cannot be reached, or the file belongs to another plan.
        HandError: the file cannot be written.
    """
    plan.prepare()
    tiles = [plan.tiles.size // 4] * 4 if plan.own_walls else plan.tiles.size
    form = "ijcai" if plan.ijcai else plan.all_seatings
    settings = {"names": list(plan.names), "seed": plan.seed, "duplicate": form, "tiles": tiles}
    record = Record(file, {"fingerprint": plan.book.fingerprint, **settings})
    whole = Stats.of(plan.names)
    if record.sum is not None:
        try:
            whole = Stats.from_counts(record.sum)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise record.build_error() from None
    done = sum(last - first for first, last in record.done)
    compiled = on_compiled_tables(plan, (plan.walls - done) * len(plan.seatings(0)))
    most = 2000 if compiled else 4 if plan.heavy else 100
    size = max(1, min(most, plan.walls // max(1, (1 if compiled else 4) * jobs) or 1))
    spans = list(missing(plan.walls, record.done, max(size, 25) if cluster else size))
    try:
        for span, part in spread(partial(play_compiled if compiled else play, plan), spans, jobs, cluster):
            whole.add(part)
            done += span[1] - span[0]
            record.add(span, whole.counts() if file is not None else None)
            if progress is not None:
                progress(done, plan.walls, whole)
    except KeyboardInterrupt:
        whole.partial = True
    return whole


__all__ = ["Plan", "PlanError", "Progress", "play", "simulate"]
