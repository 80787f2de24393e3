"""`kill -9` at any moment while several clients write: whatever was acknowledged is there afterwards, and folds.

Each trial starts the server, lets five clients write (two tables of their own, one table for two, practice, a seat in a
room over its socket) and kills the process; the next server is asked what is there. Every eighth trial begins with
nothing at all, so that some kills fall into the making of the database's tables.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.server.prepared import Prepared

WHO = "somebody-1234"
NAMES = ["林", "周", "何", "许"]
ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "rounds": 1, "seed": 5, "rules": "lingque-29"}
GONE = (OSError, http.client.HTTPException, ValueError)  # what a client sees of a server that was killed
AFRESH = 8


class Running:
    """A server as a process of its own: started by itself, or as a copy of a prepared one."""

    def __init__(self, folder, database=None, prepared=None):
        arguments = ["--port", "0", "--no-browser", "--data", str(folder)]
        arguments += ["--database", database] if database else []
        self.prepared = prepared
        if prepared is not None:
            self.number, line = prepared.start(arguments)
        else:
            command = [sys.executable, "-c", "from quepu.cli import main; main()", "serve", *arguments]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
            self.number, line = self.process.pid, self.process.stdout.readline()
        self.address = re.search(r"http://\S+/", line)[0]

    def kill(self):
        """As `kill -9` does; the processes in which bots think have to notice by themselves."""
        if self.prepared is not None:
            self.prepared.kill(self.number)
            return
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        for _ in range(1500):
            try:
                os.killpg(self.number, 0)
            except ProcessLookupError:
                return
            time.sleep(0.02)
        os.killpg(self.number, signal.SIGKILL)
        raise AssertionError("a process of the server outlived it")

    def ask(self, path, body=None, who=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"} | ({} if who is None else {"x-who": who})
        asked = urllib.request.Request(self.address + path, data, headers)
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code == 429:
                time.sleep(float(refused.headers["retry-after"]))
                return self.ask(path, body, who)
            return {"status": refused.code, **json.load(refused)}


@dataclass
class Known:
    """What has been acknowledged to one client."""

    kind: str
    id: str = ""
    writers: int = 1
    length: int = 0
    seen: int = -1
    token: str = ""
    written: int = 0
    doubts: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


def record(number):
    return {"kind": "hand", "winner": number % 4, "points": 8 + number % 5, "discarder": (number + 1) % 4}


def totals(hands):
    """What four players have after that many of `record` under 国标: 8 from each, and the points from the discarder."""
    sums = [0] * 4
    for number in range(hands):
        points, winner = 8 + number % 5, number % 4
        for player in range(4):
            gain = 24 + points if player == winner else -8 - (points if player == (number + 1) % 4 else 0)
            sums[player] += gain
    return sums


def keep_score(server, known):
    """Add hands as fast as answers come; a table that is played to its end is followed by another."""
    while True:
        with known.lock:
            if not known.id:
                made = server.ask("api/tables", {"who": WHO, "rules": "guobiao", "names": NAMES, "rounds": 16})
                known.id, known.length = made["id"], 1
                known.written += 1
            table, length = known.id, known.length
        answer = server.ask(f"api/tables/{table}", {"seen": length, "do": "add", "record": record(length - 1)})
        with known.lock:
            if table != known.id:
                continue
            if answer.get("status") == 409:  # the other writer of this table was faster
                known.length = max(known.length, server.ask(f"api/tables/{table}")["length"])
            elif "status" in answer:
                known.doubts.append(str(answer))
                return
            else:
                known.length = max(known.length, answer["length"])
                known.written += 1
                if answer["over"]:
                    known.id = ""


def practise(server, known):
    body = {"rules": "guobiao", "kind": "points", "level": 1, "seed": 1, "who": WHO, "points": 3}
    while known.length < 390:  # the history shows the last four hundred
        server.ask("api/practice/answer", body)
        known.length += 1
        known.written += 1


def play(server, known):
    """Sit at a table with three bots and remember the last message told."""
    from websockets.sync.client import connect

    if not known.id or server.ask(f"api/rooms/{known.id}").get("phase") == "over":
        sat = server.ask("api/rooms", ROOM)
        known.id, known.token, known.seen = sat["room"], sat["token"], -1
        known.written += 1
    with connect(f"{server.address.replace('http', 'ws', 1)}api/rooms/{known.id}/ws", open_timeout=60) as socket:
        socket.send(json.dumps({"token": known.token, "after": known.seen}))
        socket.send(json.dumps({"ready": True}))
        while True:
            message: dict[str, Any] = json.loads(socket.recv(timeout=60))
            if "view" not in message and message.get("n", -1) > known.seen:
                known.written += 1
                known.seen = message["n"]
            options = (message.get("view") or {}).get("options")
            if options:
                say = next((o for do in ("win", "pass", "discard") for o in options if o["do"] == do), options[0])
                socket.send(json.dumps({"action": say, "n": message["n"]}))
            if "over" in message:
                socket.send(json.dumps({"ready": True}))


def clients(server, knowns):
    """Let everybody write; the threads end when the server is gone."""
    does = {"table": keep_score, "practice": practise, "room": play}

    def quietly(known):
        from websockets.exceptions import WebSocketException

        try:
            does[known.kind](server, known)
        except (*GONE, WebSocketException):
            pass
        except Exception as error:  # a client that breaks for another reason is a failure of the test
            known.doubts.append(repr(error))

    threads = [threading.Thread(target=quietly, args=(k,), daemon=True) for k in knowns for _ in range(k.writers)]
    for thread in threads:
        thread.start()
    return threads


def look(server, knowns):
    """Everything acknowledged is there, and at most what was on its way besides; the logs fold."""
    for known in knowns:
        assert not known.doubts, known.doubts
        if known.kind == "practice":
            told = server.ask("api/practice/history?rules=guobiao", who=WHO)
            assert known.length <= told["answered"] <= known.length + 1
            known.length = told["answered"]
        elif not known.id:
            continue
        elif known.kind == "table":
            view = server.ask(f"api/tables/{known.id}")
            assert known.length <= view["length"] <= known.length + known.writers
            assert len(view["rows"]) == view["length"] - 1
            assert view["totals"] == totals(len(view["rows"])) == view["rows"][-1]["totals"] if view["rows"] else True
            known.length = view["length"]
        else:
            from websockets.sync.client import connect

            with connect(f"{server.address.replace('http', 'ws', 1)}api/rooms/{known.id}/ws") as socket:
                socket.send(json.dumps({"token": known.token, "after": 0}))
                told = [json.loads(socket.recv(timeout=60)) for _ in range(2)]
                assert told[0]["you"] == 0
                numbers = []
                while "view" not in told[-1]:
                    numbers.append(told[-1]["n"])
                    told.append(json.loads(socket.recv(timeout=60)))
                assert told[-1]["n"] >= known.seen
                assert numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else known.seen <= 0


def killed(stores, trials, moments, seed=7):
    """Run the trials; how many things were acknowledged.

    `stores` gives a folder and a database address for every fresh start. The first server of each store is started as
    `quepu serve` is, those after it as copies of a prepared process: half a second instead of five.
    """
    prepared = Prepared()
    try:
        return _killed(stores, trials, moments, seed, prepared)
    finally:
        prepared.close()


def _killed(stores, trials, moments, seed, prepared):
    rng = random.Random(seed)
    written = 0
    knowns: list[Known] = []
    store = None
    for trial in range(trials + 1):
        if trial % AFRESH == 0:
            if store is not None:
                with running(*store, prepared) as server:
                    look(server, knowns)
            written += sum(known.written for known in knowns)
            print(f"{trial} kills, {written} acknowledged", flush=True)
            store = next(stores)
            fresh = True
            knowns = [Known("table"), Known("table"), Known("table", writers=2), Known("practice"), Known("room")]
        with running(*store, None if fresh else prepared) as server:
            fresh = False
            look(server, knowns)
            if trial == trials:
                break
            before = {id(known): known.written for known in knowns}
            threads = clients(server, knowns)
            until = time.monotonic() + 60
            while (
                trial % 2 == 0  # half of the kills fall anywhere, half of them after each table was written to
                and time.monotonic() < until
                and any(known.written == before[id(known)] for known in knowns[:3])
            ):
                time.sleep(0.01)
            time.sleep(rng.random() * moments)
            os.kill(server.number, signal.SIGKILL)
            for thread in threads:
                thread.join(90)
                assert not thread.is_alive()
    return written + sum(known.written for known in knowns)


@contextmanager
def running(folder, database=None, prepared=None):
    server = Running(folder, database, prepared)
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
def folders(tmp_path):
    return ((tmp_path / str(n), None) for n in itertools.count())


@pytest.fixture
def databases(tmp_path, postgres_addresses):
    """A database of a real PostgreSQL for every fresh start."""
    return ((tmp_path, address) for address in postgres_addresses)


@pytest.mark.parametrize("where", ["folders", "databases"])
def test_what_was_acknowledged_survives_a_kill(where, request):
    assert killed(request.getfixturevalue(where), 3, 0.3) > 3


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("where", ["folders", "databases"])
def test_what_was_acknowledged_survives_two_hundred_kills(where, request):
    written = killed(request.getfixturevalue(where), 200, 0.6)
    print(f"{where}: 200 kills, {written} acknowledged")
    assert written > 2000
