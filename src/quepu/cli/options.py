"""Arguments and options that several commands share, and the decorator that makes a command of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from quepu.cli.program import Argument, Command
from quepu.cli.texts import say

DEFAULT_RULES = "lingque-29"


def command(name: str, *params: click.Parameter) -> Callable[[Callable[..., int]], Command]:
    """A command from a function of the same parameters that returns its exit code."""

    def made(function: Callable[..., int]) -> Command:
        return Command(name, callback=function, params=list(params), help=say(f"cmd.{name}"))

    return made


def argument(name: str, help: str, *, metavar: str = "", default: str | None = "") -> Argument:
    """A positional argument; without a default it must be given."""
    if default is None:
        return Argument([name], help=say(help), metavar=metavar or name.upper())
    return Argument([name], help=say(help), metavar=f"[{metavar or name.upper()}]", required=False, default=default)


def hand(help: str = "arg.hand") -> Argument:
    """A hand, in one word or in several that the shell took apart at its spaces."""
    joined: Any = lambda ctx, param, words: " ".join(words)  # noqa: E731  # click's own signature
    return Argument(["hand"], help=say(help), metavar="[HAND]", nargs=-1, callback=joined)


def flag(*names: str, help: str) -> click.Option:
    """An option that is there or not."""
    return click.Option(list(names), is_flag=True, help=say(help))


def text(
    *names: str, help: str, metavar: str, default: str = "", complete: Any = None, many: bool = False
) -> click.Option:
    """An option with a value; with `many` it may be given again and again."""
    return click.Option(
        list(names),
        help=say(help) + (say("default", value=default) if default else ""),
        metavar=metavar,
        default=() if many else default,
        multiple=many,
        shell_complete=complete,
    )


def number(*names: str, help: str, default: int, least: int, most: int | None = None) -> click.Option:
    """An option with a whole number in a range."""
    return click.Option(
        list(names),
        help=say(help) + say("default", value=default),
        metavar="N",
        default=default,
        type=click.IntRange(least, most),
    )


def jobs() -> click.Option:
    """How many processes."""
    return number("--jobs", "-j", help="opt.jobs", default=1, least=0, most=256)


def _books(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from quepu.rulebooks import book_ids

    return [name for name in book_ids() if name.startswith(incomplete)]


def _winds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [wind for wind in "ESWN" if wind.startswith(incomplete.upper())]


def _circumstances(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from quepu.cli.inputs import rulebook

    names = rulebook(ctx.params.get("rules") or DEFAULT_RULES).circumstances
    return [name for name in names if name.startswith(incomplete)]


def fan_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of fans that begin so."""
    from quepu.cli.inputs import rulebook

    fans = rulebook(ctx.params.get("rules") or DEFAULT_RULES).fans
    return [fan.name for fan in fans if fan.name.startswith(incomplete)]


def rules() -> click.Option:
    """Which rulebook."""
    return text("--rules", "-r", help="opt.rules", metavar="BOOK", default=DEFAULT_RULES, complete=_books)


def book_argument(name: str, help: str) -> Argument:
    """A rulebook that must be named."""
    made = argument(name, help, default=None)
    made._custom_shell_complete = _books  # click takes it only in its constructor
    return made


def winds() -> tuple[click.Option, click.Option]:
    """Own wind and round wind."""
    return (
        text("--seat", "-s", help="opt.seat", metavar="WIND", default="E", complete=_winds),
        text("--round", "-R", help="opt.round", metavar="WIND", default="E", complete=_winds),
    )


def flowers() -> click.Option:
    """Flowers beside the hand."""
    return text("--flowers", "-f", help="opt.flowers", metavar="FLOWERS")


def luck() -> click.Option:
    """Circumstances of the win, by the book's names."""
    return text("--with", "-w", "with_", help="opt.with", metavar="NAME", complete=_circumstances, many=True)


def self_draw() -> click.Option:
    """Whether the winning tile was drawn."""
    return flag("--self-draw", "-z", help="opt.self_draw")


def json() -> click.Option:
    """One JSON document instead of text."""
    return flag("--json", help="opt.json")
