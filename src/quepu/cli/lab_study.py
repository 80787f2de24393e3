"""`quepu lab study|seats`: whether a book's values are right, and what each seat is worth."""

from __future__ import annotations

import json as to_json
import os
from pathlib import Path

from quepu.cli import parameters
from quepu.cli.files import already_more, writable, write
from quepu.cli.lab_output import book_of_rules, deliver, opened, outputs
from quepu.cli.texts import Chosen


@parameters.command(
    "lab.study",
    book_of_rules(),
    parameters.text("--output", "-o", "output", help="opt.study.output", metavar="FOLDER", default="."),
)
def study(rules: str, output: str) -> int:
    """Study."""
    book = opened(rules, "study.html")
    from quepu.arena.study import study as made

    folder = Path(output)
    page, data = folder / f"{book.id}.html", folder / f"{book.id}.json"
    for path in (page, data):
        writable(str(path))
    found = made(book, Chosen.lang)
    write(found.html, str(page))
    write(to_json.dumps(found.data, ensure_ascii=False, separators=(",", ":")) + "\n", str(data))
    return 0


@parameters.command(
    "lab.seats",
    parameters.book_argument("rules", "arg.rules"),
    parameters.text("--bots", "-b", help="opt.seats.level", metavar="LEVEL", default="gain"),
    parameters.number("--hands", "-n", help="opt.hands", default=400, least=1),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.text("--resume", help="opt.duel.resume", metavar="FILE"),
    parameters.jobs(),
    parameters.text("--cluster", help="opt.cluster", metavar="ADDRESS"),
    *outputs(),
)
def seats(
    rules: str, bots: str, hands: int, seed: int, resume: str, jobs: int, cluster: str,
    json: bool, csv: str, markdown: str,
    plot: str, every: bool,
) -> int:  # fmt: skip
    """Seats."""
    book = opened(rules, plot, csv, markdown, json=json)
    from quepu.arena.seat_value import play_seats
    from quepu.arena.study import seat_sheet
    from quepu.cli.progress import meter

    with meter(hands) as advance:
        found = play_seats(
            rules, bots, hands, seed, resume or None, jobs or os.cpu_count() or 1,
            lambda done, _: advance(done), cluster,
        )  # fmt: skip
    already_more(found.sums.hands, hands)
    sheets = [seat_sheet(book, found)]
    return deliver(sheets, json=json, csv=csv, markdown=markdown, plot=plot, every=every, whole=True)
