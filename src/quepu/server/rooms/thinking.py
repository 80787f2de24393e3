"""Bots think in other processes, never in the event loop. What they are sent is what their seat knows."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import NamedTuple

from quepu.bots import Bot, make_bot
from quepu.rulebook import Rulebook
from quepu.server.room_messages import Message
from quepu.table import Action, Board, View


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

    async def ask(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """The number of the option chosen."""
        plain = tuple(option._replace(worth=None) for option in options)
        question = Question(rules, house, level, view.seat, view.board, view.hand, view.drawn, plain)
        return await asyncio.get_running_loop().run_in_executor(self._processes(), answer, question)

    async def hint(self, rules: str, house: str, view: View, lang: str) -> Message:
        """A hint from what one seat knows."""
        question = Question(rules, house, "", view.seat, view.board.copy(), view.hand[:], view.drawn, ())
        return await asyncio.get_running_loop().run_in_executor(self._processes(), hint_answer, question, lang)

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
