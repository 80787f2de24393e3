"""Arguments and options that several commands share, and the decorator that makes a command of a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from quepu.cli.declared import Declared, Positional, Switch
from quepu.cli.texts import say
from quepu.folding import fold
from quepu.scoring.signatures import DEFAULT_RULES

if TYPE_CHECKING:
    import click


def command(name: str, *params: Any, needs_click: bool = False) -> Callable[[Callable[..., int]], Declared]:
    """A command from a function of the same parameters that returns its exit code."""
    return lambda function: Declared(name, function, params, needs_click)


def argument(name: str, help: str, *, metavar: str = "", default: str | None = "", complete: Any = None) -> Positional:
    """A positional argument; without a default it must be given."""
    shown = metavar or name.upper()
    return Positional(name, say(help), shown if default is None else f"[{shown}]", default, complete)


def hand(help: str = "arg.hand", *, piped: bool = False) -> Positional:
    """A hand, in one word or in several that the shell took apart at its spaces; `piped`: without one, `-`."""
    return Positional("hand", say(help), "[HAND]", hand=True, piped=piped)


def flag(*names: str, help: str) -> Switch:
    """An option that is there or not."""
    return Switch(names, say(help), default=False)


def text(*names: str, help: str, metavar: str, default: str = "", complete: Any = None, many: bool = False) -> Switch:
    """An option with a value; with `many` it may be given again and again."""
    shown = say(help) + (say("default", value=default) if default else "")
    return Switch(names, shown, metavar, default, complete, many)


def number(*names: str, help: str, default: int, least: int, most: int | None = None) -> Switch:
    """An option with a whole number in a range."""
    return Switch(names, say(help) + say("default", value=default), "N", default, least=least, most=most)


def jobs() -> Switch:
    """Option for the number of processes."""
    return number("--jobs", "-j", help="opt.jobs", default=1, least=0, most=256)


Names = list[str]


def _beginning(names: Iterable[str], incomplete: str) -> Names:
    low = fold(incomplete)
    return [name for name in names if fold(name).startswith(low)]


def books(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Ids of rulebooks that begin so, and files of house rules."""
    from click.shell_completion import CompletionItem

    from quepu.rulebooks import book_ids

    found = _beginning(book_ids(), incomplete)
    return [*found] if found else [CompletionItem(incomplete, type="file")]


def _winds(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    return _beginning("ESWN", incomplete)


def _rulebook(ctx: click.Context) -> Any:
    from quepu.cli.inputs import rulebook

    return rulebook(ctx.params.get("rules") or DEFAULT_RULES)


def _circumstances(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    from quepu.rules.circumstances import spellings

    book = _rulebook(ctx)
    return _beginning(book.circumstances, incomplete) or _beginning(spellings(book), incomplete)


def fan_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Names of fans that begin so; English labels where none does."""
    fans = _rulebook(ctx).fans
    return _beginning((fan.name for fan in fans), incomplete) or _beginning((fan.english for fan in fans), incomplete)


def classes(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Categories of fans that begin so."""
    return _beginning(dict.fromkeys(fan.category for fan in _rulebook(ctx).fans), incomplete)


def states(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """States of hands that the lab measures."""
    from quepu.fast.universe.standard_hands import STATES

    return _beginning(STATES, incomplete)


def bots(ctx: click.Context, param: click.Parameter, incomplete: str) -> Names:
    """Levels of bots; of several with commas between, the last."""
    from quepu.bots.protocol import LEVELS

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in _beginning(LEVELS, last)]


def rules() -> Switch:
    """Option for the rulebook."""
    return text("--rules", "-r", help="opt.rules", metavar="BOOK", default=DEFAULT_RULES, complete=books)


def book_argument(name: str, help: str, *, metavar: str = "BOOK", default: str | None = None) -> Positional:
    """A rulebook; without a default it must be named."""
    return argument(name, help, metavar=metavar, default=default, complete=books)


def winds() -> tuple[Switch, Switch]:
    """Own wind and round wind."""
    return (
        text("--seat", "-s", help="opt.seat", metavar="WIND", default="E", complete=_winds),
        text("--round", "-R", help="opt.round", metavar="WIND", default="E", complete=_winds),
    )


def with_flowers() -> click.Option:
    """Whether the wall has flowers, whatever the book says."""
    import click

    return click.Option(["--flowers/--no-flowers"], help=say("opt.with_flowers"), default=None)


def flowers() -> Switch:
    """Flowers beside the hand."""
    return text("--flowers", "-f", help="opt.flowers", metavar="FLOWERS")


def luck() -> Switch:
    """Circumstances of the win, by the book's names."""
    return text("--with", "-w", "with_", help="opt.with", metavar="NAME", complete=_circumstances, many=True)


def self_draw() -> Switch:
    """Whether the winning tile was drawn."""
    return flag("--self-draw", "-z", help="opt.self_draw")


def json() -> Switch:
    """One JSON document instead of text."""
    return flag("--json", help="opt.json")
