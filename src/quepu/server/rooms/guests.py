"""Programs in other processes, and nets, as bots of rooms: only those that the operator has named, not visitors.

A guest is started when it first acts, and may be ended at any time: started again, it reads the whole hand.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock

from quepu.bots.botzone import guest
from quepu.bots.external import ExternalBot
from quepu.bots.line_process import BotError, split_command
from quepu.bots.protocol import Bot, BotLevel, Sitter, Watcher, show_to_watchers
from quepu.errors import Error, Text, UnknownName
from quepu.match.botzone_requests import explain_refusal
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table
from quepu.table.actions import timeout

_log = logging.getLogger(__name__)
PREFIX = "guest:"
_NAME = re.compile(r"[\w-]{1,24}")
_FORMS = ("exec:", "botzone:", "net:")
PATIENCE = 5.0
"""Seconds that a guest may think before its seat does what a timeout would."""
_MOST = 8
"""Processes of guests at once; another one ends that which has waited longest."""


@dataclass
class _Seated:
    table: Table
    bot: Bot
    shown: int = 0
    begun: bool = False
    failed: bool = False
    lock: Lock = field(default_factory=Lock)


class Guests:
    """The guests of a server: `commands` by name, `exec:COMMAND`, `botzone:COMMAND` or `net:FILE` each.

    Raises:
        BotError: a name or a command is not valid.
    """

    def __init__(self, commands: Mapping[str, str] | None = None, patience: float = PATIENCE) -> None:
        self.commands = dict(commands or {})
        self.patience = patience
        for name, command in self.commands.items():
            _check(name, command)
        self._seats: OrderedDict[tuple[int, int], _Seated] = OrderedDict()
        self._threads = ThreadPoolExecutor(_MOST, "guest") if self.commands else None

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the names by which rooms seat them."""
        return tuple(PREFIX + name for name in self.commands)

    @property
    def net_files(self) -> dict[str, str]:
        """Return the files of the guests that are nets, by name."""
        return {name: one.removeprefix("net:") for name, one in self.commands.items() if one.startswith("net:")}

    def check(self, level: str, book: Rulebook) -> None:
        """Refuse a guest that does not exist here, or does not play the book.

        Raises:
            UnknownName: there is no such guest. BotError: it does not play the book.
        """
        command = self.commands.get(level.removeprefix(PREFIX))
        if command is None:
            raise UnknownName(f"这里没有程序“{level}”。", f"there is no guest {level!r} here.")
        wrong = _explain_refusal(command, book)
        if wrong is not None:
            raise BotError(*wrong)

    async def choose(self, table: Table, seat: int, level: str) -> Action:
        """Return the guest's action at this table; after a failure, what a timeout would do."""
        options = table.options(seat)
        if self._threads is None:
            return timeout(list(options))
        seated = self._seated(table, seat, level)
        command, view = self.commands[level.removeprefix(PREFIX)], table.view(seat)
        if isinstance(seated.bot, Watcher):
            seated.shown = show_to_watchers(table, [(seat, seated.bot)], seated.shown)
        still = table.copy() if isinstance(seated.bot, Sitter) else None  # others may act while the net computes

        def ask() -> Action:
            with seated.lock:
                if seated.failed:
                    return timeout(list(options))
                if isinstance(seated.bot, Sitter) and still is not None:
                    seated.bot.sit(still)
                try:
                    if not seated.begun and (wrong := _explain_refusal(command, table.book)) is not None:
                        raise BotError(*wrong)
                    seated.begun = True
                    return seated.bot.act(view, options)
                except Error as problem:
                    seated.failed = True
                    _log.warning("%s: %s", level, problem.text.en)
                    return timeout(list(options))

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)

    def _seated(self, table: Table, seat: int, level: str) -> _Seated:
        key = id(table), seat
        for other, one in list(self._seats.items()):
            if one.table.over:
                self._end(other)
        if key not in self._seats:
            while len(self._seats) >= _MOST:
                self._end(next(iter(self._seats)))
            self._seats[key] = _Seated(table, self._start(level))
            self._seats[key].bot.begin(table.book, seat)
        self._seats.move_to_end(key)
        return self._seats[key]

    def _start(self, level: str) -> Bot:
        form, _, command = self.commands[level.removeprefix(PREFIX)].partition(":")
        if form == "net":
            from quepu.bots.nets import load_bot

            return load_bot(command)
        if form == "exec":
            return ExternalBot(command, self.patience, strict=False)
        made = guest(command)
        made.patience = self.patience
        return made

    def leave(self, table: Table) -> None:
        """End the guests of a table."""
        for key, one in list(self._seats.items()):
            if one.table is table:
                self._end(key)

    def _end(self, key: tuple[int, int]) -> None:
        bot = self._seats.pop(key).bot
        if self._threads is not None and hasattr(bot, "close"):
            self._threads.submit(bot.close)

    def close(self) -> None:
        """End all of them."""
        for key in list(self._seats):
            self._end(key)
        if self._threads is not None:
            self._threads.shutdown(wait=True)
            self._threads = None


def _explain_refusal(command: str, book: Rulebook) -> Text | None:
    """Return why a guest does not play a book here; tables are never built for it, which would take processor time."""
    if command.startswith("botzone:"):
        return explain_refusal(book)
    if not command.startswith("net:"):
        return None
    from quepu.bots import nets  # needs numpy, which a browser that answers by itself does not have

    return nets.explain_refusal(nets.load_net(command.removeprefix("net:")), book, builds=False)


def _check(name: str, command: str) -> None:
    """Refuse an invalid name or command.

    Raises:
        BotError: it is not valid.
    """
    if not _NAME.fullmatch(name):
        raise BotError(
            f"程序的名字用字母、数字、-、_，最多 24 个：{name}",
            f"a guest's name has letters, digits, - and _, at most 24: {name!r}.",
        )
    form = next((form for form in _FORMS if command.startswith(form)), None)
    if form is None:
        raise BotError(
            f"程序 {name} 应写成 exec:命令、botzone:命令 或 net:文件。",
            f"the guest {name} must be exec:COMMAND, botzone:COMMAND or net:FILE, not {command!r}.",
        )
    if form == "net:":
        from quepu.bots.nets import load_bot

        try:
            load_bot(command.removeprefix(form))
        except Error as wrong:
            raise BotError(*wrong.text) from wrong
        return
    split_command(command.removeprefix(form).removeprefix("json:" if form == "botzone:" else ""))


def guest_level(level: str) -> BotLevel:
    """Return a guest as the list of levels shows it."""
    name = Text(level.removeprefix(PREFIX), level.removeprefix(PREFIX))
    manner = Text("外来程序，由本站管理员请来。", "A program that the operator of this server has invited.")
    return BotLevel(name, manner, name, manner, "", group="style")
