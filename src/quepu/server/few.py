"""A memory of bounded size."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

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
