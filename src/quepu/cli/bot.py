"""`quepu bot`: run one of the levels as a program for a bot platform, on stdin and stdout."""

from __future__ import annotations

import sys

from quepu.cli import parameters


@parameters.command(
    "bot",
    parameters.text("--botzone", help="opt.botzone", metavar="LEVEL", default="master", complete=parameters.bots),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.flag("--once", help="opt.once"),
    parameters.with_flowers(),
)
def command(botzone: str, seed: int, once: bool, flowers: bool | None) -> int:
    """Answer all requests."""
    from functools import partial

    from quepu.bots import make_bot
    from quepu.bots.botzone_player import BotzonePlayer, play
    from quepu.match.botzone_record import RULES
    from quepu.rulebooks import book

    make = partial(make_bot, botzone, seed)
    make()  # refuse unknown levels before anything is read
    play(sys.stdin, sys.stdout, BotzonePlayer(make, book(RULES), flowers), once)
    return 0
