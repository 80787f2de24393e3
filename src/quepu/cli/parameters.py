"""Arguments and options shared by several commands, and the decorator that turns a function into a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any

from quepu.cli.declared import Declared, Positional, Switch
from quepu.cli.texts import say
from quepu.errors import Error
from quepu.folding import fold
from quepu.scoring.signatures import DEFAULT_RULES

if TYPE_CHECKING:
    import click


def command(name: str, *params: Any, needs_click: bool = False) -> Callable[[Callable[..., int]], Declared]:
    """Decorate a function that returns an exit code as a command with parameters of the same names."""
    return lambda function: Declared(name, function, params, needs_click)


def argument(name: str, help: str, *, metavar: str = "", default: str | None = "", complete: Any = None) -> Positional:
    """Declare a positional argument; without a default it is required."""
    shown = metavar or name.upper()
    return Positional(name, say(help), shown if default is None else f"[{shown}]", default, complete)


def hand(help: str = "arg.hand", *, piped: bool = False) -> Positional:
    """Declare a hand, in one word or in several that the shell split at its spaces; `piped`: defaults to `-`."""
    return Positional("hand", say(help), "[HAND]", hand=True, piped=piped)


def flag(*names: str, help: str) -> Switch:
    """Declare a flag."""
    return Switch(names, say(help), default=False)


def text(*names: str, help: str, metavar: str, default: str = "", complete: Any = None, many: bool = False) -> Switch:
    """Declare an option with a value; with `many` it may be repeated."""
    shown = say(help) + (say("default", value=default) if default else "")
    return Switch(names, shown, metavar, default, complete, many)


def number(*names: str, help: str, default: int, least: int, most: int | None = None) -> Switch:
    """Declare an option with a whole number in a range."""
    return Switch(names, say(help) + say("default", value=default), "N", default, least=least, most=most)


def jobs() -> Switch:
    """Declare the option for the number of processes."""
    return number("--jobs", "-j", help="opt.jobs", default=1, least=0, most=256)


Names = list[str]
Complete = Callable[["click.Context", "click.Parameter", str], Names]


def _beginning(names: Iterable[str], incomplete: str) -> Names:
    low = fold(incomplete)
    return [name for name in names if fold(name).startswith(low)]


def books(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Complete ids of rulebooks, and files of house rules."""
    from click.shell_completion import CompletionItem

    from quepu.rulebooks import book_ids

    found = _beginning(book_ids(), incomplete)
    return [*found] if found else [CompletionItem(incomplete, type="file")]


def _winds(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    return _beginning("ESWN", incomplete)


def _rulebook(ctx: click.Context) -> Any:
    from quepu.cli.inputs import rulebook

    given = ctx.params.get("rules") or ctx.params.get("book")
    first = next((param.name for param in ctx.command.params if param.param_type_name == "argument"), "")
    if not given and ctx.args and first in ("rules", "book"):  # click does not place words if an option lacks its value
        given = ctx.args[0]
    return rulebook(given or DEFAULT_RULES)


def _of_book(complete: Complete) -> Complete:
    """Offer nothing where the rulebook on the line cannot be found."""

    @wraps(complete)
    def offer(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
        try:
            return complete(ctx, param, incomplete)
        except Error:
            return []

    return offer


@_of_book
def _circumstances(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    from quepu.rules.circumstances import spellings

    book = _rulebook(ctx)
    return _beginning(book.circumstances, incomplete) or _beginning(spellings(book), incomplete)


@_of_book
def fan_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Complete names of fans; English ones if no Chinese name matches."""
    fans = _rulebook(ctx).fans
    return _beginning((fan.name for fan in fans), incomplete) or _beginning((fan.english for fan in fans), incomplete)


@_of_book
def _fan_list(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in fan_names(ctx, param, last)]


@_of_book
def sections(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Complete sections of a rulebook: keys, or titles if no key matches."""
    from quepu.rules.guide import guide

    every = guide(_rulebook(ctx))
    return _beginning((one.key for one in every), incomplete) or _beginning(
        (title for one in every for title in one.title), incomplete
    )


@_of_book
def rulings(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Complete ids of rulings."""
    return _beginning((ruling.id for ruling in _rulebook(ctx).rulings), incomplete)


def _ruling_or_book(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    return [*rulings(ctx, param, incomplete)] or books(ctx, param, incomplete)


def choices(*names: str) -> Complete:
    """Complete one of these names."""
    return lambda _ctx, _param, incomplete: _beginning(names, incomplete)


def _path(kind: str) -> Any:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type=kind)]

    return complete


def completion_of(metavar: str) -> Any:
    """Return the completion that follows from a metavar: files, folders, rulebooks, winds …; None if nothing does."""
    shown = metavar.strip("[]")
    if "|" in shown and shown not in _BY_METAVAR:
        return choices(*shown.split("|"))
    return _BY_METAVAR.get(shown)


@_of_book
def classes(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Complete categories of fans."""
    return _beginning(dict.fromkeys(fan.category for fan in _rulebook(ctx).fans), incomplete)


def states(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Complete states of hands that the lab measures."""
    from quepu.fast.universe.standard_hands import STATES

    return _beginning(STATES, incomplete)


def bots(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Complete levels of bots; in a comma-separated list, the last one."""
    from quepu.bots.protocol import LEVELS

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in _beginning(LEVELS, last)]


_BY_METAVAR: dict[str, Any] = {
    **dict.fromkeys(("FILE", "LOG", "LOGS"), _path("file")),
    **dict.fromkeys(("FOLDER", "DIR"), _path("dir")),
    "LEVEL": bots, "RULES": books, "RULING|RULES": _ruling_or_book, "WIND": _winds,
    "FAN": fan_names, "FAN,…": _fan_list,
}  # fmt: skip


def rules() -> Switch:
    """Declare the option for the rulebook."""
    return text("--rules", "-r", help="opt.rules", metavar="RULES", default=DEFAULT_RULES, complete=books)


def book_argument(name: str, help: str, *, metavar: str = "RULES", default: str | None = None) -> Positional:
    """Declare a rulebook as an argument; without a default it is required."""
    return argument(name, help, metavar=metavar, default=default, complete=books)


def winds() -> tuple[Switch, Switch]:
    """Declare the seat wind and round wind."""
    return (
        text("--seat", "-s", help="opt.seat", metavar="WIND", default="E", complete=_winds),
        text("--round", "-R", help="opt.round", metavar="WIND", default="E", complete=_winds),
    )


def with_flowers() -> click.Option:
    """Declare whether the wall has flowers, whatever the book says."""
    import click

    return click.Option(["--flowers/--no-flowers"], help=say("opt.with_flowers"), default=None)


def flowers() -> Switch:
    """Declare the winner's flowers."""
    return text("--flowers", "-f", help="opt.flowers", metavar="FLOWERS")


def luck() -> Switch:
    """Declare the circumstances of the win, by the book's names."""
    return text("--with", "-w", "with_", help="opt.with", metavar="NAME", complete=_circumstances, many=True)


def self_draw() -> Switch:
    """Declare whether the winning tile was drawn."""
    return flag("--self-draw", "-z", help="opt.self_draw")


def json() -> Switch:
    """Declare the flag for one JSON document instead of text."""
    return flag("--json", help="opt.json")
