"""Combine processes and a queue: work is done in turn, and cancelled with its waiter."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from fastapi import Request

from quepu.server.budget import Buckets, payers
from quepu.server.http.responses import Refusal, from_state
from quepu.server.work.process import Allowed, Process, Stopped

T = TypeVar("T")


class Turns(Generic[T]):
    """A queue in which askers take turns: at most `each` wait for one asker, `most` in all."""

    def __init__(self, each: int, most: int) -> None:
        self.each = each
        self.most = most
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def of(self, asker: str) -> int:
        """Return how many things wait for this asker."""
        return len(self._waiting.get(asker, ()))

    def put(self, asker: str, thing: T) -> bool:
        """Queue a thing; return False (not queued) if too many wait already."""
        if self._length >= self.most or self.of(asker) >= self.each:
            return False
        self._waiting.setdefault(asker, deque()).append(thing)
        self._length += 1
        return True

    def take(self) -> T:
        """Take the next thing; its asker goes to the end.

        Raises:
            IndexError: nothing waits.
        """
        if not self._length:
            raise IndexError
        asker, things = self._waiting.popitem(last=False)
        thing = things.popleft()
        self._length -= 1
        if things:
            self._waiting[asker] = things
        return thing

    def remove(self, asker: str, thing: T) -> bool:
        """Remove a waiting thing; return whether it waited."""
        things = self._waiting.get(asker)
        if things is None or thing not in things:
            return False
        things.remove(thing)
        self._length -= 1
        if not things:
            del self._waiting[asker]
        return True


_log = logging.getLogger("quepu.server")
_LOOK = 0.2
"""Seconds between looks for whether a client is still there."""


class _Job(NamedTuple):
    asker: str
    payers: tuple[str, ...]
    what: Callable[..., Any]
    given: tuple[Any, ...]
    allowed: Allowed | None
    answer: asyncio.Future[Any]
    task: asyncio.Task[Any] | None


class Pool:
    """`processes` processes that work for everyone, each piece of work within `allowed`.

    `each` pieces of work may wait for one asker, `most` for all of them; `budget` is in CPU seconds, for the asker's
    address and the account logged in. `begin` is a process's initialisation, charged to no budget.
    """

    def __init__(
        self,
        allowed: Allowed,
        *,
        processes: int = 1,
        each: int = 4,
        most: int = 100,
        nice: int = 5,
        fresh: bool = False,
        begin: Callable[[], object] | None = None,
        budget: Buckets | None = None,
    ) -> None:
        self.budget = budget
        self._processes = [Process(allowed, nice, fresh=fresh, begin=begin) for _ in range(processes)]
        self._idle = list(self._processes)
        self._turns: Turns[_Job] = Turns(each, most)
        self._threads: ThreadPoolExecutor | None = None  # each of them waits for one process
        self._tasks: set[asyncio.Task[None]] = set()
        self._queued: set[asyncio.Task[Any] | None] = set()
        self._beginning: asyncio.Future[Any] | None = None

    @property
    def waiting(self) -> int:
        """Pieces of work that wait."""
        return len(self._turns)

    def is_queued(self, task: asyncio.Task[Any]) -> bool:
        """Return whether a task waits in `run` for a process to take up its work."""
        return task in self._queued

    async def run(self, asker: str, what: Callable[..., T], *given: Any, allowed: Allowed | None = None) -> T:
        """Return the result of `what`, a module's function, run in a process. Cancelling stops it there, too.

        `allowed`: limits other than this pool's.

        Raises:
            Refusal: too much waits already, it took too long, or the work refused.
            Error: the work raised it.
            Broken: the work failed.
        """
        if self.budget is not None and any(map(self.budget.delay, payers(asker))):
            raise Refusal(
                429,
                "你的请求用掉了太多计算时间，请过一会儿再试。",
                "your requests have used too much CPU time: please wait a while.",
            )
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        job = _Job(asker, payers(asker), what, given, allowed, answer, asyncio.current_task())
        if not self._turns.put(asker, job):
            if self._turns.of(asker):
                raise Refusal(
                    429,
                    "你有太多请求在排队，请稍候再试。",
                    "too many of your requests are waiting: please wait a moment.",
                )
            raise Refusal(503, "现在太忙，请稍后再试。", "the server is too busy now: please try again later.")
        self._queued.add(job.task)
        self._next()
        try:
            return await answer
        finally:
            self._queued.discard(job.task)
            self._turns.remove(asker, job)  # it waits if it was cancelled

    async def run_for(self, request: Request, work: Coroutine[Any, Any, T], patience: float = math.inf) -> T:
        """Return what `work` returns, which waits for `run`; end it when the client of the request has gone.

        Work that still waits ends at once: a client who changes a question quickly would fill the queue with it. A
        process goes on for `patience` seconds: a stopped one would have to restart.

        Raises:
            Refusal: the client has gone.
        """
        task = asyncio.ensure_future(work)
        worked = 0.0
        try:
            while not (await asyncio.wait({task}, timeout=_LOOK))[0]:
                waits = self.is_queued(task)
                worked += 0.0 if waits else _LOOK
                if (waits or worked >= patience) and await request.is_disconnected():
                    raise Refusal(499, "请求已取消。", "the request was cancelled.")
            return task.result()
        finally:
            task.cancel()

    def has_begun(self) -> bool:
        """Whether a process has started: its initialisation may take longer than players can wait."""
        return any(process.begun for process in self._processes)

    def begin(self) -> None:
        """Start a process, if none is starting, without waiting for it."""
        if self._tasks or self.has_begun():
            return

        def log_failure(answer: asyncio.Future[Any]) -> None:
            error = None if answer.cancelled() else answer.exception()
            if error is not None and not isinstance(error, Stopped):  # as when a server stops early
                _log.warning("a process did not begin: %s", error)

        job = _Job("", (), bool, (), None, asyncio.get_running_loop().create_future(), None)
        job.answer.add_done_callback(log_failure)
        self._beginning = job.answer
        if self._turns.put("", job):
            self._next()

    def _next(self) -> None:
        while self._idle and len(self._turns):
            job, process = self._turns.take(), self._idle.pop()
            self._queued.discard(job.task)
            task = asyncio.create_task(self._do(job, process))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, job: _Job, process: Process) -> None:
        loop = asyncio.get_running_loop()
        if self._threads is None:
            self._threads = ThreadPoolExecutor(len(self._processes), "quepu-work")
        process.expect()
        working = loop.run_in_executor(self._threads, process.do, job.what, job.given, job.allowed)
        try:
            await asyncio.wait({working, job.answer}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():  # the result is no longer wanted
                process.stop()
            with suppress(Exception):
                await working
        finally:
            if self.budget is not None:
                for who in job.payers:
                    self.budget.spend(who, process.used)
            self._idle.append(process)
            if not job.answer.done():
                error = working.exception() if working.done() and not working.cancelled() else None
                if error is not None:
                    job.answer.set_exception(error)
                elif working.done() and not working.cancelled():
                    job.answer.set_result(working.result())
                else:
                    job.answer.cancel()
            self._next()

    def rest(self) -> None:
        """End idle processes to free their memory; the next piece of work starts one."""
        for process in self._idle:
            process.kill()

    async def close(self) -> None:
        """Stop everything; a later request starts again."""
        while len(self._turns):
            self._turns.take().answer.cancel()
        if self._beginning is not None:
            self._beginning.cancel()  # that it is stopped is no failure
        while self._tasks:
            for process in self._processes:
                process.stop(beginning=True)
            await asyncio.wait(self._tasks, timeout=1)  # a thread may be starting a process
        for process in self._processes:
            process.kill()
        if self._threads is not None:
            self._threads.shutdown(wait=False)
            self._threads = None


Work = Annotated[Pool, from_state("work")]
"""The processes that work for a route."""
