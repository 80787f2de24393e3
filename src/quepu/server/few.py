"""An LRU cache, and work shared by all callers who ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from quepu.server.http.responses import Refusal

_T = TypeVar("_T")


class Few:
    """A small memory of the latest answers: `most` of them, or of whatever they weigh."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Any) -> Any:
        """The value of a key, or None."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: Any, value: _T, weight: int = 1) -> _T:
        """Keep a value; those that were not asked for longest go."""
        self._forget(key)
        self._values[key] = value, weight
        self._weight += weight
        while self._weight > self.most:
            self._forget(next(iter(self._values)))
        return value

    def drop(self, which: Callable[[Any], bool]) -> None:
        """Forget every key that is meant."""
        for key in [key for key in self._values if which(key)]:
            self._forget(key)

    def _forget(self, key: Any) -> None:
        if key in self._values:
            self._weight -= self._values.pop(key)[1]


class Shared:
    """Work in progress, by a key with everything it depends on: equal requests share one computation."""

    def __init__(self) -> None:
        self._tasks: dict[Any, asyncio.Task[Any]] = {}

    async def run(self, key: Any, work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """The result of `work`. Who is refused what another one asked for asks by himself.

        Raises:
            Refusal: the work is refused to whoever asks.
        """
        while (task := self._tasks.get(key)) is not None:
            try:
                return await asyncio.shield(task)
            except Refusal:
                continue
        task = self._tasks[key] = asyncio.create_task(work())
        task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: Any, task: asyncio.Task[Any]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # the callers may be gone
