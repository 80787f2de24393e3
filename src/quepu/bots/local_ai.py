"""Play on botzone.org.cn from home: the platform's local-AI protocol, for our own bots.

A GET of the user's address (`…/api/USER/SECRET/localai`) waits until there is something to answer. Its body has a line
"m n", then two lines for each of m matches (id, request), then a line for each of n finished ones (id, own seat, number
of players, scores; no players: aborted). Answers are headers of the next GET: `X-Match-ID: response`.
"""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from quepu.bots.botzone_player import BotzonePlayer, read_request
from quepu.bots.line_process import BotError
from quepu.errors import Error, Text

_ID = re.compile(r"[\w-]{1,64}")
_MOST = 1 << 20
_WAIT = 300.0
"""Seconds until a GET without anything to answer is made again."""
RETRY = 5.0
"""Seconds between attempts while the platform cannot be reached."""
_REFUSED = (400, 401, 403, 404)


class Finished(NamedTuple):
    """A finished match: the own seat, and the scores of all (none: it was aborted)."""

    id: str
    seat: int
    scores: tuple[float, ...]


@dataclass
class _Match:
    player: BotzonePlayer
    requests: list[str] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)


class LocalAI:
    """A connection to the platform: `make` creates the player of a match, `tell` receives remarks.

    Raises:
        BotError: the address is not one of http.
    """

    def __init__(self, url: str, make: Callable[[], BotzonePlayer], tell: Callable[[Text], None]) -> None:
        if not re.match(r"https?://[^\s/]+/\S*$", url):
            raise BotError(
                "地址应像 https://www.botzone.org.cn/api/用户/密钥/localai。",
                "the address is like https://www.botzone.org.cn/api/USER/SECRET/localai.",
            )
        self.url, self.make, self.tell = url, make, tell
        self.retry = RETRY
        self._matches: dict[str, _Match] = {}
        self._answers: dict[str, str] = {}
        self._away = False

    def step(self) -> list[Finished]:
        """Send the answers, wait for requests, and answer them; return the matches that are over.

        Raises:
            BotError: the platform refuses the address or an answer, or says something else.
        """
        lines = self._fetch().splitlines()
        self._answers.clear()
        try:
            asked, over = map(int, lines[0].split())
            pairs = [(lines[1 + 2 * at], lines[2 + 2 * at]) for at in range(asked)]
            ends = [lines[1 + 2 * asked + at].split() for at in range(over)]
            finished = [Finished(one[0], int(one[1]), tuple(map(float, one[3:]))) for one in ends]
            if not all(_ID.fullmatch(id) for id, _ in pairs):
                raise ValueError("id")
        except (ValueError, IndexError):
            shown = lines[0][:60] if lines else ""
            raise BotError(f"不认识平台的回答：{shown}", f"unknown reply from the platform: {shown}") from None
        for id, request in pairs:
            self._answers[id] = self._answer(id, request)
        for one in finished:
            self._matches.pop(one.id, None)
        return finished

    def _answer(self, id: str, request: str) -> str:
        """Return the answer to a request; PASS, with a remark, if it cannot be answered."""
        match = self._matches.setdefault(id, _Match(self.make()))
        match.requests.append(read_request(request))
        try:
            found = match.player.response(match.requests, match.responses)
        except Error as wrong:
            zh, en = wrong.text
            self.tell(Text(f"对局 {id}：{zh}", f"match {id}: {en}"))
            found = "PASS"
        match.responses.append(found)
        return found

    def _fetch(self) -> str:
        """Return the platform's reply, trying again while it cannot be reached.

        Raises:
            BotError: it refuses.
        """
        headers = {f"X-Match-{id}": answer for id, answer in self._answers.items()}
        while True:
            try:
                asked = urllib.request.Request(self.url, headers=headers)  # noqa: S310  # http, checked above
                with urllib.request.urlopen(asked, timeout=_WAIT) as reply:  # noqa: S310
                    self._away = False
                    return str(reply.read(_MOST).decode("utf-8", "replace"))
            except urllib.error.HTTPError as wrong:
                if wrong.code in _REFUSED:
                    why = wrong.read(200).decode("utf-8", "replace").strip()
                    zh, en = f"平台拒绝（{wrong.code}）：{why}", f"the platform refuses ({wrong.code}): {why}"
                    raise BotError(zh, en) from None
                self._wait(str(wrong.code))
            except TimeoutError:
                continue  # there was nothing to answer
            except OSError as wrong:  # URLError is one
                self._wait(type(wrong).__name__)

    def _wait(self, why: str) -> None:
        """Wait before another attempt; the first one in a row is told."""
        if not self._away:
            self._away = True
            self.tell(
                Text(
                    f"暂时连不上平台（{why}），每 {self.retry:g} 秒再试。",
                    f"cannot reach the platform ({why}); trying again every {self.retry:g} s.",
                )
            )
        time.sleep(self.retry)
