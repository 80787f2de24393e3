"""One of our bots as a bot of botzone.org.cn (Chinese-Standard-Mahjong): the judge's requests in, responses out.

Programs there read simple lines (the number of requests, then requests and responses in turn) or one line of JSON.
One that prints `GOES_ON` after its response is sent one more request after another, else it is started anew each turn
with the whole history. `quepu.bots.botzone` is the other side: such a program as a seat at our table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from quepu.bots.botzone import GOES_ON
from quepu.bots.line_process import BotError
from quepu.bots.protocol import Bot
from quepu.match.botzone_facts import Seen, read_requests
from quepu.match.botzone_record import tile_name
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table
from quepu.table.referee import Reconstruction, let_pass, reconstruct

_CLAIMS = {ActionKind.PUNG: "PENG", ActionKind.CHOW: "CHI"}


class BotzonePlayer:
    """A bot's responses to the judge in one hand.

    `make` creates the bot, always the same one: to continue from a history, or if its claim lost to another, it replays
    the hand's requests, so that it always plays as if present from the start.
    """

    def __init__(self, make: Callable[[], Bot], book: Rulebook, flowers: bool | None = None) -> None:
        self.book, self.flowers = book, flowers
        self._make = make
        self._bot: Bot | None = None
        self._decided = 0  # number of requests the bot has decided
        self._own_walls: tuple[bool, ...] = (True, False)  # the forms of the wall that may still fit what happened
        self._claims = False  # it has chosen the discard after a claim, which may yet lose to another

    def response(self, requests: Sequence[str], responses: Sequence[str]) -> str:
        """Return the response to the last of the requests; `responses` are those to the others.

        Raises:
            ForeignError: a request is not one of the judge's; BotError: they contradict each other.
        """
        seat = read_requests(requests[:1], ()).seat
        if self._claims and not _has_claimed(requests, self._decided, seat):
            self._bot = None
        if self._bot is None:
            self._bot, self._decided = self._make(), 0
            self._bot.begin(self.book, seat)
        found = "PASS"
        for n in range(self._decided + 1, len(requests) + 1):
            granted = n == len(requests) or _has_claimed(requests, n, seat)
            found = self._decision(self._bot, requests[:n], responses, granted)
        self._decided, self._claims = len(requests), found.startswith(tuple(_CLAIMS.values()))
        return found

    def _decision(self, bot: Bot, requests: Sequence[str], responses: Sequence[str], granted: bool) -> str:
        """Return the bot's decision after these requests; `granted`: it chooses the discard after a claim."""
        seen = read_requests(requests, responses)
        if seen.actor is None:
            return "PASS"
        found = self._reconstructed(seen)
        if found.problems:
            zh, en = found.problems[0].text[:2]
            raise BotError(f"裁判的请求互相矛盾：{zh}", f"the judge's requests contradict each other: {en}")
        table, seat = found.table, seen.seat
        if (table.turn if seen.actor == seat else table.board.offerer) != seen.actor:
            return "PASS"  # it cannot be claimed, so the table has moved on
        options = table.options(seat)
        if not options:
            return "PASS"
        chosen = bot.act(table.view(seat), options)
        if chosen.do in _CLAIMS:
            return self._claim(bot, table, seat, chosen) if granted else _CLAIMS[chosen.do]
        return _write_action(chosen, seen.actor == seat)

    def _reconstructed(self, seen: Seen) -> Reconstruction:
        """Return the hand so far; the platform's judge has four own walls, other tables may have a shared one."""
        for at, own in enumerate(self._own_walls):
            found = reconstruct(self.book, seen.facts, round=seen.round, flowers=self.flowers, own_walls=own)
            if not found.problems:
                self._own_walls = self._own_walls[at:]
                break
        return found

    def _claim(self, bot: Bot, table: Table, seat: int, chosen: Action) -> str:
        """Return a claim with its discard."""
        table.step(seat, chosen)
        let_pass(table)
        discards = [option for option in table.options(seat) if option.do is ActionKind.DISCARD]
        discard = bot.act(table.view(seat), discards)
        middle = [] if chosen.low is None else [tile_name(chosen.low + 1)]
        return " ".join([_CLAIMS[chosen.do], *middle, tile_name(discard.tile_kind)])


def _has_claimed(requests: Sequence[str], n: int, seat: int) -> bool:
    """Return whether the request of this number, from 0, says that the seat has claimed a tile."""
    words = requests[n].split() if n < len(requests) else []
    return words[:2] == ["3", str(seat)] and words[2] in _CLAIMS.values()


def _write_action(chosen: Action, own_turn: bool) -> str:
    """Write any action but a claimed chow or pung in the platform's words."""
    do = chosen.do
    if do is ActionKind.WIN:
        return "HU"
    if do is ActionKind.KONG:
        return "GANG"
    if do is ActionKind.CONCEALED:
        return f"GANG {tile_name(chosen.tile_kind)}"
    if do is ActionKind.ADDED:
        return f"BUGANG {tile_name(chosen.tile_kind)}"
    return f"PLAY {tile_name(chosen.tile_kind)}" if own_turn else "PASS"


def responses_to(lines: Iterator[str], player: BotzonePlayer, once: bool = False) -> Iterator[str]:
    """Yield a program's output lines for its input lines, for one hand.

    Raises:
        BotError: the history is incomplete; ForeignError: a request is not one of the judge's.
    """
    first = next((line for line in lines if line.strip()), "")
    as_json = first.lstrip().startswith("{")
    requests, responses = _json_history(first) if as_json else _history(first, lines)
    while True:
        found = player.response(requests, responses)
        responses.append(found)
        yield json.dumps({"response": found}) if as_json else found
        if once:
            return
        yield GOES_ON
        following = next((line.strip() for line in lines if line.strip()), "")
        if not following:
            return
        requests.append(read_request(following) if as_json else following)


def play(source: TextIO, out: TextIO, player: BotzonePlayer, once: bool = False) -> None:
    """Read all requests, and write each response at once."""
    for line in responses_to(iter(source.readline, ""), player, once):
        out.write(f"{line}\n")
        out.flush()


def _history(first: str, lines: Iterator[str]) -> tuple[list[str], list[str]]:
    count = int(first) if re.fullmatch(r"\d{1,6}", first.strip()) else 0
    found = [line.strip() for _, line in zip(range(2 * count - 1), lines, strict=False)]
    if not found or len(found) < 2 * count - 1:
        raise _not_whole()
    return found[::2], found[1::2]


def _json_history(line: str) -> tuple[list[str], list[str]]:
    try:
        data = json.loads(line)
        requests, responses = data["requests"], data["responses"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _not_whole() from None
    if not (
        isinstance(requests, list)
        and isinstance(responses, list)
        and len(requests) == len(responses) + 1
        and all(isinstance(text, str) for text in [*requests, *responses])
    ):
        raise _not_whole()
    return requests, responses


def read_request(line: str) -> str:
    """Return a later request: JSON of a text, or the text itself."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return line
    return data if isinstance(data, str) else line


def _not_whole() -> BotError:
    return BotError(
        "应先读到 Botzone 的请求：一行请求数，再轮流是请求与回答；或一行 JSON（requests 比 responses 多一条）。",
        "expected Botzone requests: a line with their number, then requests and responses in "
        "turn; or a line of JSON with one more request than responses.",
    )
