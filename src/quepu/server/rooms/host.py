"""The host of a room: a server's process, or a device without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from quepu.server.rooms.bot_choice import BotChooser
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.start import StartPosition
from quepu.server.store.values import LogStore

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room


class Worker(Protocol):
    """A worker that computes without blocking others."""

    async def run(self, asker: str, what: Callable[..., Any], *given: Any) -> Any:
        """Return the result of `what(*given)`."""

    def has_begun(self) -> bool:
        """Return whether it has started, so that it answers without delay."""

    def begin(self) -> None:
        """Start it without waiting."""


class BookTables(Protocol):
    """The books that have tables for strong bots and hints."""

    def is_ready(self, rules: str, house: str) -> bool:
        """Return whether a book has all its tables."""

    def is_shipped(self, rules: str, house: str) -> bool:
        """Return whether a book's tables come with the program, so that they are free."""

    def report_missing(self, rules: str, house: str) -> None:
        """Report that the tables of a book were not found in their place."""

    @property
    def builds(self) -> bool:
        """Whether missing tables can be built here at all."""

    def want(self, rules: str, house: str, asker: str = "", *, paid: bool = False) -> None:
        """Have missing tables built for `asker`, who has `paid` for them or will pay."""


class Rooms(Protocol):
    """All rooms reachable from here."""

    @property
    def levels(self) -> Sequence[str]:
        """The levels of bots that can sit in a room, weakest first."""

    async def open(
        self, spec: RoomSpec, asker: str = "", payers: Sequence[str] = (), start: StartPosition | None = None
    ) -> Room:
        """Open a room."""

    async def call(self, id: str, what: str, **more: Any) -> Any:
        """Call a room's method by name; see `visit.answer_call`."""

    async def list_rooms(self, start: int = 0, most: int = 100) -> list[dict[str, Any]]:
        """List rooms for the lobby."""

    @property
    def opening(self) -> asyncio.Lock:
        """The lock of whoever found no table to join and opens one, so that the next one finds it."""

    async def list_joinable(self, rules: str, house: str, *, own: bool = False) -> list[str]:
        """List the tables where a stranger can sit down now, of all processes or this one."""


class RoomHost(Protocol):
    """The host of a room: its store, its workers, and the receiver of its notifications."""

    @property
    def logs(self) -> LogStore:
        """The store that rooms are written to."""

    @property
    def hints(self) -> Worker:
        """The worker for hints; it compiles loops before the first one, which may take a minute."""

    @property
    def work(self) -> Worker:
        """The worker for anything without tables and loops."""

    @property
    def preparation(self) -> BookTables:
        """The tables of books."""

    @property
    def bots(self) -> BotChooser:
        """The pools in which bots think."""

    async def open(self, spec: RoomSpec, asker: str = "", payers: Sequence[str] = ()) -> Room:
        """Open another room."""

    def on_lost(self, room: Room) -> None:
        """Handle a room that no longer belongs to this process."""

    def on_action(self, person: bool, seconds: float) -> None:
        """Record how long an action of a person or a bot took until everyone had received it."""

    def on_hand_end(self, room: Room) -> None:
        """Handle the end of a hand."""

    def on_match_end(self, room: Room) -> None:
        """Handle the end of its match."""

    def on_stored(self, room: Room, size: int) -> None:
        """Account for this many stored characters."""
