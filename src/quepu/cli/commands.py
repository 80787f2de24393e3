"""The commands there are: name → module and what it is for. The module is imported when the command is called.

A command's module has `command`, a `quepu.cli.declared.Declared` (or a `quepu.cli.program.CommandGroup` with commands
of its own); see `quepu.cli.parameters` for the decorator that makes one and the options that commands share.
"""

from __future__ import annotations

from typing import Final

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
    "verify": "quepu.cli.verify",
    "seating": "quepu.cli.seating",
    "stats": "quepu.cli.stats",
    "roster": "quepu.cli.roster",
    "simulate": "quepu.cli.simulate",
    "data": "quepu.cli.data",
    "bot": "quepu.cli.bot",
    "lab": "quepu.cli.lab",
    "shell": "quepu.cli.shell",
    "completion": "quepu.cli.completion",
    "cache": "quepu.cli.cache",
}
"""Each command has its one line of help in `quepu.cli.texts`, under `cmd.<name>`."""
EXTRAS_OF: Final[dict[str, str]] = {"serve": "server", "admin": "server", "lab": "lab"}
"""The extra that brings all that a command needs, where that is more than what every command needs."""
