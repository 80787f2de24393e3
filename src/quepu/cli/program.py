"""The program that click runs: commands imported when called, help and usage errors in the chosen language."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from quepu.cli import parameters
from quepu.cli.declared import COMMANDS, Declared, Positional, Switch
from quepu.cli.texts import say
from quepu.errors import near_names

if TYPE_CHECKING:
    from rich.console import Console

_HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


class Argument(click.Argument):
    """An argument with a line of help."""

    def __init__(self, *args: Any, help: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.help = help


class Command(click.Command):
    """A command whose help is formatted for Chinese and English alike."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", _HELP)
        super().__init__(*args, **kwargs)

    @classmethod
    def of(cls, declared: Declared) -> Command:
        """Return the click command of a declaration."""
        params = [_parameter(param) for param in declared.params]
        return cls(declared.name, callback=declared.function, params=params, help=say(f"cmd.{declared.name}"))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return --help, with its own line in the chosen language."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = say("opt.help")
        return option

    def get_help(self, ctx: click.Context) -> str:
        """Return the help of this command."""
        return _help(self, ctx)


def _parameter(declared: Any) -> click.Parameter:
    """Return a declared parameter as a click parameter."""
    if isinstance(declared, Positional):
        names, complete = [declared.key], declared.complete or parameters.completion_of(declared.metavar)
        given: dict[str, Any] = {"help": declared.help, "metavar": declared.metavar}
        if declared.hand:
            return Argument(names, nargs=-1, callback=lambda _ctx, _param, words: declared.join(words), **given)
        if declared.default is None:
            return Argument(names, shell_complete=complete, **given)
        return Argument(names, required=False, default=declared.default, shell_complete=complete, **given)
    if not isinstance(declared, Switch):
        made: click.Parameter = declared
        return made
    if not declared.metavar:
        return click.Option(list(declared.names), is_flag=True, help=declared.help)
    return Option(
        list(declared.names),
        help=declared.help,
        metavar=declared.metavar,
        default=() if declared.many else declared.default,
        multiple=declared.many,
        shell_complete=declared.complete or parameters.completion_of(declared.metavar),
        type=None if declared.least is None else click.IntRange(declared.least, declared.most),
    )


class Option(click.Option):
    """An option whose range is written as people write it: 0–256 instead of 0<=x<=256."""

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return the remarks in brackets after the help."""
        extra, kind = super().get_help_extra(ctx), self.type
        if "range" in extra and isinstance(kind, click.IntRange):
            extra["range"] = f"≥ {kind.min}" if kind.max is None else f"{kind.min}–{kind.max}"
        return extra


class CommandGroup(Command, click.Group):
    """A group of commands: `quepu` itself, or a command with subcommands."""

    command_class = Command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that is called, or suggest a similar one."""
        name, commands = args[0], self.list_commands(ctx)
        if not name.startswith("-") and name not in commands:
            near = " / ".join(near_names(name, dict(zip(commands, commands, strict=True)), most=3))
            raise click.UsageError(say("bad.command.near" if near else "bad.command", name=name, near=near), ctx)
        return super().resolve_command(ctx, args)


class Program(CommandGroup):
    """All commands. Listing them imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command."""
        if cmd_name not in COMMANDS:
            return None
        declared = importlib.import_module(COMMANDS[cmd_name]).command
        command: click.Command = Command.of(declared) if isinstance(declared, Declared) else declared
        command.name = cmd_name
        return command

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Do nothing: `get_help` prints the epilog."""


def _help(command: click.Command, ctx: click.Context) -> str:
    from rich.console import Console
    from rich.text import Text

    from quepu.cli.screen import console

    out = Console(highlight=False, emoji=False, markup=False, width=min(console().width, 110))
    with out.capture() as captured:
        words = {"[OPTIONS]": say("usage.options"), "COMMAND [ARGS]...": say("usage.command")}
        usage = " ".join(words.get(piece, piece) for piece in command.collect_usage_pieces(ctx))
        out.print(Text.assemble((say("usage"), "dim"), (f"{ctx.command_path} {usage}", "bold")))
        if command.help:
            out.print(Text(f"\n  {command.help}"))
        arguments = [p for p in command.get_params(ctx) if isinstance(p, Argument) and p.help]
        _part(out, "title.arguments", [(p.make_metavar(ctx), p.help or "") for p in arguments])
        found = [p.get_help_record(ctx) for p in command.get_params(ctx) if isinstance(p, click.Option)]
        _part(out, "title.options", [record for record in found if record])
        if isinstance(command, Program):
            _part(out, "title.commands", [(name, say(f"cmd.{name}")) for name in COMMANDS])
        elif isinstance(command, click.Group):
            listed = [(name, command.commands[name].help or "") for name in command.list_commands(ctx)]
            _part(out, "title.commands", listed)
        if command.epilog:
            out.print(Text(f"\n  {command.epilog}", style="dim"))
    return captured.get().rstrip("\n")


def _part(out: Console, title: str, lines: Iterable[tuple[str, str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, help in lines:
        grid.add_row(Text(f"  {name}", style="cyan"), Text(help))
    if grid.row_count:
        out.print(Text(f"\n{say(title)}", style="bold"))
        out.print(grid)


def program() -> click.Group:
    """Return the whole command line."""
    listed = [
        click.Option(["--lang"], help=say("opt.lang"), metavar="zh|en"),
        click.Option(["--tiles"], help=say("opt.tiles"), metavar="cells|unicode|ascii"),
        click.Option(["--version", "-V"], is_flag=True, help=say("opt.version")),
    ]  # these are extracted before click parses; here they are only listed
    return Program("quepu", callback=lambda **_: None, params=list(listed), help=say("app"), epilog=say("app.epilog"))


def invoke(args: list[str]) -> int:
    """Run a command line; usage errors become one sentence and exit code 2."""
    args = _without_rounds(args)
    try:
        code = program().main(args=args, prog_name="quepu", standalone_mode=False)
    except click.UsageError as error:
        from quepu.cli.screen import refuse
        from quepu.errors import Error

        text = _usage_text(error, args)
        refuse(Error(text, text), args)
        print(f"{say('error')}{text}", file=sys.stderr)
        print(say("try.help", command=error.ctx.command_path if error.ctx else "quepu"), file=sys.stderr)
        return 2
    except click.Abort:
        print(say("stopped"), file=sys.stderr)
        return 130
    return code if isinstance(code, int) else 0


def _without_rounds(args: list[str]) -> list[str]:
    """Replace `--rounds`, the former name of `--hands`, and say that it will go."""
    if args[:1] not in (["simulate"], ["data"]):
        return args
    new = [re.sub(r"^--rounds(?==|$)", "--hands", arg) for arg in args]
    if new != args:
        print(say("deprecated.rounds"), file=sys.stderr)
    return new


def _usage_text(error: click.UsageError, args: list[str]) -> str:
    """Write a usage error in the chosen language."""
    if isinstance(error, click.NoSuchOption):
        near = " / ".join(error.possibilities or ())
        name = error.option_name
        longer = [arg for arg in args if arg.startswith(name) and len(arg) > len(name)]
        if longer and not name.startswith("--"):  # one letter of it was parsed as an option
            return say("bad.option.name", name=name, whole=longer[0])
        return say("bad.option.near" if near else "bad.option", name=name, near=near)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return say("bad.missing", what=error.param.human_readable_name)
    if isinstance(error, click.BadOptionUsage):
        return say("bad.needs_value", name=error.option_name)
    if isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.Choice):
        return say("bad.choice", what=error.param.name, choices=" / ".join(map(str, error.param.type.choices)))
    if isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.IntRange):
        kind = error.param.type
        if kind.max is None:
            return say("bad.number.least", what=error.param.opts[0], least=kind.min)
        return say("bad.number", what=error.param.opts[0], least=kind.min, most=kind.max)
    if isinstance(error, click.BadParameter):
        what = error.param_hint or (error.param.opts[0] if error.param else "?")
        return say("bad.value", what=what, why=error.message)
    if error.message.startswith("Got unexpected extra argument"):
        return say("bad.extra", what=error.message.split("(", 1)[-1].rstrip(")"))
    return error.message
