"""`quepu mcp`: serve rules, scores, waits, reviews and puzzles to language models, on standard input and output."""

from __future__ import annotations

import os
import sys

from quepu.cli import parameters
from quepu.cli.inputs import rulebook
from quepu.cli.texts import Chosen, say
from quepu.errors import cannot_read, language


@parameters.command(
    "mcp",
    parameters.rules(),
    parameters.text("--logs", help="opt.mcp.logs", metavar="DIR"),
    parameters.number("--seconds", help="opt.mcp.seconds", default=20, least=1, most=600),
)
def command(rules: str, logs: str, seconds: int) -> int:
    """Serve."""
    if logs:
        try:
            os.listdir(logs)
        except OSError as wrong:
            raise cannot_read(logs, wrong) from wrong
    book = rulebook(rules)
    from quepu.server.assistants.service import Settings, serve

    language(Chosen.lang)
    if sys.stdin.isatty():
        print(say("mcp.waiting"), file=sys.stderr)
    serve(Settings(book.id, logs, seconds))
    return 0
