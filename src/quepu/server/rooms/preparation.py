"""Tables of payable hands, for hints and strong bots: find the missing ones, and have them built.

Play never waits for a table: until it exists, bots and hints go by shape, and hints are marked so.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable

from quepu.errors import Error
from quepu.fast.nearest.gain_files import is_shipped, unbuilt
from quepu.fast.nearest.join_code import compiled
from quepu.rulebooks.house_rules import book_of
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.http.responses import Refusal
from quepu.server.lru_cache import LRUCache
from quepu.server.work.building import BookSource, Building
from quepu.server.work.process import Broken

_log = logging.getLogger("quepu.server")

_LOOK = 2.0
"""Seconds for which a missing table is assumed to be still missing: another process may build it, too."""
_AGAIN = 60.0
"""Seconds after which failed tables are tried once more."""
_IDLE = 10.0
"""Seconds between checks whether the machine is idle."""
_BUSY = 0.3
"""Running or waiting processes per core above which only requested tables are built."""

"""The default book of the pages: its tables are built before anyone plays."""
Key = tuple[str, str]
"""A book and its house rules, as a room names them."""


class Preparation:
    """Prepares the tables of books. `done` is called with each book whose tables have been built."""

    builds = True

    def __init__(self, building: Building, done: Callable[[str, str], None]) -> None:
        self._building = building
        self._done = done
        self._ready = LRUCache(1000)  # of keys
        self._looked = LRUCache(1000)  # key → when its tables were missing
        self._failed = LRUCache(1000)  # key → when building failed
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._waiting: dict[str, None] = {DEFAULT_RULES: None}  # books, in order
        self._idle: asyncio.Task[None] | None = None

    def is_ready(self, rules: str, house: str) -> bool:
        """Return whether a book has all its tables, and the loops that read them are compiled."""
        key, now = (rules, house), time.monotonic()
        if self._ready.get(key):
            return True
        if key in self._tasks:  # data derived from the tables is still to come
            return False
        if now - (self._looked.get(key) or -_LOOK) < _LOOK:
            return False
        if unbuilt(book_of(rules, house)) or not compiled():
            self._looked.put(key, now)
            return False
        return bool(self._ready.put(key, True))

    def is_shipped(self, rules: str, house: str) -> bool:
        """Return whether a book's tables come with the program."""
        return not house.strip() and is_shipped(book_of(rules, ""))

    def report_missing(self, rules: str, house: str) -> None:
        """Handle missing tables of a book: those of house rules are evicted for others."""
        self._ready.discard_if(lambda key: key == (rules, house))

    def want(self, rules: str, house: str, asker: str = "", *, paid: bool = False) -> None:
        """Build the missing tables of a book; `asker` pays for those of house rules, unless it has paid."""
        key, now = (rules, house), time.monotonic()
        if key in self._tasks or self.is_ready(rules, house) or now - (self._failed.get(key) or -_AGAIN) < _AGAIN:
            return
        self._tasks[key] = task = asyncio.create_task(self._build(key, asker, paid))
        task.add_done_callback(lambda _: self._tasks.pop(key, None))

    async def _build(self, key: Key, asker: str, paid: bool) -> None:
        began = time.monotonic()
        try:
            await self._building.wait(BookSource(*key), asker, paid=paid)
        except (Refusal, Error, Broken) as problem:
            self._failed.put(key, time.monotonic())
            _log.warning("the tables of %s were not built: %s", key[0], problem)
            return
        self._ready.put(key, True)
        _log.info("the tables of %s were built in %.0f s", key[0], time.monotonic() - began)
        self._done(*key)

    def later(self, rules: str) -> None:
        """Build the tables of a book without house rules while the machine is idle."""
        self._waiting[rules] = None

    def start(self) -> None:
        """Start with the books collected by `later`."""
        self._idle = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_IDLE)
            rules = next(iter(self._waiting), None)
            if rules is not None and not self._tasks and _is_idle():
                del self._waiting[rules]
                self.want(rules, "")

    async def close(self) -> None:
        """Stop building."""
        tasks = [*self._tasks.values(), *([self._idle] if self._idle is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _is_idle() -> bool:
    """Return whether the machine is idle; on Windows this is unknown, so nothing is built unrequested."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] < _BUSY * (os.cpu_count() or 1)
