"""Contestants of a benchmark: a command, an HTTP endpoint, one of quepu's bots, or a trivial baseline.

A question that is not answered raises `Unanswered`, and counts as wrong; the contestant is asked the next one all the
same. A command is started again then, so that a late answer is never taken for another question's.
"""

from __future__ import annotations

import json
import random
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any, Final, NamedTuple, Protocol

from quepu.bots.line_process import BotError, LineProcess, split_command
from quepu.bots.protocol import LEVELS, Bot
from quepu.bots.simple import is_plain_discard
from quepu.errors import Error, HandError, Text, UnknownName, join_list, near_names
from quepu.hands.hand import Hand
from quepu.json_lines.answers import parse_request
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.table import Action, View
from quepu.tiles import NAMES

Json = dict[str, Any]
_MOST_BYTES: Final = 1 << 20
_MOST_SHOWN: Final = 60


class Unanswered(Error):
    """A question without an answer in time, or with one that is not JSON."""


class Contestant(Protocol):
    """Whoever answers questions as JSON."""

    def begin(self, told: Json) -> None:
        """Receive the book and the form of the answers, before the questions of a task."""

    def ask(self, question: Json) -> Json:
        """Return the answer to a question."""

    def close(self) -> None:
        """End."""


def _read(line: str) -> Json:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        shown = line.strip()[:_MOST_SHOWN]
        raise Unanswered(f"回答不是 JSON 对象：{shown}", f"the answer is not a JSON object: {shown}")
    return found


class Command:
    """A command that reads and writes lines of JSON."""

    def __init__(self, command: str, patience: float) -> None:
        """Check that the command exists; it is started with the first question."""
        try:
            self.command = split_command(command)
        except BotError as wrong:
            raise HandError(*wrong.text) from None
        self.patience = patience
        self._process: LineProcess | None = None
        self._told: Json = {}

    def begin(self, told: Json) -> None:
        """Send the book with the first question, and again whenever the command is restarted."""
        self.close()
        self._told = told

    def ask(self, question: Json) -> Json:
        """Return the command's answer.

        Raises:
            Unanswered: it took too long, has ended, or answered no JSON object.
        """
        try:
            if self._process is None:
                self._process = LineProcess(self.command, self.patience)
                self._process.send(json.dumps(self._told, ensure_ascii=False))
            self._process.send(json.dumps({"ask": question}, ensure_ascii=False))
        except BotError:
            self.close()
            raise self._ended() from None
        try:
            line = self._process.line()
        except BotError:
            self.close()
            seconds = f"{self.patience:g}"
            raise Unanswered(f"{seconds} 秒内没有回答。", f"no answer within {seconds} seconds.") from None
        if not line:
            self.close()
            raise self._ended()
        return _read(line)

    def _ended(self) -> Unanswered:
        return Unanswered("命令已经退出。", "the command has ended.")

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None


class Endpoint:
    """An HTTP address that answers JSON with JSON; `begin` is sent as a request of its own."""

    def __init__(self, address: str, patience: float) -> None:
        self.address = address
        self.patience = patience

    def begin(self, told: Json) -> None:
        """Send the book; whatever is answered is ignored."""
        self._begun = False
        self._told = told

    def ask(self, question: Json) -> Json:
        """Return the endpoint's answer.

        Raises:
            Unanswered: it cannot be reached, took too long, refused, or answered no JSON object.
        """
        if not self._begun:
            self._post(self._told)
            self._begun = True
        return _read(self._post({"ask": question}))

    def _post(self, data: Json) -> str:
        body = json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")
        request = urllib.request.Request(  # noqa: S310  # http or https: `contestant`
            self.address, body, {"content-type": "application/json", "accept": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=self.patience) as answer:  # noqa: S310  # the same
                text: bytes = answer.read(_MOST_BYTES + 1)
        except urllib.error.HTTPError as wrong:
            raise Unanswered(f"地址答 HTTP {wrong.code}。", f"the address answered HTTP {wrong.code}.") from None
        except TimeoutError:
            seconds = f"{self.patience:g}"
            raise Unanswered(f"{seconds} 秒内没有回答。", f"no answer within {seconds} seconds.") from None
        except (OSError, HTTPException) as wrong:
            reason = getattr(wrong, "reason", wrong)
            if isinstance(reason, TimeoutError):
                seconds = f"{self.patience:g}"
                raise Unanswered(f"{seconds} 秒内没有回答。", f"no answer within {seconds} seconds.") from None
            raise Unanswered(f"连不上：{reason}。", f"cannot be reached: {reason}.") from None
        if len(text) > _MOST_BYTES:
            raise Unanswered("回答太长。", "the answer is too long.")
        return text.decode("utf-8", "replace")

    def close(self) -> None:
        """Do nothing: each request is a connection of its own."""


class Local:
    """A function of this program that answers questions."""

    def __init__(self, answer: Callable[[Json], Json]) -> None:
        self._answer = answer

    def begin(self, told: Json) -> None:
        """Do nothing: it knows its books."""

    def ask(self, question: Json) -> Json:
        """Return the function's answer."""
        return self._answer(question)

    def close(self) -> None:
        """Do nothing."""


def _score(question: Json) -> Json:
    """Score a hand as quepu does."""
    try:
        hand, book = _hand(question)
        return {"points": score_hand(hand, book).points}
    except Error:
        return {"valid": False}


def _add_everything(question: Json) -> Json:
    """Score a hand as a careless reader would: the values of all fans that hold, each once, whatever excludes them."""
    try:
        hand, book = _hand(question)
        score = score_hand(hand, book)
    except Error:
        return {"valid": False}
    found: dict[str, int] = {}
    for hit in book.detect(score.best.h):
        for part, value in book.fans[hit[0]].parts.items():
            found[part] = found.get(part, 0) + value
    return {"points": found["fu"] * max(1, found["fan"]) if {"fu", "fan"} <= found.keys() else sum(found.values())}


def _hand(question: Json) -> tuple[Hand, Rulebook]:
    return parse_request({key: question[key] for key in question if key not in ("task", "id")}, question["rules"])


def _guess(question: Json) -> Json:
    """Guess: any option, or one of the points that wins often have."""
    rng = random.Random(json.dumps(question, sort_keys=True))  # need not be secret
    if question["task"] == "discard":
        return {"tile": rng.choice(question["options"])}
    return {"points": rng.choice((8, 10, 12, 16, 20, 24, 30, 32, 40, 48, 60, 64))}


BASELINES: Final[dict[str, tuple[tuple[str, ...], Callable[[Json], Json]]]] = {
    "quepu": (("read",), _score),
    "sum": (("read",), _add_everything),
    "random": (("read", "discard"), _guess),
}
"""The trivial ones, and quepu's scorer as the upper end: the tasks that each can do, and its answers."""


class Entrant(NamedTuple):
    """A contestant as it was named, and the tasks it can do; a `level` plays discards by itself."""

    name: str
    contestant: Contestant
    tasks: tuple[str, ...] = ("read", "discard")
    level: str = ""


def find_entrant(name: str, patience: float) -> Entrant:
    """Find a contestant.

    Raises:
        Error: it is unknown, or its command does not exist.
    """
    kind, _, rest = name.partition(":")
    if name.startswith(("http://", "https://")):
        return Entrant(name, Endpoint(name, patience))
    if kind == "exec":
        return Entrant(name, Command(rest, patience))
    if name in BASELINES:
        tasks, answer = BASELINES[name]
        return Entrant(name, Local(answer), tasks)
    if name in LEVELS:
        return Entrant(name, Local(_guess), ("discard",), name)
    known = [*BASELINES, *(one for one in LEVELS if one not in BASELINES)]
    near = near_names(name, {one: one for one in known}, most=3)
    listed = join_list(near or [*known, "exec:COMMAND", "http://…"])
    raise UnknownName(f"没有参加者“{name}”，可用：{listed.zh}。", f"no contestant {name!r}; there are: {listed.en}.")


Choose = Callable[[View, dict[str, Action]], Action]
"""Chooses among discards, by the name of the tile."""


class DiscardBot:
    """A bot that has its discards chosen by somebody else, and acts as an anchor in everything else."""

    def __init__(self, anchor: Bot, choose: Choose) -> None:
        self.anchor = anchor
        self.choose = choose
        self.asked = 0
        self.failed: list[Text] = []
        """Why questions were not answered by an option; the tile drawn was discarded then."""

    def begin(self, book: Rulebook, seat: int) -> None:
        """Prepare for a hand."""
        self.anchor.begin(book, seat)

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Return the chosen discard where the anchor discards, else the anchor's action."""
        own = self.anchor.act(view, options)
        discards = {NAMES[one.tile_kind]: one for one in options if is_plain_discard(one)}
        if not is_plain_discard(own) or len(discards) == 1:
            return own
        self.asked += 1
        try:
            return self.choose(view, discards)
        except Unanswered as wrong:
            self.failed.append(wrong.text)
            drawn = None if view.drawn is None else NAMES[view.drawn]
            return discards[drawn] if drawn in discards else [*discards.values()][-1]


def ask_for_discards(contestant: Contestant) -> Choose:
    """Return a function that asks a contestant which tile to discard."""

    def choose(view: View, discards: dict[str, Action]) -> Action:
        tile = contestant.ask({"task": "discard", **view.to_json(), "options": [*discards]}).get("tile")
        if isinstance(tile, str) and tile in discards:
            return discards[tile]
        shown = str(tile)[:_MOST_SHOWN]
        raise Unanswered(f"“{shown}”不是可以打的牌。", f"{shown!r} is not one of the tiles to discard.")

    return choose


def play_discards(bot: Bot) -> Choose:
    """Return a function that lets a bot choose."""
    return lambda view, discards: bot.act(view, [*discards.values()])
