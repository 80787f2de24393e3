"""The people of a load: tables over HTTP and WebSocket whose seats are played from here, through lost connections."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

ACTIONS = frozenset({"discard", "chow", "pung", "kong", "added", "concealed", "flower", "win"})


@dataclass
class Tally:
    """What was seen from here."""

    times: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)
    events: int = 0
    acts: int = 0
    sent: int = 0
    begun: int = 0
    matches: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    drops: int = 0
    lost: list[str] = field(default_factory=list)

    def warm(self) -> None:
        """Forget times so far."""
        self.times.clear()
        self.bots.clear()


def chosen(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Win; pass; else the tile just drawn."""
    by = {option["do"]: option for option in options}
    found = by.get("win") or by.get("pass") or by.get("flower") or by["discard"]
    return {key: value for key, value in found.items() if key != "score"}


class Table:
    """One match, its seats played from here."""

    def __init__(
        self, tally: Tally, addresses: list[str], think: float, people: int, web: httpx.AsyncClient, *, stored: bool
    ) -> None:
        self.tally = tally
        self.addresses = addresses
        self.think = think
        self.people = people
        self.web = web
        self.stored = stored
        self.messages: dict[int, Any] = {}
        self.last = -1
        self.room = ""

    async def request(self, path: str, body: Any = None) -> Any:
        """An answer of whichever server answers."""
        refused = ""
        for attempt in range(200):
            address = self.addresses[attempt % len(self.addresses)]
            with suppress(httpx.HTTPError):
                if body is None:
                    answer = await self.web.get(f"http://{address}{path}")
                else:
                    answer = await self.web.post(f"http://{address}{path}", json=body)
                if answer.status_code == 200:
                    return answer
                if b"\xe5\xb7\xb2\xe7\xbb\x8f\xe6\x9c\x89\xe4\xba\xba" in answer.content:  # the name is taken: it was
                    return None  # heard, and the answer was lost
                refused = f": {answer.status_code} {answer.text[:200]}"
            await asyncio.sleep(0.25)
        raise RuntimeError(f"{path} was never answered{refused}")

    async def play(self) -> None:
        """From opening the room to the end of the match."""
        bots = [""] * self.people + ["plain"] * (4 - self.people)
        spec = {"name": "甲", "bots": bots, "think": self.think, "move": 0, "bank": 0, "hints": False}
        opened = (await self.request("/api/rooms", spec)).json()
        self.tally.begun += 1
        self.room, tokens = opened["room"], [opened["token"]]
        for name in "乙丙丁"[: self.people - 1]:
            answer = await self.request(f"/api/rooms/{self.room}/sit", {"name": name})
            if answer is None:
                return  # the token of a seat was lost with its server: nobody can play this table
            tokens.append(answer.json()["token"])
        await asyncio.gather(*(self.seat(token, i) for i, token in enumerate(tokens)))
        self.tally.matches += 1

    def new(self, message: dict[str, Any]) -> bool:
        """Whether a numbered message was not heard before, by any seat of this table."""
        if self.stored:
            return self.messages.setdefault(message["n"], message) is message
        new = bool(message["n"] > self.last)
        self.last = max(self.last, message["n"])
        return new

    async def seat(self, token: str, at: int) -> None:
        """One seat until the match is over, through every lost connection."""
        after: int | None = None
        for attempt in range(2000):
            address = self.addresses[(attempt + at) % len(self.addresses)]
            try:
                async with connect(f"ws://{address}/api/rooms/{self.room}/ws", max_size=None) as socket:
                    await socket.send(json.dumps({"token": token, "after": after}))
                    await socket.send('{"ready":true}')
                    due, awaited = (
                        0.0,
                        (0.0, -1),
                    )  # when my action was due; since when a bot's is awaited, and at which number
                    async for text in socket:
                        message = json.loads(text)
                        if "phase" not in message and "n" in message:
                            if self.new(message):
                                self.tally.events += 1
                                self.tally.acts += message.get("event", {}).get("e") in ACTIONS
                            after = message["n"]
                        elif message.get("room", {}).get("phase") == "over":
                            return
                        elif "view" in message:
                            now, n = time.perf_counter(), message["n"]
                            if due:
                                self.tally.times.append(now - due)
                                due = 0.0
                            elif awaited[0] and n > awaited[1] and message["phase"] == "playing":
                                self.tally.bots.append(now - awaited[0] - self.think)
                            mine = message["view"] and message["view"]["options"]
                            if message["phase"] != "playing" or mine:
                                awaited = (0.0, -1)
                            elif n > awaited[1]:
                                awaited = (now, n)
                            if mine:
                                due = now + self.think
                                if self.think:
                                    await asyncio.sleep(due - time.perf_counter())
                                self.tally.sent += 1
                                await socket.send(json.dumps({"action": chosen(mine), "n": n}))
                        elif "over" in message and not message["over"]["match_over"]:
                            await socket.send('{"ready":true}')
                        elif "refused" in message:
                            due = 0.0
                            why = message["refused"]["en"]
                            self.tally.refused[why] = self.tally.refused.get(why, 0) + 1
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.2)
            self.tally.drops += 1
        raise RuntimeError("a seat never came back")

    async def check(self) -> None:
        """Whether every message is in the log, at its number."""
        answer = await self.request(f"/api/rooms/{self.room}/log")
        shown = [json.loads(line) for line in answer.text.splitlines() if not line.startswith('{"a":')]
        for n, message in self.messages.items():
            event = message.get("event")
            if n >= len(shown) or (event and {key: shown[n].get(key) for key in event} != event):
                self.tally.lost.append(f"{self.room} {n}")
