"""Two servers on one PostgreSQL: players connect to either, and do not notice when the owner of a table is killed."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from quepu.match.reader import read_log
from tests.loop import run
from tests.server.serving import Server

ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "seed": 7, "rules": "lingque-29", "rounds": 1}


@pytest.fixture
def servers(tmp_path: Path, postgres_address: str) -> Iterator[list[Server]]:
    made = [Server(tmp_path / "data", "--database", postgres_address) for _ in range(2)]
    yield made
    for server in made:
        server.kill()


async def until(socket: ClientConnection, wanted: Any, seen: list[dict[str, Any]]) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            message: dict[str, Any] = json.loads(await socket.recv())
            seen.append(message)
            if wanted(message):
                return message


def to_act(message: dict[str, Any]) -> bool:
    return bool((message.get("view") or {}).get("options"))


def own_turn(message: dict[str, Any]) -> bool:
    return any(option["do"] == "discard" for option in message["view"]["options"])


async def act(socket: ClientConnection, message: dict[str, Any]) -> None:
    options = message["view"]["options"]
    by = {option["do"]: option for option in options}
    chosen = by.get("win") or by.get("pass") or by.get("flower") or by["discard"]
    action = {key: value for key, value in chosen.items() if key != "score"}
    await socket.send(json.dumps({"action": action, "n": message["n"]}))


@pytest.mark.long
def test_a_table_of_another_process_and_the_death_of_its_owner(servers: list[Server]) -> None:
    owner, other = servers
    mine = owner.fetch("api/rooms", {**ROOM, "bots": ["", "", "plain", "plain"]})
    assert [room["id"] for room in other.fetch("api/rooms")] == [mine["room"]]
    theirs = other.fetch(f"api/rooms/{mine['room']}/sit", {"name": "客"})
    assert theirs["place"] == 1
    waiting = owner.fetch("api/rooms", {**ROOM, "bots": ["", "", "plain", "plain"], "seed": None})
    found = other.fetch("api/rooms/quick", {**ROOM, "bots": [""] * 4, "name": "客", "fallback": "客人"})
    assert (found["room"], found["place"]) == (waiting["room"], 1)
    with pytest.raises(urllib.error.HTTPError) as refused:
        other.fetch(f"api/rooms/{mine['room']}/sit", {"name": "客"})
    assert refused.value.code == 400

    async def played() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        here: list[dict[str, Any]] = []
        there: list[dict[str, Any]] = []
        async with other.socket(mine["room"]) as guest:
            await guest.send(json.dumps({"token": theirs["token"]}))
            assert (await until(guest, lambda m: "room" in m, there))["you"] == 1
            async with owner.socket(mine["room"]) as host:
                await host.send(json.dumps({"token": mine["token"]}))
                await host.send(json.dumps({"ready": True}))
                await guest.send(json.dumps({"ready": True}))

                async def rounds(socket: ClientConnection, seen: list[dict[str, Any]], most: int) -> None:
                    for _ in range(most):
                        await act(socket, await until(socket, to_act, seen))

                await asyncio.gather(rounds(host, here, 4), rounds(guest, there, 4))
                others = asyncio.create_task(rounds(host, here, 10**6))
                # the guest's own turn: nobody else can act, so the table stays as it is until he does
                while not own_turn(last := await until(guest, to_act, there)):
                    await act(guest, last)
                others.cancel()
                owner.kill()
            # the guest's socket is still the same one: the table comes back on it, at the same number
            await guest.send(json.dumps({"ping": 1}))
            again = await until(guest, to_act, there)
            assert again["n"] == last["n"]
            assert again["view"] == last["view"]
            async with other.socket(mine["room"]) as host:
                last_here = max(m["n"] for m in here if "n" in m)
                await host.send(json.dumps({"token": mine["token"], "after": last_here}))
                await act(guest, again)

                async def to_the_end(socket: ClientConnection, seen: list[dict[str, Any]]) -> None:
                    while True:
                        message = await until(socket, lambda m: to_act(m) or "over" in m, seen)
                        if "over" not in message:
                            await act(socket, message)
                        elif message["over"]["match_over"]:
                            return
                        else:
                            await socket.send(json.dumps({"ready": True}))

                await asyncio.gather(to_the_end(guest, there), to_the_end(host, here))
        return here, there

    here, there = run(played())
    for seen in (here, there):
        numbers = [m["n"] for m in seen if "n" in m and "phase" not in m]
        assert numbers == sorted(set(numbers))
    lines = other.read(f"api/rooms/{mine['room']}/log").decode()
    replay = read_log(lines.splitlines())
    assert replay.finished
    # what anybody was told is in the log, at its number
    shown = [line for line in lines.splitlines() if not line.startswith('{"a":')]
    for message in (*here, *there):
        if "event" in message:
            written = json.loads(shown[message["n"]])
            assert {key: written[key] for key in message["event"]} == message["event"]


def test_friends_at_different_processes_see_each_other(servers: list[Server]) -> None:
    here, there = servers

    def friends_of(server: Server, who: str, at: str = "") -> list[tuple[str, bool, str]]:
        request = urllib.request.Request(f"{server.address}api/friends?at={at}", headers={"X-Who": who})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return [(one["name"], one["online"], one["room"]) for one in json.load(answer)["friends"]]

    anna, bo = "anna-browser-1", "bo-browser-222"
    code = here.fetch("api/friends/invitation", {"who": anna, "name": "安娜"})["code"]
    there.fetch("api/friends/accept", {"who": bo, "name": "小波", "code": code})

    def wait_for(at: str) -> None:
        until = time.monotonic() + 60  # processes learn of each other by their beats
        while True:  # both ask again and again, as their pages do
            of_anna, of_bo = friends_of(here, anna, at), friends_of(there, bo)
            if of_anna[0][1] and of_bo == [("安娜", True, at)]:
                return
            assert time.monotonic() < until, (of_anna, of_bo)
            time.sleep(0.2)

    wait_for("room-1")
    wait_for("")
    here.kill()
    assert friends_of(there, bo) == [("安娜", True, "")]  # as after a page that was closed, for 75 seconds
