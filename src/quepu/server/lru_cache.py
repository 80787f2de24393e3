"""An LRU cache, and work shared by all callers who ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from quepu.server.http.responses import Refusal

_T = TypeVar("_T")


class LRUCache:
    """The most recently used values, up to a total weight: a number of values, or of bytes."""

    def __init__(self, max_weight: int) -> None:
        self._max_weight = max_weight
        self._values: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Any) -> Any:
        """Return the value of a key, or None."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: Any, value: _T, weight: int = 1) -> _T:
        """Keep a value and return it; the least recently used ones are dropped."""
        self._discard(key)
        self._values[key] = value, weight
        self._weight += weight
        while self._weight > self._max_weight:
            self._discard(next(iter(self._values)))
        return value

    def discard_if(self, test: Callable[[Any], bool]) -> None:
        """Drop the keys for which `test` is true."""
        for key in [key for key in self._values if test(key)]:
            self._discard(key)

    def _discard(self, key: Any) -> None:
        if key in self._values:
            self._weight -= self._values.pop(key)[1]


class SharedWork:
    """Work in progress, by a key with everything it depends on: equal requests share one computation."""

    def __init__(self) -> None:
        self._tasks: dict[Any, asyncio.Task[Any]] = {}

    async def run(self, key: Any, work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """Return the result of `work`; after a refusal of another caller's work, the caller's own is tried.

        Raises:
            Refusal: the caller's own work is refused.
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
