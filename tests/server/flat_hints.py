"""Hints of a server under test: worked out where it runs, by tables in which every hand wins alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from quepu.bots import payable_bot
from quepu.efficiency import payments
from quepu.rulebooks import book
from quepu.server.rooms.hints import HintRequest
from tests.review.flat import write_flat

T = TypeVar("T")


@contextmanager
def flat_hints(app: Any, folder: Path, *rules: str) -> Iterator[None]:
    """As the title says, for some books (others are worked out as ever); real tables take some ten seconds to build."""
    hints = app.state.rooms.hints
    in_processes = hints.run

    async def run(asker: str, what: Callable[..., T], *given: Any) -> T:
        if isinstance(given[0], HintRequest) and given[0].rules in rules and not given[0].house:
            return what(*given)
        made: T = await in_processes(asker, what, *given)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(payable_bot, "_TABLES", {})
        patch.setattr(hints, "run", run)
        patch.setattr(app.state.rooms.preparation, "ready", lambda _rules, _house: True)
        payments.table.cache_clear()
        with patch.context() as here:
            here.setenv("QUEPU_CACHE", str(folder))
            for name in rules:
                write_flat(book(name), folder)
                payable_bot.payable(book(name)).prepare()  # in memory from here on
        yield
    payments.table.cache_clear()
