"""What one visitor sends makes a server hold little more than before: 16 MiB at most, and given back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from quepu.hands import suit_tables
from quepu.match import LogWriter, Match
from quepu.match.settle import settle
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from tests.server.serving import Server
from tests.server.test_review import LOG

MOST = 16
"""MiB."""


def long_log(hands: int) -> str:
    """A log of so many hands, some 12 KiB each."""
    lines: list[str] = []
    match, rng = Match(book("guobiao"), rounds=16), random.Random(1)
    log = LogWriter(match, lines.append)
    for number in range(1, hands + 1):
        table = Table(match.book, make_wall(1, number), round=match.place.round_wind)
        log.hand(number, match.place, table)
        while table.to_act:
            options = table.options(table.to_act[0])
            table.step(table.to_act[0], rng.choice(options))
        assert table.ending is not None
        settled = settle(table.ending, match.book, match.rules)
        match = match.add_hand(table.ending)
        log.result(settled, match.totals, table.ending)
    log.end()
    return "\n".join(lines)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "data", "--limit", "work_cpu=600", "--limit", "work_wall=600")  # on any machine
    yield made
    made.kill()


def upload(server: Server, who: str, text: str) -> str:
    """The id of a log that was imported."""
    return str(server.fetch("api/replays", {"who": who, "text": text})["id"])


@pytest.mark.long
def test_logs_that_are_imported_take_little_of_a_server(server: Server) -> None:
    text = long_log(40)
    assert len(text) > 400_000
    id = upload(server, "somebody-0001", "\n".join(LOG))
    server.read(f"api/replays/{id}/hands/1")
    before = server.memory()
    if not server.most_memory():
        pytest.skip("this system does not say what a process holds")
    with ThreadPoolExecutor(6) as several:
        ids = list(several.map(lambda n: upload(server, f"somebody-1{n:03}", text), range(6)))
    for id in ids:
        server.read(f"api/replays/{id}/log")
    assert server.most_memory() - before < MOST


@pytest.mark.long
def test_what_is_remembered_of_tiles_has_an_end() -> None:
    rng = random.Random(5)
    keys = [sum(rng.randrange(5) * 5**rank for rank in range(9)) for _ in range(90_000)]
    before = [suit_tables.levels(key) for key in keys[:50]]
    for key in keys:
        suit_tables.levels(key)
        assert len(suit_tables.LEVELS) <= 40_000
    assert [suit_tables.levels(key) for key in keys[:50]] == before
