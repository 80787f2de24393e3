"""A bot of botzone.org.cn (Chinese-Standard-Mahjong) as a seat at our table.

It gets the judge's requests (`quepu.match.botzone_requests`) and gives responses: PASS, PLAY tile, PENG tile, CHI
middle tile, GANG, GANG tile, BUGANG tile, HU; after PENG and CHI the tile is the discard that follows. Both are JSON
(one object, one line) or simple lines. A program is started anew each turn with the whole history, or gets one request
after another if it prints `GOES_ON`. It needs a table that shows what happens: `quepu.arena` does.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from time import monotonic
from typing import Literal, get_args

from quepu.bots.line_process import BotError, LineProcess, split_command
from quepu.bots.simple import without_flower
from quepu.errors import Error, language
from quepu.match.botzone_record import read_tile
from quepu.match.botzone_requests import JudgeRequests, explain_refusal
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, View
from quepu.table.actions import find_option, timeout
from quepu.table.events import Event, Exhausted, Won

_log = logging.getLogger(__name__)
GOES_ON = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
Form = Literal["lines", "json"]
FORMS: tuple[Form, ...] = get_args(Form)


class BotzoneBot:
    """A program that speaks the platform's protocol, started by a command.

    `form` is its format: "lines" or "json". With `strict`, a wrong answer raises BotError; otherwise the seat acts as
    after a timeout.

    Raises:
        BotError: the form is unknown; or, when a hand begins, the platform does not play the book.
    """

    def __init__(
        self, command: str | Sequence[str], form: Form = "lines", patience: float = 10.0, strict: bool = True
    ) -> None:
        if form not in FORMS:
            raise BotError(f"form 是 lines 或 json，不是“{form}”。", f"form must be lines or json, not {form!r}.")
        self.command, self.form, self.patience, self.strict = command, form, patience, strict
        self._process: LineProcess | None = None
        self._seat: int
        self._begin()

    def __reduce__(self) -> tuple[type[BotzoneBot], tuple[str | Sequence[str], Form, float, bool]]:
        return BotzoneBot, (self.command, self.form, self.patience, self.strict)

    def _begin(self) -> None:
        self._requests: JudgeRequests | None = None
        self._early: list[Event | int] = []
        self._sent: list[str] = []
        self._responses: list[str] = []
        self._data = ""
        self._next = ""  # the discard after a claim
        self.failed = False  # in this hand, after which it is asked no more

    def begin(self, book: Rulebook, seat: int) -> None:
        """Start the program again for another hand."""
        self.close()
        wrong = explain_refusal(book)
        if wrong is not None:
            raise BotError(*wrong)
        self._begin()
        self._seat = seat

    def watch(self, event: Event | int) -> None:
        """Observe an event at the table, as the seat sees it."""
        if self._requests is None:
            self._early.append(event)
        else:
            self._requests.add(event)
        if isinstance(event, Won | Exhausted):
            self.close()

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Return the program's response to the last request."""
        if self._requests is None:
            self._requests = JudgeRequests(self._seat, view.board.round)
            for event in self._early:
                self._requests.add(event)
        if view.has_flower:  # the platform's judge replaces flowers itself
            return without_flower(options)
        if self.failed:
            return timeout(list(options))
        try:
            return self._choose(view, options)
        except Error as wrong:
            if self.strict:
                raise
            self.failed = True
            self.close()
            _log.warning("%s", wrong.text.say(language()))
            return timeout(list(options))

    def _choose(self, view: View, options: Sequence[Action]) -> Action:
        assert self._requests is not None  # noqa: S101  # `act` made them
        fresh = self._requests.found[len(self._sent) :]
        for request in fresh:
            self._request(request)
        if fresh:
            self._next = ""
        # asked again about the same request, it gives the same answer
        discards = self._next if view.board.offer is None else ""
        response = discards or self._responses[-1]
        action, following = self._action(response, view)
        self._next = following or self._next
        found = find_option(options, action)
        if found is None and action.do is ActionKind.DISCARD:
            found = find_option(options, action._replace(drawn=not action.drawn))
        if found is None:
            raise BotError(f"机器人不能这样做：{response[:60]}", f"the bot cannot do that: {response[:60]}")
        return found

    def _action(self, response: str, view: View) -> tuple[Action, str]:
        """Return the action of a response, and the discard after a claim."""
        words = response.split()
        what, names = words[0] if words else "", words[1:]
        tiles = [read_tile(name, len(self._sent)) for name in names]
        offer = view.board.offer
        if what == "PASS":
            return Action(ActionKind.PASS), ""
        if what == "HU":
            return Action(ActionKind.WIN), ""
        if what == "PLAY" and tiles:
            return Action(ActionKind.DISCARD, tiles[0], drawn=view.drawn == tiles[0]), ""
        if what == "PENG" and tiles:
            return Action(ActionKind.PUNG, offer), f"PLAY {names[0]}"
        if what == "CHI" and len(tiles) > 1:
            return Action(ActionKind.CHOW, offer, tiles[0] - 1), f"PLAY {names[1]}"
        if what == "GANG":
            return (Action(ActionKind.CONCEALED, tiles[0]) if tiles else Action(ActionKind.KONG, offer)), ""
        if what == "BUGANG" and tiles:
            return Action(ActionKind.ADDED, tiles[0]), ""
        raise BotError(f"不认识机器人的回答：{response[:60]}", f"unknown response from the bot: {response[:60]}")

    # ---- the program

    def _request(self, request: str) -> None:
        """Send a request and wait for the response."""
        self._sent.append(request)
        if self._process is None:
            self._process = LineProcess(self.command, self.patience)
            self._process.send(self._history())
        else:
            self._process.send(json.dumps(request) if self.form == "json" else request)
        response, until = "", monotonic() + self.patience
        while True:
            left = until - monotonic()
            if left <= 0:
                zh, en = "没有按时答完", "did not finish its response within"
                raise BotError(f"机器人 {self.patience:g} 秒{zh}。", f"the bot {en} {self.patience:g} seconds.")
            line = self._process.line(left)
            text = line.strip()
            if text == GOES_ON or not line:
                break
            if text and not response:
                response = self._read(text)
            elif text and self.form == "lines":
                self._data += f"{text}\n"
        ended = self._process.exited() if not line and not response else None
        if not line:
            self.close()
        if ended is not None:
            raise ended
        self._responses.append(response)

    def _history(self) -> str:
        """Return all requests and responses, for a program that starts."""
        if self.form == "json":
            return json.dumps({"requests": self._sent, "responses": self._responses, "data": self._data})
        lines = [str(len(self._sent))]
        for n, request in enumerate(self._sent):
            lines += [request, *self._responses[n : n + 1]]
        data, self._data = self._data, ""
        return "\n".join([*lines, data.rstrip("\n")]) if data else "\n".join(lines)

    def _read(self, text: str) -> str:
        if self.form == "lines":
            return text
        try:
            data = json.loads(text)
            self._data = data.get("data") or self._data
            return str(data["response"])
        except (ValueError, KeyError, AttributeError, TypeError):
            raise BotError(
                f"机器人的回答不是 JSON：{text[:60]}", f"the bot's response is not JSON: {text[:60]}"
            ) from None

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close()
            self._process = None


def guest(text: str) -> BotzoneBot:
    """Return a guest that plays on by default moves after a wrong answer; `text` is its command, JSON after `json:`.

    Raises:
        BotError: the command is missing, or cannot be run.
    """
    command = text.removeprefix("json:")
    if not command.strip():
        raise BotError(
            "没有写机器人的命令，如 botzone:./my_bot。", "give a command for the bot, for example botzone:./my_bot."
        )
    split_command(command)
    return BotzoneBot(command, "json" if command != text else "lines", strict=False)
