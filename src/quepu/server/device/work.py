"""Work for which a server has other processes, done at once by whoever wants it: a device has one worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class AtOnce:
    """In place of the processes for requests and hints."""

    async def run(self, asker: str, what: Callable[..., T], *given: Any) -> T:
        """The result of `what(*given)`."""
        return what(*given)

    def begun(self) -> bool:
        """There is nothing to begin."""
        return True

    def begin(self) -> None:
        """Nothing."""
