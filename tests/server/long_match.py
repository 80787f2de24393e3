"""A room in the middle of a match of any length, stored as by a server, without real players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from quepu.match.match import MOST_ROUNDS
from quepu.rulebooks import book
from quepu.server.rooms.game import Game
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.places import digest
from quepu.server.rooms.record import ANSWER
from quepu.server.rooms.start import first_entry
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.table.actions import Action
from tests.loop import run

NAMES = ("甲", "乙", "丙", "丁")


class StoredRoom(NamedTuple):
    """A stored room: its id, a token for each place, and the lines of its log that people are shown."""

    id: str
    tokens: tuple[str, ...]
    lines: list[str]


class _Lines(list[str]):
    """All that `Game` needs of a room's log."""

    walls = ""
    id = "long"
    line = list.append
    revealed: dict[str, Any] = {}  # noqa: RUF012  # nobody writes into it


Stop = Literal["in a hand", "between hands", "over"]


def play_match(spec: RoomSpec, messages: int, stop: Stop = "in a hand") -> list[str]:
    """Play until the log has so many lines that people are shown, and stop there, or end the match."""
    lines = _Lines()
    rules = book(spec.rules)
    endless = spec.model_copy(update={"rounds": MOST_ROUNDS})
    players = [level or "person" for level in spec.bots]
    game = Game.begin(rules, endless, lines, NAMES, players)  # type: ignore[arg-type]
    shown = counted = 0
    while True:
        while counted < len(lines):
            shown += not lines[counted].startswith(ANSWER)
            counted += 1
        if shown >= messages and (game.table is not None) is (stop == "in a hand"):
            break
        if game.table is None:
            game.seal()
            game.deal()
        elif game.table.to_act:
            seat = game.table.to_act[0]
            game.step(seat, _lazy(game.table.options(seat)))
        else:
            game.settle()
    if stop == "over":
        game.writer.end()
    return lines


def _lazy(options: Sequence[Action]) -> Action:
    """Pass, else the last discard: hands last long, and few are won."""
    by = {option.do.value: option for option in options}
    return by.get("pass") or by.get("flower") or by.get("discard") or options[0]


def store_match(folder: Path, messages: int, stop: Stop = "in a hand", **spec: Any) -> StoredRoom:
    """Store a room whose match has so many messages, for a server that is started on the folder afterwards."""
    agreed = RoomSpec(**{"rules": "lingque-29", "bots": [""] * 4, "move": 0, "bank": 0, "listed": True, **spec})
    lines = play_match(agreed, messages, stop)
    tokens = tuple(f"token-of-place-{at}" for at in range(4))
    bodies: list[dict[str, Any]] = [
        {"place": at, "name": name, "token": digest(token)}
        for at, (name, token) in enumerate(zip(NAMES, tokens, strict=True))
        if not agreed.bots[at]
    ]
    bodies += ({"line": line} for line in lines)

    async def store() -> str:
        database = Database(folder)
        logs = Logs(database)
        title, first = first_entry(agreed, book(agreed.rules))
        head = await logs.create("room", "", title, first)
        length = 1
        for some in _chunks(bodies, 5000):
            await logs.append(head.id, length, some)
            length += len(some)
        await logs.close()
        await database.close()
        return head.id

    return StoredRoom(run(store()), tokens, [line for line in lines if not line.startswith(ANSWER)])


def _chunks(all_of_them: list[Any], size: int) -> Iterator[list[Any]]:
    for at in range(0, len(all_of_them), size):
        yield all_of_them[at : at + size]
