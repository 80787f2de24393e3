"""Work for which a server has other processes, done at once: a device has one worker, and no tables for bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from quepu.server.rooms.bot_choice import BotRequest, answer
from quepu.table import Action, View

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


class DeviceBots:
    """In place of the processes that bots think in."""

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """The number of the option chosen; whoever waits for something else goes first."""
        await asyncio.sleep(0)
        return answer(BotRequest.of(rules, house, level, view, options), tables=False)


class NoTables:
    """In place of the tables of strong bots: there are none, and none are built."""

    builds = False

    def ready(self, rules: str, house: str) -> bool:
        """False."""
        return False

    def shipped(self, rules: str, house: str) -> bool:
        """False."""
        return False

    def gone(self, rules: str, house: str) -> None:
        """Do nothing."""

    def want(self, rules: str, house: str, asker: str = "", *, paid: bool = False) -> None:
        """Do nothing."""
