"""`quepu lab duel`: a draft against its old book, by bots on the same walls."""

from __future__ import annotations

import os

from quepu.cli import parameters
from quepu.cli.files import already_more
from quepu.cli.lab_output import deliver, opened, outputs


@parameters.command(
    "lab.duel",
    parameters.book_argument("old", "arg.old", metavar="OLD"),
    parameters.book_argument("new", "arg.new", metavar="NEW"),
    parameters.text("--bots", "-b", help="opt.bots", metavar="A,B,C,D", default="gain,gain,gain,gain"),
    parameters.number("--walls", "-n", help="opt.walls", default=200, least=1),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.text("--resume", help="opt.duel.resume", metavar="FILE"),
    parameters.jobs(),
    parameters.text("--cluster", help="opt.cluster", metavar="ADDRESS"),
    *outputs(),
)
def duel(
    old: str, new: str, bots: str, walls: int, seed: int, resume: str, jobs: int, cluster: str, json: bool, csv: str,
    markdown: str, plot: str, every: bool,
) -> int:  # fmt: skip
    """Duel."""
    books = opened(old, plot, csv, markdown, json=json), opened(new)
    from quepu.arena.duel_table import duel_sheets
    from quepu.arena.played_effect import Duel, duel_played
    from quepu.cli.inputs import bots_of
    from quepu.cli.progress import meter

    levels = bots_of(bots)
    plan = Duel(old, new, levels, walls, seed)
    with meter(walls) as advance:
        sums = duel_played(plan, jobs or os.cpu_count() or 1, resume or None, lambda done, _: advance(done), cluster)
    already_more(sums.walls, walls)
    sheets = duel_sheets(*books, sums, levels)
    return deliver(sheets, json=json, csv=csv, markdown=markdown, plot=plot, every=every, whole=True)
