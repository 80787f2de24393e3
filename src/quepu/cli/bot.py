"""`quepu bot`: run one of the levels as a program for a bot platform, on stdin and stdout, or from home."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from quepu.cli import parameters
from quepu.cli.screen import note
from quepu.cli.texts import join_items, say, spoken

if TYPE_CHECKING:
    from quepu.bots.botzone_player import BotzonePlayer


@parameters.command(
    "bot",
    parameters.text("--botzone", help="opt.botzone", metavar="LEVEL", default="master", complete=parameters.bots),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.flag("--once", help="opt.once"),
    parameters.with_flowers(),
    parameters.text("--connect", help="opt.connect", metavar="URL"),
    parameters.number("--matches", help="opt.connect.matches", default=0, least=0),
)
def command(botzone: str, seed: int, once: bool, flowers: bool | None, connect: str, matches: int) -> int:
    """Answer all requests."""
    from functools import partial

    from quepu.bots import make_bot
    from quepu.bots.botzone_player import BotzonePlayer, play
    from quepu.match.botzone_record import RULES
    from quepu.rulebooks import book

    make = partial(make_bot, botzone, seed)
    make()  # refuse unknown levels before anything is read
    if connect:
        return _connect(
            connect, lambda: BotzonePlayer(make, book(RULES), False if flowers is None else flowers), matches
        )
    play(sys.stdin, sys.stdout, BotzonePlayer(make, book(RULES), flowers), once)
    return 0


def _connect(url: str, make: Callable[[], BotzonePlayer], matches: int) -> int:
    """Play matches on the platform until so many are over (0: until stopped)."""
    from quepu.bots.local_ai import LocalAI

    platform = LocalAI(url, make, lambda text: note(spoken(text)))
    done = 0
    while not matches or done < matches:
        for one in platform.step():
            done += 1
            scores = join_items(f"{score:g}" for score in one.scores)
            print(say("bot.over" if one.scores else "bot.aborted", id=one.id, seat=one.seat, scores=scores), flush=True)
    return 0
