"""A level that plays on the platform from home, against a local stand-in with the judge in it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from quepu.bots import make_bot
from quepu.bots.botzone_player import BotzonePlayer
from quepu.bots.line_process import BotError
from quepu.bots.local_ai import Finished, LocalAI
from quepu.errors import Text
from quepu.match.botzone_record import tile_name
from quepu.rulebooks import book
from quepu.table import make_wall
from tests.botzone_judge import Judge
from tests.cli.run import outside


class Platform:
    """Matches of one player from home at a seat each, against three who discard what they draw."""

    def __init__(self, seats: dict[str, int]) -> None:
        self.judges: dict[str, Judge] = {}
        self.seats = seats
        for number, id in enumerate(seats):
            names = [tile_name(kind) for kind in make_wall(number, own=True).tiles]
            walls = [name for seat in range(4) for name in reversed(names[34 * seat : 34 * seat + 34])]
            self.judges[id] = Judge(walls, number % 4)
        self.waiting = set(seats)
        self.faults = [503, 500]
        self.seen: list[dict[str, str]] = []

    def reply(self, headers: dict[str, str]) -> tuple[int, str]:
        if self.faults:
            return self.faults.pop(), "maintenance"
        given = {
            name.lower().removeprefix("x-match-"): text for name, text in headers.items() if "match" in name.lower()
        }
        self.seen.append(given)
        if set(given) != (self.waiting if self.seen[1:] else set()):
            return 400, f"answers to {sorted(given)}, not {sorted(self.waiting)}"
        over = [id for id, response in given.items() if not self._goes_on(id, response)]
        self.waiting -= set(over)
        lines = [f"{len(self.waiting)} {len(over)}"]
        for id in self.waiting:
            lines += [id, self.judges[id].requests[self.seats[id]]]
        for id in over:
            lines.append(f"{id} {self.seats[id]} 4 {' '.join(map(str, self.judges[id].scores))}")
        return 200, "\n".join(lines)

    def _goes_on(self, id: str, response: str) -> bool:
        judge, own = self.judges[id], self.seats[id]
        answers = {}
        for seat in range(4):
            request = judge.requests[seat]
            answers[seat] = ("OK", f"PLAY {request.split()[1]}" if request.startswith("2 ") else "PASS")
        answers[own] = ("OK", response)
        return judge.step(answers)


@contextmanager
def served(reply: Any) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, text = (
                reply(dict(self.headers.items())) if self.path.endswith("/me/secret/localai") else (404, "no")
            )
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api/me/secret/localai"
    finally:
        server.shutdown()
        server.server_close()


def player() -> BotzonePlayer:
    return BotzonePlayer(lambda: make_bot("plain", 1), book("guobiao-mcr"), False)


def test_a_level_plays_several_matches_at_once_without_a_wrong_answer() -> None:
    platform, told = Platform({"5f0a": 0, "5f0b": 2, "5f0c": 3}), list[Text]()
    with served(platform.reply) as url:
        home = LocalAI(url, player, told.append)
        home.retry = 0
        over: list[Finished] = []
        while len(over) < 3:
            over += home.step()
    assert {judge.action for judge in platform.judges.values()} <= {"HU", "HUANG"}
    assert {one.id: (one.seat, list(one.scores)) for one in over} == {
        id: (seat, platform.judges[id].scores) for id, seat in platform.seats.items()
    }
    assert len(told) == 1 and "500" in told[0].en and "secret" not in told[0].en
    assert not home._matches


def test_the_command_plays_a_match_and_says_how_it_ended() -> None:
    platform = Platform({"5f0a": 1})
    platform.faults.clear()
    with served(platform.reply) as url:
        done = outside("bot", "--botzone", "closed", "--connect", url, "--matches", "1", "--lang", "en")
    assert done.code == 0, done.err
    assert done.out.startswith("match 5f0a is over, seat 1: ")
    assert platform.judges["5f0a"].action in ("HU", "HUANG")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ((401, "wrong secret"), "401"),
        ((200, ""), "unknown reply"),
        ((200, "<html>"), "unknown reply"),
        ((200, "2 0\na\n0 1 2"), "unknown reply"),
        ((200, "1 0\nbad id: x\n0 1 2"), "unknown reply"),
    ],
)
def test_a_reply_that_is_none_is_one_sentence(reply: tuple[int, str], words: str) -> None:
    with served(lambda _: reply) as url:
        done = outside("bot", "--connect", url, "--botzone", "plain", "--matches", "1", "--lang", "en")
    assert done.code == 2 and words in done.err and done.err.count("\n") == 1
    assert "secret/localai" not in done.err


def test_a_match_that_cannot_be_followed_does_not_stop_the_others() -> None:
    told: list[Text] = []
    replies = ["2 0\n5f0a\n0 1 0\n5f0b\nnonsense", "0 1\n5f0b 1 0"]
    with served(lambda _: (200, replies.pop(0))) as url:
        home = LocalAI(url, player, told.append)
        assert home.step() == []
        assert home._answers == {"5f0a": "PASS", "5f0b": "PASS"}
        assert home.step() == [Finished("5f0b", 1, ())]
    assert len(told) == 1 and "5f0b" in told[0].en


@pytest.mark.parametrize("url", ["", "localai", "ftp://x/y", "https://", "file:///etc/passwd", "http://a b/c"])
def test_an_address_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(BotError, match="localai"):
        LocalAI(url, player, print)
