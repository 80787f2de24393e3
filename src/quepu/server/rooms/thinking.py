"""Bots think in other processes, never in the event loop. What they are sent is what their seat knows."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import traceback
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import NamedTuple

from quepu.bots import Bot, make_bot
from quepu.rulebook import Rulebook
from quepu.server.room_messages import Message
from quepu.table import Action, Board, View

_TOGETHER = 8
"""Questions that go to a process at once; the first answer comes when the last one is found."""


class BotFailed(Exception):
    """A bot, or its process, gave no answer."""


class Question(NamedTuple):
    """All that a bot is asked with; small, and free of other seats' secrets."""

    rules: str
    house: str
    level: str
    seat: int
    board: Board
    hand: list[int]
    drawn: int
    options: tuple[Action, ...]


class _Asked(NamedTuple):
    question: Question
    chosen: asyncio.Future[int]


@lru_cache(16)
def _book(rules: str, house: str) -> Rulebook:
    from quepu.server.hands_api import book_of

    return book_of(rules, house)


@lru_cache(256)
def _bot(rules: str, house: str, level: str, seat: int) -> Bot:
    made = make_bot(level, seat)
    made.begin(_book(rules, house), seat)
    return made


def answer(question: Question) -> int:
    """Which of the options the bot chooses, by number."""
    rules, house, level, seat, board, hand, drawn, options = question
    view = View(seat, _book(rules, house), board, hand, drawn)
    chosen = _bot(rules, house, level, seat).act(view, options)
    return next(i for i, option in enumerate(options) if option[:5] == chosen[:5])


def answers(questions: Sequence[Question]) -> list[int | str]:
    """What the bots choose, one after the other; for a bot that fails what went wrong, and the others answer."""
    said: list[int | str] = []
    for question in questions:
        try:
            said.append(answer(question))
        except Exception:
            said.append(traceback.format_exc())
    return said


def end_with_parent() -> None:
    """A server that was killed cannot end its processes: they look for themselves whether it is still there."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)  # who plays goes before what bots think


def hint_answer(question: Question, lang: str) -> Message:
    """What a player who asks is told about his hand."""
    from quepu.server.rooms.hints import hint

    rules, house, _, seat, board, hand, drawn, _ = question
    return hint(View(seat, _book(rules, house), board, hand, drawn), lang)


class Thinkers:
    """The processes; started when the first bot is asked."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: deque[_Asked] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """The number of the option chosen.

        Raises:
            BotFailed: it chose none; why is told with it.
        """
        plain = tuple(option._replace(worth=None) for option in options)
        question = Question(rules, house, level, view.seat, view.board, view.hand, view.drawn, plain)
        asked = _Asked(question, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        if len(self._tasks) <= self.workers:  # one batch more than processes: none of them waits for the loop
            task = asyncio.create_task(self._ask_all())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await asked.chosen

    async def hint(self, rules: str, house: str, view: View, lang: str) -> Message:
        """A hint from what one seat knows."""
        question = Question(rules, house, "", view.seat, view.board.copy(), view.hand[:], view.drawn, ())
        return await asyncio.get_running_loop().run_in_executor(self._processes(), hint_answer, question, lang)

    async def _ask_all(self) -> None:
        """Ask what waits, many at once: to a process and back costs more than most answers."""
        while self._waiting:
            some = [self._waiting.popleft() for _ in range(min(len(self._waiting), _TOGETHER))]
            some = [asked for asked in some if not asked.chosen.done()]  # without those whose room was closed
            pool = None
            said: Sequence[int | str]
            try:
                pool = self._processes()
                questions = [asked.question for asked in some]
                said = await asyncio.get_running_loop().run_in_executor(pool, answers, questions)
            except Exception as error:  # the process has died, or none can be started
                said = [repr(error)] * len(some)
                if self._pool is pool:
                    self.close()
            for asked, chosen in zip(some, said, strict=True):
                if asked.chosen.done():
                    continue
                if isinstance(chosen, str):
                    asked.chosen.set_exception(BotFailed(chosen))
                else:
                    asked.chosen.set_result(chosen)

    def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, context, initializer=end_with_parent)
        return self._pool

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
