"""Let bots think in other processes instead of the event loop. They receive only their seat's view."""

from __future__ import annotations

import asyncio
import mmap
import os
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from quepu.bots import heavy
from quepu.server.operations.metrics import BOT_FAILURES, BOT_SECONDS
from quepu.server.rooms.bot_choice import BotRequest, TablesGone, answer
from quepu.server.rooms.guests import Guests
from quepu.server.work.building import compile_queries
from quepu.server.work.process import end_with_parent, start_method
from quepu.table import Action, View

_FILES = 128
"""MiB of mapped files that a process keeps between answers; beyond that, tables are released."""
_TOGETHER = 8
"""Questions sent to a process at once; the first answer arrives with the last."""


class BotFailed(Exception):
    """A bot, or its process, did not answer."""


class _Waiting(NamedTuple):
    question: BotRequest
    chosen: asyncio.Future[int]


def answers(questions: Sequence[BotRequest]) -> list[int | str | None]:
    """Return the choices of the bots; for a failing bot the error, None if its tables are missing."""
    results: list[int | str | None] = []
    for question in questions:
        try:
            results.append(answer(question))
        except TablesGone:
            results.append(None)
        except Exception:  # noqa: BLE001  # bots are anybody's code; its error goes to the room
            results.append(traceback.format_exc())
        _release_tables()
    return results


def _release_tables() -> None:
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[2])
    except OSError:  # only available on Linux
        return
    if pages * mmap.PAGESIZE > _FILES << 20:
        from quepu.bots.payable_bot import release_tables  # numpy: quick bots never get here

        release_tables()


def begin() -> None:
    """End with the server, and give players priority over bots' thinking."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(5)


def begin_strong() -> None:
    """Also load what strong bots need to read tables: it takes a second or two, before any turn waits for it."""
    begin()
    compile_queries()


class BotPool:
    """The processes; started when the first bot chooses, or one is expected. `first` is their initialisation."""

    def __init__(self, workers: int = 1, first: Callable[[], None] = begin) -> None:
        self.workers = workers
        self._first = first
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: deque[_Waiting] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """Questions that wait for a process."""
        return len(self._waiting)

    def expect(self) -> None:
        """Start the processes, if necessary, without waiting for them."""
        if self._pool is None:
            with suppress(OSError, BrokenExecutor):  # the first choice reports the problem
                self._processes().submit(bool)

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """Return the number of the chosen option.

        Raises:
            BotFailed: the bot did not choose; with the reason. TablesGone: its tables have to be built first.
        """
        question = BotRequest.of(rules, house, level, view, options)
        one = _Waiting(question, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if len(self._tasks) <= self.workers:  # one batch more than processes, so that none waits for the loop
            task = asyncio.create_task(self._choose_all())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await one.chosen

    async def _choose_all(self) -> None:
        """Send waiting questions in batches: the round trip costs more than most answers."""
        while self._waiting:
            some = [self._waiting.popleft() for _ in range(min(len(self._waiting), _TOGETHER))]
            some = [one for one in some if not one.chosen.done()]  # without those of closed rooms
            pool = None
            results: Sequence[int | str | None]
            try:
                pool = self._processes()
                questions = [one.question for one in some]
                results = await asyncio.get_running_loop().run_in_executor(pool, answers, questions)
            except Exception as error:  # noqa: BLE001  # the process has died, or none can be started
                results = [repr(error)] * len(some)
                if self._pool is pool:
                    self.close()
            for one, chosen in zip(some, results, strict=True):
                if one.chosen.done():
                    continue
                if chosen is None:
                    one.chosen.set_exception(TablesGone())
                elif isinstance(chosen, str):
                    one.chosen.set_exception(BotFailed(chosen))
                else:
                    one.chosen.set_result(chosen)

    def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.workers, start_method(), initializer=self._first)
        return self._pool

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


UNPREPARED = "plain"
"""The level that replaces a strong one while tables are being built."""


class BotPools:
    """A pool for each kind of question, so that none waits for a slower kind.

    A strong bot needs tables of its book, which take about ten seconds to build: until they are `ready`, it plays as
    the strongest level without tables. `gone` is called when tables have disappeared.
    """

    def __init__(
        self,
        workers: int = 1,
        ready: Callable[[str, str], bool] = lambda _rules, _house: True,
        gone: Callable[[str, str], None] = lambda _rules, _house: None,
        guests: Guests | None = None,
    ) -> None:
        self.ready = ready
        self.gone = gone
        self.guests = guests
        self.quick, self.strong, self.house = BotPool(workers), BotPool(workers, begin_strong), BotPool(1, begin_strong)
        self.pools = {"quick": self.quick, "strong": self.strong, "house": self.house}
        self._seconds = {lane: BOT_SECONDS.labels(name) for name, lane in self.pools.items()}

    def expect(self, rules: str, house: str, levels: Iterable[str]) -> None:
        """Prepare for a table with these bots that is about to begin, so that strong ones cause no delay."""
        if any(map(heavy, levels)) and self.ready(rules, house):
            self._strong(house).expect()

    def _strong(self, house: str) -> BotPool:
        return self.house if house.strip() else self.strong

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """Return the number of the chosen option, as `BotPool.choose`."""
        if heavy(level) and not self.ready(rules, house):
            level = UNPREPARED
        lane = self._strong(house) if heavy(level) else self.quick
        with self._seconds[lane].time(), BOT_FAILURES.count_exceptions():
            try:
                return await lane.choose(rules, house, level, view, options)
            except TablesGone:
                self.gone(rules, house)
                return await self.quick.choose(rules, house, UNPREPARED, view, options)

    def close(self) -> None:
        """End the processes."""
        for lane in self.pools.values():
            lane.close()
        if self.guests is not None:
            self.guests.close()
