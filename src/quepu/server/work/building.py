"""Build tables of a book for hints, reviews and strong bots in a separate process, in short slices.

Only the asker waits for them, and receives their progress. The process has the lowest priority on the server. Built-in
books do not wait for house rules. Askers take turns, one set of tables each.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from contextvars import Context
from functools import lru_cache
from typing import NamedTuple

from quepu.errors import Error
from quepu.match.edition import edition_of
from quepu.rulebooks import book_ids
from quepu.rulebooks.house_rules import book_of
from quepu.rules.rulebook import Rulebook
from quepu.server.budget import Buckets, payers
from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits
from quepu.server.work.pool import Pool, Turns
from quepu.server.work.process import Allowed, Broken

A_PART = 0.5
"""CPU seconds per slice, after which the process takes other requests."""
_ALL = ""
"""The asker of the process itself: slices are requested in turn, whoever waits for them."""


class BookSource(NamedTuple):
    """The source of a book for a process: id, the text of house rules, the first line of a log."""

    rules: str
    house: str = ""
    header: str = ""


Work = Callable[[str, Callable[[BookSource], bool | None], BookSource], Awaitable[bool | None]]
"""Computes for an asker in a process that never compiles loops."""


class Progress(NamedTuple):
    """The finished share of the tables; until there is one, how many books come first."""

    share: float
    before: int


# ---- in the process


def compile_queries() -> None:
    """Compile the loops before tables are built or read, which takes seconds the first time."""
    from quepu.fast.nearest import payable

    payable.compile_queries()


@lru_cache(4)
def book_from(source: BookSource) -> Rulebook:
    """Return the book.

    Raises:
        Error: it does not exist, or its house rules are invalid.
    """
    if source.header:
        return edition_of(json.loads(source.header), house_book(source.rules, source.house)).book
    return book_of(source.rules, source.house)


def house_book(rules: str, house: str) -> Rulebook | None:
    """Return the house rules of a log; None for other books, or for rules that can no longer be built.

    The log itself then names its rules, or is read without rules.
    """
    try:
        return book_of(rules, house) if house.strip() else None
    except Error:
        return None


_BUILDING: dict[BookSource, Iterator[float]] = {}
"""The tables being built."""
_OF_TABLES = 0.9
"""The share of the work for a book's own tables."""
_MOST_BUILDING = 2
"""The most books whose tables are partly built; more are begun again."""


def is_built(source: BookSource) -> bool | None:
    """Return whether all tables are in their files; None: they are not, and the book is built in."""
    from quepu.bots.payable_bot import complete
    from quepu.fast.nearest.payable import Payable

    book = book_from(source)
    found = Payable(book)  # a new one: open tables of another may have evicted files since
    if found.ready():
        complete(found)
        return True
    return _missing(book)


def there(source: BookSource) -> bool | None:
    """Return the same by their files alone, in any process: the table process may be compiling for minutes."""
    from quepu.fast.nearest.gain_files import is_shipped, unbuilt  # needs modules that a device lacks

    book = book_from(source)
    return not unbuilt(book) or is_shipped(book) or _missing(book)


def _missing(book: Rulebook) -> bool | None:
    """Return None for a built-in book, False for house rules: the asker only pays for those."""
    return None if book.id in book_ids() and not book.base else False


def build(source: BookSource, seconds: float = A_PART) -> float:
    """Continue building for `seconds` CPU seconds; return the finished share, 1 for all."""
    until = time.process_time() + seconds
    parts = _BUILDING.pop(source, None) or _parts(source)
    for share in parts:
        if time.process_time() > until and share < 1:
            while len(_BUILDING) >= _MOST_BUILDING:
                del _BUILDING[next(iter(_BUILDING))]
            _BUILDING[source] = parts
            return share
    return 1.0


def _parts(source: BookSource) -> Iterator[float]:
    """Build the tables of a book, and the lookup of styled bots, which all books share; yield finished shares."""
    from quepu.bots.payable_bot import complete
    from quepu.fast.nearest.payable import Payable
    from quepu.fast.nearest.preferences import feature_classes

    made = Payable(book_from(source))
    for share in made.preparing():
        yield share * _OF_TABLES
    complete(made)
    for double_wind, share in ((False, (1 + _OF_TABLES) / 2), (True, 1.0)):
        feature_classes(double_wind)
        yield share


# ---- in the server


class _Wanted:
    """Tables that are being built, or queued."""

    def __init__(self, source: BookSource) -> None:
        self.source = source
        self.share = 0.0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting: list[Callable[[Progress], object]] = []


class Building:
    """The tables of one server. `budget`: sets of tables under house rules that an asker may start."""

    def __init__(self, limits: Limits, budget: Buckets) -> None:
        self.budget = budget
        allowed = Allowed(limits.tables_cpu, limits.tables_wall, limits.tables_memory)
        self._pool = Pool(allowed, each=100, nice=10, begin=compile_queries)
        self._wanted: dict[BookSource, _Wanted] = {}
        self._own: Turns[_Wanted] = Turns(limits.tables_most, limits.tables_most)
        self._house: Turns[_Wanted] = Turns(limits.tables_each, limits.tables_most)
        self._tasks: dict[Turns[_Wanted], asyncio.Task[None]] = {}

    async def missing(self, source: BookSource, asker: str, work: Work) -> None:
        """Charge the asker for missing tables; `work` looks for them: looking here might wait for loops.

        Raises:
            Refusal: the asker has had too many built. Error, Broken: the book cannot be built.
        """
        if source not in self._wanted and await work(asker, there, source) is False:
            self.pay(asker)

    async def wait(
        self, source: BookSource, asker: str, changed: Callable[[Progress], object] | None = None, *, paid: bool = False
    ) -> None:
        """Wait until the tables exist; `changed` is called with each progress. `paid`: they are paid for.

        If no one waits any more, they stay unfinished.

        Raises:
            Refusal: the asker has had too many built, too many wait, or it takes too long. Error, Broken: the book
                cannot be built.
        """
        if source not in self._wanted:
            found = await self._pool.run(_ALL, is_built, source)
            if found:
                return
            if source not in self._wanted:
                if found is False and not paid:
                    self.pay(asker)
                self._queue(self._house if found is False else self._own, source, asker)
        wanted, call = self._wanted[source], changed or (lambda _: None)
        wanted.waiting.append(call)
        call(self._progress(wanted))
        try:
            await asyncio.shield(wanted.done)
        finally:
            wanted.waiting.remove(call)

    def pay(self, asker: str) -> None:
        """Charge one set of tables to the asker's budgets.

        Raises:
            Refusal: one of them is used up.
        """
        wait = max(self.budget.wait(who) for who in payers(asker))
        if wait:
            raise Refusal(
                429,
                "自定规则的牌表要算很久，你最近备的已经够多，请过一会儿再来。",
                "tables of house rules take a long time to build, and you have had several built: please wait a while.",
                after=wait,
            )

    def _queue(self, turns: Turns[_Wanted], source: BookSource, asker: str) -> None:
        wanted = _Wanted(source)
        if not turns.put(asker, wanted):
            raise Refusal(
                503,
                "等着备牌表的规则太多，请稍后再试。",
                "too many rulebooks are waiting for their tables: please try again later.",
            )
        self._wanted[source] = wanted
        if turns not in self._tasks:
            self._tasks[turns] = asyncio.create_task(self._work(turns), context=Context())  # charged to no budget

    def _progress(self, wanted: _Wanted) -> Progress:
        before = [one for one in self._wanted.values() if one.share]
        return Progress(wanted.share, 0 if wanted.share else len(before))

    async def _work(self, turns: Turns[_Wanted]) -> None:
        while len(turns):
            await self._build(turns.take())
        del self._tasks[turns]
        if not self._tasks:
            self._pool.rest()  # half a GiB

    async def _build(self, wanted: _Wanted) -> None:
        """Build until they exist, or no one waits for them."""
        try:
            while wanted.waiting and wanted.share < 1:
                wanted.share = await self._pool.run(_ALL, build, wanted.source)
                for changed in list(wanted.waiting):
                    changed(self._progress(wanted))
            if wanted.share >= 1 and not await self._pool.run(_ALL, is_built, wanted.source):
                raise Refusal(
                    503,
                    "牌表算好了却存不下：缓存文件夹写不进去。",
                    "the tables were built but cannot be stored: the cache folder cannot be written.",
                )
            wanted.done.set_result(None)
        except (Refusal, Error, Broken) as problem:
            wanted.done.set_exception(problem)
            wanted.done.exception()  # there may be no one to take it
        finally:
            del self._wanted[wanted.source]
            wanted.done.cancel()  # the server is stopping

    async def close(self) -> None:
        """Stop; unfinished tables are begun again some other time."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._pool.close()
