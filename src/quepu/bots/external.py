"""A bot in another process, over JSON lines: one request a line, one response a line.

    → {"begin": {"rules": "lingque-29", "fingerprint": "…", "seat": "S"}}
    → {"ask": {"seat": "S", "hand": ["1m", …], "drawn": "5p", "board": {…}, "options": [{"do": "discard", …}, …]}}
    ← {"do": "discard", "tile": "1m"}

The response is one of the options (its `worth` may be left out). docs/bots.md shows a whole bot.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import Any

from quepu.errors import Error
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, View
from quepu.table.actions import read_action, timeout
from quepu.tiles import WINDS


class BotError(Error):
    """A bot in another process died, took too long, or returned an action that is not allowed."""


class ExternalBot:
    """Bot that runs a command. `patience` is in seconds; after a failure no more requests are sent."""

    def __init__(self, command: str | Sequence[str], patience: float = 10.0, strict: bool = True) -> None:
        """Start the process. With `strict`, a failure raises BotError; else the seat plays on as by a timeout."""
        try:
            self.command = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError:
            raise BotError(f"机器人的命令引号不成对：{command}", f"quotes do not match in {command!r}.") from None
        if not self.command:
            raise BotError(
                "没有写机器人的命令，如 exec:python my_bot.py。", "no command for the bot: exec:python my_bot.py."
            )
        self.patience = patience
        self.strict = strict
        self.broken: BotError | None = None
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the user names the command
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except OSError as wrong:
            name = self.command[0]
            raise BotError(f"运行不了机器人“{name}”。", f"cannot run the bot {name!r}.") from wrong
        self._answers: Queue[str] = Queue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        out = self._process.stdout
        assert out is not None  # noqa: S101  # it was asked for
        for line in out:
            self._answers.put(line)
        self._answers.put("")

    def _send(self, data: dict[str, Any]) -> None:
        pipe = self._process.stdin
        assert pipe is not None  # noqa: S101  # it was asked for
        try:
            pipe.write(json.dumps(data, ensure_ascii=False) + "\n")
            pipe.flush()
        except (OSError, ValueError) as wrong:
            raise BotError("机器人已经退出。", "the bot has ended.") from wrong

    def begin(self, book: Rulebook, seat: int) -> None:
        """Send the book and the seat."""
        with suppress(BotError):  # the next request will fail
            self._send({"begin": {"rules": book.id, "fingerprint": book.fingerprint, "seat": WINDS[seat]}})

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """The process's response to a request, waiting at most `patience` seconds."""
        try:
            if self.broken is not None:
                raise self.broken
            return self._query(view, options)
        except BotError as wrong:
            self.broken = wrong
            if self.strict:
                raise
            return timeout(list(options))

    def _query(self, view: View, options: Sequence[Action]) -> Action:
        self._send({"ask": view.to_json(options)})
        try:
            line = self._answers.get(timeout=self.patience)
        except Empty:
            raise BotError(
                f"机器人 {self.patience:g} 秒没有回答。", f"the bot was silent for {self.patience:g} seconds."
            ) from None
        if not line:
            raise BotError("机器人已经退出。", "the bot has ended.")
        try:
            answer = read_action(json.loads(line))
        except (ValueError, Error) as wrong:
            raise BotError(f"机器人的回答不是动作：{line.strip()[:80]}", f"no action: {line.strip()[:80]}") from wrong
        for option in options:
            if option[:5] == answer[:5]:
                return option
        raise BotError(f"机器人不能这样做：{answer.text().zh}。", f"the bot may not do that: {answer.text().en}.")

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
