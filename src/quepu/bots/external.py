"""A bot in another process, over JSON lines: one request per line, one response per line.

    → {"begin": {"rules": "lingque-29", "fingerprint": "…", "seat": "S"}}
    → {"ask": {"seat": "S", "hand": ["1m", …], "drawn": "5p", "board": {…}, "options": [{"do": "discard", …}, …]}}
    ← {"do": "discard", "tile": "1m"}

The response is one of the options (its `worth` may be left out). docs/guide/bots.md shows a whole bot.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from quepu.bots.line_process import BotError, LineProcess
from quepu.errors import Error
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, View
from quepu.table.actions import read_action, timeout
from quepu.tiles import WINDS


class ExternalBot:
    """Bot that runs a command. `patience` is in seconds; after a failure no more requests are sent."""

    def __init__(self, command: str | Sequence[str], patience: float = 10.0, strict: bool = True) -> None:
        """Start the process. With `strict`, a failure raises BotError; else the seat plays on as by a timeout."""
        self.process = LineProcess(command, patience)
        self.strict = strict
        self.broken: BotError | None = None

    def _send(self, data: dict[str, Any]) -> None:
        self.process.send(json.dumps(data, ensure_ascii=False))

    def begin(self, book: Rulebook, seat: int) -> None:
        """Send the book and the seat."""
        with suppress(BotError):  # the next request will fail
            self._send({"begin": {"rules": book.id, "fingerprint": book.fingerprint, "seat": WINDS[seat]}})

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Return the process's response to a request, waiting at most `patience` seconds."""
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
        line = self.process.line()
        if not line:
            raise self.process.exited()
        try:
            answer = read_action(json.loads(line))
        except (ValueError, Error) as wrong:
            raise BotError(
                f"机器人的回答不是动作：{line.strip()[:80]}", f"not an action: {line.strip()[:80]}"
            ) from wrong
        for option in options:
            if option[:5] == answer[:5]:
                return option
        raise BotError(f"机器人不能这样做：{answer.text().zh}。", f"the bot cannot do that: {answer.text().en}.")

    def close(self) -> None:
        """End the process."""
        self.process.close()
