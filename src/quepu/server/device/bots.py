"""Bots of a device: they think in its one worker, between what pages want of it, and have no tables to look into."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from quepu.server.rooms.bot_choice import BotRequest, answer
from quepu.table import Action, View


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

    def gone(self, rules: str, house: str) -> None:
        """Do nothing."""

    def want(self, rules: str, house: str, asker: str = "", *, paid: bool = False) -> None:
        """Do nothing."""
