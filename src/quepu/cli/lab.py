"""`quepu lab`: measure a rulebook over every possible hand."""

from __future__ import annotations

import json as to_json
import os
from pathlib import Path
from typing import Unpack

import click

from quepu.cli import parameters
from quepu.cli.files import report_more, writable, write
from quepu.cli.lab_compare import calibrate, check, compare, find, residues, suggest
from quepu.cli.lab_output import Outputs, book_of_rules, deliver, open_book, outputs
from quepu.cli.lab_settle import settle
from quepu.cli.lab_tables import implications, overlap, points, rarity, redundant, report
from quepu.cli.program import Command, CommandGroup
from quepu.cli.texts import Chosen, say


@parameters.command(
    "lab.duel",
    parameters.book_argument("old", "arg.old", metavar="OLD"),
    parameters.book_argument("new", "arg.new", metavar="NEW"),
    parameters.text(
        "--bots", "-b", help="opt.bots", metavar="A,B,C,D", default="gain,gain,gain,gain", complete=parameters.bots
    ),
    parameters.number("--walls", "-n", help="opt.walls", default=200, least=1),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.text("--resume", help="opt.duel.resume", metavar="FILE"),
    parameters.jobs(),
    parameters.text("--cluster", help="opt.cluster", metavar="ADDRESS"),
    *outputs(),
)
def duel(
    old: str,
    new: str,
    bots: str,
    walls: int,
    seed: int,
    resume: str,
    jobs: int,
    cluster: str,
    **where: Unpack[Outputs],
) -> int:
    """Duel."""
    books = open_book(old, where), open_book(new)
    from quepu.arena.played_effect import Duel, duel_sheets, play_duel
    from quepu.cli.inputs import bots_of
    from quepu.cli.screen import meter

    levels = bots_of(bots)
    plan = Duel(old, new, levels, walls, seed)
    with meter(walls) as advance:
        sums = play_duel(plan, jobs or os.cpu_count() or 1, resume or None, lambda done, _: advance(done), cluster)
    report_more(sums.walls, walls)
    sheets = duel_sheets(*books, sums, levels)
    return deliver(sheets, where, whole=True)


@parameters.command(
    "lab.study",
    book_of_rules(),
    parameters.text("--output", "-o", "output", help="opt.study.output", metavar="FOLDER", default="."),
)
def study(rules: str, output: str) -> int:
    """Study."""
    book = open_book(rules, page=True)
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
    rules: str, bots: str, hands: int, seed: int, resume: str, jobs: int, cluster: str, **where: Unpack[Outputs]
) -> int:
    """Seats."""
    book = open_book(rules, where)
    from quepu.arena.seat_value import play_seats
    from quepu.arena.study import seat_sheet
    from quepu.cli.screen import meter

    with meter(hands) as advance:
        found = play_seats(
            rules, bots, hands, seed, resume or None, jobs or os.cpu_count() or 1,
            lambda done, _: advance(done), cluster,
        )  # fmt: skip
    report_more(found.sums.hands, hands)
    sheets = [seat_sheet(book, found)]
    return deliver(sheets, where, whole=True)


@click.pass_context
def _alone(ctx: click.Context) -> None:
    """Print the help if no lab command is given."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


command = CommandGroup("lab", help=say("cmd.lab"), callback=_alone, invoke_without_command=True)
for declared in (
    rarity,
    points,
    implications,
    overlap,
    redundant,
    compare,
    calibrate,
    find,
    suggest,
    check,
    residues,
    settle,
    duel,
    seats,
    study,
    report,
):
    command.add_command(Command.of(declared), declared.name.split(".")[-1])
