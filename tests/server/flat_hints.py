"""Hints of a server under test: worked out where it runs, by tables in which every hand wins alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from quepu.bots import payable_bot
from quepu.rulebooks import book
from quepu.server.hands.messages import WaitsRequest
from quepu.server.rooms.hints import HintRequest
from tests.review.flat import copy_loops, write_flat

T = TypeVar("T")


@contextmanager
def flat_hints(app: Any, folder: Path, *rules: str) -> Iterator[None]:
    """As the title says, for some books; no other tables are built here: real ones take some ten seconds."""
    hints = app.state.rooms.hints
    in_processes = hints.run
    preparation = app.state.rooms.preparation
    ready = preparation.is_ready

    def flat(name: str, house: str) -> bool:
        return name in rules and not house

    async def run(asker: str, what: Callable[..., T], *given: Any) -> T:
        if isinstance(given[0], HintRequest | WaitsRequest) and flat(given[0].rules, given[0].house):
            return what(*given)
        made: T = await in_processes(asker, what, *given)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("quepu.fast.nearest.payable._TABLES", {})
        patch.setattr(hints, "run", run)
        patch.setattr(hints, "has_begun", lambda: True)
        patch.setattr(preparation, "is_ready", lambda name, house: flat(name, house) or ready(name, house))
        patch.setattr(preparation, "want", lambda *_, **__: None)  # others stay by shape
        with patch.context() as here:
            here.setenv("QUEPU_CACHE", str(folder))
            for name in rules:
                write_flat(book(name), folder)
                copy_loops(folder)
                payable_bot.payable(book(name)).prepare()  # in memory from here on
        yield
