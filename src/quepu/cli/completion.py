"""`quepu completion`: the script that lets a shell complete commands, options, rulebooks and names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from quepu.cli import options
from quepu.cli.program import Argument, program
from quepu.cli.texts import say


@options.command("completion", Argument(["shell"], type=click.Choice(["bash", "zsh", "fish"]), help=say("arg.shell")))
def command(shell: str) -> int:
    """Completion."""
    found = get_completion_class(shell)
    if found is None:  # click knows the three
        return 1
    click.echo(found(program(), {}, "quepu", "_QUEPU_COMPLETE").source())
    return 0
