"""Bots think in other processes, never in the event loop. What they are sent is what their seat knows."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import NamedTuple, Protocol

from quepu.bots import Bot, heavy, make_bot
from quepu.rules.rulebook import Rulebook
from quepu.server.operations.metrics import BOT_FAILURES, BOT_SECONDS
from quepu.server.work.process import end_with_parent, start_method
from quepu.table import Action, Board, View

_TOGETHER = 8
"""Questions that go to a process at once; the first answer comes when the last one is found."""


class BotFailed(Exception):
    """A bot, or its process, gave no answer."""


class TablesGone(Exception):
    """The tables that a strong bot looks into are not in their files: they are built elsewhere, never here."""


class BotRequest(NamedTuple):
    """All that a bot chooses by; small, and free of other seats' secrets."""

    rules: str
    house: str
    level: str
    seat: int
    board: Board
    hand: tuple[int, ...]
    drawn: int | None
    options: tuple[Action, ...]


class _Waiting(NamedTuple):
    question: BotRequest
    chosen: asyncio.Future[int]


_BOTS = 4
"""Books (or house rules) whose bots a process remembers: a strong one holds some 50 MB, and as much that is shared."""


@lru_cache(16)
def _book(rules: str, house: str) -> Rulebook:
    from quepu.rulebooks.house_rules import book_of

    return book_of(rules, house)


_bots: OrderedDict[tuple[str, str], dict[tuple[str, int], Bot]] = OrderedDict()


def _bot(rules: str, house: str, level: str, seat: int) -> Bot:
    of_book = _bots.pop((rules, house), None)
    _bots[rules, house] = of_book = {} if of_book is None else of_book
    while len(_bots) > _BOTS:
        _bots.popitem(last=False)
    if (level, seat) not in of_book:
        if heavy(level) and not _tables_there(_book(rules, house)):
            raise TablesGone
        made = of_book[level, seat] = make_bot(level, seat)
        made.begin(_book(rules, house), seat)
    return of_book[level, seat]


def _tables_there(book: Rulebook) -> bool:
    from quepu.bots.payable_bot import payable

    return payable(book).ready()


def answer(question: BotRequest) -> int:
    """Number of the option that the bot chooses."""
    rules, house, level, seat, board, hand, drawn, options = question
    view = View(seat, _book(rules, house), board, hand, drawn)
    chosen = _bot(rules, house, level, seat).act(view, options)
    return next(i for i, option in enumerate(options) if option[:5] == chosen[:5])


def answers(questions: Sequence[BotRequest]) -> list[int | str | None]:
    """Choices of the bots, one after the other; of a bot that fails the error, None where its tables are gone."""
    results: list[int | str | None] = []
    for question in questions:
        try:
            results.append(answer(question))
        except TablesGone:
            results.append(None)
        except Exception:
            results.append(traceback.format_exc())
    return results


def begin() -> None:
    """Bots end with the server, and who plays goes before what they think."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(5)


class BotChooser(Protocol):
    """What chooses for bots."""

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """The number of the option chosen."""
        ...


class BotPool:
    """The processes; started when the first bot chooses."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: deque[_Waiting] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """Questions that wait for a process."""
        return len(self._waiting)

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """The number of the option chosen.

        Raises:
            BotFailed: it chose none; with the reason.
            TablesGone: the tables that it looks into have to be built first.
        """
        plain = tuple(option if option.score is None else option._replace(score=None) for option in options)
        question = BotRequest(rules, house, level, view.seat, view.board, view.hand, view.drawn, plain)
        one = _Waiting(question, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if len(self._tasks) <= self.workers:  # one batch more than processes: none of them waits for the loop
            task = asyncio.create_task(self._choose_all())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await one.chosen

    async def _choose_all(self) -> None:
        """Ask what waits, many at once: to a process and back costs more than most answers."""
        while self._waiting:
            some = [self._waiting.popleft() for _ in range(min(len(self._waiting), _TOGETHER))]
            some = [one for one in some if not one.chosen.done()]  # without those whose room was closed
            pool = None
            results: Sequence[int | str | None]
            try:
                pool = self._processes()
                questions = [one.question for one in some]
                results = await asyncio.get_running_loop().run_in_executor(pool, answers, questions)
            except Exception as error:  # the process has died, or none can be started
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
            self._pool = ProcessPoolExecutor(self.workers, start_method(), initializer=begin)
        return self._pool

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


UNPREPARED = "plain"
"""The level that plays for a strong one whose tables are being built."""


class BotPools:
    """Processes for each kind of question, so that none waits for a slower kind.

    A strong bot needs tables of its book, which take some ten seconds to build: while they are not `ready` it plays as
    the strongest level that needs none. `gone` is called where they were, and are not any more.
    """

    def __init__(
        self,
        workers: int = 1,
        ready: Callable[[str, str], bool] = lambda _rules, _house: True,
        gone: Callable[[str, str], None] = lambda _rules, _house: None,
    ) -> None:
        self.ready = ready
        self.gone = gone
        self.quick, self.strong, self.house = BotPool(workers), BotPool(workers), BotPool(1)
        self.pools = {"quick": self.quick, "strong": self.strong, "house": self.house}
        self._seconds = {lane: BOT_SECONDS.labels(name) for name, lane in self.pools.items()}

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """As `BotPool.choose`."""
        if heavy(level) and not self.ready(rules, house):
            level = UNPREPARED
        lane = self.quick if not heavy(level) else self.house if house.strip() else self.strong
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
