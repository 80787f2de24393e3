"""What the process that reviews runs: it is given names and steps, never the server's own objects."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from typing import Any, NamedTuple

from quepu.match.log import PlayedHand
from quepu.rulebook import Rulebook
from quepu.server.rooms.thinking import end_with_parent


class Task(NamedTuple):
    """A hand to be reviewed, and the book by name, chosen options (JSON) and house rules."""

    rules: str
    chosen: str
    house: str
    hand: PlayedHand | None


@lru_cache(8)
def _book(rules: str, chosen: str, house: str) -> Rulebook:
    from quepu.server.hands_api import book_of

    book = book_of(rules, house)
    options = json.loads(chosen)
    return book if house or not options else book.having(options=options)


def quietly() -> None:
    """Reviews wait for whatever else the machine has to do, and end with the server."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(10)


def prepare(task: Task) -> None:
    """Build the book's tables, if they are new; some ten seconds each."""
    from quepu.bots.payable import payable

    payable(_book(*task[:3])).prepare()


def review(task: Task) -> dict[str, Any]:
    """The review of the task's hand."""
    from quepu.review import review_hand

    assert task.hand is not None  # noqa: S101  # only `prepare` comes without
    return review_hand(task.hand, _book(*task[:3]))
