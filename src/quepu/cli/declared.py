"""The declaration of a command's arguments as plain data, read without importing click.

Most command lines are valid, and `Declared.read` parses those. In doubt (an unknown option, a missing value, help,
completion) it returns None, and `quepu.cli.program` turns the declaration into a click command, which is slow to import
but explains mistakes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

COMMANDS: Final[dict[str, str]] = {
    "score": "quepu.cli.score",
    "waits": "quepu.cli.waits",
    "fans": "quepu.cli.fans",
    "books": "quepu.cli.books",
    "rules": "quepu.cli.rules",
    "rulings": "quepu.cli.rulings",
    "booklet": "quepu.cli.booklet",
    "diff": "quepu.cli.diff",
    "conformance": "quepu.cli.conformance",
    "points-table": "quepu.cli.points_table",
    "serve": "quepu.cli.serve",
    "admin": "quepu.cli.admin",
    "play": "quepu.cli.play",
    "match": "quepu.cli.match",
    "replay": "quepu.cli.replay",
    "review": "quepu.cli.review",
    "ask": "quepu.cli.ask",
    "verify": "quepu.cli.verify",
    "seating": "quepu.cli.seating",
    "duplicate": "quepu.cli.duplicate",
    "stats": "quepu.cli.stats",
    "roster": "quepu.cli.roster",
    "simulate": "quepu.cli.simulate",
    "gauntlet": "quepu.cli.gauntlet",
    "data": "quepu.cli.data",
    "explore": "quepu.cli.explore",
    "bot": "quepu.cli.bot",
    "mcp": "quepu.cli.mcp",
    "benchmark": "quepu.cli.benchmark",
    "lab": "quepu.cli.lab",
    "shell": "quepu.cli.shell",
    "completion": "quepu.cli.completion",
    "cache": "quepu.cli.cache",
}
"""The module of each command, by name; the line of help of each is in `quepu.cli.texts`, under `cmd.<name>`."""

EXTRAS_OF: Final[dict[str, str]] = {"serve": "server", "admin": "server", "lab": "lab", "mcp": "mcp"}
"""The extra that a command needs, if it needs more than all commands do."""


class Switch(NamedTuple):
    """An option: a flag, a word, or a whole number between `least` and `most`."""

    names: tuple[str, ...]
    help: str
    metavar: str = ""
    """Empty for a flag."""
    default: Any = ""
    complete: Any = None
    many: bool = False
    least: int | None = None
    """A number's least value; None if it is not a number."""
    most: int | None = None

    @property
    def key(self) -> str:
        """The parameter's name: the name without dashes, else the first long one."""
        plain = [name for name in self.names if not name.startswith("-")]
        return plain[0] if plain else max(self.names, key=len).lstrip("-").replace("-", "_")


class Positional(NamedTuple):
    """A positional word, or all positional words as one; required unless it has a default."""

    key: str
    help: str
    metavar: str
    default: str | None = ""
    complete: Any = None
    hand: bool = False
    """Takes all words as one: a hand that the shell split at its spaces."""
    piped: bool = False
    """Of a hand: defaults to `-` if standard input is not a terminal."""

    def join(self, words: tuple[str, ...]) -> str:
        """Join words to one hand."""
        return "-" if self.piped and not words and not sys.stdin.isatty() else " ".join(words)


class Declared(NamedTuple):
    """A command: its function and its arguments. Items of other types are click's own."""

    name: str
    function: Callable[..., int]
    params: tuple[Any, ...]
    needs_click: bool = False
    """Whether the function asks click which values were given and which are defaults."""

    def read(self, args: list[str]) -> dict[str, Any] | None:
        """Return the function's arguments, or None if click must parse the line."""
        if self.needs_click or not all(isinstance(param, Switch | Positional) for param in self.params):
            return None
        options = {name: param for param in self.params if isinstance(param, Switch) for name in param.names}
        values: dict[str, Any] = {
            param.key: () if isinstance(param, Switch) and param.many else param.default for param in self.params
        }
        words: list[str] = []
        rest = iter(args)
        for word in rest:
            if not word.startswith("-") or word == "-":
                words.append(word)
                continue
            name, equals, value = word.partition("=")
            option = options.get(name)
            if option is None or (equals and not name.startswith("--")):
                return None
            if not option.metavar:
                if equals:
                    return None
                values[option.key] = True
                continue
            given: str | None = value if equals else next(rest, None)
            if given is None or (not equals and given.startswith("-") and given != "-"):
                return None
            if option.least is not None:
                if not (given.isascii() and given.isdigit() and len(given) < 10):
                    return None
                number = int(given)
                if number < option.least or (option.most is not None and number > option.most):
                    return None
                values[option.key] = number
            else:
                values[option.key] = (*values[option.key], given) if option.many else given
        return values if self._place(words, values) else None

    def _place(self, words: list[str], values: dict[str, Any]) -> bool:
        """Assign the words to the positionals; return False if there are too many or too few."""
        for param in self.params:
            if not isinstance(param, Positional):
                continue
            if param.hand:
                values[param.key] = param.join(tuple(words))
                words = []
            elif words:
                values[param.key] = words.pop(0)
            elif param.default is None:
                return False
        return not words
