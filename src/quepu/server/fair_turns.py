"""Things that wait, by who asked for them: askers take turns, so that one who asks much delays nobody but himself."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """A queue in which everybody who waits for something is served in turn. `each` may wait for one, `most` for all."""

    def __init__(self, each: int, most: int) -> None:
        self.each = each
        self.most = most
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def of(self, asker: str) -> int:
        """Number of things that wait for this asker."""
        return len(self._waiting.get(asker, ()))

    def put(self, asker: str, thing: T) -> bool:
        """Let a thing wait; False (and it does not) where too many wait already."""
        if self._length >= self.most or self.of(asker) >= self.each:
            return False
        self._waiting.setdefault(asker, deque()).append(thing)
        self._length += 1
        return True

    def take(self) -> T:
        """The thing whose turn it is; whoever asked for it is last now.

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
        """Let a thing wait no more; whether it did."""
        things = self._waiting.get(asker)
        if things is None or thing not in things:
            return False
        things.remove(thing)
        self._length -= 1
        if not things:
            del self._waiting[asker]
        return True
