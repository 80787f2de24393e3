"""`quepu lab`: a rulebook measured over every hand there is."""

from __future__ import annotations

import click

from quepu.cli.lab_compare import calibrate, compare, find, suggest
from quepu.cli.lab_duel import duel
from quepu.cli.lab_study import seats, study
from quepu.cli.lab_tables import implications, overlap, points, rarity, redundant, report
from quepu.cli.program import Command, CommandGroup
from quepu.cli.texts import say


@click.pass_context
def _alone(ctx: click.Context) -> None:
    """Without a command of its own the lab says what it has."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


command = CommandGroup("lab", help=say("cmd.lab"), callback=_alone, invoke_without_command=True)
for made in (
    rarity,
    points,
    implications,
    overlap,
    redundant,
    compare,
    calibrate,
    find,
    suggest,
    duel,
    seats,
    study,
    report,
):
    command.add_command(Command.of(made), made.name.split(".")[-1])
