"""Turns of bots: each chooses once per moment of a hand, and acts through the room like a person."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable

from quepu.server.rooms.bot_choice import BotChooser
from quepu.server.rooms.messages import RoomSpec
from quepu.table import Table
from quepu.table.actions import Action, ActionKind, timeout

_log = logging.getLogger("quepu.server")

_UNEVEN = 1.1
"""Bots take up to a tenth more than `think`, so that tables do not stay synchronised."""

Answer = Callable[[int, Action, int], Awaitable[None]]
"""Receives a bot's answer: seat, action, and the moment (a number) it is for."""


async def _ignore(_seat: int, _action: Action, _moment: int) -> None:
    """Drop an answer that comes too late."""


class BotTurns:
    """The bots of one room that are thinking."""

    def __init__(self, spec: RoomSpec, bots: BotChooser, answer: Answer) -> None:
        self.spec = spec
        self.bots = bots
        self.answer = answer
        self._tasks: set[asyncio.Task[None]] = set()
        self._started: set[tuple[int, int]] = set()  # moment and seat
        self._guests_at: Table | None = None

    def start(self, table: Table, seat: int, level: str, moment: int, least: float = 0.0) -> None:
        """Make a bot think for its seat, for at least `least` seconds, unless it is already thinking."""
        if (moment, seat) in self._started:
            return
        self._started = {one for one in self._started if one[0] == moment}
        self._started.add((moment, seat))
        task = asyncio.create_task(self._think(table, seat, level, moment, least))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(self, table: Table, seat: int, level: str, moment: int, least: float) -> None:
        began = time.monotonic()
        options = table.options(seat)
        if not options:
            return
        view = table.view(seat)
        try:
            if level.startswith("guest:") and self.bots.guests is not None:
                self._guests_at = table
                action = await self.bots.guests.choose(table, seat, level)
            else:
                action = options[await self.bots.choose(self.spec.rules, self.spec.house, level, view, options)]
        except Exception:  # noqa: BLE001  # bots are anybody's code
            _log.exception("a bot failed; its seat does what a timeout would")
            action = timeout(options)
        # with a fixed pause after every discard, a bot's pass must not be noticeable
        unseen = self.spec.shield > 0 and action.do is ActionKind.PASS
        rest = max(least, self.spec.think) * random.uniform(1, _UNEVEN) - (time.monotonic() - began)
        if rest > 0 and not unseen:
            await asyncio.sleep(rest)
        await self.answer(seat, action, moment)

    def close(self) -> None:
        """Stop waiting for answers."""
        for task in self._tasks:
            task.cancel()
        if self._guests_at is not None and self.bots.guests is not None:
            self.bots.guests.leave(self._guests_at)
        self.answer = _ignore  # breaks a reference cycle, so that a closed room is freed at once
